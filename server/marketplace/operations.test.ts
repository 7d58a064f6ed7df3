/** Rechecking with growing pauses, within a deadline. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTICE_MS } from './events.ts'
import { RECHECK_PAUSES_MS, recheckUntilFound } from './operations.ts'

const FOREVER = new AbortController().signal

/** Something that is found from the given check on. */
function foundAt(check: number) {
  let checks = 0
  return { find: async () => (++checks >= check ? 'it' : null), count: () => checks }
}

test('the pauses grow, and leave three seconds of the deadline of a notice', () => {
  assert.deepEqual(
    RECHECK_PAUSES_MS,
    RECHECK_PAUSES_MS.toSorted((one, other) => one - other),
  )
  const allMs = RECHECK_PAUSES_MS.reduce((sum, each) => sum + each, 0)
  assert.ok(allMs > 4_000 && allMs <= NOTICE_MS - 3_000, `${allMs} ms`)
})

test('checks until found, at most once after the last pause', async () => {
  const last = foundAt(3)
  assert.equal(await recheckUntilFound(last.find, FOREVER, [1, 2]), 'it')
  const never = foundAt(4)
  assert.equal(await recheckUntilFound(never.find, FOREVER, [1, 2]), null)
  assert.equal(never.count(), 3)
  const first = foundAt(1)
  assert.equal(await recheckUntilFound(first.find, FOREVER), 'it')
  assert.equal(first.count(), 1)
})

test('is unavailable if the deadline passes during a pause', async () => {
  const late = recheckUntilFound(foundAt(9).find, AbortSignal.timeout(20), [60_000])
  await assert.rejects(late, { code: 'marketplace_unavailable' })
})
