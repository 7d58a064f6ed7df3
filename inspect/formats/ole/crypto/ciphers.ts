/** Ciphers of Office 95 to 2003: RC4 and XOR obfuscation. */

import { rc4 } from '#inspect/core/rc4.ts'
import { type CryptoApiHeader, DIGEST_BYTES, hasCipher, readCryptoApiHeader, SALT_BYTES } from './crypto-api.ts'
import { type Decrypt, digest, int32 } from './default-password.ts'

const VERIFIER_BYTES = 16
const MD5_BYTES = 16
const RC4 = 0x6801
/** 40 bits, once the longest key that could be exported. */
const EXPORT_BYTES = 5
const KEY_BYTES_MAX = 16
const REPEATS = 16

type BlockKey = (block: number) => Buffer

/** Decrypts data with the key of a block. */
export type BlockCipher = (block: number, data: Buffer) => Buffer

/** `info` begins with the version. null: unsupported, or under another password. */
export function unlockRc4(info: Buffer, password: string): BlockCipher | null {
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
function unlockExport(info: Buffer, password: string): BlockCipher | null {
  if (info.length < SALT_BYTES + VERIFIER_BYTES + MD5_BYTES) return null
  const short = digest('md5', Buffer.from(password, 'utf16le')).subarray(0, EXPORT_BYTES)
  const salted = Buffer.concat([short, info.subarray(0, SALT_BYTES)])
  const secret = digest('md5', ...Array<Buffer>(REPEATS).fill(salted)).subarray(0, EXPORT_BYTES)
  const keyOf: BlockKey = (block) => digest('md5', secret, int32(block))
  return verified('md5', keyOf, info.subarray(SALT_BYTES, SALT_BYTES + VERIFIER_BYTES + MD5_BYTES))
}

/** [MS-OFFCRYPTO] 2.3.5. */
function unlockCryptoApi(header: CryptoApiHeader | null, password: string): BlockCipher | null {
  if (header === null || !hasCipher(header, 'rc4') || header.algorithm !== RC4) return null
  // Zero stands for 40 bits.
  const keyBytes = header.keyBits === 0 ? EXPORT_BYTES : header.keyBits / 8
  if (!Number.isInteger(keyBytes) || keyBytes < EXPORT_BYTES || keyBytes > KEY_BYTES_MAX) return null
  const secret = digest('sha1', header.salt, Buffer.from(password, 'utf16le'))
  const keyOf: BlockKey = (block) => {
    const key = digest('sha1', secret, int32(block)).subarray(0, keyBytes)
    // Providers pad only 40-bit keys with zeros.
    return keyBytes === EXPORT_BYTES ? Buffer.concat([key], KEY_BYTES_MAX) : key
  }
  return verified('sha1', keyOf, Buffer.concat([header.verifier, header.verifierHash]))
}

function verified(hash: 'md5' | 'sha1', keyOf: BlockKey, encrypted: Buffer): BlockCipher | null {
  const plain = rc4(keyOf(0), encrypted)
  const fits = digest(hash, plain.subarray(0, VERIFIER_BYTES)).equals(plain.subarray(VERIFIER_BYTES))
  return fits ? (block, data) => rc4(keyOf(block), data) : null
}

/** For streams with a new key every few bytes. */
export function decryptBlocks(decrypt: BlockCipher, stream: Buffer, blockBytes: number): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < stream.length; at += blockBytes)
    blocks.push(decrypt(at / blockBytes, stream.subarray(at, at + blockBytes)))
  return Buffer.concat(blocks)
}

/** Longer passwords cannot be entered. */
const XOR_PASSWORD_MAX = 15
/** Pads the password to 16 characters. */
const XOR_PADDING = Buffer.from('bbffffbaffffb98000be0f00bf0f00', 'hex')

/** Decrypts part of a record in place. */
type XorCipher = (book: Buffer, from: number, to: number, recordBytes: number) => void

/** `info`: key and verifier in the FilePass record. null: the password is wrong. */
export function unlockXor(info: Buffer, password: string): XorCipher | null {
  const letters = Buffer.from(password, 'latin1')
  if (info.length < 4 || letters.length === 0 || letters.length > XOR_PASSWORD_MAX) return null
  if (info.readUInt16LE(0) !== xorKey(letters) || info.readUInt16LE(2) !== xorVerifier(letters)) return null
  const mask = xorMask(letters, 2)
  // Method 1 of [MS-OFFCRYPTO] 2.3.7 as Excel implements it: the mask offset depends on the end of the record.
  return (book, from, to, recordBytes) => {
    for (let at = from; at < to; at++) book[at] = rotateLeft(book[at] ?? 0, 3) ^ (mask[(at + recordBytes) % 16] ?? 0)
  }
}

/** `verifier`: key and verifier in the header of a Word document. null: the password is wrong. */
export function unlockWordXor(verifier: number, password: string): Decrypt | null {
  for (const letters of [lowBytes(password), windowsLetters(password)]) {
    if (letters.length === 0 || verifier >>> 16 !== xorKey(letters)) continue
    if ((verifier & 0xffff) !== xorVerifier(letters)) continue
    const mask = xorMask(letters, 7)
    // Method 2 of [MS-OFFCRYPTO] 2.3.7 leaves bytes as they are that are zero or would become zero.
    return (stream) => Buffer.from(stream.map((byte, at) => (byte === 0 ? 0 : byte ^ (mask[at % 16] ?? 0) || byte)))
  }
  return null
}

function lowBytes(password: string): Buffer {
  const units = Array.from({ length: password.length }, (_, at) => password.charCodeAt(at))
  return Buffer.from(units.map((unit) => unit & 0xff || unit >> 8).slice(0, XOR_PASSWORD_MAX))
}

/** Readers also accept the characters of the Windows code page. */
function windowsLetters(password: string): Buffer {
  const letters = Array.from(password, (letter) => WINDOWS_LETTERS.indexOf(letter))
  return letters.includes(-1) ? Buffer.alloc(0) : Buffer.from(letters.slice(0, XOR_PASSWORD_MAX))
}

const WINDOWS_LETTERS = Array.from(
  new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
)

function xorMask(letters: Buffer, rotation: number): Buffer {
  const key = xorKey(letters)
  const padded = Buffer.concat([letters, XOR_PADDING], 16)
  return Buffer.from(padded.map((byte, at) => rotateLeft(byte ^ ((key >> (at % 2 === 0 ? 0 : 8)) & 0xff), rotation)))
}

const FEEDBACK = 0x1020

/** [MS-OFFCRYPTO] 2.3.7.2. The bits of all characters choose states of a shift register. */
function xorKey(letters: Buffer): number {
  let [key, state, last] = [0, 0x8000, 0xffff]
  const next = (value: number): number => {
    const rotated = ((value << 1) | (value >> 15)) & 0xffff
    return rotated & 1 ? rotated ^ FEEDBACK : rotated
  }
  for (const letter of letters.toReversed())
    for (let bit = 0; bit < 8; bit++) {
      state = next(state)
      last = next(last)
      // The highest bit does not count.
      if (bit < 7 && (letter >> bit) & 1) key ^= state
    }
  return key ^ last
}

/** [MS-OFFCRYPTO] 2.3.7.1. */
function xorVerifier(letters: Buffer): number {
  return letters.reduce((verifier, letter, index) => {
    const bits = (index + 1) % 15
    return verifier ^ (((letter << bits) | (letter >> (15 - bits))) & 0x7fff)
  }, letters.length ^ 0xce4b)
}

function rotateLeft(byte: number, bits: number): number {
  return ((byte << bits) | (byte >> (8 - bits))) & 0xff
}
