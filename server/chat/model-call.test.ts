/** Circuit breaker, daily limit and failures of the language model. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBreaker, FAILURES_MAX, PAUSE_MS } from '#base/breaker.ts'
import { AppError } from '#base/errors.ts'
import { ASKING, OPTIONS } from '#test/support/chat/options.ts'
import { type ChatOptions, createChat } from './chat.ts'
import { PATIENCE_MS } from './model-call.ts'

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
