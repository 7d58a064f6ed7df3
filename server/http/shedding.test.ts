/** Refusing known callers at capacity, before any other check. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import type { Principal } from '#base/principal.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request, send } from '#test/support/raw-http.ts'
import { DROPPED_BYTES_MAX } from './connections.ts'
import { standardHeaders } from './headers.ts'
import { CHECK_AFTER_MS, createShedding, FULL_CHECK_AFTER_MS, KNOWN_MS } from './shedding.ts'
import { socketErrors } from './socket-errors.ts'

const BUSY = new AppError('busy', 'The service is at capacity.', { retryAfterSeconds: 1 })
const RATE = { ratelimit: '"scan";r=1;t=1', 'ratelimit-policy': '"scan";q=2;w=1' }

describe('a caller that was refused as busy', () => {
  const server: Server & { httpAllowHalfOpen?: boolean } = createServer(async (received, response) => {
    handled++
    let bytes = 0
    for await (const chunk of received) bytes += chunk.length
    response.end(`handled ${received.headers['x-api-key']} with ${bytes} bytes`)
  })
  const errors = socketErrors({
    publicUrl: 'http://docvet.test',
    headers: standardHeaders(false),
    limits: { headersTimeoutMs: 1_000, requestTimeoutMs: 1_000 },
    log: { info: () => {} } as never,
  })
  server.on('clientError', errors.onClientError)
  server.httpAllowHalfOpen = true
  const sockets: (Socket & { parser?: object })[] = []
  server.on('connection', (socket) => sockets.push(socket))
  let handled = 0
  let isFull = true
  let nowMs = 0
  const seen: string[] = []
  let held = 0
  const completed: string[] = []
  let lookUps = 0
  let owner: { accountId: string } | null | Error = { accountId: 'a' }
  const { note, forget } = createShedding(server, {
    publicUrl: 'http://docvet.test',
    headersFor: standardHeaders(false),
    places: {
      isAcceptable: (headers) => headers['content-encoding'] === undefined,
      refusal(caller, bytes) {
        seen.push(`${caller.accountId} ${caller.address} ${bytes}`)
        return isFull ? BUSY : null
      },
      hold(_request, caller, bytes) {
        seen.push(`${caller.accountId} ${caller.address} ${bytes}`)
        if (isFull) return BUSY
        held++
        return null
      },
      leave() {
        held--
      },
    },
    async findKey(secret) {
      assert.equal(secret, 'known')
      lookUps++
      if (owner instanceof Error) throw owner
      return owner as Principal | null
    },
    onCompleted: ({ code }, count) => completed.push(`${count} × ${code}`),
    log: { info: () => {} } as never,
    now: () => nowMs,
  })
  errors.listen(server)
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
    owner = { accountId: 'a' }
    lookUps = 0
    nowMs += 10 * KNOWN_MS
    noted('known')
  })

  function requestWith(key: string, { kind = 'key', rate = 'scan', forwarded = '' } = {}) {
    const socket = { remoteAddress: '127.0.0.1' }
    const headers = { 'x-api-key': key, ...(forwarded && { 'x-forwarded-for': forwarded }) }
    return {
      headers,
      principal: { kind, keyId: 'k', accountId: 'a', plan: 'free' },
      routeOptions: { url: '/api/v1/scan', config: { rate } },
      raw: { headers, socket },
      ...{ ip: forwarded || '127.0.0.1', socket },
    } as unknown as FastifyRequest
  }
  function noted(...given: Parameters<typeof requestWith>): void {
    const reply = { getHeader: (name: keyof typeof RATE) => RATE[name] }
    note(requestWith(...given), reply as unknown as FastifyReply)
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
  })

  test('gets an id of its own in every response', async () => {
    const ids = [await scan('known'), await scan('known')].map((each) => [
      each.headers['x-request-id'],
      (each.json() as { requestId: string }).requestId,
    ])
    for (const [header, body] of ids) assert.equal(header, body)
    assert.notEqual(ids[0]?.[0], ids[1]?.[0])
  })

  test('is known on connections from other addresses, and holds a place for its own', async () => {
    const other = await request(port, 'POST', '/api/v1/scan', {
      headers: { 'x-api-key': 'known', 'content-type': 'text/plain' },
      body: 'x',
      localAddress: '127.0.0.9',
    })
    assert.equal(other.status, 503)
    assert.equal(seen.at(-1), 'a 127.0.0.9 1')
    noted('known', { forwarded: '192.0.2.7' })
    assert.ok(!(await isHandled('known', { 'x-forwarded-for': '192.0.2.7' })))
    assert.equal(seen.at(-1), 'a 192.0.2.7 1')
  })

  test('is handled when there is room, and holds a place until its response', async () => {
    isFull = false
    const before = [handled, seen.length]
    assert.ok(await isHandled('known'))
    assert.deepEqual(
      [handled, seen.length],
      before.map((count) => Number(count) + 1),
    )
    for (let i = 0; i < 100 && held > 0; i++) await new Promise(setImmediate)
    assert.equal(held, 0)
  })

  const settled = () => new Promise(setImmediate)

  test('is known for longer while its key is found again, and then checked in full once', async () => {
    const startMs = nowMs
    nowMs += CHECK_AFTER_MS - 1
    assert.ok(!(await isHandled('known')))
    assert.equal(lookUps, 0)
    for (const atMs of [1, 2, 3].map((times) => startMs + times * CHECK_AFTER_MS)) {
      nowMs = atMs
      assert.ok(!(await isHandled('known')))
      assert.ok(!(await isHandled('known')))
      await settled()
    }
    assert.equal(lookUps, 3)
    nowMs = startMs + FULL_CHECK_AFTER_MS - 1
    assert.ok(!(await isHandled('known')))
    nowMs = startMs + 4 * CHECK_AFTER_MS
    assert.ok(await isHandled('known'))
    assert.ok(!(await isHandled('known')))
    nowMs = startMs + 3 * CHECK_AFTER_MS + KNOWN_MS - 1
    assert.ok(!(await isHandled('known')))
    nowMs += 1
    assert.ok(await isHandled('known'))
    assert.ok(await isHandled('known'))
    assert.equal(lookUps, 3)
  })

  for (const [name, found, isKnown] of [
    ['was revoked', null, false],
    ['belongs to another account', { accountId: 'b' }, true],
    ['cannot be looked up', new Error('no database'), true],
  ] as const) {
    test(`is checked in full within a second if its key ${name}`, async () => {
      owner = found
      nowMs += CHECK_AFTER_MS
      assert.ok(!(await isHandled('known')))
      await settled()
      assert.equal(!(await isHandled('known')), isKnown)
      nowMs += KNOWN_MS - CHECK_AFTER_MS
      assert.ok(await isHandled('known'))
      assert.equal(lookUps, 1)
    })
  }

  test('is forgotten when the check finds its key revoked', async () => {
    forget(requestWith('known'))
    assert.ok(await isHandled('known'))
  })

  test('is checked in full with another key, credential, forwarded address or path', async () => {
    assert.ok(await isHandled('other'))
    assert.ok(await isHandled('known', { authorization: 'Bearer other' }))
    assert.ok(await isHandled('known', { 'x-forwarded-for': '192.0.2.1' }))
    assert.ok(await isHandled('known', {}, '/api/v1/keys'))
  })

  test('is checked in full, without a place, if the headers alone are a reason to refuse it', async () => {
    const before = seen.length
    assert.ok(await isHandled('known', { 'content-encoding': 'gzip' }))
    assert.equal(seen.length, before)
  })

  test('with a session, or on another route, is not remembered', async () => {
    noted('session', { kind: 'session' })
    noted('keys', { rate: 'address' })
    assert.ok(await isHandled('session'))
    assert.ok(await isHandled('keys'))
  })

  test('is counted once per second', async (context) => {
    await scan('known')
    const isCounted = () => assert.ok(completed.some((each) => /^\d+ × busy$/.test(each)))
    await context.waitFor(isCounted, { timeout: 10_000 })
  })

  const head = (bytes: number, key = 'known') =>
    `POST /api/v1/scan HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Length: ${bytes}\r\n\r\n`

  test('keeps its connection after a small body; after a larger one it is closed', async () => {
    const small = Buffer.from(head(DROPPED_BYTES_MAX) + 'x'.repeat(DROPPED_BYTES_MAX))
    const two = await send(port, [small, small], { expect: 2 })
    assert.deepEqual([two.responses.map(({ status }) => status), two.closed], [[503, 503], false])
    // The first head is composed by Node, the second is a copy.
    const [first, second] = two.responses.map(({ headers }) => ({ ...headers, 'x-request-id': '' }))
    assert.deepEqual(first, second)
    const { responses, closed } = await send(port, head(DROPPED_BYTES_MAX + 1))
    assert.deepEqual([responses[0]?.status, responses[0]?.headers.connection, closed], [503, 'close', true])
  })

  /** Sends the parts one by one, each after the response to the one before, and ends its side with the last. */
  async function halfClosing(parts: Buffer[]): Promise<{ statuses: string[] }> {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    client.on('data', (chunk) => {
      text += chunk
    })
    for (const [index, part] of parts.entries()) {
      client.write(part)
      if (index < parts.length - 1) await once(client, 'data')
    }
    client.end()
    await once(client, 'end')
    client.destroy()
    return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? '') }
  }

  describe('on a connection that was answered before', () => {
    const emitted: string[] = []
    const isEmitted = (received: IncomingMessage) => emitted.push(String(received.headers['x-api-key']))
    before(() => server.on('request', isEmitted))
    beforeEach(() => emitted.splice(0))
    after(() => server.off('request', isEmitted))

    const small = (key: string, header = '') => Buffer.from(head(3, key).replace('\r\n\r\n', `\r\n${header}\r\nabc`))
    const inTurn = (requests: Buffer[]) => send(port, requests, { expect: requests.length, pauseMsBetweenChunks: 50 })

    test('is refused before a request exists, with the same response', async () => {
      const { responses, closed } = await inTurn([small('known'), small('known'), small('known'), small('other')])
      assert.deepEqual([emitted, closed], [['known', 'other'], false])
      const [first, second, third] = responses.slice(0, 3).map(({ status, headers, body }) => {
        const { requestId, ...problem } = JSON.parse(body)
        assert.equal(headers['x-request-id'], requestId)
        return { status, headers: { ...headers, 'x-request-id': '', date: '' }, problem }
      })
      assert.deepEqual([second, third], [first, first])
      assert.equal(responses[3]?.body, 'handled other with 3 bytes')
    })

    test('gets the current time', async (context) => {
      await inTurn([small('known'), small('known')])
      const later = Date.now() + 5_000
      context.mock.timers.enable({ apis: ['Date'], now: later })
      const { responses } = await inTurn([small('known'), small('known')])
      assert.equal(responses[1]?.headers.date, new Date(later).toUTCString())
    })

    test('is looked up or checked in full as often as otherwise', async () => {
      await inTurn([small('known'), small('known')])
      nowMs += CHECK_AFTER_MS
      await inTurn([small('known'), small('known'), small('known')])
      assert.equal(lookUps, 1)
      nowMs += KNOWN_MS
      const { responses } = await inTurn([small('known'), small('other'), small('known')])
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200, 200],
      )
    })

    for (const count of [1, 2, 3]) {
      test(`is answered once if it half-closes within its body, as request ${count}`, async () => {
        const whole = Array.from({ length: count - 1 }, () => small('known'))
        const { statuses } = await halfClosing([...whole, small('known').subarray(0, -1)])
        assert.deepEqual(statuses, Array(count).fill('503'))
      })
    }

    test('is answered once if its body does not arrive in time', async () => {
      const client = connect(port, '127.0.0.1')
      let text = ''
      client.on('data', (chunk) => {
        text += chunk
      })
      client.write(small('known'))
      await once(client, 'data')
      client.write(small('known').subarray(0, -1))
      await once(client, 'data')
      const timeout = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      server.emit('clientError', timeout, sockets.at(-1))
      await once(client, 'close')
      assert.deepEqual(text.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 503', 'HTTP/1.1 503'])
    })

    test('is told of a further request that is not valid', async () => {
      for (const invalid of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n']) {
        const { responses } = await inTurn([small('known'), small('known'), Buffer.from(invalid)])
        assert.deepEqual(
          responses.map(({ status }) => status),
          [503, 503, 400],
        )
      }
    })

    for (const [name, line] of [
      ['two keys', 'X-API-Key: known\r\n'],
      ['two hosts', 'Host: b\r\n'],
      ['two types', 'Content-Type: a/b\r\nContent-Type: c/d\r\n'],
      ['more than 100 headers', 'X-A: b\r\n'.repeat(98)],
    ] as const) {
      test(`is checked in full with ${name}`, async () => {
        const { responses } = await inTurn([small('known'), small('known'), small('known', line)])
        assert.match(responses[2]?.body ?? '', /^handled/)
      })
    }

    test('is checked in full without a host', async () => {
      const nameless = Buffer.from(small('known').toString().replace('Host: a\r\n', ''))
      // By default, Node itself refuses it.
      Object.assign(server, { requireHostHeader: false })
      const { responses } = await inTurn([small('known'), small('known'), nameless])
      assert.match(responses[2]?.body ?? '', /^handled/)
    })

    for (const [name, header, isClosed] of [
      ['asks to close it', 'Connection: close\r\n', true],
      ['asks to upgrade it', 'Connection: keep-alive, Upgrade\r\nUpgrade: x\r\n', true],
    ] as const) {
      test(`is answered by Node if it ${name}`, async () => {
        const { responses, closed } = await inTurn([small('known'), small('known'), small('known', header)])
        assert.deepEqual([emitted.length, closed], [2, isClosed])
        assert.equal(responses[2]?.status, 503)
      })
    }

    test('is answered after an earlier request whose response is not complete', async () => {
      const { responses } = await inTurn([small('known'), Buffer.concat([small('other'), small('known')])])
      assert.deepEqual(
        responses.map(({ status }) => status),
        [503, 200, 503],
      )
    })

    test('is answered by Node, which limits what is kept for slow readers, if earlier bytes wait to be sent', async () => {
      const client = connect(port, '127.0.0.1')
      client.write(small('known'))
      await once(client, 'data')
      await settled()
      const socket = sockets.at(-1)
      socket?.cork()
      socket?.write('HTTP/1.1 100 Continue\r\n\r\n')
      client.write(small('known'))
      await once(server, 'request')
      client.destroy()
    })
  })

  test('has its body dropped by the parser, but not the body of the next request', async () => {
    const two = Buffer.from(`${head(3)}abc${head(5, 'other')}abcde`)
    const { responses } = await send(port, two, { expect: 2 })
    assert.deepEqual([responses[0]?.status, responses[1]?.body], [503, 'handled other with 5 bytes'])
    const client = connect(port, '127.0.0.1')
    client.write(`${head(3)}a`)
    await once(client, 'data')
    const socket = sockets.at(-1)
    const methods = Object.values(socket?.parser ?? {}).map((each) => (each as { name?: string } | null)?.name)
    assert.deepEqual([methods.includes('parserOnHeaders'), methods.includes('parserOnBody')], [true, false])
    client.destroy()
    await new Promise((resolve) => socket?.once('close', resolve))
    // Node gives the parser to the next connection.
    assert.equal((await scan('other')).body, 'handled other with 1 bytes')
  })
})
