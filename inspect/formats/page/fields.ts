/** What a page asks its reader for: a password, a card, or the words that open a wallet. */

import { charge } from '#inspect/core/work.ts'
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
}

/** "Password" as a label says it, in the languages of most readers; letters outside of ASCII as UTF-8. */
const PASSWORD_WORD = String.raw`(?:pass(?:word|wort|code|wd)|kennwort|wachtwoord|contrase.{1,2}a|mot de passe|senha|parola|salasana|l(?:\xc3\xb6|o)senord|has\xc5\x82o|\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c|\xe5\xaf\x86\xe7\xa0\x81)`
const BEFORE_IT = String.raw`(?:(?:enter|confirm|your|the|e-?mail|mail(?:box)?|account|current|login|office|outlook|windows|ihr|votre|su)[\s-]{1,2}){0,4}`
const LABELLED = new RegExp(`^\\s{0,20}${BEFORE_IT}${PASSWORD_WORD}`, 'i')
const LABEL = new RegExp(
  String.raw`<label\b[^<>]{0,300}>(?:\s{0,20}<[a-z][^<>]{0,100}>){0,3}\s{0,20}${BEFORE_IT}${PASSWORD_WORD}`,
  'i',
)
/** A cell or line before text that can be edited. */
const BEFORE_TEXT = new RegExp(
  String.raw`>\s{0,20}${BEFORE_IT}${PASSWORD_WORD}[\s:*]{0,9}(?:<[^<>]{0,100}>\s{0,9}){0,4}<[a-z]{1,9}\s[^<>]{0,200}\bcontenteditable`,
  'i',
)
/** Shows dots instead of letters, as a field for a password does. */
const MASK = /-text-security\s{0,4}:/i
const PAGE_WORK = 20

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
const CARD_NUMBER =
  /^(?:cc-number|(?:credit|debit)?[ _-]?card[ _-]?(?:number|num|no|nr)\.?|cc[ _-]?(?:number|num|no)|kartennummer|kreditkarte(?:nnummer)?|num(?:e|\xc3\xa9)ro de (?:carte|tarjeta))$/i

const PHRASE =
  /(?:(?:seed|recovery|secret|backup|wiederherstellungs)[ _-]{0,3}(?:recovery[ _-]{0,3})?(?:phrase|words)|\bmnemonic\b)/i
/** Wallets use 12 words at least. */
export const WORDS_MIN = 12
const COUNTED = /\b(?:12|15|18|21|24)[ -]words?\b/i
const WORD_FIELD = /^(?:word|w|seed|phrase|mnemonic)?[ _#-]{0,2}\d{1,2}[.:]?$/i

/** `text`: what the reader sees. `page`: the source of the page. */
export function askedFor({ tags, text }: Markup, page: string, behaviour: Behaviour | null): Asked {
  const typed = tags.filter(isTyped)
  const passwords = tags.filter(isPasswordField)
  if (typed.length > 0 && passwords.length === 0)
    passwords.push(...(behaviour?.masksFields ? typed : disguised(typed, page)))
  const has = (pattern: RegExp): boolean =>
    tags.some((tag) => isField(tag) && titlesOf(tag).some((each) => pattern.test(each)))
  const cardCode = has(CARD_CODE)
  const phrase = asksForPhrase(typed, text, behaviour)
  const isDrawn = behaviour?.drawn.some((label) => LABELLED.test(label)) ?? false
  const asks = passwords.length > 0 || phrase || isDrawn || (cardCode && has(CARD_NUMBER))
  return { asks, passwords, cardCode, phrase }
}

function isPasswordField({ name, attributes }: Tag): boolean {
  if (name !== 'input') return false
  // Some hide the type from searches, and the letters by a style.
  const type = attributes.get('type') ?? 'text'
  return (
    /^password$/i.test(type) || (/^text$/i.test(type) && /^pass(?:word|wort|wd)$/i.test(attributes.get('name') ?? ''))
  )
}

/** Fields that only look like those for a password, or that are called so. */
function disguised(typed: readonly Tag[], page: string): readonly Tag[] {
  const called = typed.filter((tag) => titlesOf(tag).some((title) => LABELLED.test(title)))
  if (called.length > 0) return called
  charge(page.length * PAGE_WORK)
  return [MASK, LABEL, BEFORE_TEXT].some((sign) => sign.test(page)) ? typed : []
}

function asksForPhrase(typed: readonly Tag[], text: string, behaviour: Behaviour | null): boolean {
  if (typed.some((tag) => titlesOf(tag).some((title) => PHRASE.test(title)))) return true
  const words = typed.filter((tag) => titlesOf(tag).some((title) => WORD_FIELD.test(title)))
  const hasFields = words.length >= WORDS_MIN || (behaviour?.createsFields === true && COUNTED.test(text))
  return hasFields && PHRASE.test(text)
}
