/** Unpacks gzip files of one or more members. */

import { MAGIC, readHeader, TRAILER_BYTES } from '#inspect/codecs/gzip-header.ts'
import { startsWith } from '#inspect/core/bytes.ts'
import { RATIO_BOMB } from '#inspect/core/findings.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { inflate } from '#inspect/core/inflate.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'

export const gzip: Format = {
  among: { binary: true },
  applies: ({ bytes }) => startsWith(bytes, MAGIC),
  analyse(item, context) {
    let at = 0
    while (startsWith(item.bytes, MAGIC, at)) {
      if (!context.countEntry(item)) return
      const next = member(item, at, context)
      if (next === null) return
      at = next
      // Readers continue after the zeros that pad the last block on tapes.
      while (item.bytes[at] === 0) at += 1
    }
    if (at < item.bytes.length) context.addObstacle(item, 'damaged', 'Other data follows the compressed data.')
  },
}

/** Inspects one gzip member and returns the offset of the next one. */
function member(item: Item, at: number, context: Context): number | null {
  const header = readHeader(item.bytes, at)
  if (header === null) {
    context.addObstacle(item, 'damaged', 'The gzip header is truncated.')
    return null
  }
  const packed = item.bytes.subarray(header.dataAt)
  const remaining = context.budget.remaining()
  const inflated = inflate(packed, remaining, Math.min(packed.length * 8, 1_048_576))
  if (inflated.outcome === 'corrupt') {
    context.addObstacle(item, 'damaged', 'The compressed data is corrupt.')
    return null
  }
  if (inflated.outcome === 'too_large') {
    context.budget.spend(remaining, 'archive')
    context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    if (remaining >= context.limits.bombBytesMin && remaining >= packed.length * context.limits.bombRatioMin)
      context.addFinding(item, { ...RATIO_BOMB, detail: `${packed.length} bytes packed` })
    return null
  }
  if (inflated.outcome === 'truncated') context.addObstacle(item, 'damaged', 'The compressed data is truncated.')
  context.budget.spend(inflated.bytes.length, 'archive')
  context.inspectMember(item, header.name, inflated.bytes)
  return header.dataAt + inflated.consumed + TRAILER_BYTES
}
