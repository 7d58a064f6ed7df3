/** A reporter for `node --test` that writes exact totals as one JSON object; `test/run.ts` reads it. */

import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'

export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** Files that ran but hold no test; each is one of the failed, since a suite was meant to be there. */
  emptyFiles: string[]
}

export default async function* tally(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const total: Tally = { passed: 0, failed: 0, skipped: 0, emptyFiles: [] }
  for await (const event of events) {
    if (event.type === 'test:pass') {
      if (isEmptyFile(event.data)) total.emptyFiles.push(event.data.name)
      count(total, event.data, isEmptyFile(event.data) ? 'failed' : 'passed')
    }
    if (event.type === 'test:fail') count(total, event.data, 'failed')
  }
  yield JSON.stringify(total)
}

function count(total: Tally, data: EventData.TestPass | EventData.TestFail, outcome: 'passed' | 'failed'): void {
  if (data.details.type === 'suite') {
    // A skipped suite does not even declare its tests, and a failed hook may belong to no test: each counts as one,
    // or it would vanish from the totals.
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
