/** The assistant with a stubbed language model. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBreaker, FAILURES_MAX, PAUSE_MS } from '#base/breaker.ts'
import { AppError } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { FACTS } from '#test/support/chat/facts.ts'
import { quietLog } from '#test/support/seed.ts'
import { loadArticles } from './articles.ts'
import { type ChatOptions, createChat } from './chat.ts'
import { placeholdersOf } from './facts.ts'
import { NO_VERDICT, REFUSAL, WITHOUT_MODEL } from './fixed-replies.ts'
import { excerpt } from './knowledge.ts'
import { type Asking, PATIENCE_MS } from './model-call.ts'

const ASKING: Asking = { requestId: 'request-1', callers: ['address 203.0.113.7'] }
const OPTIONS: ChatOptions = {
  articles: loadArticles(),
  facts: () => FACTS,
  upstream: null,
  model: null,
  enabled: true,
  breaker: createBreaker(),
  dailyLimit: { take: async () => async () => {}, isReached: () => false },
  log: quietLog,
}

const untouched = { take: () => assert.fail('counted'), isReached: () => false }

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

test('an article with an unknown placeholder fails at startup', () => {
  const article = { id: 'a', title: 'A', keywords: 'a', suggestion: null, body: 'The {{weather}}.' }
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
    suggestion: null,
    body: 'Cats {{x}}.\n\nDogs.\n\nLions and dogs.',
  }
  const told = (question: string) => excerpt(article, question, { x: 'purr' })

  test('is its first paragraph, and later ones that contain more words of the question', () => {
    assert.equal(told('Do cats purr?'), 'Cats purr.')
    assert.equal(told('Zebras?'), 'Cats purr.')
    assert.equal(told('Are lions like cats?'), 'Cats purr.\n\nLions and dogs.')
  })
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

  test('one question probes the model, also while the daily limit is being checked', async () => {
    let taken = 0
    const failed = { kind: 'failed', why: 'x', status: 404 } as const
    const upstream = { complete: async () => failed, close() {} }
    const take = async () => {
      taken++
      await sleep(10)
      return async () => {}
    }
    const dailyLimit = { take, isReached: () => false }
    const chat = createChat({ ...OPTIONS, upstream, model: 'm', breaker: paused(), dailyLimit })
    const asked = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((caller) => chat.answer(QUOTA, { ...ASKING, callers: [caller] })),
    )
    assert.equal(taken, 1)
    const codes = asked.map((each) => each.status === 'rejected' && (each.reason as AppError).code)
    assert.deepEqual(codes, ['upstream_error', ...Array(3).fill('chat_unavailable')])
  })

  test('a refusal, a client that disconnects and a fault do not block the next probe', async () => {
    const breaker = paused()
    const abandoned = { kind: 'abandoned', silentMs: PATIENCE_MS } as const
    const gone = { complete: async () => abandoned, close() {} }
    const broken = { complete: () => Promise.reject(new Error('fault')), close() {} }
    const refuse = () => Promise.reject(new AppError('chat_unavailable', 'Reached.', { retryAfterSeconds: 1 }))
    const dailyLimit = { take: refuse, isReached: () => false }
    for (const options of [{ upstream: gone, dailyLimit }, { upstream: gone }, { upstream: broken }]) {
      await assert.rejects(createChat({ ...OPTIONS, model: 'm', breaker, ...options }).answer(QUOTA, ASKING))
      assert.deepEqual([breaker.waitMs(), breaker.open], [0, true])
    }
  })
})

describe('failures of the upstream', () => {
  const QUOTA = { question: 'How is my quota counted?', earlier: [] }
  type Completion = Awaited<ReturnType<NonNullable<ChatOptions['upstream']>['complete']>>

  /** Asks so many times and reports what it cost. */
  async function asked(completion: Completion, times = FAILURES_MAX) {
    const counted = { taken: 0, givenBack: 0, callers: [] as (readonly string[])[] }
    const breaker = createBreaker({ now: () => 0 })
    const upstream = { complete: async () => completion, close() {} }
    const take = async (callers: readonly string[]) => {
      counted.taken++
      counted.callers.push(callers)
      return async () => {
        counted.givenBack++
      }
    }
    const chat = createChat({ ...OPTIONS, upstream, model: 'm', breaker, dailyLimit: { take, isReached: () => false } })
    const codes: string[] = []
    for (let i = 0; i < times; i++) {
      const outcome = await chat.answer(QUOTA, ASKING).catch((error: unknown) => error)
      codes.push(outcome instanceof AppError ? outcome.code : 'answered')
    }
    return { ...counted, codes, open: breaker.open, status: chat.health().status }
  }
  const failed = (status: number | null): Completion => ({ kind: 'failed', why: 'x', status })
  const unreachable = (didWork: boolean): Completion => ({ kind: 'unreachable', why: 'x', didWork })
  const abandoned = (silentMs: number): Completion => ({ kind: 'abandoned', silentMs })

  test('errors and broken connections do not count; a question that the model may have worked on does', async () => {
    for (const free of [failed(400), failed(401), failed(429), failed(500), unreachable(false)])
      assert.deepEqual((await asked(free, 1)).givenBack, 1, JSON.stringify(free))
    for (const paid of [failed(200), failed(307), failed(null), unreachable(true), abandoned(0), abandoned(9_999)])
      assert.deepEqual((await asked(paid, 1)).givenBack, 0, JSON.stringify(paid))
  })

  test('rejected credentials and server errors give 502 until the breaker opens, then 503 without a call', async () => {
    for (const status of [401, 403, 500, 503]) {
      const { codes, taken, open, status: health } = await asked(failed(status), FAILURES_MAX + 1)
      assert.deepEqual(codes, [...Array(FAILURES_MAX).fill('upstream_error'), 'chat_unavailable'])
      assert.deepEqual([taken, open, health], [FAILURES_MAX, true, 'DOWN'])
    }
    for (const status of [400, 404, 429, 200, null]) assert.equal((await asked(failed(status))).open, false)
  })

  test('clients that disconnect after a long wait open the breaker, others do not', async () => {
    assert.equal((await asked(abandoned(PATIENCE_MS))).open, false)
    assert.equal((await asked(abandoned(PATIENCE_MS + 1))).open, true)
  })

  test('the daily limit counts under every name of the caller', async () => {
    assert.deepEqual((await asked(failed(400), 1)).callers, [ASKING.callers])
  })

  test('a failure to return a question does not hide the upstream error', async () => {
    const dailyLimit = { take: async () => () => Promise.reject(new Error('away')), isReached: () => false }
    const upstream = { complete: async () => failed(400), close() {} }
    const answer = createChat({ ...OPTIONS, upstream, model: 'm', dailyLimit }).answer(QUOTA, ASKING)
    await assert.rejects(answer, (error: unknown) => error instanceof AppError && error.code === 'upstream_error')
  })

  test('health is DOWN when the daily limit is reached', () => {
    const upstream = { complete: () => assert.fail('called'), close() {} }
    const health = (isReached: boolean) =>
      createChat({
        ...OPTIONS,
        upstream,
        model: 'm',
        breaker: createBreaker(),
        dailyLimit: { ...OPTIONS.dailyLimit, isReached: () => isReached },
      }).health().status
    assert.deepEqual([health(false), health(true)], ['UP', 'DOWN'])
  })

  test('expected refusals are not logged as errors', async () => {
    const expected = async (options: Partial<ChatOptions>) => {
      const error = await createChat({ ...OPTIONS, ...options })
        .answer(QUOTA, ASKING)
        .catch((error: unknown) => error)
      return error instanceof AppError && error.isExpected
    }
    const saying = (completion: Completion) => ({
      upstream: { complete: async () => completion, close() {} },
      model: 'm',
    })
    assert.equal(await expected({}), true)
    assert.equal(await expected({ ...saying(failed(500)), enabled: false }), true)
    assert.equal(await expected(saying(abandoned(0))), true)
    assert.equal(await expected(saying(failed(500))), false)
    assert.equal(await expected(saying(unreachable(false))), false)
  })
})
