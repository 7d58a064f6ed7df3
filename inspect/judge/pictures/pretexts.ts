/** What a page says beside a picture: how much, and whether it asks for what phishing asks for. */

import { charge } from '#inspect/core/work.ts'
import { BRANDS } from '../deception/brands.ts'

export interface ShownText {
  /** Counted up to one more than the limit. */
  words: number
  /** Asks to sign in, to confirm or to open something that waits. */
  pretext: boolean
  /** Domains of the brands that it names. */
  brands: readonly string[]
}

/** Characters that are read. */
const TEXT_MAX = 20_000
/** For each character in which words are counted, and in which a pretext is searched. */
const COUNT_WORK = 5
const PRETEXT_WORK = 30
const WORDS_COUNTED = 61

const PRETEXT =
  /\b(?:mfa|2fa|two[- ]factor|multi[- ]?factor|authenticat\w{0,9}|re-?validat\w{0,6}|verify your|verification|sign[- ]?in|log[- ]?in|log on|password|passcode|e-?sign\w{0,6}|signature|to sign|please sign|payroll|salary|bonus|direct deposit|benefits enrol\w{0,6}|voice ?mail|voice message|missed call|mailbox|quarantined?|suspend\w{0,3}|expires?|expired|expiration|unusual activity|secure(?:d)? (?:document|message|file)|shared (?:a |the )?(?:document|file)|shared with you|employee handbook|policy update|passwort|anmeld\w{1,5}|bestätig\w{1,4}|gehalt\w{0,10}|unterschr\w{1,8}|mot de passe|connexion|contraseña|iniciar sesión|nómina|senha|accedi|firma)\b/i

const NAMES = BRANDS.filter(
  ({ name, isCommon }) => name.length > 4 && !(isCommon && name.length < 6) && !name.includes('.'),
)
const BY_NAME: ReadonlyMap<string, string> = new Map(NAMES.map(({ name, domain }) => [name, domain]))
const WORD = /[\p{L}\p{N}]{2,30}/gu

export function shownText(text: string): ShownText {
  const start = text.slice(0, TEXT_MAX)
  const brands = new Set<string>()
  let [words, counted] = [0, 0]
  for (const { 0: word, index } of start.matchAll(WORD)) {
    charge((index + word.length - counted) * COUNT_WORK)
    counted = index + word.length
    words += 1
    const domain = BY_NAME.get(word.toLowerCase())
    if (domain !== undefined) brands.add(domain)
    if (words >= WORDS_COUNTED) break
  }
  const isShort = words < WORDS_COUNTED
  charge(isShort ? start.length * PRETEXT_WORK : 0)
  return { words, pretext: isShort && PRETEXT.test(start), brands: [...brands] }
}
