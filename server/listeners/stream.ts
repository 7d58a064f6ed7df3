/** One document of a connection: what arrives goes to the scan, and what the scan does not read is dropped. */
import { Readable } from 'node:stream'
import { createUploadRate } from '#base/upload-rate.ts'
import type { Outcome } from '#listeners/outcomes.ts'

/** Of a stream that is refused, and read only so that its client gets to read the reply. */
export const DROPPED_BYTES_MAX = 10 * 1024 ** 3

/** Resolves with null if the client has disconnected. `head` is the beginning of the body. */
type Scan = (body: Readable, head: readonly Buffer[]) => Promise<Outcome | null>

interface StreamOptions {
  /** The scan starts when so many bytes have arrived, or the body is complete. */
  headBytes?: number
  /** For tests. */
  droppedMax?: number
}

export type DocumentStream = ReturnType<typeof createStream>

/** `onChange` is called when more can be read. */
export function createStream(scan: Scan, onChange: () => void, options: StreamOptions = {}) {
  const { headBytes = 0, droppedMax = DROPPED_BYTES_MAX } = options
  /** Null before the scan starts: nothing is scanned for an empty stream. */
  let body: Readable | null = null
  let head: Buffer[] = []
  let outcome = Promise.resolve<Outcome | null>({ name: 'empty' })
  /** Of a scan that reads no more, so that the rest is dropped. */
  let result: Outcome | null | undefined
  let isFull = false
  let bytes = 0
  let rate = createUploadRate()

  function read(): void {
    isFull = false
    onChange()
  }

  function start(): Readable {
    const started = new Readable({ read })
    // A stream that is destroyed has no reader that could handle the error.
    started.on('error', () => {})
    outcome = scan(started, head).then((ended) => {
      result = ended
      rate = createUploadRate()
      started.destroy()
      read()
      return ended
    })
    for (const piece of head) isFull = !started.push(piece)
    head = []
    return started
  }

  return {
    startedMs: performance.now(),
    get isFull() {
      return isFull
    },
    /** Of a scan that ended before the stream; null if the client has disconnected. */
    get result() {
      return result
    },
    /** False when too much is sent, or too slowly, to be dropped. The bytes are copied and overwritten. */
    add(piece: Buffer): boolean {
      bytes += piece.length
      rate.arrived(piece.length)
      const isDropped = result !== undefined
      if (!isDropped) {
        // Not from Node's pool, where bytes of a document would stay among others.
        const copy = Buffer.allocUnsafeSlow(piece.length)
        piece.copy(copy)
        if (body !== null) isFull = !body.push(copy)
        else head.push(copy)
        // A scan also ends a stream that arrives too slowly.
        if (bytes >= headBytes || rate.remainingMs() < 0) body ??= start()
      }
      piece.fill(0)
      return !isDropped || (bytes <= droppedMax && rate.remainingMs() >= 0)
    },
    /** The stream is complete. */
    end(): Promise<Outcome | null> {
      if (head.length > 0) body ??= start()
      body?.push(null)
      return outcome
    },
    /** The client disconnected before the end. */
    abort(): void {
      for (const piece of head) piece.fill(0)
      head = []
      body?.destroy()
    },
  }
}
