/** Periodically deletes expired sessions, reset links and sign-in attempts. */
import type { Log } from '#base/log.ts'

const SWEEP_EVERY_MS = 10 * 60 * 1000

export function startSessionSweeper(sweeps: readonly (() => Promise<unknown>)[], log: Log): { close(): void } {
  const sweepAll = () => {
    for (const sweep of sweeps)
      sweep().catch((error) => log.warn({ err: error }, 'Failed to delete expired rows; it will be retried'))
  }
  const timer = setInterval(sweepAll, SWEEP_EVERY_MS)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
