/** Health and suggestions of the assistant, with and without a language model. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { loadArticles } from '#chat/articles.ts'
import { ask, REFUSAL, replyOf } from '#test/support/chat-client.ts'
import { CHAT_MODEL, type ChatServer, chatSettings, startChatServer } from '#test/support/chat-server.ts'
import { assertFields } from '#test/support/client.ts'
import { assertApiHeaders, assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'

let peer: ChatServer
let service: Service
/** Without a configured assistant. */
let bare: Service
before(async () => {
  peer = await startChatServer()
  ;[service, bare] = await Promise.all([
    startService({ ...chatSettings(peer), DOCVET_CHAT_PER_DAY: '2000' }),
    startService(),
  ])
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await bare[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
})

const QUESTION = 'How is my quota counted?'
const get = (port: number, path: string) => request(port, 'GET', path)

describe('health', () => {
  const path = '/api/v1/chat/health'

  test('200 UP with the configured model and no other fields, without a model call', async () => {
    await peer.behave('faithful')
    const answer = await get(service.port, path)
    assert.equal(answer.status, 200)
    assertApiHeaders(answer)
    assert.deepEqual(answer.json(), { status: 'UP', configured: true, enabled: true, model: CHAT_MODEL })
    assert.deepEqual(await peer.seen(), [])
  })

  test('200 DOWN if the assistant is not configured', async () => {
    const answer = await get(bare.port, path)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json(), { status: 'DOWN', configured: false, enabled: true, model: null })
  })

  test('200 DOWN if it is switched off or the model is missing', async () => {
    const off = await startService({ ...chatSettings(peer), DOCVET_CHAT_ENABLED: 'false' })
    assert.deepEqual((await get(off.port, path)).json(), {
      status: 'DOWN',
      configured: true,
      enabled: false,
      model: CHAT_MODEL,
    })
    assertProblem(await ask(off.port, QUESTION), 503, 'chat_unavailable')
    assert.ok(((await get(off.port, '/api/v1/chat/suggestions')).json() as unknown[]).length >= 8)
    await off[Symbol.asyncDispose]()
    await using half = await startService({ DOCVET_CHAT_URL: peer.url })
    assert.deepEqual((await get(half.port, path)).json(), {
      status: 'DOWN',
      configured: false,
      enabled: true,
      model: null,
    })
  })

  test('503 for a question if the assistant is not configured', async () => {
    const { detail } = assertProblem(await ask(bare.port, QUESTION), 503, 'chat_unavailable')
    assert.match(detail, /not set up/)
  })
})

test('a question without a configured assistant is logged, and not as an error', async () => {
  await using own = await startService()
  assertProblem(await ask(own.port, QUESTION), 503, 'chat_unavailable')
  await own.stop()
  assert.match(own.output(), /"path":"\/api\/v1\/chat","status":503/)
  assert.doesNotMatch(own.output(), /"level":"error"|"stack"/)
})

describe('suggestions', () => {
  interface Suggestion {
    id: string
    question: string
    answer: string
  }
  const suggestions = async (port: number) => {
    const answer = await get(port, '/api/v1/chat/suggestions')
    assert.equal(answer.status, 200)
    assertApiHeaders(answer)
    return answer.json() as Suggestion[]
  }

  test('200 with at least eight, with id, question and answer and no other fields', async () => {
    await peer.behave('faithful')
    const found = await suggestions(service.port)
    assert.ok(found.length >= 8)
    for (const each of found) assertFields(each, { id: /^[a-z][a-z-]+$/, question: /\?$/, answer: /^.{40,}$/ })
    assert.deepEqual(await peer.seen(), [])
  })

  test('keep their ids', async () => {
    const ids = (await suggestions(service.port)).map(({ id }) => id)
    for (const id of ['scan-a-document', 'verdict', 'formats', 'privacy', 'plans', 'quota', 'rate-limit', 'keys'])
      assert.ok(ids.includes(id), id)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('are the same without any configuration, except for the URL in them', async () => {
    const here = JSON.stringify(await suggestions(service.port)).replaceAll(service.url, 'URL')
    assert.equal(JSON.stringify(await suggestions(bare.port)).replaceAll(bare.url, 'URL'), here)
  })

  test('contain only URLs that exist, like all articles', async () => {
    const text = [...loadArticles().map(({ body }) => body), JSON.stringify(await suggestions(service.port))].join('\n')
    const paths = text.replaceAll(service.url, '{{url}}').matchAll(/\{\{url\}\}(\/[\w/-]*\w)/g)
    const found = new Set(Array.from(paths, ([, path = '']) => path))
    assert.ok(found.size >= 15)
    for (const path of found) assert.notEqual((await get(service.port, path)).status, 404, path)
  })

  test('have questions that the assistant answers', async () => {
    await peer.behave('faithful')
    for (const { question } of await suggestions(service.port)) {
      assert.doesNotMatch(replyOf(await ask(service.port, question)), REFUSAL, question)
    }
  })
})

describe('answers without a language model, for the dashboard', () => {
  const lookUp = async (question: string, port = bare.port) => {
    const answer = await get(port, `/dashboard/answer?question=${encodeURIComponent(question)}`)
    assert.equal(answer.status, 200, answer.body)
    return (answer.json() as { reply: string }).reply
  }

  const FOUND: [question: string, reply: RegExp][] = [
    ['Hello', /^Hello! I am an automated assistant/],
    ['thanks!', /^Hello! I am an automated assistant/],
    ['How do I call it from PHP?', /CURLFile/],
    ['delete everything about me', /settings of the dashboard/],
    ['what does 422 mean', /password/],
    ['what does it cost', /`free`/],
    ['how many scans are left', /quota/i],
    ['I opened it already', /^Disconnect the computer from the network now/],
    ['where is my mail', /spam folder/],
    ['is my file safe', /page \/scan of the dashboard/],
    ['it says infected, what should I do?', /^Delete it without opening/],
    ['who allowed this', /\/allowed/],
    ['why was it not scanned', /\/history/],
    ['my account was hacked', /^Change the password/],
    ['What does Docvet.Embedded.Shortcut mean?', /Docvet\.Embedded\.Shortcut/],
    ['Who wins the world cup?', REFUSAL],
    ['Is invoice.pdf clean?', /Only a scan gives a verdict/],
  ]
  for (const [question, reply] of FOUND)
    test(question, async () => {
      assert.match(await lookUp(question), reply)
    })

  test('the same with a model, which is not asked', async () => {
    await peer.behave('faithful')
    assert.match(await lookUp('How is my quota counted?', service.port), /quota/i)
    assert.deepEqual(await peer.seen(), [])
  })

  test('400 without a question, and for one that is too long', async () => {
    assert.equal((await get(bare.port, `/dashboard/answer?question=${'a'.repeat(1_000)}`)).status, 200)
    for (const query of ['', '?question=', `?question=${'a'.repeat(1_001)}`, '?question=%E2%80%8B', '?q=x'])
      assert.equal((await get(bare.port, `/dashboard/answer${query}`)).status, 400, query)
  })
})

test('the dashboard reads what it may offer', async () => {
  const answer = await get(bare.port, '/dashboard/settings')
  const { plans, version, ...rest } = answer.json() as { plans: { name: string }[]; version: string }
  assert.deepEqual(rest, {
    ...{
      signup: 'open',
      passwords: true,
      passkeys: false,
      providers: [],
      hasMailServer: false,
      marketplace: 'sandbox',
      defaultPlan: 'free',
      contact: null,
    },
  })
  assert.match(version, /^\d+\.\d+\.\d+$/)
  assert.deepEqual(plans[0], { name: 'free', scansPerMonth: 500, keysPerMonth: 5, scansPerSecond: 1, burst: 10 })
})
