/** How long to wait before a call is made again. Pure. */

export const ATTEMPTS_MAX = 3
const FIRST_DELAY_MS = 300
/** Who asks for a longer pause gets it from our client, who is told to come back then. */
export const RETRY_AFTER_MS_MAX = 3_000

/** Seconds, or a date. Null when there is none, or none that can be read. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

/** After so many attempts. `random` from 0 to 1 spreads those that failed together. Null: give up. */
export function delayAfter(attempts: number, askedMs: number | null, random: number): number | null {
  if (attempts >= ATTEMPTS_MAX) return null
  const ours = FIRST_DELAY_MS * 2 ** (attempts - 1) * (0.5 + random / 2)
  if (askedMs === null) return ours
  return askedMs > RETRY_AFTER_MS_MAX ? null : Math.max(ours, askedMs)
}
