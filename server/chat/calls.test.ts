/** Questions at once: of one caller, and of all. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { CALLS_MAX, CALLS_OF_ONE_MAX, createCalls } from './calls.ts'

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code && (error.retryAfterSeconds ?? 0) >= 1

test('one caller: at the limit, one past it, and again when one has ended', () => {
  const calls = createCalls()
  const ends = Array.from({ length: CALLS_OF_ONE_MAX }, () => calls.begin(['a']))
  assert.throws(() => calls.begin(['a']), refusedWith('rate_limited'))
  calls.begin(['b'])()
  ends[0]?.()
  calls.begin(['a'])
  assert.throws(() => calls.begin(['a']), refusedWith('rate_limited'))
})

test('one account with many addresses, and one address with many accounts, have no more', () => {
  const calls = createCalls()
  for (let i = 0; i < CALLS_OF_ONE_MAX; i++) calls.begin([`address ${i}`, 'account'])
  assert.throws(() => calls.begin(['address x', 'account']), refusedWith('rate_limited'))
  for (let i = 0; i < CALLS_OF_ONE_MAX; i++) calls.begin(['address x', `account ${i}`])
  assert.throws(() => calls.begin(['address x', 'account x']), refusedWith('rate_limited'))
})

test('all together: at the limit, one past it, and what was refused counts nowhere', () => {
  const calls = createCalls()
  const ends = Array.from({ length: CALLS_MAX }, (_, index) => calls.begin([`caller ${index}`]))
  for (let i = 0; i < CALLS_OF_ONE_MAX + 1; i++) {
    assert.throws(() => calls.begin(['late']), refusedWith('chat_unavailable'))
  }
  for (const end of ends) end()
  for (let i = 0; i < CALLS_OF_ONE_MAX; i++) calls.begin(['late'])
  assert.throws(() => calls.begin(['late']), refusedWith('rate_limited'))
})

test('an end counts once for every name, and those without any are forgotten', () => {
  const calls = createCalls()
  const end = calls.begin(['a', 'b'])
  const other = calls.begin(['b'])
  end()
  const ends = Array.from({ length: CALLS_OF_ONE_MAX }, () => calls.begin(['a']))
  assert.throws(() => calls.begin(['a']), refusedWith('rate_limited'))
  for (const each of [other, ...ends]) each()
  Array.from({ length: CALLS_OF_ONE_MAX }, () => calls.begin(['b']))
  assert.throws(() => calls.begin(['b']), refusedWith('rate_limited'))
})
