/** Keeps the configured number of workers running: replaces dead ones at once, and recycles used ones one by one. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import type { Tuning } from './tuning.ts'
import type { Setup } from './worker-loop.ts'
import type { Worker } from './worker-process.ts'

export interface PooledWorker {
  worker: Worker
  scans: number
  /** This and `testedAt` by `performance.now()`. */
  scannedAt: number
  /** When it last passed a self-test. */
  testedAt: number
  busy: boolean
  /** Since when. */
  busyAt: number
  /** To be replaced; it takes scans until its replacement is ready. */
  recycling: boolean
  /** Its replacement is ready. */
  replaced: boolean
}

export interface WorkerSetOptions {
  size: number
  setup: Setup
  /** Resolves with a worker that passed its self-test. Rejects, with nothing left of it, when it cannot be used. */
  start(setup: Setup, signal: AbortSignal): Promise<Worker>
  tuning: Tuning
  log: Log
  /** The new worker is `busy` until the listener changes that. */
  onReady(pooled: PooledWorker): void
  /** No worker is left, and none will be ready soon. */
  onOutage(detail: string): void
}

export type WorkerSet = ReturnType<typeof createWorkerSet>

interface State {
  options: WorkerSetOptions
  setup: Setup
  workers: Set<PooledWorker>
  newest: Worker | undefined
  starter: ReturnType<typeof createStarter>
  outage: ReturnType<typeof createOutage>
  refills: number
  /** Workers that were ready so far. */
  started: number
}

const BACK_OFF_MS = 100
const BACK_OFF_MS_MAX = 5_000

export function createWorkerSet(options: WorkerSetOptions) {
  const { size, setup } = options
  const workers = new Set<PooledWorker>()
  const starter = createStarter(options)
  const outage = createOutage(options.tuning.outageGraceMs, starter.problem, options.onOutage)
  const state: State = { options, setup, workers, newest: undefined, starter, outage, refills: 0, started: 0 }

  async function close(): Promise<void> {
    const closed = starter.close()
    outage.close()
    for (const pooled of workers) drop(state, pooled)
    await closed
  }

  return {
    workers: workers as ReadonlySet<PooledWorker>,
    /** Rejects, with nothing left, when one of the first workers cannot be started. */
    async open(): Promise<void> {
      const first = await Promise.allSettled(Array.from({ length: size }, () => starter.start(setup)))
      for (const each of first) if (each.status === 'fulfilled') add(state, each.value, setup)
      const failed = first.find((each) => each.status === 'rejected')
      if (failed === undefined) return
      await close()
      throw failed.reason
    },
    /** Ends a worker, if it has not exited, and starts another. */
    drop: (pooled: PooledWorker) => drop(state, pooled),
    recycle(pooled: PooledWorker): void {
      pooled.recycling = true
      fill(state)
    },
    /** Starts one worker with the new set-up. Only if that succeeds, all others are replaced. */
    async swap(next: Setup): Promise<void> {
      const worker = await starter.start(next)
      state.setup = next
      const outdated = [...workers]
      // Before `add`: from now on only the new rules may take a scan.
      for (const pooled of outdated) Object.assign(pooled, { recycling: true, replaced: true })
      add(state, worker, next)
      for (const pooled of outdated) if (!pooled.busy) drop(state, pooled)
      fill(state)
    },
    outage,
    problem: starter.problem,
    newest: () => state.newest,
    /** Of the newest worker, and of all that start from now on. */
    setup: () => state.setup,
    started: () => state.started,
    close,
  }
}

/** Starts as many workers as are missing, but replacements of recycled ones one at a time. */
function fill(state: State): void {
  const { options, workers, starter } = state
  if (starter.isClosed()) return
  const fresh = [...workers].filter(({ recycling }) => !recycling).length
  const atOnce = starter.problem() === null ? Math.max(options.size - workers.size, 1) : 1
  while (state.refills < Math.min(options.size - fresh, atOnce)) {
    state.refills++
    refill(state).finally(() => {
      state.refills--
      fill(state)
    })
  }
}

async function refill(state: State): Promise<void> {
  const { setup, workers, starter, outage } = state
  try {
    add(state, await starter.start(setup), setup)
  } catch (error) {
    if (starter.isClosed()) return
    const pause = starter.backOff(error)
    if (workers.size === 0) outage.declare()
    await pause
  }
}

function add(state: State, worker: Worker, its: Setup): void {
  const { options, workers, starter, outage } = state
  // The rules were replaced, or the engine was closed, while it started.
  if (its !== state.setup || starter.isClosed()) {
    worker.kill()
    return
  }
  const now = performance.now()
  const times = { scannedAt: now, testedAt: now, busyAt: now }
  const pooled = { worker, scans: 0, ...times, busy: true, recycling: false, replaced: false }
  workers.add(pooled)
  state.newest = worker
  state.started++
  outage.end()
  worker.gone.then(() => drop(state, pooled))
  for (const each of replaceable(workers, options.size)) {
    each.replaced = true
    if (!each.busy) drop(state, each)
  }
  options.onReady(pooled)
}

function drop(state: State, pooled: PooledWorker): void {
  const { workers, starter, outage } = state
  pooled.worker.kill()
  if (!workers.delete(pooled) || starter.isClosed()) return
  if (workers.size === 0) outage.begin()
  fill(state)
}

/** As many recycled workers as have a replacement now. */
function replaceable(workers: Iterable<PooledWorker>, size: number): PooledWorker[] {
  const staying = [...workers].filter(({ replaced }) => !replaced)
  return staying.filter(({ recycling }) => recycling).slice(0, Math.max(0, staying.length - size))
}

/** Starts workers, remembers why the last start failed, and waits at the end for everything it started. */
function createStarter({ start, log }: WorkerSetOptions) {
  const closing = new AbortController()
  const pending = new Set<Promise<unknown>>()
  let failures = 0
  let problem: unknown = null

  function track<T>(promise: Promise<T>): Promise<T> {
    pending.add(promise)
    const settled = () => pending.delete(promise)
    promise.then(settled, settled)
    return promise
  }

  return {
    async start(setup: Setup): Promise<Worker> {
      const worker = await track(start(setup, closing.signal))
      track(worker.gone)
      failures = 0
      problem = null
      return worker
    },
    async backOff(error: unknown): Promise<void> {
      problem = error
      failures++
      log.error({ err: error, failures }, 'Worker failed to start')
      const ms = Math.min(BACK_OFF_MS * 2 ** (failures - 1), BACK_OFF_MS_MAX)
      await sleep(ms, undefined, { signal: closing.signal }).catch(() => {})
    },
    /** Why the last start failed; null when it did not. */
    problem: () => problem,
    isClosed: () => closing.signal.aborted,
    async close(): Promise<void> {
      closing.abort()
      while (pending.size > 0) await Promise.allSettled(pending)
    },
  }
}

/** Times how long no worker is left. The time adds up until a worker answers, or crashing workers would extend it. */
function createOutage(graceMs: number, problem: () => unknown, onOutage: (detail: string) => void) {
  let detail: string | null = null
  let beganAt: number | null = null
  let leftMs = graceMs
  let timer: NodeJS.Timeout | undefined

  function declare(): void {
    clearTimeout(timer)
    // Reset so that the next outage gets the full grace period.
    leftMs = graceMs
    beganAt = null
    detail = `the embedded engine has no worker: ${problem() === null ? 'none is ready' : messageOf(problem())}`
    onOutage(detail)
  }

  return {
    /** Set while no worker is left and waiting is pointless. */
    detail: () => detail,
    declare,
    /** Waits longer than usual, if it waits: the last worker was ended, and nothing is wrong with the others. */
    extend(leastMs: number): void {
      if (beganAt === null) return
      leftMs = Math.max(leftMs, leastMs)
      clearTimeout(timer)
      timer = setTimeout(declare, leftMs)
    },
    begin(): void {
      beganAt = performance.now()
      if (problem() === null) timer = setTimeout(declare, leftMs)
      else declare()
    },
    end(): void {
      clearTimeout(timer)
      detail = null
      leftMs -= beganAt === null ? 0 : performance.now() - beganAt
      beganAt = null
    },
    reset(): void {
      leftMs = graceMs
    },
    close: () => clearTimeout(timer),
  }
}
