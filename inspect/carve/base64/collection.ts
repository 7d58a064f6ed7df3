/** Decoded pieces that the rules scan together, each once, outside the heap. */

import { keep } from '#inspect/core/work.ts'

/** Memory for each piece, besides its bytes. */
const ENTRY_BYTES = 60
const SIZE_MIN = 4_096
const SEPARATOR = 0x0a

interface Collection {
  add(piece: Uint8Array): void
  /** All pieces, a line end between them. */
  bytes(): Uint8Array
}

export function createCollection(): Collection {
  let held = Buffer.alloc(0)
  let length = 0
  /** Where a piece with this hash begins. */
  const starts = new Map<number, number>()

  function isHeld(piece: Uint8Array, start: number): boolean {
    const end = start + piece.length
    return (end === length || held[end] === SEPARATOR) && held.compare(piece, 0, piece.length, start, end) === 0
  }

  function reserve(size: number): void {
    if (size <= held.length) return
    const larger = Buffer.allocUnsafe(Math.max(SIZE_MIN, size, held.length * 2))
    held.copy(larger, 0, 0, length)
    held = larger
  }

  return {
    add(piece) {
      if (piece.length === 0) return
      const hash = hashOf(piece)
      const start = starts.get(hash)
      if (start !== undefined && start + piece.length <= length && isHeld(piece, start)) return
      keep(ENTRY_BYTES + piece.length)
      reserve(length + piece.length + 1)
      if (length > 0) held[length++] = SEPARATOR
      if (start === undefined) starts.set(hash, length)
      held.set(piece, length)
      length += piece.length
    },
    bytes: () => held.subarray(0, length),
  }
}

/** FNV-1a. Equal hashes are compared, so that a collision hides nothing. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c_9dc5
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x0100_0193)
  return hash
}
