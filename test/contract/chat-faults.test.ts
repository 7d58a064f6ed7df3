/** A failing upstream affects only the assistant, and conversations leave no traces. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Behaviour } from '#test/support/chat/behaviour.ts'
import { ask, askFrom, assistant, REFUSAL, replyOf, TRUSTING } from '#test/support/chat-client.ts'
import { CHAT_KEY, type ChatServer, chatSettings, startChatServer } from '#test/support/chat-server.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { assertClean, filesWith, query, type ScanService, startScanService } from '#test/support/scanning.ts'

const QUESTION = 'How is my quota counted?'

let peer: ChatServer
let service: ScanService
before(async () => {
  peer = await startChatServer()
  service = await startScanService({ ...chatSettings(peer), ...TRUSTING, DOCVET_LOG_LEVEL: 'trace' })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
})

describe('502 upstream_error', () => {
  const long = JSON.stringify({ onTopic: true, reply: 'The quota counts scans. '.repeat(200) })
  const CASES: [string, Behaviour | Behaviour['kind']][] = [
    ...[400, 401, 403, 404, 429, 500, 503].map((status): [string, Behaviour] => [
      `status ${status}`,
      { kind: 'status', status },
    ]),
    ['a redirect', 'redirect'],
    ['garbage', 'garbage'],
    ['rambling instead of the object', 'ramble'],
    ['an empty completion', 'empty'],
    ['an empty reply', { kind: 'text', text: '{"onTopic":true,"reply":""}' }],
    ['an overlong reply', { kind: 'text', text: long }],
    ['an endless answer', 'endless'],
    ['a refusal', 'refuse'],
    ['a response that is not HTTP', { kind: 'raw', bytes: 'SSH-2.0-OpenSSH_9.9\r\n' }],
    ['headers that are too large', { kind: 'raw', bytes: `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n` }],
  ]
  for (const [name, behaviour] of CASES) {
    test(`for ${name}, without any text of the upstream`, async () => {
      await peer.behave(behaviour)
      const answer = await ask(service.port, QUESTION)
      assertProblem(answer, 502, 'upstream_error')
      assert.doesNotMatch(answer.body, /secret-of-the-peer|It works|market/)
    })
  }

  test('for an upstream that switches protocols, and the concurrent calls of the caller are released', async () => {
    const bytes = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
    await peer.behave({ kind: 'raw', bytes })
    for (let i = 0; i < 4; i++) assertProblem(await askFrom(service.port, 60, QUESTION), 502, 'upstream_error')
  })

  test('is followed by a normal answer as soon as the upstream recovers', async () => {
    await peer.behave('faithful')
    assert.doesNotMatch(replyOf(await ask(service.port, QUESTION)), REFUSAL)
  })
})

describe('503 chat_unavailable', () => {
  for (const [behaviour, asked] of [['hang up', 2] as const, ['break off', 1] as const]) {
    test(`for an upstream that does nothing but ${behaviour}, after ${asked} requests`, async () => {
      await peer.behave(behaviour)
      assertProblem(await ask(service.port, QUESTION), 503, 'chat_unavailable')
      assert.equal((await peer.seen()).length, asked)
    })
  }

  test('200 if only the first connection breaks', async () => {
    await peer.behave('hang up once')
    assert.equal((await ask(service.port, QUESTION)).status, 200)
  })

  test('for a stalled upstream and for more than 16 concurrent questions, 429 for more than 3 of one caller; the rest of the service works', async () => {
    await peer.behave('stall')
    const waiting = Array.from({ length: 16 }, (_, index) => askFrom(service.port, Math.floor(index / 3), QUESTION))
    while ((await peer.seen()).length < 16) await request(service.port, 'GET', '/livez')
    assertProblem(await askFrom(service.port, 0, QUESTION), 429, 'rate_limited')
    assertProblem(await askFrom(service.port, 99, QUESTION), 503, 'chat_unavailable')

    assertClean(await service.scan(await service.newKey(), 'Good morning'))
    for (const path of ['/api/v1/chat/health', '/api/v1/chat/suggestions', '/readyz', '/api/v1/health']) {
      assert.equal((await request(service.port, 'GET', path)).status, 200, path)
    }
    assert.match(replyOf(await ask(service.port, 'What is the capital of France?')), REFUSAL)

    for (const answer of await Promise.all(waiting)) assertProblem(answer, 503, 'chat_unavailable')
  })
})

describe('no traces', () => {
  test('conversations, replies and the key are not logged or stored; the count is', async () => {
    await using own = await startScanService({ ...chatSettings(peer), DOCVET_LOG_LEVEL: 'trace' })
    const [marker, earlier, said] = ['xylophone-question', 'marimba-earlier', 'glockenspiel-reply']
    const question = `How is my quota counted, and what about keys and plans? ${marker}`
    const behaviours: Behaviour[] = [
      { kind: 'text', text: JSON.stringify({ onTopic: true, reply: `The quota counts scans per key: ${said}` }) },
      { kind: 'text', text: `not the object: ${said}` },
      { kind: 'body', body: `{"said": "${said}"` },
      { kind: 'status', status: 500 },
      { kind: 'hang up' },
    ]
    for (const behaviour of behaviours) {
      await peer.behave(behaviour)
      await ask(own.port, earlier, assistant(earlier), question)
      assert.ok((await peer.seen()).length > 0, behaviour.kind)
    }
    await ask(own.port, `Write a poem about ${marker}`)
    assert.deepEqual(
      query<{ requests: number }>(own, 'select requests from chat_days').map(({ requests }) => requests),
      // Errors and failed connections do not count.
      [behaviours.length - 2],
    )
    for (const secret of [marker, earlier, said, CHAT_KEY]) assert.deepEqual(filesWith(own.dataDir, secret), [], secret)
    await own.stop()
    const output = own.output()
    assert.match(
      output,
      /"requestId":"[0-9a-f-]{36}","outcome":"declined","by":"question","msg":"Chat question answered"/,
    )
    assert.match(output, /Invalid response of the language model: not as asked for/)
    for (const part of ['xylophone', 'marimba', 'glockenspiel', 'secret-of-the-peer', CHAT_KEY.slice(8)])
      assert.ok(!output.includes(part), part)
  })
})
