/** The share of one caller in the budget of a day, and what is given back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { createGiveBack, createThrottle, memoryBuckets } from '#http/throttle.ts'
import { CALLER_SHARE, createBudget, secondsToMidnight, shareOf } from './budget.ts'

const DAY_MS = 86_400_000
const MIDNIGHT = Date.parse('2026-11-15T00:00:00Z')

/** A budget on a clock of its own, and what it has counted for everybody. */
function budgetOf(perDay: number) {
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
  return { ...createBudget({ counts, perDay, throttle, giveBack: createGiveBack(buckets) }), state }
}

const isRefused = (error: unknown) =>
  error instanceof AppError && error.code === 'rate_limited' && (error.retryAfterSeconds ?? 0) >= 1

/** How many one caller gets who asks as often as possible, until the end of the day. */
async function granted({ spend, state }: ReturnType<typeof budgetOf>): Promise<number> {
  const end = state.nowMs - (state.nowMs % DAY_MS) + DAY_MS
  for (let count = 0; ; ) {
    try {
      await spend(['one'])
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

  test('is no more than that in a whole day, whenever he asks, and the same again on the next', async () => {
    const budget = budgetOf(1_000)
    assert.equal(await granted(budget), 100)
    assert.equal(await granted(budget), 100)
    budget.state.nowMs += DAY_MS / 2
    assert.equal(await granted(budget), 100)
  })

  test('at it and past it, until midnight; others go on', async () => {
    const { spend, state } = budgetOf(100)
    state.nowMs += DAY_MS - 5_000
    for (let i = 0; i < 10; i++) await spend(['one'])
    await assert.rejects(
      spend(['one']),
      (error: unknown) => isRefused(error) && (error as AppError).retryAfterSeconds === 5,
    )
    await spend(['other'])
    state.nowMs += 4_999
    await assert.rejects(spend(['one']), isRefused)
    state.nowMs += 1
    await spend(['one'])
  })

  test('whoever has two names has no more than under each of them, and what one refuses costs the other nothing', async () => {
    const { spend, state } = budgetOf(20)
    await spend(['address a', 'account x'])
    await spend(['address b', 'account x'])
    await assert.rejects(spend(['address c', 'account x']), isRefused)
    await spend(['address c'])
    await spend(['address c'])
    await assert.rejects(spend(['address c']), isRefused)
    assert.equal(state.counted, 4)
  })

  test('is kept under a name that does not tell whose it is', async () => {
    const { spend, state } = budgetOf(20)
    await spend(['address 203.0.113.7', 'account 1'])
    assert.equal(state.buckets.size, 2)
    for (const bucket of state.buckets) assert.match(bucket, /^[\w-]{43}$/)
  })
})

describe('the budget of everybody', () => {
  test('is spent with its last question, until midnight, and a question that is given back is there again', async () => {
    const { spend, isSpent, state } = budgetOf(2)
    await spend(['a'])
    assert.equal(isSpent(state.nowMs), false)
    const giveBack = await spend(['b'])
    assert.equal(isSpent(state.nowMs), true)
    assert.equal(isSpent(state.nowMs + DAY_MS), false)
    await giveBack()
    assert.equal(isSpent(state.nowMs), false)
    await spend(['b'])
    await assert.rejects(
      spend(['c']),
      (error: unknown) => error instanceof AppError && error.code === 'chat_unavailable',
    )
    assert.equal(isSpent(state.nowMs), true)
    assert.equal(state.counted, 2)
    // Another replica gave one back.
    state.counted -= 2
    await spend(['d'])
    assert.equal(isSpent(state.nowMs), false)
  })

  test('refusing costs nobody his share', async () => {
    const { spend, state } = budgetOf(1)
    const giveBack = await spend(['a'])
    await assert.rejects(spend(['b']))
    await giveBack()
    await spend(['b'])
    assert.equal(state.counted, 1)
  })
})

test('the seconds to midnight are whole, and at least one', () => {
  assert.equal(secondsToMidnight(MIDNIGHT), 86_400)
  assert.equal(secondsToMidnight(MIDNIGHT - 1), 1)
  assert.equal(secondsToMidnight(MIDNIGHT + 1_999), 86_399)
})
