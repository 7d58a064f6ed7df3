/** Answers that are too long, a marketplace that fails many times, and waiting no longer than one may. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { quietLog } from '#test/support/seed.ts'
import {
  ATTEMPTS_MAX,
  createSend,
  delayAfter,
  FAILURES_MAX,
  RESPONSE_BYTES_MAX,
  RETRY_AFTER_MS_MAX,
  retryAfterMs,
  withinDeadline,
} from './http.ts'

const isCode = (code: string) => (error: unknown) => error instanceof AppError && error.code === code

test('who waits with others gives up when his own time is over, also if it was over before', async () => {
  const never = new Promise<never>(() => {})
  assert.equal(await withinDeadline(Promise.resolve('there'), AbortSignal.timeout(1_000), 'x'), 'there')
  await assert.rejects(withinDeadline(never, AbortSignal.timeout(5), 'x'), isCode('marketplace_unavailable'))
  await assert.rejects(withinDeadline(never, AbortSignal.abort(), 'x'), isCode('marketplace_unavailable'))
})

test('after so many failures in a row it is left alone, and not one earlier; too long an answer is none', async () => {
  let asked = 0
  let answer = { status: 500, body: '' }
  // A pause that is too long for us, so that nothing is tried twice.
  const server = createServer((_request, response) => {
    asked++
    response.writeHead(answer.status, { 'retry-after': '60' }).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const send = createSend(quietLog)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const call = () => send({ method: 'GET', url, headers: {}, deadline: AbortSignal.timeout(5_000), name: 'test' })
    const fail = async (times: number) => {
      for (let i = 0; i < times; i++) await assert.rejects(call(), isCode('marketplace_unavailable'))
    }
    await fail(FAILURES_MAX - 1)
    answer = { status: 200, body: 'x'.repeat(RESPONSE_BYTES_MAX + 1) }
    await assert.rejects(call(), isCode('upstream_error'))
    answer = { status: 500, body: '' }
    asked = 0
    await fail(FAILURES_MAX + 1)
    assert.equal(asked, FAILURES_MAX)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

describe('the pause before another try', () => {
  test('grows, is spread, and ends', () => {
    assert.deepEqual([delayAfter(1, null, 0), delayAfter(1, null, 1), delayAfter(2, null, 1)], [150, 300, 600])
    assert.equal(delayAfter(ATTEMPTS_MAX - 1, null, 0.5) === null, false)
    assert.equal(delayAfter(ATTEMPTS_MAX, null, 0.5), null)
  })
  test('is at least what was asked for; a longer one than we can wait is none', () => {
    assert.equal(delayAfter(1, RETRY_AFTER_MS_MAX, 0), RETRY_AFTER_MS_MAX)
    assert.equal(delayAfter(1, RETRY_AFTER_MS_MAX + 1, 0), null)
    assert.equal(delayAfter(1, 0, 0), 150)
  })
  test('comes as seconds or as a date', () => {
    assert.equal(retryAfterMs('2', 0), 2_000)
    assert.equal(retryAfterMs(new Date(5_000).toUTCString(), 2_000), 3_000)
    assert.equal(retryAfterMs(new Date(0).toUTCString(), 2_000), 0)
    for (const none of [null, 'soon', '-1x', '']) assert.equal(retryAfterMs(none, 0), null)
  })
})
