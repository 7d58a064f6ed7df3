/** The budget of a day, in a real database. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { createThrottle, memoryBuckets } from '#http/throttle.ts'
import type { Database } from '#storage/database.ts'
import { openPlace } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { CALLER_SHARE, createBudget, secondsToMidnight, shareOf } from './budget.ts'
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
    const throttle = createThrottle(memoryBuckets())
    const budget = createBudget({ counts: store, perDay: 2, throttle })
    let caller = 0
    const spend = () => budget([`caller ${++caller}`])
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

describe('the share of one caller', () => {
  const counts = { countBelow: async () => true, nowMs: async () => 0 }
  const budgetOf = (perDay: number, nowMs: () => number = () => 0) =>
    createBudget({ counts, perDay, throttle: createThrottle(memoryBuckets(nowMs)) })
  const isRefused = (error: unknown) =>
    error instanceof AppError && error.code === 'rate_limited' && (error.retryAfterSeconds ?? 0) >= 1

  test('is a tenth of the day, and at least one question', () => {
    assert.equal(CALLER_SHARE, 1 / 10)
    assert.deepEqual(
      [1, 10, 11, 1_000].map((perDay) => shareOf(perDay).burst),
      [1, 1, 2, 100],
    )
  })

  test('at it and past it; others go on, and it comes back evenly over a day', async () => {
    let nowMs = 0
    const spend = budgetOf(100, () => nowMs)
    for (let i = 0; i < 10; i++) await spend(['one'])
    await assert.rejects(spend(['one']), isRefused)
    await spend(['other'])
    nowMs += 8_640_000 - 1
    await assert.rejects(spend(['one']), isRefused)
    nowMs += 1
    await spend(['one'])
    await assert.rejects(spend(['one']), isRefused)
  })

  test('whoever has two names has no more than under each of them', async () => {
    const spend = budgetOf(20)
    await spend(['address a', 'account x'])
    await spend(['address b', 'account x'])
    await assert.rejects(spend(['address c', 'account x']), isRefused)
    await spend(['address b'])
    await assert.rejects(spend(['address b']), isRefused)
  })

  test('the budget of the day is not touched by what is past it', async () => {
    let counted = 0
    const countBelow = async () => ++counted > 0
    const throttle = createThrottle(memoryBuckets())
    const spend = createBudget({ counts: { ...counts, countBelow }, perDay: 10, throttle })
    await spend(['one'])
    await assert.rejects(spend(['one']), isRefused)
    assert.equal(counted, 1)
  })
})

test('the seconds to midnight are whole, and at least one', () => {
  const midnight = Date.parse('2026-11-15T00:00:00Z')
  assert.equal(secondsToMidnight(midnight), 86_400)
  assert.equal(secondsToMidnight(midnight - 1), 1)
  assert.equal(secondsToMidnight(midnight + 1_999), 86_399)
})
