/** Compares what clients were answered with what the database has. */
import type { Done } from './scan-rig.ts'

const STATUSES = [200, 402, 409, 422, 503]

/** Requests for one document. With an Idempotency-Key there may be several. */
export interface Operation {
  isIdempotent: boolean
  attempts: Done[]
}

interface History {
  operations: readonly Operation[]
  /** Ids of the ledger. */
  charged: ReadonlySet<string>
  /** Sum of the counters. */
  used: number
  quota: number
}

/** If the database was lost during the commit, a charge may exist. */
const isUnknown = ({ outcome, said }: Done): boolean => outcome === 'unknown' || said === 'storage_unavailable'

/** Violations in the answers to one operation. */
function answerProblems({ isIdempotent, attempts }: Operation): string[] {
  const ok = attempts.filter(({ outcome }) => outcome === 'ok')
  const ids = new Set(ok.map(({ scanId }) => scanId))
  const answered = attempts.filter(({ outcome }) => outcome !== 'unknown')
  const strange = answered.filter(({ status }) => !STATUSES.includes(status))
  const impatient = answered.filter(({ status, retryAfter }) => status === 503 && !(Number(retryAfter) >= 1))
  return [
    ...(isIdempotent && ids.size > 1 ? [`One Idempotency-Key has ${ids.size} verdicts.`] : []),
    ...ok
      .filter(({ infected, said }) => (said === 'clean') === infected)
      .map(({ infected, said }) => `${infected ? 'An infected' : 'A harmless'} document is ${said}.`),
    ...strange.map(({ status, said }) => `Unexpected response: ${status} ${said}.`),
    ...impatient.map(() => 'A 503 has no Retry-After.'),
  ]
}

/** Violations in the database: with an Idempotency-Key, all attempts together are charged at most once. */
function chargeProblems(operations: readonly Operation[], charged: ReadonlySet<string>): string[] {
  const answered = new Set<string>()
  let inDoubt = 0
  for (const { attempts } of operations) {
    const ids = attempts.flatMap(({ outcome, scanId }) => (outcome === 'ok' && scanId !== null ? [scanId] : []))
    for (const id of ids) answered.add(id)
    if (ids.length === 0 && attempts.some(isUnknown)) inDoubt++
  }
  const lost = [...answered].filter((id) => !charged.has(id)).map((id) => `The verdict of ${id} is not charged.`)
  const isTooMany = charged.size > answered.size + inDoubt
  const tooMany = `${charged.size} charges for ${answered.size} verdicts and ${inDoubt} scans without an answer.`
  return isTooMany ? [...lost, tooMany] : lost
}

export function violationsOf({ operations, charged, used, quota }: History): string[] {
  return [
    ...(charged.size === used ? [] : [`The ledger has ${charged.size} rows, the counter ${used}.`]),
    ...(used > quota ? [`${used} scans are charged, the quota is ${quota}.`] : []),
    ...operations.flatMap(answerProblems),
    ...chargeProblems(operations, charged),
  ]
}
