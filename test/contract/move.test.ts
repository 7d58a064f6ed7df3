/** `docvet admin move`: SQLite to PostgreSQL, with every table that a used service has. */

import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { runAdmin } from '#admin/admin.ts'
import { newId } from '#base/ids.ts'
import { loadConfig } from '#config/config.ts'
import type { Database } from '#storage/database.ts'
import { type PostgresServer, startPostgres } from '#test/support/postgres.ts'
import { openPlace, quietLog, seedKey } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

const SCANS = 1_201

describe('move', needs('postgres'), () => {
  let postgres: PostgresServer
  let dataDir: string
  let beforeMove: string
  before(async () => {
    postgres = await startPostgres()
    dataDir = temporaryFolder('move')
    const database = await openPlace({ url: null, dataDir })
    await fill(database)
    await database.close()
    beforeMove = path.join(dataDir, 'before-move.sqlite')
    assert.equal((await onSqlite('backup', beforeMove)).exitCode, 0)
  })
  after(async () => {
    await postgres[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** More than one page of the ledger, odd characters, and null in every column that may be null. */
  async function fill(database: Database): Promise<void> {
    const { db } = database
    const keys = [await seedKey(database), await seedKey(database)]
    const ledger = Array.from({ length: SCANS }, (_, index) => ({
      ...{ scan_id: newId(), key_id: keys[index % 2] ?? '', period: '2026-11', charged_at: 1_794_000_000_000 + index },
    }))
    for (let at = 0; at < SCANS; at += 300)
      await db
        .insertInto('usage_ledger')
        .values(ledger.slice(at, at + 300))
        .execute()
    for (const key_id of keys)
      await db
        .insertInto('usage_counters')
        .values({ key_id, period: '2026-11', used: 3, reserved: 0, days: '{"07":3}' })
        .execute()
    await db
      .updateTable('api_keys')
      .set({ name: `Zoë's "key" \u{1f511}\n\\x` })
      .where('id', '=', keys[0] ?? '')
      .execute()
    await db.insertInto('sign_in_attempts').values({ email_hash: 'B', count: 1, last_at: 1 }).execute()
    await db.insertInto('sign_in_attempts').values({ email_hash: 'a', count: 2, last_at: 2 }).execute()
  }

  const onSqlite = (...args: string[]) =>
    runAdmin(args, {
      config: () => loadConfig({ DOCVET_DATA_DIR: dataDir }),
      startEngines: async () => [],
      log: quietLog,
    })

  const move = (to: string) => onSqlite('move', '--to', to, '--json')

  test('is refused while a process uses the database, without a URL, and for a target that is not empty', async () => {
    const running = await openPlace({ url: null, dataDir })
    await running.ping()
    assert.match((await move(postgres.url)).stderr, /in use\. Stop the service first/)
    await running.close()
    assert.match((await move('mysql://x')).stderr, /--to: .*Allowed: postgres:\/\//)
    const used = await postgres.createDatabase()
    const target = await openPlace({ url: used, dataDir })
    await seedKey(target)
    await target.close()
    assert.match((await move(used)).stderr, /The table accounts of the target is not empty/)
    await postgres.administer("create database latin1 encoding 'LATIN1' locale 'C' template template0")
    const latin1 = await move(postgres.url.replace(/[^/]+$/, 'latin1'))
    assert.match(
      latin1.stderr,
      /^The encoding of the target is LATIN1\. Create the database with the encoding UTF8\.$/m,
    )
  })

  test('a difference between the databases is found, and nothing is left in the target', async () => {
    const url = await postgres.createDatabase()
    const target = await openPlace({ url, dataDir })
    await sql`create function spoil() returns trigger language plpgsql as 'begin new.count := new.count + 1; return new; end'`.execute(
      target.db,
    )
    await sql`create trigger spoil before insert on sign_in_attempts for each row execute function spoil()`.execute(
      target.db,
    )
    assert.match((await move(url)).stderr, /The table sign_in_attempts differs after the move/)
    assert.equal((await target.db.selectFrom('accounts').select('id').execute()).length, 0)
    await target.close()
  })

  test('copies every table, and the audit log is still verified', async () => {
    const urlFile = path.join(dataDir, 'url')
    writeFileSync(urlFile, `${postgres.url}\n`)
    const { exitCode, stdout, stderr } = await move(urlFile)
    assert.match(stderr, /^Database: SQLite, .*docvet\.sqlite\n/)
    assert.match(stderr, /^It is sealed now\. Next: set DOCVET_DATABASE_URL_FILE=\S+\/url, and start the service\.$/m)
    assert.equal(exitCode, 0, stderr)
    const moved = new Map(
      (JSON.parse(stdout) as { table: string; rows: number }[]).map(({ table, rows }) => [table, rows]),
    )
    assert.deepEqual([moved.get('usage_ledger'), moved.get('accounts'), moved.get('api_keys')], [SCANS, 2, 2])

    // Not as the service opens it, because it is sealed.
    const source = new DatabaseSync(path.join(dataDir, 'docvet.sqlite'), { readOnly: true })
    const target = await openPlace({ url: postgres.url, dataDir })
    const tables = source
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .all()
      .map(({ name }) => String(name))
    assert.deepEqual([...moved.keys()].sort(), tables.filter((name) => !name.startsWith('kysely_')).sort())
    for (const table of ['api_keys', 'usage_ledger', 'sign_in_attempts'] as const) {
      const textOf = (rows: object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
      const copied = await target.db.selectFrom(table).selectAll().execute()
      assert.deepEqual(textOf(copied), textOf(source.prepare(`select * from ${table}`).all()), table)
    }
    source.close()
    await seedKey(target)
    await target.close()

    const onTarget = {
      config: () => loadConfig({ DOCVET_DATABASE_URL: postgres.url }),
      startEngines: async () => [],
      log: quietLog,
    }
    const verified = JSON.parse((await runAdmin(['audit', 'verify', '--json'], onTarget)).stdout)
    assert.deepEqual([verified.problem, verified.entries], [null, 7])
    const events = JSON.parse(
      (await runAdmin(['audit', 'list', '--event', 'database.moved', '--json'], onTarget)).stdout,
    )
    assert.equal(events.length, 1)
  })

  test('the old database is sealed for the service and the commands, and a backup from before the move undoes it', async () => {
    const sealed = /sealed, because it was moved to PostgreSQL: set DOCVET_DATABASE_URL/
    await assert.rejects(openPlace({ url: null, dataDir }), sealed)
    assert.match((await onSqlite('accounts', 'list')).stderr, sealed)
    assert.match((await move(await postgres.createDatabase())).stderr, sealed)
    const copy = path.join(dataDir, 'sealed.sqlite')
    assert.match(
      (await onSqlite('backup', copy)).stderr,
      /sqlite is sealed, because its content was moved to PostgreSQL\. Set DOCVET_DATABASE_URL, .*pg_dump\.$/m,
    )
    assert.equal(existsSync(copy), false)
    const source = path.join(dataDir, 'docvet.sqlite')
    assert.match((await onSqlite('restore', source)).stderr, /not a usable backup: it is sealed, because it was moved/)
    assert.equal((await onSqlite('restore', beforeMove)).exitCode, 0)
    assert.equal((await onSqlite('accounts', 'list')).exitCode, 0)
  })
})
