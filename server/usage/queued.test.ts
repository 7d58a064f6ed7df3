/** Units of scans that wait, on a real database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { runSteps } from '#storage/prepared.ts'
import { quietLog, seedKey, usageState } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createQueuedUsage } from './queued.ts'
import { createReplicaStore } from './replicas.ts'
import { createUsageStore } from './store.ts'
import { createUsage } from './usage.ts'

const isExhausted = (error: unknown) => error instanceof AppError && error.code === 'quota_exhausted'

forEachDatabase('units of scans that wait', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })
  async function setUp(quota: number) {
    const keyId = await seedKey(database)
    const queued = createQueuedUsage({ database, scansPerMonth: () => quota })
    const usage = createUsage({
      ...{ store: createUsageStore(database, newId()), scansPerMonth: () => quota, log: quietLog },
    })
    const reserve = () => database.db.transaction().execute((trx) => queued.reserve(trx, keyId, 'free'))
    return { keyId, queued, usage, reserve, state: () => usageState(database, keyId) }
  }

  test('nobody else gets it, also after the process that reserved it was given up, and it is charged once', async () => {
    const { queued, usage, reserve, state, keyId } = await setUp(2)
    const unit = await reserve()
    await (await usage.reserve(keyId, 'free')).charge(newId())
    await assert.rejects(usage.reserve(keyId, 'free'), isExhausted)
    await assert.rejects(reserve(), isExhausted)
    const other = createReplicaStore(database, newId())
    await other.beat()
    await other.sweep(60_000)
    assert.deepEqual(await state(), { used: 1, reserved: 1, held: 1, ledger: 1 })
    // An attempt that ends without a verdict leaves it.
    await queued.ticketOf(unit, 'free')[Symbol.asyncDispose]()
    await queued.ticketOf(unit, 'free').charge(newId())
    assert.deepEqual(await state(), { used: 2, reserved: 0, held: 0, ledger: 2 })
  })

  test('it is released by the end of the scan, or with the transaction that queues it', async () => {
    const { queued, reserve, state, keyId } = await setUp(1)
    const unit = await reserve()
    await database.db.transaction().execute((trx) => runSteps(trx, queued.release(unit)))
    assert.deepEqual(await state(), { used: 0, reserved: 0, held: 0, ledger: 0 })
    const undone = database.db.transaction().execute(async (trx) => {
      await queued.reserve(trx, keyId, 'free')
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    await reserve()
  })
})
