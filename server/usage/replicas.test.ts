/** The sweeper: heartbeats, owed releases, and reservations of dead replicas. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { quietLog, seedKey, usageState } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createReplicaStore, startSweeper } from './replicas.ts'
import { createUsageStore } from './store.ts'
import { createUsage } from './usage.ts'

forEachDatabase('sweeper', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  const replicas = async () => (await database.db.selectFrom('replicas').selectAll().execute()).map((row) => row.id)

  test('beats at the start, sweeps and settles periodically, and deregisters at the end', async () => {
    const keyId = await seedKey(database)
    const [ours, dead] = [newId(), newId()]
    await createUsage({
      store: createUsageStore(database, dead),
      scansPerMonth: () => 5,
      log: quietLog,
    }).reserve(keyId, 'free')
    let settled = 0
    mock.timers.enable({ apis: ['setInterval'] })
    const store = createReplicaStore(database, ours)
    const sweeper = await startSweeper(store, async () => void settled++, quietLog)
    assert.deepEqual(await replicas(), [ours])
    assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 1, held: 1, ledger: 0 })

    await database.db.updateTable('replicas').set({ seen_at: 1 }).where('id', '=', ours).execute()
    mock.timers.tick(10_000)
    mock.timers.reset()
    await sweeper.close()
    assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 0, held: 0, ledger: 0 })
    assert.equal(settled, 2, 'once periodically and once at the end')
    assert.deepEqual(await replicas(), [])
  })

  test('continues after a failed sweep', async () => {
    let sweeps = 0
    mock.timers.enable({ apis: ['setInterval'] })
    const store = { ...createReplicaStore(database, newId()), sweep: async () => Promise.reject(new Error('away')) }
    const sweeper = await startSweeper(store, async () => void sweeps++, quietLog)
    mock.timers.tick(30_000)
    mock.timers.reset()
    await sweeper.close()
    assert.equal(sweeps, 4)
  })
})
