/** The worker pool: each scan gets a worker for itself or waits for one, and idle workers repeat their self-test. */
import { workFactor } from '#base/document-limit.ts'
import { createFairQueue } from '#base/fair-queue.ts'
import { createRecentUse } from '#base/recent-use.ts'
import type { Whole } from '#engines/sample.ts'
import type { Reply } from './report.ts'
import { sha256Of } from './rules/rule-files.ts'
import {
  assign,
  BANNED,
  CLOSED,
  checkIdle,
  clear,
  dispatch,
  type Job,
  makeWay,
  type PoolOptions,
  refusal,
  type State,
} from './schedule.ts'
import { createSuspects } from './suspects.ts'
import type { Setup } from './worker-loop.ts'
import { createWorkerSet } from './worker-set.ts'

export type Pool = Awaited<ReturnType<typeof createPool>>

/** Half of the time in a worker that an account's earlier scans took is forgotten after this time. */
const USE_HALF_LIFE_MS = 10_000
/** Idle workers are checked this many times between two self-tests. */
const CHECKS_PER_SELF_TEST = 6
/** Between two looks whether a document has to make way. */
const MAKE_WAY_MS = 100

/** Resolves when all workers are ready; rejects when one of them cannot be started. */
export async function createPool(options: PoolOptions) {
  const workerSet = createWorkerSet({
    ...options,
    onReady: (pooled) => assign(state, pooled),
    onOutage: (detail) => clear(state, { kind: 'died', detail }),
  })
  const use = createRecentUse({ halfLifeMs: USE_HALF_LIFE_MS })
  const queue = createFairQueue<Job>(use)
  const suspects = createSuspects()
  const state: State = { options, workerSet, use, queue, running: new Map(), suspects, closed: false }
  let hashed: { setup: Setup; sha256: string } | null = null
  await workerSet.open()
  const timer = setInterval(checkIdle, options.tuning.selfTestEveryMs / CHECKS_PER_SELF_TEST, state).unref()
  const ways = setInterval(makeWay, MAKE_WAY_MS, state).unref()

  return {
    submit: (document: Whole, signal: AbortSignal, from: Pick<Job, 'account' | 'address'>) =>
      submit(state, document, signal, from),
    swap: workerSet.swap,
    /** Workers of other processes were ended by the document: it is refused here for so long. */
    ban(sha256: string, ms: number): void {
      suspects.ban(sha256, ms)
      clear(state, BANNED, sha256)
    },
    status() {
      const now = performance.now()
      const answering = [...workerSet.workers].filter(
        ({ busy, busyAt }) => !busy || now - busyAt <= options.tuning.answerMsMax,
      )
      const tests = answering.map(({ testedAt }) => testedAt)
      return {
        /** Workers that have not had their document for too long. */
        ready: tests.length,
        /** There are workers, whether they answer or not. */
        isAlive: workerSet.workers.size > 0,
        queued: queue.size,
        started: workerSet.started(),
        /** The latest self-test that one of them passed, by `performance.now()`. */
        testedAt: tests.length === 0 ? null : Math.max(...tests),
        problem: workerSet.problem(),
      }
    },
    /** Of the newest worker. */
    rules() {
      const { rulesVersion = '', ruleCount = 0 } = workerSet.newest() ?? {}
      return { rulesVersion, ruleCount }
    },
    /** The SHA-256 of their files. */
    rulesSha256(): string {
      const setup = workerSet.setup()
      if (hashed?.setup !== setup) hashed = { setup, sha256: sha256Of(setup.operatorRules, setup.hashed) }
      return hashed.sha256
    },
    async close(): Promise<void> {
      state.closed = true
      clearInterval(timer)
      clearInterval(ways)
      clear(state, { kind: 'died', detail: CLOSED })
      await workerSet.close()
    },
  }
}

async function submit(
  state: State,
  document: Whole,
  signal: AbortSignal,
  from: Pick<Job, 'account' | 'address'>,
): Promise<Reply> {
  const { queue, suspects, options } = state
  const { sha256 } = document
  if (suspects.isBanned(sha256)) return BANNED
  const detail = refusal(state, from.account)
  if (detail !== null) return { kind: 'died', detail }
  if (signal.aborted) return { kind: 'late', detail: 'the scan was cancelled before it began' }
  const { promise, resolve: settle } = Promise.withResolvers<Reply>()
  const submittedAt = performance.now()
  const factor = workFactor(document.size)
  const leftMs = options.tuning.scanMsMax * factor
  const job: Job = { ...from, document, sha256, signal, attempts: 0, isLong: false, submittedAt, leftMs, settle }
  // The worker may still finish within its grace period.
  const cancel = () => {
    queue.delete(job)
    const cpuMs = state.running.get(job)?.worker.scanCpuMs() ?? 0
    settle({
      // As when the worker itself is late.
      kind: cpuMs > (options.tuning.scanCpuMsMax * factor) / 2 ? 'spent' : 'late',
      detail: `the scan was cancelled${job.attempts === 0 ? ' while it waited for a worker' : ''}`,
    })
  }
  signal.addEventListener('abort', cancel, { once: true })
  queue.add(job)
  dispatch(state)
  return promise.finally(() => signal.removeEventListener('abort', cancel))
}
