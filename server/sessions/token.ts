/** Tokens of sessions and reset links: 256 random bits, stored only as a hash. */
import { hash, randomBytes } from 'node:crypto'

const BYTES = 32
const FORM = /^[A-Za-z0-9_-]{43}$/

export function mintToken() {
  const secret = randomBytes(BYTES).toString('base64url')
  return { secret, hash: hashToken(secret) }
}

export const hashToken = (secret: string): string => hash('sha256', secret, 'hex')

/** Checks the format, so that other text never reaches the database. */
export const isToken = (text: string): boolean => FORM.test(text)
