/** Graceful shutdown on a signal or after an unexpected error, with a time limit. */
import { endLog, type Log } from '#base/log.ts'

/** Longer than the server takes to drain its connections. */
const GRACE_MS = 45_000
/** A terminal signals the whole process group and npm forwards its own signal, so one Ctrl-C arrives twice. */
const SAME_SIGNAL_MS = 1_000

export function closeOnSignal(close: () => Promise<void>, log: Log): void {
  let closingSince: number | undefined

  function exit(code: number): void {
    endLog(log, () => process.exit(code))
  }

  async function stop(code: number): Promise<void> {
    closingSince = performance.now()
    setTimeout(() => {
      log.error('Graceful shutdown timed out; exiting')
      exit(1)
    }, GRACE_MS).unref()
    try {
      await close()
      log.info('Stopped')
      exit(code)
    } catch (error) {
      log.fatal({ err: error }, 'Shutdown failed')
      exit(1)
    }
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (closingSince === undefined) {
      log.info({ signal }, 'Shutting down')
      void stop(0)
    } else if (performance.now() - closingSince > SAME_SIGNAL_MS) {
      log.warn({ signal }, 'Second signal received; exiting')
      exit(1)
    }
  }

  function onError(error: unknown): void {
    log.fatal({ err: error }, 'Unexpected error; shutting down')
    if (closingSince === undefined) void stop(1)
  }

  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
}
