/** The embedded engine: Docvet's own analyser in sandboxed workers, so that scanning works with nothing else installed. */
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import type { Engine, EngineHealth, Outcome } from '#engines/engine.ts'
import type { Whole } from '#engines/sample.ts'
import { type AnalyserFiles, findAnalyser } from './analyser.ts'
import { publicMessageOf } from './errors.ts'
import { createPool, type Pool, type PoolOptions } from './pool.ts'
import { outcomeOf, type Sensitivity } from './report.ts'
import { createOperatorRules, type OperatorRules } from './rules/operator-rules.ts'
import { type RuleFile, readRules } from './rules/rule-files.ts'
import { commandLine, type Limits } from './sandbox.ts'
import { type SelectedSandbox, selectSandbox } from './sandbox-probe.ts'
import { selfTest } from './self-test.ts'
import type { Setup } from './worker.ts'
import { startWorker, type Worker } from './worker-process.ts'

type Tuning = Omit<PoolOptions, 'size' | 'setup' | 'start' | 'selfTest' | 'log'> &
  Limits & { startMsMax: number; rulesEveryMs: number; selfTestAgeMsMax: number }

export interface EmbeddedOptions {
  /** Null: one per core. */
  workers?: number | null
  /** The operator's own rules. */
  rulesDir: string | null
  sensitivity: Sensitivity
  log: Log
  /** For tests. */
  analyser?: AnalyserFiles
  sandbox?: SelectedSandbox
  tuning?: Partial<Tuning>
}

const MIB = 1024 * 1024

export const DEFAULTS: Tuning = {
  // On x64, V8 reserves 512 MiB of it for code and never touches them. A document at the limits of unpacking takes the
  // analyser to 1.2 GiB for a moment, 0.9 of them resident.
  memoryBytes: 1536 * MIB,
  heapBytes: 256 * MIB,
  cpuSeconds: 1_800,
  cpuMsMax: 1_200_000,
  scansMax: 20_000,
  rssBytesMax: 400 * 1_000_000,
  queueMax: 512,
  scanMsMax: 30_000,
  startMsMax: 60_000,
  // Clients get an answer within a second, network included.
  outageGraceMs: 700,
  selfTestEveryMs: 30_000,
  idleMsMax: 30_000,
  selfTestAgeMsMax: 60_000,
  rulesEveryMs: 2_000,
}

const WORKER = path.join(import.meta.dirname, 'worker.ts')
const WORKER_IMPORTS = ['protocol.ts', 'report.ts', '../../base/document-limit.ts', '../../base/message-of.ts'].map(
  (name) => path.join(import.meta.dirname, name),
)

/** Resolves when every worker passed its self-test. Rejects when no sandbox is usable, or a worker cannot be started. */
export async function createEmbeddedEngine(options: EmbeddedOptions): Promise<Engine> {
  const { log, rulesDir, sensitivity, analyser = findAnalyser() } = options
  const size = options.workers ?? availableParallelism()
  const tuning = { ...DEFAULTS, ...options.tuning }
  const { sandbox, description } = options.sandbox ?? (await selectSandbox(tuning, log))
  const ownRules = await readRules(analyser.rules)
  const closing = new AbortController()

  async function start(setup: Setup, signal: AbortSignal): Promise<Worker> {
    const read = [...WORKER_IMPORTS, ...analyser.read]
    const command = commandLine(sandbox, tuning, { file: WORKER, args: [analyser.module], read })
    if (command === null) throw new Error(`The sandbox ${sandbox.level} is not usable any more`)
    const rssBytesMax = sandbox.level === 'permission' ? tuning.memoryBytes : null
    const worker = await startWorker({ command, setup, log, msMax: tuning.startMsMax, rssBytesMax, signal })
    const failure = await selfTest(worker, signal)
    if (failure === null) return worker
    await end(worker)
    throw failure
  }

  const setupOf = (rules: readonly RuleFile[]): Setup => ({
    rules: sourcesOf(ownRules.files),
    operatorRules: sourcesOf(rules),
    wasm: analyser.wasm,
  })

  const operatorRules = createOperatorRules({
    folder: rulesDir,
    tryOut: async (rules) => end(await start(setupOf(rules), closing.signal)),
    signal: closing.signal,
    log,
  })
  const pool = await operatorRules.load((rules) =>
    createPool({ ...tuning, size, start, selfTest, log, setup: setupOf(rules) }),
  )
  const watcher = operatorRules.watch(tuning.rulesEveryMs, async (rules) => {
    await pool.swap(setupOf(rules))
    const { ruleCount, rulesVersion } = pool.status()
    log.info({ rulesDir, ruleCount, rulesVersion }, 'Operator rules reloaded')
  })

  return {
    name: 'embedded',
    async inspect(sample, signal) {
      try {
        // Takes a worker only for a complete document, because a slow upload would occupy one of a few.
        const whole = await untilAborted(sample.whole(), signal)
        return whole === null
          ? failed('the document was not complete in time', true)
          : await scan(pool, whole, signal, sensitivity)
      } catch (error) {
        return failed(messageOf(error))
      }
    },
    health: () => healthOf(pool, operatorRules, { analyser, description, size, ageMsMax: tuning.selfTestAgeMsMax }),
    async close() {
      closing.abort()
      await Promise.all([watcher.close(), pool.close()])
    },
  }
}

async function scan(pool: Pool, whole: Whole, signal: AbortSignal, sensitivity: Sensitivity): Promise<Outcome> {
  if (whole.size > DOCUMENT_BYTES_MAX) return failed(`a document of ${whole.size} bytes is too large`)
  return outcomeOf(await pool.submit(whole, signal), whole.size, sensitivity)
}

function healthOf(
  pool: Pool,
  operatorRules: OperatorRules,
  engine: { analyser: AnalyserFiles; description: string; size: number; ageMsMax: number },
): EngineHealth {
  const { ready, testedAt, problem, ruleCount, rulesVersion } = pool.status()
  const isTested = testedAt !== null && performance.now() - testedAt <= engine.ageMsMax
  const changes = [engine.analyser.rulesChangedAt, ...operatorRules.inUse().map(({ changedMs }) => changedMs)]
  const rulesProblem = operatorRules.problem()
  const detail = [
    engine.description,
    `${ready} of ${engine.size} workers ready`,
    isTested
      ? null
      : `no self-test passed within the last minute${problem === null ? '' : `: ${publicMessageOf(problem)}`}`,
    rulesProblem === null ? null : `rules not in use: ${rulesProblem}`,
  ]
  return {
    name: 'embedded',
    status: isTested ? 'UP' : 'DOWN',
    version: engine.analyser.version,
    signatures: `${ruleCount} rules, ${rulesVersion}`,
    signaturesAt: new Date(Math.max(...changes.map(Number))).toISOString(),
    detail: detail.filter((part) => part !== null).join('; '),
  }
}

function failed(detail: string, late = false): Outcome {
  return { kind: 'failed', late, detail }
}

async function end(worker: Worker): Promise<void> {
  worker.kill()
  await worker.gone
}

function sourcesOf(files: readonly RuleFile[]): Setup['rules'] {
  return files.map(({ name, text }) => ({ name, text }))
}

/** Null when the signal fires first. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return null
  const { promise: aborted, resolve } = Promise.withResolvers<null>()
  const abort = () => resolve(null)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
