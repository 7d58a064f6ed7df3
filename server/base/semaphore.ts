/** Limits how much work runs at once, with a bounded queue and an optional limit per key. */

export interface SemaphoreOptions {
  runningMax: number
  queuedMax?: number
  /** Applies to running and queued work together. */
  perKeyMax?: number
  /** The error for work past a limit; `by` is the limit that was reached. */
  refusal: (by: 'total' | 'key') => Error
}

interface RunOptions {
  /** Removes the work from the queue. Work that has started is not affected. */
  signal?: AbortSignal | undefined
  /** One caller can count under several keys, for example its IP address and its account. */
  keys?: readonly string[]
}

export function createSemaphore(options: SemaphoreOptions) {
  const { runningMax, queuedMax = 0, perKeyMax = Number.POSITIVE_INFINITY, refusal } = options
  if (!(runningMax >= 1)) throw new RangeError('runningMax must be at least 1')
  let running = 0
  const queue = new Set<() => void>()
  const perKey = new Map<string, number>()

  function count(keys: readonly string[], change: 1 | -1): void {
    for (const key of keys) {
      const total = (perKey.get(key) ?? 0) + change
      if (total > 0) perKey.set(key, total)
      else perKey.delete(key)
    }
  }

  function wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        queue.delete(start)
        reject(signal?.reason)
      }
      queue.add(start)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** Hands the slot straight to the head of the queue, so that a new caller cannot overtake it. */
  function release(): void {
    const [next] = queue
    if (next === undefined) {
      running -= 1
      return
    }
    queue.delete(next)
    next()
  }

  return {
    /** First in, first out. Work that need not wait starts synchronously. */
    async run<T>(work: () => Promise<T>, { signal, keys = [] }: RunOptions = {}): Promise<T> {
      signal?.throwIfAborted()
      if (keys.some((key) => (perKey.get(key) ?? 0) >= perKeyMax)) throw refusal('key')
      const mustWait = running >= runningMax
      if (mustWait && queue.size >= queuedMax) throw refusal('total')
      count(keys, 1)
      try {
        if (mustWait) await wait(signal)
        else running += 1
        try {
          return await work()
        } finally {
          release()
        }
      } finally {
        count(keys, -1)
      }
    },
    load: () => ({ running, queued: queue.size }),
  }
}
