/** A document while it arrives: engines read it from the beginning, each at its own pace, as soon as the first byte is in. */

export interface Sample {
  /** Each chunk once, in order; waits for those still to come. Rejects with the reason when the upload is given up. */
  read(): AsyncIterable<Buffer>
  /** Bytes received so far. */
  readonly size: number
  /** Resolves with the whole when all has arrived; rejects when the upload is given up. */
  whole(): Promise<Whole>
}

export interface Whole {
  size: number
  /** In hex. */
  sha256: string
  chunks: readonly Buffer[]
}

/** The side of whoever receives the document. */
export interface SampleWriter {
  sample: Sample
  push(chunk: Buffer): void
  end(sha256: string): void
  /** The upload is given up; readers and waiters get this reason. */
  fail(reason: unknown): void
  /** Overwrites every byte and lets go of it. What a reader has not passed on by then, it passes on as zeros. */
  dispose(): void
  /**
   * Gives the memory back at once, which otherwise waits for the collector: so much of it that collecting would cost
   * more than the scan. Only when every reader has it all: what a socket still has to send would be gone under it.
   */
  free(): void
}

export function createSample(): SampleWriter {
  const chunks: Buffer[] = []
  let size = 0
  let wake = Promise.withResolvers<void>()
  const done = Promise.withResolvers<Whole>()
  // A reader may come late or never; the reason is for whoever asks.
  done.promise.catch(() => {})
  let state: 'arriving' | 'whole' | 'failed' | 'disposed' = 'arriving'

  function changed(): void {
    const woken = wake
    wake = Promise.withResolvers()
    woken.resolve()
  }

  async function* read(): AsyncIterable<Buffer> {
    for (let next = 0; ; ) {
      while (next < chunks.length) yield chunks[next++] as Buffer
      if (state !== 'arriving') break
      await wake.promise
    }
    if (state === 'failed') await done.promise
    // A reader that is still at it must not take the missing rest for the end of the document.
    if (state === 'disposed') throw new Error('The sample is gone')
  }

  return {
    sample: {
      read,
      get size() {
        return size
      },
      whole: () => done.promise,
    },
    push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      changed()
    },
    end(sha256) {
      if (state !== 'arriving') return
      state = 'whole'
      done.resolve({ size, sha256, chunks })
      changed()
    },
    fail(reason) {
      if (state !== 'arriving') return
      state = 'failed'
      done.reject(reason)
      changed()
    },
    dispose() {
      if (state === 'arriving') done.reject(new Error('The sample is gone'))
      state = 'disposed'
      // The collector only forgets where it was.
      for (const chunk of chunks) chunk.fill(0)
      // Emptied in place: whoever still holds the whole holds nothing.
      chunks.length = 0
      changed()
    },
    free() {
      const memories = new Set(chunks.filter(isAlone).map(({ buffer }) => buffer))
      this.dispose()
      for (const memory of memories) if (memory instanceof ArrayBuffer) memory.transfer(0)
    },
  }
}

/** Less than half of its memory may be a piece of the pool that Node gives small buffers from. */
function isAlone(chunk: Buffer): boolean {
  return chunk.length * 2 > chunk.buffer.byteLength
}
