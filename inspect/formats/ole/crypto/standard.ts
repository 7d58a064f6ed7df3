/** Standard encryption of Office 2007 packages ([MS-OFFCRYPTO] 2.3.4.5): AES-ECB and SHA-1. */

import { createDecipheriv } from 'node:crypto'
import { type CryptoApiHeader, DIGEST_BYTES, hasCipher, readCryptoApiHeader } from './crypto-api.ts'
import { type Decrypt, digest, int32, type Protection, stretch } from './default-password.ts'

const ROUNDS = 50_000
const BLOCK_BYTES = 16
/** A digest of 20 bytes, padded to whole blocks. */
const VERIFIER_HASH_BYTES = 32

const KEY_BITS: ReadonlyMap<number, number> = new Map([
  [0x660e, 128],
  [0x660f, 192],
  [0x6610, 256],
])

/** `info` is the stream EncryptionInfo after its version. null: unsupported. */
export function standardProtection(info: Buffer): Protection | null {
  const header = readCryptoApiHeader(info, VERIFIER_HASH_BYTES)
  if (header === null || !hasCipher(header, 'aes') || KEY_BITS.get(header.algorithm) !== header.keyBits) return null
  return { rounds: ROUNDS, unlock: (password) => unlock(header, password) }
}

function unlock({ keyBits, salt, verifier, verifierHash }: CryptoApiHeader, password: string): Decrypt | null {
  const key = standardKey(digest('sha1', stretch('sha1', salt, ROUNDS, password), int32(0)), keyBits / 8)
  const expected = decryptEcb(key, verifierHash).subarray(0, DIGEST_BYTES)
  if (!digest('sha1', decryptEcb(key, verifier)).equals(expected)) return null
  return (data) => decryptEcb(key, data.subarray(0, data.length - (data.length % BLOCK_BYTES)))
}

/** CryptDeriveKey: digests over two paddings give a key longer than one digest. */
function standardKey(secret: Buffer, keyBytes: number): Buffer {
  const half = (padding: number): Buffer => {
    const bytes = Buffer.alloc(64, padding)
    for (const [i, byte] of secret.entries()) bytes[i] = byte ^ padding
    return digest('sha1', bytes)
  }
  return Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBytes)
}

function decryptEcb(key: Buffer, data: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.final()])
}
