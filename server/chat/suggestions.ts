/** Suggested questions with answers from the articles, without a model call. */
import { type Article, fillIn } from './articles.ts'
import type { Placeholders } from './facts.ts'

export interface Suggestion {
  id: string
  question: string
  answer: string
}

/** Display order; lists every article with a suggestion. */
export const ORDER = [
  'what-is-docvet',
  'scan-a-document',
  'verdict',
  'formats',
  'sign-up',
  'privacy',
  'plans',
  'quota',
  'rate-limit',
  'no-verdict',
  'errors',
  'keys',
  'eicar',
  'engines',
  'marketplace',
  'self-hosting',
  'security',
  'assistant',
]

export function createSuggestions(articles: readonly Article[]) {
  const offered = ORDER.flatMap((id) => articles.filter((article) => article.id === id && article.suggestion !== null))
  let cached: { values: Placeholders; list: Suggestion[] } | null = null

  return (values: Placeholders): Suggestion[] => {
    if (cached?.values !== values) {
      const list = offered.map(({ id, suggestion, body }) => ({
        id,
        question: suggestion ?? '',
        answer: fillIn(body.split('\n\n', 1)[0] ?? '', values),
      }))
      cached = { values, list }
    }
    return cached.list
  }
}
