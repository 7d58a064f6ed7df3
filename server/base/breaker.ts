/** Leaves a service alone that did not answer several times in a row, and then tries it once. Pure but for its clock. */

/** In a row. */
export const FAILURES_MAX = 5
export const PAUSE_MS = 10_000

export interface BreakerOptions {
  failuresMax?: number
  pauseMs?: number
  now?: () => number
}

export interface Breaker {
  /** Zero: go ahead. Otherwise so many milliseconds to wait. */
  waitMs(): number
  /** To be followed by how it went. */
  begin(): void
  succeeded(): void
  failed(): void
  /** It did not come to a call, or nobody waited for its end: nothing is known. */
  cancelled(): void
  /** Whether calls are held back, or only one is let through to try. */
  readonly open: boolean
}

export function createBreaker(options: BreakerOptions = {}): Breaker {
  const { failuresMax = FAILURES_MAX, pauseMs = PAUSE_MS, now = () => performance.now() } = options
  let failures = 0
  let openUntil = 0
  let trying = false

  return {
    waitMs() {
      if (failures < failuresMax) return 0
      if (trying) return pauseMs
      return Math.max(0, openUntil - now())
    },
    begin() {
      trying = failures >= failuresMax
    },
    succeeded() {
      failures = 0
      trying = false
    },
    failed() {
      failures++
      trying = false
      openUntil = now() + pauseMs
    },
    cancelled() {
      trying = false
    },
    get open() {
      return failures >= failuresMax
    },
  }
}
