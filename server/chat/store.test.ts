/** The budget of a day, in a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import type { Database } from '#storage/database.ts'
import { openPlace } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { createBudget, secondsToMidnight } from './budget.ts'
import { createChatStore } from './store.ts'

forEachDatabase('the budget of a day', (openUrl) => {
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

  test('two replicas that ask at once get exactly as many as there are, and not one more', async () => {
    const other = await openPlace(place)
    const stores = [createChatStore(database), createChatStore(other)]
    const counted = await Promise.all(Array.from({ length: 40 }, (_, index) => stores[index % 2]!.countBelow(15)))
    assert.equal(counted.filter(Boolean).length, 15)
    assert.equal(await stores[0]!.countBelow(15), false)
    assert.equal(await stores[0]!.countBelow(16), true)
    await other.close()
  })

  test('what was asked on other days does not count', async () => {
    const store = createChatStore(database)
    await database.db.deleteFrom('chat_days').execute()
    await database.db.insertInto('chat_days').values({ day: '2020-01-01', requests: 1_000 }).execute()
    assert.equal(await store.countBelow(1), true)
    assert.equal(await store.countBelow(1), false)
    const rows = await database.db.selectFrom('chat_days').selectAll().orderBy('day').execute()
    const today = new Date(await store.nowMs()).toISOString().slice(0, 10)
    assert.deepEqual(
      rows.map(({ day, requests }) => [day, Number(requests)]),
      [
        ['2020-01-01', 1_000],
        [today, 1],
      ],
    )
  })

  test('a used-up one is a refusal until midnight', async () => {
    await database.db.deleteFrom('chat_days').execute()
    const store = createChatStore(database)
    const spend = createBudget(store, 2)
    await spend()
    await spend()
    const left = secondsToMidnight(await store.nowMs())
    await assert.rejects(spend(), (error: unknown) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.code, 'chat_unavailable')
      assert.ok(Math.abs((error.retryAfterSeconds ?? 0) - left) <= 2)
      return true
    })
  })
})

test('the seconds to midnight are whole, and at least one', () => {
  const midnight = Date.parse('2026-11-15T00:00:00Z')
  assert.equal(secondsToMidnight(midnight), 86_400)
  assert.equal(secondsToMidnight(midnight - 1), 1)
  assert.equal(secondsToMidnight(midnight + 1_999), 86_399)
})
