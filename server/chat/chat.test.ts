/** The assistant without a model: what it tells must follow the engines, and every place of an article must have a fact. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBreaker, FAILURES_MAX, PAUSE_MS } from '#base/breaker.ts'
import { AppError } from '#base/errors.ts'
import { quietLog } from '#test/support/seed.ts'
import { loadArticles } from './articles.ts'
import { type ChatOptions, createChat, NO_VERDICT } from './chat.ts'
import { FACTS } from './testing/facts.ts'

const OPTIONS: ChatOptions = {
  articles: loadArticles(),
  facts: () => FACTS,
  upstream: null,
  model: null,
  enabled: true,
  breaker: createBreaker(),
  spend: async () => {},
  log: quietLog,
}

test('suggestions follow the engines as they are when asked', () => {
  let status: 'UP' | 'DOWN' = 'UP'
  const chat = createChat({ ...OPTIONS, facts: () => ({ ...FACTS, engines: [{ name: 'embedded', status }] }) })
  const told = () => chat.suggestions().find(({ id }) => id === 'engines')?.answer ?? ''
  assert.match(told(), /embedded is up/)
  status = 'DOWN'
  assert.match(told(), /embedded is down/)
  status = 'UP'
  assert.match(told(), /embedded is up/)
})

test('an article that asks for a fact which nobody has stops the start', () => {
  const article = { id: 'a', title: 'A', keywords: 'a', suggestion: null, body: 'The {{weather}}.' }
  assert.throws(() => createChat({ ...OPTIONS, articles: [...OPTIONS.articles, article] }), /weather/)
})

test('the budget is not touched by a question that will not be passed on', async () => {
  const breaker = createBreaker()
  for (let i = 0; i < FAILURES_MAX; i++) breaker.failed()
  const upstream = { complete: () => assert.fail('called'), close() {} }
  const chat = createChat({ ...OPTIONS, upstream, model: 'm', breaker, spend: () => assert.fail('spent') })
  const ask = (question: string) => chat.answer({ question, earlier: [] })
  assert.equal((await ask('What is the capital of France?')).model, 'm')
  await assert.rejects(ask('How is my quota counted?'), (error: unknown) => {
    return error instanceof AppError && error.code === 'chat_unavailable' && (error.retryAfterSeconds ?? 0) >= 1
  })
  assert.equal(chat.health().status, 'DOWN')
})

test('a question about a particular file gets the fixed words, and no model is called', async () => {
  const upstream = { complete: () => assert.fail('called'), close() {} }
  const chat = createChat({ ...OPTIONS, upstream, model: 'm', spend: () => assert.fail('spent') })
  assert.deepEqual(await chat.answer({ question: 'Is my file clean?', earlier: [] }), { reply: NO_VERDICT, model: 'm' })
})

describe('after the pause of the breaker', () => {
  const QUOTA = { question: 'How is my quota counted?', earlier: [] }
  function paused() {
    let nowMs = 0
    const breaker = createBreaker({ now: () => nowMs })
    for (let i = 0; i < FAILURES_MAX; i++) breaker.failed()
    nowMs += PAUSE_MS
    return breaker
  }

  test('one question tries, also while its budget is still being asked for', async () => {
    let spent = 0
    const failed = { kind: 'failed', why: 'x' } as const
    const upstream = { complete: async () => failed, close() {} }
    const spend = async () => {
      spent++
      await sleep(10)
    }
    const chat = createChat({ ...OPTIONS, upstream, model: 'm', breaker: paused(), spend })
    const asked = await Promise.allSettled(Array.from({ length: 4 }, () => chat.answer(QUOTA)))
    assert.equal(spent, 1)
    const codes = asked.map((each) => each.status === 'rejected' && (each.reason as AppError).code)
    assert.deepEqual(codes, ['upstream_error', ...Array(3).fill('chat_unavailable')])
  })

  test('a budget that refuses, a client that left and a fault do not keep the next from trying', async () => {
    const breaker = paused()
    const abandoned = { kind: 'abandoned' } as const
    const gone = { complete: async () => abandoned, close() {} }
    const broken = { complete: () => Promise.reject(new Error('fault')), close() {} }
    const refuse = () => Promise.reject(new AppError('chat_unavailable', 'Spent.', { retryAfterSeconds: 1 }))
    for (const options of [{ upstream: gone, spend: refuse }, { upstream: gone }, { upstream: broken }]) {
      await assert.rejects(createChat({ ...OPTIONS, model: 'm', breaker, ...options }).answer(QUOTA))
      assert.deepEqual([breaker.waitMs(), breaker.open], [0, true])
    }
  })
})
