/** Scans by day: the calendar, charges and reverts, and months from before they were counted. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { newId } from '#base/ids.ts'
import { migrate } from '#storage/migrate.ts'
import { nodeSqlite } from '#storage/node-sqlite.ts'
import { openPostgresPool } from '#storage/postgres.ts'
import { openPlace, quietLog, seedKey } from '#test/support/seed.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { changeDays, dateOf, datesOf, scansOn } from './days.ts'
import { createUsageStore } from './store.ts'

describe('days of a month', () => {
  test('end with the month', () => {
    assert.equal(datesOf('2024-02').length, 29)
    assert.deepEqual([datesOf('2026-12').at(0), datesOf('2026-12').at(-1)], ['2026-12-01', '2026-12-31'])
  })

  test('a charge counts on its day, or on the last one if it comes after the end of the month', () => {
    assert.equal(dateOf(Date.UTC(2026, 10, 7, 23, 59), '2026-11'), '2026-11-07')
    assert.equal(dateOf(Date.UTC(2026, 10, 30, 23, 59, 59, 999), '2026-11'), '2026-11-30')
    assert.equal(dateOf(Date.UTC(2026, 11, 1), '2026-11'), '2026-11-30')
  })

  test('charges and reverts are added to what is stored', () => {
    const stored = changeDays(null, ['2026-11-07', '2026-11-07', '2026-11-08'], [])
    const reverted = changeDays(stored, ['2026-11-08'], ['2026-11-07'])
    assert.deepEqual(scansOn(['2026-11-06', '2026-11-07', '2026-11-08'], reverted), [0, 1, 2])
  })
})

forEachDatabase('stored days', (openUrl) => {
  test('a reverted charge is taken from the day on which it was made', async () => {
    const place = await openUrl()
    const database = await openPlace(place)
    const keyId = await seedKey(database)
    const store = createUsageStore(database, newId())
    const [reserved] = await store.reserve([{ keyId, quota: 10, asked: 1 }], () => 0)
    const [scanId, period] = [newId(), reserved?.period ?? '']
    const item = { keyId, period, quota: 10, keep: false, effect: null, scanId }
    await store.settle([{ ...item, action: 'charge', retried: false }])
    // As if it had been charged on the first of the month.
    const first = Date.parse(`${period}-01T12:00:00Z`)
    await database.db.updateTable('usage_ledger').set({ charged_at: first }).where('scan_id', '=', scanId).execute()
    await database.db.updateTable('usage_counters').set({ days: '{"01":1}' }).where('key_id', '=', keyId).execute()
    await store.settle([{ ...item, action: 'release', retried: true }])
    const { used, days } = await database.db
      .selectFrom('usage_counters')
      .select(['used', 'days'])
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow()
    assert.deepEqual([used, days], [0, '{"01":0}'])
    await database.close()
    await place.release()
  })

  test('the ledger of earlier months is counted by the migration', async () => {
    const place = await openUrl()
    const { url, dataDir } = place
    const dialectOf = () =>
      url ? openPostgresPool({ url, log: quietLog }).dialect : nodeSqlite(join(dataDir, 'docvet.sqlite')).dialect
    const kind = url ? 'postgres' : 'sqlite'
    await migrate({ kind, dialect: dialectOf(), log: quietLog, upTo: '0014-scan-reports' })
    const old = new Kysely<unknown>({ dialect: dialectOf() })
    await sql`insert into accounts (id, email, email_key, plan, created_at, auth_provider)
      values ('a', 'a@example.com', 'a@example.com', 'free', 1, 'password')`.execute(old)
    await sql`insert into api_keys (id, account_id, name, hash, prefix, last_four, created_at, dashboard)
      values ('k', 'a', 'Test', 'h', 'p', 'abcd', 1, 0)`.execute(old)
    const charges = ['2026-10-07T00:00:00Z', '2026-10-07T23:59:59.999Z', '2026-10-31T12:00:00Z', '2026-11-01T00:00:01Z']
    for (const at of charges)
      await sql`insert into usage_ledger (scan_id, key_id, period, charged_at)
        values (${newId()}, 'k', '2026-10', ${Date.parse(at)})`.execute(old)
    await sql`insert into usage_counters (key_id, period, used, reserved)
      values ('k', '2026-10', 4, 0), ('k', '2026-11', 0, 0)`.execute(old)
    await old.destroy()

    const database = await openPlace(place)
    const rows = await database.db.selectFrom('usage_counters').select('days').orderBy('period').execute()
    assert.deepEqual(JSON.parse(rows[0]?.days ?? ''), { '07': 2, 31: 2 })
    assert.equal(rows[1]?.days, null)
    await database.close()
    await place.release()
  })
})
