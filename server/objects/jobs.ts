/** The two jobs of an object: its scan, and what becomes of it afterwards. */
import type { JobKind } from '#jobs/job.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** After each attempt but the last one: a store may be down for a day. */
const PAUSES_MS = [
  ...[2 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS],
  ...[30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 8 * HOUR_MS],
]
/** Spreads attempts that failed together. */
const SPREAD = 0.1
const delayMs = (attempts: number) => (PAUSES_MS[attempts - 1] ?? 0) * (1 - SPREAD + 2 * SPREAD * Math.random())
const HEARTBEAT_MS = 15 * SECOND_MS
/** An object takes several times as long as an upload, which would wait for its steps. */
const YIELDED_TURNS = 4

export const SCAN_OBJECT: JobKind<{ scanId: string }> = {
  name: 'scan-object',
  // Longer than the fetch of the largest object at the lowest rate, a wait for memory and its scan together.
  deadlineMs: 30 * MINUTE_MS,
  heartbeatMs: HEARTBEAT_MS,
  attemptsMax: PAUSES_MS.length + 1,
  delayMs,
  // Of a service with one worker: few, because uploads wait for those that have begun.
  parallelMax: 2,
  yields: YIELDED_TURNS,
}

export const MARK_OBJECT: JobKind<{ scanId: string }> = {
  name: 'mark-object',
  deadlineMs: 5 * MINUTE_MS,
  heartbeatMs: HEARTBEAT_MS,
  attemptsMax: PAUSES_MS.length + 1,
  delayMs,
  parallelMax: 4,
  yields: YIELDED_TURNS,
}
