/** The client against a service that sends invalid responses or none. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Behaviour } from '#test/support/chat/behaviour.ts'
import { QUOTA } from '#test/support/chat/judge.ts'
import { CHAT_KEY, CHAT_MODEL, type ChatServer, startChatServer } from '#test/support/chat-server.ts'
import { quietLog } from '#test/support/seed.ts'
import { freePort } from '#test/support/service.ts'
import { createUpstream, RESPONSE_BYTES_MAX, type Upstream } from './upstream.ts'

const { messages } = QUOTA
const DEADLINE_MS = 400
const COMPLETION = '{"choices":[{"message":{"content":"a"}}]}'
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'

let peer: ChatServer
let upstream: Upstream
before(async () => {
  peer = await startChatServer()
  upstream = createUpstream({ url: peer.url, key: CHAT_KEY, model: CHAT_MODEL, deadlineMs: DEADLINE_MS })
})
after(async () => {
  upstream.close()
  await peer[Symbol.asyncDispose]()
})

async function complete(behaviour: Behaviour | Behaviour['kind']) {
  await peer.behave(behaviour)
  return await upstream.complete(messages, { log: quietLog })
}

describe('invalid response', () => {
  const FAILED: [Behaviour | Behaviour['kind'], string][] = [
    ['garbage', 'not a completion'],
    ['empty', 'an empty completion'],
    ['refuse', 'the model refused'],
    ['redirect', 'status 307'],
    ['compressed', 'a response that is compressed'],
    ['not UTF-8', 'a response that is not UTF-8'],
    ['endless', 'a response that is too large'],
    [{ kind: 'raw', bytes: 'SSH-2.0-OpenSSH_9.9\r\n' }, 'a response that is not HTTP'],
    [{ kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n' }, 'a response that is not HTTP'],
    [{ kind: 'raw', bytes: `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n` }, 'a response that is not HTTP'],
    [{ kind: 'raw', bytes: SWITCHING }, 'a response that is not HTTP'],
    [{ kind: 'body', body: `${COMPLETION} and more` }, 'not a completion'],
    ...[401, 403, 404, 429, 500, 503].map((status): [Behaviour, string] => [
      { kind: 'status', status },
      `status ${status}`,
    ]),
    ...['{}', '[]', 'null', '{"choices":[]}', '{"choices":{}}', '{"choices":[{"message":{"content":7}}]}'].map(
      (body): [Behaviour, string] => [{ kind: 'body', body }, 'not a completion'],
    ),
  ]
  for (const [behaviour, why] of FAILED) {
    test(`${JSON.stringify(behaviour).slice(0, 100)}: ${why}`, async () => {
      const found = await complete(behaviour)
      assert.deepEqual([found.kind, 'why' in found && found.why], ['failed', why])
      assert.equal((await peer.seen()).length, 1)
    })
  }

  test('a response of the maximum size is read, one more byte is too large', async () => {
    const body = (size: number) => COMPLETION + ' '.repeat(size - COMPLETION.length)
    assert.equal((await complete({ kind: 'body', body: body(RESPONSE_BYTES_MAX) })).kind, 'answered')
    const past = await complete({ kind: 'body', body: body(RESPONSE_BYTES_MAX + 1) })
    assert.deepEqual(past, { kind: 'failed', why: 'a response that is too large', status: null })
  })
})

describe('no response', () => {
  test('a broken connection is retried once', async () => {
    assert.equal((await complete('hang up once')).kind, 'answered')
    assert.equal((await peer.seen()).length, 2)
  })

  test('a service that hangs up is unreachable after two attempts', async () => {
    const found = await complete('hang up')
    assert.deepEqual([found.kind, 'didWork' in found && found.didWork], ['unreachable', false])
    assert.equal((await peer.seen()).length, 2)
  })

  const BEGUN: [string, Behaviour][] = [
    ['in the middle of its body', { kind: 'break off' }],
    ['after its headers', { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n' }],
    ['in the middle of its headers', { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\nContent-Le' }],
  ]
  for (const [where, behaviour] of BEGUN) {
    test(`a response that ends ${where} is not retried, because it would be paid twice`, async () => {
      const found = await complete(behaviour)
      assert.deepEqual([found.kind, 'didWork' in found && found.didWork], ['unreachable', true])
      assert.equal((await peer.seen()).length, 1)
    })
  }

  test('a closed port is unreachable', async () => {
    const nobody = createUpstream({ url: `http://127.0.0.1:${await freePort()}/v1`, key: null, model: 'm' })
    assert.deepEqual(await nobody.complete(messages, { log: quietLog }), {
      kind: 'unreachable',
      why: 'ECONNREFUSED',
      didWork: false,
    })
    nobody.close()
  })

  for (const how of ['stall', 'freeze'] as const) {
    test(`a service that does not answer (${how}) is unreachable at the deadline, without a retry`, async () => {
      await peer.behave(how === 'stall' ? 'stall' : 'faithful')
      if (how === 'freeze') peer.freeze()
      assert.deepEqual(await upstream.complete(messages, { log: quietLog }), {
        kind: 'unreachable',
        why: 'no answer in time',
        didWork: true,
      })
      peer.thaw()
      if (how === 'stall') assert.equal((await peer.seen()).length, 1)
    })
  }

  test('a client that disconnects ends the call', async () => {
    await peer.behave('stall')
    const gone = AbortSignal.timeout(50)
    const found = await upstream.complete(messages, { log: quietLog, gone })
    assert.ok(found.kind === 'abandoned' && found.silentMs > 0)
  })

  test('a client that disconnects during the response has not waited in silence', async () => {
    await peer.behave('stall midway')
    const gone = AbortSignal.timeout(200)
    const found = await upstream.complete(messages, { log: quietLog, gone })
    assert.deepEqual(found, { kind: 'abandoned', silentMs: 0 })
  })
})
