/** Headers of tar archives, which may have no signature. */

import { view } from '#inspect/core/bytes.ts'

export const BLOCK = 512

/** Whether the bytes begin with a header with a valid checksum. */
export function isTar(bytes: Uint8Array): boolean {
  return isHeader(bytes, 0)
}

export function isHeader(bytes: Uint8Array, at: number): boolean {
  if (at + BLOCK > bytes.length) return false
  const header = view(bytes.subarray(at, at + BLOCK))
  return hasChecksum(header) && readSize(header) !== null
}

export function readSize(header: Buffer): number | null {
  const field = header.subarray(124, 136)
  // The highest bit marks large sizes, which are binary.
  if ((field[0] ?? 0) & 0x80) return field.readUIntBE(6, 6)
  const digits = field.toString('latin1').replace(/[\0 ]+/g, '')
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || '0', 8) : null
}

/** Some programs sum signed bytes; readers accept both sums. */
export function hasChecksum(header: Buffer): boolean {
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
