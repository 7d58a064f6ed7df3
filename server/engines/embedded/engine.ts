/** The embedded engine: our own analyser in locked-in children, so that a scanner works with nothing else installed. */
import { availableParallelism } from 'node:os'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import type { Log } from '#base/log.ts'
import type { Engine, EngineHealth, Outcome } from '#engines/engine.ts'
import type { Whole } from '#engines/sample.ts'
import { type AnalyserFiles, CHILD, CHILD_PARTS, findAnalyser } from './analyser.ts'
import type { Setup } from './child.ts'
import { type Child, startChild } from './child-process.ts'
import { shownOf } from './complaint.ts'
import { findIsolation, type Isolation } from './isolation.ts'
import { createOperatorRules } from './operator-rules.ts'
import { outcomeOf, type Sensitivity } from './outcome.ts'
import { createPool, type PoolOptions } from './pool.ts'
import { prove } from './proof.ts'
import { type RuleFile, readRules } from './rules.ts'
import { commandLine, type Limits } from './sandbox.ts'

type Tuning = Omit<PoolOptions<Setup>, 'size' | 'setup' | 'start' | 'prove' | 'log'> &
  Limits & { startMsMax: number; rulesEveryMs: number; proofAgeMsMax: number }

export interface EmbeddedOptions {
  /** How many; null for one on each core. */
  children?: number | null
  /** The operator's own rules. */
  rulesDir: string | null
  sensitivity: Sensitivity
  log: Log
  /** For tests. */
  analyser?: AnalyserFiles
  isolation?: Isolation
  tuning?: Partial<Tuning>
}

const MIB = 1024 * 1024

export const DEFAULTS: Tuning = {
  // On x64, 512 MiB of it are V8's reserve for code, never touched. A document at the limits of unpacking takes the
  // analyser of Docvet to 1.2 GiB for a moment, 0.9 of them resident.
  memoryBytes: 1536 * MIB,
  heapBytes: 256 * MIB,
  cpuSeconds: 1_800,
  cpuMsMax: 1_200_000,
  scansMax: 20_000,
  rssBytesMax: 400 * 1_000_000,
  waitingMax: 512,
  scanMsMax: 30_000,
  startMsMax: 60_000,
  proofEveryMs: 30_000,
  idleMsMax: 30_000,
  proofAgeMsMax: 60_000,
  rulesEveryMs: 2_000,
}

/** Resolves when every child is proven. Rejects when there is no isolation, or no child can be started. */
export async function createEmbeddedEngine(options: EmbeddedOptions): Promise<Engine> {
  const { log, rulesDir, sensitivity, analyser = findAnalyser() } = options
  const children = options.children ?? availableParallelism()
  const tuning = { ...DEFAULTS, ...options.tuning }
  const { cage, description } = options.isolation ?? (await findIsolation(tuning, log))
  const ownRules = await readRules(analyser.rules)
  const lifted = cage.level === 'permission' ? tuning.memoryBytes : null

  const closing = new AbortController()

  async function start(setup: Setup, signal: AbortSignal): Promise<Child> {
    const read = [...CHILD_PARTS, ...analyser.read]
    const command = commandLine(cage, tuning, { file: CHILD, args: [analyser.module], read })
    if (command === null) throw new Error(`${cage.level} is not there any more`)
    const child = await startChild({ command, setup, log, msMax: tuning.startMsMax, rssBytesMax: lifted, signal })
    const wrong = await prove(child, signal)
    if (wrong === null) return child
    await end(child)
    throw wrong
  }

  const setupOf = (operatorRules: readonly RuleFile[]): Setup => ({
    rules: sourcesOf(ownRules.files),
    operatorRules: sourcesOf(operatorRules),
    wasm: analyser.wasm,
  })

  const operatorRules = createOperatorRules({
    folder: rulesDir,
    tryOut: async (rules) => end(await start(setupOf(rules), closing.signal)),
    signal: closing.signal,
    log,
  })
  const pool = await operatorRules.begin((rules) =>
    createPool({ ...tuning, size: children, start, prove, log, setup: setupOf(rules) }),
  )
  const watcher = operatorRules.watch(tuning.rulesEveryMs, async (rules) => {
    await pool.swap(setupOf(rules))
    const { ruleCount, rulesVersion } = pool.status()
    log.info({ rulesDir, ruleCount, rulesVersion }, 'new rules of the operator are in use')
  })

  async function inspect(whole: Whole, signal: AbortSignal): Promise<Outcome> {
    if (whole.size > DOCUMENT_BYTES_MAX) return failed(`a document of ${whole.size} bytes is too large`)
    return outcomeOf(await pool.submit(whole, signal), whole.size, sensitivity)
  }

  return {
    name: 'embedded',
    async inspect(sample, signal) {
      try {
        // A child is taken when the document is whole, not while it arrives: there are as many children as cores, and
        // a slow upload would hold one for as long as it likes.
        const whole = await untilAborted(sample.whole(), signal)
        return whole === null ? failed('the document was not whole in time', true) : await inspect(whole, signal)
      } catch (error) {
        return failed(error instanceof Error ? error.message : String(error))
      }
    },
    health(): EngineHealth {
      const { ready, provenAt, problem, ruleCount, rulesVersion } = pool.status()
      const proven = provenAt !== null && performance.now() - provenAt <= tuning.proofAgeMsMax
      const changes = [analyser.rulesChangedAt, ...operatorRules.inUse().map(({ changedMs }) => changedMs)]
      const rulesProblem = operatorRules.problem()
      const detail = [
        description,
        `${ready} of ${children} children ready`,
        proven ? null : `no proof within the last minute${problem === null ? '' : `: ${shownOf(problem)}`}`,
        rulesProblem === null ? null : `rules not in use: ${rulesProblem}`,
      ]
      return {
        name: 'embedded',
        status: proven ? 'UP' : 'DOWN',
        version: analyser.version,
        signatures: `${ruleCount} rules, ${rulesVersion}`,
        signaturesAt: new Date(Math.max(...changes.map(Number))).toISOString(),
        detail: detail.filter((part) => part !== null).join('; '),
      }
    },
    async close() {
      closing.abort()
      await Promise.all([watcher.close(), pool.close()])
    },
  }
}

function failed(detail: string, late = false): Outcome {
  return { kind: 'failed', late, detail }
}

async function end(child: Child): Promise<void> {
  child.kill()
  await child.gone
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
