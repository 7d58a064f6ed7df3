/** Prepared queries on both databases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#base/ids.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import type { Database } from './database.ts'
import { prepare } from './prepared.ts'

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
})
