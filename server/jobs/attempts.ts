/** One attempt at a job: runs its handler within the deadline, and records the outcome. */
import { setTimeout as sleep } from 'node:timers/promises'
import { untilAborted } from '#base/abort.ts'
import { coalesceWrites } from '#base/coalesce.ts'
import type { Log } from '#base/log.ts'
import { reasonOf } from '#base/reason.ts'
import {
  type ClaimedJob,
  type Handler,
  HEARTBEATS,
  type Job,
  type JobKind,
  type JobStore,
  leaseSeconds,
  type OnFailed,
} from './job.ts'

type Outcome =
  | { state: 'done' }
  | { state: 'finished' }
  | { state: 'interrupted' }
  | { state: 'failed'; reason: string; delayMs: number }
  | { state: 'abandoned'; reason: string }

/** In one transaction. Hundreds of jobs that end at once must leave the database for requests. */
export const WRITTEN_MAX = 32

type Trx = Parameters<JobStore['post']>[0]

interface Ended {
  kind: JobKind
  job: ClaimedJob
  outcome: Exclude<Outcome, { state: 'finished' }>
}

interface AttemptsOptions {
  store: JobStore
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  onFailed: OnFailed
  log: Log
  onAttempted: (kind: string, outcome: string) => void
  recordEveryMs: number
}

interface Place extends Pick<Job, 'hurry' | 'waitFor'> {
  /** The process ends. */
  closing: AbortSignal
}

export function createAttempts(options: AttemptsOptions) {
  const { store, transaction, onFailed, log, onAttempted, recordEveryMs } = options

  function failed(kind: JobKind, { attempts }: ClaimedJob, reason: string, delayMs?: number): Outcome {
    if (attempts >= kind.attemptsMax) return { state: 'abandoned', reason }
    return { state: 'failed', reason, delayMs: delayMs ?? kind.delayMs(attempts) }
  }

  /** Says that the job is still run here, and stops the attempt once it is run elsewhere. */
  function beat(kind: JobKind, job: ClaimedJob, claimedAt: number, onLost: (error: Error) => void) {
    const { heartbeatMs = Number.POSITIVE_INFINITY } = kind
    let until = claimedAt + heartbeatMs
    if (until === Number.POSITIVE_INFINITY) return { until: () => until, stop() {} }
    async function renew(): Promise<void> {
      const startedAt = performance.now()
      try {
        if (await store.renew(kind, job)) until = startedAt + heartbeatMs
        else onLost(new Error('Another process took over this job'))
      } catch (error) {
        log.warn({ jobId: job.id, kind: kind.name, err: error }, 'Failed to renew the lease of a job; will retry')
      }
    }
    const timer = setInterval(() => void renew(), heartbeatMs / HEARTBEATS)
    return { until: () => until, stop: () => clearInterval(timer) }
  }

  async function tryOnce<Data extends object>(
    kind: JobKind<Data>,
    handler: Handler<Data>,
    job: ClaimedJob,
    claimedAt: number,
    { closing, ...place }: Place,
  ): Promise<Outcome> {
    const deadline = new AbortController()
    const deadlineAt = claimedAt + kind.deadlineMs
    const tooLong = () => new Error('The attempt took too long')
    const late = () => deadline.abort(tooLong())
    const timer = setTimeout(late, Math.max(0, deadlineAt - performance.now()))
    const heart = beat(kind, job, claimedAt, (error) => deadline.abort(error))
    const signal = AbortSignal.any([deadline.signal, closing])
    let isFinished = false
    async function finish(trx: Trx): Promise<boolean> {
      isFinished = await store.done(trx, kind, job)
      return isFinished
    }
    function requireTime(): void {
      signal.throwIfAborted()
      if (performance.now() > Math.min(deadlineAt, heart.until())) throw tooLong()
    }
    try {
      requireTime()
      const { id, createdAt, attempts } = job
      const handled = handler(
        { id, data: job.data as Data, createdAt, attempts, finish, requireTime, ...place },
        signal,
      )
      const ending = await untilAborted(signal, handled)
      if (ending === undefined) return { state: isFinished ? 'finished' : 'done' }
      if ('giveUp' in ending) return { state: 'abandoned', reason: reasonOf(ending.giveUp) }
      return failed(kind, job, reasonOf(ending.reason), ending.retryInMs)
    } catch (error) {
      return closing.aborted ? { state: 'interrupted' } : failed(kind, job, reasonOf(error))
    } finally {
      clearTimeout(timer)
      heart.stop()
    }
  }

  async function write(trx: Trx, { kind, job, outcome }: Ended): Promise<boolean> {
    if (outcome.state === 'done') return await store.done(trx, kind, job)
    if (outcome.state === 'interrupted') return await store.giveBack(trx, kind, job)
    if (outcome.state === 'failed') return await store.retry(trx, kind, job, outcome.delayMs, outcome.reason)
    const isOurs = await store.giveUp(trx, kind, job, outcome.reason)
    if (isOurs) await onFailed(trx, { kind: kind.name, data: job.data })
    return isOurs
  }

  const written = coalesceWrites(transaction, write, { batchMax: WRITTEN_MAX, order: ({ job }) => job.id })

  function report({ name: kind }: JobKind, { id: jobId, attempts }: ClaimedJob, { state, ...details }: Outcome): void {
    onAttempted(kind, state === 'finished' ? 'done' : state)
    const fields = { jobId, kind, attempts, ...details }
    if (state === 'done' || state === 'finished') log.debug(fields, 'Job done')
    if (state === 'failed') log.warn(fields, 'Job failed; it will be retried')
    if (state === 'abandoned') log.error(fields, 'Job given up')
  }

  /** Retries until the lease ends, because a job that is done but not recorded would be run again. */
  async function record(
    kind: JobKind,
    job: ClaimedJob,
    outcome: Outcome,
    untilMs: number,
    closing: AbortSignal,
  ): Promise<void> {
    const fields = { jobId: job.id, kind: kind.name }
    for (;;) {
      try {
        if (outcome.state === 'finished' || (await written({ kind, job, outcome }))) report(kind, job, outcome)
        else log.warn(fields, 'Another process took over this job; it may have run twice')
        return
      } catch (error) {
        if (closing.aborted || performance.now() + recordEveryMs >= untilMs) {
          log.error({ ...fields, outcome: outcome.state, err: error }, 'Failed to record the outcome of a job')
          return
        }
        await sleep(recordEveryMs)
      }
    }
  }

  /** Never rejects. `claimedAt` uses the clock of `performance.now()`. */
  return async <Data extends object>(
    kind: JobKind<Data>,
    handler: Handler<Data>,
    job: ClaimedJob,
    claimedAt: number,
    place: Place,
  ): Promise<void> => {
    const outcome = await tryOnce(kind, handler, job, claimedAt, place)
    await record(kind, job, outcome, claimedAt + leaseSeconds(kind) * 1_000, place.closing)
  }
}
