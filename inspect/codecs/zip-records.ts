/** Reads the central directory and local headers of a ZIP file. */

import { view } from '#inspect/core/bytes.ts'
import { CENTRAL_SIGNATURE, type EndRecord, endRecords, signed } from './zip-end-record.ts'

const LOCAL_SIGNATURE = 0x04034b50
const LOCAL = Buffer.from('PK\x03\x04', 'latin1')
const WHOLE_16 = 0xffff
const WHOLE_32 = 0xffffffff

export interface CentralEntry {
  name: Uint8Array
  flags: number
  method: number
  crc: number
  packed: number
  unpacked: number
  localAt: number
  /** Unix file mode, where the archive has one. */
  mode: number
  /** Extra fields. */
  extra: Uint8Array
  end: number
}

export interface LocalHeader {
  at: number
  name: Uint8Array
  flags: number
  method: number
  crc: number
  packed: number
  unpacked: number
  extra: Uint8Array
  dataAt: number
}

export interface Directory {
  end: EndRecord
  entries: CentralEntry[]
  /** Description of a fault; `entries` are those before it. */
  fault: string | null
}

/** The directory that readers use, or null without an end record. */
export function readDirectory(source: Uint8Array, entriesMax = Number.POSITIVE_INFINITY): Directory | null {
  const bytes = view(source)
  let first: EndRecord | null = null
  for (const end of endRecords(bytes)) {
    first ??= end
    if (signed(bytes, end.directoryAt, CENTRAL_SIGNATURE)) return readEntries(bytes, end, entriesMax)
  }
  if (first === null) return null
  // An empty archive has nothing before its end record. An empty record after other entries hides them.
  const empty = first.entries === 0 && first.directoryAt === first.directoryEnd
  if (empty && !bytes.subarray(0, first.at).includes(LOCAL)) return readEntries(bytes, first, entriesMax)
  return { end: first, entries: [], fault: 'the end record points to no directory' }
}

function readEntries(bytes: Buffer, end: EndRecord, entriesMax: number): Directory {
  const entries: CentralEntry[] = []
  let at = end.directoryAt
  while (at < end.directoryEnd && entries.length < entriesMax) {
    const entry = centralEntry(bytes, at, end)
    // A digital signature of the directory may follow the entries.
    if (entry === null && entries.length > 0 && signed(bytes, at, 0x05054b50)) break
    if (entry === null) return { end, entries, fault: 'the directory is truncated' }
    entries.push(entry)
    at = entry.end
  }
  const complete = entries.length >= entriesMax || (entries.length & WHOLE_16) === (end.entries & WHOLE_16)
  if (end.split) return { end, entries, fault: 'it is one part of a multi-part archive' }
  return { end, entries, fault: complete ? null : 'the directory declares a different number of entries' }
}

function centralEntry(bytes: Buffer, at: number, directory: EndRecord): CentralEntry | null {
  if (at + 46 > directory.directoryEnd || !signed(bytes, at, CENTRAL_SIGNATURE)) return null
  const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
  const end = extraEnd + bytes.readUInt16LE(at + 32)
  if (end > directory.directoryEnd) return null
  const [unpacked, packed, localAt] = sizes64(bytes.subarray(nameEnd, extraEnd), [
    bytes.readUInt32LE(at + 24),
    bytes.readUInt32LE(at + 20),
    bytes.readUInt32LE(at + 42),
  ])
  return {
    name: bytes.subarray(at + 46, nameEnd),
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    packed,
    unpacked,
    localAt: localAt + directory.base,
    mode: bytes[at + 5] === 3 || bytes[at + 5] === 19 ? bytes.readUInt16LE(at + 40) : 0,
    extra: bytes.subarray(nameEnd, extraEnd),
    end,
  }
}

export function localHeader(source: Uint8Array, at: number): LocalHeader | null {
  const bytes = view(source)
  if (at + 30 > bytes.length || !signed(bytes, at, LOCAL_SIGNATURE)) return null
  const nameEnd = at + 30 + bytes.readUInt16LE(at + 26)
  const dataAt = nameEnd + bytes.readUInt16LE(at + 28)
  if (dataAt > bytes.length) return null
  const plain: Sizes = [bytes.readUInt32LE(at + 22), bytes.readUInt32LE(at + 18), 0]
  const [unpacked, packed] = sizes64(bytes.subarray(nameEnd, dataAt), plain)
  return {
    at,
    name: bytes.subarray(at + 30, nameEnd),
    flags: bytes.readUInt16LE(at + 6),
    method: bytes.readUInt16LE(at + 8),
    crc: bytes.readUInt32LE(at + 14),
    packed,
    unpacked,
    extra: bytes.subarray(nameEnd, dataAt),
    dataAt,
  }
}

type Sizes = [unpacked: number, packed: number, localAt: number]

/** Values over 32 bits are in an extra field, in this order. */
function sizes64(extra: Buffer, sizes: Sizes): Sizes {
  if (!sizes.includes(WHOLE_32)) return sizes
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    let next = 0
    return sizes.map((size) => {
      if (size !== WHOLE_32 || next + 8 > field.length) return size
      next += 8
      return Number(field.readBigUInt64LE(next - 8))
    }) as Sizes
  }
  return sizes
}
