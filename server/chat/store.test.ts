/** The daily limit in a real database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { createGiveBack, createThrottle, memoryBuckets } from '#http/throttle.ts'
import type { Database } from '#storage/database.ts'
import { openPlace } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createDailyLimit, secondsToMidnight } from './daily-limit.ts'
import { createChatStore } from './store.ts'

forEachDatabase('the daily limit', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  useDatabase(openUrl, (opened, at) => {
    database = opened
    place = at
  })

  test('two concurrent replicas never exceed the limit', async () => {
    const other = await openPlace(place)
    const stores = [createChatStore(database), createChatStore(other)]
    const counted = await Promise.all(Array.from({ length: 40 }, (_, index) => stores[index % 2]!.countBelow(15)))
    assert.equal(counted.filter(Boolean).length, 15)
    assert.equal(await stores[0]!.countBelow(15), null)
    assert.equal((await stores[0]!.countBelow(16))?.requests, 16)
    await other.close()
  })

  test('questions of other days do not count', async () => {
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

  test('a returned question can be asked again on its own day, and the count never falls below zero', async () => {
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

  test('questions over the limit are refused until midnight', async () => {
    await database.db.deleteFrom('chat_days').execute()
    const store = createChatStore(database)
    const buckets = memoryBuckets()
    const [throttle, giveBack] = [createThrottle(buckets), createGiveBack(buckets)]
    const limit = createDailyLimit({ counts: store, perDay: 2, throttle, giveBack })
    let caller = 0
    const take = () => limit.take([`caller ${++caller}`])
    await take()
    await take()
    const left = secondsToMidnight(await store.nowMs())
    await assert.rejects(take(), (error: unknown) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.code, 'chat_unavailable')
      assert.ok(Math.abs((error.retryAfterSeconds ?? 0) - left) <= 2)
      return true
    })
  })
})
