/** Unpacks tar archives. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'
import { charge } from '#inspect/core/work.ts'
import { BLOCK, hasChecksum, isHeader, isTar, readSizes } from '#inspect/detect/tar.ts'

const EMPTY = Buffer.alloc(BLOCK)

/** Bytes of extended headers that are read. Programs write a few hundred. */
export const PAX_BYTES_MAX = 1_048_576

const SPARSE = 'It contains a sparse file, which is not reassembled.'
const CONTRADICTORY = 'The tar archive declares two sizes for a file.'

/** Work for each byte that is searched for a header. */
const SEARCH_WORK = 4

const EXTENDED = new Set(['x', 'X', 'g'])

/** Values of extended headers that change how the next entry is read. */
interface Extended {
  /** NaN: readers disagree. */
  size: number | null
  sparse: boolean
}

const NONE: Extended = { size: null, sparse: false }

interface Headers {
  /** For all entries that follow. */
  global: Extended
  /** For the next entry. */
  next: Extended
}

export const tar: Format = {
  // The oldest archives have no signature, and a signature inside another document is not enough.
  applies: ({ bytes, sniffed }) => isTar(bytes) || sniffed.type === 'application/x-tar',
  analyse(item, context) {
    const headers: Headers = { global: NONE, next: NONE }
    let at = 0
    let ended = false
    while (at + BLOCK <= item.bytes.length) {
      if (isEmpty(item.bytes, at)) {
        // End of the archive, but some readers continue after it.
        ended = true
        at += BLOCK
        continue
      }
      if (ended && !isHeader(item.bytes, at)) {
        inspectRest(item, at, context)
        return
      }
      if (!context.countEntry(item)) return
      const next = entry(item, at, headers, context)
      if (next === null) return
      at = next
    }
  },
}

/** Other data after the end. Some readers search it for the next header. */
function inspectRest(item: Item, at: number, context: Context): void {
  const rest = item.bytes.subarray(at)
  charge(rest.length * SEARCH_WORK)
  let next = 0
  while (next + BLOCK <= rest.length && !isHeader(rest, next)) next += BLOCK
  if (next + BLOCK <= rest.length) context.addObstacle(item, 'damaged', 'The tar archive continues after other data.')
  if (context.chargeBytes(item, rest.length, 'archive')) context.inspectMember(item, '(rest)', rest)
}

function isEmpty(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0 && EMPTY.equals(bytes.subarray(at, at + BLOCK))
}

function entry(item: Item, at: number, headers: Headers, context: Context): number | null {
  const header = view(item.bytes.subarray(at, at + BLOCK))
  const sizes = readSizes(header)
  if (!hasChecksum(header) || sizes.length === 0) {
    context.addObstacle(item, 'damaged', 'The tar archive has an invalid header.')
    return null
  }
  const type = String.fromCharCode(header[156] ?? 0)
  const { size, sparse } = extendedOf(type, headers)
  const stated = Math.max(...sizes)
  const start = at + BLOCK
  const next = size || stated
  const end = start + Math.max(stated, next)
  if (end > item.bytes.length) context.addObstacle(item, 'damaged', 'The tar archive is truncated.')
  // Readers disagree which size counts, and continue at different offsets.
  if (sizes.length > 1 || (size !== null && size !== stated)) context.addObstacle(item, 'too_complex', CONTRADICTORY)
  if (sparse || type === 'S') context.addObstacle(item, 'too_complex', SPARSE)
  const bytes = item.bytes.subarray(start, end)
  if (!context.chargeBytes(item, bytes.length, 'archive')) return null
  if (EXTENDED.has(type)) extend(item, headers, type === 'g' ? 'global' : 'next', bytes, context)
  if (bytes.length > 0) context.inspectMember(item, safeName(decodeName(untilNul(header.subarray(0, 100)))), bytes)
  return start + Math.ceil(next / BLOCK) * BLOCK
}

function extend(item: Item, headers: Headers, scope: keyof Headers, bytes: Uint8Array, context: Context): void {
  if (bytes.length > PAX_BYTES_MAX)
    context.addObstacle(item, 'too_complex', 'The tar archive has an oversized extended header.')
  headers[scope] = { ...headers[scope], ...readExtended(bytes) }
}

/** Headers before headers, such as long names, do not use up the values for the next file. */
function extendedOf(type: string, headers: Headers): Extended {
  if (EXTENDED.has(type) || type === 'L' || type === 'K') return NONE
  const { global, next } = headers
  headers.next = NONE
  return { size: next.size ?? global.size, sparse: next.sparse || global.sparse }
}

/** Records of a length, a name and a value. The last one of a name counts. */
function readExtended(bytes: Uint8Array): Partial<Extended> {
  const text = view(bytes.subarray(0, PAX_BYTES_MAX)).toString('latin1')
  const sizes = [...text.matchAll(/(?<!\d)(\d+)[ \t]+size=/g)]
  const values = sizes.map((record) => sizeOf(text, record))
  const size = values.some(Number.isNaN) ? Number.NaN : values.at(-1)
  const extended: Partial<Extended> = size === undefined ? {} : { size }
  return /\d (?:GNU\.sparse\.|SCHILY\.(?:offset|realsize)|SUN\.holesdata)/.test(text)
    ? { ...extended, sparse: true }
    : extended
}

/** Some readers accept more than digits, and read up to the length or up to the end of the line. */
function sizeOf(text: string, record: RegExpExecArray): number {
  const value = text.slice(record.index + record[0].length, record.index + Number(record[1]))
  return /^\d+\n$/.test(value) ? Number(value) : Number.NaN
}

function untilNul(field: Buffer): Buffer {
  const end = field.indexOf(0)
  return end === -1 ? field : field.subarray(0, end)
}
