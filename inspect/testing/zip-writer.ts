/** Writes ZIP archives for tests, correct or faulty. */

import { crc32, deflateRawSync } from 'node:zlib'

export interface EntryPlan {
  name: string
  data?: Uint8Array | string
  method?: 'stored' | 'deflated'
  /** Header fields, if wrong. */
  local?: Partial<Fields>
  central?: Partial<Fields>
  /** Not in the directory. */
  unlisted?: boolean
  /** Index of an earlier entry whose local header is shared. */
  sharesWith?: number
  /** Sizes after the data. */
  streamed?: boolean
  mode?: number
  /** Compressed data, used instead of compressing `data`. */
  packed?: Uint8Array
}

interface Fields {
  name: string
  flags: number
  method: number
  crc: number
  packed: number
  unpacked: number
  at: number
  extra?: Uint8Array
}

export interface ArchivePlan {
  before?: Uint8Array
  after?: Uint8Array
  comment?: Uint8Array
  /** Changes of the end record. */
  end?: { entries?: number; offset?: number; size?: number }
  withoutEnd?: boolean
  zip64?: boolean
}

export function writeZip(entries: readonly EntryPlan[], plan: ArchivePlan = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const offsets: number[] = []
  let at = 0
  for (const entry of entries) {
    const { fields, data } = truth(entry, at)
    const shared = entry.sharesWith === undefined ? undefined : offsets[entry.sharesWith]
    const written = shared === undefined ? record(entry, fields, data) : Buffer.alloc(0)
    parts.push(written)
    offsets.push(shared ?? at)
    at += written.length
    if (entry.unlisted) continue
    const listed = { ...fields, at: shared ?? fields.at, ...entry.central }
    directory.push(centralHeader(listed, entry.mode ?? 0, plan.zip64 ?? false))
  }
  const { before = new Uint8Array(), after = new Uint8Array() } = plan
  return Buffer.concat([before, ...parts, ...directory, ends(directory, at, plan), after])
}

function record(entry: EntryPlan, fields: Fields, data: Buffer): Buffer {
  const local = entry.streamed ? { ...fields, crc: 0, packed: 0, unpacked: 0 } : fields
  const behind = entry.streamed ? [descriptor(fields)] : []
  return Buffer.concat([localHeader({ ...local, ...entry.local }), data, ...behind])
}

function ends(directory: readonly Buffer[], at: number, plan: ArchivePlan): Buffer {
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = { entries: directory.length, offset: at, size, ...plan.end }
  const records = plan.zip64 ? [end64(end, at + size)] : []
  if (!plan.withoutEnd) records.push(endRecord(end, plan.comment ?? new Uint8Array(), plan.zip64 ?? false))
  return Buffer.concat(records)
}

function truth(entry: EntryPlan, at: number): { fields: Fields; data: Buffer } {
  const content = Buffer.from(entry.data ?? '')
  const deflated = (entry.method ?? 'deflated') === 'deflated'
  const data = entry.packed ? Buffer.from(entry.packed) : deflated ? deflateRawSync(content) : content
  const flags = entry.streamed ? 8 : 0
  const sizes = { crc: crc32(content), packed: data.length, unpacked: content.length }
  return { fields: { name: entry.name, flags, method: deflated ? 8 : 0, ...sizes, at }, data }
}

function localHeader({ name, flags, method, crc, packed, unpacked, extra = Buffer.alloc(0) }: Fields): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(packed, 18)
  header.writeUInt32LE(unpacked, 22)
  header.writeUInt16LE(Buffer.byteLength(name), 26)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, Buffer.from(name), extra])
}

function descriptor({ crc, packed, unpacked }: Fields): Buffer {
  const record = Buffer.from('PK\x07\x08            ', 'latin1')
  record.writeUInt32LE(crc, 4)
  record.writeUInt32LE(packed, 8)
  record.writeUInt32LE(unpacked, 12)
  return record
}

function centralHeader(fields: Fields, mode: number, zip64: boolean): Buffer {
  const header = Buffer.alloc(46)
  const large = zip64 ? 0xffffffff : null
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(mode === 0 ? 20 : (3 << 8) | 20, 4)
  header.writeUInt16LE(20, 6)
  header.writeUInt16LE(fields.flags, 8)
  header.writeUInt16LE(fields.method, 10)
  header.writeUInt32LE(fields.crc, 16)
  header.writeUInt32LE(large ?? fields.packed, 20)
  header.writeUInt32LE(large ?? fields.unpacked, 24)
  header.writeUInt16LE(Buffer.byteLength(fields.name), 28)
  const extra = Buffer.concat([...(zip64 ? [extra64(fields)] : []), fields.extra ?? Buffer.alloc(0)])
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt16LE(mode, 40)
  header.writeUInt32LE(large ?? fields.at, 42)
  return Buffer.concat([header, Buffer.from(fields.name), extra])
}

function extra64({ unpacked, packed, at }: Fields): Buffer {
  const extra = Buffer.alloc(28)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  for (const [i, value] of [unpacked, packed, at].entries()) extra.writeBigUInt64LE(BigInt(value), 4 + i * 8)
  return extra
}

interface End {
  entries: number
  offset: number
  size: number
}

function endRecord({ entries, offset, size }: End, comment: Uint8Array, zip64: boolean): Buffer {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(zip64 ? 0xffff : entries & 0xffff, 8)
  record.writeUInt16LE(zip64 ? 0xffff : entries & 0xffff, 10)
  record.writeUInt32LE(zip64 ? 0xffffffff : size, 12)
  record.writeUInt32LE(zip64 ? 0xffffffff : offset, 16)
  record.writeUInt16LE(comment.length, 20)
  return Buffer.concat([record, comment])
}

function end64({ entries, offset, size }: End, at: number): Buffer {
  const record = Buffer.alloc(56 + 20)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  for (const [i, value] of [entries, entries, size, offset].entries())
    record.writeBigUInt64LE(BigInt(value), 24 + i * 8)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(at), 64)
  record.writeUInt32LE(1, 72)
  return record
}
