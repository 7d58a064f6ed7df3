/** Ciphers of Excel 5 to 2003: RC4, and XOR obfuscation under the default password. */

import { rc4 } from '#inspect/core/rc4.ts'
import { type CryptoApiHeader, DIGEST_BYTES, hasCipher, readCryptoApiHeader, SALT_BYTES } from './crypto-api.ts'
import { DEFAULT_PASSWORD, type Decrypt, digest, int32 } from './default-password.ts'

/** RC4 uses a new key for every block. */
const BLOCK_BYTES = 1024
const VERIFIER_BYTES = 16
const MD5_BYTES = 16
const RC4 = 0x6801
/** 40 bits, once the longest key that could be exported. */
const EXPORT_BYTES = 5
const KEY_BYTES_MAX = 16
const REPEATS = 16

type BlockKey = (block: number) => Buffer

/** `info` follows the type in the FilePass record. null: unsupported, or under another password. */
export function unlockRc4(info: Buffer, password: string): Decrypt | null {
  if (info.length < 4) return null
  const major = info.readUInt16LE(0)
  const minor = info.readUInt16LE(2)
  const header = info.subarray(4)
  if (major === 1 && minor === 1) return unlockExport(header, password)
  if (major >= 2 && major <= 4 && minor === 2)
    return unlockCryptoApi(readCryptoApiHeader(header, DIGEST_BYTES), password)
  return null
}

/** [MS-OFFCRYPTO] 2.3.6. */
function unlockExport(info: Buffer, password: string): Decrypt | null {
  if (info.length < SALT_BYTES + VERIFIER_BYTES + MD5_BYTES) return null
  const short = digest('md5', Buffer.from(password, 'utf16le')).subarray(0, EXPORT_BYTES)
  const salted = Buffer.concat([short, info.subarray(0, SALT_BYTES)])
  const secret = digest('md5', ...Array<Buffer>(REPEATS).fill(salted)).subarray(0, EXPORT_BYTES)
  const keyOf: BlockKey = (block) => digest('md5', secret, int32(block))
  return verified('md5', keyOf, info.subarray(SALT_BYTES, SALT_BYTES + VERIFIER_BYTES + MD5_BYTES))
}

/** [MS-OFFCRYPTO] 2.3.5. */
function unlockCryptoApi(header: CryptoApiHeader | null, password: string): Decrypt | null {
  if (header === null || !hasCipher(header, 'rc4') || header.algorithm !== RC4) return null
  const keyBytes = header.keyBits / 8
  if (!Number.isInteger(keyBytes) || keyBytes < EXPORT_BYTES || keyBytes > KEY_BYTES_MAX) return null
  const secret = digest('sha1', header.salt, Buffer.from(password, 'utf16le'))
  const keyOf: BlockKey = (block) => {
    const key = digest('sha1', secret, int32(block)).subarray(0, keyBytes)
    // Providers pad only 40-bit keys with zeros.
    return keyBytes === EXPORT_BYTES ? Buffer.concat([key], KEY_BYTES_MAX) : key
  }
  return verified('sha1', keyOf, Buffer.concat([header.verifier, header.verifierHash]))
}

function verified(hash: 'md5' | 'sha1', keyOf: BlockKey, encrypted: Buffer): Decrypt | null {
  const plain = rc4(keyOf(0), encrypted)
  const fits = digest(hash, plain.subarray(0, VERIFIER_BYTES)).equals(plain.subarray(VERIFIER_BYTES))
  return fits ? (stream) => decryptBlocks(keyOf, stream) : null
}

function decryptBlocks(keyOf: BlockKey, stream: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < stream.length; at += BLOCK_BYTES)
    blocks.push(rc4(keyOf(at / BLOCK_BYTES), stream.subarray(at, at + BLOCK_BYTES)))
  return Buffer.concat(blocks)
}

/** Key and verifier that a file stores for the default password. */
const XOR_KEY = 0xb359
const XOR_VERIFIER = 0x9a0a
/** Pads the password to 16 characters. */
const XOR_PADDING = 0xbb

const XOR_MASK = Uint8Array.from([...Buffer.from(DEFAULT_PASSWORD, 'latin1'), XOR_PADDING], (byte, i) =>
  rotateLeft(byte ^ (i % 2 === 0 ? XOR_KEY & 0xff : XOR_KEY >> 8), 2),
)

/** Whether the key and verifier in a FilePass record are those of the default password. */
export function isDefaultXor(info: Buffer): boolean {
  return info.length >= 4 && info.readUInt16LE(0) === XOR_KEY && info.readUInt16LE(2) === XOR_VERIFIER
}

/** Method 1 of [MS-OFFCRYPTO] 2.3.7 as Excel implements it: the mask offset depends on the end of the record. */
export function decryptXor(book: Buffer, from: number, to: number, recordBytes: number): void {
  for (let at = from; at < to; at++) book[at] = rotateLeft(book[at] ?? 0, 3) ^ (XOR_MASK[(at + recordBytes) % 16] ?? 0)
}

function rotateLeft(byte: number, bits: number): number {
  return ((byte << bits) | (byte >> (8 - bits))) & 0xff
}
