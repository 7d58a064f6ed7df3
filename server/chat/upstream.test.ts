/** The client against a real chat completions service. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Behaviour, REPORTED_MODEL } from '#test/support/chat/behaviour.ts'
import { QUOTA } from '#test/support/chat/judge.ts'
import { CHAT_KEY, CHAT_MODEL, type ChatServer, startChatServer } from '#test/support/chat-server.ts'
import { quietLog } from '#test/support/seed.ts'
import { createUpstream, MODEL_NAME_LENGTH_MAX, type Upstream } from './upstream.ts'

const { messages } = QUOTA
const DEADLINE_MS = 400
const COMPLETION = '{"choices":[{"message":{"content":"a"}}]}'

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
