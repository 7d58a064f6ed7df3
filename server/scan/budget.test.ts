/** The budget of bytes and scans in flight. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { BYTES_IN_FLIGHT_MAX, createBudget, RESERVED_BYTES_MAX, SCANS_IN_FLIGHT_MAX } from './budget.ts'

const isBusy = (error: unknown) => error instanceof AppError && error.code === 'busy' && error.retryAfterSeconds === 1

describe('budget', () => {
  test('has the promised defaults', () => {
    assert.equal(BYTES_IN_FLIGHT_MAX, 536_870_912)
    assert.equal(SCANS_IN_FLIGHT_MAX, 64)
    assert.equal(RESERVED_BYTES_MAX, 26_214_400)
  })

  test('64 scans at once, the 65th is busy', () => {
    const budget = createBudget()
    const leases = Array.from({ length: 64 }, () => budget.enter(1))
    assert.throws(() => budget.enter(1), isBusy)
    leases[0]?.release()
    budget.enter(1)
    assert.throws(() => budget.enter(0), isBusy)
  })

  test('bytes up to the limit, one more is busy', () => {
    const budget = createBudget({ bytesMax: 2 * RESERVED_BYTES_MAX, scansMax: 64 })
    budget.enter(RESERVED_BYTES_MAX)
    budget.enter(RESERVED_BYTES_MAX - 1)
    assert.throws(() => budget.enter(2), isBusy)
    budget.enter(1)
    assert.throws(() => budget.enter(1), isBusy)
    assert.deepEqual(budget.inFlight(), { bytes: 2 * RESERVED_BYTES_MAX, scans: 3 })
  })

  test('a refusal takes nothing', () => {
    const budget = createBudget({ bytesMax: RESERVED_BYTES_MAX, scansMax: 2 })
    const lease = budget.enter(RESERVED_BYTES_MAX)
    assert.throws(() => budget.enter(1), isBusy)
    assert.deepEqual(budget.inFlight(), { bytes: RESERVED_BYTES_MAX, scans: 1 })
    lease.release()
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })

  test('an unknown length takes the maximum at once, so that no upload is stopped half way', () => {
    const budget = createBudget()
    const leases = Array.from({ length: 20 }, () => budget.enter(null))
    assert.equal(budget.inFlight().bytes, 20 * 26_214_400)
    assert.throws(() => budget.enter(null), isBusy)
    budget.enter(536_870_912 - 20 * 26_214_400)
    for (const lease of leases) lease.release()
  })

  test('a length past the maximum, or none that makes sense, takes the maximum', () => {
    for (const declared of [RESERVED_BYTES_MAX + 1, Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY]) {
      const budget = createBudget()
      budget.enter(declared)
      assert.equal(budget.inFlight().bytes, RESERVED_BYTES_MAX)
    }
  })

  test('a lease gives back what turned out not to be needed, and never grows', () => {
    const budget = createBudget()
    const lease = budget.enter(null)
    lease.shrinkTo(1_000)
    assert.deepEqual(budget.inFlight(), { bytes: 1_000, scans: 1 })
    lease.shrinkTo(2_000)
    assert.equal(budget.inFlight().bytes, 1_000)
    lease.shrinkTo(-5)
    assert.equal(budget.inFlight().bytes, 0)
    lease.release()
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })

  test('released once, however often that is said, by whichever name', () => {
    const budget = createBudget()
    const other = budget.enter(7)
    const lease = budget.enter(100)
    lease.release()
    lease.release()
    lease[Symbol.dispose]()
    lease.shrinkTo(0)
    assert.deepEqual(budget.inFlight(), { bytes: 7, scans: 1 })
    other.release()
  })

  test('exact after any mixture of errors', () => {
    const budget = createBudget()
    for (let round = 0; round < 1_000; round++) {
      try {
        using lease = budget.enter(round % 3 === 0 ? null : round)
        if (round % 2 === 0) lease.shrinkTo(round)
        if (round % 5 === 0) throw new Error('anything')
      } catch {}
    }
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })

  test('a budget that could never take the largest document is refused at the start', () => {
    createBudget({ bytesMax: RESERVED_BYTES_MAX, scansMax: 1 })
    assert.throws(() => createBudget({ bytesMax: RESERVED_BYTES_MAX - 1, scansMax: 1 }), RangeError)
    assert.throws(() => createBudget({ bytesMax: RESERVED_BYTES_MAX, scansMax: 0 }), RangeError)
    assert.throws(() => createBudget({ bytesMax: Number.NaN, scansMax: 1 }), RangeError)
  })
})
