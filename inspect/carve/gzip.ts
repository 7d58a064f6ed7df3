/** Carves gzip files out of other data, such as self-extracting scripts. */

import { MAGIC, readHeader, TRAILER_BYTES } from '#inspect/codecs/gzip-header.ts'
import { startsWith, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { inflate } from '#inspect/core/inflate.ts'
import { mark } from '#inspect/core/marks.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { inflatePartial } from '#inspect/core/partial-inflate.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge } from '#inspect/core/work.ts'
import { isOle2, isZip } from '#inspect/detect/sniff.ts'
import { isTar } from '#inspect/detect/tar.ts'

/** gzip signatures in one item. By chance, one occurs in a hundred megabytes. */
export const CANDIDATES_MAX = 256
/** Bytes unpacked from corrupt data. With more, the item is damaged. */
export const PARTIAL_BYTES_MAX = 1_048_576
/** The first bytes suffice to rule out nearly all chance matches. */
const PROBE_BYTES = 4096
const PROBE_UNPACKED_MAX = 65_536
const RESERVED_FLAGS = 0xe0
/** Work for each signature. */
const SIGNATURE_WORK = 150

const MARK = mark(['\x1f\x8b\x08'], { fits: (bytes, at) => at > 0 && isHeader(bytes, at) })
const isGzip = (bytes: Uint8Array): boolean => startsWith(bytes, MAGIC)
const CONTAINERS = [isGzip, isZip, isOle2, isTar]

export const carvedGzip: Format = {
  among: { marks: [MARK] },
  // Containers hand their members to the traversal themselves.
  applies: (item) => item.has(MARK) && !CONTAINERS.some((is) => is(item.bytes)),
  analyse(item, context) {
    const take = createPieceBudget(item, context)
    let count = 0
    for (let at = next(item.bytes, 1); at !== -1; ) {
      count += 1
      if (count > CANDIDATES_MAX) {
        context.addObstacle(item, 'too_complex', `It contains more than ${CANDIDATES_MAX} gzip headers.`)
        return
      }
      const end = inspectCandidate(item, at, take, context)
      if (end === null) return
      at = next(item.bytes, end)
    }
  },
}

function next(source: Uint8Array, from: number): number {
  const bytes = view(source)
  for (let at = bytes.indexOf(MAGIC, from); at !== -1; at = bytes.indexOf(MAGIC, at + 1)) {
    charge(SIGNATURE_WORK)
    if (isHeader(bytes, at)) return at
  }
  return -1
}

function isHeader(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at + 3] ?? RESERVED_FLAGS) & RESERVED_FLAGS) === 0
}

/** Inspects the candidate and returns the offset to continue at; null when the budget is spent. */
function inspectCandidate(item: Item, at: number, take: (length: number) => boolean, context: Context): number | null {
  const header = readHeader(item.bytes, at)
  if (header === null) return at + 1
  const packed = item.bytes.subarray(header.dataAt)
  const start = packed.subarray(0, PROBE_BYTES)
  const inspectContent = (bytes: Uint8Array): void => {
    context.budget.spend(bytes.length, 'archive')
    if (bytes.length > 0) context.inspectMember(item, header.name, bytes)
  }
  if (inflate(start, PROBE_UNPACKED_MAX, PROBE_BYTES).outcome === 'corrupt') {
    inspectContent(inflatePartial(start, Math.min(PROBE_UNPACKED_MAX, context.budget.remaining())))
    return at + 1
  }
  if (!take(0)) return null
  const remaining = context.budget.remaining()
  const inflated = inflate(packed, remaining, PROBE_UNPACKED_MAX)
  if (inflated.outcome === 'whole') {
    inspectContent(inflated.bytes)
    return header.dataAt + inflated.consumed + TRAILER_BYTES
  }
  if (inflated.outcome === 'too_large') {
    context.budget.spend(remaining, 'archive')
    context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    return null
  }
  // Charge the failed attempt: the next candidate may begin at the next byte.
  if (!take(packed.length)) return null
  const bytes =
    inflated.outcome === 'truncated' ? inflated.bytes : inflatePartial(packed, Math.min(PARTIAL_BYTES_MAX, remaining))
  if (inflated.outcome === 'corrupt' && bytes.length >= PARTIAL_BYTES_MAX)
    context.addObstacle(item, 'damaged', 'The compressed data is corrupt.')
  inspectContent(bytes)
  return at + 1
}
