/** The worker pool: each scan gets a worker for itself or waits for one, and idle workers repeat their self-test. */
import type { Whole } from '#engines/sample.ts'
import type { Answer, Reply } from './report.ts'
import { selfTest } from './self-test.ts'
import { createSupervisor, type PooledWorker, type Supervisor, type SupervisorOptions } from './supervisor.ts'
import type { Tuning } from './tuning.ts'

type PoolOptions = Omit<SupervisorOptions, 'onReady' | 'onOutage'>

export type Pool = Awaited<ReturnType<typeof createPool>>

interface Job {
  document: Whole
  signal: AbortSignal
  attempts: number
  /** By `performance.now()`; set when a worker first takes it. */
  endsAt: number | undefined
  settle(reply: Reply): void
}

interface State {
  options: PoolOptions
  supervisor: Supervisor
  /** First in, first out. */
  queue: Set<Job>
  closed: boolean
}

const ATTEMPTS_MAX = 2
const CLOSED = 'the embedded engine is closed'
/** Idle workers are checked this many times between two self-tests. */
const CHECKS_PER_SELF_TEST = 6

/** Resolves when all workers are ready; rejects when one of them cannot be started. */
export async function createPool(options: PoolOptions) {
  const supervisor = createSupervisor({
    ...options,
    onReady: (pooled) => assign(state, pooled),
    onOutage: (detail) => clear(state, detail),
  })
  const state: State = { options, supervisor, queue: new Set(), closed: false }
  await supervisor.open()
  const timer = setInterval(checkIdle, options.tuning.selfTestEveryMs / CHECKS_PER_SELF_TEST, state).unref()

  return {
    submit: (document: Whole, signal: AbortSignal) => submit(state, document, signal),
    swap: supervisor.swap,
    status() {
      const tests = [...supervisor.workers].map(({ testedAt }) => testedAt)
      return {
        ready: tests.length,
        /** The latest self-test that a living worker passed, by `performance.now()`. */
        testedAt: tests.length === 0 ? null : Math.max(...tests),
        problem: supervisor.problem(),
        /** This and `ruleCount` of the newest worker. */
        rulesVersion: supervisor.newest()?.rulesVersion ?? '',
        ruleCount: supervisor.newest()?.ruleCount ?? 0,
      }
    },
    async close(): Promise<void> {
      state.closed = true
      clearInterval(timer)
      clear(state, CLOSED)
      await supervisor.close()
    },
  }
}

async function submit(state: State, document: Whole, signal: AbortSignal): Promise<Reply> {
  const { queue, options, supervisor } = state
  const { queueMax } = options.tuning
  const detail = state.closed ? CLOSED : supervisor.outage.detail()
  if (detail !== null) return { kind: 'died', detail }
  if (queue.size >= queueMax) return { kind: 'died', detail: `the queue is full: ${queueMax} scans wait for a worker` }
  if (signal.aborted) return { kind: 'late', detail: 'the scan was cancelled before it began' }
  const { promise, resolve } = Promise.withResolvers<Reply>()
  const job: Job = { document, signal, attempts: 0, endsAt: undefined, settle: resolve }
  // The worker may still finish within its grace period.
  const cancel = () => {
    state.queue.delete(job)
    resolve({
      kind: 'late',
      detail: `the scan was cancelled${job.attempts === 0 ? ' while it waited for a worker' : ''}`,
    })
  }
  signal.addEventListener('abort', cancel, { once: true })
  queue.add(job)
  dispatch(state)
  return promise.finally(() => signal.removeEventListener('abort', cancel))
}

function clear({ queue }: State, detail: string): void {
  for (const job of queue) job.settle({ kind: 'died', detail })
  queue.clear()
}

function dispatch(state: State): void {
  for (const pooled of state.supervisor.workers) if (!pooled.busy && state.queue.size > 0) assign(state, pooled)
}

/** Decides what an idle worker does next. */
function assign(state: State, pooled: PooledWorker): void {
  const { supervisor, options, queue, closed } = state
  if (pooled.replaced || closed) {
    supervisor.drop(pooled)
  } else if (performance.now() - pooled.testedAt >= options.tuning.selfTestEveryMs) {
    void testAgain(state, pooled)
  } else {
    const [job] = queue
    pooled.busy = job !== undefined
    if (job === undefined) return
    queue.delete(job)
    void scan(state, pooled, job)
  }
}

function checkIdle(state: State): void {
  for (const pooled of state.supervisor.workers) {
    if (!pooled.busy) assign(state, pooled)
    if (!pooled.busy && isIdle(pooled, state.options.tuning.idleMsMax)) state.supervisor.recycle(pooled)
  }
}

async function testAgain(state: State, pooled: PooledWorker): Promise<void> {
  const { supervisor, options } = state
  pooled.busy = true
  const failure = await selfTest(pooled.worker)
  if (failure === null) {
    pooled.testedAt = performance.now()
    supervisor.outage.reset()
    return assign(state, pooled)
  }
  const about = { worker: pooled.worker.pid, detail: failure.message }
  if (!state.closed) options.log.error(about, 'Worker failed its self-test; replacing it')
  supervisor.drop(pooled)
}

async function scan(state: State, pooled: PooledWorker, job: Job): Promise<void> {
  const { supervisor, options } = state
  const { log, tuning } = options
  job.attempts++
  job.endsAt ??= performance.now() + tuning.scanMsMax
  const reply = await pooled.worker.scan(job.document, job.endsAt - performance.now(), job.signal)
  if (reply.kind === 'answered' || reply.kind === 'withdrawn') {
    job.settle(reply)
    pooled.scans++
    pooled.scannedAt = performance.now()
    if (reply.kind === 'answered') {
      supervisor.outage.reset()
      if (isUsedUp(pooled, reply.answer, tuning)) supervisor.recycle(pooled)
    }
    return assign(state, pooled)
  }
  const about = { worker: pooled.worker.pid, reason: reply.kind, detail: reply.detail }
  if (!state.closed) log.warn(about, 'Worker exited during scan')
  supervisor.drop(pooled)
  settleOrRetry(state, job, reply)
}

/** Retries once on another worker, because something else may have killed the first; two deaths are the document's. */
function settleOrRetry(state: State, job: Job, reply: Reply): void {
  const isUsable = !state.closed && state.supervisor.outage.detail() === null && !job.signal.aborted
  if (reply.kind === 'died' && job.attempts < ATTEMPTS_MAX && isUsable) {
    state.queue = new Set([job, ...state.queue])
    dispatch(state)
  } else job.settle(reply)
}

function isUsedUp({ scans, recycling }: PooledWorker, { rssBytes, cpuMs }: Answer, limits: Tuning): boolean {
  return !recycling && (scans >= limits.scansMax || rssBytes > limits.rssBytesMax || cpuMs > limits.cpuMsMax)
}

function isIdle({ scans, scannedAt, recycling }: PooledWorker, msMax: number): boolean {
  return scans > 0 && !recycling && performance.now() - scannedAt >= msMax
}
