/** All that we have written, filled in for this installation: the words that an answer is made of, and answers of ours. */
import { type Article, fillIn } from './articles.ts'
import { factsInWords } from './facts.ts'
import { dottedIn } from './links.ts'
import { contentWords, vocabularyOf } from './words.ts'

type Places = Readonly<Record<string, string>>

/** What the guard compares a reply with. */
export interface Written {
  /** The stems of every title, article and fact. Keywords only help to find them. */
  vocabulary: ReadonlySet<string>
  /** What has dots in it, such as the names of findings. */
  names: ReadonlySet<string>
  /** Of our own pages. */
  paths: ReadonlySet<string>
  /** Of our problems. */
  statuses: readonly number[]
}

/** Made once for the same facts. */
export function createWritten(articles: readonly Article[], statuses: readonly number[]): (places: Places) => Written {
  let made: { places: Places; written: Written } | null = null
  return (places) => {
    if (made?.places !== places) {
      const texts = articles.map(({ title, body }) => `${title}\n${fillIn(body, places)}`)
      const all = [...texts, factsInWords(places)].join('\n')
      const paths = all.split(places.url ?? '').map((rest) => /^(?:\/[\w{}-]+)+/.exec(rest)?.[0].toLowerCase() ?? '')
      const names = dottedIn([all, ...articles.map(({ keywords }) => keywords)].join('\n'))
      made = {
        places,
        written: { vocabulary: vocabularyOf(all), names: new Set(names), paths: new Set(paths), statuses },
      }
    }
    return made.written
  }
}

/** How an article itself answers: with its first paragraph, and those after it that know more words of the question. */
export function excerpt({ body }: Article, question: string, places: Places): string {
  const asked = new Set(contentWords(question).map(({ stem }) => stem))
  const [first = '', ...rest] = fillIn(body, places).split('\n\n')
  const inFirst = vocabularyOf(first)
  const missing = [...asked].filter((stem) => !inFirst.has(stem))
  const more = rest.filter((paragraph) => {
    const words = vocabularyOf(paragraph)
    return missing.some((stem) => words.has(stem))
  })
  return [first, ...more].join('\n\n')
}
