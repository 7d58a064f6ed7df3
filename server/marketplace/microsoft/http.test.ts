/** Oversized responses, the circuit breaker, deadlines and retry delays. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { quietLog } from '#test/support/seed.ts'
import {
  ATTEMPTS_MAX,
  createSend,
  delayAfter,
  FAILURES_MAX,
  type HttpResponse,
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

/** Calls a server with these responses; `pause` replaces the wait before a retry. */
async function withServer(
  respond: (response: ServerResponse, path: string) => void,
  use: (call: () => Promise<HttpResponse>, url: string) => Promise<void>,
  pause?: Parameters<typeof createSend>[3],
) {
  const server = createServer((request, response) => respond(response, request.url ?? '')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const send = createSend(url, quietLog, undefined, pause)
    await use(() => send({ method: 'GET', url, headers: {}, deadline: AbortSignal.timeout(60_000), name: 'test' }), url)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

test('the breaker opens after the maximum of consecutive failures; an oversized response is not a failure', async () => {
  let requests = 0
  let answer = { status: 500, body: '' }
  // Too long to wait for, so that nothing is retried.
  const respond = (response: ServerResponse) => {
    requests++
    response.writeHead(answer.status, { 'retry-after': '60' }).end(answer.body)
  }
  await withServer(respond, async (call) => {
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
  })
})

test('a retry is sent only after the pause that `Retry-After` asks for', async () => {
  const order: unknown[] = []
  const answers = [
    { status: 429, headers: { 'retry-after': '2' } },
    { status: 503, headers: { 'retry-after': '3' } },
    { status: 200, headers: {} },
  ]
  const respond = (response: ServerResponse, path: string) => {
    const { status, headers } = path === '/' ? (answers.shift() ?? assert.fail()) : { status: 204, headers: {} }
    if (path === '/') order.push(status)
    response.writeHead(status, headers).end()
  }
  let url = ''
  const pause = async (ms: number) => {
    order.push(`pause of ${ms} ms`)
    // A retry that does not wait would arrive before the end of this exchange.
    for (let i = 0; i < 5; i++) await fetch(`${url}other`)
    order.push('end of the pause')
  }
  await withServer(
    respond,
    async (call, serverUrl) => {
      url = serverUrl
      assert.equal((await call()).status, 200)
    },
    pause,
  )
  const END = 'end of the pause'
  assert.deepEqual(order, [429, 'pause of 2000 ms', END, 503, 'pause of 3000 ms', END, 200])
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
