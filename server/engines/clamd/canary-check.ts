/** One canary check of a clamd: asks for its version, sends it canaries, and reports the first failure. */
import { type Canary, LARGE_CANARIES, type Problem, problemOf } from './canaries.ts'
import { ask, type Exchange, sendDocument } from './client.ts'
import type { ClamdEndpoint } from './endpoint.ts'
import { outcomeOf } from './reply.ts'

const SMALL_TIMEOUT_MS = 5_000
const LARGE_TIMEOUT_MS = 30_000
const HOUR_MS = 3_600_000

export interface CheckFailure extends Problem {
  /** `wrong`: a wrong answer or setting; `silent`: no answer in time; `gone`: no connection, or a broken one. */
  kind: 'wrong' | 'silent' | 'gone'
}

export interface ClamdVersion {
  version: string
  signatures: string | null
  signaturesAt: Date | null
}

export async function checkVersion(
  endpoint: ClamdEndpoint,
  ageMaxHours: number | null,
  interruption: AbortSignal,
): Promise<{ version: ClamdVersion | null; failure: CheckFailure | null }> {
  const exchange = await ask(endpoint, 'VERSION', within(SMALL_TIMEOUT_MS, interruption))
  if (exchange.kind !== 'answered') return { version: null, failure: noAnswer(exchange) }
  // Some builds let operators disable VERSION; then the canaries decide, unless a maximum age is set.
  const version = readVersion(exchange.reply)
  const notice = ageMaxHours === null ? null : staleness(version, ageMaxHours)
  return { version, failure: notice === null ? null : { kind: 'wrong', notice, detail: notice } }
}

function staleness(version: ClamdVersion | null, ageMaxHours: number): string | null {
  if (!version?.signaturesAt) return 'does not report the age of its signatures, but a maximum age is set'
  const ageHours = (Date.now() - version.signaturesAt.getTime()) / HOUR_MS
  if (ageHours <= ageMaxHours) return null
  return `has signatures that are ${Math.ceil(ageHours)} hours old (maximum ${ageMaxHours}): run freshclam`
}

/** One after another, so that a check does not slow down documents. The first failure ends it. */
export async function checkCanaries(
  endpoint: ClamdEndpoint,
  canaries: readonly Canary[],
  interruption: AbortSignal,
): Promise<CheckFailure | null> {
  for (const canary of canaries) {
    const timeoutMs = canaries === LARGE_CANARIES ? LARGE_TIMEOUT_MS : SMALL_TIMEOUT_MS
    const exchange = await sendDocument(endpoint, canary.document(), within(timeoutMs, interruption))
    if (exchange.kind !== 'answered') {
      const failure = noAnswer(exchange)
      return { ...failure, detail: `${failure.detail} (canary: ${canary.name})` }
    }
    const problem = problemOf(canary, outcomeOf(exchange))
    if (problem) return { kind: 'wrong', ...problem }
  }
  return null
}

function noAnswer(exchange: Exclude<Exchange, { kind: 'answered' }>): CheckFailure {
  if (exchange.kind === 'unanswered') {
    const notice = exchange.connected ? 'closes connections without an answer' : 'cannot be reached'
    return { kind: 'gone', notice, detail: exchange.detail }
  }
  return { kind: 'silent', notice: 'did not answer in time', detail: 'did not answer in time' }
}

function within(timeoutMs: number, interruption: AbortSignal): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(timeoutMs), interruption])
}

/**
 * `ClamAV 1.4.6/27000/Mon Nov  2 08:00:00 2026`; without the official database only `ClamAV 1.4.6`.
 * The date is the local time of clamd's machine without a time zone; it is read as UTC.
 */
export function readVersion(reply: Buffer): ClamdVersion | null {
  const match = /^ClamAV ([\w.+~-]{1,40})(?:\/(\d{1,10})\/([\w: ]{1,40}))?[\0\n]?$/.exec(reply.toString('latin1'))
  if (!match) return null
  const [, version = '', signatures = null, date = ''] = match
  return { version, signatures, signaturesAt: readDate(date) }
}

function readDate(text: string): Date | null {
  const isDate = /^\w{3} \w{3} +\d{1,2} \d\d:\d\d:\d\d \d{4}$/.test(text)
  const at = new Date(isDate ? `${text} UTC` : Number.NaN)
  return Number.isNaN(at.getTime()) ? null : at
}
