/** Everything the articles and facts say in this installation: the reference for the guard, and the fallback answer. */
import { type Article, fillIn } from './articles.ts'
import { factsInWords, type Placeholders } from './facts.ts'
import { dottedIn } from './links.ts'
import { contentWords, vocabularyOf } from './words.ts'

export interface Written {
  /** Stems of every title, article and fact. Keywords only help the search. */
  vocabulary: ReadonlySet<string>
  /** Names with dots, such as those of findings. */
  names: ReadonlySet<string>
  /** Paths of our own pages. */
  paths: ReadonlySet<string>
}

/** Computed once for the same placeholder values. */
export function createWritten(articles: readonly Article[]): (values: Placeholders) => Written {
  let cached: { values: Placeholders; written: Written } | null = null
  return (values) => {
    if (cached?.values !== values) {
      const texts = articles.map(({ title, body }) => `${title}\n${fillIn(body, values)}`)
      const all = [...texts, factsInWords(values)].join('\n')
      const paths = all.split(values.url ?? '').map((rest) => /^(?:\/[\w{}-]+)+/.exec(rest)?.[0].toLowerCase() ?? '')
      const names = dottedIn([all, ...articles.map(({ keywords }) => keywords)].join('\n'))
      cached = { values, written: { vocabulary: vocabularyOf(all), names: new Set(names), paths: new Set(paths) } }
    }
    return cached.written
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
