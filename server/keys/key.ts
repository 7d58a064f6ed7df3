/** The format of API keys: minting, checksum and hash. */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIXES = { live: 'dv_live_', test: 'dv_test_' }
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^dv_(?:live|test)_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)
/** 4 × 62: higher bytes would favour some characters. */
const UNBIASED_BELOW = 248
const SHOWN_PREFIX_LENGTH = 12

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_BELOW && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

export const hashKey = (secret: string): string => hash('sha256', secret, 'hex')

export type MintedKey = ReturnType<typeof mint>

export function mint(kind: keyof typeof PREFIXES = 'live') {
  const body = PREFIXES[kind] + randomBase62(SECRET_LENGTH)
  const secret = body + checksum(body)
  return {
    /** The plaintext. Only the response that creates the key contains it. */
    secret,
    hash: hashKey(secret),
    prefix: secret.slice(0, SHOWN_PREFIX_LENGTH),
    lastFour: secret.slice(-4),
  }
}

/** A key with a wrong shape or checksum is rejected without a database query. */
export function isWellFormed(secret: string): boolean {
  if (!SHAPE.test(secret)) return false
  return checksum(secret.slice(0, -CHECKSUM_LENGTH)) === secret.slice(-CHECKSUM_LENGTH)
}
