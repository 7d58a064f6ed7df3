/** Options of a chat service without a language model. */
import { createBreaker } from '#base/breaker.ts'
import { loadArticles } from '#chat/articles.ts'
import type { ChatOptions } from '#chat/chat.ts'
import type { Asking } from '#chat/model-call.ts'
import { quietLog } from '../seed.ts'
import { FACTS } from './facts.ts'

export const ASKING: Asking = { requestId: 'request-1', callers: ['address 203.0.113.7'] }
export const OPTIONS: ChatOptions = {
  findingArticles: () => [],
  articles: loadArticles(),
  facts: () => FACTS,
  upstream: null,
  model: null,
  enabled: true,
  breaker: createBreaker(),
  dailyLimit: { take: async () => async () => {}, isReached: () => false },
  log: quietLog,
}
