/** Archive entries that no directory lists: found by their local headers, and looked at like the others. */

import { type LocalHeader, localHeader } from '#inspect/codecs/zip-records.ts'
import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'
import { isFragmented } from '#inspect/detect/fragmented.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { lookAtEndless } from './endless.ts'
import { isEncrypted, isStreamed } from './entries.ts'
import { ZIP_FINDINGS } from './findings.ts'
import type { Range } from './ranges.ts'
import { METHODS, STORED, unpack } from './unpack.ts'

const SIGNATURE = Buffer.from('PK\x03\x04', 'latin1')
const METHOD_MAX = 99
/** A checksum and two sizes of eight bytes, all zero. What is longer is data. */
const DESCRIPTOR_BYTES_MAX = 20

/** `noteworthy`: the archive has a directory, so being absent from it means something. */
export function carve(item: Item, ranges: readonly Range[], context: Context, noteworthy: boolean): void {
  for (const range of ranges) {
    let from = range.start
    for (let local = next(item.bytes, range, from); local !== null; local = next(item.bytes, range, from)) {
      if (!context.countEntry(item)) return
      const name = safeName(decodeName(local.name))
      if (noteworthy) context.addFinding(item, { ...ZIP_FINDINGS.hidden, detail: null, path: [...item.path, name] })
      from = look(item, local, name, range.end, context)
    }
  }
}

/**
 * Whether an entry stands in bytes whose end has no directory: more than a comment may follow it, and there are programs
 * that search from the beginning. Sectors of a compound file are in any order; its streams are asked instead.
 */
export function holdsEntry(bytes: Uint8Array): boolean {
  if (isOle2(bytes)) return false
  const whole = { start: 0, end: bytes.length }
  for (let local = next(bytes, whole, 0); local !== null; local = next(bytes, whole, local.at + 1))
    if (METHODS.has(local.method)) return true
  return false
}

/** The next local header in a range. */
function next(bytes: Uint8Array, range: Range, from: number): LocalHeader | null {
  for (let at = find(bytes, range, from); at !== -1; at = find(bytes, range, at + 1)) {
    const local = isPlausible(bytes, at) ? localHeader(bytes, at) : null
    if (local !== null && local.dataAt <= range.end) return local
  }
  return null
}

function find(bytes: Uint8Array, { end }: Range, from: number): number {
  return view(bytes.subarray(0, end)).indexOf(SIGNATURE, from)
}

/** Four bytes may be chance, so there must be a method. Everything else some reader passes over. */
function isPlausible(bytes: Uint8Array, at: number): boolean {
  return (bytes[at + 8] ?? 0) <= METHOD_MAX && bytes[at + 9] === 0
}

/** Looks at one entry and says where to search on. */
function look(item: Item, local: LocalHeader, name: string, end: number, context: Context): number {
  const path = [...item.path, name]
  const sized = !isStreamed(local) && local.dataAt + local.packed <= end
  const dataEnd = sized ? local.dataAt + local.packed : end
  if (isEncrypted(local)) {
    context.addObstacle(item, 'encrypted', 'It is encrypted.', path)
    return sized ? dataEnd : local.dataAt
  }
  if (dataEnd === local.dataAt) return dataEnd
  const packed = item.bytes.subarray(local.dataAt, dataEnd)
  if (!sized && local.method === STORED) {
    lookAtEndless(item, packed, name, context)
    return local.dataAt
  }
  const unpacked = unpack(
    packed,
    { ...local, unpacked: sized ? local.unpacked : null },
    context.budget.remaining(),
    context.limits,
  )
  context.budget.spend(unpacked.cost, 'archive')
  const { problem } = unpacked
  if (problem !== null && (problem.reason !== 'damaged' || !isFragmented(item)))
    context.addObstacle(item, problem.reason, problem.detail, path)
  if (unpacked.bytes !== null && unpacked.bytes.length > 0) context.inspectMember(item, name, unpacked.bytes)
  // Where its end is not to be believed, others may stand in its data.
  return unpacked.broken ? local.dataAt : local.dataAt + unpacked.consumed
}

/** Looks at an entry that is empty by its headers, where data follows all the same. */
export function lookBehind(item: Item, local: LocalHeader, name: string, end: number, context: Context): void {
  const rest = item.bytes.subarray(local.dataAt, Math.min(end, item.bytes.length))
  if (rest.length > 0 && !isDescriptor(rest)) look(item, local, name, local.dataAt + rest.length, context)
}

const RECORDS = ['PK\x07\x08', 'PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07'].map(ascii)

/** The sizes behind streamed data, with their signature or without; or another record of the archive. */
function isDescriptor(rest: Uint8Array): boolean {
  // All four bytes: deflate data can be made to begin with `PK`.
  if (RECORDS.some((record) => startsWith(rest, record))) return true
  return rest.length <= DESCRIPTOR_BYTES_MAX && rest.every((byte) => byte === 0)
}
