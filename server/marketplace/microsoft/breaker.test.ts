/** Giving up, waiting and trying again, without a clock. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ATTEMPTS_MAX, delayAfter, RETRY_AFTER_MS_MAX, retryAfterMs } from './backoff.ts'
import { CLOSED, FAILURES_MAX, failed, OPEN_MS, pass } from './breaker.ts'

describe('the breaker', () => {
  const after = (failures: number) => {
    let breaker = CLOSED
    for (let i = 0; i < failures; i++) breaker = failed(breaker, 1_000)
    return breaker
  }
  test('lets calls pass until the last failure that it bears, and then none', () => {
    assert.equal(pass(after(FAILURES_MAX - 1), 1_000).allowed, true)
    assert.equal(pass(after(FAILURES_MAX), 1_000).allowed, false)
    assert.equal(pass(after(FAILURES_MAX), 1_000 + OPEN_MS - 1).allowed, false)
  })
  test('after the pause one call tries, and the others wait for what it finds', () => {
    const { allowed, next } = pass(after(FAILURES_MAX), 1_000 + OPEN_MS)
    assert.equal(allowed, true)
    assert.equal(pass(next, 1_000 + OPEN_MS).allowed, false)
    assert.equal(pass(failed(next, 1_000 + OPEN_MS), 1_000 + 2 * OPEN_MS - 1).allowed, false)
    assert.equal(pass(CLOSED, 0).allowed, true)
  })
})

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
