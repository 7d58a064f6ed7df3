import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import type { Database } from './database.ts'
import { createEndingsStore, ENDING_MS, ENDINGS_MAX } from './worker-endings.ts'

forEachDatabase('documents that ended workers', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })
  beforeEach(async () => void (await database.db.deleteFrom('worker_endings').execute()))

  const names = async (endings: number, since = 0, store = createEndingsStore(database)) =>
    (await store.list(endings, since)).documents.map(({ sha256 }) => sha256).sort()
  const age = (ms: number, sha256: string) =>
    database.db
      .updateTable('worker_endings')
      .set((eb) => ({ ended_at: eb('ended_at', '-', ms) }))
      .where('sha256', '=', sha256)
      .execute()

  test('are listed with the endings of all processes together', async () => {
    const [one, other] = [createEndingsStore(database), createEndingsStore(database)]
    await one.note('a')
    assert.deepEqual([await names(1), await names(2)], [['a'], []])
    await Promise.all([other.note('a'), other.note('b')])
    assert.deepEqual([await names(1), await names(2)], [['a', 'b'], ['a']])
    const { documents, now } = await one.list(2, 0)
    assert.ok(documents[0] && documents[0].leftMs <= ENDING_MS && documents[0].leftMs > ENDING_MS - 60_000)
    assert.deepEqual(await names(2, now), [], 'nothing is newer')
  })

  test('are forgotten an hour after the last ending', async () => {
    const store = createEndingsStore(database)
    await store.note('a')
    await store.note('a')
    await age(ENDING_MS - 60_000, 'a')
    assert.deepEqual(await names(2), ['a'])
    await age(60_000, 'a')
    assert.deepEqual(await names(2), [])
    await store.note('a')
    assert.deepEqual([await names(1), await names(2)], [['a'], []], 'it starts again')
  })

  test('are kept up to a maximum, the newest first', async () => {
    assert.equal(ENDINGS_MAX, 10_000)
    const store = createEndingsStore(database, 2)
    for (const [index, name] of ['a', 'b'].entries()) {
      await store.note(name)
      await age((2 - index) * 60_000, name)
    }
    assert.deepEqual(await names(1), ['a', 'b'])
    await store.note('c')
    assert.deepEqual(await names(1), ['b', 'c'])
  })
})
