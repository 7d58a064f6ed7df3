/** Looks into tar archives: blocks of 512 bytes, a header before each file. */

import { view } from '../../bytes.ts'
import { decodeName, safeName } from '../../names.ts'
import type { Format, Item, Visit } from '../../visit.ts'

const BLOCK = 512
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

/** Whether the bytes begin with a header whose sum is right. */
export function isTar(bytes: Uint8Array): boolean {
  return isHeader(bytes, 0)
}

function isEmpty(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0 && EMPTY.equals(bytes.subarray(at, at + BLOCK))
}

function isHeader(bytes: Uint8Array, at: number): boolean {
  if (at + BLOCK > bytes.length) return false
  const header = view(bytes.subarray(at, at + BLOCK))
  return hasChecksum(header) && readSize(header) !== null
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

function readSize(header: Buffer): number | null {
  const field = header.subarray(124, 136)
  // Large sizes are binary, marked by the highest bit.
  if ((field[0] ?? 0) & 0x80) return field.readUIntBE(6, 6)
  const digits = field.toString('latin1').replace(/[\0 ]+/g, '')
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || '0', 8) : null
}

/** Some programs add up signed bytes; readers accept both sums. */
function hasChecksum(header: Buffer): boolean {
  const written = Number.parseInt(header.toString('latin1', 148, 156), 8)
  let sum = 8 * 0x20
  let high = 0
  for (let i = 0; i < BLOCK; i++) {
    const byte = i < 148 || i >= 156 ? (header[i] ?? 0) : 0
    sum += byte
    if (byte >= 0x80) high += 1
  }
  return written === sum || written === sum - 256 * high
}
