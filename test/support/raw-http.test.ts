import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { request, send } from '#test/support/raw-http.ts'
import { freePort } from '#test/support/service.ts'

describe('against node:http', () => {
  const server = http.createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    if (incoming.url !== '/early') for await (const chunk of incoming) chunks.push(chunk)
    if (incoming.url === '/empty') return outgoing.writeHead(204).end()
    if (incoming.url === '/early') return outgoing.writeHead(401).end('who?')
    if (incoming.url === '/chunked') {
      outgoing.write('{"half":')
      return setTimeout(() => outgoing.end('"ö"}'), 20)
    }
    outgoing.setHeader('x-twice', ['a', 'b'])
    outgoing.setHeader('content-length', Buffer.byteLength(`got ${Buffer.concat(chunks)}`))
    outgoing.end(`got ${Buffer.concat(chunks)}`)
  })
  let port = 0
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  after(() => server.close())

  test('pipelined requests: every response, sized, chunked and empty', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
    const { responses, closed, rest } = await send(port, get('/') + get('/chunked') + get('/empty'), { expect: 3 })
    assert.deepEqual(
      responses.map(({ status, reason, body, complete }) => ({ status, reason, body, complete })),
      [
        { status: 200, reason: 'OK', body: 'got ', complete: true },
        { status: 200, reason: 'OK', body: '{"half":"ö"}', complete: true },
        { status: 204, reason: 'No Content', body: '', complete: true },
      ],
    )
    assert.equal(responses[0]!.headers['x-twice'], 'a, b')
    assert.deepEqual(responses[0]!.rawHeaders.slice(0, 2), [
      ['x-twice', 'a'],
      ['x-twice', 'b'],
    ])
    assert.deepEqual(responses[1]!.json(), { half: 'ö' })
    assert.deepEqual({ closed, rest }, { closed: false, rest: '' })
  })

  test('a response to HEAD has a length but no body', async () => {
    const { responses } = await send(port, 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n', { head: true })
    assert.equal(responses.length, 1)
    assert.deepEqual([responses[0]!.headers['content-length'], responses[0]!.body], ['4', ''])
  })

  test('an interim response is an entry of its own', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n'
    const { responses } = await send(port, [Buffer.from(head), Buffer.from('hi')], { pauseMsBetweenChunks: 50 })
    assert.deepEqual(
      responses.map(({ status, body }) => [status, body]),
      [
        [100, ''],
        [200, 'got hi'],
      ],
    )
  })

  test('a refusal by the parser closes the connection', async () => {
    const { responses, closed } = await send(port, 'NOT HTTP\r\n\r\n')
    assert.deepEqual([responses[0]?.status, closed], [400, true])
  })

  test('a server that answers without reading the body is heard', async () => {
    const head = 'POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n'
    const { responses } = await send(port, [Buffer.from(head), Buffer.alloc(50_000_000)])
    assert.deepEqual([responses[0]?.status, responses[0]?.body], [401, 'who?'])
  })

  test('an unfinished request ends at the timeout', async () => {
    const { responses, closed } = await send(port, 'GET / HTTP/1.1\r\nHost', { timeoutMs: 150 })
    assert.deepEqual([responses.length, closed], [0, false])
  })

  test('one good request', async () => {
    const answer = await request(port, 'POST', '/', { body: { a: 1 } })
    assert.deepEqual([answer.status, answer.body, answer.headers['x-twice']], [200, 'got {"a":1}', 'a, b'])
    assert.deepEqual((await request(port, 'GET', '/chunked')).json(), { half: 'ö' })
  })
})

describe('against a server that misbehaves', () => {
  async function answering(behave: (socket: net.Socket) => void): Promise<number> {
    const server = net.createServer((socket) => socket.on('error', () => {}).once('data', () => behave(socket)))
    server.listen(0, '127.0.0.1').unref()
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  test('a reset without an answer', async () => {
    const port = await answering((socket) => socket.resetAndDestroy())
    const { responses, closed, reset } = await send(port, 'x')
    assert.deepEqual({ responses, closed, reset }, { responses: [], closed: true, reset: true })
  })

  test('a close in the middle of a body', async () => {
    const port = await answering((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'))
    const { responses, closed, reset } = await send(port, 'x')
    assert.deepEqual([responses[0]?.body, responses[0]?.complete, closed, reset], ['half', false, true, false])
  })

  test('a close in the middle of a chunk', async () => {
    const port = await answering((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n9\r\nde'),
    )
    const { responses } = await send(port, 'x')
    assert.deepEqual([responses[0]?.body, responses[0]?.complete], ['abc', false])
  })

  test('a body that ends with the connection', async () => {
    const port = await answering((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nall of it'))
    const { responses } = await send(port, 'x')
    assert.deepEqual([responses[0]?.body, responses[0]?.complete], ['all of it', true])
  })

  test('an answer that is not HTTP is an error', async () => {
    const port = await answering((socket) => socket.end('SSH-2.0-x\r\n\r\n'))
    await assert.rejects(send(port, 'x'), /not a status line/)
  })

  test('nobody listening is an error', async () => {
    await assert.rejects(send(await freePort(), 'x'), { code: 'ECONNREFUSED' })
  })
})
