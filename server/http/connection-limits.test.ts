import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { FEW_CONNECTIONS, limitConnections, REFUSED_MAX, SILENT_GRACE_MS } from './connection-limits.ts'

interface Limits {
  max?: number
  perAddress?: number | null
  proxies?: string[]
  openFiles?: number
}

/** The limits on a server without a network, with a clock that the test moves. */
function setUp({ max = 1_000, perAddress = null, proxies = [], openFiles = 1_000_000 }: Limits) {
  const server = new EventEmitter() as EventEmitter & Server
  const logged: [fields: Record<string, number>, message: string][] = []
  const log = { warn: (...line: (typeof logged)[number]) => logged.push(line) } as unknown as Log
  let nowMs = 0
  const connections = limitConnections(
    server,
    { connectionsMax: max, connectionsPerAddress: perAddress, trustedProxies: proxies, log },
    { openFiles, now: () => nowMs },
  )

  function open(remoteAddress: string) {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      bytesRead: 0,
      destroyed: false,
      _httpMessage: null as object | null,
      destroy() {
        socket.destroyed = true
        socket.emit('close')
      },
    })
    server.emit('connection', socket)
    const responses: EventEmitter[] = []
    return {
      isClosed: () => socket.destroyed,
      close: () => socket.destroy(),
      isRefused(): boolean {
        try {
          connections.check(socket as unknown as Socket)
          return false
        } catch (error) {
          assert.ok(error instanceof AppError && error.code === 'rate_limited')
          assert.ok(Number(error.retryAfterSeconds) >= 1)
          return true
        }
      },
      sendPart() {
        socket.bytesRead++
      },
      request() {
        socket.bytesRead++
        const headers = new Map<string, string>()
        const response = Object.assign(new EventEmitter(), { setHeader: headers.set.bind(headers) })
        socket._httpMessage ??= response
        responses.push(response)
        server.emit('request', { socket }, response)
        return headers
      },
      respond() {
        const response = responses.shift()
        socket._httpMessage = responses[0] ?? null
        response?.emit('close')
      },
    }
  }

  const busy = (address: string) => {
    const connection = open(address)
    connection.request()
    return connection
  }
  const idle = (address: string) => {
    const connection = busy(address)
    connection.respond()
    return connection
  }
  const many = <T>(count: number, each: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => each(i))
  return { server, logged, open, busy, idle, many, wait: (ms: number) => (nowMs += ms) }
}

const closed = (connections: { isClosed(): boolean }[]) => connections.map((each) => each.isClosed())

describe('the limit per address', () => {
  test('at the limit all are served, one more gets 429 and is closed, others are not affected', () => {
    const { busy, open, many } = setUp({ perAddress: 3 })
    const first = many(3, () => busy('192.0.2.1'))
    assert.ok(first.every((each) => !each.isRefused() && !each.isClosed()))
    const surplus = open('192.0.2.1')
    assert.equal(surplus.isRefused(), true)
    assert.equal(surplus.request().get('connection'), 'close')
    assert.deepEqual(closed(first), [false, false, false])
    assert.equal(busy('192.0.2.2').isRefused(), false)
  })

  test('a closed connection makes room', () => {
    const { busy, open, many } = setUp({ perAddress: 3 })
    const [first] = many(3, () => busy('192.0.2.1'))
    first!.close()
    assert.equal(open('192.0.2.1').isRefused(), false)
    assert.equal(open('192.0.2.1').isRefused(), true)
  })

  test('closes the longest idle connection of the same address first, and no busy one', () => {
    const { busy, idle, open } = setUp({ perAddress: 3 })
    const other = idle('192.0.2.2')
    const [working, older, newer] = [busy('192.0.2.1'), idle('192.0.2.1'), idle('192.0.2.1')]
    assert.equal(open('192.0.2.1').isRefused(), false)
    assert.deepEqual(closed([other, working!, older!, newer!]), [false, false, true, false])
  })

  test('a connection that began to send its next request is not idle', () => {
    const { idle, open } = setUp({ perAddress: 2 })
    const [sending, silent] = [idle('192.0.2.1'), idle('192.0.2.1')]
    sending!.sendPart()
    assert.equal(open('192.0.2.1').isRefused(), false)
    assert.deepEqual(closed([sending!, silent!]), [false, true])
  })

  test('a connection with a second, pipelined request is not idle after the first response', () => {
    const { busy, open } = setUp({ perAddress: 1 })
    const pipelined = busy('192.0.2.1')
    pipelined.request()
    pipelined.respond()
    assert.equal(open('192.0.2.1').isRefused(), true)
    pipelined.respond()
    assert.equal(open('192.0.2.1').isRefused(), false)
    assert.equal(pipelined.isClosed(), true)
  })

  test('a new connection has time to send its request before it is closed for another', () => {
    const { open, wait } = setUp({ perAddress: 1 })
    const silent = open('192.0.2.1')
    wait(SILENT_GRACE_MS - 1)
    assert.equal(open('192.0.2.1').isRefused(), true)
    assert.equal(silent.isClosed(), false)
    wait(1)
    assert.equal(open('192.0.2.1').isRefused(), false)
    assert.equal(silent.isClosed(), true)
  })

  test('is one for an IPv4 address and its IPv6 notation, and one for an IPv6 /64', () => {
    const { busy, open } = setUp({ perAddress: 1 })
    busy('192.0.2.1')
    assert.equal(open('::ffff:192.0.2.1').isRefused(), true)
    busy('2001:db8:1:2::3')
    assert.equal(open('2001:db8:1:2:ffff::1').isRefused(), true)
    assert.equal(open('2001:db8:1:3::3').isRefused(), false)
  })

  for (const [network, address] of [
    ['10.0.0.7', '10.0.0.7'],
    ['10.0.0.0/8', '::ffff:10.1.2.3'],
    ['::ffff:10.0.0.0/104', '10.1.2.3'],
    ['fd00::/8', 'fd00::1'],
  ] as const) {
    test(`does not apply to ${address} as a trusted proxy of ${network}`, () => {
      const { busy, open, many } = setUp({ max: 100, perAddress: 2, proxies: [network] })
      assert.ok(many(100, () => busy(address)).every((each) => !each.isRefused() && !each.isClosed()))
      assert.equal(open(address).isClosed(), true, 'more than all connections')
      for (const each of many(2, () => open('11.0.0.1'))) assert.equal(each.isClosed(), true)
    })
  }

  test('is an eighth of all connections by default', () => {
    const { busy, open, many } = setUp({ max: 80 })
    assert.ok(many(10, () => busy('192.0.2.1')).every((each) => !each.isRefused()))
    assert.equal(open('192.0.2.1').isRefused(), true)
  })

  test('few connections wait for a 429; more are closed at once, and the log has one line a minute', () => {
    const { busy, open, many, logged, wait } = setUp({ perAddress: 1 })
    busy('192.0.2.1')
    const waiting = many(REFUSED_MAX, () => open('192.0.2.1'))
    assert.ok(waiting.every((each) => each.isRefused() && !each.isClosed()))
    assert.equal(open('192.0.2.1').isClosed(), true)
    waiting[0]!.close()
    assert.equal(open('192.0.2.1').isRefused(), true)
    assert.deepEqual(logged, [[{ refused: 1, open: 1 }, 'Connections refused']])
    wait(60_000)
    open('192.0.2.1')
    assert.deepEqual(logged[1], [{ refused: REFUSED_MAX + 2, open: 1 }, 'Connections refused'])
  })
})

describe('the limit of all connections', () => {
  test('from nine tenths on, the longest idle connection of any address is closed for a new one', () => {
    const { idle, busy, many } = setUp({ max: 20, perAddress: 20 })
    const working = busy('192.0.2.1')
    const kept = many(17, (i) => idle(`192.0.2.${i + 2}`))
    assert.ok(!closed(kept).includes(true))
    busy('198.51.100.1')
    busy('198.51.100.2')
    assert.deepEqual(closed([working, ...kept.slice(0, 3)]), [false, true, true, false])
  })

  test('a connection that becomes idle while it is reached is closed after its response', () => {
    const { busy, many } = setUp({ max: 20, perAddress: 20 })
    const working = many(20, (i) => busy(`192.0.2.${i + 1}`))
    working[7]!.respond()
    assert.equal(working[7]!.isClosed(), true)
    assert.equal(closed(working).filter(Boolean).length, 1)
  })

  test('the last tenth is for addresses with few connections', () => {
    const { busy, open, many } = setUp({ max: 100, perAddress: 90 })
    many(90, () => busy('192.0.2.1'))
    assert.equal(open('192.0.2.1').isRefused(), true)
    const others = many(FEW_CONNECTIONS, () => busy('192.0.2.2'))
    assert.ok(!closed(others).includes(true))
    assert.equal(open('192.0.2.2').isClosed(), true, 'it has its few')
    const more = many(100 - 90 - FEW_CONNECTIONS, (i) => busy(`198.51.100.${i}`))
    assert.ok(!closed(more).includes(true))
    assert.equal(open('203.0.113.1').isClosed(), true, 'none is left')
  })

  test('is at most three quarters of the open files, with a warning', () => {
    const { busy, open, many, logged, server } = setUp({ max: 1_000, perAddress: 1_000, openFiles: 40 })
    assert.deepEqual(logged, [
      [{ connections: 30, openFiles: 40 }, 'Fewer connections than configured: the limit on open files is too low'],
    ])
    assert.equal(server.maxConnections, 30 + REFUSED_MAX)
    many(30, (i) => busy(`192.0.2.${i}`))
    assert.equal(open('203.0.113.1').isClosed(), true)
    assert.deepEqual(setUp({ max: 30, openFiles: 40 }).logged, [])
  })
})
