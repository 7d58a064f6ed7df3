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

test('opens at the limit of failures, not before', () => {
  const { breaker, fail } = withClock()
  fail(FAILURES_MAX - 1)
  assert.deepEqual([breaker.open, breaker.waitMs()], [false, 0])
  fail(1)
  assert.deepEqual([breaker.open, breaker.waitMs()], [true, PAUSE_MS])
})

test('counts only consecutive failures', () => {
  const { breaker, fail } = withClock()
  fail(FAILURES_MAX - 1)
  breaker.succeeded()
  fail(FAILURES_MAX - 1)
  assert.equal(breaker.open, false)
})

test('after the pause allows one trial call while the others wait', () => {
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

test('a failed trial call starts another pause', () => {
  const { breaker, fail, pass } = withClock()
  fail(FAILURES_MAX)
  pass(PAUSE_MS)
  breaker.begin()
  breaker.failed()
  assert.equal(breaker.waitMs(), PAUSE_MS)
  pass(PAUSE_MS)
  assert.equal(breaker.waitMs(), 0)
})

test('allows concurrent calls while closed', () => {
  const { breaker } = withClock()
  breaker.begin()
  breaker.begin()
  assert.equal(breaker.waitMs(), 0)
})

test('accepts other limits, and a cancelled trial call allows another', () => {
  const { breaker, fail, pass } = withClock({ failuresMax: 2, pauseMs: 30 })
  fail(1)
  assert.equal(breaker.open, false)
  fail(1)
  assert.deepEqual([breaker.open, breaker.waitMs()], [true, 30])
  pass(30)
  breaker.begin()
  assert.equal(breaker.waitMs(), 30, 'a trial call is running')
  breaker.cancelled()
  assert.equal(breaker.waitMs(), 0, 'the trial call was cancelled')
})
