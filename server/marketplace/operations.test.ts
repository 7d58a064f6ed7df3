/** Looking again, with growing pauses, and ending in time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTICE_MS } from './events.ts'
import { RECHECK_PAUSES_MS, recheckUntilFound } from './operations.ts'

const FOREVER = new AbortController().signal

/** Something that can be seen from the given look on. */
function seenAt(look: number) {
  let looks = 0
  return { look: async () => (++looks >= look ? 'it' : null), count: () => looks }
}

test('the pauses grow, and leave three seconds of what a notice may take', () => {
  assert.deepEqual(
    RECHECK_PAUSES_MS,
    RECHECK_PAUSES_MS.toSorted((one, other) => one - other),
  )
  const allMs = RECHECK_PAUSES_MS.reduce((sum, each) => sum + each, 0)
  assert.ok(allMs > 4_000 && allMs <= NOTICE_MS - 3_000, `${allMs} ms`)
})

test('found at the last look, and not one later', async () => {
  const last = seenAt(3)
  assert.equal(await recheckUntilFound(last.look, FOREVER, [1, 2]), 'it')
  const never = seenAt(4)
  assert.equal(await recheckUntilFound(never.look, FOREVER, [1, 2]), null)
  assert.equal(never.count(), 3)
  const first = seenAt(1)
  assert.equal(await recheckUntilFound(first.look, FOREVER), 'it')
  assert.equal(first.count(), 1)
})

test('when the time is over in between, nobody can tell', async () => {
  const late = recheckUntilFound(seenAt(9).look, AbortSignal.timeout(20), [60_000])
  await assert.rejects(late, { code: 'marketplace_unavailable' })
})
