/** Why a document was not scanned, in plain words where there are some. */
import type { ApiProblem } from '../api/problem.ts'
import { OBSTACLES } from '../verdict/obstacles.ts'

/** A quota that asks for a longer wait is used up. Otherwise, scans in progress hold the rest of it. */
const HELD_S_MAX = 60

type Refusal = Pick<ApiProblem, 'code' | 'title' | 'detail' | 'retryAfterS'>

export const isUsedUp = ({ code, retryAfterS }: Pick<Refusal, 'code' | 'retryAfterS'>): boolean =>
  code === 'quota_exhausted' && (retryAfterS === null || retryAfterS > HELD_S_MAX)

/** With a password, the service says whether it was the right one. */
export function reasonOf(problem: Refusal, hasPassword: boolean): string {
  const { code, title, detail } = problem
  if (code === 'network') return `Upload interrupted. ${detail}`
  // When it can be scanned, and how to get more, is said once for all documents.
  if (isUsedUp(problem)) return 'No scans are left in this month.'
  if (code === 'quota_exhausted') return 'Other scans use the rest of this month’s quota. Try again in a minute.'
  const known = hasPassword ? undefined : Object.values(OBSTACLES).find((each) => each.code === code)
  return known ? `${known.reason} ${known.advice}` : `${title}. ${detail}`
}
