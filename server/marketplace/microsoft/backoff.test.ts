/** Giving up, or waiting and trying again, without a clock. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ATTEMPTS_MAX, delayAfter, RETRY_AFTER_MS_MAX, retryAfterMs } from './backoff.ts'

describe('the pause before another try', () => {
  test('grows, is spread, and ends', () => {
    assert.deepEqual([delayAfter(1, null, 0), delayAfter(1, null, 1), delayAfter(2, null, 1)], [150, 300, 600])
    assert.equal(delayAfter(ATTEMPTS_MAX - 1, null, 0.5) === null, false)
    assert.equal(delayAfter(ATTEMPTS_MAX, null, 0.5), null)
  })
  test('is at least what was asked for; a longer one than we can wait is none', () => {
    assert.equal(delayAfter(1, RETRY_AFTER_MS_MAX, 0), RETRY_AFTER_MS_MAX)
    assert.equal(delayAfter(1, RETRY_AFTER_MS_MAX + 1, 0), null)
    assert.equal(delayAfter(1, 0, 0), 150)
  })
  test('comes as seconds or as a date', () => {
    assert.equal(retryAfterMs('2', 0), 2_000)
    assert.equal(retryAfterMs(new Date(5_000).toUTCString(), 2_000), 3_000)
    assert.equal(retryAfterMs(new Date(0).toUTCString(), 2_000), 0)
    for (const none of [null, 'soon', '-1x', '']) assert.equal(retryAfterMs(none, 0), null)
  })
})
