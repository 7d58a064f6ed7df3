/** The assistant: is the question ours, what do we know about it, what does the model make of it, may that get out. */
import { randomBytes } from 'node:crypto'
import type { Breaker } from '#base/breaker.ts'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createSemaphore } from '#base/semaphore.ts'
import { type Article, fillIn } from './articles.ts'
import type { Budget } from './budget.ts'
import type { Conversation } from './conversation.ts'
import { type Facts, placesOf } from './facts.ts'
import { NO_VERDICT, REFUSAL, WITHOUT_MODEL } from './fixed-words.ts'
import { type Judgement, judgeReply } from './guard.ts'
import { createWritten, excerpt } from './knowledge.ts'
import { buildPrompt, type Prompt } from './prompt.ts'
import { judgeQuestion } from './scope.ts'
import { createSearch } from './search.ts'
import { createSuggestions, type Suggestion } from './suggestions.ts'
import type { Completion, Upstream } from './upstream.ts'

/** It takes an operator to change it. */
const OFF_RETRY_SECONDS = 3_600
const UNREACHABLE_RETRY_SECONDS = 10
const ABANDONED_RETRY_SECONDS = 5
/** Concurrent calls of this process to the language model. */
export const CALLS_MAX = 16
/** Lower than the total, so that one caller cannot block all others. */
export const CALLS_PER_CALLER_MAX = 3
const CALLS_RETRY_SECONDS = 5
const CANARY_BYTES = 12
/** Whoever leaves earlier may have had his own reasons; later, it was for the silence of the model. */
export const PATIENCE_MS = 5_000

export interface ChatOptions {
  articles: readonly Article[]
  facts: () => Facts
  /** Of the problems that the service may answer with. */
  statuses: readonly number[]
  /** Null when address or model are not configured. */
  upstream: Upstream | null
  model: string | null
  enabled: boolean
  breaker: Breaker
  budget: Budget
  log: Log
}

export interface ChatReply {
  reply: string
  model: string
}

export interface ChatHealth {
  status: 'UP' | 'DOWN'
  configured: boolean
  enabled: boolean
  model: string | null
}

export interface Asking {
  requestId: string
  /** The names under which the limits count whoever asks: an address, and an account if it shows one. */
  callers: readonly string[]
  /** Aborted when the client does not wait any more. */
  gone?: AbortSignal
}

export interface Chat {
  answer(conversation: Conversation, asking: Asking): Promise<ChatReply>
  suggestions(): Suggestion[]
  health(): ChatHealth
  close(): void
}

/** What is said in place of a reply that may not get out, or the reply. `own` is what our articles say. */
function textOf(judged: Exclude<Judgement, { kind: 'unusable' }>, own: string | null): string {
  if (judged.kind === 'answer') return judged.text
  if (judged.kind === 'ungrounded') return own ?? REFUSAL
  return judged.kind === 'verdict' ? NO_VERDICT : REFUSAL
}

const UNREACHABLE = 'The assistant cannot be reached at the moment.'

const unusable = (why: string): AppError =>
  new AppError('upstream_error', 'The assistant gave no usable answer. Try again, or ask in other words.', {
    cause: new Error(`The language model gave no usable answer: ${why}`),
  })

/** With a cause it is for an operator to look into. */
const unavailable = (detail: string, retryAfterSeconds: number, cause?: Error): AppError =>
  new AppError('chat_unavailable', detail, { retryAfterSeconds, cause, isExpected: cause === undefined })

function tooManyCalls(by: 'total' | 'key'): AppError {
  if (by === 'total') return unavailable('The assistant is at capacity. Try again shortly.', CALLS_RETRY_SECONDS)
  const detail = `You have ${CALLS_PER_CALLER_MAX} questions in progress. Wait for one of the answers.`
  return new AppError('rate_limited', detail, { retryAfterSeconds: CALLS_RETRY_SECONDS })
}

/** It does not let us in, or is broken: the next question would fare no better. */
const isDown = (status: number | null): boolean =>
  status !== null && (status === 401 || status === 403 || status >= 500)

/** Whether the model may have worked on it, which costs what an answer costs. */
function mayHaveWorked(completion: Completion): boolean {
  if (completion.kind === 'failed') return completion.status === null || completion.status < 400
  return completion.kind !== 'unreachable' || completion.didWork
}

/** Of all facts, only the state of the engines changes while the service runs, so the words are made anew with it. */
function placesAsOf(facts: () => Facts): () => Readonly<Record<string, string>> {
  let made: { key: string; places: Record<string, string> } | null = null
  return () => {
    const now = facts()
    const key = now.engines.map(({ name, status }) => `${name} ${status}`).join()
    if (made?.key !== key) made = { key, places: placesOf(now) }
    return made.places
  }
}

export function createChat(options: ChatOptions): Chat {
  const { articles, facts, upstream, model, enabled, breaker, budget, log } = options
  const search = createSearch(articles)
  const suggest = createSuggestions(articles)
  const writtenWith = createWritten(articles, options.statuses)
  const places = placesAsOf(facts)
  // A place that nobody can fill is found at the start, not by the first who asks.
  for (const { body } of articles) fillIn(body, places())
  const calls = createSemaphore({ runningMax: CALLS_MAX, perKeyMax: CALLS_PER_CALLER_MAX, refusal: tooManyCalls })

  function ready(): { upstream: Upstream; model: string } {
    if (upstream === null || model === null) {
      throw unavailable('The assistant is not set up in this installation.', OFF_RETRY_SECONDS)
    }
    if (!enabled) throw unavailable('The assistant is switched off in this installation.', OFF_RETRY_SECONDS)
    return { upstream, model }
  }

  type Answered = Extract<Completion, { kind: 'answered' }>

  function note(completion: Completion): void {
    if (completion.kind === 'unreachable' || (completion.kind === 'failed' && isDown(completion.status))) {
      breaker.failed()
    } else if (completion.kind !== 'abandoned') breaker.succeeded()
    else if (completion.silentMs > PATIENCE_MS) breaker.failed()
  }

  function answeredOf(completion: Completion): Answered {
    switch (completion.kind) {
      case 'abandoned':
        throw unavailable('Nobody waits for the answer.', ABANDONED_RETRY_SECONDS)
      case 'unreachable': {
        const cause = new Error(`The language model cannot be reached: ${completion.why}`)
        throw unavailable(UNREACHABLE, UNREACHABLE_RETRY_SECONDS, cause)
      }
      case 'failed':
        throw unusable(completion.why)
      case 'answered':
        return completion
    }
  }

  /** Only when it makes sense, within the number of calls at once, and within the budget of the day. */
  async function callWithin(upstream: Upstream, prompt: Prompt, asking: Asking): Promise<Answered> {
    const waitMs = breaker.waitMs()
    if (waitMs > 0) throw unavailable(UNREACHABLE, Math.ceil(waitMs / 1000))
    // Starts synchronously, so that after a pause of the breaker only one call tries.
    return await calls.run(() => call(upstream, prompt, asking), { keys: asking.callers })
  }

  async function call(upstream: Upstream, prompt: Prompt, asking: Asking): Promise<Answered> {
    const isTry = breaker.open
    breaker.begin()
    try {
      const giveBack = await budget.spend(asking.callers)
      const { requestId, gone } = asking
      const completion = await upstream.complete(prompt.messages, { log: log.child({ requestId }), gone })
      note(completion)
      if (completion.kind === 'abandoned') log.info({ requestId, outcome: completion.kind }, 'chat')
      if (!mayHaveWorked(completion)) await giveBack().catch((err) => log.warn({ requestId, err }, 'not given back'))
      return answeredOf(completion)
    } finally {
      // Known by now, unless it did not come to an answer: then the next may try.
      if (isTry) breaker.cancelled()
    }
  }

  return {
    async answer(conversation, asking) {
      const { requestId } = asking
      const asked = ready()
      const scope = judgeQuestion(search, conversation)
      if (!scope.inScope) {
        const { outcome, reply } = WITHOUT_MODEL[scope.about]
        log.info({ requestId, outcome, by: 'question' }, 'chat')
        return { reply, model: asked.model }
      }
      const values = places()
      const found = scope.hits.map(({ article }) => article)
      const prompt = buildPrompt(conversation, found, values, randomBytes(CANARY_BYTES).toString('hex'))
      const completion = await callWithin(asked.upstream, prompt, asking)
      const { publicUrl } = facts()
      const judged = judgeReply(completion.content, { prompt, publicUrl, written: writtenWith(values) })
      if (judged.kind === 'unusable') throw unusable(judged.why)
      // What became of it, and no word of what was said.
      log.info({ requestId, outcome: judged.kind, ...('by' in judged && { by: judged.by }) }, 'chat')
      const [best] = scope.isSure ? found : []
      const own = best ? excerpt(best, conversation.question, values) : null
      return { reply: textOf(judged, own), model: completion.model }
    },

    suggestions: () => suggest(places()),

    health() {
      const configured = upstream !== null
      const isUp = configured && enabled && !breaker.open && !budget.isSpent()
      return { status: isUp ? 'UP' : 'DOWN', configured, enabled, model }
    },

    close: () => upstream?.close(),
  }
}
