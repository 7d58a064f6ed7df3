/** Questions with ready answers, from the same articles; no model is asked. */
import { type Article, fillIn } from './articles.ts'

export interface Suggestion {
  id: string
  question: string
  answer: string
}

/** The order in which they are offered; every article with a suggestion is here. */
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
  let made: { places: Readonly<Record<string, string>>; list: Suggestion[] } | null = null

  return (places: Readonly<Record<string, string>>): Suggestion[] => {
    if (made?.places !== places) {
      const list = offered.map(({ id, suggestion, body }) => ({
        id,
        question: suggestion ?? '',
        answer: fillIn(body.split('\n\n', 1)[0] ?? '', places),
      }))
      made = { places, list }
    }
    return made.list
  }
}
