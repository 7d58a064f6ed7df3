/** Queries built once, and transactions that do not wait for the disk, on both databases. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#base/ids.ts'
import { openPlace } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import type { Database } from './database.ts'
import { prepare } from './prepared.ts'

forEachDatabase('prepared queries', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
  })
  after(async () => {
    await database.close()
    await place.release()
  })

  const durability = async (on: Database['db']) =>
    database.kind === 'postgres'
      ? (await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(on)).rows[0]?.synchronous_commit
      : (await sql<{ synchronous: number }>`pragma synchronous`.execute(on)).rows[0]?.synchronous
  const relaxed = () => (database.kind === 'postgres' ? 'off' : 1)
  const durable = () => (database.kind === 'postgres' ? 'on' : 2)

  test('are built once and run with other values each time, one of them in two places', async () => {
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

  test('a passing transaction does not wait for the disk, and nothing after it is less durable', async () => {
    assert.equal(await durability(database.db), durable())
    assert.equal(await database.passing(durability), relaxed())
    assert.equal(await durability(database.db), durable())
    const failing = database.passing(async (trx) => {
      await trx.insertInto('replicas').values({ id: 'undone', seen_at: 1 }).execute()
      throw new Error('undone')
    })
    await assert.rejects(failing, /undone/)
    assert.equal(await durability(database.db), durable())
    const left = await database.db.selectFrom('replicas').select('id').where('id', '=', 'undone').execute()
    assert.deepEqual(left, [])
  })

  test('passing transactions and durable ones take turns', async () => {
    const seen = await Promise.all([
      database.passing(durability),
      database.db.transaction().execute(durability),
      database.passing(durability),
      database.db.transaction().execute(durability),
    ])
    assert.deepEqual(seen, [relaxed(), durable(), relaxed(), durable()])
  })
})
