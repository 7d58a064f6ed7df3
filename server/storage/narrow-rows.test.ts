/** The migration to narrow rows keeps ledger and scans of the previous schema. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { newId } from '#base/ids.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { migrate } from './migrate.ts'
import { nodeSqlite } from './node-sqlite.ts'
import { openPostgresPool } from './postgres.ts'
import type { Tables } from './tables.ts'

const ROWS = 300
/** Columns of later migrations. */
const ADDED = {
  ...{ account_id: 'a', obstacle: null, file_name: null, content_type: null, findings: null },
  ...{ state: null, problem: null, problem_detail: null, reference: null, lease_until: null },
}

forEachDatabase('narrow rows', (openUrl) => {
  test('every row of the previous schema stays, with its keys and constraints', async () => {
    const place = await openUrl()
    const { url, dataDir } = place
    const dialectOf = () =>
      url ? openPostgresPool({ url, log: quietLog }).dialect : nodeSqlite(join(dataDir, 'docvet.sqlite')).dialect
    const kind = url ? 'postgres' : 'sqlite'
    await migrate({ kind, dialect: dialectOf(), log: quietLog, upTo: '0012-proven-address' })

    const old = new Kysely<Tables>({ dialect: dialectOf() })
    await sql`insert into accounts (id, email, email_key, plan, created_at, auth_provider)
      values ('a', 'a@example.com', 'a@example.com', 'free', 1, 'password')`.execute(old)
    await sql`insert into api_keys (id, account_id, name, hash, prefix, last_four, created_at, dashboard)
      values ('k', 'a', 'Test', 'h', 'p', 'abcd', 1, 0)`.execute(old)
    const ids = Array.from({ length: ROWS }, newId).sort()
    const ledger = ids.map((scan_id, i) => ({ scan_id, key_id: 'k', period: `2026-1${i % 2}`, charged_at: i }))
    const scans = ids.map((id, i) => ({
      ...{
        id,
        key_id: 'k',
        verdict: i % 3 ? ('clean' as const) : ('infected' as const),
        threat: i % 3 ? null : 'EICAR',
      },
      ...{ engine: i % 3 ? null : 'embedded', path: i % 3 ? null : '["a.zip","b"]', sha256: `${i}`.repeat(8), size: i },
      ...{ type: 'text/plain', engines: '[]', started_at: i, finished_at: i + 1 },
    }))
    await old.insertInto('usage_ledger').values(ledger.toReversed()).execute()
    const older: object[] = scans.toReversed()
    await old
      .insertInto('scans')
      .values(older as Tables['scans'][])
      .execute()
    await old.destroy()

    const { db, close } = await openPlace(place)
    assert.deepEqual(
      (await db.selectFrom('usage_ledger').selectAll().orderBy('scan_id').execute()).map((row) => ({ ...row })),
      ledger,
    )
    assert.deepEqual(
      (await db.selectFrom('scans').selectAll().orderBy('id').execute()).map((row) => ({ ...row })),
      scans.map((scan) => ({ ...scan, ...ADDED })),
    )
    await assert.rejects(
      db
        .insertInto('scans')
        .values(scans.slice(0, 1).map((scan) => ({ ...scan, ...ADDED })))
        .execute(),
      /unique/i,
    )
    await assert.rejects(db.insertInto('usage_ledger').values(ledger.slice(0, 1)).execute(), /unique/i)
    const orphan = { scan_id: newId(), key_id: 'unknown', period: '2026-11', charged_at: 1 }
    await assert.rejects(db.insertInto('usage_ledger').values(orphan).execute(), /foreign key/i)
    await db.deleteFrom('api_keys').where('id', '=', 'k').execute()
    assert.deepEqual(await db.selectFrom('scans').select('id').execute(), [])
    await close()
    await place.release()
  })
})
