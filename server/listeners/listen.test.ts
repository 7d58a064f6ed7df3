/** Listening itself, with a protocol that repeats what it receives: sockets, TLS, networks, counting and shutdown. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import net, { type Socket } from 'node:net'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import tls from 'node:tls'
import { makeCertificate } from '#test/support/certificate.ts'
import { exchange } from '#test/support/clamd-wire.ts'
import { quietLog } from '#test/support/seed.ts'
import { freePort, temporaryFolder } from '#test/support/service.ts'
import { type Connection, type ConnectionCounter, type ListenOptions, startListeners } from './listen.ts'
import { parseListeners } from './specification.ts'

const KEY = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'
const folder = temporaryFolder('listen')
after(() => rmSync(folder, { recursive: true, force: true }))

function parsed(text: string) {
  const result = parseListeners('clamd', text.replaceAll('KEY', KEY))
  assert.ok('value' in result, 'wrong' in result ? result.wrong : '')
  return result.value
}

/** Repeats a line and closes; a line `hold` is busy until `release`. */
function start(
  text: string,
  { admit = 'open', ...more }: { admit?: ReturnType<ConnectionCounter['admit']> } & Partial<ListenOptions> = {},
) {
  const seen = { connections: [] as Connection[], busy: [] as Socket[], idle: [] as Socket[] }
  const closing = new Map<Socket, (socket: Socket) => void>()
  const options: ListenOptions = {
    listeners: parsed(text),
    protocols: {
      clamd(connection) {
        seen.connections.push(connection)
        const { socket, isRefused } = connection
        socket.on('data', (data) => {
          connection.setBusy()
          if (data.toString() !== 'hold') socket.end(`${isRefused ? 'refused ' : ''}${data}`)
        })
      },
    },
    farewell: () => 'farewell',
    connections: {
      perAddress: 10,
      admit(socket, close) {
        if (admit === 'closed') close(socket)
        closing.set(socket, close)
        return admit
      },
      setBusy: (socket) => void seen.busy.push(socket),
      setIdle: (socket) => void seen.idle.push(socket),
    },
    addressBlock: (address) => `block ${address}`,
    isShared: false,
    backlog: 10,
    log: quietLog,
    ...more,
  }
  return { seen, closing, started: startListeners(options) }
}

/** A socket file whose process was killed. */
function leaveSocket(file: string): void {
  const crash = `require('net').createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', crash])
  assert.ok(statSync(file).isSocket())
}

describe('a unix socket', () => {
  test('replaces the file of a dead process, and has its mode and group', async () => {
    const file = path.join(folder, 'dead.ctl')
    leaveSocket(file)
    const { seen, started } = start(`unix:${file}?key=KEY&mode=0620&group=${process.getgid?.()}`)
    const listening = await started
    assert.equal(await exchange({ path: file }, 'hello'), 'hello')
    assert.deepEqual([statSync(file).mode & 0o777, statSync(file).gid], [0o620, process.getgid?.()])
    assert.equal(seen.connections[0]?.address, 'unix')
    await listening.close()
    assert.throws(() => statSync(file), /ENOENT/)
  })

  test('is for the user and group of the service unless it has a mode', async () => {
    const file = path.join(folder, 'plain.ctl')
    const listening = await start(`unix:${file}?key=KEY`).started
    assert.equal(statSync(file).mode & 0o777, 0o660)
    await listening.close()
  })

  test('leaves the file of a living process alone', async () => {
    const file = path.join(folder, 'alive.ctl')
    const listening = await start(`unix:${file}?key=KEY`).started
    await assert.rejects(start(`unix:${file}?key=KEY`).started, /the listener unix:\S+ cannot be used: .*EADDRINUSE/)
    assert.equal(await exchange({ path: file }, 'hello'), 'hello')
    await listening.close()
  })

  test('never replaces a file that is no socket', async () => {
    const file = path.join(folder, 'letter.txt')
    writeFileSync(file, 'Good morning')
    await assert.rejects(start(`unix:${file}?key=KEY`).started, /cannot be used/)
    assert.ok(statSync(file).isFile())
  })

  test('refuses a group that does not exist', async () => {
    const file = path.join(folder, 'group.ctl')
    await assert.rejects(start(`unix:${file}?key=KEY&group=no-such-group`).started, /no group named no-such-group/)
  })
})

describe('a TCP listener', () => {
  test('serves clients of its networks, and sends others away', async () => {
    const [open, closed] = [await freePort(), await freePort()]
    const { seen, started } = start(
      `tcp://127.0.0.1:${open}?key=KEY&from=127.0.0.0/8,tcp://0.0.0.0:${closed}?key=KEY&from=10.0.0.0/8,fd00::/8`,
    )
    const listening = await started
    assert.equal(await exchange({ host: '127.0.0.1', port: open }, 'hello'), 'hello')
    assert.equal(seen.connections[0]?.address, 'block 127.0.0.1')
    assert.equal(await greeting(closed), 'farewell')
    assert.equal(seen.connections.length, 1)
    await listening.close()
  })

  test('speaks TLS', async () => {
    const { cert, key } = makeCertificate()
    const [certFile, keyFile, port] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem'), await freePort()]
    writeFileSync(certFile, cert)
    writeFileSync(keyFile, key)
    const listening = await start(`tcp://127.0.0.1:${port}?key=KEY&tls=${certFile},${keyFile}`).started
    const socket = tls.connect({ host: '127.0.0.1', port, ca: cert, servername: 'localhost' })
    socket.write('hello')
    const [data] = await once(socket, 'data')
    assert.equal(String(data), 'hello')
    // Without TLS, there is no handshake and no service.
    const plain = await exchange({ host: '127.0.0.1', port }, 'hello, without a handshake').catch(({ code }) => code)
    assert.ok(!String(plain).includes('hello'))
    await listening.close()
  })

  test('says which listener cannot be used', async () => {
    const port = await freePort()
    const other = net.createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    await assert.rejects(
      start(`tcp://127.0.0.1:${port}?key=KEY`).started,
      /the listener tcp:\/\/127\.0\.0\.1:\d+ cannot be used/,
    )
    other.close()
  })
})

describe('connections', () => {
  test('are counted while they are open, also by others', async () => {
    const port = await freePort()
    const { seen, started } = start(`tcp://127.0.0.1:${port}?key=KEY`)
    const listening = await started
    const socket = net.connect(port, '127.0.0.1')
    socket.write('hold')
    await until(() => seen.busy.length === 1)
    assert.deepEqual(
      listening.stats().map(({ connections }) => connections),
      [1],
    )
    socket.resetAndDestroy()
    await until(() => listening.stats()[0]?.connections === 0)
    assert.ok(seen.connections[0]?.gone.aborted)
    await listening.close()
  })

  test('above the limit of their address are answered, but not served', async () => {
    const port = await freePort()
    const listening = await start(`tcp://127.0.0.1:${port}?key=KEY`, { admit: 'refused' }).started
    assert.equal(await exchange({ host: '127.0.0.1', port }, 'hello'), 'refused hello')
    await listening.close()
  })

  test('that are closed for others get the reply of a failure, because some clients take silence for clean', async () => {
    const [port, crowded] = [await freePort(), await freePort()]
    const { closing, started } = start(`tcp://127.0.0.1:${port}?key=KEY`)
    const listening = [await started, await start(`tcp://127.0.0.1:${crowded}?key=KEY`, { admit: 'closed' }).started]
    assert.equal(await greeting(crowded), 'farewell')
    const silent = greeting(port)
    await until(() => closing.size === 1)
    for (const [socket, close] of closing) close(socket)
    assert.equal(await silent, 'farewell')
    for (const each of listening) await each.close()
  })
})

/** The reply to a client that sends nothing. */
async function greeting(port: number): Promise<string> {
  let text = ''
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8')
  socket.on('data', (piece) => {
    text += piece
  })
  await once(socket, 'close')
  return text
}

describe('on shutdown', () => {
  test('idle connections are closed, busy ones finish, and none is accepted', async () => {
    const port = await freePort()
    const { seen, started } = start(`tcp://127.0.0.1:${port}?key=KEY`)
    const listening = await started
    const [idle, busy] = [greeting(port), net.connect(port, '127.0.0.1')]
    busy.write('hold')
    await until(() => seen.busy.length === 1 && seen.connections.length === 2)
    const closed = listening.close()
    assert.equal(await idle, 'farewell')
    await assert.rejects(exchange({ host: '127.0.0.1', port }, 'hello'), { code: 'ECONNREFUSED' })
    seen.connections.find(({ socket }) => socket === seen.busy[0])?.setIdle()
    await once(busy.resume(), 'end')
    await closed
  })

  test('busy ones are reset after a while, because some clients take an orderly end for clean', async () => {
    const port = await freePort()
    const { seen, started } = start(`tcp://127.0.0.1:${port}?key=KEY`, { drainMs: 50 })
    const listening = await started
    const busy = net.connect(port, '127.0.0.1')
    const ended = once(busy.resume(), 'error')
    busy.write('hold')
    await until(() => seen.busy.length === 1)
    await listening.close()
    await until(() => seen.connections[0]?.gone.aborted === true)
    assert.equal(((await ended)[0] as NodeJS.ErrnoException).code, 'ECONNRESET')
  })
})

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    assert.ok(tries < 1_000, 'it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
