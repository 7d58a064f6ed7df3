/** The delays between delivery attempts, and the stored reason of a failure. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ATTEMPTS_MAX, delayAfter, REASON_LENGTH_MAX, reasonOf } from './delivery.ts'

describe('the delay between attempts', () => {
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
})

describe('the reason of a failure', () => {
  test('removes links and addresses', () => {
    const error = new Error(
      'Message failed: 554 5.7.1 <ada@example.com>: https://scan.example.org/reset#token=abc is listed,\r\n see x@y.z',
    )
    assert.equal(reasonOf(error), 'Message failed: 554 5.7.1 <[address]>: [link] is listed, see [address]')
  })

  test('accepts values that are not errors', () => {
    assert.equal(reasonOf('away'), 'away')
    assert.equal(reasonOf(undefined), 'undefined')
  })

  test(`is cut to ${REASON_LENGTH_MAX} characters`, () => {
    assert.equal(reasonOf(new Error('x'.repeat(REASON_LENGTH_MAX))), 'x'.repeat(REASON_LENGTH_MAX))
    assert.equal(reasonOf(new Error('x'.repeat(REASON_LENGTH_MAX + 1))), `${'x'.repeat(REASON_LENGTH_MAX - 1)}…`)
  })
})
