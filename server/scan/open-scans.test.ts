/** Leases of open scans: one ending each, also when a process is paused for longer than its lease. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, isStorageUnavailable, storageUnavailable } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { quietLog, seedAccount, seedKey, usageState } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createUsageStore } from '#usage/store.ts'
import { createUsage } from '#usage/usage.ts'
import { createOpenScanStore, GIVEN_UP_MAX } from './open-scan-store.ts'
import { createOpenScans, OPEN_MAX } from './open-scans.ts'
import { type Claim, createScanStore, type NewScan } from './store.ts'

const LEASE_MS = 400
const NEVER_MS = 1_000_000_000

const rowOf = (keyId: string): NewScan => ({
  ...{ id: newId(), key_id: keyId, account_id: null, verdict: 'refused', obstacle: null, threat: null, engine: null },
  ...{ path: null, file_name: 'a.txt', content_type: null, sha256: 'f'.repeat(64), size: 3, type: '', engines: '[]' },
  ...{ findings: null, started_at: 1, finished_at: 2, reference: null },
})

const verdictOf = (row: NewScan, claim: Claim | null = null) => ({
  ...{ scan: { ...row, verdict: 'clean' as const }, claim, response: '{"status":"clean"}', receipt: null },
})

forEachDatabase('open scans', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })
  /** One of several processes. Nothing happens by itself. */
  function process() {
    const answers = createScanStore(database, newId())
    const store = createOpenScanStore(database, function* () {})
    const scans = createOpenScans({ store, answers, log: quietLog, leaseMs: LEASE_MS, renewMs: NEVER_MS })
    const usage = createUsage({ store: createUsageStore(database, newId()), scansPerMonth: () => 10, log: quietLog })
    return { scans, usage, answers }
  }
  const find = (id: string) =>
    database.db.selectFrom('scans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const charged = async (keyId: string) => {
    const { used } = await usageState(database, keyId)
    return used
  }

  test('a scan is finished and charged together', async () => {
    const keyId = await seedKey(database)
    const { scans, usage } = process()
    const ticket = await usage.reserve(keyId, 'free')
    const row = rowOf(keyId)
    const open = await scans.open(row, null)
    assert.deepEqual([(await find(row.id)).state, await charged(keyId)], ['queued', 0])
    await ticket.charge(row.id, open.effectOf(verdictOf({ ...row, type: 'text/plain' })))
    open.charged()
    await open.fail(new Error('too late'))
    const { verdict, state, lease_until } = await find(row.id)
    assert.deepEqual([verdict, state, lease_until, await charged(keyId)], ['clean', null, null, 1])
  })

  test('an account has so many at once, and others theirs', async () => {
    const [keyId, accounts] = [await seedKey(database), [await seedAccount(database), await seedAccount(database)]]
    const [first = '', other = ''] = accounts
    const { scans } = process()
    const openOne = (accountId: string) => scans.open({ ...rowOf(keyId), account_id: accountId }, null)
    for (let count = 1; count < OPEN_MAX; count++) await openOne(first)
    assert.equal(scans.isFull(first), false)
    const last = await openOne(first)
    await openOne(other)
    assert.deepEqual([scans.isFull(first), scans.isFull(other)], [true, false])
    await last.fail(new AppError('scan_timeout', ''))
    await last.fail(new AppError('scan_timeout', ''))
    assert.equal(scans.isFull(first), false)
    await openOne(first)
    assert.equal(scans.isFull(first), true)
  })

  test('leases are renewed while another scan is being charged', async () => {
    // It has one transaction at a time.
    if (database.kind === 'sqlite') return
    const keyId = await seedKey(database)
    const { scans } = process()
    const [charged, waiting] = [rowOf(keyId), rowOf(keyId)]
    for (const row of [charged, waiting]) await scans.open(row, null)
    const before = (await find(waiting.id)).lease_until ?? 0
    await sleep(2)
    await database.db.transaction().execute(async (trx) => {
      await trx.updateTable('scans').set({ state: 'running' }).where('id', '=', charged.id).execute()
      await scans.renew()
    })
    assert.ok(((await find(waiting.id)).lease_until ?? 0) > before)
  })

  test('a lease that is renewed does not end; one that is not ends the scan', async () => {
    const keyId = await seedKey(database)
    const [living, dead, other] = [process(), process(), process()]
    const [kept, lost] = [rowOf(keyId), rowOf(keyId)]
    await living.scans.open(kept, null)
    await dead.scans.open(lost, null)
    for (let passed = 0; passed < LEASE_MS * 2; passed += LEASE_MS / 4) {
      await living.scans.renew()
      await sleep(LEASE_MS / 4)
    }
    await living.scans.renew()
    await other.scans.renew()
    assert.deepEqual([(await find(kept.id)).state, (await find(lost.id)).state], ['queued', 'failed'])
    assert.equal((await find(lost.id)).problem, 'scan_lost')
    // It does not come back.
    await dead.scans.renew()
    assert.equal((await find(lost.id)).lease_until, null)
  })

  test('the scans of a dead process are given up in short transactions, and all of them', async () => {
    const keyId = await seedKey(database)
    const [dead, other] = [process(), process()]
    const openMany = async (count: number) => {
      for (let opened = 0; opened < count; opened++) await dead.scans.open(rowOf(keyId), null)
      await sleep(LEASE_MS * 1.5)
    }
    const left = () => database.db.selectFrom('scans').select('id').where('lease_until', 'is not', null).execute()
    // Those of other tests.
    await openMany(0)
    await other.scans.renew()
    await openMany(GIVEN_UP_MAX + 1)
    assert.equal(await createOpenScanStore(database, function* () {}).giveUp('scan_lost'), GIVEN_UP_MAX)
    assert.equal((await left()).length, 1)
    await openMany(2 * GIVEN_UP_MAX)
    await other.scans.renew()
    assert.deepEqual(await left(), [])
  })

  test('a verdict after the end of its lease is neither stored nor charged', async () => {
    const keyId = await seedKey(database)
    const [paused, other] = [process(), process()]
    const ticket = await paused.usage.reserve(keyId, 'free')
    const row = rowOf(keyId)
    const open = await paused.scans.open(row, null)
    await sleep(LEASE_MS * 1.5)
    await other.scans.renew()
    await ticket.charge(row.id, open.effectOf(verdictOf(row)))
    assert.throws(
      () => open.charged(),
      (error) => error instanceof AppError && error.code === 'scan_lost',
    )
    const { verdict, state } = await find(row.id)
    assert.deepEqual([verdict, state, await charged(keyId)], ['refused', 'failed', 0])
    await paused.usage.settleOwed()
    assert.deepEqual(await usageState(database, keyId), { used: 0, reserved: 0, ledger: 0, held: 0 })
    assert.equal(
      (await database.db.selectFrom('usage_ledger').selectAll().where('key_id', '=', keyId).execute()).length,
      0,
    )
  })

  test('two attempts that end together are charged once, and fail nobody else', async () => {
    const keyId = await seedKey(database)
    const { scans, usage } = process()
    const [twice, other] = [rowOf(keyId), rowOf(keyId)]
    const opened = await Promise.all([twice, other].map((row) => scans.open(row, null)))
    const attempts = [scans.resume(twice), scans.resume(twice), opened[1] as (typeof opened)[1]]
    const tickets = await Promise.all(attempts.map(() => usage.reserve(keyId, 'free')))
    await Promise.all(
      attempts.map(async (open, index) => {
        const row = open?.scanId === other.id ? other : twice
        await tickets[index]?.charge(row.id, open?.effectOf(verdictOf(row)))
      }),
    )
    attempts[0]?.charged()
    assert.throws(
      () => attempts[1]?.charged(),
      (error) => error instanceof AppError && error.code === 'scan_lost',
    )
    attempts[2]?.charged()
    assert.deepEqual([(await find(twice.id)).verdict, (await find(other.id)).verdict], ['clean', 'clean'])
    await usage.settleOwed()
    assert.deepEqual(await usageState(database, keyId), { used: 2, reserved: 0, ledger: 2, held: 0 })
  })

  test('a verdict that was stored stays, and so does its charge, if no response arrives', async () => {
    const keyId = await seedKey(database)
    const { scans, answers } = process()
    const store = createUsageStore(database, newId())
    let isDeaf = true
    const usage = createUsage({
      store: {
        ...store,
        async settle(items) {
          const settled = await store.settle(items)
          if (isDeaf) throw storageUnavailable(new Error('lost'))
          return settled
        },
      },
      ...{ scansPerMonth: () => 10, log: quietLog },
    })
    const claim = { keyId, hash: 'a', id: newId() }
    await answers.claim(claim, NEVER_MS)
    const row = rowOf(keyId)
    const open = await scans.open(row, claim)
    await assert.rejects(async () => {
      await using ticket = await usage.reserve(keyId, 'free')
      await ticket.charge(row.id, open.effectOf(verdictOf(row, claim)))
    }, isStorageUnavailable)
    await open.fail(storageUnavailable(new Error('lost')))
    isDeaf = false
    await usage.settleOwed()
    const { verdict, state, problem } = await find(row.id)
    assert.deepEqual([verdict, state, problem], ['clean', null, null])
    assert.deepEqual((await answers.claim({ ...claim, id: newId() }, NEVER_MS)).state, 'answered')
    assert.deepEqual(await usageState(database, keyId), { used: 1, reserved: 0, ledger: 1, held: 0 })
  })

  test('closing waits for the last ending', async () => {
    const keyId = await seedKey(database)
    const { scans } = process()
    const row = rowOf(keyId)
    const open = await scans.open(row, null)
    let isClosed = false
    const closed = scans.close().then(() => {
      isClosed = true
    })
    await sleep(50)
    assert.equal(isClosed, false)
    await open.fail(new AppError('scan_timeout', ''))
    await closed
    assert.deepEqual([(await find(row.id)).state, (await find(row.id)).problem], ['failed', 'scan_timeout'])
  })
})
