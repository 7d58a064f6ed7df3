/** Limits on the cost of the assistant: rates, daily limit, concurrency, disconnected clients, unreachable upstream. */

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, askFrom, from, postChat, REFUSAL, replyOf, TRUSTING, user } from '#test/support/chat-client.ts'
import { type ChatServer, chatSettings, startChatServer } from '#test/support/chat-server.ts'
import { rawRequest, signUp } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { freePort, type Service, startService } from '#test/support/service.ts'

let peer: ChatServer
let service: Service
before(async () => {
  peer = await startChatServer()
  service = await startService({ ...chatSettings(peer), ...TRUSTING })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
})

const QUESTION = 'How is my quota counted?'
const DAY_MS = 24 * 60 * 60 * 1_000
const get = (port: number, path: string) => request(port, 'GET', path)

describe('limits on cost', () => {
  test('429 over a third of the rate, per address and per account, for questions only', async () => {
    const low = { ...TRUSTING, DOCVET_ADDRESS_RATE_PER_MINUTE: '9' }
    await using limited = await startService({ ...chatSettings(peer), ...low })
    await peer.behave('faithful')
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(limited.port, QUESTION)))
    const granted = answers.filter(({ status }) => status === 200)
    assert.equal(granted.length, 3)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assertProblem(answer, 429, 'rate_limited')
      assert.equal(answer.headers['ratelimit-policy'], '"chat";q=3;w=60')
    }
    assert.equal((await peer.seen()).length, 3)
    assert.equal((await get(limited.port, '/api/v1/chat/suggestions')).status, 200)

    // An account is limited over all its addresses; without it the address has its own limit.
    const { apiKey } = await signUp(limited.port)
    const withKey = (address: number) =>
      postChat(limited.port, { messages: [user(QUESTION)] }, { ...from(address), 'x-api-key': apiKey })
    for (let i = 1; i <= 3; i++) assert.equal((await withKey(i)).status, 200)
    assertProblem(await withKey(4), 429, 'rate_limited')
    assert.equal((await askFrom(limited.port, 4, QUESTION)).status, 200)
  })

  test('503 over the daily limit of all replicas, and 429 over the tenth of it for one caller', async () => {
    await peer.behave('faithful')
    // Two replicas on the same database share the count.
    const { dataDir } = service
    const perDay = 11
    const shareOfOne = 2
    const tight = { ...chatSettings(peer), ...TRUSTING, DOCVET_CHAT_PER_DAY: String(perDay) }
    const replicas = await Promise.all([startService(tight, { dataDir }), startService(tight, { dataDir })])
    await using first = replicas[0]
    await using second = replicas[1]
    for (let i = 0; i < shareOfOne; i++) replyOf(await askFrom(first.port, 1, QUESTION))
    const past = await askFrom(first.port, 1, QUESTION)
    assertProblem(past, 429, 'rate_limited')
    // The day is the UTC day, so how long is left depends on when the test runs.
    const untilMidnight = (DAY_MS - (Date.now() % DAY_MS)) / 1_000
    assert.ok(Math.abs(Number(past.headers['retry-after']) - untilMidnight) < 60, past.headers['retry-after'])
    // Questions without a model call do not count.
    assert.match(replyOf(await askFrom(first.port, 1, 'What is the capital of France?')), REFUSAL)
    assert.equal((await peer.seen()).length, shareOfOne)
    const { apiKey } = await signUp(first.port)
    const withKey = (address: number) =>
      postChat(first.port, { messages: [user(QUESTION)] }, { ...from(address), 'x-api-key': apiKey })
    for (let i = 0; i < shareOfOne; i++) replyOf(await withKey(50 + i))
    assertProblem(await withKey(59), 429, 'rate_limited')

    const database = new DatabaseSync(`${dataDir}/docvet.sqlite`, { readOnly: true })
    const counted = () => (database.prepare('select requests from chat_days').get() as { requests: number }).requests
    const left = perDay - counted()
    assert.ok(left > 0)
    const ports = Array.from({ length: left + 3 }, (_, index) => (index % 2 ? first : second).port)
    const answers = await Promise.all(ports.map((port, index) => askFrom(port, 10 + index, QUESTION)))
    assert.equal(answers.filter(({ status }) => status === 200).length, left)
    const refused = answers.find(({ status }) => status !== 200)
    assertProblem(refused, 503, 'chat_unavailable')
    assert.ok(Number(refused?.headers['retry-after']) <= 86_400)
    assert.equal((await peer.seen()).length, 2 * shareOfOne + left)
    assert.equal(counted(), perDay)
    assert.match(replyOf(await askFrom(first.port, 30, 'What is the capital of France?')), REFUSAL)
    // Each replica learns it from its own last question.
    assertProblem(await askFrom(first.port, 31, QUESTION), 503, 'chat_unavailable')
    const health = (await get(first.port, '/api/v1/chat/health')).json() as { status: string }
    assert.equal(health.status, 'DOWN')
    database.close()
  })
})

describe('a client that disconnects', () => {
  test('releases its slots for other questions', async () => {
    await peer.behave('stall')
    const body = JSON.stringify({ messages: [user(QUESTION)] })
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const sockets = Array.from({ length: 16 }, () => connect(service.port, '127.0.0.1'))
    for (const [index, socket] of sockets.entries()) {
      const address = `X-Forwarded-For: 203.0.113.${Math.floor(index / 3)}`
      socket.write(rawRequest('POST /api/v1/chat', [...lines, address], body))
    }
    while ((await peer.seen()).length < 16) await sleep(20)
    assertProblem(await ask(service.port, QUESTION), 503, 'chat_unavailable')
    assertProblem(await askFrom(service.port, 0, QUESTION), 429, 'rate_limited')
    for (const socket of sockets) socket.destroy()
    await peer.behave('faithful')
    const deadline = Date.now() + 30_000
    let answer = await askFrom(service.port, 0, QUESTION)
    while (answer.status !== 200 && Date.now() < deadline) {
      await sleep(100)
      answer = await askFrom(service.port, 0, QUESTION)
    }
    assert.equal(answer.status, 200, answer.body)
  })
})

describe('a client that disconnects, in the log', () => {
  test('is not an error', async () => {
    await using own = await startService(chatSettings(peer))
    await peer.behave('stall')
    const body = JSON.stringify({ messages: [user(QUESTION)] })
    const socket = connect(own.port, '127.0.0.1')
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    socket.write(rawRequest('POST /api/v1/chat', lines, body))
    while ((await peer.seen()).length < 1) await sleep(20)
    socket.destroy()
    await own.stop()
    assert.match(own.output(), /"outcome":"abandoned","msg":"Chat client disconnected"/)
    assert.doesNotMatch(own.output(), /"level":"error"|"stack"/)
  })
})

describe('an unreachable upstream', () => {
  test('503 for questions, DOWN after several, suggestions still work, and it recovers', async () => {
    const port = await freePort()
    await using lonely = await startService(chatSettings({ url: `http://127.0.0.1:${port}/v1` }))
    for (let i = 0; i < 6; i++) assertProblem(await ask(lonely.port, QUESTION), 503, 'chat_unavailable')
    assert.equal(((await get(lonely.port, '/api/v1/chat/health')).json() as { status: string }).status, 'DOWN')
    assert.equal((await get(lonely.port, '/api/v1/chat/suggestions')).status, 200)
    await using late = await startChatServer(port)
    await late.behave('faithful')
    let answer = await ask(lonely.port, QUESTION)
    const deadline = Date.now() + 20_000
    while (answer.status !== 200 && Date.now() < deadline) {
      assertProblem(answer, 503, 'chat_unavailable')
      await sleep(250)
      answer = await ask(lonely.port, QUESTION)
    }
    assert.equal(answer.status, 200, answer.body)
    assert.equal(((await get(lonely.port, '/api/v1/chat/health')).json() as { status: string }).status, 'UP')
  })
})
