/** The clamd protocol on real sockets, with a scan that answers by the content of the stream. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Gateway } from '#listeners/gateway.ts'
import type { Outcome } from '#listeners/outcomes.ts'
import { parseListeners } from '#listeners/specification.ts'
import { chunk, END_OF_STREAM, exchange, instream, type Target } from '#test/support/clamd-wire.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { SESSION_PENDING_MAX } from './line.ts'
import { createClamdProtocol } from './protocol.ts'

const VERSION = 'ClamAV 1.4.6/27500/Mon Nov 16 10:00:00 2026'
const COMMANDS =
  'SCAN QUIT RELOAD PING CONTSCAN VERSIONCOMMANDS VERSION END SHUTDOWN MULTISCAN STATS IDSESSION INSTREAM'
const MEMSTATS =
  'MEMSTATS: heap N/A mmap N/A used N/A free N/A releasable N/A pools 0 pools_used 0.000M pools_total 0.000M'
const STATS = `POOLS: 1\n\nSTATE: VALID PRIMARY\nTHREADS: live 1  idle 0 max 64 idle-timeout 30\nQUEUE: 0 items\n\n${MEMSTATS}\nEND`
const DENIED = 'File path check failure: Permission denied. ERROR'
const INVALID = 'Command invalid inside IDSESSION. ERROR'

interface Fixture {
  target: Target
  sockets: Set<Socket>
  events: string[]
  gate: PromiseWithResolvers<void>
  close(): Promise<void>
}

/** `virus` is infected, `large` is refused before it is read, `wait` waits for the gate, and everything else is clean. */
async function start({
  problem = null as string | null,
  idleMs = 30_000,
  failure = 'error',
  socketFile = null as string | null,
} = {}): Promise<Fixture> {
  const parsed = parseListeners(
    'clamd',
    `tcp://127.0.0.1:1?key=019a8b1c-7f4e-7c3a-9d2b-5e6f70819203&failure=${failure}`,
  )
  const [listener] = 'value' in parsed ? parsed.value : []
  assert.ok(listener)
  const events: string[] = []
  const gate = Promise.withResolvers<void>()
  const scan: Gateway['scan'] = async (_client, { stream }): Promise<Outcome | null> => {
    const first = await new Promise<Buffer>((resolve) => stream.once('readable', () => resolve(stream.read() ?? '')))
    const letter = first.toString('latin1', 0, 1)
    if (letter === 'l') return { name: 'too_large' }
    if (letter === 'd') return { name: 'failed' }
    const rest = await buffer(stream).catch(() => null)
    if (rest === null) {
      events.push('aborted')
      return null
    }
    events.push(`scanned ${first.length + rest.length}`)
    if (letter === 'w') await gate.promise
    return letter === 'v' ? { name: 'infected', threat: 'Win.Test:EICAR OK' } : { name: 'clean' }
  }
  const protocol = createClamdProtocol({
    gateway: { scan, problem: async () => problem },
    version: () => VERSION,
    load: () => ({ queued: 0, max: 64 }),
    idleMs,
  })
  const sockets = new Set<Socket>()
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const gone = new AbortController()
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      gone.abort()
    })
    const state = { setBusy: () => {}, setIdle: () => {}, isRefused: false }
    protocol({ socket, listener, address: '127.0.0.1', gone: gone.signal, ...state })
  })
  server.listen(socketFile === null ? { port: 0, host: '127.0.0.1' } : { path: socketFile })
  await once(server, 'listening')
  return {
    target:
      socketFile === null ? { host: '127.0.0.1', port: (server.address() as AddressInfo).port } : { path: socketFile },
    sockets,
    events,
    gate,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

let running: Fixture
before(async () => {
  running = await start()
})
after(() => running.close())

const SESSION = 'zIDSESSION\0'
const hello = instream('hello').toString('latin1')

/** Everything that a connection gets, until the server closes it. */
const REPLIES: [sent: string, received: string][] = [
  ['zPING\0', 'PONG\0'],
  ['nPING\n', 'PONG\n'],
  ['nPING\r\n', 'PONG\n'],
  ['PING', 'PONG\n'],
  ['PING\n', 'PONG\n'],
  ['zVERSION\0', `${VERSION}\0`],
  ['nVERSION\n', `${VERSION}\n`],
  ['VERSION\n', `${VERSION}\n`],
  ['zVERSIONCOMMANDS\0', `${VERSION}| COMMANDS: ${COMMANDS}\0`],
  ['nVERSIONCOMMANDS\n', `${VERSION}| COMMANDS: ${COMMANDS}\n`],
  ['zSTATS\0', `${STATS}\0`],
  ['nSTATS\n', `${STATS}\n`],
  ['zRELOAD\0', 'RELOADING\0'],
  ['RELOAD\n', 'RELOADING\n'],
  ['zSHUTDOWN\0', 'COMMAND UNAVAILABLE\0'],
  ['SHUTDOWN\n', 'COMMAND UNAVAILABLE\n'],
  ['nQUIT\n', 'COMMAND UNAVAILABLE\n'],
  ['nSCAN /etc/passwd\n', `/etc/passwd: ${DENIED}\n`],
  ['SCAN /etc/passwd\n', `/etc/passwd: ${DENIED}\n`],
  ['zCONTSCAN /a b\0', `/a b: ${DENIED}\0`],
  ['zMULTISCAN /a\0', `/a: ${DENIED}\0`],
  ['zALLMATCHSCAN /a\0', `/a: ${DENIED}\0`],
  ['nSCAN \n', `: ${DENIED}\n`],
  ['zFILDES\0\0', 'No file descriptor received. ERROR\0'],
  ['nEND\n', 'UNKNOWN COMMAND\n'],
  ['zFOO\0', 'UNKNOWN COMMAND\0'],
  ['z\0', 'UNKNOWN COMMAND\0'],
  ['\n', 'UNKNOWN COMMAND\n'],
  ['STATS\n', 'UNKNOWN COMMAND\n'],
  ['INSTREAM\n', 'UNKNOWN COMMAND\n'],
  ['IDSESSION\n', 'UNKNOWN COMMAND\n'],
  ['VERSIONCOMMANDS\n', 'UNKNOWN COMMAND\n'],
  ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'UNKNOWN COMMAND\n'],
  [hello, 'stream: OK\0'],
  ['nINSTREAM\n\0\0\0\x05hello\0\0\0\0', 'stream: OK\n'],
  ['zINSTREAM\0\0\0\0\0', 'stream: OK\0'],
  [instream('virus').toString('latin1'), 'stream: Win.Test_EICAR_Ok FOUND\0'],
  [instream('large').toString('latin1'), 'INSTREAM size limit exceeded. ERROR\0'],
  [instream('down').toString('latin1'), 'stream: Service unavailable ERROR\0'],
  // A second command is never read.
  ['zPING\0zVERSION\0', 'PONG\0'],
  [`${SESSION}zEND\0`, ''],
  [`${SESSION}zPING\0nVERSION\nzSTATS\0zEND\0`, `1: PONG\x002: ${VERSION}\n3: ${STATS}\0`],
  [`${SESSION}zVERSIONCOMMANDS\0nEND\n`, `1: ${VERSION}| COMMANDS: ${COMMANDS}\0`],
  [`${SESSION}zSCAN /a\0zEND\0`, `1: /a: ${DENIED}\0`],
  [`${SESSION}zPING\0zRELOAD\0zPING\0`, `1: PONG\x002: ${INVALID}\0`],
  [`${SESSION}zFOO\0`, `1: ${INVALID}\0`],
  [`${SESSION}zIDSESSION\0`, `1: ${INVALID}\0`],
  [`${SESSION}zFILDES\0\0`, '1: No file descriptor received. ERROR\0'],
  [`${SESSION}${hello}zEND\0`, '1: stream: OK\0'],
]

describe('what is sent, and every byte that is received', () => {
  for (const [sent, received] of REPLIES) {
    test(`${JSON.stringify(sent)} in one packet`, async () => {
      assert.equal(await exchange(running.target, Buffer.from(sent, 'latin1')), received)
    })
    // Without a prefix and newline, a packet is a command: its beginnings would be other commands.
    if (/^(?:[zn]|PING|VERSION\n|RELOAD|SHUTDOWN)/.test(sent)) {
      test(`${JSON.stringify(sent)} byte by byte`, async () => {
        assert.equal(await exchange(running.target, Buffer.from(sent, 'latin1'), { byteByByte: true }), received)
      })
    }
  }

  test('PING is no PONG while a scan would not be accepted', async () => {
    const down = await start({ problem: 'Not available: embedded.' })
    assert.equal(await exchange(down.target, 'zPING\0'), 'Engine unavailable ERROR\0')
    await down.close()
  })
})

describe('a session', () => {
  test('gets short replies before those of scans that began earlier', async () => {
    const held = await start()
    const bytes = `${SESSION}${instream('wait').toString('latin1')}zPING\0${hello}zEND\0`
    const received = exchange(held.target, Buffer.from(bytes, 'latin1'))
    await until(() => held.events.length === 2)
    held.gate.resolve()
    assert.equal(await received, '2: PONG\x003: stream: OK\x001: stream: OK\0')
    await held.close()
  })

  test('that ends before its verdict still gets it, as Discourse sends it', async () => {
    const chunks = Array.from({ length: 5 }, (_, index) => chunk(Buffer.alloc(2_048, index === 0 ? 'virus' : 'x')))
    const sent = Buffer.concat([
      Buffer.from('zIDSESSION\0zINSTREAM\0'),
      ...chunks,
      END_OF_STREAM,
      Buffer.from('zEND\0'),
    ])
    assert.equal(await exchange(running.target, sent), '1: stream: Win.Test_EICAR_Ok FOUND\0')
    assert.equal(await exchange(running.target, 'zIDSESSION\0zPING\0zEND\0'), '1: PONG\0')
  })

  test('has at most so many scans at once, and all are answered', async () => {
    const held = await start()
    const count = SESSION_PENDING_MAX + 1
    const sent = `${SESSION}${instream('wait').toString('latin1').repeat(count)}zEND\0`
    const received = exchange(held.target, Buffer.from(sent, 'latin1'))
    await until(() => held.events.length === SESSION_PENDING_MAX)
    await sleep(50)
    assert.equal(held.events.length, SESSION_PENDING_MAX)
    held.gate.resolve()
    const numbers = (await received).split('\0').map((reply) => Number.parseInt(reply, 10))
    assert.deepEqual(
      numbers.filter(Boolean).sort((a, b) => a - b),
      Array.from({ length: count }, (_, at) => at + 1),
    )
    await held.close()
  })
})

describe('a stream', () => {
  test('without its end has no reply, and its scan is aborted', async () => {
    const cut = await start()
    const sent = Buffer.concat([Buffer.from('zINSTREAM\0'), chunk('hello')])
    assert.equal(await exchange(cut.target, sent, { end: true }), '')
    await until(() => cut.events.length === 1)
    assert.deepEqual(cut.events, ['aborted'])
    await cut.close()
  })

  test('of a client that sends no more after its end has a reply', async () => {
    assert.equal(await exchange(running.target, instream('hello'), { end: true }), 'stream: OK\0')
  })

  test('that is refused is read to its end, and only then answered', async () => {
    const { target } = running
    const socket = net.connect(target as net.TcpNetConnectOpts)
    let received = ''
    socket.setEncoding('latin1').on('data', (text) => {
      received += text
    })
    socket.write(Buffer.concat([Buffer.from('nINSTREAM\n'), chunk('large')]))
    const block = chunk(Buffer.alloc(1_048_576))
    for (let index = 0; index < 40; index++) if (!socket.write(block)) await once(socket, 'drain')
    await sleep(100)
    assert.equal(received, '', 'an answer before the end makes PHP clients reconnect and send the rest alone')
    socket.write(END_OF_STREAM)
    await once(socket, 'close')
    assert.equal(received, 'INSTREAM size limit exceeded. ERROR\n')
  })

  test('that fails is reset without a reply with failure=close', async () => {
    const closing = await start({ failure: 'close' })
    await assert.rejects(exchange(closing.target, instream('down')), { code: 'ECONNRESET' })
    await closing.close()
  })

  test('that fails is closed without a reply on a unix socket, which cannot be reset', async () => {
    const closing = await start({ failure: 'close', socketFile: path.join(temporaryFolder('protocol'), 'a.ctl') })
    assert.equal(await exchange(closing.target, instream('down')), '')
    await closing.close()
  })
})

describe('an idle connection', () => {
  test('is closed with a sentence, also if a command was begun', async () => {
    const short = await start({ idleMs: 50 })
    for (const sent of ['', 'nPI', 'zIDSESSION\0']) {
      assert.equal(await exchange(short.target, sent), 'COMMAND READ TIMED OUT\n')
    }
    await short.close()
  })

  test('is not extended by bytes of an incomplete command', async () => {
    const short = await start({ idleMs: 200 })
    const socket = net.connect(short.target as net.TcpNetConnectOpts)
    socket.on('error', () => {})
    const timer = setInterval(() => socket.write('n'), 20)
    await once(socket.resume(), 'end')
    clearInterval(timer)
    socket.destroy()
    await short.close()
  })
})

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    assert.ok(tries < 1_000, 'it did not happen')
    await sleep(10)
  }
}
