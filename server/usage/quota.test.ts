/** Arithmetic of the quota. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grantable, periodEndMs, settle, usageOf } from './quota.ts'

describe('grantable', () => {
  test('grants what is asked within the quota', () => {
    assert.equal(grantable({ used: 10, reserved: 5 }, 500, 3), 3)
  })
  test('grants the rest at the limit, and nothing past it', () => {
    assert.equal(grantable({ used: 490, reserved: 8 }, 500, 5), 2)
    assert.equal(grantable({ used: 492, reserved: 8 }, 500, 5), 0)
  })
  test('grants nothing when a smaller plan allows less than is used', () => {
    assert.equal(grantable({ used: 900, reserved: 0 }, 500, 1), 0)
  })
})

describe('settle', () => {
  const charge = { action: 'charge', quota: 10, alreadyCharged: false, keep: false } as const
  const release = { action: 'release', quota: 10, alreadyCharged: false, keep: false } as const

  test('moves a charge from reserved to used, and removes a release', () => {
    assert.deepEqual(settle({ used: 3, reserved: 4 }, 2, [charge, release]), {
      counter: { used: 4, reserved: 2 },
      held: 0,
      settled: ['settled', 'settled'],
    })
  })
  test('a charge that was committed before changes nothing', () => {
    const again = { ...charge, alreadyCharged: true }
    assert.deepEqual(settle({ used: 3, reserved: 1 }, 1, [again]), {
      counter: { used: 3, reserved: 1 },
      held: 1,
      settled: ['settled'],
    })
  })
  test('a release after a committed charge reverts the charge only', () => {
    const late = { ...release, alreadyCharged: true }
    assert.deepEqual(settle({ used: 3, reserved: 1 }, 1, [late]), {
      counter: { used: 2, reserved: 1 },
      held: 1,
      settled: ['settled'],
    })
  })
  test('a charge whose reservation was swept needs free quota', () => {
    assert.deepEqual(settle({ used: 9, reserved: 0 }, 0, [charge, charge]), {
      counter: { used: 10, reserved: 0 },
      held: 0,
      settled: ['settled', 'rejected'],
    })
  })
  test('a release whose reservation was swept changes nothing', () => {
    assert.deepEqual(settle({ used: 9, reserved: 1 }, 0, [release]).counter, { used: 9, reserved: 1 })
  })
  test('a reserved charge is accepted even after a change to a smaller plan', () => {
    assert.deepEqual(settle({ used: 10, reserved: 1 }, 1, [charge]).settled, ['settled'])
  })
})

describe('usage', () => {
  test('of a key: the rest is never negative', () => {
    assert.deepEqual(usageOf([{ used: 12, revokedAt: null }], 500), {
      scansUsed: 12,
      scansQuota: 500,
      scansRemaining: 488,
    })
    assert.deepEqual(usageOf([{ used: 700, revokedAt: null }], 500), {
      scansUsed: 700,
      scansQuota: 500,
      scansRemaining: 0,
    })
  })
  test('of an account: revoked keys count as used, active ones can still scan', () => {
    const keys = [
      { used: 500, revokedAt: 1 },
      { used: 100, revokedAt: null },
      { used: 600, revokedAt: null },
    ]
    assert.deepEqual(usageOf(keys, 500), { scansUsed: 1200, scansQuota: 1000, scansRemaining: 400 })
  })
  test('of an account without an active key: the quota of one key, none remaining', () => {
    assert.deepEqual(usageOf([{ used: 5, revokedAt: 1 }], 500), {
      scansUsed: 5,
      scansQuota: 500,
      scansRemaining: 0,
    })
  })
})

test('a period ends at the start of the next month, also in December', () => {
  assert.equal(periodEndMs('2026-11'), Date.parse('2026-12-01T00:00:00Z'))
  assert.equal(periodEndMs('2026-12'), Date.parse('2027-01-01T00:00:00Z'))
})
