/** Collects a document while it arrives. Engines get it when it is complete: none of them begins before the end. */
import type { IndicatorKind } from '#inspect/inspect.ts'
import { createChecksum } from './checksum.ts'

/** A complete document. */
export interface Whole {
  size: number
  /** In hex. */
  sha256: string
  /** Of the bytes as they arrived. An engine that copies them has to get the same. */
  checksum: number
  chunks: readonly Buffer[]
  /** To open it, if it is encrypted. Never logged or stored. */
  password?: string | undefined
  /** As the sender calls it, without folders. It may decide in which language a script is read. Never logged. */
  name?: string | undefined
  /** The engine that reads documents returns their text as well. Never logged or stored. */
  wantsText?: boolean | undefined
  /** What the engine that reads documents looks up in lists. */
  wantsIndicators?: readonly IndicatorKind[] | undefined
}

/** For the receiver of the upload. */
export type SampleWriter = ReturnType<typeof createSample>

export function createSample() {
  const chunks: Buffer[] = []
  const checksum = createChecksum()
  let size = 0

  return {
    push(chunk: Buffer): void {
      chunks.push(chunk)
      checksum.add(chunk)
      size += chunk.length
    },
    end(sha256: string, about: Pick<Whole, 'password' | 'name'> = {}): Whole {
      return { size, sha256, checksum: checksum.value(), chunks, ...about }
    },
    /** Overwrites and drops all bytes. A socket that has not sent them yet sends zeros. */
    dispose(): void {
      for (const chunk of chunks) chunk.fill(0)
      // In place, so that holders of the `Whole` lose the chunks as well.
      chunks.length = 0
    },
    /**
     * Disposes and releases the memory at once, because its garbage collection would cost more than the scan. Only when no
     * engine needs it any more: a socket would lose the bytes that it still has to send.
     */
    free(release: (memory: ArrayBuffer) => void): void {
      const memories = new Set(chunks.filter(ownsItsMemory).map(({ buffer }) => buffer))
      this.dispose()
      for (const memory of memories) if (memory instanceof ArrayBuffer) release(memory)
    },
  }
}

/** False for a small part of its memory, which may belong to the pool that Node allocates small buffers from. */
function ownsItsMemory(chunk: Buffer): boolean {
  return chunk.length * 2 > chunk.buffer.byteLength
}
