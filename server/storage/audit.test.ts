/** The audit log in a real database, and attempts to change it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createAuditStore } from '#admin/audit-store.ts'
import { openPlace, seedAccount } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { chain } from './audit.ts'
import type { Database } from './database.ts'

forEachDatabase('the audit log', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  useDatabase(openUrl, (opened, at) => {
    database = opened
    place = at
  })

  const verify = async (anchor: { seq: number; hash: string } | null = null) =>
    (await createAuditStore(database).verify(anchor)).problem
  const head = () => database.db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow()
  const rowOf = (seq: number) =>
    database.db.selectFrom('audit_log').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow()

  /** The statements that remove the guards, and those that restore them. */
  async function guards(): Promise<{ remove: string[]; restore: string[] }> {
    if (database.kind === 'postgres') {
      const guard = (verb: string) => [`alter table audit_log ${verb} trigger audit_log_guard`]
      return { remove: guard('disable'), restore: guard('enable') }
    }
    const triggers = sql<{ name: string; sql: string }>`select name, sql from sqlite_master where type = 'trigger'`
    const { rows } = await triggers.execute(database.db)
    return { remove: rows.map(({ name }) => `drop trigger ${name}`), restore: rows.map((row) => row.sql) }
  }

  /** As somebody who can change the database. */
  async function tamper(change: () => Promise<unknown>): Promise<void> {
    const { remove, restore } = await guards()
    for (const statement of remove) await sql.raw(statement).execute(database.db)
    await change()
    for (const statement of restore) await sql.raw(statement).execute(database.db)
  }

  test('parallel changes of two replicas form one chain, and a transaction that fails leaves nothing', async () => {
    const second = await openPlace(place)
    const seeds = Array.from({ length: 20 }, (_, index) => seedAccount(index % 2 ? database : second))
    const failed = database.audit.change(async (trx) => {
      database.audit.note(trx, { event: 'key.created', accountId: null })
      throw new Error('rolled back')
    })
    await assert.rejects(failed, /rolled back/)
    await Promise.all(seeds)
    await second.close()
    assert.equal((await head()).seq, 20)
    assert.equal(await verify(), null)
  })

  test('an event outside a change is an error', async () => {
    const outside = database.db.transaction().execute(async (trx) => {
      database.audit.note(trx, { event: 'key.created', accountId: null })
    })
    await assert.rejects(outside, /must be noted in the transaction of a change/)
  })

  test('entries can neither be changed nor deleted', async () => {
    const { db } = database
    await assert.rejects(db.updateTable('audit_log').set({ actor: 'x' }).where('seq', '=', 3).execute(), /append-only/)
    await assert.rejects(db.deleteFrom('audit_log').where('seq', '=', 3).execute(), /append-only/)
    // SQLite has no such statement.
    if (database.kind === 'postgres') await assert.rejects(sql`truncate audit_log`.execute(db), /append-only/)
  })

  test('verification names a changed entry and a missing one', async () => {
    const { db } = database
    const { hash: _hash, ...original } = await rowOf(7)
    for (const [column, value] of Object.entries({
      at: 1,
      actor: 'x',
      event: 'x',
      account_id: 'x',
      subject: 'x',
      details: 'x',
    })) {
      const set = (to: unknown) =>
        db
          .updateTable('audit_log')
          .set({ [column]: to })
          .where('seq', '=', 7)
          .execute()
      await tamper(() => set(value))
      assert.equal(await verify(), 'Entry 7 was changed.', column)
      await tamper(() => set(original[column as keyof typeof original]))
    }
    assert.equal(await verify(), null)

    for (const [seq, problem] of [
      [1, 'Entry 1 is missing.'],
      [9, 'Entry 9 is missing.'],
      [20, 'Entry 20 is missing.'],
    ] as const) {
      const row = await rowOf(seq)
      await tamper(() => db.deleteFrom('audit_log').where('seq', '=', seq).execute())
      assert.equal(await verify(), problem)
      await db.insertInto('audit_log').values(row).execute()
    }
    assert.equal(await verify(), null)
  })

  test('a noted entry reveals a chain that was rewritten or cut', async () => {
    const { db } = database
    const noted = await head()
    const [last, before] = [await rowOf(20), await rowOf(19)]
    const forged = { ...last, actor: 'nobody' }
    const hash = chain(before.hash, forged)
    await tamper(() =>
      db
        .updateTable('audit_log')
        .set({ ...forged, hash })
        .where('seq', '=', 20)
        .execute(),
    )
    await db.updateTable('audit_head').set({ hash }).execute()
    assert.equal(await verify(), null)
    assert.equal(await verify(noted), 'Entry 20 was rewritten after it was noted.')
    await tamper(() => db.deleteFrom('audit_log').where('seq', '=', 20).execute())
    await db.updateTable('audit_head').set({ seq: 19, hash: before.hash }).execute()
    assert.equal(await verify(noted), 'Entry 20 is missing.')
    await db.insertInto('audit_log').values(last).execute()
    await db.updateTable('audit_head').set({ seq: 20, hash: last.hash }).execute()
    assert.equal(await verify(noted), null)
  })

  const LATER = () => Date.now() + 60_000
  const setHead = (values: Partial<Awaited<ReturnType<typeof head>>>) =>
    database.db.updateTable('audit_head').set(values).execute()

  test('retention deletes whole entries from the start, is an entry itself, and the rest is still verified', async () => {
    const noted = await head()
    assert.equal(await database.audit.prune(0, 100), false)
    assert.equal((await head()).seq, 20, 'nothing was deleted, so nothing is recorded')
    const { hash } = await rowOf(5)
    assert.equal(await database.audit.prune(LATER(), 5), true)
    assert.deepEqual([(await head()).deleted_seq, await verify(), await verify(noted)], [5, null, null])
    const { event, actor, details } = await rowOf(21)
    assert.deepEqual([event, actor, JSON.parse(details ?? '')], ['log.pruned', 'system', { seq: 5, hash }])
    assert.equal(await database.audit.prune(LATER(), 2), true)
    assert.deepEqual([(await head()).deleted_seq, await verify(), await verify(noted)], [7, null, null])
    const row = await rowOf(8)
    await tamper(() => database.db.deleteFrom('audit_log').where('seq', '=', 8).execute())
    assert.equal(await verify(), 'Entry 8 is missing.')
    await database.db.insertInto('audit_log').values(row).execute()
    assert.equal(await verify(), null)
  })

  test('a noted entry that was deleted proves nothing, so that verification fails', async () => {
    const gone = (seq: number) => `Entry ${seq}, which was noted, was deleted from the log. Note a newer one.`
    for (const seq of [1, 6, 7]) assert.equal(await verify({ seq, hash: 'f'.repeat(64) }), gone(seq))
    const kept = await rowOf(8)
    assert.equal(await verify(kept), null)
  })

  test('entries deleted in the name of retention are missed', async () => {
    const { db } = database
    const [before, row] = [await head(), await rowOf(12)]
    const rows = await db.selectFrom('audit_log').selectAll().where('seq', '<=', 12).execute()
    // The guards of the tables permit this.
    await setHead({ deleted_seq: 12, deleted_hash: row.hash })
    await db.deleteFrom('audit_log').where('seq', '<=', 12).execute()
    const unrecorded = 'Entries up to 12 were deleted, but the newest record of a deletion says 7.'
    assert.equal(await verify(), unrecorded)
    assert.equal(await verify(before), unrecorded)
    await db.insertInto('audit_log').values(rows).execute()
    await setHead(before)
    assert.equal(await verify(), null)
  })

  test('a log that was rewritten from its deleted part on fails with and without a noted entry', async () => {
    const { db } = database
    const before = await head()
    const rows = await db.selectFrom('audit_log').selectAll().orderBy('seq').execute()
    const noted = rows[3]!
    async function forge(deleted: number, events: { event: string; details: string | null }[]): Promise<void> {
      await setHead({ deleted_seq: before.seq })
      await db.deleteFrom('audit_log').where('seq', '>', 0).execute()
      let [seq, hash] = [deleted, 'a'.repeat(64)]
      for (const each of events) {
        const row = { ...rows[0]!, ...each, seq: seq + 1 }
        hash = chain(hash, row)
        seq++
        await db
          .insertInto('audit_log')
          .values({ ...row, hash })
          .execute()
      }
      await setHead({ seq, hash, deleted_seq: deleted, deleted_hash: 'a'.repeat(64) })
    }
    const record = (seq: number) => JSON.stringify({ seq, hash: 'a'.repeat(64) })
    const plain = { event: 'key.created', details: null }
    await forge(noted.seq, [plain, plain])
    assert.match((await verify()) ?? '', /no entry records it/)
    assert.notEqual(await verify(noted), null)
    await forge(noted.seq, [plain, { event: 'log.pruned', details: record(noted.seq) }])
    assert.match((await verify(noted)) ?? '', /which was noted, was deleted/)
    await forge(noted.seq - 1, [plain, { event: 'log.pruned', details: record(noted.seq - 1) }])
    assert.match((await verify(noted)) ?? '', /was rewritten after it was noted/)
    await forge(noted.seq, [{ event: 'log.pruned', details: 'not JSON' }])
    assert.notEqual(await verify(), null)
  })
})
