/** Memory for large documents in blocks that are used again: new ones would keep the system and the garbage collector busy. */

export const BLOCK_BYTES = 1_048_576
/** Kept for the next documents. */
export const KEPT_MAX = 64
/** Without a large document for this time, the memory goes back to the system. */
const IDLE_MS = 10_000

/** `idleMs` is for tests. */
export function createBlocks(idleMs = IDLE_MS) {
  let kept: ArrayBuffer[] = []
  let timer: NodeJS.Timeout | undefined

  function drop(): void {
    for (const memory of kept) memory.transfer(0)
    kept = []
  }

  return {
    take(): Buffer<ArrayBuffer> {
      // V8 maps a resizable buffer from the system and returns it there; others come from the heap of malloc.
      return Buffer.from(kept.pop() ?? new ArrayBuffer(BLOCK_BYTES, { maxByteLength: BLOCK_BYTES }))
    },
    /** Only memory that was overwritten and has no reader left. Other memory than blocks is freed. */
    release(memory: ArrayBuffer): void {
      if (!memory.resizable || kept.length >= KEPT_MAX) {
        memory.transfer(0)
        return
      }
      memory.resize(BLOCK_BYTES)
      kept.push(memory)
      clearTimeout(timer)
      timer = setTimeout(drop, idleMs).unref()
    },
    kept: () => kept.length,
  }
}
