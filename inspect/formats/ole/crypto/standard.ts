/** Standard encryption of Office packages ([MS-OFFCRYPTO] 2.3.4.5), of Office 2007: AES block by block, SHA-1. */

import { createDecipheriv } from 'node:crypto'
import { type CryptoApiHeader, DIGEST_BYTES, hasCipher, readCryptoApiHeader } from './crypto-api.ts'
import { type Decrypt, digest, int32, type Lock, stretch } from './default-password.ts'

const ROUNDS = 50_000
const BLOCK_BYTES = 16
/** A digest of 20 bytes, in whole blocks. */
const VERIFIER_HASH_BYTES = 32

const KEY_BITS: ReadonlyMap<number, number> = new Map([
  [0x660e, 128],
  [0x660f, 192],
  [0x6610, 256],
])

/** `info` is the stream EncryptionInfo behind its version. null: not one that we open. */
export function standardLock(info: Buffer): Lock | null {
  const header = readCryptoApiHeader(info, VERIFIER_HASH_BYTES)
  if (header === null || !hasCipher(header, 'aes') || KEY_BITS.get(header.algorithm) !== header.keyBits) return null
  return { rounds: ROUNDS, open: () => open(header) }
}

function open({ keyBits, salt, verifier, verifierHash }: CryptoApiHeader): Decrypt | null {
  const key = standardKey(digest('sha1', stretch('sha1', salt, ROUNDS), int32(0)), keyBits / 8)
  const expected = decryptEcb(key, verifierHash).subarray(0, DIGEST_BYTES)
  if (!digest('sha1', decryptEcb(key, verifier)).equals(expected)) return null
  return (data) => decryptEcb(key, data.subarray(0, data.length - (data.length % BLOCK_BYTES)))
}

/** As CryptDeriveKey does it: the digest over two fillings makes more bytes than a digest has. */
function standardKey(secret: Buffer, keyBytes: number): Buffer {
  const half = (filling: number): Buffer => {
    const bytes = Buffer.alloc(64, filling)
    for (const [i, byte] of secret.entries()) bytes[i] = byte ^ filling
    return digest('sha1', bytes)
  }
  return Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBytes)
}

function decryptEcb(key: Buffer, data: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.final()])
}
