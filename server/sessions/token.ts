/** Tokens of sessions and reset links: 256 random bits, stored only as a hash. */
import { hash, randomBytes } from 'node:crypto'

const BYTES = 32
const FORM = /^[A-Za-z0-9_-]{43}$/

interface Token {
  secret: string
  /** SHA-256, in hex. */
  hash: string
}

export function mintToken(): Token {
  const secret = randomBytes(BYTES).toString('base64url')
  return { secret, hash: hashToken(secret) }
}

export function hashToken(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Checks the format, so that other text never reaches the database. */
export function isToken(text: string): boolean {
  return FORM.test(text)
}
