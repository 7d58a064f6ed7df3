/** When a mail that could not be sent is tried again, and when no more. */

const FIRST_DELAY_MS = 5_000
const DELAY_MS_MAX = 15 * 60 * 1000

/** With the delays between them, these take 23 hours: a mail server that is down for a day has other worries. */
export const ATTEMPTS_MAX = 100

/** How long to wait after so many attempts; null when that was the last one. */
export function delayAfter(attempts: number): number | null {
  if (attempts >= ATTEMPTS_MAX) return null
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), DELAY_MS_MAX)
}
