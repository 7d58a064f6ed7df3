/** The property streams of documents under CryptoAPI, which are encrypted in one stream ([MS-OFFCRYPTO] 2.3.5.4). */

import { charge } from '#inspect/core/work.ts'
import type { BlockCipher } from './ciphers.ts'

/** PowerPoint has another name for it than Word and Excel. */
export const PROPERTIES = { office: 'encryption', slides: 'encryptedsummary' }

/** Office writes two. */
export const STREAMS_MAX = 64
/** Bytes of the list. A name has at most 31 characters in a compound file. */
const LIST_BYTES_MAX = 4 + STREAMS_MAX * (16 + 256 * 2)
const DESCRIPTOR_BYTES = 16
const IS_STREAM = 1
/** Work for each byte that is decrypted. */
const BYTE_WORK = 10

interface PropertyStream {
  name: string
  size: number
  read(): Buffer
}

/** null: the list is unreadable, has something other than streams, or the cipher is another. */
export function decryptProperties(stored: Buffer, decrypt: BlockCipher): PropertyStream[] | null {
  if (stored.length < 8) return null
  const listAt = decrypt(0, stored.subarray(0, 4)).readUInt32LE(0)
  const list = decrypt(0, stored.subarray(listAt, listAt + LIST_BYTES_MAX))
  const count = list.length < 4 ? 0 : list.readUInt32LE(0)
  if (count === 0 || count > STREAMS_MAX) return null
  const streams: PropertyStream[] = []
  for (let at = 4; streams.length < count; ) {
    if (at + DESCRIPTOR_BYTES > list.length) return null
    const from = list.readUInt32LE(at)
    const size = list.readUInt32LE(at + 4)
    const block = list.readUInt16LE(at + 8)
    const nameAt = at + DESCRIPTOR_BYTES
    const nameBytes = (list[at + 10] ?? 0) * 2
    const isStream = ((list[at + 11] ?? 0) & IS_STREAM) === IS_STREAM
    if (!isStream || from + size > stored.length || nameAt + nameBytes > list.length) return null
    streams.push({
      name: list.toString('utf16le', nameAt, nameAt + nameBytes),
      size,
      read() {
        charge(size * BYTE_WORK)
        return decrypt(block, stored.subarray(from, from + size))
      },
    })
    at = nameAt + nameBytes + 2
  }
  return streams
}
