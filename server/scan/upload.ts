/** Reads the body of an upload to its end, and refuses one that arrives too slowly. */
import type { Readable } from 'node:stream'
import { AppError } from '#base/errors.ts'

export const UPLOAD_BYTES_PER_SECOND_MIN = 16_384
export const UPLOAD_GRACE_MS = 10_000

export interface UploadRateOptions {
  bytesPerSecond?: number
  graceMs?: number
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}

/** Allows the grace period and one second for every 16 KiB received, so that slow clients cannot hold a place. */
export function createUploadRate(options: UploadRateOptions = {}) {
  const { bytesPerSecond = UPLOAD_BYTES_PER_SECOND_MIN, graceMs = UPLOAD_GRACE_MS } = options
  const now = options.now ?? (() => performance.now())
  const startedMs = now()
  let total = 0

  // Subtracted last and from whole numbers, so that rounding cannot refuse an upload exactly at the limit.
  const remainingMs = () => (total * 1_000) / bytesPerSecond + graceMs - (now() - startedMs)

  return {
    arrived(bytes: number): void {
      total += bytes
    },
    /** How long the upload may pause from now on; negative when it is too slow already. */
    remainingMs,
    check(): void {
      if (remainingMs() >= 0) return
      throw new AppError(
        'request_timeout',
        `The upload was slower than ${bytesPerSecond} bytes per second, measured after its first ${graceMs / 1_000} s.`,
      )
    },
  }
}

/** The client disconnected, so no response can be sent. */
export class UploadAborted extends Error {
  constructor(cause?: unknown) {
    super('The client closed the connection before the upload was complete', { cause })
    this.name = 'UploadAborted'
  }
}

/** Passes on every chunk; resolves at the end with the number of bytes. Stops reading when `write` throws. */
export function readUpload(
  stream: Readable,
  write: (chunk: Buffer) => void,
  rateOptions?: UploadRateOptions,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const rate = createUploadRate(rateOptions)
  let total = 0
  let timer: NodeJS.Timeout

  function stop(): void {
    clearTimeout(timer)
    stream.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError)
    // Without a listener, an error after the response would end the process.
    stream.on('error', () => {})
  }
  function refuse(error: unknown): void {
    stop()
    stream.pause()
    reject(error)
  }
  function onData(chunk: Buffer): void {
    total += chunk.length
    rate.arrived(chunk.length)
    try {
      write(chunk)
    } catch (error) {
      refuse(error)
    }
  }
  function onEnd(): void {
    stop()
    resolve(total)
  }
  const onClose = () => refuse(new UploadAborted())
  const onError = (error: Error) => refuse(new UploadAborted(error))
  function onTimer(): void {
    try {
      rate.check()
      timer = setTimeout(onTimer, Math.ceil(rate.remainingMs()) + 1)
    } catch (error) {
      refuse(error)
    }
  }

  onTimer()
  stream.on('end', onEnd).on('close', onClose).on('error', onError)
  // A stream that is destroyed already emits no event.
  if (stream.destroyed) onClose()
  else stream.on('data', onData)
  return promise
}
