/** The budget of a day, in a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { createGiveBack, createThrottle, memoryBuckets } from '#http/throttle.ts'
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
    assert.equal(await stores[0]!.countBelow(15), null)
    assert.equal((await stores[0]!.countBelow(16))?.requests, 16)
    await other.close()
  })

  test('what was asked on other days does not count', async () => {
    const store = createChatStore(database)
    await database.db.deleteFrom('chat_days').execute()
    await database.db.insertInto('chat_days').values({ day: '2020-01-01', requests: 1_000 }).execute()
    assert.equal((await store.countBelow(1))?.requests, 1)
    assert.equal(await store.countBelow(1), null)
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

  test('what is given back can be asked again, on its own day, and never more than was taken', async () => {
    await database.db.deleteFrom('chat_days').execute()
    await database.db.insertInto('chat_days').values({ day: '2020-01-01', requests: 3 }).execute()
    const store = createChatStore(database)
    const counted = await store.countBelow(1)
    assert.equal(await store.countBelow(1), null)
    for (let i = 0; i < 2; i++) await store.giveBack(counted!.day)
    assert.equal((await store.countBelow(1))?.requests, 1)
    await store.giveBack('2020-01-01')
    const rows = await database.db.selectFrom('chat_days').select('requests').orderBy('day').execute()
    assert.deepEqual(
      rows.map(({ requests }) => Number(requests)),
      [2, 1],
    )
  })

  test('a used-up one is a refusal until midnight', async () => {
    await database.db.deleteFrom('chat_days').execute()
    const store = createChatStore(database)
    const buckets = memoryBuckets()
    const [throttle, giveBack] = [createThrottle(buckets), createGiveBack(buckets)]
    const budget = createBudget({ counts: store, perDay: 2, throttle, giveBack })
    let caller = 0
    const spend = () => budget.spend([`caller ${++caller}`])
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
