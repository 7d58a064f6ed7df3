/** Looks into gzip files: one or more members, each with a header, deflate data and a trailer. */

import { MAGIC, readHeader, TRAILER_BYTES } from '#inspect/codecs/gzip-header.ts'
import { startsWith } from '#inspect/core/bytes.ts'
import { RATIO_BOMB } from '#inspect/core/findings.ts'
import type { Format, Item, Visit } from '#inspect/core/format.ts'
import { inflate } from '#inspect/core/inflate.ts'

export const gzip: Format = {
  applies: ({ bytes }) => startsWith(bytes, MAGIC),
  analyse(item, visit) {
    let at = 0
    while (startsWith(item.bytes, MAGIC, at)) {
      if (!visit.enter(item)) return
      const next = member(item, at, visit)
      if (next === null) return
      at = next
      // Tapes and disks fill the last block with zeros, and readers go on behind them.
      while (item.bytes[at] === 0) at += 1
    }
    if (at < item.bytes.length) visit.hinder(item, 'damaged', 'Other bytes follow the compressed data.')
  },
}

/** Looks at the member at `at`, and says where the next one may begin. */
function member(item: Item, at: number, visit: Visit): number | null {
  const header = readHeader(item.bytes, at)
  if (header === null) {
    visit.hinder(item, 'damaged', 'The header of the compressed file is cut off.')
    return null
  }
  const packed = item.bytes.subarray(header.dataAt)
  const room = visit.room()
  const inflated = inflate(packed, room, Math.min(packed.length * 8, 1_048_576))
  if (inflated.outcome === 'corrupt') {
    visit.hinder(item, 'damaged', 'The compressed data is corrupt.')
    return null
  }
  if (inflated.outcome === 'too_large') {
    visit.spend(room, 'archive')
    visit.hinder(item, 'too_complex', `It unpacks to more than the ${room} bytes that are left.`)
    if (room >= visit.limits.bombBytesMin && room >= packed.length * visit.limits.bombRatioMin)
      visit.find(item, { ...RATIO_BOMB, detail: `${packed.length} bytes packed` })
    return null
  }
  if (inflated.outcome === 'truncated') visit.hinder(item, 'damaged', 'The compressed data breaks off.')
  visit.spend(inflated.bytes.length, 'archive')
  visit.member(item, header.name, inflated.bytes)
  return header.dataAt + inflated.consumed + TRAILER_BYTES
}
