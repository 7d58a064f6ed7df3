/** What a page says beside a picture: how much, and whether it asks for what phishing asks for. */

import { charge } from '#inspect/core/work.ts'
import { BRANDS } from '../deception/brands.ts'

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

const PRETEXT =
  /\b(?:mfa|2fa|two[- ]factor|multi[- ]?factor|authenticat\w{0,9}|re-?validat\w{0,6}|verify your|verification|sign[- ]?in|log[- ]?in|log on|password|passcode|e-?sign\w{0,6}|signature|to sign|please sign|payroll|salary|bonus|direct deposit|benefits enrol\w{0,6}|voice ?mail|voice message|missed call|mailbox|quarantined?|suspend\w{0,3}|expires?|expired|expiration|unusual activity|secure(?:d)? (?:document|message|file)|shared (?:a |the )?(?:document|file)|shared with you|employee handbook|policy update|passwort|anmeld\w{1,5}|bestätig\w{1,4}|gehalt\w{0,10}|unterschr\w{1,8}|mot de passe|connexion|contraseña|iniciar sesión|nómina|senha|accedi|firma)\b/i

const LURE =
  /(?:^|[^\p{L}])(?:pay|paid|fees?|duty|customs|parcel|package|deliver|card|account|invoice|refund|renew|update|confirm|zahl|paket|zoll|konto|karte|rechnung|betaal|pakket|rekening|verlo|colis|frais|carte|compte|facture|paquete|tarjeta|cuenta|pago|pacco|conto|carta|pagamento|encomenda|cartao|conta|paczk|płatno|konta)/iu

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
  const [pretext, lure] = [PRETEXT, LURE].map((pattern) => isShort && pattern.test(start))
  return { words, pretext: pretext === true, lure: lure === true, brands: [...brands], joined: ` ${joined.join(' ')} ` }
}

/** Whether the text has the name as words of its own, one or several: `Swiss Post` for `swisspost`. */
export function names({ joined }: ShownText, name: string): boolean {
  if (joined.includes(` ${name} `)) return true
  const words = joined.trim().split(' ')
  return words.some((_, at) => [2, 3, 4].some((count) => words.slice(at, at + count).join('') === name))
}
