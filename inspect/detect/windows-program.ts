/** Searches for Windows programs (PE) at any offset. */

import { view } from '#inspect/core/bytes.ts'

const PE = Buffer.from('PE\0\0', 'latin1')
const MACHINES = new Set([0x14c, 0x8664, 0x1c0, 0x1c4, 0xaa64, 0x200])

/** Offset of a Windows program, or -1. */
export function findProgram(source: Uint8Array): number {
  const bytes = view(source)
  const last = bytes.lastIndexOf(PE)
  // Byte by byte: an indexOf call for each `MZ` would take minutes on hostile input.
  for (let at = 0; at < last; at++)
    if (bytes[at] === 0x4d && bytes[at + 1] === 0x5a && isProgramAt(bytes, at)) return at
  return -1
}

/** `MZ` occurs by chance; a header offset that leads to `PE` and a known machine does not. */
function isProgramAt(bytes: Buffer, at: number): boolean {
  if (at + 0x40 > bytes.length) return false
  const header = at + bytes.readUInt32LE(at + 0x3c)
  if (header - at < 4 || header + 6 > bytes.length) return false
  return bytes.readUInt32LE(header) === 0x4550 && MACHINES.has(bytes.readUInt16LE(header + 4))
}
