/** Proves one clamd again and again: documents go only to one that has just shown that it finds what it must find. */
import type { Log } from '#base/log.ts'
import type { ClamdAddress } from './address.ts'
import { LARGE_CANARIES, SMALL_CANARIES } from './canaries.ts'
import { checkCanaries, checkVersion, type Finding } from './check.ts'
import type { ClamdVersion } from './version.ts'

/** Together with what a round takes no more than a minute, which is how old the word UP may be. */
const ROUND_EVERY_MS = 45_000
const VALID_MS = 60_000
const RETRY_SILENT_MS = 1_000
const RETRY_WRONG_MS = 5_000
const CIRCUIT_OPEN_MS = 5_000
/** How long a clamd that is too busy to answer the large files, but answers the small ones, keeps its name. */
const LARGE_VALID_MS = 5 * 60_000
/** A wrong setting is repaired by a restart, which is noticed; the large files need not be sent again every time. */
const LARGE_RETRY_WRONG_MS = 60_000

/** As it follows "clamd": for everybody, and for the log. */
export type Trouble = Pick<Finding, 'notice' | 'detail'>

export interface Proof {
  /** Null: documents may go there. Otherwise why not. */
  trouble(): Trouble | null
  readonly version: ClamdVersion | null
  /** When the last round began that it stood. */
  readonly provenAt: number
  /** Something looked wrong: prove it soon, rather than at the next turn. */
  doubt(): void
  /** Not to be used until it has been proven again, and left alone for a while first. */
  revoke(reason: Trouble): void
  /** It has answered a document sensibly: slow to prove, then, but alive. */
  noteAnswer(): void
  /** Resolves after the first round, whatever came out. */
  first: Promise<void>
  close(): Promise<void>
}

export interface ProofOptions {
  log: Log
  now: () => number
  signaturesAgeMaxHours: number | null
  onChange(): void
}

export function createProof(address: ClamdAddress, { log, now, signaturesAgeMaxHours, onChange }: ProofOptions): Proof {
  let closed = false
  let interruption = new AbortController()
  const first = Promise.withResolvers<void>()
  let version: ClamdVersion | null = null
  let problem: Trouble | null = trouble('has not been proven yet')
  let provenAt = Number.NEGATIVE_INFINITY
  let answeredAt = Number.NEGATIVE_INFINITY
  let revokedAt = Number.NEGATIVE_INFINITY
  /** `at`: when it was last answered; `sentAt`: or only sent. */
  let large: { at: number; sentAt: number; version: string; finding: Finding | null } | null = null
  let roundAt = Number.NEGATIVE_INFINITY
  let doubted = false
  /** Ends the pause between rounds that soon. */
  let hasten: ((ms: number) => void) | null = null

  function become(next: Trouble | null): void {
    if (next?.detail === problem?.detail) return
    problem = next
    if (next === null) log.info({ clamd: address.url, version }, 'clamd is proven')
    else log.warn({ clamd: address.url, detail: next.detail }, 'clamd is not used')
    onChange()
  }

  /** Not in the rounds between that a doubt brings: who hangs up on us again and again must not keep clamd busy. */
  async function checkLarge(startedAt: number): Promise<Finding | null> {
    const known = JSON.stringify(version)
    const everyMs = large?.finding ? LARGE_RETRY_WRONG_MS : ROUND_EVERY_MS
    // A timer may fire a little early: what is due within the shortest pause is due now.
    const isDue = !large || large.version !== known || startedAt - large.sentAt >= everyMs - RETRY_SILENT_MS
    if (large && !isDue) return large.finding
    const finding = await checkCanaries(address, LARGE_CANARIES, interruption.signal)
    if (finding?.kind !== 'silent') large = { at: startedAt, sentAt: startedAt, version: known, finding }
    // Busy, or on its way down, which the small ones will show: what was proven a while ago holds on.
    else if (large && !large.finding && startedAt - large.at < LARGE_VALID_MS) {
      large = { ...large, sentAt: startedAt }
      return null
    }
    return finding
  }

  async function check(startedAt: number): Promise<Finding | null> {
    const about = await checkVersion(address, signaturesAgeMaxHours, interruption.signal)
    version = about.version ?? version
    const finding = about.finding ?? (await checkCanaries(address, SMALL_CANARIES, interruption.signal))
    if (finding) return finding
    // Not only when the large ones are through as well: they may take until after the end of the minute.
    if (problem === null) provenAt = startedAt
    return checkLarge(startedAt)
  }

  async function round(): Promise<Finding | null> {
    const startedAt = now()
    roundAt = startedAt
    interruption = new AbortController()
    doubted = false
    const finding = await check(startedAt)
    // It may come back with other settings.
    if (finding?.kind === 'gone') large = null
    const overtaken = closed || revokedAt >= startedAt
    const busy = finding?.kind === 'silent' && problem === null && answeredAt > startedAt
    if (overtaken || busy) return finding
    if (!finding) provenAt = startedAt
    become(finding)
    return finding
  }

  function pauseMs(finding: Finding | null): number {
    if (finding) return finding.kind === 'wrong' ? RETRY_WRONG_MS : RETRY_SILENT_MS
    const dueAt = (large?.sentAt ?? roundAt) + ROUND_EVERY_MS
    return doubted ? RETRY_SILENT_MS : Math.max(RETRY_SILENT_MS, dueAt - now())
  }

  async function run(): Promise<void> {
    while (!closed) {
      const finding = await round().catch((error: unknown): Finding => {
        log.error({ err: error, clamd: address.url }, 'clamd could not be proven')
        const finding: Finding = { kind: 'wrong', ...trouble('could not be proven') }
        become(finding)
        return finding
      })
      first.resolve()
      await pauseUntil(now() + pauseMs(finding))
      // Nothing shortens the time that an open circuit is left alone for.
      while (!closed && revokedAt + CIRCUIT_OPEN_MS > now()) await pauseUntil(revokedAt + CIRCUIT_OPEN_MS)
    }
  }

  async function pauseUntil(at: number): Promise<void> {
    if (closed) return
    const { promise, resolve } = Promise.withResolvers<void>()
    let timer = setTimeout(resolve, at - now()).unref()
    hasten = (ms) => {
      clearTimeout(timer)
      // Not by a timer when it ends: nothing might be left that keeps the process alive for it.
      if (closed) resolve()
      else timer = setTimeout(resolve, ms).unref()
    }
    await promise
    hasten = null
    clearTimeout(timer)
  }

  const running = run()

  return {
    trouble() {
      if (problem !== null) return problem
      return now() - provenAt <= VALID_MS ? null : trouble('was not proven within the last minute')
    },
    get version() {
      return version
    },
    get provenAt() {
      return provenAt
    },
    doubt() {
      if (doubted || problem !== null) return
      doubted = true
      hasten?.(Math.max(0, roundAt + RETRY_SILENT_MS - now()))
    },
    revoke(reason) {
      revokedAt = now()
      interruption.abort()
      become(reason)
      hasten?.(CIRCUIT_OPEN_MS)
    },
    noteAnswer() {
      answeredAt = now()
    },
    first: first.promise,
    async close() {
      closed = true
      interruption.abort()
      hasten?.(0)
      await running
    },
  }
}

function trouble(notice: string): Trouble {
  return { notice, detail: notice }
}
