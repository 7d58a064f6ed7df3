/** Asks a clamd for its version and sends it test files, and tells what was wrong with the answers. */
import type { ClamdAddress } from './address.ts'
import { type Canary, complaint } from './canaries.ts'
import { ask, type Exchange, sendDocument } from './client.ts'
import { outcomeOf } from './outcome.ts'
import { type ClamdVersion, readVersion } from './version.ts'

const SMALL_TIMEOUT_MS = 5_000
const LARGE_TIMEOUT_MS = 30_000
const HOUR_MS = 3_600_000

export interface Finding {
  /** `wrong`: it answers what it must not; `silent`: no answer in time; `gone`: no connection, or a broken one. */
  kind: 'wrong' | 'silent' | 'gone'
  /** For everybody, as it follows "clamd": without addresses, paths and what a system or clamd itself said. */
  notice: string
  /** For the log. */
  detail: string
}

export interface Check {
  version: ClamdVersion | null
  finding: Finding | null
}

export async function checkVersion(
  address: ClamdAddress,
  signaturesAgeMaxHours: number | null,
  interruption: AbortSignal,
): Promise<Check> {
  const exchange = await ask(address, 'VERSION', within(SMALL_TIMEOUT_MS, interruption))
  const lack = noAnswer(exchange)
  if (exchange.kind !== 'answered') return { version: null, finding: lack }
  // Some builds let an operator switch the question off; the test files decide then, if the age does not matter.
  const version = readVersion(exchange.reply)
  return { version, finding: staleness(version, signaturesAgeMaxHours) }
}

function staleness(version: ClamdVersion | null, ageMaxHours: number | null): Finding | null {
  if (ageMaxHours === null) return null
  const at = version?.signaturesAt
  if (!at) return wrong('does not say how old its signatures are, and a greatest age is set')
  const ageHours = (Date.now() - at.getTime()) / HOUR_MS
  if (ageHours <= ageMaxHours) return null
  return wrong(
    `has signatures that are ${Math.ceil(ageHours)} hours old, at most ${ageMaxHours} are allowed: run freshclam`,
  )
}

function wrong(notice: string): Finding {
  return { kind: 'wrong', notice, detail: notice }
}

/** One after the other: a proof must not get in the way of documents. The first complaint ends it. */
export async function checkCanaries(
  address: ClamdAddress,
  canaries: readonly Canary[],
  interruption: AbortSignal,
): Promise<Finding | null> {
  for (const canary of canaries) {
    const timeoutMs = canary.large ? LARGE_TIMEOUT_MS : SMALL_TIMEOUT_MS
    const exchange = await sendDocument(address, canary.document(), within(timeoutMs, interruption))
    const lack = noAnswer(exchange)
    if (lack) return { ...lack, detail: `${lack.detail} (test file: ${canary.name})` }
    const wrong = complaint(canary, outcomeOf(exchange))
    if (wrong) return { kind: 'wrong', ...wrong }
  }
  return null
}

function noAnswer(exchange: Exchange): Finding | null {
  if (exchange.kind === 'answered') return null
  if (exchange.kind === 'unanswered') {
    const notice = exchange.connected ? 'breaks connections off' : 'cannot be reached'
    return { kind: 'gone', notice, detail: exchange.detail }
  }
  return { kind: 'silent', notice: 'did not answer in time', detail: 'did not answer in time' }
}

function within(timeoutMs: number, interruption: AbortSignal): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(timeoutMs), interruption])
}
