/** A reporter for `node --test` that writes totals as one JSON object for `test/run.ts`. */

import path from 'node:path'
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'

export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** Files without any test; each counts as failed. */
  emptyFiles: string[]
  /** Duration of all tests of a file, by path. */
  fileMs: Record<string, number>
  /** Number of failures of each file that has any, by path. */
  fileFailures: Record<string, number>
}

/** `entryFile` is missing in the types and for a file that crashed; `file` is where the suite was declared. */
type Result = (EventData.TestPass | EventData.TestFail) & { entryFile?: string }

/** Results that a process has reported since its last result of the first level. */
interface Open {
  results: number
  failures: number
}

const resultsOf = ({ passed, failed, skipped }: Tally): number => passed + failed + skipped

export default async function* tally(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const total: Tally = { passed: 0, failed: 0, skipped: 0, emptyFiles: [], fileMs: {}, fileFailures: {} }
  const openOf = new Map<string, Open>()
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const entry = (data as Result).entryFile ?? data.file ?? ''
    const open = openOf.get(entry) ?? { results: 0, failures: 0 }
    openOf.set(entry, open)
    add(total, open, data, type === 'test:pass')
    if (data.nesting > 0) continue
    const file = isWholeFile(data) ? path.resolve(data.name) : entry
    total.fileMs[file] = (total.fileMs[file] ?? 0) + data.details.duration_ms
    addFailures(total, file, open)
    openOf.delete(entry)
  }
  // A process that ended in the middle of a suite.
  for (const [entry, open] of openOf) addFailures(total, entry, open)
  yield JSON.stringify(total)
}

function add(total: Tally, open: Open, data: Result, passed: boolean): void {
  const [resultsBefore, failedBefore] = [resultsOf(total), total.failed]
  if (passed && open.results === 0 && isWholeFile(data)) {
    total.emptyFiles.push(data.name)
    total.failed++
  } else count(total, data, passed ? 'passed' : 'failed')
  open.results += resultsOf(total) - resultsBefore
  open.failures += total.failed - failedBefore
}

function addFailures({ fileFailures }: Tally, file: string, { failures }: Open): void {
  if (failures > 0) fileFailures[file] = (fileFailures[file] ?? 0) + failures
}

function count(total: Tally, data: Result, outcome: 'passed' | 'failed'): void {
  if (data.details.type === 'suite') {
    // A skipped suite declares no tests, and a failed hook may belong to none: count each as one.
    if (isSet(data.skip)) total.skipped++
    else if ('error' in data.details && isHookFailure(data.details.error)) total.failed++
  } else if (isSet(data.skip) || isSet(data.todo)) total.skipped++
  else total[outcome]++
}

/** One of several files of a process (`together.ts`), or one without tests, which the runner reports as a passed test named after it. */
function isWholeFile({ nesting, file, name, details }: Result): boolean {
  if (nesting > 0 || !name.endsWith('.test.ts')) return false
  return details.type === 'suite' || file?.endsWith(name) === true
}

function isHookFailure(error: Error): boolean {
  return 'failureType' in error && error.failureType !== 'subtestsFailed'
}

function isSet(flag: string | boolean | undefined): boolean {
  return flag !== undefined && flag !== false
}
