/** The embedded engine: Docvet's own analyser in sandboxed workers, so that scanning works with nothing else installed. */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiledProgram } from '#base/compiled.ts'
import { DOCUMENT_BYTES_MAX, FETCHED_BYTES_MAX } from '#base/document-limit.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import { VERSION } from '#base/version.ts'
import { type Engine, type EngineHealth, failed, type WorkerCount } from '#engines/engine.ts'
import type { Whole } from '#engines/sample.ts'
import { sniff } from '#inspect/detect/sniff.ts'
import type { Scores } from '#inspect/inspect.ts'
import { publicMessageOf } from './errors.ts'
import { applyFeeds } from './feeds/apply.ts'
import type { Feed } from './feeds/feed-files.ts'
import { createFeeds, type Feeds } from './feeds/feeds.ts'
import { applyPolicy, type Policy } from './policy/policy.ts'
import { createPolicyFile, type PolicyFile } from './policy/policy-file.ts'
import { createPool, type Pool } from './pool.ts'
import { outcomeOf, type Reply, type Sensitivity } from './report.ts'
import { createOperatorRules, type OperatorRules } from './rules/operator-rules.ts'
import type { RuleFile } from './rules/rule-files.ts'
import { commandLine } from './sandbox.ts'
import { isWeak, type SelectedSandbox, selectSandbox } from './select-sandbox.ts'
import { selfTest } from './self-test.ts'
import { DEFAULTS, type Tuning } from './tuning.ts'
import type { Setup } from './worker.ts'
import { startWorker, type Worker } from './worker-process.ts'

export type AnalyserFiles = ReturnType<typeof findAnalyser>

export interface EmbeddedOptions {
  /** Null: one per core. */
  workers?: number | null
  /** The operator's own rules. */
  rulesDir: string | null
  /** How the `score` of a rule counts. */
  scores?: Scores | undefined
  /** Rejects if one of their files cannot be used, instead of going on without it. */
  needsAllRules?: boolean
  /** The operator's lists of addresses and files. With `needsAllRules`, all of them must be usable. */
  feedsDir?: string | null
  sensitivity: Sensitivity
  /** The operator's policy, and the file that it is from if it shall be watched. */
  policy?: Policy | null
  policyFile?: string | null
  /** The largest document that a worker must have memory for. */
  documentBytesMax?: number
  log: Log
  /** For tests. */
  analyser?: AnalyserFiles
  sandbox?: SelectedSandbox
  tuning?: Partial<Tuning>
}

/** Enough to recognise most types for the log. */
const TYPE_BYTES_MAX = 4_096
const ROOT = path.join(import.meta.dirname, '../../..')
const WORKER = path.join(import.meta.dirname, 'worker.ts')
const WORKER_IMPORTS = [
  'protocol.ts',
  '../checksum.ts',
  '../../base/collect-garbage.ts',
  '../../base/document-limit.ts',
  '../../base/message-of.ts',
].map((name) => path.join(import.meta.dirname, name))

/** Resolves when every worker passed its self-test. Rejects when no sandbox is usable, or a worker cannot be started. */
export async function createEmbeddedEngine(options: EmbeddedOptions): Promise<Engine> {
  const { log, rulesDir, sensitivity, analyser = findAnalyser() } = options
  const size = options.workers ?? availableParallelism()
  const tuning = withMemoryFor(options.documentBytesMax ?? DOCUMENT_BYTES_MAX, { ...DEFAULTS, ...options.tuning })
  const { sandbox, description } = options.sandbox ?? (await selectSandbox(tuning, log))
  const closing = new AbortController()
  const { policy: firstPolicy = null, policyFile: file = null } = options
  const policy = createPolicyFile({ file, policy: firstPolicy, signal: closing.signal, log })

  const feeds = createFeeds({ folder: options.feedsDir ?? null, signal: closing.signal, log })
  await feeds.load()

  let onCapped: (sha256: string) => void = () => {}
  async function start(setup: Setup, signal: AbortSignal): Promise<Worker> {
    // Looked up each time, because compiled programs are removed some versions later.
    const { module, read } = options.analyser ?? findAnalyser()
    const compiled = compiledProgram('worker')
    const program = compiled === null ? { file: WORKER, read: [...WORKER_IMPORTS, ...read] } : { file: compiled, read }
    const command = commandLine(sandbox, tuning, { ...program, args: [module] })
    if (command === null) throw new Error(`The sandbox ${sandbox.level} is not usable any more`)
    const rssBytesMax = sandbox.level === 'permission' ? tuning.memoryBytes : null
    const worker = await startWorker({
      ...{ command, log, rssBytesMax, signal },
      limits: { cpuMsMax: tuning.scanCpuMsMax, wallMsMax: tuning.scanWallMsMax },
      setup,
      msMax: tuning.startMsMax,
    })
    const failure = await selfTest(worker, signal)
    if (failure !== null) {
      await end(worker)
      throw failure
    }
    return worker
  }

  const setupOf = (operatorRules: readonly RuleFile[]): Setup => ({
    ...{ operatorRules, scores: options.scores, wasm: analyser.wasm },
  })

  const operatorRules = createOperatorRules({
    folder: rulesDir,
    tryOut: async (own) => end(await start(setupOf(own), closing.signal)),
    signal: closing.signal,
    log,
  })
  const pool = await operatorRules.load((own) =>
    createPool({
      ...{ tuning, size, start, log, setup: setupOf(own) },
      typeOf,
      onCapped: (sha256) => onCapped(sha256),
    }),
  )
  const unused = options.needsAllRules ? (operatorRules.problem() ?? feeds.problem()) : null
  if (unused !== null) {
    closing.abort()
    await pool.close()
    throw new Error(unused)
  }
  const watching = operatorRules.watch(tuning.rulesEveryMs, async (own) => {
    await pool.swap(setupOf(own))
    const { ruleCount, rulesVersion } = pool.rules()
    log.info({ rulesDir, ruleCount, rulesVersion }, 'Operator rules reloaded')
  })

  const watchingOthers = [policy.watch(tuning.rulesEveryMs), feeds.watch(tuning.rulesEveryMs)]

  return {
    name: 'embedded',
    async inspect(document, signal, accountId = '', address) {
      try {
        const { size } = document
        if (size > FETCHED_BYTES_MAX) return failed(`a document of ${size} bytes is too large`)
        const wantsIndicators = feeds.wanted()
        const wanted = wantsIndicators.length === 0 ? document : { ...document, wantsIndicators }
        const found = await pool.submit(wanted, signal, { account: accountId, address })
        const reply = judged(found, feeds.inUse(), policy.current())
        const outcome = outcomeOf(reply, size, sensitivity)
        const { findings = [], text } = reply.kind === 'answered' ? reply.answer.report : {}
        const known = text === undefined ? outcome : { ...outcome, text }
        return findings.length === 0 ? known : { ...known, findings }
      } catch (error) {
        return failed(messageOf(error), signal.aborted)
      }
    },
    health: (elsewhere) =>
      healthOf(pool, elsewhere, {
        ...{ operatorRules, policy, feeds, analyser, description, size, ageMsMax: tuning.selfTestAgeMsMax },
        isSandboxWeak: isWeak(sandbox),
      }),
    version: () => versionOf(pool, feeds, analyser),
    shareEndings({ note }) {
      onCapped = note
      return pool.ban
    },
    stats() {
      const { ready, queued, started } = pool.status()
      return { ready, size, queued, started }
    },
    async close() {
      closing.abort()
      await Promise.all([watching, ...watchingOthers, pool.close()])
    },
  }
}

const SIGNATURES = 'judge/signatures.json'

/** The bytes of a document, a copy in the memory of YARA-X, and a text that is made of it. */
const COPIES_MAX = 3

function withMemoryFor(bytesMax: number, tuning: Tuning): Tuning {
  const more = COPIES_MAX * Math.max(0, bytesMax - DOCUMENT_BYTES_MAX)
  return { ...tuning, memoryBytes: tuning.memoryBytes + more }
}

/** The files of the analyser: the parent passes them to its workers and runs none of them itself. */
export function findAnalyser() {
  const yara = packageFolder('@virustotal/yara-x')
  const inspect = path.join(ROOT, 'inspect')
  const manifest = path.join(ROOT, 'package.json')
  const wasm = path.join(yara, 'yara_x_js_bg.wasm')
  const compiled = compiledProgram('analyser')
  /** The compiled analyser contains it. */
  const sources = () => [`${inspect}/`, `${path.dirname(yara)}/`, `${packageFolder('qr')}/`, manifest]
  return {
    /** Imported by the worker. */
    module: compiled ?? path.join(inspect, 'inspect.ts'),
    /** Files that a worker may read; folders end in `/`. */
    read: compiled === null ? sources() : [compiled, wasm],
    wasm,
    /** When a built-in signature last changed. Not by file times, which are those of the installation. */
    signaturesChangedAt: new Date(JSON.parse(readFileSync(path.join(inspect, SIGNATURES), 'utf8')).changedAt),
    version: VERSION,
  }
}

const packageFolder = (name: string): string => path.dirname(fileURLToPath(import.meta.resolve(name)))

/** As the lists and the policy of the operator see it. */
function judged(reply: Reply, feeds: readonly Feed[], policy: Policy | null): Reply {
  if (reply.kind !== 'answered' || (feeds.length === 0 && policy === null)) return reply
  const listed = applyFeeds(reply.answer.report, feeds)
  return { ...reply, answer: { ...reply.answer, report: policy === null ? listed : applyPolicy(listed, policy) } }
}

/** By its first bytes; null when they are gone. */
function typeOf({ chunks: [first] }: Whole): string | null {
  return first === undefined ? null : sniff(first.subarray(0, TYPE_BYTES_MAX)).type
}

const NO_ANSWER = 'no worker answers'
const NO_SELF_TEST = 'no self-test passed within the last minute'

interface Parts {
  operatorRules: OperatorRules
  policy: PolicyFile
  feeds: Feeds
  analyser: AnalyserFiles
  description: string
  isSandboxWeak: boolean
  size: number
  ageMsMax: number
}

function versionOf(pool: Pool, feeds: Feeds, { version }: AnalyserFiles) {
  const { ruleCount, rulesVersion } = pool.rules()
  const lists = feeds.inUse().length === 0 ? '' : `, ${feeds.inUse().length} lists, ${feeds.version()}`
  return { version, signatures: `${ruleCount} rules, ${rulesVersion}${lists}` }
}

function healthOf(
  pool: Pool,
  elsewhere: WorkerCount | undefined,
  { operatorRules, policy, feeds, ...engine }: Parts,
): EngineHealth {
  const { ready, isAlive, testedAt, problem } = pool.status()
  const isTested = testedAt !== null && performance.now() - testedAt <= engine.ageMsMax
  const problems = [
    ['rules not in use', operatorRules.problem()],
    ['policy not in use', policy.problem()],
    ['lists not in use', feeds.problem()],
    ['stale lists', feeds.stale()],
  ].flatMap(([what, said]) => (said === null ? [] : [`${what}: ${said}`]))
  const inForce = policy.current()
  const changes = [engine.analyser.signaturesChangedAt, ...operatorRules.inUse().map(({ changedMs }) => changedMs)]
  const why = problem === null ? '' : `: ${publicMessageOf(problem)}`
  return {
    name: 'embedded',
    status: isTested ? 'UP' : 'DOWN',
    ...versionOf(pool, feeds, engine.analyser),
    signaturesAt: new Date(Math.max(...changes.map(Number))).toISOString(),
    detail: [
      engine.description,
      `${ready + (elsewhere?.ready ?? 0)} of ${engine.size + (elsewhere?.size ?? 0)} workers ready`,
      ...(isTested ? [] : [`${ready === 0 && isAlive ? NO_ANSWER : NO_SELF_TEST}${why}`]),
      ...problems,
    ].join('; '),
    ...((engine.isSandboxWeak || problems.length > 0) && { isDegraded: true }),
    ...(inForce && { policy: inForce.sha256 }),
  }
}

async function end(worker: Worker): Promise<void> {
  worker.kill()
  await worker.gone
}
