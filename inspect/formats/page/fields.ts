/** What a page asks its reader for: a password, a card, or the words that open a wallet. */

import { createNear, createStarts } from '#inspect/core/matcher/starts.ts'
import { charge } from '#inspect/core/work.ts'
import {
  BANK_FIELD,
  CARD_CODE_FIELD,
  CARD_NUMBER_FIELD,
  COUNTED_WORDS,
  IDENTITY,
  MAILBOX_FIELD,
  NEVER,
  OTHER_FIELD,
  PASSWORD_FIELD,
  PERSON_FIELD,
  PHRASE,
  PIN_FIELD,
  WALLET,
} from '#inspect/judge/field-words.ts'
import { wordsOf } from '#inspect/judge/lure-words.ts'
import { hasPretext } from '#inspect/judge/pasting.ts'
import { GAP } from '#inspect/programs/javascript/javascript.ts'
import type { Behaviour } from './behaviour.ts'
import type { Markup, Tag } from './markup.ts'

interface Asked {
  /** A password, also in a drawing that takes keys, the number of a card together with its code, or a phrase. */
  asks: boolean
  /** Tags of the fields for a password. */
  passwords: readonly Tag[]
  /** The code of a card or bank account. */
  cardCode: boolean
  /** The words that a wallet can be restored from. */
  phrase: boolean
  /** The number of a person, to prove by it who he is, or the code of a bank or mailbox with its account. */
  identity: boolean
}

const PAGE_WORK = 20
/** The text before a field, or before text that can be edited. */
const BEFORE_FIELD = createNear(
  />\s{0,20}([^<>\s][^<>]{1,60})(?:<(?!input|textarea|script)[^<>]{0,200}>\s{0,9}){0,4}<(?:input|textarea|[a-z]{1,9}\s[^<>]{0,200}\bcontenteditable)/i,
  ['<input', '<textarea', 'contenteditable'],
  { before: 1_200, after: 16 },
  PAGE_WORK,
)
const LABEL = createStarts(/<label\b[^<>]{0,300}>(?:\s{0,20}<[a-z][^<>]{0,100}>){0,3}\s{0,20}([^<>\s][^<>]{1,60})/i, [
  '<label',
])
const LABELS_MAX = 100
/** Shows dots instead of letters, as a field for a password does. */
const MASK = /-text-security\s{0,4}:/i

const TYPED = /^(?:text|tel|email|url|search|number)?$/i
const NAMED = ['name', 'id', 'placeholder', 'aria-label', 'title', 'autocomplete', 'data-placeholder']

/** Everything that a field is called by. */
function titlesOf({ attributes }: Tag): string[] {
  return NAMED.flatMap((key) => attributes.get(key)?.trim() ?? [])
}

const isField = ({ name }: Tag): boolean => name === 'input' || name === 'textarea'

function isTyped(tag: Tag): boolean {
  if (tag.name === 'input') return TYPED.test(tag.attributes.get('type')?.trim() ?? '')
  return tag.name === 'textarea' || tag.attributes.has('contenteditable')
}

/** No shop asks for the code of a card together with a password, and no bank sends a form for it. */
const CARD_CODE =
  /^(?:cvv2?|cvc2?|cc-csc|card[_-]?(?:code|cvv|cvc|pin)|security[ _-]?code|(?:push|sms|chip)?[_-]?tan(?:[_-]?(?:nr|nummer|code))?)$/i

/** Wallets use 12 words at least. */
export const WORDS_MIN = 12
const WORD_FIELD = /^([a-z _#-]{0,24}?)[ _#-]{0,2}(\d{1,2})[.:]?$/i
/** Numbered by a script, in a loop of which it is not known how often it runs. */
const NUMBERED = new RegExp(`^${GAP}[.:)]$`)
/** An example of what is entered. */
const WORD_LIST = /\bword ?1\b/i
/** A page that only asks for them has little else. */
const ASKING_MAX = 2_000
const WRITTEN_FIELD = /<(?:input|textarea)\b[^<>]{0,400}/gi
const TEXT_WORK = 20

/** `text`: what the reader sees. `page`: the source of the page. */
export function askedFor({ tags, text }: Markup, page: string, behaviour: Behaviour | null): Asked {
  const typed = tags.filter(isTyped)
  const made = behaviour?.madeTitles ?? []
  const passwords = tags.filter(isPasswordField)
  const hasFields = typed.length > 0 || made.length > 0
  const labels = hasFields && passwords.length === 0 ? labelsIn(page) : []
  if (typed.length > 0 && passwords.length === 0)
    passwords.push(...(behaviour?.masksFields ? typed : disguised(typed, labels, page)))
  const titles = [...tags.filter(isField).flatMap(titlesOf), ...made]
  const isCalled = (pattern: RegExp): boolean => [...titles, ...labels].some((title) => pattern.test(wordsOf(title)))
  const cardCode = titles.some((title) => CARD_CODE.test(title))
  const phrase = asksForPhrase(typed, titles, text, behaviour)
  const isDrawn = behaviour?.drawn.some((label) => PASSWORD_FIELD.test(wordsOf(label))) ?? false
  const isMade = behaviour?.createsFields === true && behaviour.masksFields
  const isCard = hasFields && isCalled(CARD_NUMBER_FIELD) && isCalled(CARD_CODE_FIELD)
  const identity = hasFields && (asksIdentity(isCalled, text) || SESSION.every((name) => titles.includes(name)))
  const asks = passwords.length > 0 || phrase || isDrawn || isMade || isCard || identity
  return { asks, passwords, cardCode, phrase, identity }
}

/** Cookies of a social network, by which anybody is signed in. */
const SESSION = ['c_user', 'xs']

function asksIdentity(isCalled: (pattern: RegExp) => boolean, text: string): boolean {
  const isPin = isCalled(PIN_FIELD) && (isCalled(BANK_FIELD) || (isCalled(MAILBOX_FIELD) && isClosed(text)))
  return isPin || (isCalled(PERSON_FIELD) && provesIdentity(text))
}

/** Something is only shown to him who enters the code of his mailbox. */
const isClosed = (text: string): boolean => text.length <= ASKING_MAX && hasPretext(text)

function provesIdentity(text: string): boolean {
  if (text.length > ASKING_MAX) return false
  charge(text.length * TEXT_WORK)
  return IDENTITY.test(wordsOf(text))
}

function isPasswordField({ name, attributes }: Tag): boolean {
  if (name !== 'input') return false
  // Some hide the type from searches, and the letters by a style.
  const type = attributes.get('type') ?? 'text'
  return (
    /^password$/i.test(type) || (/^text$/i.test(type) && /^pass(?:word|wort|wd)$/i.test(attributes.get('name') ?? ''))
  )
}

/** Texts that name the fields of a page. */
function labelsIn(page: string): readonly string[] {
  return [BEFORE_FIELD, LABEL.matches].flatMap((matches) =>
    Array.from(matches(page), ([, label = '']) => label).slice(0, LABELS_MAX),
  )
}

/** Fields that only look like those for a password, or that are called so. */
function disguised(typed: readonly Tag[], labels: readonly string[], page: string): readonly Tag[] {
  const called = typed.filter((tag) => titlesOf(tag).some((title) => PASSWORD_FIELD.test(wordsOf(title))))
  if (called.length > 0) return called
  return MASK.test(page) || labels.some((label) => PASSWORD_FIELD.test(wordsOf(label))) ? typed : []
}

/** `titles`: of all fields, also of those that a script makes. */
function asksForPhrase(
  typed: readonly Tag[],
  titles: readonly string[],
  text: string,
  behaviour: Behaviour | null,
): boolean {
  if (typed.some((tag) => titlesOf(tag).some((title) => PHRASE.test(wordsOf(title))))) return true
  const written = behaviour?.written.flatMap((markup) => markup.match(WRITTEN_FIELD) ?? []) ?? []
  const count = Math.max(countNumbered(titles), written.length)
  const isMade = behaviour?.createsFields === true || written.length > 0
  const isFree =
    text.length < ASKING_MAX && (written.some(isOwnField) || typed.some((tag) => isOwnField(wholeTitle(tag))))
  if (count < WORDS_MIN && !isMade && !isFree) return false
  charge(text.length * TEXT_WORK)
  const words = wordsOf(text)
  const isCounted = COUNTED_WORDS.test(words) || titles.some((title) => NUMBERED.test(title))
  if (!PHRASE.test(words) && !((isFree || isMade) && isCounted && WALLET.test(words))) return false
  return count >= WORDS_MIN || (isCounted && isMade) || (isFree && !NEVER.test(words))
}

const wholeTitle = (tag: Tag): string => [tag.attributes.get('type') ?? '', ...titlesOf(tag)].join(' ')

/** Not one for an address, a name or a search, nor one of many. */
function isOwnField(title: string): boolean {
  return WORD_LIST.test(title) || !(OTHER_FIELD.test(wordsOf(title)) || WORD_FIELD.test(title.trim()))
}

/** Fields that differ only by their numbers. */
function countNumbered(titles: readonly string[]): number {
  const numbers = new Map<string, Set<string>>()
  for (const title of titles) {
    const [, name = '', number] = WORD_FIELD.exec(title) ?? []
    if (number !== undefined) numbers.set(name, (numbers.get(name) ?? new Set()).add(number))
  }
  return Math.max(0, ...numbers.values().map(({ size }) => size))
}
