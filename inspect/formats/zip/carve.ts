/** Carves archive entries that no directory lists, by their local headers. */

import { ZIP } from '#inspect/catalogue/zip.ts'
import { type LocalHeader, localHeader } from '#inspect/codecs/zip-records.ts'
import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'
import { charge } from '#inspect/core/work.ts'
import { isFragmented } from '#inspect/detect/fragmented.ts'
import { isOle2, pdfHeaderAt } from '#inspect/detect/sniff.ts'
import { isEncrypted, isStreamed } from './entries.ts'
import type { Range } from './ranges.ts'
import { METHODS, STORED, type Unpacked, unpack } from './unpack.ts'
import { inspectUnterminated } from './unterminated.ts'

const SIGNATURE = Buffer.from('PK\x03\x04', 'latin1')
export const LOCAL_HEADER = mark(['PK\x03\x04'], { fits: isPlausible })
const METHOD_MAX = 99
/** Work for each signature. */
const CANDIDATE_WORK = 400
/** A checksum and two sizes of eight bytes, all zero. Longer sequences are data. */
const DESCRIPTOR_BYTES_MAX = 20

/** `isUnlisted`: the archive has a valid directory, so entries outside it are reported. */
export function carve(item: Item, ranges: readonly Range[], context: Context, isUnlisted: boolean): void {
  for (const range of ranges) {
    let from = range.start
    for (let local = next(item.bytes, range, from); local !== null; local = next(item.bytes, range, from)) {
      if (!context.countEntry(item)) return
      const name = safeName(decodeName(local.name))
      if (isUnlisted) context.addFinding(item, { ...ZIP.unlisted, detail: null, path: [...item.path, name] })
      from = inspectEntry(item, local, name, range.end, context)
    }
  }
}

/**
 * Whether the bytes contain an entry although they end without a directory: some programs search from the beginning. Not
 * for compound files, whose sectors are in any order; their streams are inspected instead.
 */
export function holdsEntry(item: Item): boolean {
  const { bytes } = item
  if (!item.has(LOCAL_HEADER) || isOle2(bytes)) return false
  const whole = { start: 0, end: bytes.length }
  for (let local = next(bytes, whole, 0); local !== null; local = next(bytes, whole, local.at + 1))
    if (METHODS.has(local.method)) return true
  return false
}

/** The next local header in a range. */
function next(bytes: Uint8Array, range: Range, from: number): LocalHeader | null {
  for (let at = find(bytes, range, from); at !== -1; at = find(bytes, range, at + 1)) {
    charge(CANDIDATE_WORK)
    const local = isPlausible(bytes, at) ? localHeader(bytes, at) : null
    if (local !== null && local.dataAt <= range.end) return local
  }
  return null
}

function find(bytes: Uint8Array, { end }: Range, from: number): number {
  return view(bytes.subarray(0, end)).indexOf(SIGNATURE, from)
}

/** Four bytes match by chance, so the method must be valid. Some readers ignore every other field. */
function isPlausible(bytes: Uint8Array, at: number): boolean {
  return (bytes[at + 8] ?? 0) <= METHOD_MAX && bytes[at + 9] === 0
}

/** In a PDF, headers of deflate blocks interrupt the data of attached archives. The attachments are inspected apart. */
export function isInterrupted(item: Item): boolean {
  return isFragmented(item) || pdfHeaderAt(item.bytes) === 0
}

/** Inspects one entry and returns the offset to continue at. */
function inspectEntry(item: Item, local: LocalHeader, name: string, end: number, context: Context): number {
  const path = [...item.path, name]
  const sized = !isStreamed(local) && local.dataAt + local.packed <= end
  const dataEnd = sized ? local.dataAt + local.packed : end
  if (isEncrypted(local)) {
    context.addObstacle(item, 'encrypted', 'An entry is encrypted.', path)
    return sized ? dataEnd : local.dataAt
  }
  if (dataEnd === local.dataAt) return dataEnd
  const packed = item.bytes.subarray(local.dataAt, dataEnd)
  if (!sized && local.method === STORED) {
    inspectUnterminated(item, packed, name, context)
    return local.dataAt
  }
  const unpacked = unpack(
    packed,
    { ...local, unpacked: sized ? local.unpacked : null },
    context.budget.remaining(),
    context.limits,
  )
  context.budget.spend(unpacked.cost, 'archive')
  const bytes = unpacked.bytes?.length === 0 ? null : unpacked.bytes
  inspectUnpacked(item, { ...unpacked, bytes }, name, !isInterrupted(item), context)
  // If its end is unreliable, its data may contain other entries.
  return unpacked.broken ? local.dataAt : local.dataAt + unpacked.consumed
}

export function inspectUnpacked(
  item: Item,
  { problem, bytes }: Unpacked,
  name: string,
  reportsDamage: boolean,
  context: Context,
  alone = false,
): void {
  const isFragment = problem?.reason === 'damaged' && !reportsDamage
  if (problem !== null && !isFragment) context.addObstacle(item, problem.reason, problem.detail, [...item.path, name])
  if (bytes === null) return
  if (isFragment) context.inspectFragment(item, name, bytes)
  else context.inspectMember(item, name, bytes, alone)
}

/** Inspects data after an entry that is empty according to its headers. */
export function inspectDataAfter(item: Item, local: LocalHeader, name: string, end: number, context: Context): void {
  const rest = item.bytes.subarray(local.dataAt, Math.min(end, item.bytes.length))
  if (rest.length > 0 && !isDescriptor(rest)) inspectEntry(item, local, name, local.dataAt + rest.length, context)
}

const RECORDS = ['PK\x07\x08', 'PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07'].map(ascii)

/** A data descriptor, with or without its signature, or another record of the archive. */
function isDescriptor(rest: Uint8Array): boolean {
  // All four bytes, because deflate data can be crafted to begin with `PK`.
  if (RECORDS.some((record) => startsWith(rest, record))) return true
  return rest.length <= DESCRIPTOR_BYTES_MAX && rest.every((byte) => byte === 0)
}
