/** Tickets on a real database: exact under concurrency and consistent after failures. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { AppError, storageUnavailable } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { query } from '#storage/prepared.ts'
import { quietLog, seedAccount, seedKey, usageState } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createReplicaStore } from './replicas.ts'
import { LATER_BATCH_MAX } from './reservations.ts'
import { createUsageStore, type EffectKind, type SettleItem, type UsageStore } from './store.ts'
import { createUsage } from './usage.ts'

const effectOf = (kind: EffectKind) => ({ kind, of: {} })
const isRefusal = (code: string) => (error: unknown) => error instanceof AppError && error.code === code

forEachDatabase('usage', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  const createService = (quota: number, replicaId = newId(), store?: UsageStore) =>
    createUsage({
      store: store ?? createUsageStore(database, replicaId),
      scansPerMonth: () => quota,
      log: quietLog,
    })

  test('a charged ticket is one used scan with one row in the ledger', async () => {
    const keyId = await seedKey(database)
    const usage = createService(5)
    {
      await using ticket = await usage.reserve(keyId, 'free')
      assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 1, held: 1, ledger: 0 })
      await ticket.charge(newId())
    }
    assert.deepEqual(await usageState(database, keyId), { used: 1, reserved: 0, held: 0, ledger: 1 })
  })

  test('a ticket that is not charged releases its reservation', async () => {
    const keyId = await seedKey(database)
    const usage = createService(1)
    await assert.rejects(async () => {
      await using _ticket = await usage.reserve(keyId, 'free')
      throw new Error('the scan failed')
    }, /the scan failed/)
    assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 0, held: 0, ledger: 0 })
    await (await usage.reserve(keyId, 'free')).charge(newId())
  })

  test('a scan beside a correction of its lease is not refused', async () => {
    const keyId = await seedKey(database)
    const store = createUsageStore(database, newId())
    const scan = { keyId, quota: 5, asked: 1 } as const
    const correction = { keyId, quota: 0, asked: 0 } as const
    for (const items of [
      [scan, correction],
      [correction, scan],
    ]) {
      const reserved = await store.reserve(items, () => Number.POSITIVE_INFINITY)
      assert.deepEqual(
        reserved.map(({ granted }) => granted),
        items.map((item) => item === scan),
      )
    }
    assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 2, held: 2, ledger: 0 })
    await store.reserve([correction], () => 0)
    assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 0, held: 0, ledger: 0 })
  })

  test('a ticket is charged once', async () => {
    const keyId = await seedKey(database)
    await using ticket = await createService(5).reserve(keyId, 'free')
    await ticket.charge(newId())
    await assert.rejects(ticket.charge(newId()), /charged once/)
    assert.equal((await usageState(database, keyId)).used, 1)
  })

  test('a charge for which nobody waits is repeated while storage is unavailable, and is one charge', async () => {
    const store = createUsageStore(database, newId())
    /** Refused, then committed with a lost response. */
    const failing = (failures: ('refused' | 'lost')[]): UsageStore => ({
      ...store,
      async settle(items) {
        const failure = failures.shift()
        const settled = failure === 'refused' ? [] : await store.settle(items)
        if (failure !== undefined) throw storageUnavailable(new Error(failure))
        return settled
      },
    })
    for (const failures of [['refused'], ['lost'], ['refused', 'refused', 'lost']] as ('refused' | 'lost')[][]) {
      const keyId = await seedKey(database)
      const scanId = newId()
      let asked = 0
      // As an open scan: wanted until it is finished.
      const effect = effectOf({
        *wanted(effects) {
          asked++
          const [written] = yield* query(database.db.selectFrom('replicas').select('id').where('id', '=', scanId))
          return new Set(written === undefined ? effects : [])
        },
        *write() {
          yield* query(database.db.insertInto('replicas').values({ id: scanId, seen_at: 1 }))
        },
      })
      {
        await using ticket = await createService(5, newId(), failing([...failures])).reserve(keyId, 'free')
        await ticket.charge(scanId, effect, { accountId: 'a', patienceMs: 10_000 })
      }
      assert.ok(asked > 0)
      const { used, ledger } = await usageState(database, keyId)
      assert.deepEqual([used, ledger], [1, 1], failures.join())
    }
    const keyId = await seedKey(database)
    await assert.rejects(async () => {
      await using ticket = await createService(5, newId(), failing(['refused'])).reserve(keyId, 'free')
      await ticket.charge(newId())
    }, isRefusal('storage_unavailable'))
    assert.equal((await usageState(database, keyId)).ledger, 0)
  })

  test('a charge for which nobody waits does not wait for the backlog of another account', async () => {
    const [flooding, healthy] = [await seedKey(database), await seedKey(database)]
    const usage = createService(1_000)
    const order: string[] = []
    const charge = async (keyId: string) => {
      const ticket = await usage.reserve(keyId, 'free')
      return async () => {
        await ticket.charge(newId(), undefined, { accountId: keyId, patienceMs: 10_000 })
        order.push(keyId)
      }
    }
    const charges = await Promise.all(Array.from({ length: 300 }, () => charge(flooding)))
    charges.push(await charge(healthy))
    await Promise.all(charges.map((run) => run()))
    const before = order.indexOf(healthy)
    assert.ok(before < LATER_BATCH_MAX, `${before} charges of the other account came first`)
    assert.equal((await usageState(database, flooding)).ledger, 300)
  })

  test('402 past the quota says when the period ends', async () => {
    const keyId = await seedKey(database)
    const usage = createService(1)
    await (await usage.reserve(keyId, 'free')).charge(newId())
    const now = new Date()
    await assert.rejects(usage.reserve(keyId, 'free'), (error) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.code, 'quota_exhausted')
      const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
      const seconds = error.retryAfterSeconds ?? 0
      const secondsTo = (at: number) => (end - at) / 1_000
      assert.ok(seconds >= secondsTo(Date.now()) - 1 && seconds <= secondsTo(now.getTime()) + 1, `${seconds}`)
      assert.match(error.message, new RegExp(new Date(end).toISOString()))
      return true
    })
  })

  test('400 parallel reservations with 50 left grant exactly 50', async () => {
    const keyId = await seedKey(database)
    const usage = createService(500)
    await Promise.all(Array.from({ length: 450 }, async () => (await usage.reserve(keyId, 'free')).charge(newId())))
    const results = await Promise.allSettled(Array.from({ length: 400 }, () => usage.reserve(keyId, 'free')))
    const granted = results.filter((result) => result.status === 'fulfilled')
    assert.equal(granted.length, 50)
    for (const result of results) {
      if (result.status === 'rejected') assert.ok(isRefusal('quota_exhausted')(result.reason))
    }
    await Promise.all(
      granted.map((result, i) => (i % 2 ? result.value.charge(newId()) : result.value[Symbol.asyncDispose]())),
    )
    assert.deepEqual(await usageState(database, keyId), { used: 475, reserved: 0, held: 0, ledger: 475 })
  })

  test('many keys and two replicas at once stay consistent', async () => {
    const keyIds = await Promise.all(Array.from({ length: 8 }, () => seedKey(database)))
    const replicas = [createService(30), createService(30)]
    let charges = 0
    await Promise.all(
      Array.from({ length: 400 }, async (_, i) => {
        try {
          await using ticket = await replicas[i % 2]!.reserve(keyIds[i % 8]!, 'free')
          if (i % 5 === 0) return
          await ticket.charge(newId())
          charges++
        } catch (error) {
          assert.ok(isRefusal('quota_exhausted')(error), String(error))
        }
      }),
    )
    const all = await Promise.all(keyIds.map((keyId) => usageState(database, keyId)))
    assert.equal(
      charges,
      all.reduce((sum, book) => sum + book.used, 0),
    )
    for (const book of all) {
      assert.ok(book.used <= 30)
      assert.deepEqual(book, { used: book.used, reserved: 0, held: 0, ledger: book.used })
    }
  })

  test('a new month starts at zero, and a ticket is charged to the month of its reservation', async () => {
    const keyId = await seedKey(database)
    const storeIn = (month: string): UsageStore =>
      createUsageStore({ ...database, clock: { ...database.clock, period: sql`${sql.lit(month)}` } }, 'replica')
    let store = storeIn('2026-11')
    const usage = createService(1, 'replica', {
      ...store,
      reserve: (...asked) => store.reserve(...asked),
      settle: (items) => store.settle(items),
    })
    const ticket = await usage.reserve(keyId, 'free')
    await assert.rejects(usage.reserve(keyId, 'free'), isRefusal('quota_exhausted'))
    store = storeIn('2026-12')
    await (await usage.reserve(keyId, 'free')).charge(newId())
    await ticket.charge(newId())
    const rows = await database.db
      .selectFrom('usage_counters')
      .selectAll()
      .where('key_id', '=', keyId)
      .orderBy('period')
      .execute()
    assert.deepEqual(
      rows.map(({ period, used, reserved }) => ({ period, used, reserved })),
      [
        { period: '2026-11', used: 1, reserved: 0 },
        { period: '2026-12', used: 1, reserved: 0 },
      ],
    )
  })

  test('reports the usage of a key, and for a session that of all keys of the account', async () => {
    const accountId = await seedAccount(database)
    const [one, two] = [await seedKey(database, accountId), await seedKey(database, accountId)]
    const usage = createService(10)
    await (await usage.reserve(one, 'free')).charge(newId())
    await (await usage.reserve(two, 'free')).charge(newId())
    await (await usage.reserve(two, 'free')).charge(newId())
    const period = new Date().toISOString().slice(0, 7)
    assert.deepEqual(await usage.report({ kind: 'key', keyId: two, accountId, plan: 'free' }), {
      plan: 'free',
      period,
      scansUsed: 2,
      scansQuota: 10,
      scansRemaining: 8,
    })
    await database.db.updateTable('api_keys').set({ revoked_at: 1 }).where('id', '=', two).execute()
    assert.deepEqual(await usage.report({ kind: 'session', sessionId: 's', accountId, plan: 'free' }), {
      plan: 'free',
      period,
      scansUsed: 3,
      scansQuota: 10,
      scansRemaining: 9,
    })
  })

  describe('failures', () => {
    /** Fails the n-th settlement before or after it is committed. */
    function flaky(store: UsageStore, failAt: number, when: 'before' | 'after'): UsageStore {
      let calls = 0
      return {
        ...store,
        async settle(items: readonly SettleItem[]) {
          calls++
          if (calls === failAt && when === 'before') throw new AppError('storage_unavailable', 'lost')
          const result = await store.settle(items)
          if (calls === failAt && when === 'after') throw new AppError('storage_unavailable', 'lost')
          return result
        },
      }
    }

    test('a committed reservation whose response was lost is released, and no other', async () => {
      const [keyId, idle] = [await seedKey(database), await seedKey(database)]
      const store = createUsageStore(database, 'deaf')
      let deaf = false
      const usage = createService(5, 'deaf', {
        ...store,
        async reserve(items, countOpen) {
          const results = await store.reserve(items, countOpen)
          if (deaf) throw new AppError('storage_unavailable', 'lost')
          return results
        },
      })
      const ticket = await usage.reserve(keyId, 'free')
      deaf = true
      const lost = await Promise.allSettled([1, 2, 3].map(() => usage.reserve(keyId, 'free')))
      await assert.rejects(usage.reserve(idle, 'free'), isRefusal('storage_unavailable'))
      assert.ok(lost.every((result) => result.status === 'rejected'))
      assert.equal((await usageState(database, keyId)).reserved, 4)
      deaf = false
      // Released by the next reservation of the key, and for an unused key by the sweeper.
      const tickets = await Promise.all([1, 2, 3, 4].map(() => usage.reserve(keyId, 'free')))
      assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 5, held: 5, ledger: 0 })
      await usage.settleOwed()
      assert.equal((await usageState(database, idle)).reserved, 0)
      await Promise.all([ticket, ...tickets].map((one) => one.charge(newId())))
      assert.deepEqual(await usageState(database, keyId), { used: 5, reserved: 0, held: 0, ledger: 5 })
    })

    test('402 while scans are in progress says to wait for them', async () => {
      const keyId = await seedKey(database)
      const usage = createService(1)
      await using _ticket = await usage.reserve(keyId, 'free')
      await assert.rejects(usage.reserve(keyId, 'free'), (error) => {
        assert.ok(error instanceof AppError && error.code === 'quota_exhausted')
        assert.equal(error.retryAfterSeconds, 5)
        assert.match(error.message, /in progress/)
        return true
      })
    })

    for (const when of ['before', 'after'] as const) {
      test(`a charge that fails ${when} its commit leaves neither a reservation nor a charge`, async () => {
        const keyId = await seedKey(database)
        const usage = createService(5, 'flaky', flaky(createUsageStore(database, 'flaky'), 1, when))
        await using other = await usage.reserve(keyId, 'free')
        await assert.rejects(async () => {
          await using ticket = await usage.reserve(keyId, 'free')
          await ticket.charge(newId())
        }, isRefusal('storage_unavailable'))
        assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 1, held: 1, ledger: 0 })
        await other.charge(newId())
      })
    }

    test('an effect is written with its charge and undone with it, or stays with it', async () => {
      const keyId = await seedKey(database)
      const row = (id: string): EffectKind => ({
        *write() {
          yield* query(database.db.insertInto('replicas').values({ id, seen_at: 1 }))
        },
        *undo() {
          yield* query(database.db.deleteFrom('replicas').where('id', '=', id))
        },
      })
      const written = async (id: string) =>
        (await database.db.selectFrom('replicas').select('id').where('id', '=', id).execute()).length
      const usage = createService(5)
      await (await usage.reserve(keyId, 'free')).charge(newId(), effectOf(row('kept')))
      assert.equal(await written('kept'), 1)

      const lossy = createService(5, 'lossy', flaky(createUsageStore(database, 'lossy'), 1, 'after'))
      await assert.rejects(async () => {
        await using ticket = await lossy.reserve(keyId, 'free')
        await ticket.charge(newId(), effectOf(row('undone')))
      }, isRefusal('storage_unavailable'))
      assert.equal(await written('undone'), 0)

      const final = { write: row('final').write }
      const deaf = createService(5, 'deaf', flaky(createUsageStore(database, 'deaf'), 1, 'after'))
      const other = await seedKey(database)
      await assert.rejects(async () => {
        await using ticket = await deaf.reserve(other, 'free')
        await ticket.charge(newId(), effectOf(final))
      }, isRefusal('storage_unavailable'))
      assert.equal(await written('final'), 1)
      assert.deepEqual(await usageState(database, other), { used: 1, reserved: 0, held: 0, ledger: 1 })

      await assert.rejects(async () => {
        await using ticket = await usage.reserve(keyId, 'free')
        const failing = effectOf({
          // biome-ignore lint/correctness/useYield: it fails before its first query.
          *write() {
            throw new Error('cannot write')
          },
        })
        await ticket.charge(newId(), failing)
      }, /cannot write/)
      assert.deepEqual(await usageState(database, keyId), { used: 1, reserved: 0, held: 0, ledger: 1 })
    })

    test('a scan whose effect takes long to write does not delay another one of the key', async () => {
      // It has one writer at a time.
      if (database.kind === 'sqlite') return
      const keyId = await seedKey(database)
      const [first, second] = [createService(5, 'first'), createService(5, 'second')]
      const slow = Promise.withResolvers<void>()
      const [one, other] = [await first.reserve(keyId, 'free'), await second.reserve(keyId, 'free')]
      const writing = effectOf({
        *write() {
          yield () => slow.promise
        },
      })
      const charging = one.charge(newId(), writing)
      await other.charge(newId())
      assert.equal((await usageState(database, keyId)).used, 1)
      slow.resolve()
      await charging
      assert.deepEqual(await usageState(database, keyId), { used: 2, reserved: 0, held: 0, ledger: 2 })
    })

    test('a release that fails is owed and settled later', async () => {
      const keyId = await seedKey(database)
      const usage = createService(5, 'owing', flaky(createUsageStore(database, 'owing'), 1, 'before'))
      await (await usage.reserve(keyId, 'free'))[Symbol.asyncDispose]()
      assert.equal((await usageState(database, keyId)).reserved, 1)
      await usage.settleOwed()
      assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 0, held: 0, ledger: 0 })
    })

    test('the sweeper releases the reservations of silent replicas only', async () => {
      const keyId = await seedKey(database)
      const [living, dead, unknown] = ['living', 'dead', 'never-seen'].map((name) => `${name}-${newId()}`) as [
        string,
        string,
        string,
      ]
      await createReplicaStore(database, living).beat()
      await createReplicaStore(database, dead).beat()
      await database.db.updateTable('replicas').set({ seen_at: 1 }).where('id', '=', dead).execute()
      await createService(10, living).reserve(keyId, 'free')
      const dying = createService(10, dead)
      await dying.reserve(keyId, 'free')
      await dying.reserve(keyId, 'free')
      await createService(10, unknown).reserve(keyId, 'free')
      assert.equal(await createReplicaStore(database, living).sweep(60_000), 3)
      assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 1, held: 1, ledger: 0 })
      assert.equal(await createReplicaStore(database, living).sweep(60_000), 0)
    })

    test('a replica that was swept while it slept can charge only free quota', async () => {
      const keyId = await seedKey(database)
      const sleeper = createService(2, 'sleeper')
      const [first, second] = [await sleeper.reserve(keyId, 'free'), await sleeper.reserve(keyId, 'free')]
      const awake = createReplicaStore(database, `awake-${newId()}`)
      await awake.beat()
      await awake.sweep(60_000)
      await (await createService(2).reserve(keyId, 'free')).charge(newId())
      await first.charge(newId())
      const id = newId()
      const effect = effectOf({
        *write() {
          yield* query(database.db.insertInto('replicas').values({ id, seen_at: 1 }))
        },
      })
      await assert.rejects(second.charge(newId(), effect), isRefusal('quota_exhausted'))
      assert.deepEqual(await database.db.selectFrom('replicas').select('id').where('id', '=', id).execute(), [])
      assert.deepEqual(await usageState(database, keyId), { used: 2, reserved: 0, held: 0, ledger: 2 })
    })
  })
})
