/** Answers a question: scope check, article search, model call, check of the reply. */
import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import type { Breaker } from '#base/breaker.ts'
import type { Log } from '#base/log.ts'
import type { Article } from './articles.ts'
import type { Conversation } from './conversation.ts'
import type { DailyLimit } from './daily-limit.ts'
import type { Facts } from './facts.ts'
import { type FindingArticles, withArticles } from './finding-articles.ts'
import { type Judgement, judgeReply } from './guard.ts'
import { cacheKnowledge, excerpt } from './knowledge.ts'
import { type Asking, createModelCall, unavailable, unusable } from './model-call.ts'
import { buildPrompt } from './prompt.ts'
import type { ChatHealth, ChatReply } from './schema.ts'
import { judgeQuestion } from './scope.ts'
import { createSearch } from './search.ts'
import type { Upstream } from './upstream.ts'

/** Only an operator can change it. */
const OFF_RETRY_SECONDS = 3_600
const CANARY_BYTES = 12
/** Articles in an answer without the model, if none of them is certain. */
const LOOKED_UP_MAX = 2

export const REFUSAL =
  'I can only help with Docvet: scanning documents, verdicts and errors, keys, plans, privacy and running the service. Please ask a question about one of these topics, or choose one of the suggested questions.'
const WELCOME =
  'Hello! I am an automated assistant for questions about Docvet: scanning documents, verdicts and errors, keys, quota, plans, privacy and running the service. What would you like to know?'
export const NO_VERDICT =
  'I cannot say whether a particular file is clean or infected, and I cannot act on your behalf: I never see files or accounts. Only a scan gives a verdict: drop the file on the page /scan of the dashboard, or send it to POST /api/v1/scan. Do not open it before that. If you opened it already, ask me what to do then.'

/** Replies for questions that are not sent to the model. The outcome is logged. */
export const WITHOUT_MODEL = {
  'another topic': { outcome: 'declined', reply: REFUSAL },
  'the prompt': { outcome: 'declined', reply: REFUSAL },
  'a file': { outcome: 'no verdict', reply: NO_VERDICT },
  'small talk': { outcome: 'greeted', reply: WELCOME },
} as const

export interface ChatOptions {
  articles: readonly Article[]
  findingArticles: FindingArticles
  facts: () => Facts
  /** Null if the URL or the model is not configured. */
  upstream: Upstream | null
  model: string | null
  enabled: boolean
  breaker: Breaker
  dailyLimit: DailyLimit
  log: Log
}

export type Chat = ReturnType<typeof createChat>

/** The text to return. `article` is the fallback for a reply that is not grounded. */
function textOf(judged: Exclude<Judgement, { kind: 'unusable' }>, article: string | null): string {
  if (judged.kind === 'answer') return judged.text
  if (judged.by === 'grounding') return article ?? REFUSAL
  return judged.by === 'verdict' ? NO_VERDICT : REFUSAL
}

export function createChat(options: ChatOptions) {
  const { articles, findingArticles, facts, upstream, model, enabled, breaker, dailyLimit, log } = options
  const search = createSearch(articles)
  const knowledge = cacheKnowledge(articles, facts)
  const call = createModelCall({ breaker, dailyLimit, log })
  // Fails at startup if an article uses an unknown placeholder.
  knowledge()

  function ready(): { upstream: Upstream; model: string } {
    if (upstream === null || model === null)
      throw unavailable('The assistant is not set up in this installation.', OFF_RETRY_SECONDS)
    if (!enabled) throw unavailable('The assistant is switched off in this installation.', OFF_RETRY_SECONDS)
    return { upstream, model }
  }

  return {
    async answer(conversation: Conversation, asking: Asking): Promise<Static<typeof ChatReply>> {
      const { requestId } = asking
      const target = ready()
      const named = findingArticles(conversation.question)
      const scope = judgeQuestion(search, conversation, named)
      if (!scope.inScope) {
        const { outcome, reply } = WITHOUT_MODEL[scope.about]
        log.info({ requestId, outcome, by: 'question' }, 'Chat question answered')
        return { reply, model: target.model }
      }
      const known = withArticles(knowledge(), named)
      const found = scope.hits.map(({ article }) => article)
      const prompt = buildPrompt(conversation, found, known.values, randomBytes(CANARY_BYTES).toString('hex'))
      const completion = await call(target.upstream, prompt, asking)
      const judged = judgeReply(completion.content, {
        prompt,
        known,
        quotable: named.map(({ body }) => body).join('\n'),
      })
      if (judged.kind === 'unusable') throw unusable(judged.why)
      // The outcome only: conversations are not logged.
      const by = judged.kind === 'replaced' ? { by: judged.by } : {}
      log.info({ requestId, outcome: judged.kind, ...by }, 'Chat question answered')
      const [best] = scope.isSure ? found : []
      const article = best ? excerpt(best, conversation.question, known.values) : null
      return { reply: textOf(judged, article), model: completion.model }
    },

    /** Without the model: what the articles say. */
    lookUp(question: string): string {
      const named = findingArticles(question)
      const scope = judgeQuestion(search, { question, earlier: [] }, named)
      if (!scope.inScope) return WITHOUT_MODEL[scope.about].reply
      const { values } = withArticles(knowledge(), named)
      const shown = scope.isSure ? scope.hits.slice(0, 1) : scope.hits.slice(0, LOOKED_UP_MAX)
      return shown.map(({ article }) => excerpt(article, question, values)).join('\n\n')
    },

    suggestions: () => knowledge().suggestions,

    health(): Static<typeof ChatHealth> {
      const configured = upstream !== null
      const isUp = configured && enabled && !breaker.open && !dailyLimit.isReached()
      return { status: isUp ? 'UP' : 'DOWN', configured, enabled, model }
    },

    close: () => upstream?.close(),
  }
}
