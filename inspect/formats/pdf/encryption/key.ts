/** Derives the key of a PDF from its user or owner password (ISO 32000-2, 7.6). */

import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { pdfPasswords } from '#inspect/codecs/password-encodings.ts'
import { rc4 } from '#inspect/core/rc4.ts'

export interface Protection {
  revision: number
  /** Possible key lengths, because files contradict themselves. The verifier confirms one. */
  keyBytes: readonly number[]
  owner: Buffer
  user: Buffer
  /** OE and UE of revisions 5 and 6: the encrypted key. */
  ownerKey: Buffer | null
  userKey: Buffer | null
  permissions: number
  id: Buffer
  encryptsMetadata: boolean
}

/** Pads a password to 32 bytes; an empty password consists of it only. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

function hash(name: string, ...parts: Uint8Array[]): Buffer {
  const digest = createHash(name)
  for (const part of parts) digest.update(part)
  return digest.digest()
}

function padded(password: Buffer): Buffer {
  return Buffer.concat([password.subarray(0, PADDING.length), PADDING], PADDING.length)
}

/** Longer ones are cut in revisions 5 and 6. */
const PASSWORD_BYTES_MAX = 127

/** null: the password does not open the file. */
export function keyOf(protection: Protection, password = ''): Buffer | null {
  if (protection.revision >= 5)
    return keyOfAes256(protection, Buffer.from(password.normalize('NFKC')).subarray(0, PASSWORD_BYTES_MAX))
  for (const given of pdfPasswords(password).map(padded))
    for (const length of protection.revision === 2 ? [5] : protection.keyBytes) {
      const key =
        userKeyOf(protection, given, length) ?? userKeyOf(protection, userPassword(protection, given, length), length)
      if (key !== null) return key
    }
  return null
}

function userKeyOf(protection: Protection, password: Buffer, length: number): Buffer | null {
  const { revision, owner, user, permissions, id, encryptsMetadata } = protection
  const bits = Buffer.alloc(4)
  bits.writeInt32LE(permissions | 0)
  const metadata = revision >= 4 && !encryptsMetadata ? [Buffer.alloc(4, 0xff)] : []
  let digest = hash('md5', password, owner.subarray(0, 32), bits, id, ...metadata)
  if (revision >= 3) for (let i = 0; i < 50; i++) digest = hash('md5', digest.subarray(0, length))
  const key = digest.subarray(0, length)
  if (revision === 2) return rc4(key, PADDING).equals(user.subarray(0, 32)) ? key : null
  let check: Buffer = hash('md5', PADDING, id)
  for (let i = 0; i < 20; i++)
    check = rc4(
      key.map((byte) => byte ^ i),
      check,
    )
  return check.equals(user.subarray(0, 16)) ? key : null
}

/** The user password, decrypted with the owner password. */
function userPassword({ revision, owner }: Protection, ownerPassword: Buffer, length: number): Buffer {
  let digest = hash('md5', ownerPassword)
  if (revision >= 3) for (let i = 0; i < 50; i++) digest = hash('md5', digest)
  const key = digest.subarray(0, length)
  let password: Buffer = owner.subarray(0, 32)
  for (let i = revision === 2 ? 0 : 19; i >= 0; i--)
    password = rc4(
      key.map((byte) => byte ^ i),
      password,
    )
  return password
}

function keyOfAes256({ revision, user, userKey, owner, ownerKey }: Protection, password: Buffer): Buffer | null {
  if (user.length < 48 || owner.length < 48) return null
  const stretch = (salt: Buffer, extra: Buffer): Buffer =>
    revision >= 6 ? stretched(password, salt, extra) : hash('sha256', password, salt, extra)
  const candidates = [
    { secret: user, key: userKey, extra: Buffer.alloc(0) },
    { secret: owner, key: ownerKey, extra: user.subarray(0, 48) },
  ]
  for (const { secret, key, extra } of candidates) {
    if (key === null || key.length < 32) continue
    if (!stretch(secret.subarray(32, 40), extra).equals(secret.subarray(0, 32))) continue
    const intermediate = stretch(secret.subarray(40, 48), extra)
    const cipher = createDecipheriv('aes-256-cbc', intermediate, Buffer.alloc(16)).setAutoPadding(false)
    return Buffer.concat([cipher.update(key.subarray(0, 32)), cipher.final()])
  }
  return null
}

/** Algorithm 2.B. */
function stretched(password: Buffer, salt: Buffer, extra: Buffer): Buffer {
  let key = hash('sha256', password, salt, extra)
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const input = Buffer.concat(Array<Buffer>(64).fill(Buffer.concat([password, key, extra])))
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false)
    const output = cipher.update(input)
    const remainder = output.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = hash(['sha256', 'sha384', 'sha512'][remainder] ?? 'sha256', output)
    last = output.at(-1) ?? 0
  }
  return key.subarray(0, 32)
}
