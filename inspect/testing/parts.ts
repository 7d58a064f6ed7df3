/** Takes documents apart for random changes: members, streams, records and encoded data, each as what it contains. */

import { deflateRawSync, deflateSync, inflateRawSync, inflateSync } from 'node:zlib'
import { type OleEntry, readCompound } from '#inspect/codecs/compound.ts'
import { decompress, isContainer } from '#inspect/codecs/vba-compression.ts'
import { writeOle } from './ole-writer.ts'
import { pack } from './vba-writer.ts'
import { writeZip } from './zip-writer.ts'

export interface Part {
  /** In its document. */
  bytes: Buffer
  /** Of a leaf: what is changed. A record is changed without its head. */
  content: Buffer
  /** Records can also be repeated, exchanged and left out. */
  kind: 'leaf' | 'parts' | 'records'
  parts: readonly Part[]
  /** With one part replaced, or the list of records changed. */
  write(parts: readonly Buffer[]): Buffer
}

const DEPTH_MAX = 4
/** Streams that `writeOle` can write. */
const OLE_BYTES_MAX = 55_000
const UNPACKED_BYTES_MAX = 200_000

const leaf = (bytes: Buffer): Part => ({
  bytes,
  content: bytes,
  kind: 'leaf',
  parts: [],
  write: ([only]) => only ?? bytes,
})

/** Never throws: what cannot be taken apart is a leaf. */
export function open(bytes: Buffer, name = '', depth = 0): Part {
  if (depth > DEPTH_MAX) return leaf(bytes)
  for (const reader of [openZip, openOle, openBiff, openBinaryParts, openVba, openPdf, openEncoded]) {
    try {
      const opened = reader(bytes, name, depth)
      if (opened !== null) return opened
    } catch {
      // Damaged: the next reader, or a leaf.
    }
  }
  return leaf(bytes)
}

const LOCAL_HEAD = 30

function openZip(bytes: Buffer, _name: string, depth: number): Part | null {
  const members: { name: string; data: Buffer }[] = []
  for (let at = 0; at + LOCAL_HEAD <= bytes.length && bytes.readUInt32LE(at) === 0x04034b50; ) {
    const size = bytes.readUInt32LE(at + 18)
    const nameEnd = at + LOCAL_HEAD + bytes.readUInt16LE(at + 26)
    const start = nameEnd + bytes.readUInt16LE(at + 28)
    const isStreamed = (bytes.readUInt16LE(at + 6) & 8) !== 0
    if (isStreamed || start + size > bytes.length) return null
    const packed = bytes.subarray(start, start + size)
    const isDeflated = bytes.readUInt16LE(at + 8) === 8
    const data = isDeflated ? inflateRawSync(packed, { maxOutputLength: UNPACKED_BYTES_MAX }) : packed
    members.push({ name: bytes.toString('utf8', at + LOCAL_HEAD, nameEnd), data })
    at = start + size
  }
  if (members.length === 0) return null
  const entries = members.map(({ name, data }) => ({ name, data, packed: deflateRawSync(data) }))
  return {
    bytes,
    content: bytes,
    kind: 'parts',
    parts: members.map(({ name, data }) => open(data, name, depth + 1)),
    write: (parts) =>
      writeZip(
        entries.map((entry, i) =>
          parts[i] === entry.data ? entry : { name: entry.name, data: parts[i] ?? entry.data, method: 'stored' },
        ),
      ),
  }
}

function pathOf(entry: OleEntry): string {
  return entry.parent === null || entry.parent.root ? entry.name : `${pathOf(entry.parent)}/${entry.name}`
}

function openOle(bytes: Buffer, _name: string, depth: number): Part | null {
  if (bytes.length < 512 || bytes.readUInt32LE(0) !== 0xe011cfd0) return null
  const compound = readCompound(bytes)
  if (compound === null) return null
  const entries = compound.entries.filter(({ root }) => !root)
  const names = entries.filter(({ storage }) => !storage)
  const streams = names.map((entry) => Buffer.from(compound.read(entry).bytes))
  const padded = streams.reduce((sum, { length }) => sum + length + 512, 0)
  if (padded + entries.length * 128 > OLE_BYTES_MAX) return null
  const storages = entries.filter(({ storage }) => storage).map((entry) => `${pathOf(entry)}#${entry.clsid}`)
  const clsid = compound.entries.find(({ root }) => root)?.clsid ?? ''
  return {
    bytes,
    content: bytes,
    kind: 'parts',
    parts: streams.map((stream, i) => open(stream, names[i]?.name, depth + 1)),
    write: (parts) =>
      parts.reduce((sum, { length }) => sum + length + 512, 0) + entries.length * 128 > OLE_BYTES_MAX + 4_000
        ? bytes
        : writeOle({
            streams: Object.fromEntries(names.map((entry, i) => [pathOf(entry), parts[i] ?? Buffer.alloc(0)])),
            storages,
            clsid,
          }),
  }
}

function openBiff(bytes: Buffer, name: string): Part | null {
  if (!/^(?:Workbook|Book)$/.test(name)) return null
  const records: Buffer[] = []
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt16LE(at + 2)
    records.push(bytes.subarray(at, end))
    at = end
  }
  return recordsOf(bytes, records, 4, (head, data) => {
    const written = Buffer.concat([head, data.subarray(0, 0xffff)])
    written.writeUInt16LE(Math.min(0xffff, data.length), 2)
    return written
  })
}

/** Parts of xlsb: type and size take one to two and one to four bytes, of seven bits each. */
function openBinaryParts(bytes: Buffer, name: string): Part | null {
  if (!/^xl\/.*\.bin$/.test(name) || /vbaProject/.test(name)) return null
  const records: Buffer[] = []
  const heads: number[] = []
  for (let at = 0; at < bytes.length; ) {
    let next = at + ((bytes[at] ?? 0) > 127 ? 2 : 1)
    let size = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[next++] ?? 0
      size |= (byte & 127) << shift
      if (byte < 128) break
    }
    heads.push(next - at)
    records.push(bytes.subarray(at, next + size))
    at = next + size
  }
  return {
    bytes,
    content: bytes,
    kind: 'records',
    parts: records.map((record, i) => ({
      ...leaf(record),
      content: record.subarray(heads[i]),
      write: ([data]) => Buffer.concat([sized(record, data?.length ?? 0), data ?? Buffer.alloc(0)]),
    })),
    write: (parts) => Buffer.concat(parts),
  }
}

function sized(record: Buffer, length: number): Buffer {
  const head = [...record.subarray(0, (record[0] ?? 0) > 127 ? 2 : 1)]
  for (let left = length; ; left >>= 7) {
    head.push(left > 127 ? (left & 127) | 128 : left)
    if (left <= 127) return Buffer.from(head)
  }
}

function recordsOf(
  bytes: Buffer,
  records: readonly Buffer[],
  headBytes: number,
  write: (head: Buffer, data: Buffer) => Buffer,
): Part {
  const parts = records.map((record) => ({
    ...leaf(record),
    content: record.subarray(headBytes),
    write: ([data]: readonly Buffer[]) => write(record.subarray(0, headBytes), data ?? Buffer.alloc(0)),
  }))
  return { bytes, content: bytes, kind: 'records', parts, write: (changed) => Buffer.concat(changed) }
}

/** A stream of a VBA project: compiled code, then packed source. */
function openVba(bytes: Buffer, name: string): Part | null {
  for (let at = 0; at < bytes.length; at++) {
    if (!isContainer(bytes, at)) continue
    const unpacked = decompress(bytes, at, UNPACKED_BYTES_MAX)
    const isSource = unpacked !== null && (name === 'dir' || unpacked.bytes.subarray(0, 12).includes('Attribut'))
    if (!isSource || unpacked.broken) continue
    const compiled = bytes.subarray(0, at)
    return {
      bytes,
      content: bytes,
      kind: 'parts',
      parts: at === 0 ? [leaf(unpacked.bytes)] : [leaf(unpacked.bytes), leaf(compiled)],
      write: ([source, code]) => Buffer.concat([code ?? compiled, pack(source ?? unpacked.bytes)]),
    }
  }
  return null
}

const PDF_STREAM = /stream\r?\n/g

/** Streams with Flate only; what is between them is a part too. */
function openPdf(bytes: Buffer): Part | null {
  if (!bytes.subarray(0, 1024).includes('%PDF')) return null
  return split(bytes, function* () {
    for (const { index, 0: word } of bytes.toString('latin1').matchAll(PDF_STREAM)) {
      const start = index + word.length
      const end = bytes.indexOf('endstream', start)
      if (end === -1 || bytes.subarray(index - 3, index).toString() === 'end') continue
      const unpacked = inflateOrNull(bytes.subarray(start, end))
      if (unpacked !== null) yield { start, end, part: leaf(unpacked), encode: (data) => deflateSync(data) }
    }
  })
}

function inflateOrNull(packed: Buffer): Buffer | null {
  try {
    return inflateSync(packed, { maxOutputLength: UNPACKED_BYTES_MAX })
  } catch {
    return null
  }
}

const ENCODED = /[A-Za-z0-9+/]{48,}(?:\r?\n[A-Za-z0-9+/]{2,})*={0,2}/g
const HEX = /^[0-9a-f\s]+$/i

/** Base64 and hexadecimal data of texts. */
function openEncoded(bytes: Buffer, _name: string, depth: number): Part | null {
  return split(bytes, function* () {
    for (const { index, 0: text } of bytes.toString('latin1').matchAll(ENCODED)) {
      const encoding = HEX.test(text) ? 'hex' : 'base64'
      const data = Buffer.from(encoding === 'hex' ? text.replace(/\s/g, '') : text, encoding)
      const part = open(data, '', depth + 1)
      yield {
        start: index,
        end: index + text.length,
        part,
        encode: (changed) => Buffer.from(changed.toString(encoding)),
      }
    }
  })
}

interface Encoded {
  start: number
  end: number
  part: Part
  encode: (data: Buffer) => Buffer
}

function split(bytes: Buffer, find: () => Generator<Encoded>): Part | null {
  const parts: Part[] = []
  const encoders: ((data: Buffer) => Buffer)[] = []
  let from = 0
  const addPlain = (to: number) => {
    parts.push(leaf(bytes.subarray(from, to)))
    encoders.push((data) => data)
  }
  for (const { start, end, part, encode } of find()) {
    addPlain(start)
    const original = bytes.subarray(start, end)
    parts.push(part)
    encoders.push((data) => (data === part.bytes ? original : encode(data)))
    from = end
  }
  if (parts.length === 0) return null
  addPlain(bytes.length)
  const write = (data: readonly Buffer[]) => Buffer.concat(data.map((one, i) => encoders[i]?.(one) ?? one))
  return { bytes, content: bytes, kind: 'parts', parts, write }
}
