/** One document of a connection: what arrives goes to the scan, and what the scan does not read is dropped. */
import { Readable } from 'node:stream'
import { createUploadRate } from '#base/upload-rate.ts'
import type { Outcome } from '#listeners/outcomes.ts'

/** Of a stream that is refused, and read only so that its client gets to read the reply. */
export const DROPPED_BYTES_MAX = 10 * 1024 ** 3

/** Resolves with null if the client has disconnected. */
type Scan = (body: Readable) => Promise<Outcome | null>

export type DocumentStream = ReturnType<typeof createStream>

/** `onChange` is called when more can be read. `droppedMax` is for tests. */
export function createStream(scan: Scan, onChange: () => void, droppedMax = DROPPED_BYTES_MAX) {
  /** Null before the first byte: nothing is scanned for an empty stream. */
  let body: Readable | null = null
  let outcome = Promise.resolve<Outcome | null>({ name: 'empty' })
  /** The scan reads no more. */
  let isDropped = false
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
    outcome = scan(started).then((ended) => {
      isDropped = true
      rate = createUploadRate()
      started.destroy()
      read()
      return ended
    })
    return started
  }

  return {
    startedMs: performance.now(),
    get isFull() {
      return isFull
    },
    /** False when too much is sent, or too slowly, to be dropped. The bytes are copied and overwritten. */
    add(piece: Buffer): boolean {
      bytes += piece.length
      rate.arrived(piece.length)
      body ??= start()
      if (!isDropped) {
        // Not from Node's pool, where bytes of a document would stay among others.
        const copy = Buffer.allocUnsafeSlow(piece.length)
        piece.copy(copy)
        isFull = !body.push(copy)
      }
      piece.fill(0)
      return !isDropped || (bytes <= droppedMax && rate.remainingMs() >= 0)
    },
    /** The stream is complete. */
    end(): Promise<Outcome | null> {
      body?.push(null)
      return outcome
    },
    /** The client disconnected before the end. */
    abort(): void {
      body?.destroy()
    },
  }
}
