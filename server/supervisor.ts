/** Runs several processes of the service on one port: starts them, replaces those that exit, and stops them. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Channel, createChannel, type Peer } from '#base/ipc.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import { mergeMetrics } from '#base/metrics.ts'
import { type ProcessState, sumOfWorkers, unavailableState } from '#http/health.ts'
import { memoryBuckets } from '#http/throttle.ts'
import { STATE_MS_MAX, type Taken, type Takes } from './processes.ts'

/** The variable that tells a process its number, from 1. */
export const SLOT_VARIABLE = 'DOCVET_PROCESS_SLOT'

/** A process that ran this long has not failed to start. */
const STABLE_MS = 60_000
const RESTART_MS_MIN = 1_000
const RESTART_MS_MAX = 30_000
const METRICS_MS_MAX = 5_000
/** Of a process that has printed why it cannot start. */
const EXIT_FAILED = 1
/** The code of the error then. */
export const EXPLAINED = 'process_failed'
/** Time for a process to start serving: it may wait a minute for the database, compile the service, and migrate. */
export const LAUNCH_MS_MAX = 600_000

interface Process {
  slot: number
  worker: Worker
  channel: Channel
  startedAt: number
}

/**
 * All processes accept connections themselves, from one queue in the kernel. By default, the supervisor would accept them
 * and pass them on, and those on their way to a process that is killed would stay open for ever without an answer.
 */
cluster.schedulingPolicy = cluster.SCHED_NONE

/** Rejects if one of them exits before it listens; the others are stopped then. */
export async function startProcesses(count: number, log: Log, launchMsMax = LAUNCH_MS_MAX) {
  /** By slot. */
  const current = new Map<number, Process>()
  const running = new Set<Worker>()
  /** Consecutive failures by slot. */
  const failures = new Map<number, number>()
  const stop = new AbortController()
  const buckets = memoryBuckets()
  let isReloading = false

  async function stateOf({ slot, channel }: Process): Promise<ProcessState> {
    const asked = channel.ask<ProcessState>('state', null, STATE_MS_MAX)
    const state = await asked.catch((error) => unavailableState(messageOf(error)))
    return { ...state, problem: state.problem && `Process ${slot}: ${state.problem}` }
  }

  async function siblingsOf(own: Worker): Promise<ProcessState> {
    const siblings = [...current.values()].filter(({ worker }) => worker !== own)
    const missing = count - current.size
    const states = await Promise.all(siblings.map(stateOf))
    const problems = states.map(({ problem }) => problem).filter((problem) => problem !== null)
    if (missing > 0) problems.push(`${missing} of ${count} processes are not running; they are being started.`)
    const workers = sumOfWorkers(states.map((state) => state.workers))
    return { problem: problems.join(' ') || null, workers }
  }

  /** Resolves when it accepts connections. Kills a process that does not within `msMax`. */
  async function launch(slot: number, msMax: number | null = launchMsMax): Promise<Process> {
    const worker = cluster.fork({ [SLOT_VARIABLE]: String(slot) })
    running.add(worker)
    const serving = Promise.withResolvers<boolean>()
    const channel = createChannel(worker as Peer, {
      take: (takes) => Promise.all((takes as Takes).map((each) => buckets.take(...each))) satisfies Promise<Taken>,
      siblings: () => siblingsOf(worker),
      serving: () => serving.resolve(true),
    })
    const launched = { slot, worker, channel, startedAt: performance.now() }
    let exitCode: number | null = null
    const exited = once(worker, 'exit').then(([code]) => {
      exitCode = code
      running.delete(worker)
    })
    let isLate = false
    const kill = () => {
      isLate = true
      worker.process.kill('SIGKILL')
    }
    const limit = msMax === null ? undefined : setTimeout(kill, msMax)
    const isServing = await Promise.race([serving.promise, exited.then(() => false)])
    clearTimeout(limit)
    if (isLate) throw new Error(`Process ${slot} was killed: it did not serve requests within ${msMax} ms`)
    if (!isServing) {
      const error = new Error(`Process ${slot} exited before it could serve requests`)
      throw Object.assign(error, exitCode === EXIT_FAILED && { code: EXPLAINED })
    }
    return launched
  }

  /** Ends the process that had the slot before. */
  async function put(process: Process): Promise<void> {
    const { slot, worker, startedAt } = process
    const before = current.get(slot)
    current.set(slot, process)
    const onExit = (code: number | null, signal: string | null) => {
      if (current.get(slot)?.worker !== worker) return
      current.delete(slot)
      if (stop.signal.aborted) return
      const isStable = performance.now() - startedAt > STABLE_MS
      failures.set(slot, isStable ? 0 : (failures.get(slot) ?? 0) + 1)
      log.error({ slot, code, signal }, 'Process exited; it will be replaced')
      void replace(slot)
    }
    if (worker.isDead()) onExit(worker.process.exitCode, worker.process.signalCode)
    else worker.once('exit', onExit)
    if (before) await end(before.worker)
  }

  /** Tries until it succeeds, with growing delays. */
  async function replace(slot: number): Promise<void> {
    while (!stop.signal.aborted) {
      const failed = failures.get(slot) ?? 0
      // The first exit may be a single event.
      const delayMs = failed <= 1 ? 0 : Math.min(RESTART_MS_MIN * 2 ** (failed - 2), RESTART_MS_MAX)
      await sleep(delayMs, undefined, { signal: stop.signal }).catch(() => {})
      if (stop.signal.aborted) return
      try {
        const next = await launch(slot)
        log.info({ slot, processId: next.worker.process.pid }, 'Process replaced')
        return await put(next)
      } catch (error) {
        failures.set(slot, failed + 1)
        log.error({ err: error, slot }, 'Process failed to start; will retry')
      }
    }
  }

  async function end(worker: Worker): Promise<number | null> {
    if (worker.isDead()) return worker.process.exitCode
    worker.process.kill('SIGTERM')
    const [code] = await once(worker, 'exit')
    return code
  }

  /** Each process is replaced by a new one before it is drained, so that no request is lost. */
  async function replaceAll(): Promise<void> {
    log.info('Replacing all processes')
    for (const slot of [...current.keys()]) {
      if (stop.signal.aborted) return
      const next = await launch(slot)
      log.info({ slot, processId: next.worker.process.pid }, 'Process started; draining its predecessor')
      await put(next)
    }
    log.info('All processes replaced')
  }

  const stopAll = async (): Promise<void> => {
    stop.abort()
    const codes = await Promise.all([...running].map(end))
    if (codes.some((code) => code !== 0)) throw new Error(`Exit codes of the processes: ${codes.join(', ')}`)
  }

  try {
    // The first one migrates the database, which may take long, and compiles the service if needed.
    await put(await launch(1, null))
    const others = Array.from({ length: count - 1 }, (_, index) => launch(index + 2).then(put))
    await Promise.all(others)
  } catch (error) {
    await stopAll().catch(() => {})
    throw error
  }

  return {
    /** A process that does not respond is left out. */
    async render(): Promise<string> {
      const texts = await Promise.all(
        [...current.values()].map(async ({ slot, channel }) => {
          const text = await channel.ask<string>('metrics', null, METRICS_MS_MAX).catch(() => '')
          return { value: String(slot), text }
        }),
      )
      return mergeMetrics('process', texts)
    },
    /** A second call while one is in progress has no effect. */
    async reload(): Promise<void> {
      if (isReloading) return
      isReloading = true
      try {
        await replaceAll()
      } catch (error) {
        log.error({ err: error }, 'Replacing the processes failed; the others keep running')
      } finally {
        isReloading = false
      }
    },
    close: stopAll,
  }
}
