/** The minimum rate of an upload. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { createUploadRate, UPLOAD_BYTES_PER_SECOND_MIN, UPLOAD_GRACE_MS } from './upload.ts'

const isTimeout = (error: unknown) => error instanceof AppError && error.code === 'request_timeout'

function clocked() {
  const clock = { ms: 5_000 }
  return { clock, rate: createUploadRate({ now: () => clock.ms }) }
}

describe('upload rate', () => {
  test('has the promised defaults', () => {
    assert.equal(UPLOAD_BYTES_PER_SECOND_MIN, 16_384)
    assert.equal(UPLOAD_GRACE_MS, 10_000)
  })

  test('silence is fine for the grace, and one millisecond more is too slow', () => {
    const { clock, rate } = clocked()
    assert.equal(rate.remainingMs(), 10_000)
    clock.ms += 10_000
    assert.equal(rate.remainingMs(), 0)
    rate.check()
    clock.ms += 1
    assert.throws(() => rate.check(), isTimeout)
    assert.throws(() => rate.check(), /16384 bytes per second.* 10 s/)
  })

  test('each 16 KiB buys a second', () => {
    const { clock, rate } = clocked()
    rate.arrived(16_384)
    clock.ms += 11_000
    rate.check()
    clock.ms += 1
    assert.throws(() => rate.check(), isTimeout)
    rate.arrived(17)
    rate.check()
  })

  test('what came fast is credit for a pause: it is the average that counts', () => {
    const { clock, rate } = clocked()
    rate.arrived(60 * 16_384)
    clock.ms += 70_000
    rate.check()
    clock.ms += 1
    assert.throws(() => rate.check(), isTimeout)
  })

  test('exactly the minimum goes on for ever, one byte a second less does not', () => {
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
    // The grace is 163,840 bytes, spent at one byte a second.
    assert.equal(refusedAfter, 163_841)
  })

  test('has a clock of its own when none is given', () => {
    const { remainingMs } = createUploadRate({ graceMs: 1_000 })
    assert.ok(remainingMs() <= 1_000 && remainingMs() > 500)
  })
})
