/** Headers of cabinets (CAB). */

import { view } from '#inspect/core/bytes.ts'

export const HEADER_BYTES = 36
const VERSION = 0x0103

/** The signature alone may be chance. Programs that search for cabinets check these fields too, but not the size. */
export function isCabinet(source: Uint8Array): boolean {
  const bytes = view(source)
  if (bytes.length < HEADER_BYTES) return false
  const filesAt = bytes.readUInt32LE(16)
  const reserved = bytes.readUInt32LE(4)
  if (reserved === 0 && bytes.readUInt16LE(24) === VERSION) return true
  const pointsInside = filesAt >= HEADER_BYTES && filesAt < bytes.length
  return pointsInside && bytes.readUInt16LE(26) > 0 && (reserved === 0 || filesAt < bytes.readUInt32LE(8))
}
