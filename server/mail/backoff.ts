/** The delays between delivery attempts. */

const FIRST_DELAY_MS = 5_000
const DELAY_MS_MAX = 15 * 60 * 1000

/** About 23 hours with the delays between them. */
export const ATTEMPTS_MAX = 100

/** The delay after this many attempts; null after the last one. */
export function delayAfter(attempts: number): number | null {
  if (attempts >= ATTEMPTS_MAX) return null
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), DELAY_MS_MAX)
}
