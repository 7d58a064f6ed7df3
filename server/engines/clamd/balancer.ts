/** Assigns documents to several clamd, the least busy first, and queues them when all are busy, fairly by account. */
import { createRecentUse } from '#base/recent-use.ts'
import type { Daemon } from './daemon.ts'

export interface Granted {
  kind: 'granted'
  daemon: Daemon
  release: () => void
}

export type Assignment =
  | Granted
  /** No usable clamd is left that has not been tried. */
  | { kind: 'none' }
  /** The queue is full. */
  | { kind: 'full' }
  | { kind: 'late' }

export type Balancer = ReturnType<typeof createBalancer>

interface Waiting {
  account: string
  tried: ReadonlySet<Daemon>
  settle: (assignment: Assignment) => void
}

interface BalancerLimits {
  perDaemonMax: number
  queueMax: number
}

/** Half of the time in clamd that an account's earlier scans took is forgotten after this time. */
const USE_HALF_LIFE_MS = 10_000

export function createBalancer(daemons: readonly Daemon[], { perDaemonMax, queueMax }: BalancerLimits) {
  const queue = new Set<Waiting>()
  const use = createRecentUse({ halfLifeMs: USE_HALF_LIFE_MS })
  let closed = false

  /** Null when all usable ones are busy. */
  function assign(account: string, tried: ReadonlySet<Daemon>): Assignment | null {
    const usable = daemons.filter((daemon) => !closed && !tried.has(daemon) && daemon.monitor.problem() === null)
    if (usable.length === 0) return { kind: 'none' }
    const [best] = usable
      .filter(({ busy }) => busy < perDaemonMax)
      .sort((a, b) => Number(a.suspect) - Number(b.suspect) || a.busy - b.busy)
    return best ? grant(account, best) : null
  }

  function grant(account: string, daemon: Daemon): Assignment {
    const end = use.begin(account)
    daemon.busy++
    const release = () => {
      daemon.busy--
      end()
      update()
    }
    return { kind: 'granted', daemon, release }
  }

  /** The account that has used clamd least lately comes first; of one account, the oldest. */
  function inOrder(): Waiting[] {
    const waiting = [...queue]
    // Twice for every scan, and mostly those of one account wait, if any.
    if (waiting.every(({ account }) => account === waiting[0]?.account)) return waiting
    use.update()
    const levelOf = ({ account }: Waiting) => use.levelOf(account)
    return waiting.sort((a, b) => Number(levelOf(a) > levelOf(b)) - Number(levelOf(a) < levelOf(b)))
  }

  /** To be called when the problem of a clamd changes. */
  function update(): void {
    let waiting = 0
    for (const { account, tried, settle } of inOrder()) {
      const assignment = assign(account, tried)
      if (assignment) settle(assignment)
      else if (++waiting > queueMax) settle({ kind: 'full' })
    }
  }

  function enqueue(account: string, tried: ReadonlySet<Daemon>, signal: AbortSignal): Promise<Assignment> {
    const { promise, resolve } = Promise.withResolvers<Assignment>()
    const late = () => entry.settle({ kind: 'late' })
    const entry: Waiting = {
      account,
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
  }

  return {
    /** Never assigns one of `tried`. */
    acquire(account: string, tried: ReadonlySet<Daemon>, signal: AbortSignal): Assignment | Promise<Assignment> {
      if (signal.aborted) return { kind: 'late' }
      return (queue.size === 0 && assign(account, tried)) || enqueue(account, tried, signal)
    },
    update,
    /** From now on every assignment is `none`, also for queued documents. */
    close(): void {
      closed = true
      update()
    },
  }
}
