/** Lists of reports read the reports of an account part by part; expiry follows the clock of the database. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { firstIdAt, newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { quietLog, seedAccount, seedKey } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createReportStore, type ReportStore } from './report-store.ts'
import { createReports } from './reports.ts'
import { createScanStore, UNSCANNED_PER_DAY } from './store.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const ACCOUNT = newId()
const RARE = 'f'.repeat(64)

const OPTIONS = { findings: { decode: () => [] }, retentionDays: 30, log: quietLog }

test('a request that finds nothing reads 20 parts, and the next one continues', async () => {
  const places: [string | undefined, number][] = []
  const list: ReportStore['list'] = async (_account, _filter, { before, readMax }) => {
    places.push([before, readMax])
    return { rows: [], reached: places.length === 21 ? null : firstIdAt(1_000 - places.length) }
  }
  const reports = createReports({ ...OPTIONS, store: { list } as ReportStore })
  const { items, nextCursor } = await reports.list(ACCOUNT, { sha256: RARE })
  assert.deepEqual([items, places.length, places[0]], [[], 20, [undefined, 5_000]])
  const last = await reports.list(ACCOUNT, { sha256: RARE, cursor: nextCursor ?? '' })
  assert.deepEqual([last.nextCursor, places[20]], [null, [firstIdAt(980), 5_000]])
  await reports.close()
})

forEachDatabase('reports', (openUrl) => {
  let database: Database
  let keyId: string
  useDatabase(openUrl, (opened) => {
    database = opened
  })
  beforeEach(async () => {
    keyId ??= await seedKey(database)
    await database.db.deleteFrom('scans').execute()
  })

  /** Of an account, oldest first; `rare` are the indexes of those that a filter matches. */
  async function insert(count: number, rare: number[], agedMs = 0): Promise<string[]> {
    const at = Date.now() - agedMs - count
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ id: firstIdAt(at + index), key_id: keyId, account_id: ACCOUNT, verdict: 'clean' as const, size: 1 },
      ...{ sha256: rare.includes(index) ? RARE : 'a'.repeat(64), type: 'text/plain', engines: '[]' },
      ...{ started_at: at + index, finished_at: at + index },
    }))
    await database.db.insertInto('scans').values(rows).execute()
    return rows.map(({ id }) => id)
  }

  test('a part ends after the reports that it may read', async () => {
    const ids = await insert(5, [0, 3])
    const store = createReportStore(database)
    const part = async (before: string | undefined, readMax: number) => {
      const { rows, reached } = await store.list(ACCOUNT, { sha256: RARE }, { before, count: 2, readMax })
      return [rows.map(({ id }) => ids.indexOf(id)), reached && ids.indexOf(reached)]
    }
    assert.deepEqual(await part(undefined, 1), [[], 4])
    assert.deepEqual(await part(undefined, 2), [[3], 3])
    assert.deepEqual(await part(ids[3], 2), [[], 1])
    assert.deepEqual(await part(ids[1], 2), [[0], null])
    assert.deepEqual(await part(undefined, 5), [[3, 0], 0])
  })

  test(`of documents that were not inspected, a day has ${UNSCANNED_PER_DAY}; other refusals do not count`, async () => {
    const accountId = await seedAccount(database)
    const store = createScanStore(database, 'replica')
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
    const row = (obstacle: 'empty' | 'encrypted', at: number) => ({
      ...{ id: firstIdAt(at), key_id: keyId, account_id: accountId, verdict: 'refused' as const, obstacle },
      ...{ file_name: 'a', content_type: null, threat: null, engine: null, path: null, sha256: '', size: 0 },
      ...{ type: '', engines: '[]', findings: null, reference: null, started_at: at, finished_at: at },
    })
    const count = async () =>
      (await createReportStore(database).list(accountId, {}, { count: 300, readMax: 300 })).rows.length
    await store.recordRefused(row('encrypted', today + 1_000))
    await store.recordUnscanned(row('empty', today - 1))
    for (let index = 0; index < UNSCANNED_PER_DAY - 1; index++) await store.recordUnscanned(row('empty', today + index))
    // A second process does not know what the first one has counted.
    const stores = [store, createScanStore(database, 'other')]
    await Promise.all(stores.map((each, index) => each.recordUnscanned(row('empty', today + 500 + index))))
    assert.equal(await count(), UNSCANNED_PER_DAY + 2)
    for (const each of stores) await each.recordUnscanned(row('empty', today + 600))
    assert.equal(await count(), UNSCANNED_PER_DAY + 2)
    await store.recordUnscanned(row('empty', today + DAY_MS))
    assert.equal(await count(), UNSCANNED_PER_DAY + 3)
    await createScanStore(database, 'replica', false).recordUnscanned(row('empty', today + DAY_MS + 1))
    assert.equal(await count(), UNSCANNED_PER_DAY + 3)
  })

  test('a process whose clock is wrong deletes nothing early', async (t) => {
    await insert(2, [], 29 * DAY_MS)
    await insert(1, [], 31 * DAY_MS)
    const reports = createReports({ ...OPTIONS, store: createReportStore(database) })
    const { now } = Date
    t.mock.method(Date, 'now', () => now() + 40 * DAY_MS)
    await reports.sweep()
    await reports.close()
    const left = await database.db.selectFrom('scans').select('id').execute()
    assert.equal(left.length, 2)
  })
})
