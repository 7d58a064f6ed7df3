/** Articles about the findings that a question names, from the catalogue of the analyser. */
import type { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import type { Article } from './articles.ts'
import { dottedIn } from './links.ts'
import { vocabularyOf } from './words.ts'

/** Articles in the prompt; the others are found by search. */
const NAMED_MAX = 2

type Catalogue = typeof CATALOGUE
type Definition = NonNullable<ReturnType<Catalogue['get']>>

function articleOf({ id, severity, title, reason, article }: Definition): Article {
  const { danger, cause, advice } = article
  const honest = cause === null ? 'No legitimate cause is known.' : `A legitimate cause: ${cause}`
  const body = `\`${id}\` (${severity}): ${reason} ${danger} ${honest} What to do: ${advice}\n\nSee {{url}}/findings/${id}.`
  return {
    id: `finding-${id.toLowerCase().replaceAll('.', '-')}`,
    title,
    keywords: id,
    phrases: [],
    suggestion: null,
    order: 0,
    body,
  }
}

export type FindingArticles = ReturnType<typeof createFindingArticles>

/** Not part of the search: hundreds of similar texts would hide the articles about the service. */
export function createFindingArticles(catalogue: Catalogue) {
  const byName = new Map(Array.from(catalogue.values(), (each) => [each.id.toLowerCase(), each]))
  return (question: string): Article[] => {
    const names = new Set(dottedIn(question).map((name) => name.toLowerCase()))
    return [...names]
      .flatMap((name) => byName.get(name) ?? [])
      .slice(0, NAMED_MAX)
      .map(articleOf)
  }
}

interface Known {
  vocabulary: ReadonlySet<string>
  names: ReadonlySet<string>
}

/** The reply may use the words of these articles, too. */
export function withArticles<K extends Known>(known: K, articles: readonly Article[]): K {
  if (articles.length === 0) return known
  const text = articles.map(({ title, body }) => `${title}\n${body}`).join('\n')
  const [words, names] = [vocabularyOf(text), new Set(dottedIn(text))]
  return { ...known, vocabulary: known.vocabulary.union(words), names: known.names.union(names) }
}
