/** Notices at 75, 90 and 100 % of a key's quota, once each per month. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { quietLog, seedKey } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { sharesReached } from './quota.ts'
import { createUsageStore } from './store.ts'
import { createUsage } from './usage.ts'

test('a share is reached by the scan that completes it', () => {
  assert.deepEqual(sharesReached(373, 374, 500), [])
  assert.deepEqual(sharesReached(374, 375, 500), [75])
  assert.deepEqual(sharesReached(375, 376, 500), [])
  assert.deepEqual(sharesReached(449, 450, 500), [90])
  assert.deepEqual(sharesReached(499, 500, 500), [100])
  assert.deepEqual(sharesReached(0, 500, 500), [75, 90, 100])
  assert.deepEqual(sharesReached(500, 499, 500), [])
  assert.deepEqual(sharesReached(0, 1, 1), [75, 90, 100])
})

forEachDatabase('usage notices', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  function createScanner(quota: number, notified: { share: number; used: number; quota: number }[]) {
    const store = createUsageStore(database, newId(), async (_trx, { share, used, quota }) => {
      notified.push({ share, used, quota })
    })
    const usage = createUsage({
      store,
      scansPerMonth: () => quota,
      log: quietLog,
    })
    return async (keyId: string) => (await usage.reserve(keyId, 'free')).charge(newId())
  }

  test('each share is notified once across processes, also after a change of plan', async () => {
    const keyId = await seedKey(database)
    const notified: { share: number; used: number; quota: number }[] = []
    const [one, other] = [createScanner(20, notified), createScanner(20, notified)]
    for (let i = 0; i < 10; i++) {
      await one(keyId)
      await other(keyId)
    }
    assert.deepEqual(notified, [
      { share: 75, used: 15, quota: 20 },
      { share: 90, used: 18, quota: 20 },
      { share: 100, used: 20, quota: 20 },
    ])
    const larger = createScanner(40, notified)
    for (let i = 0; i < 20; i++) await larger(keyId)
    assert.equal(notified.length, 3)
  })

  test('of several shares reached at once, the largest is notified', async () => {
    const keyId = await seedKey(database)
    const notified: { share: number; used: number; quota: number }[] = []
    const scan = createScanner(4, notified)
    await scan(keyId)
    await scan(keyId)
    await Promise.all([scan(keyId), scan(keyId)])
    assert.deepEqual(notified.at(-1), { share: 100, used: 4, quota: 4 })
    assert.ok(notified.length <= 2)
  })

  test('a failed notice rolls the charge back', async () => {
    const keyId = await seedKey(database)
    const store = createUsageStore(database, newId(), () => Promise.reject(new Error('disk full')))
    const usage = createUsage({ store, scansPerMonth: () => 1, log: quietLog })
    await assert.rejects(async () => {
      await using ticket = await usage.reserve(keyId, 'free')
      await ticket.charge(newId())
    }, /disk full/)
    const notices = await database.db.selectFrom('usage_notices').selectAll().where('key_id', '=', keyId).execute()
    assert.deepEqual(notices, [])
  })
})
