/** The embedded engine: Docvet's own analyser in sandboxed workers, so that scanning works with nothing else installed. */
import { availableParallelism } from 'node:os'
import { DOCUMENT_BYTES_MAX, FETCHED_BYTES_MAX } from '#base/document-limit.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import { type Engine, type EngineHealth, failed, type WorkerCount } from '#engines/engine.ts'
import type { Whole } from '#engines/sample.ts'
import { sniff } from '#inspect/detect/sniff.ts'
import type { RuleSource, Scores } from '#inspect/inspect.ts'
import { publicMessageOf } from './errors.ts'
import { applyFeeds } from './feeds/apply.ts'
import type { Feed } from './feeds/feed-files.ts'
import { createFeeds, type Feeds, wantedBy } from './feeds/feeds.ts'
import { applyPolicy, type Policy } from './policy/policy.ts'
import { createPolicyFile, type PolicyFile } from './policy/policy-file.ts'
import { createPool, type Pool } from './pool.ts'
import { outcomeOf, type Reply, type Sensitivity } from './report.ts'
import { createOperatorRules, type OperatorRules } from './rules/operator-rules.ts'
import type { SelectedSandbox } from './select-sandbox.ts'
import { type AnalyserFiles, createStarter, end, findAnalyser } from './starter.ts'
import { DEFAULTS, type Tuning } from './tuning.ts'
import type { Contents } from './updates/contents.ts'
import { prove } from './updates/self-check.ts'
import { createUpdates, NO_CHANNEL, type UpdateOptions, type Updates } from './updates/updates.ts'
import type { Setup } from './worker-loop.ts'

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
  /** The channel of rules. */
  updates?: UpdateOptions | undefined
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
/** Resolves when every worker passed its self-test. Rejects when no sandbox is usable, or a worker cannot be started. */
export async function createEmbeddedEngine(options: EmbeddedOptions): Promise<Engine> {
  const { log, rulesDir, sensitivity, analyser = findAnalyser() } = options
  const size = options.workers ?? availableParallelism()
  const tuning = withMemoryFor(options.documentBytesMax ?? DOCUMENT_BYTES_MAX, { ...DEFAULTS, ...options.tuning })
  const { start, description, isWeak } = await createStarter(options, tuning)
  const closing = new AbortController()
  const { policy: firstPolicy = null, policyFile: file = null } = options
  const policy = createPolicyFile({ file, policy: firstPolicy, signal: closing.signal, log })

  const feeds = createFeeds({ folder: options.feedsDir ?? null, signal: closing.signal, log })
  await feeds.load()

  let onCapped: (sha256: string) => void = () => {}
  const setupOf = (own: readonly RuleSource[], channel: Contents['setup'] = updates.setup()): Setup => ({
    ...{ ...channel, operatorRules: [...channel.operatorRules, ...own], scores: options.scores, wasm: analyser.wasm },
  })
  const updates = createUpdates({
    ...{ log, signal: closing.signal, ...(options.updates ?? NO_CHANNEL) },
    // Without those of the operator, which may hit what they like.
    prove: async ({ setup, lists }) => prove(await start(setupOf([], setup), closing.signal), lists, closing.signal),
  })

  const operatorRules = createOperatorRules({
    folder: rulesDir,
    tryOut: async (own) => end(await start(setupOf(own), closing.signal)),
    signal: closing.signal,
    log,
  })
  await updates.load()
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

  const exchange = async () => {
    await pool.swap(setupOf(operatorRules.inUse()))
    log.info(pool.rules(), 'Rules of the channel in use')
  }
  const watchingOthers = [
    policy.watch(tuning.rulesEveryMs),
    feeds.watch(tuning.rulesEveryMs),
    updates.watch(tuning.rulesEveryMs, exchange),
    updates.follow(),
  ]

  return {
    name: 'embedded',
    async inspect(document, signal, accountId = '', address) {
      try {
        const { size } = document
        if (size > FETCHED_BYTES_MAX) return failed(`a document of ${size} bytes is too large`)
        const lists = [...feeds.inUse(), ...updates.lists()]
        const wantsIndicators = wantedBy(lists)
        const wanted = wantsIndicators.length === 0 ? document : { ...document, wantsIndicators }
        const found = await pool.submit(wanted, signal, { account: accountId, address })
        const reply = judged(found, lists, policy.current())
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
        ...{ operatorRules, policy, feeds, updates, analyser, description, size, ageMsMax: tuning.selfTestAgeMsMax },
        isSandboxWeak: isWeak,
      }),
    version: () => versionOf(pool, feeds, analyser),
    shareEndings({ note }) {
      onCapped = note
      return pool.ban
    },
    stats() {
      const { ready, queued, started } = pool.status()
      const known = updates.health()
      const inForce = known && { version: known.version ?? 0, isCurrent: updates.problem() === null }
      return { ready, size, queued, started, ...(inForce && { updates: inForce }) }
    },
    async close() {
      closing.abort()
      await Promise.all([watching, ...watchingOthers, pool.close()])
    },
  }
}

/** The bytes of a document, a copy in the memory of YARA-X, and a text that is made of it. */
const COPIES_MAX = 3

function withMemoryFor(bytesMax: number, tuning: Tuning): Tuning {
  const more = COPIES_MAX * Math.max(0, bytesMax - DOCUMENT_BYTES_MAX)
  return { ...tuning, memoryBytes: tuning.memoryBytes + more }
}

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
  updates: Updates
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
  { operatorRules, policy, feeds, updates, ...engine }: Parts,
): EngineHealth {
  const { ready, isAlive, testedAt, problem } = pool.status()
  const isTested = testedAt !== null && performance.now() - testedAt <= engine.ageMsMax
  const problems = [
    ['rules not in use', operatorRules.problem()],
    ['policy not in use', policy.problem()],
    ['lists not in use', feeds.problem()],
    ['stale lists', feeds.stale()],
    ['updates not in use', updates.problem()],
  ].flatMap(([what, said]) => (said === null ? [] : [`${what}: ${said}`]))
  const inForce = policy.current()
  const known = updates.health()
  const published = known?.publishedAt
  const changes = [
    engine.analyser.signaturesChangedAt,
    ...(published ? [new Date(published)] : []),
    ...operatorRules.inUse().map(({ changedMs }) => changedMs),
  ]
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
    rules: pool.rulesSha256(),
    ...(inForce && { policy: inForce.sha256 }),
    ...(known && { updates: known }),
  }
}
