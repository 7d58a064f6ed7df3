/** Looks into gzip files behind other bytes: scripts that unpack themselves carry one, and some readers search for it. */

import { MAGIC, readHeader, TRAILER_BYTES } from '#inspect/codecs/gzip-header.ts'
import { startsWith, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { inflate } from '#inspect/core/inflate.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { inflatePartial } from '#inspect/core/partial-inflate.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { isOle2, isZip } from '#inspect/detect/sniff.ts'
import { isTar } from '#inspect/detect/tar.ts'

/** Places in one item that begin as gzip does. By chance there is one in a hundred megabytes. */
export const CANDIDATES_MAX = 256
/** What is unpacked of data that breaks. Where it breaks later, it is damaged. */
export const SALVAGED_MAX = 1_048_576
/** By its first bytes nearly everything is told that is no gzip file. */
const PROBE_BYTES = 4096
const PROBE_UNPACKED_MAX = 65_536
const RESERVED_FLAGS = 0xe0

export const carvedGzip: Format = {
  // What has members of its own hands them on one by one.
  applies: ({ bytes }) =>
    next(bytes, 1) !== -1 && !startsWith(bytes, MAGIC) && !isZip(bytes) && !isOle2(bytes) && !isTar(bytes),
  analyse(item, context) {
    const take = createPieceBudget(item, context)
    let count = 0
    for (let at = next(item.bytes, 1); at !== -1; ) {
      count += 1
      if (count > CANDIDATES_MAX) {
        context.addObstacle(item, 'too_complex', `It holds more than ${CANDIDATES_MAX} beginnings of gzip files.`)
        return
      }
      const end = look(item, at, take, context)
      if (end === null) return
      at = next(item.bytes, end)
    }
  },
}

function next(source: Uint8Array, from: number): number {
  const bytes = view(source)
  for (let at = bytes.indexOf(MAGIC, from); at !== -1; at = bytes.indexOf(MAGIC, at + 1))
    if (((bytes[at + 3] ?? RESERVED_FLAGS) & RESERVED_FLAGS) === 0) return at
  return -1
}

/** Looks at what begins here, and says where to search on; null when the budget is spent. */
function look(item: Item, at: number, take: (length: number) => boolean, context: Context): number | null {
  const header = readHeader(item.bytes, at)
  if (header === null) return at + 1
  const packed = item.bytes.subarray(header.dataAt)
  const start = packed.subarray(0, PROBE_BYTES)
  const hand = (bytes: Uint8Array): void => {
    context.budget.spend(bytes.length, 'archive')
    if (bytes.length > 0) context.inspectMember(item, header.name, bytes)
  }
  if (inflate(start, PROBE_UNPACKED_MAX, PROBE_BYTES).outcome === 'corrupt') {
    hand(inflatePartial(start, Math.min(PROBE_UNPACKED_MAX, context.budget.remaining())))
    return at + 1
  }
  if (!take(0)) return null
  const remaining = context.budget.remaining()
  const inflated = inflate(packed, remaining, PROBE_UNPACKED_MAX)
  if (inflated.outcome === 'whole') {
    hand(inflated.bytes)
    return header.dataAt + inflated.consumed + TRAILER_BYTES
  }
  if (inflated.outcome === 'too_large') {
    context.budget.spend(remaining, 'archive')
    context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    return null
  }
  // It was unpacked in vain, and the next one may begin just behind.
  if (!take(packed.length)) return null
  const bytes =
    inflated.outcome === 'truncated' ? inflated.bytes : inflatePartial(packed, Math.min(SALVAGED_MAX, remaining))
  if (inflated.outcome === 'corrupt' && bytes.length >= SALVAGED_MAX)
    context.addObstacle(item, 'damaged', 'The compressed data is corrupt.')
  hand(bytes)
  return at + 1
}
