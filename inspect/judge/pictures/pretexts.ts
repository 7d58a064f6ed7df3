/** What a page says beside a picture: how much, and whether it asks for what phishing asks for. */

import { referencesShown } from '#inspect/codecs/character-references.ts'
import { charge } from '#inspect/core/work.ts'
import { BRANDS, type Brand } from '../deception/brands.ts'
import { tablesInUse, wider } from '../deception/wider.ts'
import { folded } from '../folding.ts'
import { PAYS, SIGNS, wordsOf } from '../lure-words.ts'
import { BAITS, OFFICES, ONLY_PHONE, PRESSES, SCANS, SECRETS, THREATENS, WAITS } from './pretext-words.ts'

export interface ShownText {
  /** Counted up to one more than the limit. */
  words: number
  /** Asks to sign in, to confirm or to open something that waits. */
  pretext: boolean
  /** Asks for what nobody asks for on paper, or that the reader takes his phone. */
  demands: boolean
  /** Asks for money, or names what such a message is about: a parcel, a card, an account. */
  lure: boolean
  /** Says that a parcel, a fine or a refund waits. */
  waits: boolean
  /** Sets a term, or threatens. */
  presses: boolean
  /** Names an amount of money. */
  money: boolean
  /** Says that somebody has recorded, taken or locked something. */
  threatens: boolean
  /** Names an office of the state or of a company. */
  office: boolean
  /** Of a long text, the others are about the words around those that speak of a code. false: none do. */
  isNear: boolean
  /** Domains of the brands that it names, and of those that the channel adds: see `brandsOf`. */
  brands: readonly string[]
  addedBrands: readonly string[]
  /** Words with a capital letter, in lower case, as hosts write them. */
  capitals: ReadonlySet<string>
  /** Names a carrier whose name is another word as well. */
  commons: boolean
  /** The words in lower case, with one space before, between and after them. */
  joined: string
}

/** Characters that are read. */
const TEXT_MAX = 20_000
/** For each character in which words are counted, and in which a pretext is searched. */
const COUNT_WORK = 5
const PRETEXT_WORK = 60
const WORDS_COUNTED = 151
/** Words of a long text before and after those that speak of a code, or from its beginning. */
const BEFORE = 70
const AFTER = 30

const NAME_MIN = 4
/** Means of payment that signs of others name. */
const ON_SIGNS: ReadonlySet<string> = new Set([
  'easypark',
  'paybyphone',
  'ringgo',
  'parkster',
  'justpark',
  'parkmobile',
  'mycicero',
  'qpark',
  'touchngo',
  'viaverde',
])
/** Names of brands that are other words as well count only where a code poses as them. */
const BY_NAME: ReadonlyMap<string, string> = new Map(
  BRANDS.filter(
    ({ name, isCommon }) => name.length > NAME_MIN && !isCommon && !name.includes('.') && !ON_SIGNS.has(name),
  ).map(({ name, domain }) => [name, domain]),
)
const CARRIERS =
  / (?:dhl|ups|dpd|gls|hermes|evri|swiss post|la poste|royal mail|chronopost|postnord|postnl|bpost|poste italiane|ing|n26|visa|amazon|post) /
const WORD = /[\p{L}\p{N}]{1,30}/gu

/** `isWhole`: the whole of a long text is judged, not what is near a code. */
export function shownText(text: string, isWhole = false): ShownText {
  const start = text.slice(0, TEXT_MAX)
  const words = start.match(WORD) ?? []
  charge(start.length * COUNT_WORK)
  const count = words.filter((word) => word.length > 1).length
  const isShort = count < WORDS_COUNTED
  charge(start.length * PRETEXT_WORK)
  const all = wordsOf(start)
  const said = (isShort || isWhole ? all : aroundCode(all)).replace(ENROLS, ' ')
  const stated = said.replace(TERMS, ' ')
  const wordsSaid = wordsNaming(start, said)
  const added = tablesInUse()?.byName
  return {
    words: Math.min(count, WORDS_COUNTED),
    pretext: SIGNS.test(said) || BAITS.test(said),
    demands: SECRETS.test(said) || ONLY_PHONE.test(said),
    lure: PAYS.test(said),
    waits: WAITS.test(isShort ? stated : stated.replace(OF_TERMS, '')),
    presses: PRESSES.test(stated),
    money: AMOUNT.test(start),
    threatens: THREATENS.test(said),
    office: OFFICES.test(said),
    isNear: isShort || said !== '',
    commons: CARRIERS.test(said),
    brands: [...new Set(wordsSaid.flatMap((word) => BY_NAME.get(word) ?? []))],
    addedBrands: added === undefined ? [] : [...new Set(wordsSaid.flatMap((word) => domainOfOwn(added.get(word))))],
    joined: ` ${inLatin(folded(words.map((word) => word.toLowerCase()).join(' ')))} `,
    capitals: new Set(words.filter((word) => /^\p{Lu}/u.test(word)).flatMap(spellings)),
  }
}

/** Printed addresses on sites where everybody has pages: they name no brand. */
const PAGES =
  /(?<![\w.])(?:https?:\/\/)?(?:www\.)?(?:github|gitlab|bitbucket|codeberg|sourceforge|facebook|instagram|linkedin|youtube|twitter|x|tiktok|pinterest|vimeo|t)\.(?:com|org|net|me)\/[\w@~.-][^\s<>"']{0,200}/gi

function wordsNaming(start: string, said: string): string[] {
  const all = [...said.matchAll(WORD)].map(([word]) => word)
  const others = start.replace(PAGES, ' ')
  if (others.length === start.length) return all
  charge(start.length * PRETEXT_WORK)
  const rest = new Set(wordsOf(others).split(' '))
  return all.filter((word) => rest.has(word))
}

/** In every script, with its sign or its name before or behind it. */
const AMOUNT =
  /[€$£¥₹₺₽₴฿₫₩₪]\s?\d|\d\s?(?:[€$£¥₹₺₽₴฿₫₩₪]|(?:eur|euros?|usd|gbp|chf|kr|dkk|sek|nok|pln|zł|kč|czk|ft|huf|lei|ron|лв|руб|грн|tl|try|ksh|rs|inr|đồng|денара|динара|ريال|درهم|تومان|元|円|원|บาท|টাকা|रुपये)(?![\p{L}]))|(?:chf|eur|usd|gbp|aud|cad|rm|rp|ksh|inr|rs|r\$|港幣|hk\$|ש"ח)[.\s]{0,2}\d|\d\s?ש"ח/iu

/** To take part is no signature, and what is not needed is not asked for. */
const ENROLS =
  / (?:(?:sign|signing|signed) up|(?:no|without|keine?|ohne|sans|sin|senza|geen|zonder|sem|bez|ingen|ikke|utan|uden|uten) (?:any |further |extra )?(?:login|log in|sign in|account|password|registration|registrierung|anmeldung|konto|passwort|inscription|compte|connexion|mot de passe|cuenta|registro|contrasena|registrazione|password|aanmelding|wachtwoord|conta|senha|logowania|hasła|konta|inloggning|losenord|innlogging|login))(?= )/g

/** Terms of tickets and orders: what is not given back, and what a change costs. */
const TERMS =
  / (?:(?:no|non|not|without|keine?|ohne|nicht|sans|pas de|sin|senza|geen|sem|bez|ikke|ingen) (?:refund[a-z]{0,6}|ruckgabe|erstattung|ruckerstattung|remboursement|devolucion|rimborso|teruggave|reembolso|zwrotu)|(?:refunds?|erstattung|ruckgabe und erstattung) (?:are|is|sind|ist) (?:not|excluded|ausgeschlossen)|penalties apply|penalties may apply|nonrefundable|non refundable)(?= )/g

const domainOfOwn = (brand?: Brand): readonly string[] =>
  brand === undefined || brand.isCommon || brand.name.length <= NAME_MIN ? [] : [brand.domain]

export const brandsOf = ({ brands, addedBrands }: ShownText): readonly string[] =>
  wider() === null || addedBrands.length === 0 ? brands : [...brands, ...addedBrands]

/** Words of the terms of tickets and orders as well. */
const OF_TERMS = / (?:fine|penalty|penalties|refund[a-z]{0,6})(?= )/g

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa', æ: 'ae' }

function spellings(word: string): string[] {
  const small = word.normalize('NFC').toLowerCase().replaceAll('ß', 'ss')
  return [folded(small), inLatin(small), small.replace(/[äöüøåæ]/g, (letter) => UMLAUTS[letter] ?? letter)]
}

/** As names in other letters are written in hosts. */
const IN_LATIN: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'h',
  ґ: 'g',
  д: 'd',
  е: 'e',
  є: 'ie',
  ж: 'zh',
  з: 'z',
  и: 'y',
  і: 'i',
  ї: 'i',
  й: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ь: '',
  ъ: '',
  ы: 'y',
  э: 'e',
  ю: 'iu',
  я: 'ia',
  ё: 'e',
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
}
const OTHER_LETTERS = /[\u0370-\u04ff]/g
const inLatin = (word: string): string => word.replace(OTHER_LETTERS, (letter) => IN_LATIN[letter] ?? letter)

/** With the words at the beginning: who writes, and why. '': nothing speaks of a code. */
function aroundCode(all: string): string {
  const index = SCANS.exec(all)?.index
  if (index === undefined) return ''
  const before = all.slice(0, index).trim().split(' ')
  const after = all.slice(index).trim().split(' ')
  const near = [...before.slice(-BEFORE), ...after.slice(0, AFTER)]
  const first = before.length > BEFORE ? before.slice(0, Math.min(AFTER, before.length - BEFORE)) : []
  return ` ${[...first, ...near].join(' ')} `
}

/** Whether the text has the name as words of its own, one or several: `Swiss Post` for `swisspost`. */
export function names({ joined }: ShownText, name: string): boolean {
  if (joined.includes(` ${name} `)) return true
  const words = joined.trim().split(' ')
  return words.some((_, at) => [2, 3, 4].some((count) => words.slice(at, at + count).join('') === name))
}

const HIDDEN = /<(style|script|title)\b[^<>]{0,500}>(?:(?!<\/\1)[\s\S])*/gi
const TAG = /<[^<>]{0,200000}>/g

/** Of a page: what is between its tags. */
export function withoutTags(source: string): string {
  return referencesShown(source.includes('<') ? source.replace(HIDDEN, ' ').replace(TAG, ' ') : source)
}
