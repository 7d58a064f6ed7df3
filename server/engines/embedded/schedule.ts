/** Gives queued scans to workers: fairly by account, and so that no document can end all workers at once. */
import { type createFairQueue, useOfAddress } from '#base/fair-queue.ts'
import type { RecentUse } from '#base/recent-use.ts'
import type { Whole } from '#engines/sample.ts'
import { type Answer, type Failure, isCapped, type Reply } from './report.ts'
import { selfTest } from './self-test.ts'
import type { Suspects } from './suspects.ts'
import type { Tuning } from './tuning.ts'
import type { PooledWorker, WorkerSet, WorkerSetOptions } from './worker-set.ts'

export interface PoolOptions extends Omit<WorkerSetOptions, 'onReady' | 'onOutage'> {
  /** The document ended a worker by its limit of CPU time or memory. */
  onCapped?(sha256: string): void
  /** For the log. */
  typeOf?(document: Whole): string | null
}

export interface Job {
  document: Whole
  sha256: string
  account: string
  address: string | undefined
  signal: AbortSignal
  attempts: number
  /** It has made way for others once, and does not again. */
  isLong: boolean
  /** By `performance.now()`. */
  submittedAt: number
  /** The time it may still spend in workers. */
  leftMs: number
  settle(reply: Reply): void
}

export interface State {
  options: PoolOptions
  workerSet: WorkerSet
  /** Of the workers, by account and by address. */
  use: RecentUse
  queue: ReturnType<typeof createFairQueue<Job>>
  running: Map<Job, PooledWorker>
  suspects: Suspects
  closed: boolean
}

const ATTEMPTS_MAX = 2
/** Until the retry: if all workers were killed from outside, that is known by then, and is not the document's fault. */
const RETRY_MS = 100
/** Of the queue, so that one account cannot fill it. */
const ACCOUNT_SHARE_MAX = 0.75
export const CLOSED = 'the embedded engine is closed'
export const BANNED = {
  kind: 'banned',
  detail:
    'The inspection of the document failed twice, probably because it takes too much memory or time. It is not tried ' +
    'again for up to an hour. Scan its parts separately, or save it in a simpler form.',
} as const satisfies Reply

/** Why no scan can be queued; null when it can. */
export function refusal({ queue, options, workerSet, closed }: State, account: string): string | null {
  const { queueMax } = options.tuning
  if (queue.size >= queueMax) return `the queue is full: ${queueMax} scans wait for a worker`
  const own = queue.sizeOf(account)
  if (own >= queueMax * ACCOUNT_SHARE_MAX) return `the queue is full for this account: ${own} scans wait for a worker`
  return closed ? CLOSED : workerSet.outage.detail()
}

/** Removes all scans from the queue, or those of one document. */
export function clear({ queue }: State, reply: Reply, sha256?: string): void {
  for (const job of queue.items()) {
    if (sha256 !== undefined && sha256 !== job.sha256) continue
    queue.delete(job)
    job.settle(reply)
  }
}

export function dispatch(state: State): void {
  for (const pooled of state.workerSet.workers) if (!pooled.busy && state.queue.size > 0) assign(state, pooled)
}

/** Decides what an idle worker does next. */
export function assign(state: State, pooled: PooledWorker): void {
  const { workerSet, options, queue, closed } = state
  if (pooled.replaced || closed) {
    workerSet.drop(pooled)
  } else if (performance.now() - pooled.testedAt >= options.tuning.selfTestEveryMs) {
    void testAgain(state, pooled)
  } else {
    const job = queue.take((each) => mayStart(state, each))
    pooled.busy = job !== undefined
    pooled.busyAt = performance.now()
    if (job !== undefined) void scan(state, pooled, job)
  }
}

/**
 * No document may end all workers at once: one worker is kept from suspects, from documents that take long, and from copies
 * of a new document. Scans of a suspect account run one at a time.
 */
function mayStart({ workerSet, options, running, suspects }: State, job: Job): boolean {
  if (options.size === 1) return true
  const left = workerSet.workers.size - 1
  const jobs = [...running.keys()]
  if (suspects.isSuspectAccount(job.account) && jobs.some(({ account }) => account === job.account)) return false
  if (suspects.isSuspect(job)) return jobs.filter(suspects.isSuspect).length < left
  if (job.isLong && jobs.filter(({ isLong }) => isLong).length >= left) return false
  const copies = jobs.filter(({ sha256 }) => sha256 === job.sha256).length
  return copies === 0 || copies < left || suspects.isAnswered(job.sha256)
}

/**
 * When every worker has long been at a document and another account waits, the document that came last makes way. It is
 * repeated, then to its end, but one worker is kept from such documents.
 */
export function makeWay(state: State): void {
  const { workerSet, options, running, queue, suspects } = state
  if (queue.size === 0 || running.size < options.size || workerSet.workers.size < options.size) return
  for (const { worker } of running.values()) if (worker.scanCpuMs() < options.tuning.sliceCpuMs) return
  const jobs = [...running.keys()]
  const isKeptWaiting = (job: Job) =>
    !job.isLong && !suspects.isSuspect(job) && jobs.every(({ account }) => account !== job.account)
  if (!queue.items().some(isKeptWaiting)) return
  const last = jobs.findLast(({ isLong }) => !isLong)
  if (last !== undefined) running.get(last)?.worker.displace()
}

export function checkIdle(state: State): void {
  for (const pooled of state.workerSet.workers) {
    if (!pooled.busy) assign(state, pooled)
    if (!pooled.busy && isIdle(pooled, state.options.tuning.idleMsMax)) state.workerSet.recycle(pooled)
  }
}

async function testAgain(state: State, pooled: PooledWorker): Promise<void> {
  const { workerSet, options } = state
  pooled.busy = true
  pooled.busyAt = performance.now()
  const failure = await selfTest(pooled.worker)
  if (failure === null) {
    pooled.testedAt = performance.now()
    workerSet.outage.reset()
    return assign(state, pooled)
  }
  const about = { worker: pooled.worker.pid, detail: failure.message }
  if (!state.closed) options.log.error(about, 'Worker failed its self-test; replacing it')
  workerSet.drop(pooled)
}

/** Counts the time until the returned function is called. */
function beginUse({ use }: State, { account, address }: Job): () => void {
  const users = address === undefined ? [account] : [account, useOfAddress(address)]
  const ends = users.map((user) => use.begin(user))
  return () => {
    for (const end of ends) end()
  }
}

async function scan(state: State, pooled: PooledWorker, job: Job): Promise<void> {
  const { workerSet, options, running, suspects } = state
  const { tuning } = options
  const startedAt = performance.now()
  job.attempts++
  const end = beginUse(state, job)
  running.set(job, pooled)
  const reply = await pooled.worker.scan(job.document, job.leftMs, job.signal)
  running.delete(job)
  end()
  const workedMs = performance.now() - startedAt
  job.leftMs -= workedMs
  if (reply.kind === 'answered' || reply.kind === 'withdrawn') {
    job.settle(reply)
    pooled.scans++
    pooled.scannedAt = performance.now()
    if (reply.kind === 'answered') {
      suspects.clear(job.sha256)
      workerSet.outage.reset()
      if (isUsedUp(pooled, reply.answer, tuning)) workerSet.recycle(pooled)
    }
    assign(state, pooled)
  } else if (reply.kind === 'displaced') repeatLater(state, pooled, job)
  else {
    // A scan that waited for most of its time was late because of the load.
    const isItsFault = reply.kind !== 'late' || workedMs >= startedAt - job.submittedAt
    if (!state.closed) noteEnd(state, pooled, job, reply, isItsFault)
    workerSet.drop(pooled)
    // We have ended it ourselves.
    if (isCapped(reply) || reply.kind === 'late') workerSet.outage.extend(tuning.replacementGraceMs)
    settleOrRetry(state, job, reply)
  }
  // The end of this scan may permit others that had to wait for it.
  dispatch(state)
}

function repeatLater({ workerSet, options, queue }: State, pooled: PooledWorker, job: Job): void {
  options.log.info({ accountId: job.account, sha256: job.sha256 }, 'A scan made way for those of others')
  job.isLong = true
  job.attempts--
  workerSet.drop(pooled)
  workerSet.outage.extend(options.tuning.replacementGraceMs)
  // A scan that was cancelled is settled.
  if (!job.signal.aborted) queue.add(job)
}

/** A limit that is reached is a defect of the analyser, which did not charge for what it did. No content is logged. */
function noteEnd(state: State, { worker }: PooledWorker, job: Job, reply: Failure, isItsFault: boolean): void {
  const { suspects, options } = state
  const about = { worker: worker.pid, reason: reply.kind, detail: reply.detail }
  if (isItsFault) suspects.note(job, isCapped(reply))
  if (isCapped(reply)) {
    const { sha256, account: accountId, document } = job
    const what = { sha256, size: document.size, type: options.typeOf?.(document) ?? null, cpuMs: worker.scanCpuMs() }
    options.log.error({ ...about, ...what, accountId }, 'Defect: a document took more than a worker may use')
    options.onCapped?.(sha256)
  } else options.log.warn(about, 'Worker exited during scan')
}

/**
 * Retries once on another worker, because something else may have ended the first. Not after too much CPU time, which is
 * the document's own; memory may have been taken by earlier documents.
 */
function settleOrRetry(state: State, job: Job, reply: Failure): void {
  const { suspects, options, queue } = state
  if (suspects.isBanned(job.sha256)) {
    options.log.warn({ accountId: job.account, sha256: job.sha256 }, 'Document ended two workers; not tried again')
    job.settle({ ...BANNED, endedWorker: true })
    clear(state, BANNED, job.sha256)
  } else if (reply.kind === 'late' || reply.kind === 'spent' || job.attempts >= ATTEMPTS_MAX) job.settle(reply)
  else {
    setTimeout(() => {
      // A copy of the document may have ended another worker meanwhile.
      if (suspects.isBanned(job.sha256)) return job.settle(BANNED)
      if (refusal(state, job.account) !== null || job.signal.aborted) return job.settle(reply)
      queue.add(job)
      dispatch(state)
    }, RETRY_MS)
  }
}

function isUsedUp({ scans, recycling }: PooledWorker, { rssBytes, cpuMs }: Answer, limits: Tuning): boolean {
  return !recycling && (scans >= limits.scansMax || rssBytes > limits.rssBytesMax || cpuMs > limits.cpuMsMax)
}

function isIdle({ scans, scannedAt, recycling }: PooledWorker, msMax: number): boolean {
  return scans > 0 && !recycling && performance.now() - scannedAt >= msMax
}
