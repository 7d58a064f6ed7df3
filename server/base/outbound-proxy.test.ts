/** The client behind a proxy, which is a real one of a few lines. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createOutboundHttp, createProxiedHttp } from './outbound-http.ts'
import { createOutboundRules, type OutboundRules, type Target } from './outbound-rules.ts'

const PUBLIC = '93.184.215.14'

describe('through a proxy', () => {
  let proxy: Server
  let peer: Server
  let asked: string[] = []
  /** What the proxy answers. */
  let status = '200 OK'
  let firstBytes: Buffer | null = null
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
  const tls = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      firstBytes = bytes
      socket.destroy()
    })
  })

  before(async () => {
    peer = createServer((request, response) => response.end(`${request.method} ${request.headers.host}`))
    proxy = createServer((_request, response) => response.writeHead(400).end())
    proxy.on('connect', ({ url = '' }, socket: Socket) => {
      asked.push(url)
      socket.on('error', () => {})
      if (!status.startsWith('200')) return socket.end(`HTTP/1.1 ${status}\r\n\r\n`)
      // Wherever it shall lead, it leads to the servers of this test.
      const to = connect(portOf(url.endsWith(':443') ? tls : peer), '127.0.0.1')
      to.on('error', () => socket.destroy())
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(to).pipe(socket)
    })
    for (const server of [proxy, peer, tls]) await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => {
    for (const server of [proxy, peer]) server.closeAllConnections()
    for (const server of [proxy, peer, tls]) server.close()
  })
  beforeEach(() => {
    asked = []
    status = '200 OK'
    firstBytes = null
  })

  /** As if http were allowed everywhere. */
  const anything: Pick<OutboundRules, 'target'> = {
    target: (url): Target => ({
      ...{ kind: 'target', url: new URL(url), lookup: undefined, isOwn: () => false },
      resolve: async () => [{ address: PUBLIC, family: 4 }],
    }),
  }
  const get = async (url: string, rules: Pick<OutboundRules, 'target'> = anything) => {
    const http = createOutboundHttp({ rules, proxy: `http://127.0.0.1:${portOf(proxy)}` })
    const request = {
      method: 'GET',
      headers: {},
      responseBytesMax: 1_000,
      deadline: AbortSignal.timeout(5_000),
    } as const
    return await http.send({ ...request, url }).finally(http.close)
  }

  test('a tunnel leads to the address that was checked, and the request names the host', async () => {
    const outcome = await get('http://files.example.com:8080/a?b')
    assert.deepEqual(asked, [`${PUBLIC}:8080`])
    assert.equal(outcome.kind === 'answered' && outcome.body, 'GET files.example.com:8080')
  })

  test('https is encrypted to the server, under its name', async () => {
    const rules = createOutboundRules([], async () => [{ address: PUBLIC, family: 4 }])
    assert.equal((await get('https://files.example.com/a', rules)).kind, 'broken')
    assert.deepEqual(asked, [`${PUBLIC}:443`])
    // The name stands in the first message of TLS, which is not encrypted.
    assert.ok(firstBytes?.includes('files.example.com'), String(firstBytes))
  })

  test('a forbidden address is not asked for, also if a name leads to it', async () => {
    for (const [url, address] of [
      ['https://127.0.0.1/', PUBLIC],
      ['https://name.example.com/', '169.254.169.254'],
    ] as const) {
      const rules = createOutboundRules([], async () => [{ address, family: 4 }])
      assert.equal((await get(url, rules)).kind, 'refused', url)
    }
    assert.deepEqual(asked, [])
  })

  test('what the operator has named is reached directly', async () => {
    const rules = createOutboundRules([{ network: '127.0.0.1', port: portOf(peer) }], async () => [])
    const outcome = await get(`http://127.0.0.1:${portOf(peer)}/`, rules)
    assert.equal(outcome.kind, 'answered')
    assert.deepEqual(asked, [])
  })

  test('for the URL of a setting, the proxy resolves its name', async () => {
    const url = 'http://channel.invalid:8080/a'
    const http = createProxiedHttp([url], `http://127.0.0.1:${portOf(proxy)}`)
    const request = { method: 'GET', url, headers: {}, responseBytesMax: 1_000 } as const
    const outcome = await http.send({ ...request, deadline: AbortSignal.timeout(5_000) }).finally(http.close)
    assert.equal(outcome.kind === 'answered' && outcome.body, 'GET channel.invalid:8080')
    assert.deepEqual(asked, ['channel.invalid:8080'])
  })

  test('a proxy that refuses is a failed connection', async () => {
    status = '403 Forbidden'
    assert.deepEqual(await get('http://files.example.com/'), {
      ...{ kind: 'broken', why: 'connection closed', responseBegan: false },
    })
  })
})
