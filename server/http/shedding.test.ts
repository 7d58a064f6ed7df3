/** Refusing known callers at capacity, before any other check. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request, send } from '#test/support/raw-http.ts'
import { DROPPED_BYTES_MAX } from './connections.ts'
import { standardHeaders } from './headers.ts'
import { createShedding, KNOWN_MS } from './shedding.ts'

const BUSY = new AppError('busy', 'The service is at capacity.', { retryAfterSeconds: 1 })
const RATE = { ratelimit: '"scan";r=1;t=1', 'ratelimit-policy': '"scan";q=2;w=1' }

describe('a caller that was refused as busy', () => {
  const server = createServer((received, response) => {
    handled++
    response.end(`handled ${received.headers['x-api-key']}`)
  })
  let handled = 0
  let isFull = true
  let nowMs = 0
  const seen: string[] = []
  const completed: (string | null)[] = []
  const { note } = createShedding(server, {
    publicUrl: 'http://docvet.test',
    headersFor: standardHeaders(false),
    refusalOf(caller, bytes) {
      seen.push(`${caller.accountId} ${caller.address} ${bytes}`)
      return isFull ? BUSY : null
    },
    onCompleted: ({ code }) => completed.push(code),
    log: { info: () => {} } as never,
    now: () => nowMs,
  })
  let port: number
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  beforeEach(() => {
    isFull = true
    nowMs += 10 * KNOWN_MS
    noted('known')
  })

  function noted(key: string, kind = 'key', rate = 'scan'): void {
    const socket = { remoteAddress: '127.0.0.1' }
    const received = {
      principal: { kind, keyId: 'k', accountId: 'a', plan: 'free' },
      routeOptions: { url: '/api/v1/scan', config: { rate } },
      raw: { headers: { 'x-api-key': key }, socket },
      ...{ ip: '127.0.0.1', socket },
    }
    const reply = { getHeader: (name: keyof typeof RATE) => RATE[name] }
    note(received as unknown as FastifyRequest, reply as unknown as FastifyReply)
  }
  const scan = (key: string, headers: Record<string, string> = {}, path = '/api/v1/scan') =>
    request(port, 'POST', path, { headers: { 'x-api-key': key, 'content-type': 'text/plain', ...headers }, body: 'x' })
  const isHandled = async (...given: Parameters<typeof scan>) => (await scan(...given)).body.startsWith('handled')

  test('is refused at once with the full problem details', async () => {
    const before = handled
    const answer = await scan('known')
    assertProblem(answer, 503, 'busy')
    assert.equal(answer.headers['retry-after'], '1')
    assert.equal(answer.headers.ratelimit, RATE.ratelimit)
    assert.equal(answer.headers['ratelimit-policy'], RATE['ratelimit-policy'])
    assert.equal(handled, before)
    assert.equal(seen.at(-1), 'a 127.0.0.1 1')
    assert.equal(completed.at(-1), 'busy')
  })

  test('is handled when there is room', async () => {
    isFull = false
    assert.ok(await isHandled('known'))
  })

  test('is checked in full after a second, so that a revoked key is noticed', async () => {
    nowMs += KNOWN_MS - 1
    assert.ok(!(await isHandled('known')))
    nowMs += 1
    assert.ok(await isHandled('known'))
  })

  test('is checked in full with another key, credential, forwarded address or path', async () => {
    assert.ok(await isHandled('other'))
    assert.ok(await isHandled('known', { authorization: 'Bearer other' }))
    assert.ok(await isHandled('known', { 'x-forwarded-for': '192.0.2.1' }))
    assert.ok(await isHandled('known', {}, '/api/v1/keys'))
  })

  test('with a session, or on another route, is not remembered', async () => {
    noted('session', 'session')
    noted('keys', 'key', 'address')
    assert.ok(await isHandled('session'))
    assert.ok(await isHandled('keys'))
  })

  test('keeps its connection after a small body; after a larger one it is closed', async () => {
    const head = (bytes: number) =>
      `POST /api/v1/scan HTTP/1.1\r\nHost: a\r\nX-API-Key: known\r\nContent-Length: ${bytes}\r\n\r\n`
    const small = Buffer.from(head(DROPPED_BYTES_MAX) + 'x'.repeat(DROPPED_BYTES_MAX))
    const two = await send(port, [small, small], { expect: 2 })
    assert.deepEqual([two.responses.map(({ status }) => status), two.closed], [[503, 503], false])
    const { responses, closed } = await send(port, head(DROPPED_BYTES_MAX + 1))
    assert.deepEqual([responses[0]?.status, responses[0]?.headers.connection, closed], [503, 'close', true])
  })
})
