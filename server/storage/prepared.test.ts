/** Prepared queries and procedures on both databases. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { newId } from '#base/ids.ts'
import { openPlace } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import type { Database } from './database.ts'
import { type Procedure, prepare, prepareMany, query, ROWS_MAX } from './prepared.ts'

forEachDatabase('prepared queries', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  test('are compiled once and run with other values, also with one value in two places', async () => {
    let built = 0
    const insert = prepare<{ id: string; seenAt: number }>((place) => {
      built++
      return database.db
        .insertInto('replicas')
        .values({ id: place('id'), seen_at: place('seenAt') })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: place('seenAt') }))
    })
    const find = prepare<{ id: string }, { seen_at: number }>((place) =>
      database.db.selectFrom('replicas').select('seen_at').where('id', '=', place('id')),
    )
    const [one, two] = [newId(), newId()]
    await insert(database.db, { id: one, seenAt: 1 })
    await insert(database.db, { id: two, seenAt: 2 })
    await insert(database.db, { id: one, seenAt: 3 })
    assert.equal(built, 1)
    assert.equal((await find(database.db, { id: one }))[0]?.seen_at, 3)
    assert.equal((await find(database.db, { id: two }))[0]?.seen_at, 2)
    assert.deepEqual(await find(database.db, { id: newId() }), [])
  })

  test(`of many rows are one statement for up to ${ROWS_MAX}, compiled once for each number`, async () => {
    const built: number[] = []
    const insert = prepareMany<{ id: string; seenAt: number }, { id: string }>((places) => {
      built.push(places.length)
      const rows = places.map((place) => ({ id: place('id'), seen_at: place('seenAt') }))
      return database.db.insertInto('replicas').values(rows).returning('id')
    })
    const find = (ids: string[]) => database.db.selectFrom('replicas').selectAll().where('id', 'in', ids).execute()
    for (const count of [1, ROWS_MAX, ROWS_MAX, ROWS_MAX + 1]) {
      const rows = Array.from({ length: count }, (_, n) => ({ id: newId(), seenAt: n }))
      const inserted = await database.transact(() => insert(rows))
      assert.deepEqual(
        inserted.map(({ id }) => id),
        rows.map(({ id }) => id),
      )
      const stored = new Map((await find(rows.map(({ id }) => id))).map((row) => [row.id, row.seen_at]))
      for (const { id, seenAt } of rows) assert.equal(stored.get(id), seenAt)
    }
    assert.deepEqual(await database.transact(() => insert([])), [])
    assert.deepEqual(built, [1, ROWS_MAX])
  })
})

forEachDatabase('procedures', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  const insert = (id: string) => query(database.db.insertInto('replicas').values({ id, seen_at: 1 }))
  const isStored = async (id: string, on = database) =>
    (await on.db.selectFrom('replicas').select('id').where('id', '=', id).execute()).length === 1

  test('return a result, and receive the rows of their queries', async () => {
    const id = newId()
    const found = await database.transact(function* () {
      yield* insert(id)
      return yield* query(database.db.selectFrom('replicas').select('id').where('id', '=', id))
    })
    assert.deepEqual(
      found.map((row) => row.id),
      [id],
    )
  })

  for (const relaxed of [false, true]) {
    test(`${relaxed ? 'relaxed' : 'durable'}: one that throws is rolled back, and the next one works`, async () => {
      const [bad, twice, good] = [newId(), newId(), newId()]
      const failing = function* (): Procedure<void> {
        yield* insert(bad)
        throw new Error('undone')
      }
      await assert.rejects(database.transact(failing, { relaxed }), /undone/)
      const conflicting = function* (): Procedure<void> {
        yield* insert(twice)
        yield* insert(twice)
      }
      await assert.rejects(database.transact(conflicting, { relaxed }), /unique/i)
      await database.transact(() => insert(good), { relaxed })
      assert.deepEqual(await Promise.all([bad, twice, good].map((id) => isStored(id))), [false, false, true])
    })
  }

  test('an asynchronous step is part of the transaction', async () => {
    const [before, inside, after] = [newId(), newId(), newId()]
    const work = function* (fails: boolean): Procedure<void> {
      yield* insert(before)
      yield async (trx) => {
        await trx.insertInto('replicas').values({ id: inside, seen_at: 1 }).execute()
        if (fails) throw new Error('undone')
      }
      yield* insert(after)
    }
    await assert.rejects(
      database.transact(() => work(true)),
      /undone/,
    )
    assert.deepEqual(await Promise.all([before, inside, after].map((id) => isStored(id))), [false, false, false])
    await database.transact(() => work(false))
    assert.deepEqual(await Promise.all([before, inside, after].map((id) => isStored(id))), [true, true, true])
  })

  test('are not part of a transaction that is open meanwhile', async () => {
    const [theirs, ours] = [newId(), newId()]
    const open = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const other = database.db.transaction().execute(async (trx) => {
      await trx.insertInto('replicas').values({ id: theirs, seen_at: 1 }).execute()
      written.resolve()
      await open.promise
      throw new Error('undone')
    })
    await written.promise
    const running = database.transact(() => insert(ours))
    setImmediate(open.resolve)
    await assert.rejects(other, /undone/)
    await running
    assert.deepEqual([await isStored(theirs), await isStored(ours)], [false, true])
  })
})

test('a procedure on SQLite waits for the lock of another process', async () => {
  const dataDir = temporaryFolder('data')
  const database = await openPlace({ url: null, dataDir })
  const other = new DatabaseSync(join(dataDir, 'docvet.sqlite'))
  other.exec('begin immediate')
  const running = database.transact(() => query(database.db.insertInto('replicas').values({ id: 'r', seen_at: 1 })))
  await new Promise((resolve) => setTimeout(resolve, 50))
  other.exec('commit')
  await running
  assert.equal(other.prepare('select count(*) as n from replicas').get()?.n, 1)
  other.close()
  await database.close()
  rmSync(dataDir, { recursive: true })
})
