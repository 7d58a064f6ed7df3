/** Keeps the configured number of workers running: replaces dead ones at once, and recycles used ones one by one. */
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import { createOutage } from './queue.ts'
import type { Setup } from './worker.ts'
import type { Worker } from './worker-process.ts'

export interface PooledWorker {
  worker: Worker
  scans: number
  /** This and `testedAt` by `performance.now()`. */
  scannedAt: number
  /** When it last passed a self-test. */
  testedAt: number
  busy: boolean
  /** To be replaced; it takes scans until its replacement is ready. */
  recycling: boolean
  /** Its replacement is ready. */
  replaced: boolean
}

export interface SupervisorOptions {
  size: number
  setup: Setup
  /** Resolves with a worker that passed its self-test. Rejects, with nothing left of it, when it cannot be used. */
  start(setup: Setup, signal: AbortSignal): Promise<Worker>
  /** How long scans wait for starting workers when none is left. A start that fails ends the wait at once. */
  outageGraceMs: number
  log: Log
}

interface SupervisorEvents {
  /** The new worker is `busy` until the listener changes that. */
  onReady(pooled: PooledWorker): void
  /** No worker is left, and none will be ready soon. */
  onOutage(detail: string): void
}

const BACK_OFF_MS = 100
const BACK_OFF_MS_MAX = 5_000

export function createSupervisor(options: SupervisorOptions & SupervisorEvents) {
  const { size, log } = options
  let { setup } = options
  const workers = new Set<PooledWorker>()
  const starter = createStarter(options.start)
  const outage = createOutage(options.outageGraceMs, starter.reason, options.onOutage)
  let refills = 0
  let newest: Worker | undefined
  let backOff: NodeJS.Timeout | undefined

  /** Starts as many workers as are missing, but replacements of recycled ones one at a time. */
  function fill(): void {
    if (starter.isClosed() || backOff !== undefined) return
    const fresh = [...workers].filter(({ recycling }) => !recycling).length
    const atOnce = starter.hasFailed() ? 1 : Math.max(size - workers.size, 1)
    while (refills < Math.min(size - fresh, atOnce)) {
      refills++
      refill().finally(() => {
        refills--
        fill()
      })
    }
  }

  async function refill(): Promise<void> {
    const wanted = setup
    try {
      add(await starter.start(wanted), wanted)
    } catch (error) {
      if (starter.isClosed()) return
      const failures = starter.noteFailure(error)
      log.error({ err: error, failures }, 'Worker failed to start')
      clearTimeout(backOff)
      backOff = setTimeout(retry, Math.min(BACK_OFF_MS * 2 ** (failures - 1), BACK_OFF_MS_MAX))
      if (workers.size === 0) outage.declare()
    }
  }

  function retry(): void {
    backOff = undefined
    fill()
  }

  function add(worker: Worker, its: Setup): void {
    // The rules were replaced, or the engine was closed, while it started.
    if (its !== setup || starter.isClosed()) {
      worker.kill()
      return
    }
    const now = performance.now()
    const pooled = { worker, scans: 0, scannedAt: now, testedAt: now, busy: true, recycling: false, replaced: false }
    workers.add(pooled)
    newest = worker
    outage.end()
    worker.gone.then(() => drop(pooled))
    for (const each of replaceable(workers, size)) {
      each.replaced = true
      if (!each.busy) drop(each)
    }
    options.onReady(pooled)
  }

  function drop(pooled: PooledWorker): void {
    pooled.worker.kill()
    if (!workers.delete(pooled) || starter.isClosed()) return
    if (workers.size === 0) {
      if (starter.hasFailed()) outage.declare()
      else outage.begin()
    }
    fill()
  }

  async function close(): Promise<void> {
    const closed = starter.close()
    clearTimeout(backOff)
    outage.close()
    for (const pooled of workers) drop(pooled)
    await closed
  }

  return {
    workers: workers as ReadonlySet<PooledWorker>,
    /** Rejects, with nothing left, when one of the first workers cannot be started. */
    async open(): Promise<void> {
      const first = await Promise.allSettled(Array.from({ length: size }, () => starter.start(setup)))
      for (const each of first) if (each.status === 'fulfilled') add(each.value, setup)
      const failed = first.find((each) => each.status === 'rejected')
      if (failed === undefined) return
      await close()
      throw failed.reason
    },
    /** Ends a worker, if it has not exited, and starts another. */
    drop,
    recycle(pooled: PooledWorker): void {
      pooled.recycling = true
      fill()
    },
    /** Starts one worker with the new set-up. Only if that succeeds, all others are replaced. */
    async swap(next: Setup): Promise<void> {
      const worker = await starter.start(next)
      setup = next
      const outdated = [...workers]
      // Before `add`: from now on only the new rules may take a scan.
      for (const pooled of outdated) Object.assign(pooled, { recycling: true, replaced: true })
      add(worker, next)
      for (const pooled of outdated) if (!pooled.busy) drop(pooled)
      fill()
    },
    answered: outage.reset,
    /** Set while no worker is left and waiting is pointless. */
    outage: outage.detail,
    problem: starter.problem,
    newest: () => newest,
    close,
  }
}

/** As many recycled workers as have a replacement now. */
function replaceable(workers: Iterable<PooledWorker>, size: number): PooledWorker[] {
  const staying = [...workers].filter(({ replaced }) => !replaced)
  return staying.filter(({ recycling }) => recycling).slice(0, Math.max(0, staying.length - size))
}

/** Starts workers, remembers why the last start failed, and waits at the end for everything it started. */
function createStarter(startWorker: SupervisorOptions['start']) {
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
      const worker = await track(startWorker(setup, closing.signal))
      track(worker.gone)
      failures = 0
      problem = null
      return worker
    },
    noteFailure(error: unknown): number {
      problem = error
      return ++failures
    },
    hasFailed: () => failures > 0,
    /** Why the last start failed; null when it did not. */
    problem: () => problem,
    reason: () => (problem === null ? 'none is ready' : messageOf(problem)),
    isClosed: () => closing.signal.aborted,
    async close(): Promise<void> {
      closing.abort()
      while (pending.size > 0) await Promise.allSettled(pending)
    },
  }
}
