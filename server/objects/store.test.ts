/** Events, lists and counts of objects on both databases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt, newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { seedAccount, seedKey } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createObjectStore } from './store.ts'

const DAY_MS = 86_400_000

forEachDatabase('the store of objects', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })
  const transaction = <T>(work: Parameters<ReturnType<Database['db']['transaction']>['execute']>[0]) =>
    database.db.transaction().execute(work) as Promise<T>
  const scanOf = (identity: string | null, listingId: string | null = null, key = newId()) => ({
    ...{ scanId: newId(), source: 's', key, etag: null as string | null, identity, listingId },
  })
  /** Without `finishedAt`, it runs. */
  async function seedScan(
    id: string,
    verdict: 'clean' | 'infected' | 'refused',
    finishedAt: number | null,
    problem: string | null = null,
  ) {
    const accountId = await seedAccount(database)
    const keyId = await seedKey(database, accountId)
    await database.db
      .insertInto('scans')
      .values({
        ...{ id, key_id: keyId, account_id: accountId, verdict, obstacle: null, state: null, problem },
        ...{ problem_detail: null, file_name: 'a', content_type: null, threat: null, engine: null, path: null },
        ...{ sha256: '', size: 0, type: '', engines: '[]', findings: null, started_at: 0 },
        ...{
          finished_at: finishedAt ?? 0,
          reference: null,
          lease_until: finishedAt === null ? Date.now() + DAY_MS : null,
        },
      })
      .execute()
  }

  test('an event is stored once, also by two processes at once', async () => {
    const store = createObjectStore(database)
    const [identity, other] = [newId(), newId()]
    assert.equal(await transaction((trx) => store.insert(trx, [scanOf(identity)])), true)
    assert.equal(await transaction((trx) => store.insert(trx, [scanOf(other), scanOf(identity)])), false)
    assert.equal(await transaction((trx) => store.insert(trx, [scanOf(null), scanOf(null)])), true)
    const seen = await transaction<Set<string>>((trx) => store.seen(trx, [identity, newId()]))
    assert.deepEqual([...seen], [identity])
    const raced = newId()
    const both = await Promise.allSettled(
      [0, 1].map(() =>
        transaction(async (trx) => {
          if (!(await store.insert(trx, [scanOf(raced)]))) throw new Error('raced')
        }),
      ),
    )
    assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('an event may come again when its scan has failed', async () => {
    const store = createObjectStore(database)
    const [failed, done, waiting] = [scanOf(newId()), scanOf(newId()), scanOf(newId())]
    await transaction((trx) => store.insert(trx, [failed, done, waiting]))
    await seedScan(failed.scanId, 'refused', 1, 'fetch_failed')
    await seedScan(done.scanId, 'clean', 1)
    await seedScan(waiting.scanId, 'refused', null)
    const identities = [failed, done, waiting].map(({ identity }) => identity ?? '')
    assert.deepEqual(await transaction<string[]>((trx) => store.release(trx, identities)), [failed.identity])
    const seen = await transaction<Set<string>>((trx) => store.seen(trx, identities))
    assert.deepEqual(seen, new Set([done.identity, waiting.identity]))
    assert.equal(await transaction((trx) => store.insert(trx, [scanOf(failed.identity)])), true)
    assert.deepEqual(await transaction<string[]>((trx) => store.release(trx, [])), [])
  })

  test('a list is kept for 90 days, and as long as its objects wait', async () => {
    const store = createObjectStore(database)
    const { db } = database
    const ids = [newId(), newId(), newId()]
    for (const [index, id] of ids.entries()) {
      const progress = { cursor: null, is_listed: 1, listed: 1, queued: 1 }
      await transaction((trx) => store.openListing(trx, { id, source: newId(), prefix: '', since: 0, ...progress }))
      const age = index === 2 ? 89 : 91
      const aged = { created_at: Date.now() - age * DAY_MS }
      await db.updateTable('object_listings').set(aged).where('id', '=', id).execute()
    }
    await transaction((trx) => store.insert(trx, [scanOf(null, ids[0])]))
    await store.sweep()
    const left = await db.selectFrom('object_listings').select('id').where('id', 'in', ids).execute()
    assert.deepEqual(new Set(left.map(({ id }) => id)), new Set([ids[0], ids[2]]))
  })

  test('more events than fit into a statement', async () => {
    const store = createObjectStore(database)
    const identities = Array.from({ length: 1_201 }, newId)
    assert.equal(
      await transaction((trx) =>
        store.insert(
          trx,
          identities.map((each) => scanOf(each)),
        ),
      ),
      true,
    )
    assert.equal((await transaction<Set<string>>((trx) => store.seen(trx, identities))).size, 1_201)
  })

  test('the first ETag counts, and the last fault', async () => {
    const store = createObjectStore(database)
    const scan = scanOf(newId())
    await transaction((trx) => store.insert(trx, [scan]))
    assert.equal(await store.etagOf(scan.scanId), null)
    await store.noteEtag(scan.scanId, 'a')
    await store.noteEtag(scan.scanId, 'b')
    assert.equal(await store.etagOf(scan.scanId), 'a')
    await store.noteFault(scan.scanId, 'denied')
    assert.equal(await store.verdicts(scan.scanId), null)
  })

  test('of several scans of the same bytes, the verdict counts that was found last', async () => {
    const store = createObjectStore(database)
    const SCANS = [
      { verdict: 'clean', at: 1_000, counts: 2 },
      // Of other bytes.
      { verdict: 'infected', at: 9_000, etag: 'f', counts: 1 },
      { verdict: 'infected', at: 3_000, counts: 2 },
      // Longer in the queue, but found earlier.
      { verdict: 'clean', at: 2_000, counts: 2 },
      // Has not ended.
      { verdict: 'clean', at: null, counts: null },
      // Without a verdict, it hides no other one; and one that did not find the object says nothing.
      { verdict: 'refused', problem: 'fetch_failed', at: 4_000, counts: 2 },
      { verdict: 'refused', problem: 'fetch_failed', fault: 'changed', at: 5_000, counts: 2 },
      // Of another object.
      { verdict: 'clean', at: 8_000, key: 'other', counts: 7 },
    ] as const
    const key = newId()
    const rows = SCANS.map((scan) => ({
      ...scanOf(newId(), null, 'key' in scan ? key + scan.key : key),
      etag: 'etag' in scan ? scan.etag : 'e',
    }))
    await transaction((trx) => store.insert(trx, rows))
    for (const [index, { verdict, at, ...scan }] of SCANS.entries()) {
      const { scanId = '' } = rows[index] ?? {}
      await seedScan(scanId, verdict, at, 'problem' in scan ? scan.problem : null)
      if ('fault' in scan) await store.noteFault(scanId, scan.fault)
    }
    const counting = async (scanId: string) => {
      const found = await store.verdicts(scanId)
      assert.ok(found === null || found.own.scanId === scanId)
      return found && rows.findIndex((row) => row.scanId === found.counting.scanId)
    }
    const found = []
    for (const { scanId } of rows) found.push(await counting(scanId))
    assert.deepEqual(
      found,
      SCANS.map(({ counts }) => counts),
    )
  })

  test('an object of a list that is scanned again is compared with that scan until both are marked', async () => {
    const store = createObjectStore(database)
    const listingId = newId()
    const [event, listed, alone] = [scanOf(newId()), scanOf(null, listingId), scanOf(null, listingId)]
    const rows = [event, { ...listed, key: event.key }, alone].map((row) => ({ ...row, etag: 'e' }))
    await transaction((trx) => store.insert(trx, rows))
    for (const [index, { scanId }] of rows.entries())
      await seedScan(scanId, index === 0 ? 'clean' : 'infected', index + 1)
    for (let times = 0; times < 2; times++)
      for (const { scanId } of [listed, alone])
        await transaction((trx) => store.count(trx, scanId, listingId, 'a', 'infected'))
    assert.deepEqual([...(await store.counts(listingId))], [['infected', 2]])
    assert.equal((await store.verdicts(event.scanId))?.counting.scanId, listed.scanId)
    assert.equal(await store.verdicts(alone.scanId), null)
  })

  test('a list advances from where it is, once, and counts each object once', async () => {
    const store = createObjectStore(database)
    const listing = {
      id: newId(),
      source: newId(),
      prefix: '',
      since: 0,
      cursor: null,
      is_listed: 0,
      listed: 0,
      queued: 0,
    }
    await transaction((trx) => store.openListing(trx, listing))
    const page = { listed: 10, queued: 8 }
    const first = await transaction<{ cursor: string; listed: number } | null>((trx) =>
      store.advance(trx, listing, 'k', page),
    )
    assert.deepEqual([first?.cursor, first?.listed], ['k', 10])
    assert.equal(await transaction((trx) => store.advance(trx, listing, 'k', page)), null)
    const newest = await store.newest(listing.source, '', 0)
    assert.deepEqual([newest?.id, newest?.cursor, newest?.queued], [listing.id, 'k', 8])
    const last = await transaction<{ is_listed: number } | null>((trx) =>
      store.advance(trx, { id: listing.id, cursor: 'k' }, null, page),
    )
    assert.equal(last?.is_listed, 1)
    assert.equal(await transaction((trx) => store.advance(trx, { id: listing.id, cursor: null }, null, page)), null)

    const scans = [scanOf(null, listing.id), scanOf(null, listing.id)]
    await transaction((trx) => store.insert(trx, scans))
    for (const shard of ['a', 'b'])
      for (const { scanId } of scans) await transaction((trx) => store.count(trx, scanId, listing.id, shard, 'clean'))
    assert.deepEqual([...(await store.counts(listing.id))], [['clean', 2]])
  })

  test('events are kept for eight days', async () => {
    const store = createObjectStore(database)
    const [old, fresh] = [scanOf(newId()), scanOf(newId())]
    await transaction((trx) => store.insert(trx, [old, fresh]))
    const age = (scanId: string, ms: number) =>
      database.db
        .updateTable('object_scans')
        .set({ created_at: Date.now() - ms })
        .where('scan_id', '=', scanId)
        .execute()
    await age(old.scanId, 8 * DAY_MS + 60_000)
    await age(fresh.scanId, 8 * DAY_MS - 60_000)
    assert.equal(await store.sweep(), false)
    const left = await database.db.selectFrom('object_scans').select('scan_id').execute()
    assert.ok(left.some(({ scan_id: id }) => id === fresh.scanId) && left.every(({ scan_id: id }) => id !== old.scanId))
  })

  test('what an object needs until it is tagged stays for eight days after its scan, however long that has waited', async () => {
    const { db } = database
    const store = createObjectStore(database, 1)
    const now = Date.now()
    const scans = [
      { queued: 9 * DAY_MS, ended: 8 * DAY_MS + 60_000, lease: null, isKept: false },
      { queued: 9 * DAY_MS, ended: 8 * DAY_MS + 60_000, lease: null, isKept: false },
      { queued: 9 * DAY_MS, ended: 0, lease: Date.now() + DAY_MS, isKept: true },
      { queued: 9 * DAY_MS, ended: 8 * DAY_MS - 60_000, lease: null, isKept: true },
      { queued: 8 * DAY_MS - 60_000, ended: 0, lease: null, isKept: true },
    ].map((scan, index) => ({ ...scan, id: firstIdAt(now - scan.queued - index) }))
    for (const { id, queued, ended, lease } of scans) {
      await seedScan(id, 'clean', lease === null ? Date.now() - ended : null)
      const request = { scan_id: id, kind: 'scan-object', sealed: '', meter_id: null, period: null }
      await db.insertInto('scan_requests').values(request).execute()
      await transaction((trx) => store.insert(trx, [{ ...scanOf(newId()), scanId: id }]))
      const aged = { created_at: Date.now() - queued }
      await db.updateTable('object_scans').set(aged).where('scan_id', '=', id).execute()
    }
    assert.equal(await store.sweep(), true)
    const requests = () => db.selectFrom('scan_requests').select('scan_id').execute()
    assert.equal((await requests()).filter(({ scan_id: id }) => scans.some((scan) => scan.id === id)).length, 4)
    while (await store.sweep());
    const kept = scans.filter(({ isKept }) => isKept).map(({ id }) => id)
    const ids = (rows: { scan_id: string }[]) =>
      rows.map(({ scan_id: id }) => id).filter((id) => scans.some((scan) => scan.id === id))
    assert.deepEqual(ids(await requests()).sort(), kept.toSorted())
    assert.deepEqual(ids(await db.selectFrom('object_scans').select('scan_id').execute()).sort(), kept.toSorted())
  })
})
