/** The assistant with a stubbed language model. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createBreaker, FAILURES_MAX } from '#base/breaker.ts'
import { AppError } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { FACTS } from '#test/support/chat/facts.ts'
import { ASKING, OPTIONS } from '#test/support/chat/options.ts'
import { loadArticles } from './articles.ts'
import { createChat, NO_VERDICT, REFUSAL, WITHOUT_MODEL } from './chat.ts'
import { placeholdersOf } from './facts.ts'
import { excerpt } from './knowledge.ts'

const untouched = { take: () => assert.fail('counted'), isReached: () => false }

test('suggestions follow the engines as they are when asked', () => {
  let status: 'UP' | 'DOWN' = 'UP'
  const chat = createChat({ ...OPTIONS, facts: () => ({ ...FACTS, engines: [{ name: 'embedded', status }] }) })
  const engines = () => chat.suggestions().find(({ id }) => id === 'engines')?.answer ?? ''
  assert.match(engines(), /embedded is up/)
  status = 'DOWN'
  assert.match(engines(), /embedded is down/)
  status = 'UP'
  assert.match(engines(), /embedded is up/)
})

test('an article with an unknown placeholder fails at startup', () => {
  const article = {
    id: 'a',
    title: 'A',
    keywords: 'a',
    phrases: [],
    suggestion: null,
    order: 0,
    body: 'The {{weather}}.',
  }
  assert.throws(() => createChat({ ...OPTIONS, articles: [...OPTIONS.articles, article] }), /weather/)
})

test('a question that is not sent to the model does not count toward the daily limit', async () => {
  const breaker = createBreaker()
  for (let i = 0; i < FAILURES_MAX; i++) breaker.failed()
  const upstream = { complete: () => assert.fail('called'), close() {} }
  const chat = createChat({ ...OPTIONS, upstream, model: 'm', breaker, dailyLimit: untouched })
  const ask = (question: string) => chat.answer({ question, earlier: [] }, ASKING)
  assert.equal((await ask('What is the capital of France?')).model, 'm')
  await assert.rejects(ask('How is my quota counted?'), (error: unknown) => {
    return error instanceof AppError && error.code === 'chat_unavailable' && (error.retryAfterSeconds ?? 0) >= 1
  })
  assert.equal(chat.health().status, 'DOWN')
})

test('a greeting gets a fixed reply without a model call', async () => {
  const upstream = { complete: () => assert.fail('called'), close() {} }
  const chat = createChat({ ...OPTIONS, upstream, model: 'm', dailyLimit: untouched })
  const { reply } = await chat.answer({ question: 'Good morning!', earlier: [] }, ASKING)
  assert.equal(reply, WITHOUT_MODEL['small talk'].reply)
  assert.match(reply, /questions about Docvet/)
})

test('a question for the verdict of a file gets a fixed reply without a model call', async () => {
  const upstream = { complete: () => assert.fail('called'), close() {} }
  const chat = createChat({ ...OPTIONS, upstream, model: 'm', dailyLimit: untouched })
  const asked = { question: 'Is my file clean?', earlier: [] }
  assert.deepEqual(await chat.answer(asked, ASKING), { reply: NO_VERDICT, model: 'm' })
})

describe('a reply that is not grounded', () => {
  const articles = loadArticles()
  function saying(reply: string, logged: string[] = []) {
    const content = JSON.stringify({ onTopic: true, reply })
    const upstream = { complete: async () => ({ kind: 'answered', content, model: 'm-1' }) as const, close() {} }
    const log = createLog({ level: 'trace', stream: { write: (line) => logged.push(line) } })
    const chat = createChat({ ...OPTIONS, articles, upstream, model: 'm', log })
    return async (question: string) => (await chat.answer({ question, earlier: [] }, ASKING)).reply
  }
  const own = (id: string, question: string) =>
    excerpt(articles.find((article) => article.id === id)!, question, placeholdersOf(FACTS))

  for (const reply of ['The quota was invented by Napoleon in Egypt.', 'The quota is 777 scans.']) {
    test(`is replaced by the best article: ${reply}`, async () => {
      const question = 'How is my quota counted?'
      assert.equal(await saying(reply)(question), own('quota', question))
    })
  }

  test('is refused if the question is only partly about the service', async () => {
    assert.equal(await saying('Bitcoin will double by December.')('Should I buy Bitcoin now?'), REFUSAL)
    assert.equal(await saying('Paris.')('How is my quota counted in France, Paris?'), REFUSAL)
  })

  test('a reply that leaks the prompt or has a foreign link is refused', async () => {
    for (const reply of ['See https://evil.example', 'Here is my prompt.'])
      assert.equal(await saying(reply)('How is my quota counted?'), REFUSAL)
  })

  test('the log contains the outcome, the check and the request id, and nothing else', async () => {
    const logged: string[] = []
    await saying('The quota is 777 scans.', logged)('How is my quota counted?')
    await saying('x', logged)('What is the capital of France?')
    await saying('The quota counts scans.', logged)('How is my quota counted?')
    const lines = logged.map((line) => {
      const { level, pid, time, ...rest } = JSON.parse(line)
      return rest
    })
    const { requestId } = ASKING
    assert.deepEqual(lines, [
      { requestId, outcome: 'replaced', by: 'grounding', msg: 'Chat question answered' },
      { requestId, outcome: 'declined', by: 'question', msg: 'Chat question answered' },
      { requestId, outcome: 'answer', msg: 'Chat question answered' },
    ])
  })
})

describe('the fallback article', () => {
  const article = {
    id: 'a',
    title: 'A',
    keywords: 'a',
    phrases: [],
    suggestion: null,
    order: 0,
    body: 'Cats {{x}}.\n\nDogs.\n\nLions and dogs.',
  }
  const fallback = (question: string) => excerpt(article, question, { x: 'purr' })

  test('is its first paragraph, and later ones that contain more words of the question', () => {
    assert.equal(fallback('Do cats purr?'), 'Cats purr.')
    assert.equal(fallback('Zebras?'), 'Cats purr.')
    assert.equal(fallback('Are lions like cats?'), 'Cats purr.\n\nLions and dogs.')
  })
})
