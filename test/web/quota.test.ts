/** The figures of a month when keys were revoked. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasNoKey, spent } from '#web/src/quota.ts'

const usage = (scansUsed: number, scansQuota: number, scansRemaining: number) => ({
  ...{ plan: 'free', period: '2026-11', scansUsed, scansQuota, scansRemaining },
})

test('a quota is used up only if its keys have nothing left', () => {
  assert.equal(spent(usage(120, 500, 380)), 120)
  assert.equal(spent(usage(500, 500, 0)), 500)
  assert.equal(hasNoKey(usage(500, 500, 0)), false)
})

test('scans of a revoked key leave the quota of the others alone', () => {
  assert.equal(spent(usage(500, 500, 500)), 0)
})

test('without an active key, nothing is left and nothing is used up', () => {
  assert.equal(hasNoKey(usage(5, 500, 0)), true)
  assert.equal(spent(usage(5, 500, 0)), 5)
})
