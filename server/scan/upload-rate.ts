/** The least rate at which an upload must arrive, so that nobody holds a place by sending next to nothing. */
import { AppError } from '#base/errors.ts'

export const UPLOAD_BYTES_PER_SECOND_MIN = 16_384
export const UPLOAD_GRACE_MS = 10_000

export interface UploadRateOptions {
  bytesPerSecond?: number
  graceMs?: number
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

export interface UploadRate {
  arrived(bytes: number): void
  /** How long it may stay silent from now on; negative when it is too slow already. */
  remainingMs(): number
  /** Throws when it is too slow. */
  check(): void
}

/**
 * An upload may take the grace, and a second more for each 16 KiB that have arrived. So it is the average that counts,
 * what came fast is credit for a pause, and the time when it will be too late is always known.
 */
export function createUploadRate(options: UploadRateOptions = {}): UploadRate {
  const { bytesPerSecond = UPLOAD_BYTES_PER_SECOND_MIN, graceMs = UPLOAD_GRACE_MS } = options
  const now = options.now ?? (() => performance.now())
  const startedMs = now()
  let total = 0

  // Subtracted last and from whole numbers, so that an upload exactly at the limit is not late by a rounding.
  const remainingMs = () => (total * 1_000) / bytesPerSecond + graceMs - (now() - startedMs)

  return {
    arrived(bytes) {
      total += bytes
    },
    remainingMs,
    check() {
      if (remainingMs() >= 0) return
      throw new AppError(
        'request_timeout',
        `The upload was slower than ${bytesPerSecond} bytes a second, counted after its first ${graceMs / 1_000} s.`,
      )
    },
  }
}
