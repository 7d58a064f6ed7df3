/** The pictures of an encrypted presentation. Every field is encrypted by itself, with the key of block zero ([MS-PPT] 2.3.7). */

import { charge } from '#inspect/core/work.ts'
import type { BlockCipher } from './ciphers.ts'

const HEADER_BYTES = 8
/** A picture with an entry of the list of pictures before it ([MS-ODRAW] 2.2.32). */
const STORE_ENTRY = 0xf007
const STORE_FIELDS = [1, 1, 16, 2, 4, 4, 4, 1, 1, 1, 1]
const NAME_BYTES_AT = 33
const HASH_BYTES = 16
/** Instances with two hashes. */
const WITH_SECOND_HASH = new Set([0x217, 0x3d5, 0x46b, 0x543, 0x6e1, 0x6e3, 0x6e5, 0x7a9])
const METAFILES = new Set([0xf01a, 0xf01b, 0xf01c])
const METAFILE_HEADER_BYTES = 34
const FIELD_WORK = 5_000
/** Work for each byte that is decrypted. */
const BYTE_WORK = 10

/** Decrypts a field and returns its end. */
type Field = (at: number, bytes: number) => number

/** null: the stream has other records, or one that ends after it. */
export function decryptPictures(stored: Buffer, decrypt: BlockCipher): Buffer | null {
  const plain = Buffer.from(stored)
  const field: Field = (at, bytes) => {
    charge(FIELD_WORK + bytes * BYTE_WORK)
    decrypt(0, stored.subarray(at, at + bytes)).copy(plain, at)
    return at + bytes
  }
  for (let at = 0; at < stored.length; ) {
    if (at + HEADER_BYTES > stored.length) return null
    const next = field(at, HEADER_BYTES)
    const end = next + plain.readUInt32LE(at + 4)
    if (end > stored.length) return null
    const blipAt = plain.readUInt16LE(at + 2) === STORE_ENTRY ? decryptEntry(plain, next, field) : at
    if (blipAt + HEADER_BYTES < end) decryptBlip(plain, blipAt, end, field)
    at = end
  }
  return plain
}

/** Returns the offset of the picture after the entry. */
function decryptEntry(plain: Buffer, from: number, field: Field): number {
  const end = STORE_FIELDS.reduce(field, from)
  const nameBytes = plain[from + NAME_BYTES_AT] ?? 0
  return nameBytes > 0 ? field(end, nameBytes) : end
}

function decryptBlip(plain: Buffer, from: number, end: number, field: Field): void {
  let at = field(from, HEADER_BYTES)
  const take = (bytes: number): void => {
    if (at < end) at = field(at, Math.min(bytes, end - at))
  }
  take(HASH_BYTES)
  if (WITH_SECOND_HASH.has(plain.readUInt16LE(from) >> 4)) take(HASH_BYTES)
  take(METAFILES.has(plain.readUInt16LE(from + 2)) ? METAFILE_HEADER_BYTES : 1)
  take(end - at)
}
