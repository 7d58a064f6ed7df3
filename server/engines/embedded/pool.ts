/** The worker pool: each scan gets a worker for itself or waits for one, and idle workers repeat their self-test. */
import type { Whole } from '#engines/sample.ts'
import { createQueue, type Job } from './queue.ts'
import type { Reply } from './report.ts'
import { createSupervisor, type PooledWorker, type SupervisorOptions } from './supervisor.ts'
import type { Worker } from './worker-process.ts'

export interface PoolOptions extends SupervisorOptions {
  /** Null when the worker passed. */
  selfTest(worker: Worker): Promise<Error | null>
  queueMax: number
  /** Time of one document in workers, a second attempt included. */
  scanMsMax: number
  selfTestEveryMs: number
  /** Beyond these a worker is recycled: YARA-X in WebAssembly does not give all memory back. */
  scansMax: number
  rssBytesMax: number
  cpuMsMax: number
  /** A worker that has scanned and is idle for so long is recycled, to free what it unpacked. */
  idleMsMax: number
}

export type Pool = Awaited<ReturnType<typeof createPool>>

const ATTEMPTS_MAX = 2
const CLOSED = 'the embedded engine is closed'
/** Idle workers are checked this many times between two self-tests. */
const CHECKS_PER_SELF_TEST = 6

/** Resolves when all workers are ready; rejects when one of them cannot be started. */
export async function createPool(options: PoolOptions) {
  const { log } = options
  const queue = createQueue(options.queueMax)
  const supervisor = createSupervisor({ ...options, onReady: assign, onOutage: queue.clear })
  let closed = false

  /** Decides what an idle worker does next. */
  function assign(pooled: PooledWorker): void {
    if (pooled.replaced || closed) {
      supervisor.drop(pooled)
    } else if (performance.now() - pooled.testedAt >= options.selfTestEveryMs) {
      void testAgain(pooled)
    } else {
      const job = queue.next()
      pooled.busy = job !== undefined
      if (job !== undefined) void scan(pooled, job)
    }
  }

  async function testAgain(pooled: PooledWorker): Promise<void> {
    pooled.busy = true
    const failure = await options.selfTest(pooled.worker)
    if (failure === null) {
      pooled.testedAt = performance.now()
      supervisor.answered()
      assign(pooled)
      return
    }
    if (!closed)
      log.error({ worker: pooled.worker.pid, detail: failure.message }, 'Worker failed its self-test; replacing it')
    supervisor.drop(pooled)
  }

  async function scan(pooled: PooledWorker, job: Job): Promise<void> {
    const reply = await runJob(pooled.worker, job, options.scanMsMax)
    if (reply.kind === 'answered' || reply.kind === 'withdrawn') {
      job.settle(reply)
      pooled.scans++
      pooled.scannedAt = performance.now()
      if (reply.kind === 'answered') {
        supervisor.answered()
        if (isUsedUp(pooled, reply.answer, options)) supervisor.recycle(pooled)
      }
      assign(pooled)
      return
    }
    if (!closed) {
      const { kind: reason, detail } = reply
      log.warn({ worker: pooled.worker.pid, reason, detail }, 'Worker exited during scan')
    }
    supervisor.drop(pooled)
    settleOrRetry(job, reply)
  }

  /** Retries once on another worker, because something else may have killed the first; two deaths are the document's. */
  function settleOrRetry(job: Job, reply: Reply): void {
    const retry = reply.kind === 'died' && job.attempts < ATTEMPTS_MAX && !closed && supervisor.outage() === null
    if (retry && queue.retry(job)) dispatch()
    else job.settle(reply)
  }

  function dispatch(): void {
    for (const pooled of supervisor.workers) if (!pooled.busy && queue.length > 0) assign(pooled)
  }

  function checkIdle(): void {
    for (const pooled of supervisor.workers) {
      if (!pooled.busy) assign(pooled)
      if (!pooled.busy && isIdle(pooled, options.idleMsMax)) supervisor.recycle(pooled)
    }
  }

  await supervisor.open()
  const timer = setInterval(checkIdle, options.selfTestEveryMs / CHECKS_PER_SELF_TEST).unref()

  return {
    submit(document: Whole, signal: AbortSignal): Promise<Reply> {
      const detail = closed ? CLOSED : supervisor.outage()
      if (detail !== null) return Promise.resolve({ kind: 'died', detail })
      const reply = queue.add(document, signal)
      dispatch()
      return reply
    },
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
      closed = true
      clearInterval(timer)
      queue.clear(CLOSED)
      await supervisor.close()
    },
  }
}

/** The job settles at its signal; the worker may still finish within its grace period. */
async function runJob(worker: Worker, job: Job, msMax: number): Promise<Reply> {
  job.attempts++
  job.endsAt ??= performance.now() + msMax
  const cancel = () => job.settle({ kind: 'late', detail: 'the scan was cancelled' })
  job.signal.addEventListener('abort', cancel, { once: true })
  const reply = await worker.scan(job.document, job.endsAt - performance.now(), job.signal)
  job.signal.removeEventListener('abort', cancel)
  return reply
}

type Usage = { rssBytes: number; cpuMs: number }

function isUsedUp({ scans, recycling }: PooledWorker, { rssBytes, cpuMs }: Usage, limits: PoolOptions): boolean {
  return !recycling && (scans >= limits.scansMax || rssBytes > limits.rssBytesMax || cpuMs > limits.cpuMsMax)
}

function isIdle({ scans, scannedAt, recycling }: PooledWorker, msMax: number): boolean {
  return scans > 0 && !recycling && performance.now() - scannedAt >= msMax
}
