/** When calls are held back, and how it ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BreakerOptions, createBreaker, FAILURES_MAX, PAUSE_MS } from './breaker.ts'

function withClock(limits: BreakerOptions = {}) {
  let nowMs = 1_000
  const breaker = createBreaker({ ...limits, now: () => nowMs })
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) breaker.failed()
  }
  return { breaker, fail, pass: (ms: number) => (nowMs += ms) }
}

test('one failure less than the limit changes nothing; at the limit it opens', () => {
  const { breaker, fail } = withClock()
  fail(FAILURES_MAX - 1)
  assert.deepEqual([breaker.open, breaker.waitMs()], [false, 0])
  fail(1)
  assert.deepEqual([breaker.open, breaker.waitMs()], [true, PAUSE_MS])
})

test('only failures in a row count', () => {
  const { breaker, fail } = withClock()
  fail(FAILURES_MAX - 1)
  breaker.succeeded()
  fail(FAILURES_MAX - 1)
  assert.equal(breaker.open, false)
})

test('after the pause one call may try, and the others wait for it', () => {
  const { breaker, fail, pass } = withClock()
  fail(FAILURES_MAX)
  pass(PAUSE_MS - 1)
  assert.equal(breaker.waitMs(), 1)
  pass(1)
  assert.equal(breaker.waitMs(), 0)
  breaker.begin()
  assert.deepEqual([breaker.waitMs(), breaker.open], [PAUSE_MS, true])
  breaker.succeeded()
  assert.deepEqual([breaker.waitMs(), breaker.open], [0, false])
})

test('a try that fails opens it for another pause', () => {
  const { breaker, fail, pass } = withClock()
  fail(FAILURES_MAX)
  pass(PAUSE_MS)
  breaker.begin()
  breaker.failed()
  assert.equal(breaker.waitMs(), PAUSE_MS)
  pass(PAUSE_MS)
  assert.equal(breaker.waitMs(), 0)
})

test('while it is closed, many may call at once', () => {
  const { breaker } = withClock()
  breaker.begin()
  breaker.begin()
  assert.equal(breaker.waitMs(), 0)
})

test('who knows his service better gives limits of his own', () => {
  const { breaker, fail, pass } = withClock({ failuresMax: 2, pauseMs: 30 })
  fail(1)
  assert.equal(breaker.open, false)
  fail(1)
  assert.deepEqual([breaker.open, breaker.waitMs()], [true, 30])
  pass(30)
  breaker.begin()
  assert.equal(breaker.waitMs(), 30, 'one tries')
  breaker.cancelled()
  assert.equal(breaker.waitMs(), 0, 'it came to nothing, so that another may')
})
