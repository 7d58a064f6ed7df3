/** RC4 in workbooks ([MS-OFFCRYPTO] 2.3.5 and 2.3.6): a new key for every 1,024 bytes of the stream. */

import { rc4 } from '#inspect/core/rc4.ts'
import { type CryptoApiHeader, DIGEST_BYTES, hasCipher, readCryptoApiHeader, SALT_BYTES } from './crypto-api.ts'
import { DEFAULT_PASSWORD, type Decrypt, digest, int32 } from './default-password.ts'

const BLOCK_BYTES = 1024
const VERIFIER_BYTES = 16
const MD5_BYTES = 16
const RC4 = 0x6801
/** As much of a digest as exports were once allowed to have for a key. */
const EXPORT_BYTES = 5
const KEY_BYTES_MAX = 16
const REPEATS = 16

type KeyOf = (block: number) => Buffer

/** `info` is the record FilePass behind its type. null: not one that we open, or the default password does not fit. */
export function openRc4(info: Buffer): Decrypt | null {
  if (info.length < 4) return null
  const major = info.readUInt16LE(0)
  const minor = info.readUInt16LE(2)
  const behind = info.subarray(4)
  if (major === 1 && minor === 1) return openExport(behind)
  if (major >= 2 && major <= 4 && minor === 2) return openCryptoApi(readCryptoApiHeader(behind, DIGEST_BYTES))
  return null
}

function openExport(info: Buffer): Decrypt | null {
  if (info.length < SALT_BYTES + VERIFIER_BYTES + MD5_BYTES) return null
  const short = digest('md5', Buffer.from(DEFAULT_PASSWORD, 'utf16le')).subarray(0, EXPORT_BYTES)
  const one = Buffer.concat([short, info.subarray(0, SALT_BYTES)])
  const secret = digest('md5', ...Array<Buffer>(REPEATS).fill(one)).subarray(0, EXPORT_BYTES)
  const keyOf: KeyOf = (block) => digest('md5', secret, int32(block))
  return checked('md5', keyOf, info.subarray(SALT_BYTES, SALT_BYTES + VERIFIER_BYTES + MD5_BYTES))
}

function openCryptoApi(header: CryptoApiHeader | null): Decrypt | null {
  if (header === null || !hasCipher(header, 'rc4') || header.algorithm !== RC4) return null
  const keyBytes = header.keyBits / 8
  if (!Number.isInteger(keyBytes) || keyBytes < EXPORT_BYTES || keyBytes > KEY_BYTES_MAX) return null
  const secret = digest('sha1', header.salt, Buffer.from(DEFAULT_PASSWORD, 'utf16le'))
  const keyOf: KeyOf = (block) => {
    const key = digest('sha1', secret, int32(block)).subarray(0, keyBytes)
    // Providers fill up the shortest key with zeros, and no other.
    return keyBytes === EXPORT_BYTES ? Buffer.concat([key], KEY_BYTES_MAX) : key
  }
  return checked('sha1', keyOf, Buffer.concat([header.verifier, header.verifierHash]))
}

function checked(hash: 'md5' | 'sha1', keyOf: KeyOf, sealed: Buffer): Decrypt | null {
  const open = rc4(keyOf(0), sealed)
  const fits = digest(hash, open.subarray(0, VERIFIER_BYTES)).equals(open.subarray(VERIFIER_BYTES))
  return fits ? (stream) => decryptBlocks(keyOf, stream) : null
}

function decryptBlocks(keyOf: KeyOf, stream: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < stream.length; at += BLOCK_BYTES)
    blocks.push(rc4(keyOf(at / BLOCK_BYTES), stream.subarray(at, at + BLOCK_BYTES)))
  return Buffer.concat(blocks)
}
