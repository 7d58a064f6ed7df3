/** Ends the process with grace: once, on a signal or after an unexpected error, and never later than it must. */
import { endLog, type Log } from '#base/log.ts'

/** Longer than the server takes to drain. */
const GRACE_MS = 45_000
/**
 * A second signal right after the first is the same one: a terminal signals the whole group, and npm passes its own on.
 * Only one that comes later is somebody who insists.
 */
const SAME_SIGNAL_MS = 1_000

export function closeWithGrace(close: () => Promise<void>, log: Log): void {
  let closingSince: number | undefined

  function exit(code: number): void {
    endLog(log, () => process.exit(code))
  }

  async function stop(code: number): Promise<void> {
    closingSince = performance.now()
    setTimeout(() => {
      log.error('What runs did not finish in time; stopping without it')
      exit(1)
    }, GRACE_MS).unref()
    try {
      await close()
      log.info('Stopped')
      exit(code)
    } catch (error) {
      log.fatal({ err: error }, 'Stopping failed')
      exit(1)
    }
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (closingSince === undefined) {
      log.info({ signal }, 'Stopping: finishing what runs')
      void stop(0)
    } else if (performance.now() - closingSince > SAME_SIGNAL_MS) {
      log.warn({ signal }, 'Stopping at once')
      exit(1)
    }
  }

  function onError(error: unknown): void {
    log.fatal({ err: error }, 'An unexpected error: stopping')
    if (closingSince === undefined) void stop(1)
  }

  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
}
