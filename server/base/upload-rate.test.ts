/** The minimum rate of an upload. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from './errors.ts'
import { createUploadRate, UPLOAD_BYTES_PER_SECOND_MIN, UPLOAD_GRACE_MS } from './upload-rate.ts'

const isTimeout = (error: unknown) => error instanceof AppError && error.code === 'request_timeout'

function clocked() {
  const clock = { ms: 5_000 }
  return { clock, rate: createUploadRate({ now: () => clock.ms }) }
}

describe('upload rate', () => {
  test('has the documented limits', () => {
    assert.equal(UPLOAD_BYTES_PER_SECOND_MIN, 16_384)
    assert.equal(UPLOAD_GRACE_MS, 10_000)
  })

  test('allows silence for the grace period, not a millisecond longer', () => {
    const { clock, rate } = clocked()
    assert.equal(rate.remainingMs(), 10_000)
    clock.ms += 10_000
    assert.equal(rate.remainingMs(), 0)
    rate.check()
    clock.ms += 1
    assert.throws(() => rate.check(), isTimeout)
    assert.throws(() => rate.check(), /16384 bytes per second.* 10 s/)
  })

  test('allows one more second for every 16 KiB', () => {
    const { clock, rate } = clocked()
    rate.arrived(16_384)
    clock.ms += 11_000
    rate.check()
    clock.ms += 1
    assert.throws(() => rate.check(), isTimeout)
    rate.arrived(17)
    rate.check()
  })

  test('measures the average, so that a fast start allows a pause', () => {
    const { clock, rate } = clocked()
    rate.arrived(60 * 16_384)
    clock.ms += 70_000
    rate.check()
    clock.ms += 1
    assert.throws(() => rate.check(), isTimeout)
  })

  test('accepts exactly the minimum rate forever, and refuses one byte per second less', () => {
    const even = clocked()
    const less = clocked()
    let refusedAfter = 0
    for (let second = 1; second <= 200_000; second++) {
      even.clock.ms += 1_000
      even.rate.arrived(16_384)
      even.rate.check()
      less.clock.ms += 1_000
      less.rate.arrived(16_383)
      if (refusedAfter === 0 && less.rate.remainingMs() < 0) refusedAfter = second
    }
    // The grace period equals 163,840 bytes, used up at one byte per second.
    assert.equal(refusedAfter, 163_841)
  })

  test('uses a real clock by default', () => {
    const { remainingMs } = createUploadRate({ graceMs: 1_000 })
    const first = remainingMs()
    assert.ok(first <= 1_000 && remainingMs() <= first)
  })
})
