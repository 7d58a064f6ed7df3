/** Half-closed connections. */
import assert from 'node:assert/strict'
import { on, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerHalfClosed, PROBE_INTERVAL_MS } from './connections.ts'

const request = (version = '1.1') => `POST / HTTP/${version}\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi`

async function start() {
  const server = createServer()
  answerHalfClosed(server)
  const requests = on(server, 'request', { signal: AbortSignal.timeout(60_000) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    open(bytes: string) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
      let text = ''
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk
      })
      const all = once(socket, 'end').then(() => text)
      socket.write(bytes)
      return { socket, all }
    },
    async requested(): Promise<ServerResponse> {
      const [incoming, answer] = (await requests.next()).value ?? []
      incoming.resume()
      return answer
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('a client that half-closes', { timeout: 60_000 }, () => {
  for (const [version, interim] of [
    ['1.1', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['1.0', ''],
  ] as const) {
    test(`gets its response over HTTP/${version}, then the connection closes`, async () => {
      await using server = await start()
      const { socket, all } = server.open(request(version))
      const answer = await server.requested()
      const ours = answer.req.socket
      socket.end()
      await sleep(1.5 * PROBE_INTERVAL_MS)
      answer.end('done')
      const text = await all
      assert.ok(text.startsWith(`${interim}HTTP/1.1 200 OK\r\n`), text)
      assert.ok(text.endsWith('\r\n\r\ndone'), text)
      if (!ours.destroyed) await once(ours, 'close')
    })
  }

  test('gets no interim response when the response is ready at once', async () => {
    await using server = await start()
    const { socket, all } = server.open(request() + request())
    socket.end()
    for (const said of ['first', 'second']) (await server.requested()).end(said)
    assert.match(await all, /^HTTP\/1\.1 200 [\s\S]*firstHTTP\/1\.1 200 [\s\S]*second$/)
  })

  test('without a request is disconnected at once', async () => {
    await using server = await start()
    const { socket, all } = server.open('')
    socket.end()
    assert.equal(await all, '')
  })

  test('and disconnected is detected while its request is in progress', async () => {
    await using server = await start()
    const { socket } = server.open(request())
    const answer = await server.requested()
    socket.destroy()
    await once(answer, 'close')
    assert.equal(answer.writableFinished, false)
  })
})
