/** Jobs that an operator drops: nobody waits for them any more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#base/ids.ts'
import type { JobKind } from '#jobs/job.ts'
import { createPosting } from '#jobs/jobs.ts'
import { MARK_OBJECT, SCAN_OBJECT } from '#objects/jobs.ts'
import { createObjectStore } from '#objects/store.ts'
import { SCAN_URL } from '#scan/by-url/queue.ts'
import { createScanQueue } from '#scan/queued-scans.ts'
import { useJobs } from '#test/support/jobs.ts'
import { seedAccount, seedKey, usageState } from '#test/support/seed.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { createQueuedUsage } from '#usage/queued.ts'
import { CALLBACK } from '#webhooks/delivery.ts'
import { createEndings } from './endings.ts'

const KINDS = [SCAN_URL, SCAN_OBJECT, MARK_OBJECT, CALLBACK]
const NO_SEAL = { close: (text: string) => text, open: (text: string) => text }

forEachDatabase('a dropped job', (openUrl) => {
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
    return { database, scanId, find, requests, jobsOf, drop, endings, reserved }
  }

  test('of a URL: its scan has failed at once, with a reason and a callback', async () => {
    const { find, requests, jobsOf, drop, reserved } = await setUp(SCAN_URL)
    assert.equal(await reserved(), 1)
    await drop(SCAN_URL)
    assert.equal(await reserved(), 0)
    const { state, problem, problem_detail: detail, lease_until: lease } = await find()
    assert.deepEqual([state, problem, lease], ['failed', 'scan_lost', null])
    assert.match(detail ?? '', /operator/)
    assert.deepEqual([(await jobsOf(CALLBACK)).length, await requests()], [1, 0])
  })

  test('of an object: the same, and the object is marked as failed', async () => {
    const { find, requests, jobsOf, drop, scanId } = await setUp(SCAN_OBJECT)
    await drop(SCAN_OBJECT)
    assert.equal((await find()).state, 'failed')
    assert.deepEqual([(await jobsOf(CALLBACK)).length, await requests()], [1, 1])
    assert.deepEqual(
      (await jobsOf(MARK_OBJECT)).map(({ data }) => data),
      [{ scanId }],
    )
  })

  test('that marks an object of a list: it is counted, and its request is forgotten', async () => {
    const { database, requests, drop, scanId } = await setUp(SCAN_OBJECT)
    const objects = createObjectStore(database)
    const listingId = newId()
    await change((trx) => objects.insert(trx, [{ scanId, source: 's', identity: null, listingId }]))
    await drop(SCAN_OBJECT)
    await drop(MARK_OBJECT)
    assert.equal(await requests(), 0)
    assert.deepEqual([...(await objects.counts(listingId))], [['unmarked', 1]])
  })

  test('of a callback: its delivery has failed', async () => {
    const { database, drop } = await setUp(SCAN_URL)
    await drop(SCAN_URL)
    await drop(CALLBACK)
    const delivery = await database.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirst()
    assert.deepEqual([delivery?.state, delivery?.error], ['failed', 'dropped by the operator'])
  })

  test('of a scan that has ended meanwhile changes nothing', async () => {
    const { database, find, drop, scanId } = await setUp(SCAN_URL)
    await database.db.updateTable('scans').set({ state: null, lease_until: null }).where('id', '=', scanId).execute()
    await drop(SCAN_URL)
    assert.equal((await find()).problem, null)
  })
})
