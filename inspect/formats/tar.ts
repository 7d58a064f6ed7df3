/** Unpacks tar archives. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'
import { BLOCK, hasChecksum, isHeader, isTar, readSize } from '#inspect/detect/tar.ts'

const EMPTY = Buffer.alloc(BLOCK)

export const tar: Format = {
  // The oldest archives have no signature, and a signature inside another document is not enough.
  applies: ({ bytes, sniffed }) => isTar(bytes) || sniffed.type === 'application/x-tar',
  analyse(item, context) {
    let at = 0
    let ended = false
    while (at + BLOCK <= item.bytes.length) {
      if (isEmpty(item.bytes, at)) {
        // End of the archive, but some readers continue after it.
        ended = true
        at += BLOCK
        continue
      }
      if (ended && !isHeader(item.bytes, at)) return
      if (!context.countEntry(item)) return
      const next = entry(item, at, context)
      if (next === null) return
      at = next
    }
  },
}

function isEmpty(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0 && EMPTY.equals(bytes.subarray(at, at + BLOCK))
}

function entry(item: Item, at: number, context: Context): number | null {
  const header = view(item.bytes.subarray(at, at + BLOCK))
  const size = readSize(header)
  if (!hasChecksum(header) || size === null) {
    context.addObstacle(item, 'damaged', 'The tar archive has an invalid header.')
    return null
  }
  const start = at + BLOCK
  if (start + size > item.bytes.length) context.addObstacle(item, 'damaged', 'The tar archive is truncated.')
  const bytes = item.bytes.subarray(start, start + size)
  if (!context.chargeBytes(item, bytes.length, 'archive')) return null
  if (bytes.length > 0) context.inspectMember(item, safeName(decodeName(untilNul(header.subarray(0, 100)))), bytes)
  return start + Math.ceil(size / BLOCK) * BLOCK
}

function untilNul(field: Buffer): Buffer {
  const end = field.indexOf(0)
  return end === -1 ? field : field.subarray(0, end)
}
