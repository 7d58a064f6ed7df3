/** Posts jobs, and runs them: at once after `wake()`, and by polling for those of other processes and repeats. */
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { createAttempts } from './attempts.ts'
import type { ClaimedJob, Handler, JobKind, JobStore, Lane, PostOptions } from './job.ts'
import { createPlaces } from './places.ts'

export const JOB_TIMES = {
  pollEveryMs: 3_000,
  /** Between attempts to store the outcome of a job. */
  recordEveryMs: 500,
  sweepEveryMs: 15_000,
  /** For running jobs to finish at shutdown. */
  closeMs: 3_000,
  /** To return unfinished ones after that. */
  giveBackMs: 1_500,
  /** Where somebody waits, a job of a kind that yields begins this often: slower, but it never stops. */
  turnMs: 250,
}

/** In one statement. */
const POSTED_MAX = 500
/** Few, so that a job that comes meanwhile does not wait until hundreds have begun. */
export const CLAIMED_MAX = 16
/** Between two reads of a kind with limits, in times of the first one: with thousands of groups, reading must not take all the time. */
const REST = 4
const REST_MS_MAX = 500

/** True for a link with a query, a fragment or a user, where signed links and shops have their secrets. */
function hasSecretLink(json: string): boolean {
  return json.split(/[\s"]+/).some((word) => {
    const start = word.indexOf('://')
    return start > 0 && /[?@#]/.test(word.slice(start))
  })
}

export type Jobs = ReturnType<typeof createJobs>
type Trx = Parameters<JobStore['post']>[0]

/** For those who only post jobs. */
export function createPosting(store: JobStore) {
  /** The ids of the jobs, without those whose key belongs to one that waits or runs. */
  async function postMany<Data extends object>(
    trx: Trx,
    kind: JobKind<Data>,
    posted: readonly ({ data: Data } & PostOptions)[],
  ): Promise<string[]> {
    if (hasSecretLink(JSON.stringify(posted))) throw new Error('The data of a job must not contain links with secrets')
    const ids: string[] = []
    for (let start = 0; start < posted.length; start += POSTED_MAX) {
      const part = posted.slice(start, start + POSTED_MAX)
      ids.push(
        ...(await store.post(
          trx,
          kind,
          part.map((job) => ({ id: newId(), ...job })),
        )),
      )
    }
    return ids
  }

  return {
    /** The id of the job, or null if one with the same key waits or runs. `data` holds ids, never a secret. */
    async post<Data extends object>(trx: Trx, kind: JobKind<Data>, data: Data, options: PostOptions = {}) {
      const [id = null] = await postMany(trx, kind, [{ data, ...options }])
      return id
    },
    postMany,
    erase: store.erase,
  }
}

interface JobsOptions {
  store: JobStore
  /** A transaction of the database. */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  log: Log
  onAttempted?: (kind: string, outcome: string) => void
  /** Somebody waits for something else. */
  isBusy?: () => boolean
  times?: typeof JOB_TIMES
}

interface Worker {
  poll(): void
}

export function createJobs(options: JobsOptions) {
  const { store, transaction, log, onAttempted = () => {}, isBusy = () => false, times = JOB_TIMES } = options
  const closing = new AbortController()
  const attempt = createAttempts({ store, transaction, log, onAttempted, recordEveryMs: times.recordEveryMs })
  /** Everything that `close()` waits for. */
  const running = new Set<Promise<void>>()
  const workers = new Map<string, Worker>()
  let closed = false

  function run(work: Promise<void>): void {
    const tracked = work.finally(() => running.delete(tracked))
    running.add(tracked)
  }

  function createWorker<Data extends object>(kind: JobKind<Data>, handler: Handler<Data>): Worker {
    const places = createPlaces({ kind, turnMs: times.turnMs, onFreed: poll })
    let polling = false
    let pollAgain = false
    let turnAtMs = 0
    let restUntilMs = 0
    let turn: NodeJS.Timeout | undefined

    /** How many more may begin now, where there are places. */
    function beginMax(): number {
      if (!kind.yields || !isBusy()) return CLAIMED_MAX
      const nowMs = performance.now()
      const isTurn = nowMs >= turnAtMs
      if (isTurn) turnAtMs = nowMs + times.turnMs
      clearTimeout(turn)
      turn = setTimeout(poll, turnAtMs - nowMs).unref()
      return isTurn ? 1 : 0
    }

    async function runOne(job: ClaimedJob, lane: Lane, claimedAt: number): Promise<void> {
      const { hurry, leave } = places.take(job, lane)
      await attempt(kind, handler, job, claimedAt, { hurry, closing: closing.signal })
      leave()
    }

    async function claim(max: number, lane: Lane): Promise<void> {
      if (max === 0) return
      const claimedAt = performance.now()
      try {
        const claimed = await store.claim(kind, max, lane)
        for (const job of claimed) run(runOne(job, lane, claimedAt))
        if (claimed.length === CLAIMED_MAX) pollAgain = true
      } catch (error) {
        log.warn({ err: error, kind: kind.name }, 'Failed to read jobs; will retry')
      }
    }

    async function rest(): Promise<void> {
      const ms = restUntilMs - performance.now()
      if (ms > 0) await sleep(ms)
    }

    async function pollOnce(): Promise<void> {
      const free = places.free().filter(({ max }) => max > 0)
      // The next job that ends polls again, or the next turn.
      if (free.length === 0 || closed) return
      const most = beginMax()
      const startedAt = performance.now()
      for (const { max, lane } of free) await claim(Math.min(max, most), lane)
      const endedAt = performance.now()
      if (kind.perGroupMax) restUntilMs = endedAt + Math.min(REST * (endedAt - startedAt), REST_MS_MAX)
    }

    async function pollUntilQuiet(): Promise<void> {
      polling = true
      do {
        pollAgain = false
        await rest()
        await pollOnce()
      } while (pollAgain && !closed)
      polling = false
    }

    function poll(): void {
      // A poll that is running may have missed jobs added after it began.
      pollAgain = true
      if (!closed && !polling) run(pollUntilQuiet())
    }

    return { poll }
  }

  async function sweep(): Promise<void> {
    try {
      await store.sweep()
    } catch (error) {
      log.warn({ err: error }, 'Failed to take over the jobs of dead processes; will retry')
    }
  }

  /** True if everything that runs, and the work it starts, ended in time. */
  async function settled(withinMs: number): Promise<boolean> {
    const late = Promise.withResolvers<false>()
    const timer = setTimeout(() => late.resolve(false), withinMs)
    const all = async (): Promise<true> => {
      while (running.size > 0) await Promise.all(running)
      return true
    }
    return Promise.race([all(), late.promise]).finally(() => clearTimeout(timer))
  }

  const timers = [
    setInterval(() => workers.forEach((worker) => void worker.poll()), times.pollEveryMs),
    setInterval(() => run(sweep()), times.sweepEveryMs),
  ]
  for (const timer of timers) timer.unref()
  run(sweep())

  return {
    ...createPosting(store),

    /** Call it after the commit of a transaction that posted jobs. */
    wake: (kind: JobKind) => workers.get(kind.name)?.poll(),

    work<Data extends object>(kind: JobKind<Data>, handler: Handler<Data>): void {
      const worker = createWorker(kind, handler)
      workers.set(kind.name, worker)
      worker.poll()
    },

    depth: store.depth,

    /** Finishes running jobs or returns them within a time limit. */
    async close(): Promise<void> {
      closed = true
      for (const timer of timers) clearInterval(timer)
      if (!(await settled(times.closeMs))) {
        closing.abort(new Error('The process is shutting down'))
        const returned = await settled(times.giveBackMs)
        if (!returned) log.warn('Failed to return jobs; others take them over when their lease ends')
      }
      await store.close()
    },
  }
}
