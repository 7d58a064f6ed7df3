/** Assigns documents to several clamd, the least busy first, and queues them when all are busy, fairly by account. */
import { createRecentUse } from '#base/recent-use.ts'
import type { Daemon, Upload } from './daemon.ts'

export type Assignment =
  | { kind: 'granted'; daemon: Daemon }
  /** No usable clamd is left that has not been tried. */
  | { kind: 'none' }
  /** The queue is full. */
  | { kind: 'full' }
  | { kind: 'late' }

export type Balancer = ReturnType<typeof createBalancer>

interface Waiting {
  upload: Upload
  tried: ReadonlySet<Daemon>
  settle: (assignment: Assignment) => void
}

interface BalancerLimits {
  perDaemonMax: number
  /** Counts only complete uploads: clamd cannot finish the others anyway. */
  queueMax: number
}

/** Half of the time in clamd that an account's earlier scans took is forgotten after this time. */
const USE_HALF_LIFE_MS = 10_000

export function createBalancer(daemons: readonly Daemon[], { perDaemonMax, queueMax }: BalancerLimits) {
  const queue = new Set<Waiting>()
  const use = createRecentUse({ halfLifeMs: USE_HALF_LIFE_MS })
  /** Ends the use of a granted upload. */
  const ends = new Map<Upload, () => void>()
  // Bytes flow to clamd while they arrive, so slow uploads occupy it for long.
  const incompleteMax = Math.floor(perDaemonMax / 2)
  let closed = false

  function hasCapacity({ uploads }: Daemon, { isWhole }: Upload): boolean {
    if (uploads.size >= perDaemonMax) return false
    return isWhole || [...uploads].filter((each) => !each.isWhole).length < incompleteMax
  }

  /** Null when all usable ones are busy. */
  function assign(upload: Upload, tried: ReadonlySet<Daemon>): Assignment | null {
    if (closed) return { kind: 'none' }
    const usable = daemons.filter((daemon) => !tried.has(daemon) && daemon.monitor.problem() === null)
    if (usable.length === 0) return { kind: 'none' }
    const [best] = usable
      .filter((daemon) => hasCapacity(daemon, upload))
      .sort((a, b) => Number(a.suspect) - Number(b.suspect) || a.uploads.size - b.uploads.size)
    if (!best) return null
    best.uploads.add(upload)
    ends.set(upload, use.begin(upload.account))
    return { kind: 'granted', daemon: best }
  }

  /** The account that has used clamd least lately comes first; of one account, the oldest. */
  function inOrder(): Waiting[] {
    // Three times for every scan, and mostly nothing or one scan waits.
    if (queue.size < 2) return [...queue]
    use.update()
    const levelOf = ({ upload }: Waiting) => use.levelOf(upload.account)
    return [...queue].sort((a, b) => Number(levelOf(a) > levelOf(b)) - Number(levelOf(a) < levelOf(b)))
  }

  /** To be called when the problem of a clamd changes, and when an upload becomes complete. */
  function update(): void {
    let complete = 0
    for (const { upload, tried, settle } of inOrder()) {
      const assignment = assign(upload, tried)
      if (assignment) settle(assignment)
      else if (upload.isWhole && ++complete > queueMax) settle({ kind: 'full' })
    }
  }

  return {
    /** Never assigns one of `tried`. */
    async acquire(upload: Upload, tried: ReadonlySet<Daemon>, signal: AbortSignal): Promise<Assignment> {
      if (signal.aborted) return { kind: 'late' }
      const { promise, resolve } = Promise.withResolvers<Assignment>()
      const late = () => entry.settle({ kind: 'late' })
      const entry: Waiting = {
        upload,
        tried,
        settle(assignment) {
          queue.delete(entry)
          signal.removeEventListener('abort', late)
          resolve(assignment)
        },
      }
      queue.add(entry)
      signal.addEventListener('abort', late, { once: true })
      // All of them: one before it may have tried the clamd that is free for this one, and the reverse.
      update()
      return promise
    },
    release(upload: Upload, daemon: Daemon): void {
      daemon.uploads.delete(upload)
      ends.get(upload)?.()
      ends.delete(upload)
      update()
    },
    update,
    /** From now on every assignment is `none`, also for queued documents. */
    close(): void {
      closed = true
      update()
    },
  }
}
