/** Standard encryption of Office packages ([MS-OFFCRYPTO] 2.3.4.5), of Office 2007: AES block by block, SHA-1. */

import { createDecipheriv } from 'node:crypto'
import { type Decrypt, digest, int32, type Lock, stretch } from './default-password.ts'

const ROUNDS = 50_000
const BLOCK_BYTES = 16
const SALT_BYTES = 16
const DIGEST_BYTES = 20
const SHA1 = 0x8004
/** The fixed fields of the header; the name of a provider follows. */
const HEADER_MIN = 32
const VERIFIER_BYTES = 4 + SALT_BYTES + BLOCK_BYTES + 4 + 2 * BLOCK_BYTES

const FLAG = { cryptoApi: 0x04, external: 0x10, aes: 0x20 }

const KEY_BITS: ReadonlyMap<number, number> = new Map([
  [0x660e, 128],
  [0x660f, 192],
  [0x6610, 256],
])

interface Header {
  keyBytes: number
  salt: Buffer
  verifier: Buffer
  verifierHash: Buffer
}

/** `info` is the stream EncryptionInfo behind its version. null: not one that we open. */
export function standardLock(info: Buffer): Lock | null {
  const header = readHeader(info)
  return header === null ? null : { rounds: ROUNDS, open: () => open(header) }
}

function readHeader(info: Buffer): Header | null {
  if (info.length < 8 + HEADER_MIN + VERIFIER_BYTES) return null
  const headerBytes = info.readUInt32LE(4)
  const at = 8 + headerBytes
  if (headerBytes < HEADER_MIN || at + VERIFIER_BYTES > info.length) return null
  // The flags stand in front of the header and in it, and readers go by either.
  if (!isAes(info.readUInt32LE(0)) || !isAes(info.readUInt32LE(8))) return null
  const keyBits = info.readUInt32LE(24)
  const hash = info.readUInt32LE(20)
  if (KEY_BITS.get(info.readUInt32LE(16)) !== keyBits || (hash !== SHA1 && hash !== 0)) return null
  const verifierAt = at + 4 + SALT_BYTES
  const hashAt = verifierAt + BLOCK_BYTES
  if (info.readUInt32LE(at) !== SALT_BYTES || info.readUInt32LE(hashAt) !== DIGEST_BYTES) return null
  return {
    keyBytes: keyBits / 8,
    salt: info.subarray(at + 4, verifierAt),
    verifier: info.subarray(verifierAt, hashAt),
    verifierHash: info.subarray(hashAt + 4, hashAt + 4 + 2 * BLOCK_BYTES),
  }
}

function isAes(flags: number): boolean {
  return (flags & (FLAG.cryptoApi | FLAG.aes | FLAG.external)) === (FLAG.cryptoApi | FLAG.aes)
}

function open({ keyBytes, salt, verifier, verifierHash }: Header): Decrypt | null {
  const key = standardKey(digest('sha1', stretch('sha1', salt, ROUNDS), int32(0)), keyBytes)
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
