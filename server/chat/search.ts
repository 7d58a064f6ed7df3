/** Finds the articles for a question with a small in-memory BM25 index. */
import type { Article } from './articles.ts'
import { contentWords, wordsOf } from './words.ts'

export interface Hit {
  article: Article
  score: number
}

export type Search = ReturnType<typeof createSearch>

const TITLE_WEIGHT = 3
const KEYWORD_WEIGHT = 3
const BODY_WEIGHT = 1
/** BM25 parameters k1 and b. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.5

/** For each word of a phrase that the question contains: more than single words can add up to. */
const PHRASE_WORD_SCORE = 10

interface Entry {
  article: Article
  /** As stems between spaces. */
  phrases: string[]
  weights: Map<string, number>
  length: number
}

const inStems = (text: string): string =>
  ` ${wordsOf(text)
    .map(({ stem }) => stem)
    .join(' ')} `

function entryOf(article: Article): Entry {
  const weights = new Map<string, number>()
  let length = 0
  const add = (text: string, weight: number) => {
    for (const { stem } of contentWords(text)) {
      weights.set(stem, (weights.get(stem) ?? 0) + weight)
      length += weight
    }
  }
  add(article.title, TITLE_WEIGHT)
  add(`${article.keywords} ${article.phrases.join(' ')} ${article.suggestion ?? ''}`, KEYWORD_WEIGHT)
  add(article.body.replaceAll(/\{\{\w+\}\}/g, ' '), BODY_WEIGHT)
  return { article, phrases: article.phrases.map(inStems), weights, length }
}

export function createSearch(articles: readonly Article[]) {
  const entries = articles.map(entryOf)
  const meanLength = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length)
  const holders = new Map<string, number>()
  for (const { weights } of entries) {
    for (const stem of weights.keys()) holders.set(stem, (holders.get(stem) ?? 0) + 1)
  }
  const rarity = (stem: string): number => {
    const count = holders.get(stem) ?? 0
    return Math.log(1 + (entries.length - count + 0.5) / (count + 0.5))
  }
  const scoreOf = ({ weights, length }: Entry, stem: string): number => {
    const weight = weights.get(stem)
    if (weight === undefined) return 0
    const damping = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength)
    return (rarity(stem) * weight * (SATURATION + 1)) / (weight + damping)
  }
  const phraseScore = ({ phrases }: Entry, question: string): number => {
    const words = phrases.filter((phrase) => question.includes(phrase)).map((phrase) => phrase.split(' ').length - 2)
    return PHRASE_WORD_SCORE * Math.max(0, ...words)
  }

  return {
    /** Best match first; only articles that share a word or phrase with the question. */
    find(question: string, limit: number): Hit[] {
      const stems = [...new Set(contentWords(question).map(({ stem }) => stem))].filter((stem) => holders.has(stem))
      const asked = inStems(question)
      return entries
        .map((entry) => ({
          article: entry.article,
          score: stems.reduce((sum, stem) => sum + scoreOf(entry, stem), phraseScore(entry, asked)),
        }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
    },
    /** Whether any article contains a word with this stem. */
    knows: (stem: string): boolean => holders.has(stem),
  }
}
