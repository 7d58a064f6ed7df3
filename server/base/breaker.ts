/** Circuit breaker: stops calling a service after repeated failures, then lets one trial call through. */

/** Consecutive failures. */
export const FAILURES_MAX = 5
export const PAUSE_MS = 10_000

export interface BreakerOptions {
  failuresMax?: number
  pauseMs?: number
  now?: () => number
}

export type Breaker = ReturnType<typeof createBreaker>

export function createBreaker(options: BreakerOptions = {}) {
  const { failuresMax = FAILURES_MAX, pauseMs = PAUSE_MS, now = () => performance.now() } = options
  let failures = 0
  let openUntil = 0
  let trying = false

  return {
    /** Milliseconds until the next call is allowed; 0 if one is allowed now. */
    waitMs(): number {
      if (failures < failuresMax) return 0
      if (trying) return pauseMs
      return Math.max(0, openUntil - now())
    },
    /** Starts a call. Report its outcome with one of the next three. */
    begin(): void {
      trying = failures >= failuresMax
    },
    succeeded(): void {
      failures = 0
      trying = false
    },
    failed(): void {
      failures++
      trying = false
      openUntil = now() + pauseMs
    },
    /** The call was not made, or its outcome is unknown. */
    cancelled(): void {
      trying = false
    },
    /** True while calls are blocked or limited to one trial call. */
    get open(): boolean {
      return failures >= failuresMax
    },
  }
}
