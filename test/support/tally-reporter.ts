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
}

export default async function* tally(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const total: Tally = { passed: 0, failed: 0, skipped: 0, emptyFiles: [], fileMs: {} }
  for await (const event of events) {
    if (event.type === 'test:pass' || event.type === 'test:fail') addDuration(total, event.data)
    if (event.type === 'test:pass') {
      if (isEmptyFile(event.data)) total.emptyFiles.push(event.data.name)
      count(total, event.data, isEmptyFile(event.data) ? 'failed' : 'passed')
    }
    if (event.type === 'test:fail') count(total, event.data, 'failed')
  }
  yield JSON.stringify(total)
}

function addDuration(
  { fileMs }: Tally,
  { nesting, file = '', details }: EventData.TestPass | EventData.TestFail,
): void {
  if (nesting === 0) fileMs[file] = (fileMs[file] ?? 0) + details.duration_ms
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
