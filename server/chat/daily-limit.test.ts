/** The daily limit, the share of one caller, and returned questions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { createGiveBack, createThrottle, memoryBuckets } from '#http/throttle.ts'
import { CALLER_SHARE, createDailyLimit, secondsToMidnight, shareOf } from './daily-limit.ts'

const DAY_MS = 86_400_000
const MIDNIGHT = Date.parse('2026-11-15T00:00:00Z')

/** A daily limit with its own clock and counters. */
function limitOf(perDay: number) {
  const state = { nowMs: MIDNIGHT, counted: 0, buckets: new Set<string>() }
  const buckets = memoryBuckets(() => state.nowMs)
  const counts = {
    countBelow: async (max: number) => (state.counted < max ? { day: 'today', requests: ++state.counted } : null),
    giveBack: async () => {
      state.counted--
    },
    nowMs: async () => state.nowMs,
  }
  const take = createThrottle(buckets)
  const throttle: typeof take = (bucket, rate) => {
    state.buckets.add(bucket)
    return take(bucket, rate)
  }
  return { ...createDailyLimit({ counts, perDay, throttle, giveBack: createGiveBack(buckets) }), state }
}

const isRefused = (error: unknown) =>
  error instanceof AppError && error.code === 'rate_limited' && (error.retryAfterSeconds ?? 0) >= 1

/** How many questions one caller gets until the end of the day. */
async function granted({ take, state }: ReturnType<typeof limitOf>): Promise<number> {
  const end = state.nowMs - (state.nowMs % DAY_MS) + DAY_MS
  for (let count = 0; ; ) {
    try {
      await take(['one'])
      count++
    } catch {
      state.nowMs += DAY_MS / 96
      if (state.nowMs >= end) return count
    }
  }
}

describe('the share of one caller', () => {
  test('is a tenth of the day, and at least one question', () => {
    assert.equal(CALLER_SHARE, 1 / 10)
    assert.deepEqual(
      [1, 10, 11, 1_000].map((perDay) => shareOf(perDay).burst),
      [1, 1, 2, 100],
    )
  })

  test('does not grow during the day, and is the same on the next day', async () => {
    const limit = limitOf(1_000)
    assert.equal(await granted(limit), 100)
    assert.equal(await granted(limit), 100)
    limit.state.nowMs += DAY_MS / 2
    assert.equal(await granted(limit), 100)
  })

  test('is refused until midnight once it is used up; other callers are not affected', async () => {
    const { take, state } = limitOf(100)
    state.nowMs += DAY_MS - 5_000
    for (let i = 0; i < 10; i++) await take(['one'])
    await assert.rejects(
      take(['one']),
      (error: unknown) => isRefused(error) && (error as AppError).retryAfterSeconds === 5,
    )
    await take(['other'])
    state.nowMs += 4_999
    await assert.rejects(take(['one']), isRefused)
    state.nowMs += 1
    await take(['one'])
  })

  test('a caller with two names is limited under both, and a refusal under one does not count under the other', async () => {
    const { take, state } = limitOf(20)
    await take(['address a', 'account x'])
    await take(['address b', 'account x'])
    await assert.rejects(take(['address c', 'account x']), isRefused)
    await take(['address c'])
    await take(['address c'])
    await assert.rejects(take(['address c']), isRefused)
    assert.equal(state.counted, 4)
  })

  test('is stored under a name that does not identify the caller', async () => {
    const { take, state } = limitOf(20)
    await take(['address 203.0.113.7', 'account 1'])
    assert.equal(state.buckets.size, 2)
    for (const bucket of state.buckets) assert.match(bucket, /^[\w-]{43}$/)
  })
})

describe('the limit of all callers', () => {
  test('is reached with the last question, until midnight, and a returned question can be asked again', async () => {
    const { take, isReached, state } = limitOf(2)
    await take(['a'])
    assert.equal(isReached(state.nowMs), false)
    const giveBack = await take(['b'])
    assert.equal(isReached(state.nowMs), true)
    assert.equal(isReached(state.nowMs + DAY_MS), false)
    await giveBack()
    assert.equal(isReached(state.nowMs), false)
    await take(['b'])
    await assert.rejects(
      take(['c']),
      (error: unknown) => error instanceof AppError && error.code === 'chat_unavailable',
    )
    assert.equal(isReached(state.nowMs), true)
    assert.equal(state.counted, 2)
    // Another replica returned two.
    state.counted -= 2
    await take(['d'])
    assert.equal(isReached(state.nowMs), false)
  })

  test('a refused question does not count toward the share of the caller', async () => {
    const { take, state } = limitOf(1)
    const giveBack = await take(['a'])
    await assert.rejects(take(['b']))
    await giveBack()
    await take(['b'])
    assert.equal(state.counted, 1)
  })
})

test('seconds to midnight are whole and at least one', () => {
  assert.equal(secondsToMidnight(MIDNIGHT), 86_400)
  assert.equal(secondsToMidnight(MIDNIGHT - 1), 1)
  assert.equal(secondsToMidnight(MIDNIGHT + 1_999), 86_399)
})
