/** The budget of bytes and scans in flight. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError } from '#base/errors.ts'
import {
  ACCOUNT_SHARE_MAX,
  ADDRESS_SHARE_MAX,
  createInFlightBudget,
  GROWTH_BYTES,
  SCANS_IN_FLIGHT_MAX,
} from './in-flight.ts'

const BYTES_MAX = 536_870_912
const isBusy = (error: unknown) => error instanceof AppError && error.code === 'busy' && error.retryAfterSeconds === 1
const isShare = (error: unknown) => isBusy(error) && (error as AppError).message.startsWith('This account')

/** A new account and address for each scan, so that no share applies. */
let people = 0
const anyone = () => from(`account ${people++}`)
/** Each account has an address of its own, unless it is given. */
const from = (accountId: string, address = accountId) => ({ accountId, address })

describe('budget', () => {
  test('has the documented limits', () => {
    assert.equal(SCANS_IN_FLIGHT_MAX, 64)
    assert.equal(DOCUMENT_BYTES_MAX, 26_214_400)
    assert.equal(GROWTH_BYTES, 1_048_576)
    assert.equal(ACCOUNT_SHARE_MAX, 0.75)
    assert.equal(ADDRESS_SHARE_MAX, 0.9)
  })

  test('accepts 64 concurrent scans; the 65th is busy', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX })
    const leases = Array.from({ length: 64 }, () => budget.enter(anyone(), 1))
    assert.throws(() => budget.enter(anyone(), 1), isBusy)
    leases[0]?.[Symbol.dispose]()
    budget.enter(anyone(), 1)
    assert.throws(() => budget.enter(anyone(), 0), isBusy)
  })

  test('counts documents larger than uploads for themselves, so that none of them stops an upload', () => {
    const MOST = 4 * DOCUMENT_BYTES_MAX
    const budget = createInFlightBudget({ bytesMax: DOCUMENT_BYTES_MAX, largeBytesMax: MOST })
    using large = budget.enter(anyone(), null)
    large.growTo(DOCUMENT_BYTES_MAX)
    assert.throws(() => budget.enter(anyone(), 1), isBusy)
    large.growTo(DOCUMENT_BYTES_MAX + 1)
    assert.deepEqual(budget.inFlight(), { bytes: DOCUMENT_BYTES_MAX + 1, scans: 1 })
    using upload = budget.enter(anyone(), DOCUMENT_BYTES_MAX)
    large.growTo(MOST)
    large.growTo(1)
    assert.deepEqual(budget.inFlight(), { bytes: MOST + DOCUMENT_BYTES_MAX, scans: 2 })
    assert.throws(() => large.growTo(MOST + 1), isBusy)
    upload[Symbol.dispose]()
    using second = budget.enter(anyone(), null)
    assert.throws(() => second.growTo(DOCUMENT_BYTES_MAX + 1), isBusy)
    large.shrinkTo(MOST - DOCUMENT_BYTES_MAX - 1)
    second.growTo(DOCUMENT_BYTES_MAX + 1)
    large[Symbol.dispose]()
    second[Symbol.dispose]()
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
    const none = createInFlightBudget({ bytesMax: BYTES_MAX }).enter(anyone(), null)
    assert.throws(() => none.growTo(DOCUMENT_BYTES_MAX + 1), isBusy)
  })

  test('keeps a place for a request until it enters or leaves', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX, scansMax: 2 })
    const [first, second, third] = [{}, {}, {}]
    assert.equal(budget.hold(first, anyone(), 10), null)
    assert.equal(budget.hold(second, anyone(), 10), null)
    assert.ok(isBusy(budget.hold(third, anyone(), 10)))
    assert.deepEqual(budget.inFlight(), { bytes: 20, scans: 2 })
    const lease = budget.enter(anyone(), 10, first)
    budget.leave(first)
    budget.leave(third)
    assert.deepEqual(budget.inFlight(), { bytes: 20, scans: 2 })
    budget.leave(second)
    budget.leave(second)
    assert.deepEqual(budget.inFlight(), { bytes: 10, scans: 1 })
    lease[Symbol.dispose]()
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })

  test('tells whether there is room, for the same reasons, and takes nothing', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX, scansMax: 3 })
    assert.equal(budget.refusal(anyone(), 10), null)
    budget.enter(from('a'), 10)
    budget.enter(from('a'), 10)
    assert.ok(isShare(budget.refusal(from('a'), 10)))
    assert.equal(budget.refusal(from('b'), 10), null)
    assert.deepEqual(budget.inFlight(), { bytes: 20, scans: 2 })
    budget.enter(from('b'), 10)
    assert.match(budget.refusal(from('c'), 10)?.message ?? '', /^The service is at capacity/)
  })

  test('takes a new place for a request that has left or held none', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX, scansMax: 1 })
    const request = {}
    budget.hold(request, anyone(), 10)
    budget.leave(request)
    using _lease = budget.enter(anyone(), 10, request)
    assert.deepEqual(budget.inFlight(), { bytes: 10, scans: 1 })
    assert.throws(() => budget.enter(anyone(), 10, {}), isBusy)
  })

  test('counts held places toward the share of an account', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX })
    for (let i = 0; i < 48; i++) assert.equal(budget.hold({}, from('one'), 1), null)
    assert.ok(isShare(budget.hold({}, from('one'), 1)))
    assert.equal(budget.hold({}, from('other'), 1), null)
  })

  test('accepts bytes up to the limit; one more is busy', () => {
    const budget = createInFlightBudget({ bytesMax: 2 * DOCUMENT_BYTES_MAX, scansMax: 64 })
    budget.enter(anyone(), DOCUMENT_BYTES_MAX)
    budget.enter(anyone(), DOCUMENT_BYTES_MAX - 1)
    assert.throws(() => budget.enter(anyone(), 2), isBusy)
    budget.enter(anyone(), 1)
    assert.throws(() => budget.enter(anyone(), 1), isBusy)
    assert.deepEqual(budget.inFlight(), { bytes: 2 * DOCUMENT_BYTES_MAX, scans: 3 })
  })

  test('takes nothing for a refused scan', () => {
    const budget = createInFlightBudget({ bytesMax: DOCUMENT_BYTES_MAX, scansMax: 2 })
    const lease = budget.enter(anyone(), DOCUMENT_BYTES_MAX)
    assert.throws(() => budget.enter(anyone(), 1), isBusy)
    assert.deepEqual(budget.inFlight(), { bytes: DOCUMENT_BYTES_MAX, scans: 1 })
    lease[Symbol.dispose]()
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })

  test('takes a block for an unknown length, and more as bytes arrive', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX })
    const lease = budget.enter(anyone(), null)
    assert.deepEqual(budget.inFlight(), { bytes: GROWTH_BYTES, scans: 1 })
    lease.growTo(GROWTH_BYTES)
    assert.equal(budget.inFlight().bytes, GROWTH_BYTES)
    lease.growTo(GROWTH_BYTES + 1)
    assert.equal(budget.inFlight().bytes, 2 * GROWTH_BYTES)
    lease.growTo(5 * GROWTH_BYTES)
    assert.equal(budget.inFlight().bytes, 5 * GROWTH_BYTES)
    lease.growTo(DOCUMENT_BYTES_MAX - 1)
    lease.growTo(DOCUMENT_BYTES_MAX)
    assert.deepEqual(budget.inFlight(), { bytes: DOCUMENT_BYTES_MAX, scans: 1 })
    lease[Symbol.dispose]()
    lease.growTo(DOCUMENT_BYTES_MAX)
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })

  test('a lease that cannot grow is busy and keeps its bytes', () => {
    const budget = createInFlightBudget({ bytesMax: DOCUMENT_BYTES_MAX + GROWTH_BYTES, scansMax: 3 })
    const lease = budget.enter(anyone(), null)
    const other = budget.enter(anyone(), DOCUMENT_BYTES_MAX)
    assert.throws(() => lease.growTo(GROWTH_BYTES + 1), isBusy)
    assert.equal(budget.inFlight().bytes, DOCUMENT_BYTES_MAX + GROWTH_BYTES)
    other[Symbol.dispose]()
    lease.growTo(GROWTH_BYTES + 1)
    assert.equal(budget.inFlight().bytes, 2 * GROWTH_BYTES)
  })

  test('takes the maximum for a length that is too large or invalid', () => {
    for (const declared of [DOCUMENT_BYTES_MAX + 1, Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY]) {
      const budget = createInFlightBudget({ bytesMax: BYTES_MAX })
      budget.enter(anyone(), declared)
      assert.equal(budget.inFlight().bytes, DOCUMENT_BYTES_MAX)
    }
  })

  test('a lease returns unused bytes, and shrinking never takes more', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX })
    const lease = budget.enter(anyone(), 5_000)
    lease.shrinkTo(1_000)
    assert.deepEqual(budget.inFlight(), { bytes: 1_000, scans: 1 })
    lease.shrinkTo(2_000)
    assert.equal(budget.inFlight().bytes, 1_000)
    lease.shrinkTo(-5)
    assert.equal(budget.inFlight().bytes, 0)
    lease[Symbol.dispose]()
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })

  test('a lease is released once', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX })
    const other = budget.enter(anyone(), 7)
    const lease = budget.enter(anyone(), 100)
    lease[Symbol.dispose]()
    lease[Symbol.dispose]()
    lease.shrinkTo(0)
    assert.deepEqual(budget.inFlight(), { bytes: 7, scans: 1 })
    other[Symbol.dispose]()
  })

  test('is exact after errors', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX })
    for (let round = 0; round < 1_000; round++) {
      try {
        using lease = budget.enter(anyone(), round % 3 === 0 ? null : round)
        if (round % 2 === 0) lease.shrinkTo(round)
        if (round % 5 === 0) throw new Error('anything')
      } catch {}
    }
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })

  test('rejects limits below the largest document', () => {
    createInFlightBudget({ bytesMax: DOCUMENT_BYTES_MAX, scansMax: 1 })
    assert.throws(() => createInFlightBudget({ bytesMax: DOCUMENT_BYTES_MAX - 1, scansMax: 1 }), RangeError)
    assert.throws(() => createInFlightBudget({ bytesMax: DOCUMENT_BYTES_MAX, scansMax: 0 }), RangeError)
    assert.throws(() => createInFlightBudget({ bytesMax: Number.NaN, scansMax: 1 }), RangeError)
  })
})

describe('the share of an account', () => {
  const MANY = Number.MAX_SAFE_INTEGER

  test('is three quarters of all scans on an idle service; the next is busy', () => {
    const budget = createInFlightBudget({ bytesMax: MANY, scansMax: 64 })
    const leases = Array.from({ length: 48 }, () => budget.enter(from('one'), 1))
    assert.throws(() => budget.enter(from('one'), 1), isShare)
    assert.throws(() => budget.enter(from('one'), null), isShare)
    assert.deepEqual(budget.inFlight(), { bytes: 48, scans: 48 })
    leases[0]?.[Symbol.dispose]()
    budget.enter(from('one'), 1)
  })

  test('is three quarters of the bytes, exactly', () => {
    const budget = createInFlightBudget({ bytesMax: 4 * DOCUMENT_BYTES_MAX, scansMax: 64 })
    const lease = budget.enter(from('one'), DOCUMENT_BYTES_MAX)
    budget.enter(from('one'), DOCUMENT_BYTES_MAX)
    budget.enter(from('one'), DOCUMENT_BYTES_MAX - 1)
    budget.enter(from('one'), 1)
    assert.throws(() => budget.enter(from('one'), 1), isShare)
    lease[Symbol.dispose]()
    budget.enter(from('one'), DOCUMENT_BYTES_MAX)
  })

  test('is a share of what other accounts leave', () => {
    const budget = createInFlightBudget({ bytesMax: MANY, scansMax: 64 })
    for (let i = 0; i < 48; i++) budget.enter(from('one'), 1)
    for (let i = 0; i < 12; i++) budget.enter(from('other'), 1)
    assert.throws(() => budget.enter(from('other'), 1), isShare)
    for (let i = 0; i < 3; i++) budget.enter(from('third'), 1)
    assert.throws(() => budget.enter(from('third'), 1), isShare)
    budget.enter(from('fourth'), 1)
    assert.throws(
      () => budget.enter(from('fifth'), 1),
      (error) => isBusy(error) && !isShare(error),
    )
  })

  test('does not apply to the only document of an account', () => {
    const budget = createInFlightBudget({ bytesMax: DOCUMENT_BYTES_MAX, scansMax: 2 })
    const lease = budget.enter(from('one'), null)
    lease.growTo(DOCUMENT_BYTES_MAX)
    assert.equal(budget.inFlight().bytes, DOCUMENT_BYTES_MAX)
    lease[Symbol.dispose]()
    budget.enter(from('one'), DOCUMENT_BYTES_MAX / 2)
    assert.throws(() => budget.enter(from('one'), 0), isShare)
    budget.enter(from('other'), DOCUMENT_BYTES_MAX / 2)
  })

  test('applies to growing leases', () => {
    const budget = createInFlightBudget({ bytesMax: 2 * DOCUMENT_BYTES_MAX, scansMax: 64 })
    const [first, second] = [budget.enter(from('one'), null), budget.enter(from('one'), null)]
    first.growTo(DOCUMENT_BYTES_MAX)
    assert.throws(() => second.growTo(DOCUMENT_BYTES_MAX), isShare)
    first[Symbol.dispose]()
    second.growTo(DOCUMENT_BYTES_MAX)
  })

  test('forgets an account without scans in flight', () => {
    const budget = createInFlightBudget({ bytesMax: MANY, scansMax: 4 })
    for (let round = 0; round < 10; round++) {
      const leases = [1, 2, 3].map(() => budget.enter(from('one'), null))
      assert.throws(() => budget.enter(from('one'), null), isShare)
      for (const lease of leases) lease[Symbol.dispose]()
    }
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })
})

describe('the share of an address', () => {
  const isAddressShare = (error: unknown) => isBusy(error) && (error as AppError).message.startsWith('Your address')
  const accountAt = (address: string) => from(`account ${people++}`, address)

  test('is nine tenths of all scans, for any number of accounts; another address still gets in', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX })
    const leases = Array.from({ length: 57 }, () => budget.enter(accountAt('a'), 1))
    assert.throws(() => budget.enter(accountAt('a'), 1), isAddressShare)
    leases[0]?.[Symbol.dispose]()
    budget.enter(accountAt('a'), 1)
    budget.enter(accountAt('b'), 1)
  })

  test('is nine tenths of the bytes, but never less than one document', () => {
    const budget = createInFlightBudget({ bytesMax: 10 * DOCUMENT_BYTES_MAX })
    for (let i = 0; i < 9; i++) budget.enter(accountAt('a'), DOCUMENT_BYTES_MAX)
    assert.throws(() => budget.enter(accountAt('a'), 1), isAddressShare)
    budget.enter(accountAt('b'), DOCUMENT_BYTES_MAX)
  })

  test('is forgotten without scans in flight', () => {
    const budget = createInFlightBudget({ bytesMax: BYTES_MAX, scansMax: 2 })
    for (let round = 0; round < 3; round++) {
      using _lease = budget.enter(accountAt('a'), 1)
      assert.throws(() => budget.enter(accountAt('a'), 1), isAddressShare)
    }
  })
})
