/** Costly work takes turns: so many at once, so many in line behind them, and the rest is told to come again. */
import { AppError } from '#base/errors.ts'

const RETRY_SECONDS = 2

export interface TurnsOptions {
  atOnceMax: number
  waitingMax: number
}

export interface Turns {
  /** First come, first served. Throws `busy` when the line is full; one whose signal fires in line leaves it. */
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  load(): { running: number; waiting: number }
}

export function createTurns({ atOnceMax, waitingMax }: TurnsOptions): Turns {
  if (!(atOnceMax >= 1)) throw new RangeError('atOnceMax must be at least 1')
  let running = 0
  const line = new Set<() => void>()

  function waitInLine(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        line.delete(start)
        reject(signal?.reason)
      }
      line.add(start)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (running < atOnceMax) {
      running += 1
    } else if (line.size < waitingMax) {
      await waitInLine(signal)
    } else {
      throw new AppError('busy', 'Too many people are signing in at the moment. Try again shortly.', {
        retryAfterSeconds: RETRY_SECONDS,
      })
    }
  }

  /** The place goes straight to the first in line, so that nobody who comes just now slips in before. */
  function leave(): void {
    const [first] = line
    if (first === undefined) {
      running -= 1
      return
    }
    line.delete(first)
    first()
  }

  return {
    async take(work, signal) {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    load: () => ({ running, waiting: line.size }),
  }
}
