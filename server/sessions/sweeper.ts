/** Removes now and then what has ended by itself: sessions, links and counted attempts. */
import type { Log } from '#base/log.ts'

const SWEEP_EVERY_MS = 10 * 60 * 1000

export function startSessionSweeper(sweeps: readonly (() => Promise<unknown>)[], log: Log): { close(): void } {
  const round = () => {
    for (const sweep of sweeps)
      sweep().catch((error) => log.warn({ err: error }, 'Could not remove what has expired; it will be tried again'))
  }
  const timer = setInterval(round, SWEEP_EVERY_MS)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
