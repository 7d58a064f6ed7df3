/** Clients that end their side: those who wait for the answer get it, those who have left are found out. */
import assert from 'node:assert/strict'
import { on, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ASK_EVERY_MS, answerHalfClosed } from './half-close.ts'

const request = (version = '1.1') => `POST / HTTP/${version}\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi`

async function start() {
  const server = createServer()
  answerHalfClosed(server)
  const requests = on(server, 'request', { signal: AbortSignal.timeout(10_000) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** All that comes back, when the connection is closed. */
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

describe('a client that ends its side', { timeout: 10_000 }, () => {
  for (const [version, interim] of [
    ['1.1', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['1.0', ''],
  ] as const) {
    test(`gets its answer over HTTP/${version}, and then the connection is closed`, async () => {
      await using server = await start()
      const { socket, all } = server.open(request(version))
      const answer = await server.requested()
      const ours = answer.req.socket
      socket.end()
      await sleep(1.5 * ASK_EVERY_MS)
      answer.end('done')
      const text = await all
      assert.ok(text.startsWith(`${interim}HTTP/1.1 200 OK\r\n`), text)
      assert.ok(text.endsWith('\r\n\r\ndone'), text)
      if (!ours.destroyed) await once(ours, 'close')
    })
  }

  test('is told nothing else when the answer is there at once', async () => {
    await using server = await start()
    const { socket, all } = server.open(request() + request())
    socket.end()
    for (const said of ['first', 'second']) (await server.requested()).end(said)
    assert.match(await all, /^HTTP\/1\.1 200 [\s\S]*firstHTTP\/1\.1 200 [\s\S]*second$/)
  })

  test('and has asked for nothing is let go at once', async () => {
    await using server = await start()
    const { socket, all } = server.open('')
    socket.end()
    assert.equal(await all, '')
  })

  test('and has gone is found out while it is worked for', async () => {
    await using server = await start()
    const { socket } = server.open(request())
    const answer = await server.requested()
    socket.destroy()
    const started = performance.now()
    await once(answer, 'close', { signal: AbortSignal.timeout(5_000) })
    assert.equal(answer.writableFinished, false)
    assert.ok(performance.now() - started < 2 * ASK_EVERY_MS + 1_500)
  })
})
