/** The header of a gzip member. */

import { view } from '#inspect/core/bytes.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'

export const MAGIC = Buffer.from([0x1f, 0x8b, 8])
export const TRAILER_BYTES = 8

export function readHeader(source: Uint8Array, start: number): { name: string; dataAt: number } | null {
  const bytes = view(source)
  const flags = bytes[start + 3] ?? 0
  let at = start + 10
  if (flags & 4) at += 2 + (at + 2 <= bytes.length ? bytes.readUInt16LE(at) : bytes.length)
  let name = '(content)'
  if (flags & 8) {
    const end = bytes.indexOf(0, at)
    if (end === -1) return null
    name = safeName(decodeName(bytes.subarray(at, end)))
    at = end + 1
  }
  if (flags & 16) {
    const end = bytes.indexOf(0, at)
    if (end === -1) return null
    at = end + 1
  }
  if (flags & 2) at += 2
  return at < bytes.length ? { name, dataAt: at } : null
}
