/** Unpacks and joins the blocks of a cabinet folder. */

import { inflateRawSync } from 'node:zlib'
import { type Folder, isMszip } from './cabinet.ts'

const STORED = 0
const MSZIP = 1
const METHOD_MASK = 0x0f
const BLOCK_HEADER_BYTES = 8
/** Unpacked size of a block, and the window of the next one. */
const BLOCK_BYTES_MAX = 32_768

interface UnpackedFolder {
  /** The readable part, also after a fault. */
  bytes: Uint8Array
  outcome: 'whole' | 'damaged' | 'too_large' | 'unknown_method'
}

export function unpackFolder({ method, blocks, data, reserved }: Folder, remaining: number): UnpackedFolder {
  const packing = method & METHOD_MASK
  if (packing !== STORED && packing !== MSZIP) return { bytes: new Uint8Array(), outcome: 'unknown_method' }
  const parts: Uint8Array[] = []
  let length = 0
  let wrong = false
  const done = (outcome: UnpackedFolder['outcome']): UnpackedFolder => ({
    bytes: Buffer.concat(parts, length),
    outcome,
  })
  let last: Buffer | null = null
  for (let i = 0, at = 0; i < blocks; i++) {
    const start = at + BLOCK_HEADER_BYTES + reserved
    if (start > data.length) return done('damaged')
    const unpacked = data.readUInt16LE(at + 6)
    at = start + data.readUInt16LE(at + 4)
    const packed = data.subarray(start, at)
    const block: Buffer | null = packing === STORED ? packed : unzip(packed, last)
    if (block === null || at > data.length) return done('damaged')
    // On a wrong size, some readers continue with less data.
    wrong ||= block.length !== unpacked
    if (length + block.length > remaining) return done('too_large')
    parts.push(block)
    length += block.length
    last = block
  }
  return done(wrong ? 'damaged' : 'whole')
}

function unzip(packed: Buffer, last: Buffer | null): Buffer | null {
  // Only the last block may be shorter. After another short block, readers disagree on the window.
  if (!isMszip(packed) || (last !== null && last.length < BLOCK_BYTES_MAX)) return null
  const dictionary = last ?? Buffer.alloc(0)
  try {
    return inflateRawSync(packed.subarray(2), { maxOutputLength: BLOCK_BYTES_MAX, dictionary })
  } catch {
    return null
  }
}
