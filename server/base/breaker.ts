/** Circuit breaker: stops calling a service after repeated failures, then lets one trial call through. */

/** Consecutive failures. */
export const FAILURES_MAX = 5
export const PAUSE_MS = 10_000

export interface BreakerOptions {
  failuresMax?: number
  pauseMs?: number
  now?: () => number
}

export interface Breaker {
  /** Milliseconds until the next call is allowed; 0 if one is allowed now. */
  waitMs(): number
  /** Starts a call. Report its outcome with one of the next three. */
  begin(): void
  succeeded(): void
  failed(): void
  /** The call was not made, or its outcome is unknown. */
  cancelled(): void
  /** True while calls are blocked or limited to one trial call. */
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
