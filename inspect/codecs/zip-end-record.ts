/** The end record of a ZIP file, which locates its directory. */

export const CENTRAL_SIGNATURE = 0x02014b50
const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1')
const END64_SIGNATURE = 0x06064b50
const LOCATOR64_SIGNATURE = 0x07064b50
const END_BYTES = 22
const COMMENT_MAX = 65_535

export interface EndRecord {
  at: number
  /** First byte after the record and its comment. */
  end: number
  entries: number
  directoryAt: number
  directoryEnd: number
  /** Bytes before the archive, to be added to its offsets. */
  base: number
  /** Parts of the archive are in other files. */
  split: boolean
}

export function signed(bytes: Buffer, at: number, signature: number): boolean {
  return at >= 0 && at + 4 <= bytes.length && bytes.readUInt32LE(at) === signature
}

/** All end records in the last 65,557 bytes, the last one first. */
export function* endRecords(bytes: Buffer): Generator<EndRecord> {
  const lowest = Math.max(0, bytes.length - END_BYTES - COMMENT_MAX)
  const tail = bytes.subarray(lowest)
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    at = tail.lastIndexOf(END_SIGNATURE, at)
    if (at === -1) return
    yield endRecord(bytes, lowest + at)
  }
}

function endRecord(bytes: Buffer, at: number): EndRecord {
  let entries = bytes.readUInt16LE(at + 10)
  let size = bytes.readUInt32LE(at + 12)
  let offset = bytes.readUInt32LE(at + 16)
  let split = bytes.readUInt16LE(at + 4) !== bytes.readUInt16LE(at + 6) || bytes.readUInt16LE(at + 8) !== entries
  let behindDirectory = at
  const at64 = end64At(bytes, at)
  if (at64 !== null) {
    entries = Number(bytes.readBigUInt64LE(at64 + 32))
    size = Number(bytes.readBigUInt64LE(at64 + 40))
    offset = Number(bytes.readBigUInt64LE(at64 + 48))
    split = bytes.readUInt32LE(at64 + 16) !== bytes.readUInt32LE(at64 + 20)
    behindDirectory = at64
  }
  const base = directoryBase(bytes, offset, behindDirectory - size - offset, entries)
  return {
    at,
    end: Math.min(bytes.length, at + END_BYTES + bytes.readUInt16LE(at + 20)),
    entries,
    directoryAt: base + offset,
    directoryEnd: behindDirectory,
    base,
    split,
  }
}

/** With bytes between directory and end record, as some programs write, offsets count from the start of the file. */
function directoryBase(bytes: Buffer, offset: number, base: number, entries: number): number {
  if (base <= 0) return 0
  if (entries > 0 && !signed(bytes, base + offset, CENTRAL_SIGNATURE) && signed(bytes, offset, CENTRAL_SIGNATURE))
    return 0
  return base
}

function end64At(bytes: Buffer, endAt: number): number | null {
  const locator = endAt - 20
  if (!signed(bytes, locator, LOCATOR64_SIGNATURE)) return null
  const named = Number(bytes.readBigUInt64LE(locator + 8))
  for (const at of [named, locator - 56]) {
    if (at + 56 <= locator && signed(bytes, at, END64_SIGNATURE)) return at
  }
  return null
}
