/** Failed sign-ins of one address: how long the next attempt has to wait. */
import { hash } from 'node:crypto'

/** So many attempts come without a wait: people mistype. */
export const FREE_ATTEMPTS_MAX = 5
const FIRST_WAIT_MS = 1_000
/** Never longer, so that nobody can be locked out. */
export const WAIT_MAX_MS = 15 * 60 * 1_000
export const FORGOTTEN_MS = 24 * 60 * 60 * 1_000

export interface Attempts {
  /** How many were let through since the last success. Each counts as failed until it succeeds. */
  count: number
  /** When the last of them was let through, in milliseconds since 1970. */
  lastAt: number
}

export type Decision = { allowed: true } | { allowed: false; retryAfterSeconds: number }

/** The same for addresses with and without an account, and nothing that can be read. */
export const attemptKey = (address: string): string => hash('sha256', address.toLowerCase(), 'hex')

/** The wait after so many attempts: none, then 1, 2, 4 … seconds. */
export function waitAfterMs(count: number): number {
  if (count < FREE_ATTEMPTS_MAX) return 0
  return Math.min(FIRST_WAIT_MS * 2 ** (count - FREE_ATTEMPTS_MAX), WAIT_MAX_MS)
}

/** A time further ahead than any wait comes from a clock that was set back; it must not lock anybody out. */
function isForgotten({ lastAt }: Attempts, nowMs: number): boolean {
  return nowMs - lastAt >= FORGOTTEN_MS || lastAt - nowMs > WAIT_MAX_MS
}

export function decide(attempts: Attempts, nowMs: number): Decision {
  if (isForgotten(attempts, nowMs)) return { allowed: true }
  const leftMs = attempts.lastAt + waitAfterMs(attempts.count) - nowMs
  if (leftMs <= 0 || attempts.count < FREE_ATTEMPTS_MAX) return { allowed: true }
  return { allowed: false, retryAfterSeconds: Math.ceil(leftMs / 1_000) }
}

/** After one more that was let through. */
export function advance(attempts: Attempts, nowMs: number): Attempts {
  return { count: isForgotten(attempts, nowMs) ? 1 : attempts.count + 1, lastAt: nowMs }
}
