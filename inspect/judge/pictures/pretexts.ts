/** What a page says beside a picture: how much, and whether it asks for what phishing asks for. */

import { charge } from '#inspect/core/work.ts'
import { BRANDS } from '../deception/brands.ts'
import { PAYS, SIGNS, wordsOf } from '../lure-words.ts'

export interface ShownText {
  /** Counted up to one more than the limit. */
  words: number
  /** Asks to sign in, to confirm or to open something that waits. */
  pretext: boolean
  /** Asks for money, or names what such a message is about: a parcel, a card, an account. */
  lure: boolean
  /** Domains of the brands that it names. */
  brands: readonly string[]
  /** The words in lower case, with one space before, between and after them. */
  joined: string
}

/** Characters that are read. */
const TEXT_MAX = 20_000
/** For each character in which words are counted, and in which a pretext is searched. */
const COUNT_WORK = 5
const PRETEXT_WORK = 30
const WORDS_COUNTED = 61

/** Names of brands that are other words as well count only where a code poses as them. */
const BY_NAME: ReadonlyMap<string, string> = new Map(
  BRANDS.filter(({ name, isCommon }) => name.length > 4 && !isCommon && !name.includes('.')).map(({ name, domain }) => [
    name,
    domain,
  ]),
)
const WORD = /[\p{L}\p{N}]{1,30}/gu

export function shownText(text: string): ShownText {
  const start = text.slice(0, TEXT_MAX)
  const brands = new Set<string>()
  const joined: string[] = []
  let [words, counted] = [0, 0]
  for (const { 0: word, index } of start.matchAll(WORD)) {
    charge((index + word.length - counted) * COUNT_WORK)
    counted = index + word.length
    words += word.length > 1 ? 1 : 0
    joined.push(word.toLowerCase())
    const domain = BY_NAME.get(word.toLowerCase())
    if (domain !== undefined) brands.add(domain)
    if (words >= WORDS_COUNTED) break
  }
  const isShort = words < WORDS_COUNTED
  charge(isShort ? start.length * PRETEXT_WORK : 0)
  const said = isShort ? wordsOf(start) : ''
  const [pretext, lure] = [SIGNS.test(said), PAYS.test(said)]
  return { words, pretext, lure, brands: [...brands], joined: ` ${joined.join(' ')} ` }
}

/** Whether the text has the name as words of its own, one or several: `Swiss Post` for `swisspost`. */
export function names({ joined }: ShownText, name: string): boolean {
  if (joined.includes(` ${name} `)) return true
  const words = joined.trim().split(' ')
  return words.some((_, at) => [2, 3, 4].some((count) => words.slice(at, at + count).join('') === name))
}
