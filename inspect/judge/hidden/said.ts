/** Finds the phrases of all languages in a text, word by word: patterns for all of them took half a second to compile. */

import { folded } from '../folding.ts'
import { LANGUAGES, TOGETHER } from './languages.ts'

type Language = (typeof LANGUAGES)[number]
type Column = keyof Language

/** A word, the start of one, a model, or up to three words. */
interface Phrase {
  language: number
  column: Column
  tokens: readonly string[]
}

/** By where they start: where they end. */
type Spans = Map<number, number>

const GAP_MAX = 3
const REST = '*'
const GAP = '_'
const MODEL = 'M'

/** Who reads is a model as well. */
const columnsOf = (column: Column): readonly Column[] => (column === 'reader' ? ['reader', 'model'] : [column])

const phrasesOf = (language: Language, index: number): Phrase[] =>
  (Object.keys(language) as Column[]).flatMap((name) =>
    columnsOf(name).flatMap((column) =>
      (language[name] ?? '').split('|').map((text) => ({ language: index, column, tokens: text.split(' ') })),
    ),
  )

const PHRASES: readonly Phrase[] = LANGUAGES.flatMap(phrasesOf)
const isWithModel = ({ tokens }: Phrase): boolean => tokens.includes(MODEL)

/** Phrases by their first word. */
interface Index {
  whole: ReadonlyMap<string, readonly Phrase[]>
  /** Of phrases whose first word is the start of one. */
  starts: ReadonlyMap<string, readonly Phrase[]>
  /** By the first character: how long such starts are. */
  lengths: ReadonlyMap<string, readonly number[]>
}

function byFirst(phrases: readonly Phrase[]): Index {
  const firstOf = ({ tokens: [first = ''] }: Phrase): string => first
  const starts = Map.groupBy(
    phrases.filter((phrase) => firstOf(phrase).endsWith(REST)),
    (phrase) => firstOf(phrase).slice(0, -1),
  )
  const byCharacter = Map.groupBy(starts.keys(), ([character = '']) => character)
  return {
    whole: Map.groupBy(phrases, firstOf),
    starts,
    lengths: new Map([...byCharacter].map(([first, all]) => [first, [...new Set(all.map(({ length }) => length))]])),
  }
}

const PLAIN = byFirst(PHRASES.filter((phrase) => !isWithModel(phrase)))
const WITH_MODEL = byFirst(PHRASES.filter(isWithModel))

const NO_PHRASES: readonly Phrase[] = []

function startingWith(word: string, { whole, starts, lengths }: Index): readonly Phrase[] {
  const exact = whole.get(word) ?? NO_PHRASES
  const possible = lengths.get(String.fromCodePoint(word.codePointAt(0) ?? 0))
  if (possible === undefined) return exact
  const begun = possible.flatMap((length) => (length > word.length ? [] : (starts.get(word.slice(0, length)) ?? [])))
  return begun.length === 0 ? exact : [...exact, ...begun]
}

const fits = (word: string | undefined, token: string): boolean =>
  word !== undefined && (token.endsWith(REST) ? word.startsWith(token.slice(0, -1)) : word === token)

/** Who speaks of himself tells nobody what to do. */
const OF_WRITER = /^(?:i|we|ich|wir|je|nous|yo|io|eu|ik|я|мы)$/

const ENGLISH = 0
const BEFORE_ORDERS =
  /^(?:and|or|but|please|kindly|also|then|always|never|not|just|only|simply|so|now|instead|immediately|you|first|again)$/

const NONE: ReadonlyMap<number, number> = new Map()

/** Where the tokens of a phrase end in the words; -1: they are not there. `models`: where names of models start and end. */
function endOf(tokens: readonly string[], words: readonly string[], from: number, models: typeof NONE): number {
  let at = from
  for (const [index, token] of tokens.entries()) {
    if (token === GAP) return afterGap(tokens.slice(index + 1), words, at, models)
    if (token === MODEL) at = models.get(at) ?? -1
    else at = fits(words[at], token) ? at + 1 : -1
    if (at === -1) return -1
  }
  return at
}

function afterGap(tokens: readonly string[], words: readonly string[], from: number, models: typeof NONE): number {
  for (let skipped = 0; skipped <= GAP_MAX; skipped++) {
    const end = endOf(tokens, words, from + skipped, models)
    if (end !== -1) return end
  }
  return -1
}

/** `sentences`: the number of the sentence of each word; `clauses`: whether it begins a part of one. */
export function createSaid(
  words: readonly string[],
  sentences: readonly number[] = [],
  clauses: readonly boolean[] = [],
) {
  const found = LANGUAGES.map(() => new Map<Column, Spans>())
  const spansOf = (language: number, column: Column): typeof NONE => found[language]?.get(column) ?? NONE

  function add({ language, column, tokens }: Phrase, at: number): void {
    const end = endOf(tokens, words, at, spansOf(language, 'model'))
    if (end === -1 || sentences[at] !== sentences[end - 1]) return
    const spans = found[language]?.get(column) ?? new Map<number, number>()
    found[language]?.set(column, spans.set(at, Math.max(end, spans.get(at) ?? 0)))
  }

  // Most words occur often, and most begin no phrase.
  const places = Map.groupBy(words.keys(), (at) => words[at] ?? '')
  for (const index of [PLAIN, WITH_MODEL])
    for (const [word, all] of places)
      for (const phrase of startingWith(word, index)) for (const at of all) add(phrase, at)
  // Names of models are known now.
  for (const phrase of WITH_MODEL.whole.get(MODEL) ?? [])
    for (const at of spansOf(phrase.language, 'model').keys()) add(phrase, at)

  /** In English most verbs are nouns as well: an order begins a part of a sentence, or follows one of a few words. */
  function isOrder(language: number, at: number): boolean {
    const before = words[at - 1] ?? ''
    if (OF_WRITER.test(before)) return false
    return language !== ENGLISH || clauses[at] !== false || BEFORE_ORDERS.test(before) || words[at - 2] === 'you'
  }

  /** Ends of those that start at most so many words behind one of the places. */
  function endsBehind(spans: typeof NONE, places: ReadonlySet<number>, gap: number): Set<number> {
    const ends = new Set<number>()
    if (spans.size === 0) return ends
    for (const place of places)
      for (let at = place; at <= place + gap; at++) {
        const end = spans.get(at)
        if (end !== undefined) ends.add(end)
      }
    return ends
  }

  return {
    has: (column: Column): boolean => found.some((columns) => columns.has(column)),
    /** Whether columns of one language follow each other. */
    inOrder: (first: Column, ...steps: readonly Step[]): boolean =>
      LANGUAGES.some((_, language) => {
        let ends = new Set(spansOf(language, first).values())
        for (const [column, gap] of steps) ends = endsBehind(spansOf(language, column), ends, gap)
        return ends.size > 0
      }),
    /** Whether the second column is behind the first, within so many words that `isNear` accepts. */
    follows: (
      first: Column,
      second: Column,
      reach: number,
      isNear: (one: number, other: number) => boolean,
      isTold = false,
    ): boolean =>
      LANGUAGES.some((_, language) => {
        const behind = spansOf(language, second)
        const isBehind = (end: number): boolean => {
          for (let at = end; at <= end + reach; at++)
            if (behind.has(at) && (isTold || isOrder(language, at)) && isNear(end - 1, at)) return true
          return false
        }
        return behind.size > 0 && new Set(spansOf(language, first).values()).values().some(isBehind)
      }),
    /** Whether a part of a sentence begins with an order. */
    orders: (): boolean =>
      LANGUAGES.some((_, language) =>
        [...spansOf(language, 'order').keys()].some((at) => clauses[at] === true && isOrder(language, at)),
      ),
    /** The first words of names of models. */
    models: (): string[] =>
      LANGUAGES.flatMap((_, language) => [...spansOf(language, 'model').keys()].map((at) => words[at] ?? '')),
    /** Whether a sentence begins with the name of a model and an order. */
    callsModel: (): boolean =>
      LANGUAGES.some((_, language) =>
        [...spansOf(language, 'model')].some(
          ([at, end]) =>
            sentences[at] !== sentences[at - 1] &&
            [0, 1, 2].some(
              (more) => spansOf(language, 'order').has(end + more) && sentences[end + more] === sentences[at],
            ),
        ),
      ),
    /** Where names of models that start there end. */
    modelEnds: (at: number): number[] => LANGUAGES.flatMap((_, language) => spansOf(language, 'model').get(at) ?? []),
  }
}

/** What follows, and how many words may be before it. */
type Step = readonly [column: Column, gap: number]

const together = (kind: keyof typeof TOGETHER): RegExp => new RegExp(TOGETHER[kind].map(folded).join('|'), 'u')

/** In scripts without spaces. */
export const WRITTEN_TOGETHER = {
  ignore: together('ignore'),
  address: together('address'),
  conceal: together('conceal'),
  aside: together('aside'),
  output: together('output'),
}

/** Addressed, and told what to do. */
export const ORDERED_TOGETHER = new RegExp(
  `(?:${TOGETHER.address.map(folded).join('|')})[^。]{0,60}(?:${TOGETHER.order.map(folded).join('|')})`,
  'u',
)
