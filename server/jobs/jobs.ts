/** Posts jobs, and runs them: at once after `wake()`, and by polling for those of other processes and repeats. */
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { createAttempts } from './attempts.ts'
import { type Handler, type JobKind, type JobStore, type OnFailed, type PostOptions, PROCESS_ENDED } from './job.ts'
import { createWorker } from './worker.ts'

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
/** In one transaction. */
const LOST_MAX = 100
/** Longer than a transaction takes from a job to its commit. */
const POSTED_MS = 10_000

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
export function createPosting(store: JobStore, onPosted: (kind: string) => void = () => {}) {
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
    if (ids.length > 0) onPosted(kind.name)
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
  /** Somebody waits for something else on this machine. */
  isBusy?: () => boolean
  /** In this process. */
  isBusyHere?: () => boolean
  times?: typeof JOB_TIMES
}

export function createJobs(options: JobsOptions) {
  const { store, transaction, log, onAttempted = () => {}, times = JOB_TIMES } = options
  const { isBusy = () => false, isBusyHere = isBusy } = options
  const closing = new AbortController()
  let onFailed: OnFailed | undefined
  const attempt = createAttempts({
    ...{ store, transaction, log, onAttempted, recordEveryMs: times.recordEveryMs },
    onFailed: async (trx, job) => await onFailed?.(trx, job),
  })
  /** Everything that `close()` waits for. */
  const running = new Set<Promise<void>>()
  const workers = new Map<string, ReturnType<typeof createWorker>>()
  /** When jobs of a kind were last posted here. */
  const postedAt = new Map<string, number>()
  let closed = false

  function run(work: Promise<void>): void {
    const tracked = work.finally(() => running.delete(tracked))
    running.add(tracked)
  }

  /** Returns how many. */
  async function failLost(end: OnFailed): Promise<number> {
    const lost = await transaction(async (trx) => {
      const failed = await store.failLost(trx, LOST_MAX)
      for (const { kind, data } of failed) await end(trx, { kind, data })
      return failed
    })
    for (const { id: jobId, kind } of lost) {
      onAttempted(kind, 'abandoned')
      log.error({ jobId, kind, reason: PROCESS_ENDED }, 'Job given up')
    }
    return lost.length
  }

  async function sweep(): Promise<void> {
    try {
      await store.sweep()
      while (onFailed && (await failLost(onFailed)) === LOST_MAX);
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

  return {
    ...createPosting(store, (kind) => void postedAt.set(kind, performance.now())),

    /** Call it after the commit of a transaction that posted jobs. */
    wake: ({ name }: JobKind) => workers.get(name)?.poll(),
    /** For transactions of which most post none. */
    wakeIfPosted({ name }: JobKind): void {
      const isPosted = performance.now() - (postedAt.get(name) ?? Number.NEGATIVE_INFINITY) < POSTED_MS
      if (isPosted) workers.get(name)?.poll()
    },

    work<Data extends object>(kind: JobKind<Data>, handler: Handler<Data>): void {
      const shared = { store, attempt, log, isBusy, isBusyHere, run, isClosed: () => closed, closing: closing.signal }
      const worker = createWorker({ kind, handler, turnMs: times.turnMs, ...shared })
      workers.set(kind.name, worker)
      worker.poll()
    },

    /** What follows a failed job, in the transaction that fails it. Without it, those of lost processes are left as they are. */
    onFailed(end: OnFailed): void {
      onFailed = end
      run(sweep())
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
