/** Looks into tar archives: blocks of 512 bytes, a header before each file. */

import { view } from '#inspect/core/bytes.ts'
import type { Format, Item, Visit } from '#inspect/core/format.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'
import { BLOCK, hasChecksum, isHeader, isTar, readSize } from '#inspect/detect/tar.ts'

const EMPTY = Buffer.alloc(BLOCK)

export const tar: Format = {
  // The oldest archives have no signature. Where another document begins, the signature alone proves nothing.
  applies: ({ bytes, sniffed }) => isTar(bytes) || sniffed.type === 'application/x-tar',
  analyse(item, visit) {
    let at = 0
    let ended = false
    while (at + BLOCK <= item.bytes.length) {
      if (isEmpty(item.bytes, at)) {
        // The end, but some readers go on behind it.
        ended = true
        at += BLOCK
        continue
      }
      if (ended && !isHeader(item.bytes, at)) return
      if (!visit.enter(item)) return
      const next = entry(item, at, visit)
      if (next === null) return
      at = next
    }
  },
}

function isEmpty(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0 && EMPTY.equals(bytes.subarray(at, at + BLOCK))
}

function entry(item: Item, at: number, visit: Visit): number | null {
  const header = view(item.bytes.subarray(at, at + BLOCK))
  const size = readSize(header)
  if (!hasChecksum(header) || size === null) {
    visit.hinder(item, 'damaged', 'The tar archive has a broken header.')
    return null
  }
  const start = at + BLOCK
  if (start + size > item.bytes.length) visit.hinder(item, 'damaged', 'The tar archive is cut off.')
  const bytes = item.bytes.subarray(start, start + size)
  if (bytes.length > visit.room()) {
    visit.hinder(item, 'too_complex', `It holds more than the ${visit.room()} bytes that are left.`)
    return null
  }
  visit.spend(bytes.length, 'archive')
  if (bytes.length > 0) visit.member(item, safeName(decodeName(untilNul(header.subarray(0, 100)))), bytes)
  return start + Math.ceil(size / BLOCK) * BLOCK
}

function untilNul(field: Buffer): Buffer {
  const end = field.indexOf(0)
  return end === -1 ? field : field.subarray(0, end)
}
