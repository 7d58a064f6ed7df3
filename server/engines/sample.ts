/** A document while it arrives: every engine reads it from the first byte on, at its own pace. */
import { createChecksum } from './checksum.ts'

export interface Sample {
  /** Yields each chunk in order and waits for more. Rejects with the reason when the upload is aborted. */
  read(): AsyncIterable<Buffer>
  /** Bytes received so far. */
  readonly size: number
  /** Resolves when all has arrived; rejects when the upload is aborted. */
  whole(): Promise<Whole>
}

export interface Whole {
  size: number
  /** In hex. */
  sha256: string
  /** Of the bytes as they arrived. An engine that copies them has to get the same. */
  checksum: number
  chunks: readonly Buffer[]
  /** To open it, if it is encrypted. Never logged or stored. */
  password?: string | undefined
}

/** For the receiver of the upload. */
export type SampleWriter = ReturnType<typeof createSample>

const DISPOSED = 'The sample was disposed'

export function createSample() {
  const chunks: Buffer[] = []
  const checksum = createChecksum()
  /** Set while a reader waits. */
  let wake: PromiseWithResolvers<void> | null = null
  const done = Promise.withResolvers<Whole>()
  // Avoids an unhandled rejection when nobody waits for the whole.
  done.promise.catch(() => {})
  let state: 'arriving' | 'whole' | 'failed' | 'disposed' = 'arriving'

  function changed(): void {
    wake?.resolve()
    wake = null
  }

  async function* read(): AsyncIterable<Buffer> {
    for (let next = 0; ; ) {
      while (next < chunks.length) yield chunks[next++] as Buffer
      if (state !== 'arriving') break
      wake ??= Promise.withResolvers()
      await wake.promise
    }
    if (state === 'failed') await done.promise
    // A reader must not mistake the missing rest for the end of the document.
    if (state === 'disposed') throw new Error(DISPOSED)
  }

  // No getter for the size: V8 would define it again for each sample, which costs more than the rest.
  const sample = { read, size: 0, whole: () => done.promise }

  return {
    sample: sample as Sample,
    push(chunk: Buffer): void {
      chunks.push(chunk)
      checksum.add(chunk)
      sample.size += chunk.length
      changed()
    },
    end(sha256: string, password?: string): void {
      if (state !== 'arriving') return
      state = 'whole'
      done.resolve({ size: sample.size, sha256, checksum: checksum.value(), chunks, password })
      changed()
    },
    /** Aborts the sample; all readers get this reason. */
    fail(reason: unknown): void {
      if (state !== 'arriving') return
      state = 'failed'
      done.reject(reason)
      changed()
    },
    /** Overwrites and drops all bytes. A reader that has not sent its chunks yet sends zeros. */
    dispose(): void {
      if (state === 'arriving') done.reject(new Error(DISPOSED))
      state = 'disposed'
      for (const chunk of chunks) chunk.fill(0)
      // In place, so that holders of the `Whole` lose the chunks as well.
      chunks.length = 0
      changed()
    },
    /**
     * Disposes and releases the memory at once, because its garbage collection would cost more than the scan. Only when no
     * reader needs it any more: a socket would lose the bytes that it still has to send.
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
