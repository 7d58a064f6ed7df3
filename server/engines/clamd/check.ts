/** Asks a clamd for its version and sends it test files, and tells what was wrong with the answers. */
import type { ClamdAddress } from './address.ts'
import type { Canary } from './canaries.ts'
import { ask, type Exchange, sendDocument } from './client.ts'
import { outcomeOf } from './outcome.ts'
import { type ClamdVersion, readVersion } from './version.ts'

const SMALL_TIMEOUT_MS = 5_000
const LARGE_TIMEOUT_MS = 30_000
const HOUR_MS = 3_600_000

export interface Finding {
  /** `wrong`: it answers what it must not; `silent`: no answer in time; `gone`: no connection, or a broken one. */
  kind: 'wrong' | 'silent' | 'gone'
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
  if (!at) return { kind: 'wrong', detail: 'does not say how old its signatures are, and an age is demanded' }
  const ageHours = Math.floor((Date.now() - at.getTime()) / HOUR_MS)
  if (ageHours <= ageMaxHours) return null
  return {
    kind: 'wrong',
    detail: `its signatures are ${ageHours} hours old, at most ${ageMaxHours} are allowed: run freshclam`,
  }
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
    const detail = canary.complaint(outcomeOf(exchange))
    if (detail !== null) return { kind: noAnswer(exchange)?.kind ?? 'wrong', detail }
  }
  return null
}

function noAnswer(exchange: Exchange): Finding | null {
  if (exchange.kind === 'answered') return null
  if (exchange.kind === 'unanswered') return { kind: 'gone', detail: exchange.detail }
  return { kind: 'silent', detail: 'did not answer in time' }
}

function within(timeoutMs: number, interruption: AbortSignal): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(timeoutMs), interruption])
}
