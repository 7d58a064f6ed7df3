import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ATTEMPTS_MAX, delayAfter } from './backoff.ts'

test('delays start at 5 seconds, double, and stay at 15 minutes', () => {
  const seconds = Array.from({ length: 10 }, (_, i) => (delayAfter(i + 1) ?? 0) / 1_000)
  assert.deepEqual(seconds, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
})

test(`attempt ${ATTEMPTS_MAX} is the last`, () => {
  assert.equal(delayAfter(ATTEMPTS_MAX - 1), 900_000)
  assert.equal(delayAfter(ATTEMPTS_MAX), null)
  assert.equal(delayAfter(ATTEMPTS_MAX + 1), null)
})

test('all attempts together take about a day', () => {
  let totalMs = 0
  for (let attempts = 1; attempts < ATTEMPTS_MAX; attempts++) totalMs += delayAfter(attempts) ?? 0
  const hours = totalMs / 3_600_000
  assert.ok(hours > 22 && hours < 25, `${hours} hours`)
})
