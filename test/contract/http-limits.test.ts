/** Slow, silent and too many clients, and shutdown; with low limits. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '#test/support/app.ts'
import { newEmail } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request, send } from '#test/support/raw-http.ts'

const HOST = 'Host: docvet.test\r\n'
const LOW = { headersTimeoutMs: 300, requestTimeoutMs: 600, checkTimeoutsEveryMs: 50 }

interface Held {
  socket: net.Socket
  closed: Promise<unknown>
  text(): string
}

async function hold(port: number, bytes = ''): Promise<Held> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {})
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  if (bytes) socket.write(bytes)
  return { socket, closed, text: () => text }
}

describe('slow clients', () => {
  const slow: Record<string, string[]> = {
    'a request line that never ends': ['GET /livez'],
    'headers that never end': [`GET /livez HTTP/1.1\r\n${HOST}X-A: b`],
    'headers that trickle in': [`GET /livez HTTP/1.1\r\n${HOST}`, ...Array(40).fill('X-A: b\r\n')],
    'a body that never comes': [
      `POST /api/v1/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n`,
    ],
    'a body that trickles in': [
      `POST /api/v1/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n`,
      ...Array(40).fill(' '),
    ],
    'a chunk that never ends': [
      `POST /api/v1/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{`,
    ],
  }
  for (const [what, parts] of Object.entries(slow)) {
    test(`408 and close for ${what}`, async () => {
      await using app = await startApp(LOW)
      const chunks = parts.map((part) => Buffer.from(part))
      const { responses, closed } = await send(app.port, chunks, { pauseMsBetweenChunks: 40 })
      assert.equal(responses.length, 1)
      const { detail } = assertProblem(responses[0], 408, 'request_timeout')
      assert.match(detail, /Headers must arrive within 0\.3 s, the whole request within 0\.6 s/)
      assert.equal(responses[0]!.headers.connection, 'close')
      assert.equal(closed, true)
    })
  }

  test('a connection that says nothing is closed too', async () => {
    await using app = await startApp(LOW)
    const silent = await hold(app.port)
    await silent.closed
  })

  test('a connection that is kept after an answer is closed when it stays idle', async () => {
    await using app = await startApp({ ...LOW, keepAliveTimeoutMs: 100 })
    const kept = await hold(app.port, `GET /livez HTTP/1.1\r\n${HOST}\r\n`)
    await kept.closed
    assert.match(kept.text(), /^HTTP\/1\.1 200 /)
    assert.doesNotMatch(kept.text(), /408/)
  })

  test('others are served meanwhile, and a fast body is not cut', async () => {
    await using app = await startApp(LOW)
    const held = await Promise.all(Array.from({ length: 50 }, () => hold(app.port, 'GET /livez HT')))
    for (let i = 0; i < 20; i++) {
      assert.equal((await request(app.port, 'POST', '/api/v1/signup', { body: { email: newEmail() } })).status, 201)
    }
    await Promise.all(held.map(({ closed }) => closed))
  })
})

describe('too many connections', () => {
  test('those past the cap are closed at once; established ones are served; a freed place can be taken', async () => {
    await using app = await startApp({ connectionsMax: 20 })
    const held = await Promise.all(Array.from({ length: 20 }, () => hold(app.port)))
    const surplus = await Promise.all(Array.from({ length: 30 }, () => hold(app.port)))
    await Promise.all(surplus.map(({ closed }) => closed))
    for (const { text } of surplus) assert.equal(text(), '')

    const [established, leaving] = held as [Held, Held]
    established.socket.write(`GET /livez HTTP/1.1\r\n${HOST}\r\n`)
    await once(established.socket, 'data')
    assert.match(established.text(), /^HTTP\/1\.1 200 /)

    leaving.socket.destroy()
    await leaving.closed
    let status = 0
    for (let i = 0; i < 50 && status !== 200; i++) {
      status = await request(app.port, 'GET', '/livez').then(
        (answer) => answer.status,
        () => 0,
      )
      if (status !== 200) await sleep(20)
    }
    assert.equal(status, 200)
    for (const { socket } of held) socket.destroy()
  })
})

describe('stopping', () => {
  const silent: Record<string, string> = {
    'that never says anything': '',
    'that stops in the middle of its headers': `GET /livez HTTP/1.1\r\n${HOST}X-`,
    'that is idle after an answer': `GET /livez HTTP/1.1\r\n${HOST}\r\n`,
  }
  for (const [what, bytes] of Object.entries(silent)) {
    test(`a client ${what} does not prevent the end`, async () => {
      await using app = await startApp({ silentDrainMs: 300 })
      const held = await hold(app.port, bytes)
      await sleep(100)
      await app.close()
      await held.closed
    })
  }

  test('a body that stops in the middle does not prevent the end', async () => {
    await using app = await startApp({ silentDrainMs: 50, drainTimeoutMs: 600 })
    const head = `POST /api/v1/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`
    const held = await hold(app.port, head)
    await sleep(100)
    await app.close()
    await held.closed
  })

  test('headers that were on their way when it began are still answered', async () => {
    await using app = await startApp()
    const held = await hold(app.port, `GET /livez HTTP/1.1\r\n${HOST}X-A: `)
    await sleep(100)
    const closing = app.close()
    await sleep(100)
    held.socket.write('b\r\n\r\n')
    await held.closed
    assert.match(held.text(), /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
    await closing
  })
})
