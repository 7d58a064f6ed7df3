/** Scans that end together, and jobs that fail or are dropped: nobody waits for them any more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { JobKind } from '#jobs/job.ts'
import { createPosting } from '#jobs/jobs.ts'
import { MARK_OBJECT, SCAN_OBJECT } from '#objects/jobs.ts'
import { createObjectStore } from '#objects/store.ts'
import { SCAN_URL } from '#scan/by-url/queue.ts'
import { createOpenScans } from '#scan/open-scans.ts'
import { createScanQueue } from '#scan/queued-scans.ts'
import { createReportStore } from '#scan/report-store.ts'
import { createScanStore } from '#scan/store.ts'
import type { Database } from '#storage/database.ts'
import { runSteps } from '#storage/prepared.ts'
import { until, useJobs } from '#test/support/jobs.ts'
import { quietLog, seedAccount, seedKey, usageState } from '#test/support/seed.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { createQueuedUsage } from '#usage/queued.ts'
import { createReplicaStore } from '#usage/replicas.ts'
import { createUsageStore } from '#usage/store.ts'
import { createUsage } from '#usage/usage.ts'
import { CALLBACK } from '#webhooks/delivery.ts'
import { createEndings } from './endings.ts'

const KINDS = [SCAN_URL, SCAN_OBJECT, MARK_OBJECT, CALLBACK]
const NO_SEAL = { close: (text: string) => text, open: (text: string) => text }

forEachDatabase('a job that is dropped or fails', (openUrl) => {
  const rig = useJobs(openUrl, KINDS)
  const { change } = rig

  /** A scan that waits, of an account with an endpoint for callbacks. */
  async function setUp(kind: JobKind<{ scanId: string }>) {
    const { database, store } = rig
    const jobs = createPosting(store)
    const usage = createQueuedUsage({ database, scansPerMonth: () => 1 })
    const endings = createEndings({ database, jobs, usage })
    const accountId = await seedAccount(database)
    const principal = { keyId: await seedKey(database, accountId), accountId, address: '192.0.2.1' }
    await endings.webhooks.create({
      ...{ id: newId(), account_id: accountId, url: '', shown_url: '', events: '["scan.failed"]', description: null },
      ...{ keys: '', public_key: '' },
    })
    const queue = createScanQueue({ store: endings.queued, jobs, seal: NO_SEAL })
    const scan = { principal, request: {}, fileName: 'a.txt', reference: 'r', requestId: newId() }
    const [scanId = ''] = await change((trx) => queue(trx, kind, [scan]))
    const unit = await change((trx) => usage.reserve(trx, principal.keyId, 'free'))
    await change((trx) => endings.queued.noteUnit(trx, scanId, unit))
    const reserved = async () => (await usageState(database, principal.keyId)).reserved
    const find = () => database.db.selectFrom('scans').selectAll().where('id', '=', scanId).executeTakeFirstOrThrow()
    const requests = async () =>
      (await database.db.selectFrom('scan_requests').select('scan_id').where('scan_id', '=', scanId).execute()).length
    const jobsOf = async ({ name }: Pick<JobKind, 'name'>) => await store.list({ kind: name }, 10)
    const drop = async (of: Pick<JobKind, 'name'>) => {
      const [job] = await jobsOf(of)
      await change(async (trx) => endings.dropped(trx, (await store.drop(trx, job?.id ?? '')) ?? assert.fail()))
    }
    const fail = async (of: Pick<JobKind, 'name'>) => {
      const [{ kind, data } = assert.fail()] = await jobsOf(of)
      await change((trx) => endings.failed(trx, { kind, data }))
    }
    const delivery = () =>
      database.db.selectFrom('webhook_deliveries').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    return { database, scanId, find, requests, jobsOf, drop, fail, delivery, endings, reserved }
  }

  test('dropped, of a URL: its scan has failed at once, with a reason and a callback', async () => {
    const { find, requests, jobsOf, drop, reserved } = await setUp(SCAN_URL)
    assert.equal(await reserved(), 1)
    await drop(SCAN_URL)
    assert.equal(await reserved(), 0)
    const { state, problem, problem_detail: detail, lease_until: lease } = await find()
    assert.deepEqual([state, problem, lease], ['failed', 'scan_lost', null])
    assert.match(detail ?? '', /operator/)
    assert.deepEqual([(await jobsOf(CALLBACK)).length, await requests()], [1, 0])
  })

  test('dropped, of an object: the same, and the object is marked as failed', async () => {
    const { find, requests, jobsOf, drop, scanId } = await setUp(SCAN_OBJECT)
    await drop(SCAN_OBJECT)
    assert.equal((await find()).state, 'failed')
    assert.deepEqual([(await jobsOf(CALLBACK)).length, await requests()], [1, 1])
    assert.deepEqual(
      (await jobsOf(MARK_OBJECT)).map(({ data }) => data),
      [{ scanId }],
    )
  })

  test('dropped, that marks an object of a list: it is counted, and its request is forgotten', async () => {
    const { database, requests, drop, scanId } = await setUp(SCAN_OBJECT)
    const objects = createObjectStore(database)
    const listingId = newId()
    await change((trx) =>
      objects.insert(trx, [{ scanId, source: 's', key: 'a.txt', etag: null, identity: null, listingId }]),
    )
    await drop(SCAN_OBJECT)
    await drop(MARK_OBJECT)
    assert.equal(await requests(), 0)
    assert.deepEqual([...(await objects.counts(listingId))], [['unmarked', 1]])
  })

  test('dropped, of a callback: its delivery has failed', async () => {
    const { delivery, drop } = await setUp(SCAN_URL)
    await drop(SCAN_URL)
    await drop(CALLBACK)
    const { state, error } = await delivery()
    assert.deepEqual([state, error], ['failed', 'dropped by the operator'])
  })

  test('failed, of a URL: its scan has failed with a callback, and has one end however often', async () => {
    const { find, requests, jobsOf, fail, reserved } = await setUp(SCAN_URL)
    for (let times = 0; times < 2; times++) await fail(SCAN_URL)
    const { state, problem, problem_detail: detail } = await find()
    assert.deepEqual([state, problem, detail, await reserved()], ['failed', 'scan_lost', null, 0])
    assert.deepEqual([(await jobsOf(CALLBACK)).length, await requests()], [1, 0])
  })

  test('failed, of an object of a list: it is counted once and keeps its request, for a job that is repeated', async () => {
    const { database, requests, fail, jobsOf, scanId } = await setUp(SCAN_OBJECT)
    const objects = createObjectStore(database)
    const listingId = newId()
    await change((trx) =>
      objects.insert(trx, [{ scanId, source: 's', key: 'a.txt', etag: null, identity: null, listingId }]),
    )
    await fail(SCAN_OBJECT)
    assert.equal((await jobsOf(MARK_OBJECT)).length, 1)
    for (let times = 0; times < 2; times++) await fail(MARK_OBJECT)
    assert.equal(await requests(), 1)
    assert.deepEqual([...(await objects.counts(listingId))], [['unmarked', 1]])
  })

  test('failed, of a callback: its delivery has failed, and is sent again where an operator repeats the job', async () => {
    const { delivery, drop, fail, jobsOf, endings } = await setUp(SCAN_URL)
    await drop(SCAN_URL)
    await fail(CALLBACK)
    const { state, error } = await delivery()
    assert.deepEqual([state, error], ['failed', 'the last attempt was not completed'])
    await drop(CALLBACK).catch(() => {})
    assert.equal((await delivery()).error, error)
    const repeated = { kind: CALLBACK.name, data: { deliveryId: (await delivery()).id } }
    await change((trx) => endings.repeated(trx, repeated))
    assert.equal((await delivery()).state, 'waiting')
    await rig.database.db.updateTable('webhook_deliveries').set({ state: 'delivered' }).execute()
    await change((trx) => endings.repeated(trx, repeated))
    await change((trx) => endings.failed(trx, repeated))
    assert.deepEqual([(await delivery()).state, (await jobsOf(CALLBACK)).length], ['delivered', 0])
  })

  test('dropped, of a scan that has ended meanwhile changes nothing', async () => {
    const { database, find, drop, scanId } = await setUp(SCAN_URL)
    await database.db.updateTable('scans').set({ state: null, lease_until: null }).where('id', '=', scanId).execute()
    await drop(SCAN_URL)
    assert.equal((await find()).problem, null)
  })
})

const ALL_EVENTS = ['scan.completed', 'scan.failed', 'scan.infected']
interface Owner {
  accountId: string
  keyId: string
  endpointId: string
}
const NEVER_MS = 1_000_000_000

forEachDatabase('verdicts that are stored together', (openUrl) => {
  const rig = useJobs(openUrl, KINDS)
  const { change } = rig

  /** One process, and how many transactions of charges it has begun. */
  function setUp({ quota = 10, replicaId = newId() } = {}) {
    const { database, store } = rig
    const counted = { transactions: 0 }
    const transact: Database['transact'] = (procedure, options) => {
      counted.transactions++
      return database.transact(procedure, options)
    }
    const scansPerMonth = () => quota
    const usageStore = createUsageStore({ ...database, transact }, replicaId)
    const usage = createUsage({ store: usageStore, scansPerMonth, log: quietLog })
    const queued = createQueuedUsage({ database, scansPerMonth })
    const endings = createEndings({ database, jobs: createPosting(store), usage: queued })
    const answers = createScanStore(database, newId())
    const scans = createOpenScans({ store: endings.openScans, answers, log: quietLog, renewMs: NEVER_MS })

    async function newAccount(events = ALL_EVENTS) {
      const accountId = await seedAccount(database)
      const endpoint = {
        ...{ id: newId(), account_id: accountId, url: '', shown_url: '', events: JSON.stringify(events) },
        ...{ description: null, keys: '', public_key: '' },
      }
      await endings.webhooks.create(endpoint)
      return { accountId, keyId: await seedKey(database, accountId), endpointId: endpoint.id }
    }
    /** A scan whose client has been answered. */
    async function accept({ accountId, keyId }: Owner, verdict: 'clean' | 'infected' = 'clean') {
      const ticket = await usage.reserve(keyId, 'free')
      const row = {
        ...{ id: newId(), key_id: keyId, account_id: accountId, verdict: 'refused' as const, obstacle: null },
        ...{
          path: null,
          file_name: 'a.txt',
          content_type: null,
          sha256: 'f'.repeat(64),
          size: 3,
          type: '',
          engines: '[]',
        },
        ...{ threat: null, engine: null, findings: null, started_at: 1, finished_at: 2, reference: null },
      }
      const open = await scans.open(row, null)
      const found = async () => {
        const scan = await database.db.selectFrom('scans').selectAll().where('id', '=', row.id).executeTakeFirst()
        return scan && [scan.verdict, scan.problem, scan.lease_until]
      }
      async function end(): Promise<void> {
        await using charged = ticket
        const ending = { scan: { ...row, verdict }, claim: null, response: '{}', receipt: null }
        await charged.charge(row.id, open.effectOf(ending), { accountId, patienceMs: 0 })
        open.charged()
      }
      return { id: row.id, open, found, end }
    }

    const endAll = (accepted: readonly Awaited<ReturnType<typeof accept>>[]) =>
      Promise.allSettled(accepted.map(({ end }) => end()))
    const delivered = async ({ endpointId }: Owner) =>
      (await endings.webhooks.deliveries(endpointId)).map(({ event, body }) => [event, JSON.parse(body).data.scanId])
    const usageOf = ({ keyId }: Owner) => usageState(database, keyId)
    return { ...{ database, counted, usage, endings, scans, newAccount, accept, endAll, delivered, usageOf } }
  }

  const codes = (results: PromiseSettledResult<void>[]) =>
    results.map((result) => (result.status === 'fulfilled' ? null : (result.reason as { code?: string }).code))
  const ONE_CHARGE = { used: 1, reserved: 0, held: 0, ledger: 1 }
  const NO_CHARGE = { used: 0, reserved: 0, held: 0, ledger: 0 }
  const CLEAN = ['clean', null, null]

  test('are charged once each, and called for where that is wanted', async () => {
    const { counted, newAccount, accept, endAll, delivered, usageOf } = setUp()
    const [all, onlyAlerts, none] = [await newAccount(), await newAccount(['scan.infected']), await newAccount([])]
    const [one, two] = [await accept(all), await accept(all, 'infected')]
    const [three, four, five] = [await accept(onlyAlerts), await accept(onlyAlerts, 'infected'), await accept(none)]
    counted.transactions = 0
    assert.deepEqual(new Set(codes(await endAll([one, two, three, four, five]))), new Set([null]))
    assert.equal(counted.transactions, 1)
    assert.deepEqual(await two.found(), ['infected', null, null])
    assert.deepEqual(
      new Set((await delivered(all)).map(String)),
      new Set([`scan.completed,${one.id}`, `scan.completed,${two.id}`, `scan.infected,${two.id}`]),
    )
    assert.deepEqual(await delivered(onlyAlerts), [['scan.infected', four.id]])
    assert.deepEqual(await delivered(none), [])
    const jobs = (await rig.store.list({ kind: CALLBACK.name }, 100)).map(({ data }) => data as { endpointId: string })
    const called = [all, all, all, onlyAlerts].map(({ endpointId }) => endpointId)
    assert.deepEqual(jobs.map(({ endpointId }) => endpointId).sort(), called.sort())
    assert.deepEqual(await usageOf(all), { used: 2, reserved: 0, held: 0, ledger: 2 })
    assert.deepEqual(await usageOf(none), ONE_CHARGE)
  })

  test('of one account with quota for one of them: the other is neither charged nor announced', async () => {
    const { database, newAccount, accept, endAll, delivered, usageOf } = setUp({ quota: 2 })
    const [tight, other] = [await newAccount(), await newAccount()]
    const scans = [await accept(tight), await accept(tight), await accept(other)]
    // Its reservations were given up while it slept, and another process has used one of them.
    const awake = createReplicaStore(database, newId())
    await awake.beat()
    await awake.sweep(60_000)
    await (await setUp({ quota: 2 }).usage.reserve(tight.keyId, 'free')).charge(newId())
    assert.deepEqual(codes(await endAll(scans)), [null, 'quota_exhausted', null])
    const [first, second, third] = await Promise.all(scans.map(({ found }) => found()))
    assert.deepEqual([first, second?.slice(0, 2), third], [CLEAN, ['refused', null], CLEAN])
    assert.deepEqual(await delivered(tight), [['scan.completed', scans[0]?.id]])
    assert.deepEqual([await usageOf(tight), await usageOf(other)], [{ ...ONE_CHARGE, used: 2, ledger: 2 }, ONE_CHARGE])
    await scans[1]?.open.fail(new AppError('quota_exhausted', ''))
    assert.deepEqual(await scans[1]?.found(), ['refused', 'quota_exhausted', null])
  })

  test('beside one that has ended, one that was dropped and one of a deleted account', async () => {
    const { database, counted, endings, usage, newAccount, accept, endAll, delivered, usageOf } = setUp()
    const accounts = await Promise.all(Array.from({ length: 4 }, () => newAccount()))
    const [healthy, ended, dropped, deleted] = accounts as [Owner, Owner, Owner, Owner]
    const scans = await Promise.all(accounts.map((account) => accept(account)))
    const lost = { code: 'scan_lost', detail: null } as const
    await scans[1]?.open.fail(new AppError('scan_timeout', ''))
    await change((trx) => runSteps(trx, endings.openScans.endAs(scans[2]?.id ?? '', lost)))
    await change(async (trx) => {
      await createReportStore(database).erase(trx, deleted.accountId, [deleted.keyId])
      await endings.webhooks.erase(trx, deleted.accountId)
    })
    counted.transactions = 0
    assert.deepEqual(codes(await endAll(scans)), [null, 'scan_lost', 'scan_lost', 'scan_lost'])
    assert.equal(counted.transactions, 1)
    const found = await Promise.all(scans.map((scan) => scan.found()))
    const failed = (problem: string) => ['refused', problem, null]
    assert.deepEqual(found, [CLEAN, failed('scan_timeout'), failed('scan_lost'), undefined])
    await usage.settleOwed()
    assert.deepEqual(await Promise.all(accounts.map(usageOf)), [ONE_CHARGE, NO_CHARGE, NO_CHARGE, NO_CHARGE])
    assert.deepEqual(await delivered(healthy), [['scan.completed', scans[0]?.id]])
    for (const account of [ended, dropped])
      assert.deepEqual(
        (await delivered(account)).map(([event]) => event),
        ['scan.failed'],
      )
  })

  test('while an endpoint is being deleted: its account and the others keep their verdicts', async () => {
    const { database, endings, newAccount, accept, endAll, delivered, usageOf } = setUp()
    const [first, other] = [await newAccount(), await newAccount()]
    const scans = [await accept(first), await accept(other)]
    const [erased, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const deleted = change(async (trx) => {
      await endings.webhooks.erase(trx, first.accountId)
      erased.resolve()
      // SQLite has one transaction at a time.
      if (database.kind === 'postgres') await waiting.promise
    })
    await erased.promise
    const ending = endAll(scans)
    try {
      if (database.kind === 'postgres')
        await until('the verdicts wait for the endpoint', async () => {
          const { rows } = await sql`select 1 from pg_locks where not granted`.execute(database.db)
          return rows.length > 0
        })
    } finally {
      waiting.resolve()
      await deleted
    }
    assert.deepEqual(codes(await ending), [null, null])
    assert.deepEqual(await Promise.all(scans.map(({ found }) => found())), [CLEAN, CLEAN])
    assert.deepEqual([await delivered(first), await delivered(other)], [[], [['scan.completed', scans[1]?.id]]])
    assert.deepEqual([await usageOf(first), await usageOf(other)], [ONE_CHARGE, ONE_CHARGE])
  })
})
