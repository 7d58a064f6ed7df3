/** A reporter for `node --test` that writes totals as one JSON object for `test/run.ts`. */

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

export default async function* tally(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const total: Tally = { passed: 0, failed: 0, skipped: 0, emptyFiles: [], fileMs: {}, fileFailures: {} }
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const empty = event.type === 'test:pass' && isEmptyFile(event.data)
    if (empty) total.emptyFiles.push(event.data.name)
    const failedBefore = total.failed
    count(total, event.data, event.type === 'test:fail' || empty ? 'failed' : 'passed')
    addToFile(total, event.data, total.failed - failedBefore)
  }
  yield JSON.stringify(total)
}

/** `entryFile` is missing in the types and for a file that crashed; `file` is where the suite was declared. */
function addToFile(
  { fileMs, fileFailures }: Tally,
  data: (EventData.TestPass | EventData.TestFail) & { entryFile?: string },
  failures: number,
): void {
  const file = data.entryFile ?? data.file ?? ''
  if (data.nesting === 0) fileMs[file] = (fileMs[file] ?? 0) + data.details.duration_ms
  if (failures > 0) fileFailures[file] = (fileFailures[file] ?? 0) + failures
}

function count(total: Tally, data: EventData.TestPass | EventData.TestFail, outcome: 'passed' | 'failed'): void {
  if (data.details.type === 'suite') {
    // A skipped suite declares no tests, and a failed hook may belong to none: count each as one.
    if (isSet(data.skip)) total.skipped++
    else if ('error' in data.details && isHookFailure(data.details.error)) total.failed++
  } else if (isSet(data.skip) || isSet(data.todo)) total.skipped++
  else total[outcome]++
}

/** The runner reports a file without tests as a passed test named after the file. */
function isEmptyFile({ nesting, file, name }: EventData.TestPass): boolean {
  return nesting === 0 && name.endsWith('.test.ts') && file?.endsWith(name) === true
}

function isHookFailure(error: Error): boolean {
  return 'failureType' in error && error.failureType !== 'subtestsFailed'
}

function isSet(flag: string | boolean | undefined): boolean {
  return flag !== undefined && flag !== false
}
