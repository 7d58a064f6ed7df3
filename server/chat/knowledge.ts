/** All that we have written, filled in for this installation: the words that an answer is made of, and answers of ours. */
import { type Article, fillIn } from './articles.ts'
import { factsInWords } from './facts.ts'
import { contentWords, vocabularyOf } from './words.ts'

type Places = Readonly<Record<string, string>>

/** The stems of every article with its keywords, and of the facts. Made once for the same facts. */
export function createVocabulary(articles: readonly Article[]): (places: Places) => ReadonlySet<string> {
  let made: { places: Places; stems: ReadonlySet<string> } | null = null
  return (places) => {
    if (made?.places !== places) {
      const texts = articles.map(({ title, keywords, body }) => `${title}\n${keywords}\n${fillIn(body, places)}`)
      made = { places, stems: vocabularyOf([...texts, factsInWords(places)].join('\n')) }
    }
    return made.stems
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
