/** Units kept for the next reservations of busy keys: cheap far from the quota, exact at its edge. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { quietLog, seedAccount, seedKey, usageState } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { KEEP_FREE_MIN, KEPT_MAX, mayKeep, periodEndMs, settle } from './quota.ts'
import { createReplicaStore } from './replicas.ts'
import { createUsageStore, type UsageStore } from './store.ts'
import { createUsage, type UsageService } from './usage.ts'

const isRefusal = (code: string) => (error: unknown) => error instanceof AppError && error.code === code
const PLENTY = 1_000_000

test('a settled unit is kept if at least 1,024 units stay free, and its reservation is covered', () => {
  const charge = { action: 'charge', alreadyCharged: false, keep: true } as const
  const settleOne = (quota: number, held = 1) => settle({ used: 10, reserved: 5 }, held, [{ ...charge, quota }])
  const quota = 10 + 1 + 5 + KEEP_FREE_MIN
  assert.deepEqual(settleOne(quota), { counter: { used: 11, reserved: 5 }, held: 1, settled: ['kept'] })
  assert.deepEqual(settleOne(quota - 1), { counter: { used: 11, reserved: 4 }, held: 0, settled: ['settled'] })
  assert.deepEqual(settleOne(quota, 0).settled, ['settled'])
})

test('no unit is kept in the last minute of its month, nor after it', () => {
  const end = periodEndMs('2026-11')
  assert.equal(mayKeep('2026-11', end - 60_001), true)
  assert.equal(mayKeep('2026-11', end - 60_000), false)
  assert.equal(mayKeep('2026-11', end + 1), false)
})

forEachDatabase('kept units', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })
  // The clock stops, so that keys are busy also on a slow machine.
  let nowMs = performance.now()
  beforeEach(() => {
    mock.method(performance, 'now', () => nowMs)
  })
  afterEach(() => mock.restoreAll())

  /** A service whose plan can change, and that counts the reservations it asks the database for. */
  function createService(quota: number, replicaId = newId(), store = createUsageStore(database, replicaId)) {
    const service = { quota, asked: 0 }
    const counting: UsageStore = {
      ...store,
      reserve(items, countHeld) {
        service.asked += items.length
        return store.reserve(items, countHeld)
      },
    }
    return Object.assign(
      service,
      createUsage({ store: counting, scansPerMonth: () => service.quota, log: quietLog }) satisfies UsageService,
    )
  }

  const scan = async (usage: UsageService, keyId: string) => (await usage.reserve(keyId, 'free')).charge(newId())
  /** Two scans in quick succession, after which one unit is kept. */
  async function warmUp(usage: UsageService, keyId: string): Promise<void> {
    await scan(usage, keyId)
    await scan(usage, keyId)
    assert.deepEqual(await usageState(database, keyId), { used: 2, reserved: 1, held: 1, ledger: 2 })
  }

  test('a busy key reserves without the database, and usage counts charged scans only', async () => {
    const accountId = await seedAccount(database)
    const keyId = await seedKey(database, accountId)
    const usage = createService(PLENTY)
    await warmUp(usage, keyId)
    assert.equal(usage.asked, 2)
    for (let i = 0; i < 8; i++) await scan(usage, keyId)
    assert.equal(usage.asked, 2)
    assert.deepEqual(await usageState(database, keyId), { used: 10, reserved: 1, held: 1, ledger: 10 })
    const { scansUsed, scansRemaining } = await usage.report({ kind: 'key', keyId, accountId, plan: 'free' })
    assert.deepEqual([scansUsed, scansRemaining], [10, PLENTY - 10])
    await usage.settleOwed()
    assert.deepEqual(await usageState(database, keyId), { used: 10, reserved: 0, held: 0, ledger: 10 })
  })

  test('a busy key also releases without the database', async () => {
    const keyId = await seedKey(database)
    const store = createUsageStore(database, newId())
    const settled = mock.method(store, 'settle')
    const usage = createService(PLENTY, '', store)
    await warmUp(usage, keyId)
    for (let i = 0; i < 3; i++) await (await usage.reserve(keyId, 'free'))[Symbol.asyncDispose]()
    assert.deepEqual([usage.asked, settled.mock.callCount()], [2, 2])
    await usage.settleOwed()
    assert.deepEqual(await usageState(database, keyId), { used: 2, reserved: 0, held: 0, ledger: 2 })
  })

  test(`at most ${KEPT_MAX} units are kept`, async () => {
    const keyId = await seedKey(database)
    const usage = createService(PLENTY)
    const tickets = await Promise.all(Array.from({ length: KEPT_MAX + 1 }, () => usage.reserve(keyId, 'free')))
    await Promise.all(tickets.map((ticket) => ticket.charge(newId())))
    assert.equal((await usageState(database, keyId)).held, KEPT_MAX)
    await usage.settleOwed()
    assert.equal((await usageState(database, keyId)).held, 0)
  })

  test('units of an idle key are returned', async () => {
    const keyId = await seedKey(database)
    await warmUp(createService(PLENTY), keyId)
    nowMs += 1_001
    for (let i = 0; i < 100 && (await usageState(database, keyId)).reserved > 0; i++) await sleep(50)
    assert.deepEqual(await usageState(database, keyId), { used: 2, reserved: 0, held: 0, ledger: 2 })
  })

  test('two replicas that keep units grant exactly the rest of the quota when others use up the most of it', async () => {
    const keyId = await seedKey(database)
    const replicas = [createService(PLENTY), createService(PLENTY)]
    const callers = Array.from({ length: 24 }, (_, i) => replicas[i % 2]!)
    await Promise.all(callers.map((usage) => scan(usage, keyId)))
    assert.equal((await usageState(database, keyId)).held, 24)
    const left = 40
    const rows = database.db.updateTable('usage_counters').where('key_id', '=', keyId)
    await rows.set({ used: PLENTY - left }).execute()
    let charged = 0
    const scanUntilRefused = async (usage: UsageService): Promise<unknown> => {
      while (charged <= left) {
        try {
          await scan(usage, keyId)
          charged++
        } catch (error) {
          return error
        }
      }
      return null
    }
    const refusals = await Promise.all(callers.map(scanUntilRefused))
    assert.ok(refusals.every(isRefusal('quota_exhausted')), refusals.join(', '))
    assert.equal(charged, left)
    const { used, reserved, held } = await usageState(database, keyId)
    assert.deepEqual([used, reserved, held], [PLENTY, 0, 0])
  })

  test('a change to a smaller plan applies to the next reservation', async () => {
    const keyId = await seedKey(database)
    const usage = createService(PLENTY)
    await warmUp(usage, keyId)
    usage.quota = 2
    await assert.rejects(usage.reserve(keyId, 'free'), isRefusal('quota_exhausted'))
    assert.deepEqual(await usageState(database, keyId), { used: 2, reserved: 0, held: 0, ledger: 2 })
    usage.quota = 3
    await scan(usage, keyId)
    await assert.rejects(usage.reserve(keyId, 'free'), isRefusal('quota_exhausted'))
  })

  test('at the end of a month, units are returned and the database decides the month', async () => {
    const keyId = await seedKey(database)
    const end = periodEndMs('2026-11')
    const at = (month: string, nowMs: number) => {
      const clock = { ...database.clock, period: sql<string>`${sql.lit(month)}`, nowMs: sql<number>`${sql.lit(nowMs)}` }
      return createUsageStore({ ...database, clock }, 'replica')
    }
    let store = at('2026-11', end - 90_000)
    const usage = createService(PLENTY, 'replica', {
      ...store,
      reserve: (...asked) => store.reserve(...asked),
      settle: (items) => store.settle(items),
    })
    await warmUp(usage, keyId)
    await Promise.all([scan(usage, keyId), scan(usage, keyId)])
    assert.equal((await usageState(database, keyId)).held, 2)
    store = at('2026-11', end - 59_000)
    await scan(usage, keyId)
    store = at('2026-12', end + 1)
    await scan(usage, keyId)
    const rows = await database.db
      .selectFrom('usage_counters')
      .select(['period', 'used'])
      .where('key_id', '=', keyId)
      .orderBy('period')
      .execute()
    assert.deepEqual(
      rows.map(({ period, used }) => [period, used]),
      [
        ['2026-11', 5],
        ['2026-12', 1],
      ],
    )
    await usage.settleOwed()
    assert.equal((await usageState(database, keyId)).reserved, 0)
  })

  test('units that a dead replica kept are released', async () => {
    const keyId = await seedKey(database)
    await warmUp(createService(PLENTY, 'dead-keeper'), keyId)
    const living = createReplicaStore(database, newId())
    await living.beat()
    assert.equal(await living.sweep(60_000), 1)
    assert.equal((await usageState(database, keyId)).reserved, 0)
  })

  test('a replica that slept asks the database again, and a swept unit needs free quota', async () => {
    const keyId = await seedKey(database)
    const usage = createService(PLENTY)
    await warmUp(usage, keyId)
    const later = Date.now() + 2_001
    const wall = mock.method(Date, 'now', () => later)
    const ticket = await usage.reserve(keyId, 'free')
    assert.equal(usage.asked, 3)
    wall.mock.restore()
    await ticket.charge(newId())

    const swept = await usage.reserve(keyId, 'free')
    assert.equal(usage.asked, 3)
    const living = createReplicaStore(database, newId())
    await living.beat()
    await living.sweep(60_000)
    await database.db.updateTable('usage_counters').set({ used: PLENTY }).where('key_id', '=', keyId).execute()
    await assert.rejects(swept.charge(newId()), isRefusal('quota_exhausted'))
    const { used, reserved } = await usageState(database, keyId)
    assert.deepEqual([used, reserved], [PLENTY, 0])
  })

  test('a unit that was kept by a settlement whose response was lost is released', async () => {
    const keyId = await seedKey(database)
    const store = createUsageStore(database, newId())
    let deaf = false
    const usage = createService(PLENTY, '', {
      ...store,
      async settle(items) {
        const settled = await store.settle(items)
        if (!deaf) return settled
        deaf = false
        throw new AppError('storage_unavailable', 'lost')
      },
    })
    await warmUp(usage, keyId)
    deaf = true
    await assert.rejects(async () => {
      await using ticket = await usage.reserve(keyId, 'free')
      await ticket.charge(newId())
    }, isRefusal('storage_unavailable'))
    assert.deepEqual(await usageState(database, keyId), { used: 2, reserved: 1, held: 1, ledger: 2 })
    await usage.settleOwed()
    assert.deepEqual(await usageState(database, keyId), { used: 2, reserved: 0, held: 0, ledger: 2 })
  })
})
