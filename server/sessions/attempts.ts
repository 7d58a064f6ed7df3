/** The wait before the next sign-in attempt for one e-mail address. */
import { hash } from 'node:crypto'

/** Attempts without a wait, because people mistype. */
export const FREE_ATTEMPTS_MAX = 5
const FIRST_WAIT_MS = 1_000
/** Bounded, so that attackers cannot lock out the owner. */
export const WAIT_MAX_MS = 15 * 60 * 1_000
export const FORGOTTEN_MS = 24 * 60 * 60 * 1_000

export interface Attempts {
  /** Attempts since the last success. Each counts as failed until it succeeds. */
  count: number
  /** The last one, in milliseconds since the Unix epoch. */
  lastAt: number
}

export type Decision = { allowed: true } | { allowed: false; retryAfterSeconds: number }

/** Hashed, because addresses without an account are counted too. */
export const attemptKey = (address: string): string => hash('sha256', address.toLowerCase(), 'hex')

/** No wait at first, then 1, 2, 4 … seconds. */
export function waitAfterMs(count: number): number {
  if (count < FREE_ATTEMPTS_MAX) return 0
  return Math.min(FIRST_WAIT_MS * 2 ** (count - FREE_ATTEMPTS_MAX), WAIT_MAX_MS)
}

/** A time too far in the future comes from a clock that was set back, and must not lock out anyone. */
function isForgotten({ lastAt }: Attempts, nowMs: number): boolean {
  return nowMs - lastAt >= FORGOTTEN_MS || lastAt - nowMs > WAIT_MAX_MS
}

export function decide(attempts: Attempts, nowMs: number): Decision {
  if (isForgotten(attempts, nowMs)) return { allowed: true }
  const leftMs = attempts.lastAt + waitAfterMs(attempts.count) - nowMs
  if (leftMs <= 0 || attempts.count < FREE_ATTEMPTS_MAX) return { allowed: true }
  return { allowed: false, retryAfterSeconds: Math.ceil(leftMs / 1_000) }
}

export function advance(attempts: Attempts, nowMs: number): Attempts {
  return { count: isForgotten(attempts, nowMs) ? 1 : attempts.count + 1, lastAt: nowMs }
}
