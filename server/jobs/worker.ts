/** The jobs of one kind in one process: reads those that are due while it has places for them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#base/log.ts'
import type { createAttempts } from './attempts.ts'
import type { ClaimedJob, Handler, JobKind, JobStore, Lane } from './job.ts'
import { createPlaces, type Free } from './places.ts'

/** Few, so that a job that comes meanwhile does not wait until hundreds have begun. */
export const CLAIMED_MAX = 32
/** After a read of a kind with limits that found nothing, in times of it: with thousands of groups, reading must not take all the time. */
const REST = 4
const REST_MS_MAX = 500

interface WorkerOptions<Data extends object> {
  kind: JobKind<Data>
  handler: Handler<Data>
  store: JobStore
  attempt: ReturnType<typeof createAttempts>
  log: Log
  isBusy: () => boolean
  isBusyHere: () => boolean
  turnMs: number
  /** Work that is waited for when the process ends. */
  run: (work: Promise<void>) => void
  isClosed: () => boolean
  closing: AbortSignal
}

export function createWorker<Data extends object>(options: WorkerOptions<Data>) {
  const { kind, handler, store, attempt, log, isBusy, isBusyHere, turnMs, run, isClosed, closing } = options

  async function runOne(job: ClaimedJob, lane: Lane, claimedAt: number): Promise<void> {
    const { leave, ...place } = places.take(job, lane)
    await attempt(kind, handler, job, claimedAt, { ...place, closing })
    leave()
  }

  /** Returns how many. */
  async function begin(max: number, lane: Lane): Promise<number> {
    const claimedAt = performance.now()
    try {
      const claimed = await store.claim(kind, max, lane)
      for (const job of claimed) run(runOne(job, lane, claimedAt))
      return claimed.length
    } catch (error) {
      log.warn({ err: error, kind: kind.name }, 'Failed to read jobs; will retry')
      return 0
    }
  }

  /** Each lane has a reader of its own: those of prompt groups must not wait while thousands of slow ones are read. */
  function createReader(free: () => Free): () => void {
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
      if (isTurn) turnAtMs = nowMs + turnMs * (isBusyHere() ? kind.yields : 1)
      clearTimeout(turn)
      turn = setTimeout(poll, turnAtMs - nowMs).unref()
      return isTurn ? 1 : 0
    }

    async function rest(): Promise<void> {
      const ms = restUntilMs - performance.now()
      if (ms > 0) await sleep(ms)
    }

    async function pollOnce(): Promise<void> {
      const { max, lane } = free()
      const most = max > 0 ? Math.min(max, beginMax()) : 0
      // The next job that ends polls again, or the next turn.
      if (most === 0 || isClosed()) return
      const startedAt = performance.now()
      const begun = await begin(most, lane)
      if (begun === CLAIMED_MAX) pollAgain = true
      const endedAt = performance.now()
      const ms = REST * (1 - begun / CLAIMED_MAX) * (endedAt - startedAt)
      if (kind.perGroupMax) restUntilMs = endedAt + Math.min(ms, REST_MS_MAX)
    }

    async function pollUntilQuiet(): Promise<void> {
      polling = true
      do {
        pollAgain = false
        await rest()
        await pollOnce()
      } while (pollAgain && !isClosed())
      polling = false
    }

    function poll(): void {
      // A poll that is running may have missed jobs added after it began.
      pollAgain = true
      if (!isClosed() && !polling) run(pollUntilQuiet())
    }

    return poll
  }

  const poll = (): void => {
    for (const read of readers) read()
  }
  // Of this lane only: a reader that reads all the time has no time for a new job.
  const places = createPlaces({ kind, turnMs, onFreed: (lane) => readers[lane]?.() })
  const readers = places.lanes.map(createReader)
  return { poll }
}
