/** Answers a question: scope check, article search, model call, check of the reply. */
import { randomBytes } from 'node:crypto'
import type { Breaker } from '#base/breaker.ts'
import type { Log } from '#base/log.ts'
import { type Article, fillIn } from './articles.ts'
import type { Conversation } from './conversation.ts'
import type { DailyLimit } from './daily-limit.ts'
import { type Facts, type Placeholders, placeholdersOf } from './facts.ts'
import { NO_VERDICT, REFUSAL, WITHOUT_MODEL } from './fixed-replies.ts'
import { type Judgement, judgeReply } from './guard.ts'
import { createWritten, excerpt } from './knowledge.ts'
import { type Asking, createModelCall, unavailable, unusable } from './model-call.ts'
import { buildPrompt } from './prompt.ts'
import { judgeQuestion } from './scope.ts'
import { createSearch } from './search.ts'
import { createSuggestions, type Suggestion } from './suggestions.ts'
import type { Upstream } from './upstream.ts'

/** Only an operator can change it. */
const OFF_RETRY_SECONDS = 3_600
const CANARY_BYTES = 12

export interface ChatOptions {
  articles: readonly Article[]
  facts: () => Facts
  /** Null if the URL or the model is not configured. */
  upstream: Upstream | null
  model: string | null
  enabled: boolean
  breaker: Breaker
  dailyLimit: DailyLimit
  log: Log
}

interface ChatReply {
  reply: string
  model: string
}

interface ChatHealth {
  status: 'UP' | 'DOWN'
  configured: boolean
  enabled: boolean
  model: string | null
}

export interface Chat {
  answer(conversation: Conversation, asking: Asking): Promise<ChatReply>
  suggestions(): Suggestion[]
  health(): ChatHealth
  close(): void
}

/** The text to return. `article` is the fallback for a reply that is not grounded. */
function textOf(judged: Exclude<Judgement, { kind: 'unusable' }>, article: string | null): string {
  if (judged.kind === 'answer') return judged.text
  if (judged.by === 'grounding') return article ?? REFUSAL
  return judged.by === 'verdict' ? NO_VERDICT : REFUSAL
}

/** Only the state of the engines changes at run time, so the values are rebuilt only with it. */
function cachePlaceholders(facts: () => Facts): () => Placeholders {
  let cached: { key: string; values: Placeholders } | null = null
  return () => {
    const now = facts()
    const key = now.engines.map(({ name, status }) => `${name} ${status}`).join()
    if (cached?.key !== key) cached = { key, values: placeholdersOf(now) }
    return cached.values
  }
}

export function createChat(options: ChatOptions): Chat {
  const { articles, facts, upstream, model, enabled, breaker, dailyLimit, log } = options
  const search = createSearch(articles)
  const suggest = createSuggestions(articles)
  const writtenWith = createWritten(articles)
  const placeholders = cachePlaceholders(facts)
  const call = createModelCall({ breaker, dailyLimit, log })
  // Fails at startup if an article uses an unknown placeholder.
  for (const { body } of articles) fillIn(body, placeholders())

  function ready(): { upstream: Upstream; model: string } {
    if (upstream === null || model === null)
      throw unavailable('The assistant is not set up in this installation.', OFF_RETRY_SECONDS)
    if (!enabled) throw unavailable('The assistant is switched off in this installation.', OFF_RETRY_SECONDS)
    return { upstream, model }
  }

  return {
    async answer(conversation, asking) {
      const { requestId } = asking
      const target = ready()
      const scope = judgeQuestion(search, conversation)
      if (!scope.inScope) {
        const { outcome, reply } = WITHOUT_MODEL[scope.about]
        log.info({ requestId, outcome, by: 'question' }, 'Chat question answered')
        return { reply, model: target.model }
      }
      const values = placeholders()
      const found = scope.hits.map(({ article }) => article)
      const prompt = buildPrompt(conversation, found, values, randomBytes(CANARY_BYTES).toString('hex'))
      const completion = await call(target.upstream, prompt, asking)
      const { publicUrl } = facts()
      const judged = judgeReply(completion.content, { prompt, publicUrl, written: writtenWith(values) })
      if (judged.kind === 'unusable') throw unusable(judged.why)
      // The outcome only: conversations are not logged.
      const by = judged.kind === 'replaced' ? { by: judged.by } : {}
      log.info({ requestId, outcome: judged.kind, ...by }, 'Chat question answered')
      const [best] = scope.isSure ? found : []
      const article = best ? excerpt(best, conversation.question, values) : null
      return { reply: textOf(judged, article), model: completion.model }
    },

    suggestions: () => suggest(placeholders()),

    health() {
      const configured = upstream !== null
      const isUp = configured && enabled && !breaker.open && !dailyLimit.isReached()
      return { status: isUp ? 'UP' : 'DOWN', configured, enabled, model }
    },

    close: () => upstream?.close(),
  }
}
