/** The slowest upload that is accepted. */
import { AppError } from './errors.ts'

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
