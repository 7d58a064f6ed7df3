/** Answers that are too long, and waiting no longer than one may. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { ANSWER_BYTES_MAX, boundedText, inTime } from './wire.ts'

const isCode = (code: string) => (error: unknown) => error instanceof AppError && error.code === code

test('an answer of as many bytes as may be is read whole; one more is refused', async () => {
  // Two bytes each: it is bytes that count.
  const text = 'ä'.repeat(ANSWER_BYTES_MAX / 2)
  assert.equal(await boundedText(new Response(text)), text)
  await assert.rejects(boundedText(new Response(`${text}x`)), isCode('upstream_error'))
  assert.equal(await boundedText(new Response('abc'), 3), 'abc')
  await assert.rejects(boundedText(new Response('abcd'), 3), isCode('upstream_error'))
})

test('who waits with others gives up when his own time is over, also if it was over before', async () => {
  const never = new Promise<never>(() => {})
  assert.equal(await inTime(Promise.resolve('there'), AbortSignal.timeout(1_000), 'x'), 'there')
  await assert.rejects(inTime(never, AbortSignal.timeout(5), 'x'), isCode('marketplace_unavailable'))
  await assert.rejects(inTime(never, AbortSignal.abort(), 'x'), isCode('marketplace_unavailable'))
})
