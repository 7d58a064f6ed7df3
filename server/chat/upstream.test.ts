/** The client against a real HTTP service that behaves well and badly. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Behaviour, REPORTED_MODEL } from '#test/support/chat/behaviour.ts'
import { FACTS } from '#test/support/chat/facts.ts'
import { CHAT_KEY, CHAT_MODEL, type ChatServer, startChatServer } from '#test/support/chat-server.ts'
import { quietLog } from '#test/support/seed.ts'
import { freePort } from '#test/support/service.ts'
import { loadArticles } from './articles.ts'
import { placeholdersOf } from './facts.ts'
import { buildPrompt } from './prompt.ts'
import { createUpstream, MODEL_NAME_LENGTH_MAX, RESPONSE_BYTES_MAX, type Upstream } from './upstream.ts'

const { messages } = buildPrompt(
  { question: 'How is the quota counted?', earlier: [] },
  loadArticles().filter(({ id }) => id === 'quota'),
  placeholdersOf(FACTS),
  '0f1e2d3c4b5a69788796a5b4',
)
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

describe('a completion', () => {
  test('is requested at the right path, with key, model and a token limit', async () => {
    await complete('faithful')
    const [request] = await peer.seen()
    assert.equal(request?.path, '/v1/chat/completions')
    assert.equal(request?.headers.authorization, `Bearer ${CHAT_KEY}`)
    const { model, stream, response_format, temperature, max_tokens } = JSON.parse(request?.body ?? '')
    assert.deepEqual(
      { model, stream, response_format, temperature, max_tokens },
      { model: CHAT_MODEL, stream: false, response_format: { type: 'json_object' }, temperature: 0, max_tokens: 2_000 },
    )
  })

  test('has the model name that the service reports, or else the configured one', async () => {
    const found = await complete('faithful')
    assert.equal(found.kind === 'answered' && found.model, REPORTED_MODEL)
    const silent = await complete('no model')
    assert.equal(silent.kind === 'answered' && silent.model, CHAT_MODEL)
  })

  test('has a model name that is truncated and sanitised', async () => {
    const named = async (model: unknown) => {
      const found = await complete({ kind: 'body', body: JSON.stringify({ ...JSON.parse(COMPLETION), model }) })
      return found.kind === 'answered' && found.model
    }
    const longest = 'm'.repeat(MODEL_NAME_LENGTH_MAX)
    assert.equal(await named(longest), longest)
    assert.equal(await named(`${longest}n`), longest)
    assert.equal(await named(' a\u0000b\r\n\u202ec\u00e9 '), 'abc')
    assert.equal(await named('vendor/m-1.5:8b@v2+q4'), 'vendor/m-1.5:8b@v2+q4')
    assert.equal(await named('<img src=x onerror=alert(1)>'), 'img srcx onerroralert1')
    for (const nothing of ['', ' ', '\u200b', 7, null]) assert.equal(await named(nothing), CHAT_MODEL)
  })

  test('may have the content encoding identity, in any spelling', async () => {
    for (const encoding of ['identity', 'Identity', ' IDENTITY ', '', ' ']) {
      const headers = { 'content-encoding': encoding }
      assert.equal((await complete({ kind: 'body', body: COMPLETION, headers })).kind, 'answered', encoding)
    }
  })

  test('fails if it contains a refusal, unless that is empty', async () => {
    const body = (refusal: string) => JSON.stringify({ choices: [{ message: { content: 'a', refusal } }] })
    assert.equal((await complete({ kind: 'body', body: body('') })).kind, 'answered')
    assert.equal((await complete({ kind: 'body', body: body('No.') })).kind, 'failed')
  })

  test('needs no key', async () => {
    await peer.behave('faithful')
    const open = createUpstream({ url: peer.url, key: null, model: CHAT_MODEL })
    assert.equal((await open.complete(messages, { log: quietLog })).kind, 'answered')
    open.close()
    assert.equal((await peer.seen())[0]?.headers.authorization, undefined)
  })

  test('is requested without rejected options from then on, but always with a token limit', async () => {
    await peer.behave({ kind: 'picky', fields: ['max_tokens', 'response_format'] })
    const warned: unknown[] = []
    const log = { ...quietLog, warn: (...words: unknown[]) => warned.push(words) }
    const fresh = createUpstream({ url: peer.url, key: null, model: CHAT_MODEL })
    assert.equal((await fresh.complete(messages, { log })).kind, 'answered')
    assert.equal((await peer.seen()).length, 3)
    assert.equal((await fresh.complete(messages, { log })).kind, 'answered')
    const seen = await peer.seen()
    assert.equal(seen.length, 4)
    const { temperature, max_completion_tokens, ...last } = JSON.parse(seen.at(-1)?.body ?? '')
    assert.deepEqual({ temperature, max_completion_tokens }, { temperature: 0, max_completion_tokens: 2_000 })
    assert.ok(!('max_tokens' in last) && !('response_format' in last))
    assert.equal(warned.length, 2)
    fresh.close()
  })

  test('fails if the service accepts no token limit', async () => {
    await peer.behave({ kind: 'picky', fields: ['max_tokens', 'max_completion_tokens'] })
    const fresh = createUpstream({ url: peer.url, key: null, model: CHAT_MODEL })
    assert.deepEqual(await fresh.complete(messages, { log: quietLog }), {
      kind: 'failed',
      why: 'status 400',
      status: 400,
    })
    assert.equal((await peer.seen()).length, 2)
    fresh.close()
  })

  const NAMED: [boolean, object | string][] = [
    [true, { message: 'No.', param: 'temperature' }],
    [true, { message: 'No.', param: null, code: 'temperature' }],
    [true, { message: 'Unrecognized request argument supplied: temperature' }],
    [true, 'unknown field "temperature"'],
    [false, { message: 'The temperature of the room is too high.' }],
    [false, { message: 'Your prompt {"temperature":0,"response_format":1} was flagged.' }],
    [false, { message: 'Context too long: reduce max_tokens or the length of messages.' }],
  ]
  for (const [isLeftOut, error] of NAMED) {
    test(`${isLeftOut ? 'omits' : 'keeps'} an option after ${JSON.stringify(error)}`, async () => {
      await peer.behave({ kind: 'complain', body: JSON.stringify({ error }) })
      const fresh = createUpstream({ url: peer.url, key: null, model: CHAT_MODEL })
      await fresh.complete(messages, { log: quietLog })
      const seen = (await peer.seen()).map(({ body }) => 'temperature' in JSON.parse(body))
      assert.deepEqual(seen, isLeftOut ? [true, false] : [true])
      fresh.close()
    })
  }

  test('is not requested again if the service rejects a required field', async () => {
    assert.deepEqual(await complete({ kind: 'picky', fields: ['model'] }), {
      kind: 'failed',
      why: 'status 400',
      status: 400,
    })
    assert.equal((await peer.seen()).length, 1)
  })
})

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
