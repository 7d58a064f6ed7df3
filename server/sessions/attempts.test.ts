import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { advance, attemptKey, decide, FORGOTTEN_MS, FREE_ATTEMPTS_MAX, WAIT_MAX_MS, waitAfterMs } from './attempts.ts'

const NOW = Date.UTC(2026, 10, 15)
const after = (count: number, agoMs: number) => decide({ count, lastAt: NOW - agoMs }, NOW)
const refused = (retryAfterSeconds: number) => ({ allowed: false, retryAfterSeconds })
const ALLOWED = { allowed: true }

describe('the wait before an attempt', () => {
  test('is zero for the first five, then 1, 2, 4 … seconds, up to 15 minutes', () => {
    assert.deepEqual([FREE_ATTEMPTS_MAX, WAIT_MAX_MS, FORGOTTEN_MS], [5, 900_000, 86_400_000])
    const seconds = Array.from({ length: 18 }, (_, count) => waitAfterMs(count) / 1_000)
    assert.deepEqual(seconds, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    for (const count of [100, 10_000, Number.MAX_SAFE_INTEGER]) assert.equal(waitAfterMs(count), WAIT_MAX_MS)
  })

  test('starts with the sixth attempt', () => {
    assert.deepEqual(after(0, 0), ALLOWED)
    assert.deepEqual(after(4, 0), ALLOWED)
    assert.deepEqual(after(5, 0), refused(1))
  })

  test('is exact to the millisecond and reported in whole seconds, rounded up', () => {
    assert.deepEqual(after(5, 999), refused(1))
    assert.deepEqual(after(5, 1_000), ALLOWED)
    assert.deepEqual(after(7, 0), refused(4))
    assert.deepEqual(after(7, 1), refused(4))
    assert.deepEqual(after(7, 1_000), refused(3))
    assert.deepEqual(after(7, 3_999), refused(1))
    assert.deepEqual(after(1_000, 899_999), refused(1))
    assert.deepEqual(after(1_000, 900_000), ALLOWED)
  })

  test('holds when the clock is slightly behind, and free attempts stay free', () => {
    assert.deepEqual(after(5, -5), refused(2))
    assert.deepEqual(after(4, -5), ALLOWED)
  })

  test('is ignored when the clock was set back', () => {
    assert.deepEqual(after(1_000, -WAIT_MAX_MS), refused(1_800))
    assert.deepEqual(after(1_000, -WAIT_MAX_MS - 1), ALLOWED)
    assert.deepEqual(advance({ count: 1_000, lastAt: NOW + WAIT_MAX_MS + 1 }, NOW), { count: 1, lastAt: NOW })
  })
})

describe('another attempt', () => {
  test('increases the count', () => {
    assert.deepEqual(advance({ count: 0, lastAt: NOW }, NOW), { count: 1, lastAt: NOW })
    assert.deepEqual(advance({ count: 7, lastAt: NOW - 4_000 }, NOW), { count: 8, lastAt: NOW })
  })

  test('restarts the count exactly a day after the last one', () => {
    assert.deepEqual(advance({ count: 20, lastAt: NOW - FORGOTTEN_MS + 1 }, NOW), { count: 21, lastAt: NOW })
    assert.deepEqual(advance({ count: 20, lastAt: NOW - FORGOTTEN_MS }, NOW), { count: 1, lastAt: NOW })
  })

  test('allows at most 109 guesses on the first day and 96 on each following day', () => {
    let attempts = { count: 0, lastAt: 0 }
    const perDay = [0, 0, 0]
    for (let now = 0; now < 3 * FORGOTTEN_MS; now += 1_000) {
      while (decide(attempts, now).allowed && now < 3 * FORGOTTEN_MS) {
        attempts = advance(attempts, now)
        perDay[Math.floor(now / FORGOTTEN_MS)]! += 1
      }
    }
    assert.deepEqual(perDay, [109, 96, 96])
  })
})

test('an address is stored as its SHA-256, ignoring letter case', () => {
  assert.equal(attemptKey('Ada@Example.com'), attemptKey('ada@example.com'))
  assert.notEqual(attemptKey('ada@example.com'), attemptKey('ada@example.org'))
  assert.equal(attemptKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
