/** Writes encrypted presentations of PowerPoint 2003 for tests ([MS-PPT] 2.3.7). */

import { rc4 } from '#inspect/core/rc4.ts'
import { cryptoApiLock, lockProperties } from './xls-lock.ts'

interface SlidesPlan {
  password?: string
  keyBits?: number
  /** Whole records. The number of an object is its place in the list, from 1 on. */
  objects?: readonly Buffer[]
  pictures?: readonly Buffer[]
  properties?: Readonly<Record<string, string>>
  /** The mark of encrypted presentations in the stream Current User. */
  token?: number
  /** The offset of an earlier edit. */
  previous?: number
  /** Changes the offsets in the directory. */
  edit?: (offsets: number[]) => number[]
}

export function pptRecord(head: number, type: number, data: Uint8Array): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt16LE(head, 0)
  header.writeUInt16LE(type, 2)
  header.writeUInt32LE(data.length, 4)
  return Buffer.concat([header, data])
}

/** A picture with one hash and a tag, as the streams have it. */
export function pngRecord(data: string | Uint8Array): Buffer {
  return pptRecord(0x6e0 << 4, 0xf01e, Buffer.concat([Buffer.alloc(16, 7), Buffer.from([0xff]), Buffer.from(data)]))
}

export function lockSlides(plan: SlidesPlan): Record<string, Buffer> {
  const { objects = [], pictures, properties, token = 0xf3d1c4df, previous = 0, edit = (offsets) => offsets } = plan
  const lock = cryptoApiLock(plan)
  const sealed = objects.map((bytes, index) => rc4(lock.keyOf(index + 1), bytes))
  const records = [...sealed, pptRecord(0xf, 0x2f14, lock.header)]
  let end = 0
  const offsets = records.map(({ length }) => {
    end += length
    return end - length
  })
  const count = records.length
  const directory = pptRecord(0, 0x1772, words([count * 2 ** 20 + 1, ...edit(offsets)]))
  const fields = [0, 0x03000000, previous, end, 1, count, 1, count]
  const user = words([0x14, token, end + directory.length, 0, 0])
  return {
    'PowerPoint Document': Buffer.concat([...records, directory, pptRecord(0, 0x0ff5, words(fields))]),
    'Current User': pptRecord(0, 0x0ff6, user),
    ...(pictures && { Pictures: Buffer.concat(pictures.map((picture) => lockPicture(picture, lock.keyOf(0)))) }),
    ...(properties && { EncryptedSummary: lockProperties({ streams: properties }, lock) }),
  }
}

/** The entry of a picture in the list of pictures, with a name and the picture itself. */
export function storeRecord(name: string, picture: Buffer): Buffer {
  const entry = Buffer.alloc(36, 7)
  entry[33] = name.length
  return pptRecord(2, 0xf007, Buffer.concat([entry, Buffer.from(name), picture]))
}

/** Each field is encrypted by itself. */
function lockPicture(picture: Buffer, key: Buffer): Buffer {
  const isEntry = picture.readUInt16LE(2) === 0xf007
  const entryFields = [8, 1, 1, 16, 2, 4, 4, 4, 1, 1, 1, 1, picture[8 + 33] ?? 0]
  const fields = [...(isEntry ? entryFields : []), 8, 16, 1, picture.length]
  let at = 0
  return Buffer.concat(
    fields.map((bytes) => {
      at += bytes
      return rc4(key, picture.subarray(at - bytes, at))
    }),
  )
}

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => {
    bytes.writeUInt32LE(value, index * 4)
  })
  return bytes
}
