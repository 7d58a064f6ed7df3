/** Everything the articles and facts say in this installation: the guard's reference, suggestions, fallback answers. */
import { type Article, fillIn } from './articles.ts'
import { type Facts, factsInWords, type Placeholders, placeholdersOf } from './facts.ts'
import { dottedIn } from './links.ts'
import { contentWords, vocabularyOf } from './words.ts'

export type Knowledge = ReturnType<typeof readKnowledge>

/** Throws if an article uses an unknown placeholder. */
export function readKnowledge(articles: readonly Article[], facts: Facts) {
  const values = placeholdersOf(facts)
  const filled = articles.map((article) => ({ ...article, body: fillIn(article.body, values) }))
  const all = [...filled.map(({ title, body }) => `${title}\n${body}`), factsInWords(values)].join('\n')
  const paths = all.split(facts.publicUrl).map((rest) => /^(?:\/[\w{}-]+)+/.exec(rest)?.[0].toLowerCase() ?? '')
  return {
    values,
    publicUrl: facts.publicUrl,
    /** Stems of every title, article and fact. Keywords only help the search. */
    vocabulary: vocabularyOf(all),
    /** Names with dots, such as those of findings. */
    names: new Set(dottedIn([all, ...articles.map(({ keywords }) => keywords)].join('\n'))),
    /** Paths of our own pages. */
    paths: new Set(paths),
    suggestions: filled
      .filter(({ suggestion }) => suggestion !== null)
      .sort((a, b) => a.order - b.order)
      .map(({ id, suggestion, body }) => ({ id, question: suggestion ?? '', answer: body.split('\n\n', 1)[0] ?? '' })),
  }
}

/** Only the state of the engines changes at run time, so the rest is computed only with it. */
export function cacheKnowledge(articles: readonly Article[], facts: () => Facts): () => Knowledge {
  let cached: { key: string; knowledge: Knowledge } | null = null
  return () => {
    const now = facts()
    const key = now.engines.map(({ name, status }) => `${name} ${status}`).join()
    if (cached?.key !== key) cached = { key, knowledge: readKnowledge(articles, now) }
    return cached.knowledge
  }
}

/** The fallback answer: the first paragraph of an article, and later ones that contain more words of the question. */
export function excerpt({ body }: Article, question: string, values: Placeholders): string {
  const [first = '', ...rest] = fillIn(body, values).split('\n\n')
  const inFirst = vocabularyOf(first)
  const missing = contentWords(question).flatMap(({ stem }) => (inFirst.has(stem) ? [] : [stem]))
  const more = rest.filter((paragraph) => {
    const words = vocabularyOf(paragraph)
    return missing.some((stem) => words.has(stem))
  })
  return [first, ...more].join('\n\n')
}
