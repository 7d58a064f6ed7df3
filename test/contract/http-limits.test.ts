/** Slow and silent clients, and shutdown, with low limits. */

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
/** Limits that a test must not reach. */
const NEVER_MS = 60_000
const TEST_TIMEOUT = { timeout: 45_000 }

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
  const HEADERS = { ...LOW, requestTimeoutMs: NEVER_MS }
  const BODY = { ...LOW, headersTimeoutMs: LOW.requestTimeoutMs }
  const slow: Record<string, [string[], typeof LOW]> = {
    'a request line that never ends': [['GET /livez'], HEADERS],
    'headers that never end': [[`GET /livez HTTP/1.1\r\n${HOST}X-A: b`], HEADERS],
    'headers that trickle in': [[`GET /livez HTTP/1.1\r\n${HOST}`, ...Array(40).fill('X-A: b\r\n')], HEADERS],
    'a body that never arrives': [
      [`POST /api/v1/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n`],
      BODY,
    ],
    'a body that trickles in': [
      [
        `POST /api/v1/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n`,
        ...Array(40).fill(' '),
      ],
      BODY,
    ],
    'a chunk that never ends': [
      [
        `POST /api/v1/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{`,
      ],
      BODY,
    ],
  }
  for (const [what, [parts, limits]] of Object.entries(slow)) {
    test(`408 and close for ${what}`, TEST_TIMEOUT, async () => {
      await using app = await startApp(limits)
      const chunks = parts.map((part) => Buffer.from(part))
      const { responses, closed } = await send(app.port, chunks, { pauseMsBetweenChunks: 40 })
      assert.equal(responses.length, 1)
      const { detail } = assertProblem(responses[0], 408, 'request_timeout')
      assert.match(detail, limits === HEADERS ? /Headers must arrive within 0\.3 s/ : /the whole request within 0\.6 s/)
      assert.equal(responses[0]!.headers.connection, 'close')
      assert.equal(closed, true)
    })
  }

  test('a silent connection is closed', TEST_TIMEOUT, async () => {
    await using app = await startApp(LOW)
    const silent = await hold(app.port)
    await silent.closed
    assert.doesNotMatch(silent.text(), /^HTTP\/1\.1 2/)
  })

  test('an idle keep-alive connection is closed', async () => {
    await using app = await startApp({ ...LOW, keepAliveTimeoutMs: 100 })
    const kept = await hold(app.port, `GET /livez HTTP/1.1\r\n${HOST}\r\n`)
    await kept.closed
    assert.match(kept.text(), /^HTTP\/1\.1 200 /)
    assert.doesNotMatch(kept.text(), /408/)
  })

  test('other clients are served in the meantime', async () => {
    await using app = await startApp(LOW)
    const held = await Promise.all(Array.from({ length: 50 }, () => hold(app.port, 'GET /livez HT')))
    for (let i = 0; i < 20; i++) {
      assert.equal((await request(app.port, 'POST', '/api/v1/signup', { body: { email: newEmail() } })).status, 201)
    }
    await Promise.all(held.map(({ closed }) => closed))
  })
})

describe('shutdown', () => {
  const silent: Record<string, string> = {
    'that sends nothing': '',
    'that sends incomplete headers': `GET /livez HTTP/1.1\r\n${HOST}X-`,
    'that is idle after a response': `GET /livez HTTP/1.1\r\n${HOST}\r\n`,
  }
  for (const [what, bytes] of Object.entries(silent)) {
    test(`a client ${what} does not delay it beyond the grace period`, TEST_TIMEOUT, async () => {
      await using app = await startApp({ silentDrainMs: 300, drainTimeoutMs: NEVER_MS })
      const held = await hold(app.port, bytes)
      await sleep(100)
      await app.close()
      await held.closed
    })
  }

  test('an incomplete body delays it until the drain timeout', TEST_TIMEOUT, async () => {
    await using app = await startApp({ silentDrainMs: 50, drainTimeoutMs: 3_000 })
    const head = `POST /api/v1/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`
    const held = await hold(app.port, head)
    await sleep(100)
    const closing = app.close()
    await sleep(300)
    assert.equal(held.socket.destroyed, false, 'closed as if it were silent')
    await closing
    await held.closed
  })

  test('a request whose headers were incomplete when it began is served', async () => {
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
