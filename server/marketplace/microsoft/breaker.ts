/** Leaves a server alone for a while after it failed many times in a row. Pure: the caller keeps the state and the time. */

export const FAILURES_MAX = 10
export const OPEN_MS = 5_000

export interface Breaker {
  /** In a row. */
  failures: number
  openUntilMs: number
}

export const CLOSED: Breaker = { failures: 0, openUntilMs: 0 }

/** Whether a call may be made. After the pause one call tries for all; the others wait for what it finds. */
export function pass(breaker: Breaker, nowMs: number): { allowed: boolean; next: Breaker } {
  if (breaker.failures < FAILURES_MAX) return { allowed: true, next: breaker }
  if (nowMs < breaker.openUntilMs) return { allowed: false, next: breaker }
  return { allowed: true, next: { ...breaker, openUntilMs: nowMs + OPEN_MS } }
}

export function failed({ failures }: Breaker, nowMs: number): Breaker {
  return { failures: failures + 1, openUntilMs: nowMs + OPEN_MS }
}
