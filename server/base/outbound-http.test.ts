/** The bounds of the client, against a real server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { createOutboundHttp, INFORMATIONAL_MAX, type OutboundRequest } from './outbound-http.ts'
import { createOutboundRules } from './outbound-rules.ts'

const http = createOutboundHttp({ rules: createOutboundRules([{ network: '127.0.0.1', port: null }]) })
after(() => http.close())

/** Serves one request and returns the outcome. */
async function sendTo(server: Server, request: Partial<OutboundRequest> = {}) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const defaults = {
    method: 'GET',
    headers: {},
    responseBytesMax: 1_000,
    deadline: AbortSignal.timeout(5_000),
  } as const
  try {
    return await http.send({ ...defaults, url: `http://127.0.0.1:${port}/path?q=1`, ...request })
  } finally {
    server.close()
  }
}

/** A server that sends these bytes and then keeps the connection open, or closes it. */
const sending = (bytes: string, { thenEnds = true } = {}): Server =>
  createTcpServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', () => (thenEnds ? socket.end(bytes) : socket.write(bytes)))
  })

const serving = (status: number, body: string | Buffer, headers: Record<string, string> = {}): Server =>
  createServer((_request, response) => response.writeHead(status, headers).end(body))

describe('a request', () => {
  test('has the given method, path, headers and body, and asks for no compression', async () => {
    const seen: { request?: IncomingMessage; body?: string } = {}
    const server = createServer(async (request, response) => {
      seen.request = request
      seen.body = (await Array.fromAsync(request)).join('')
      response.end()
    })
    const outcome = await sendTo(server, { method: 'PATCH', headers: { 'x-test': 'a' }, body: '{"ä":1}' })
    assert.equal(outcome.kind, 'answered')
    const { method, url, headers } = seen.request ?? assert.fail()
    assert.deepEqual([method, url, seen.body], ['PATCH', '/path?q=1', '{"ä":1}'])
    assert.deepEqual([headers['x-test'], headers['accept-encoding'], headers['content-length']], ['a', 'identity', '8'])
  })

  test('POST without a body has a length of 0', async () => {
    let length: string | undefined
    const server = createServer((request, response) => {
      length = request.headers['content-length']
      response.end()
    })
    await sendTo(server, { method: 'POST' })
    assert.equal(length, '0')
  })
})

describe('a response', () => {
  test('comes with status, headers and body', async () => {
    const outcome = await sendTo(serving(503, 'später', { 'retry-after': '7' }))
    assert.ok(outcome.kind === 'answered')
    assert.deepEqual([outcome.status, outcome.headers['retry-after'], outcome.body], [503, '7', 'später'])
  })

  test('is read up to the size limit, counted in bytes; one byte more is too large', async () => {
    const text = 'ä'.repeat(500)
    const whole = await sendTo(serving(200, text))
    assert.equal(whole.kind === 'answered' && whole.body, text)
    assert.deepEqual(await sendTo(serving(200, `${text}x`)), { kind: 'invalid', why: 'too large' })
  })

  test('is not followed when it redirects', async () => {
    const outcome = await sendTo(serving(307, '', { location: 'http://127.0.0.1:1/' }))
    assert.equal(outcome.kind === 'answered' && outcome.status, 307)
  })

  test('may be preceded by informational responses', async () => {
    const bytes = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`
    const outcome = await sendTo(sending(bytes))
    assert.equal(outcome.kind === 'answered' && outcome.body, 'ok')
  })

  const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
  test(`may be preceded by ${INFORMATIONAL_MAX} informational responses, not by more`, async () => {
    const outcome = await sendTo(sending(HINTS.repeat(INFORMATIONAL_MAX) + OK))
    assert.equal(outcome.kind === 'answered' && outcome.body, 'ok')
    const more = await sendTo(sending(HINTS.repeat(INFORMATIONAL_MAX + 1) + OK))
    assert.deepEqual(more, { kind: 'invalid', why: 'not HTTP' })
  })

  test('informational responses without end are not read on', async () => {
    const ended = Promise.withResolvers<void>()
    const endless = createTcpServer((socket: Socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(HINTS));
      }
      socket.on('error', () => {})
      socket.on('close', ended.resolve)
      socket.on('drain', more)
      socket.once('data', more)
    })
    const deadline = new AbortController().signal
    assert.deepEqual(await sendTo(endless, { deadline }), { kind: 'invalid', why: 'not HTTP' })
    await ended.promise
  })

  const INVALID: [string, Server, string][] = [
    ['another protocol', sending('SSH-2.0-OpenSSH_9.9\r\n'), 'not HTTP'],
    ['a protocol switch', sending('HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'), 'not HTTP'],
    ['oversized headers', sending(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`), 'not HTTP'],
    ['a compressed body', serving(200, 'x', { 'content-encoding': 'gzip' }), 'compressed'],
    ['a body that is not UTF-8', serving(200, Buffer.from([0xff, 0xfe])), 'not UTF-8'],
  ]
  for (const [name, server, why] of INVALID) {
    test(`${name} is invalid`, async () => assert.deepEqual(await sendTo(server), { kind: 'invalid', why }))
  }
})

describe('no response', () => {
  test('a connection that closes before the first byte, and after it', async () => {
    assert.deepEqual(await sendTo(sending('')), { kind: 'broken', why: 'ECONNRESET', responseBegan: false })
    const cut = await sendTo(sending('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabc'))
    assert.deepEqual(cut, { kind: 'broken', why: 'ECONNRESET', responseBegan: true })
  })

  test('the deadline ends a silent connection and one that stops midway', async () => {
    const deadline = () => AbortSignal.timeout(50)
    const silent = await sendTo(sending('', { thenEnds: false }), { deadline: deadline() })
    assert.deepEqual(silent, { kind: 'late', responseBegan: false })
    const midway = sending('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabc', { thenEnds: false })
    assert.deepEqual(await sendTo(midway, { deadline: deadline() }), { kind: 'late', responseBegan: true })
    const past = await sendTo(serving(200, 'x'), { deadline: AbortSignal.abort() })
    assert.deepEqual(past, { kind: 'late', responseBegan: false })
  })
})
