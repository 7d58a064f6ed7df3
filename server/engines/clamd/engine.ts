/** The engine that asks ClamAV: one or several clamd, of which only proven ones get a document. */
import type { Log } from '#base/log.ts'
import type { Engine, EngineHealth, Outcome } from '#engines/engine.ts'
import type { Sample } from '#engines/sample.ts'
import { parseClamdUrl } from './address.ts'
import { createDaemon, type Daemon, type Upload } from './daemon.ts'
import { createProof } from './proof.ts'
import { createSlots, type Slot } from './slots.ts'

const SCANS_PER_CLAMD_MAX = 10
const WAITING_MAX = 200
/** A document that kills one clamd must not get the chance to kill them all. */
const HANDED_OVER_MAX = 2
/** A clamd that is not there, or slow, holds the start up no longer than this; it is proven as soon as it can be. */
const START_TIMEOUT_MS = 15_000

export interface ClamdOptions {
  /** `unix:/path` or `tcp://host:port`. */
  urls: readonly string[]
  log: Log
  /** Milliseconds on a clock that never goes back. */
  now?: () => number
  scansPerClamdMax?: number
  waitingMax?: number
  /** Null: the age is only reported. */
  signaturesAgeMaxHours?: number | null
}

/** Resolves when the first of them is proven, or when all have been tried. Throws on an address that is none. */
export async function createClamdEngine(options: ClamdOptions): Promise<Engine> {
  const { urls, log, now = () => performance.now(), signaturesAgeMaxHours = null } = options
  if (urls.length === 0) throw new Error('no address of a clamd was given')
  const addresses = urls.map(parseClamdUrl)
  const daemons: Daemon[] = []
  const slots = createSlots(daemons, {
    perDaemonMax: options.scansPerClamdMax ?? SCANS_PER_CLAMD_MAX,
    waitingMax: options.waitingMax ?? WAITING_MAX,
  })
  const onChange = () => slots.changed()
  for (const address of addresses) {
    const proof = createProof(address, { log, now, signaturesAgeMaxHours, onChange })
    daemons.push(createDaemon(address, proof, now))
  }
  await untilFirstProven(daemons)
  const running = new Set<Promise<Outcome>>()

  async function inspect(sample: Sample, signal: AbortSignal): Promise<Outcome> {
    const upload: Upload = { isWhole: false }
    const ended = () => {
      upload.isWhole = true
      slots.changed()
    }
    // One that is given up has all it will ever have: whoever reads it is told.
    sample.whole().then(ended, ended)
    const tried = new Set<Daemon>()
    let failure: Outcome | null = null
    let handedOver = 0
    while (!failure || handedOver < HANDED_OVER_MAX) {
      const slot = await slots.take(upload, tried, signal)
      if (slot.kind !== 'granted') return failure ?? refusal(slot, daemons)
      const { daemon } = slot
      const attempt = await daemon.scan(sample.read(), signal).finally(() => slots.release(upload, daemon))
      if (!attempt.retry) return attempt.outcome
      failure = attempt.outcome
      tried.add(daemon)
      if (attempt.handedOver) handedOver++
    }
    return failure
  }

  return {
    name: 'clamd',
    inspect(sample, signal) {
      const scan = inspect(sample, signal).catch((error: unknown): Outcome => {
        log.error({ err: error }, 'clamd engine failed unexpectedly')
        return { kind: 'failed', late: false, detail: 'unexpected error' }
      })
      running.add(scan)
      scan.then(() => running.delete(scan))
      return scan
    },
    health: () => healthOf(daemons),
    async close() {
      slots.close()
      await Promise.all(daemons.map((daemon) => daemon.proof.close()))
      await Promise.all(running)
    },
  }
}

async function untilFirstProven(daemons: readonly Daemon[]): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, START_TIMEOUT_MS)
  const provens = daemons.map(async ({ proof }) => {
    await proof.first
    if (proof.trouble() !== null) throw new Error('not proven')
  })
  await Promise.race([Promise.any(provens).catch(() => {}), late.promise])
  clearTimeout(timer)
}

function refusal(slot: Slot, daemons: readonly Daemon[]): Outcome {
  if (slot.kind === 'late') return { kind: 'failed', late: true, detail: 'no clamd was free before the deadline' }
  if (slot.kind === 'full') return { kind: 'failed', late: false, detail: 'too many documents wait for clamd' }
  const troubles = daemons.map(({ address, proof }) => `${address.url} ${proof.trouble()?.detail ?? 'was tried'}`)
  return { kind: 'failed', late: false, detail: `no clamd is proven: ${troubles.join('; ')}` }
}

/** For everybody: which one, by its place in the list of addresses, but not where it is. */
function notices(daemons: readonly Daemon[]): string[] {
  return daemons.flatMap(({ proof }, index) => {
    const trouble = proof.trouble()
    if (trouble === null) return []
    return daemons.length === 1
      ? [`clamd ${trouble.notice}`]
      : [`clamd ${index + 1} of ${daemons.length}: ${trouble.notice}`]
  })
}

function healthOf(daemons: readonly Daemon[]): EngineHealth {
  const proven = daemons.filter(({ proof }) => proof.trouble() === null)
  // Of several, the one with the oldest signatures speaks for all: a document may have been scanned by that one.
  const ageOf = ({ proof }: Daemon) => proof.version?.signaturesAt?.getTime() ?? Number.POSITIVE_INFINITY
  const [speaker] = (proven.length > 0 ? proven : daemons).toSorted((a, b) => ageOf(a) - ageOf(b))
  const version = speaker?.proof.version
  return {
    name: 'clamd',
    status: proven.length > 0 ? 'UP' : 'DOWN',
    version: version?.version ?? null,
    signatures: version?.signatures ?? null,
    signaturesAt: version?.signaturesAt?.toISOString() ?? null,
    detail: notices(daemons).join('; ') || null,
  }
}
