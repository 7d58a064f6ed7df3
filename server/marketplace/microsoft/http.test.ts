/** Oversized responses, the circuit breaker, deadlines and retry delays. */
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

test('a caller stops waiting at its own deadline, even if that has already passed', async () => {
  const never = new Promise<never>(() => {})
  assert.equal(await withinDeadline(Promise.resolve('there'), AbortSignal.timeout(1_000), 'x'), 'there')
  await assert.rejects(withinDeadline(never, AbortSignal.timeout(5), 'x'), isCode('marketplace_unavailable'))
  await assert.rejects(withinDeadline(never, AbortSignal.abort(), 'x'), isCode('marketplace_unavailable'))
})

test('the breaker opens after the maximum of consecutive failures; an oversized response is not a failure', async () => {
  let requests = 0
  let answer = { status: 500, body: '' }
  // Too long to wait for, so that nothing is retried.
  const server = createServer((_request, response) => {
    requests++
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
    requests = 0
    await fail(FAILURES_MAX + 1)
    assert.equal(requests, FAILURES_MAX)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

describe('the delay before a retry', () => {
  test('grows, is randomised, and ends after the last attempt', () => {
    assert.deepEqual([delayAfter(1, null, 0), delayAfter(1, null, 1), delayAfter(2, null, 1)], [150, 300, 600])
    assert.equal(delayAfter(ATTEMPTS_MAX - 1, null, 0.5) === null, false)
    assert.equal(delayAfter(ATTEMPTS_MAX, null, 0.5), null)
  })
  test('is at least `Retry-After`; a longer one than the maximum ends the retries', () => {
    assert.equal(delayAfter(1, RETRY_AFTER_MS_MAX, 0), RETRY_AFTER_MS_MAX)
    assert.equal(delayAfter(1, RETRY_AFTER_MS_MAX + 1, 0), null)
    assert.equal(delayAfter(1, 0, 0), 150)
  })
  test('is read from seconds or a date', () => {
    assert.equal(retryAfterMs('2', 0), 2_000)
    assert.equal(retryAfterMs(new Date(5_000).toUTCString(), 2_000), 3_000)
    assert.equal(retryAfterMs(new Date(0).toUTCString(), 2_000), 0)
    for (const none of [null, 'soon', '-1x', '']) assert.equal(retryAfterMs(none, 0), null)
  })
})
