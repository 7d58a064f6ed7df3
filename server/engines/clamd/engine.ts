/** The clamd engine: scans with one or several clamd, and uses only those that pass the canary check. */
import { untilAborted } from '#base/abort.ts'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import type { Log } from '#base/log.ts'
import { type Engine, type EngineHealth, failed, type Outcome } from '#engines/engine.ts'
import { type Assignment, type Balancer, createBalancer, type Granted } from './balancer.ts'
import type { Chunks } from './client.ts'
import { createDaemon, type Daemon } from './daemon.ts'
import { parseClamdUrl } from './endpoint.ts'
import { createMonitor } from './monitor.ts'

const SCANS_PER_CLAMD_MAX = 10
const QUEUE_MAX = 200
/** A document that crashes one clamd must not get the chance to crash them all. */
const HANDED_OVER_MAX = 2
/** A missing or slow clamd delays the start no longer than this; it is used as soon as it passes. */
const START_TIMEOUT_MS = 15_000

export interface ClamdOptions {
  /** `unix:/path` or `tcp://host:port`. */
  urls: readonly string[]
  log: Log
  /** Milliseconds on a monotonic clock. */
  now?: () => number
  scansPerClamdMax?: number
  queueMax?: number
  /** Null: the age is only reported. */
  signaturesAgeMaxHours?: number | null
}

/** Larger documents are fetched only. The canaries prove nothing for them, and past its size limit clamd only fails. */
const TOO_LARGE: Outcome = {
  ...{ kind: 'unscannable', obstacle: 'too_complex', isCrash: true },
  detail: 'clamd scans documents of up to 25 MB.',
}

/** Resolves when the first clamd passed, or all have been checked. Throws on an invalid URL. */
export async function createClamdEngine(options: ClamdOptions): Promise<Engine> {
  const { urls, log, now = () => performance.now(), signaturesAgeMaxHours = null } = options
  if (urls.length === 0) throw new Error('No clamd URL was given')
  const endpoints = urls.map(parseClamdUrl)
  const daemons: Daemon[] = []
  const balancer = createBalancer(daemons, {
    perDaemonMax: options.scansPerClamdMax ?? SCANS_PER_CLAMD_MAX,
    queueMax: options.queueMax ?? QUEUE_MAX,
  })
  for (const endpoint of endpoints) {
    const monitor = createMonitor(endpoint, { log, now, signaturesAgeMaxHours, onChange: balancer.update })
    daemons.push(createDaemon(endpoint, monitor, now))
  }
  await untilFirstPassed(daemons)
  const running = new Set<Promise<Outcome>>()

  return {
    name: 'clamd',
    inspect({ chunks, size }, signal, account = '') {
      if (size > DOCUMENT_BYTES_MAX) return Promise.resolve(TOO_LARGE)
      const outcome = scan(balancer, daemons, { chunks, account }, signal).catch((error: unknown): Outcome => {
        log.error({ err: error }, 'clamd engine failed unexpectedly')
        return failed('unexpected error')
      })
      running.add(outcome)
      outcome.then(() => running.delete(outcome))
      return outcome
    },
    health: () => healthOf(daemons),
    version: () => versionOf(daemons),
    async close() {
      balancer.close()
      await Promise.all(daemons.map(({ monitor }) => monitor.close()))
      await Promise.all(running)
    },
  }
}

async function scan(
  balancer: Balancer,
  daemons: readonly Daemon[],
  { chunks, account }: { chunks: Chunks; account: string },
  signal: AbortSignal,
): Promise<Outcome> {
  const tried = new Set<Daemon>()
  let failure: Outcome | null = null
  let handedOver = 0
  while (!failure || handedOver < HANDED_OVER_MAX) {
    const assignment = await balancer.acquire(account, tried, signal)
    if (assignment.kind !== 'granted') return failure ?? refusal(assignment, daemons)
    const { daemon } = assignment
    const attempt = await scanWith(assignment, chunks, signal)
    if (!attempt.retry) return attempt.outcome
    failure = attempt.outcome
    tried.add(daemon)
    if (attempt.handedOver) handedOver++
  }
  return failure
}

async function scanWith({ daemon, release }: Granted, chunks: Chunks, signal: AbortSignal) {
  try {
    return await daemon.scan(chunks, signal)
  } finally {
    release()
  }
}

async function untilFirstPassed(daemons: readonly Daemon[]): Promise<void> {
  const passes = daemons.map(async ({ monitor }) => {
    await monitor.first
    if (monitor.problem() !== null) throw new Error('not passed')
  })
  await untilAborted(AbortSignal.timeout(START_TIMEOUT_MS), Promise.any(passes)).catch(() => {})
}

function refusal(assignment: Assignment, daemons: readonly Daemon[]): Outcome {
  if (assignment.kind === 'late') return failed('no clamd was free before the deadline', true)
  if (assignment.kind === 'full') return failed('the queue for clamd is full')
  const problems = daemons.map(
    ({ endpoint, monitor }) => `${endpoint.url} ${monitor.problem()?.detail ?? 'was tried already'}`,
  )
  return failed(`no clamd is usable: ${problems.join('; ')}`)
}

/** Public: names a clamd by its place in the list of URLs, without its URL. */
function notices(daemons: readonly Daemon[]): string[] {
  return daemons.flatMap(({ monitor }, index) => {
    const problem = monitor.problem()
    const place = daemons.length === 1 ? '' : ` ${index + 1} of ${daemons.length}:`
    return problem === null ? [] : [`clamd${place} ${problem.notice}`]
  })
}

const usableOf = (daemons: readonly Daemon[]) => daemons.filter(({ monitor }) => monitor.problem() === null)

/** Of the oldest signatures in use, because any document may have been scanned with them. */
function versionOf(daemons: readonly Daemon[]) {
  const usable = usableOf(daemons)
  const ageOf = ({ monitor }: Daemon) => monitor.version()?.signaturesAt?.getTime() ?? Number.POSITIVE_INFINITY
  const [oldest] = (usable.length > 0 ? usable : daemons).toSorted((a, b) => ageOf(a) - ageOf(b))
  const found = oldest?.monitor.version()
  return {
    version: found?.version ?? null,
    signatures: found?.signatures ?? null,
    signaturesAt: found?.signaturesAt ?? null,
  }
}

function healthOf(daemons: readonly Daemon[]): EngineHealth {
  const { signaturesAt, ...version } = versionOf(daemons)
  return {
    name: 'clamd',
    status: usableOf(daemons).length > 0 ? 'UP' : 'DOWN',
    ...version,
    signaturesAt: signaturesAt?.toISOString() ?? null,
    detail: notices(daemons).join('; ') || null,
  }
}
