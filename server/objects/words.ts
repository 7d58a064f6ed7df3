/** What the tag of an object says, in our words and in those of GuardDuty. */
import { GUARDDUTY_TAG_KEY } from './sources.ts'

/**
 * Why an object could not be read: it stays as it is if it is another one now, or gone. Or why it is never clean: what is appended
 * later would have the tag.
 */
export type Fault = 'denied' | 'changed' | 'gone' | 'appendable'

export interface ScanEnding {
  fault: Fault | null
  verdict: string
  obstacle: string | null
  /** The code of a scan that failed. */
  problem: string | null
}

const STATUSES = ['clean', 'infected', 'unscannable', 'unsupported', 'too_large', 'empty', 'failed'] as const
export type ObjectStatus = (typeof STATUSES)[number]

const GUARDDUTY: Readonly<Record<ObjectStatus, string>> = {
  clean: 'NO_THREATS_FOUND',
  infected: 'THREATS_FOUND',
  unscannable: 'UNSUPPORTED',
  unsupported: 'UNSUPPORTED',
  too_large: 'UNSUPPORTED',
  empty: 'UNSUPPORTED',
  failed: 'FAILED',
}

/** Clean only if the verdict says so: whatever is not known has failed. */
export function statusOf({ verdict, obstacle, problem, fault }: ScanEnding): ObjectStatus {
  if (problem !== null) return 'failed'
  if (verdict === 'clean' && fault === 'appendable') return 'unsupported'
  if (verdict === 'clean' || verdict === 'infected') return verdict
  if (obstacle === 'unsupported' || obstacle === 'too_large' || obstacle === 'empty') return obstacle
  return obstacle === null ? 'failed' : 'unscannable'
}

interface Ended extends ScanEnding {
  scanId: string
}

/**
 * Of scans of the same bytes, the newest first: engines know more later. One without a verdict does not hide that they are infected,
 * and one that did not find the object says nothing about them.
 */
export function countingOf<Ending extends Ended>(own: Ending, all: readonly Ending[]): Ending {
  const isOfBytes = ({ scanId, fault }: Ending) => scanId === own.scanId || (fault !== 'changed' && fault !== 'gone')
  const [newest = own, ...older] = all.filter(isOfBytes)
  const hasVerdict = ['clean', 'infected'].includes(statusOf(newest))
  return hasVerdict ? newest : (older.find((each) => statusOf(each) === 'infected') ?? newest)
}

export function tagValue(tagKey: string, status: ObjectStatus, fault: Fault | null): string {
  if (tagKey !== GUARDDUTY_TAG_KEY) return status
  return status === 'failed' && fault === 'denied' ? 'ACCESS_DENIED' : GUARDDUTY[status]
}
