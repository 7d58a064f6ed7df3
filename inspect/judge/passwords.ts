/** Finds words in the text of a mail that may be the password of an attachment. */

import { unreferenced } from '#inspect/codecs/character-references.ts'
import { charge } from '#inspect/core/work.ts'

const IN_OTHER_SCRIPTS = '密[码碼]|口令|パスワード|비밀번호|암호|كلمة (?:ال)?(?:مرور|سر)|סיסמ[הא]'

/** Words for a password, as senders write them beside it. */
const KEY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${[
    'pass(?:word|code|phrase|wort|w)?s?',
    'p[wd]',
    'pwd',
    'kennwort',
    'schl[üu]ssel',
    'mot de passe',
    'mdp',
    'contrase(?:ñ|n)a',
    'clave',
    'senha',
    'palavra-passe',
    'wachtwoord',
    'parola',
    'has[łl]o',
    'lösenord',
    'passord',
    'adgangskode',
    'salasana',
    'heslo',
    'jelszó',
    'şifre',
    'parol[aeiu]?',
    'парол[ьяею]м?',
    'код',
    'pin',
    'code',
    'key',
  ].join('|')})(?![\p{L}\p{N}])|${IN_OTHER_SCRIPTS}`,
  'giu',
)
/** Words between the name and the password. */
const BETWEEN =
  /^(?:is|for|the|to|of|your|this|file|archive|attachment|attached|document|zip|pdf|open|opening|unzip|extract|as|follows|below|here|and|or|in|please|use|will|be|has|been|with|lautet|ist|für|das|die|den|der|zum|archiv|datei|anhang|öffnen|est|pour|le|la|les|du|de|fichier|es|para|el|del|archivo|é|o|arquivo|per|il|è|voor|het|для|архива|файла|к|от|это|是|为|は|protected|word|number)$/iu
const STRIPPED = /^[\s"'“”„«»‘’`([{<:=>–—-]+|[\s"'“”„«»‘’`)\]}>]+$/gu
const QUOTED = /^[^"“„«'‘\r\n]{0,40}["“„«'‘]([^"”“»'’\r\n]{3,60})["”“»'’]/u

/** Characters after and before a name, and words among them. */
const AFTER_MAX = 200
const WORDS_AFTER = 8
const BEFORE_MAX = 80
const WORD_MAX = 64
const NAME_WORK = 20_000
const CHARACTER_WORK = 30

/** The most likely first. There may be thousands; callers try few. */
export function passwordsIn(text: string): string[] {
  charge(text.length * CHARACTER_WORK)
  const ranked = new Map<string, number>()
  const offer = (word: string, rank: number): void => {
    if (word !== '' && word.length <= WORD_MAX && rank < (ranked.get(word) ?? Number.POSITIVE_INFINITY))
      ranked.set(word, rank)
  }
  for (const { 0: key, index } of text.matchAll(KEY)) {
    charge(NAME_WORK)
    const end = index + key.length
    offerAfter(text.slice(end, end + AFTER_MAX), offer)
    for (const word of text
      .slice(Math.max(0, index - BEFORE_MAX), index)
      .split(/\s+/)
      .slice(-4))
      if (/\d/.test(word)) offerForms(word, 40, offer)
  }
  return [...ranked].sort((a, b) => a[1] - b[1]).map(([word]) => word)
}

type Offer = (word: string, rank: number) => void

function offerAfter(rest: string, offer: Offer): void {
  const isAssigned = /^[\s"']{0,3}(?:[:=]|[-–—]\s|is:|：)/u.test(rest)
  const quoted = QUOTED.exec(rest)?.[1]?.trim()
  if (quoted !== undefined) offer(quoted, isAssigned ? 0 : 2)
  let place = 0
  for (const word of rest
    .replace(/^[：:=]/u, ' ')
    .split(/\s+/)
    .filter((each) => each !== '')) {
    if (BETWEEN.test(word.replace(/[:.,]$/, '')) || /^[\p{P}\p{S}]+$/u.test(word)) continue
    if (place >= WORDS_AFTER) return
    offerForms(word, rankOf(word, place, isAssigned), offer)
    place += 1
  }
}

/** Directly after a colon is best; words with digits or signs are better than plain words. */
function rankOf(word: string, place: number, isAssigned: boolean): number {
  if (place === 0 && isAssigned) return 0
  return (/\d|[^\p{L}\p{N}.,;!?]/u.test(word.replace(STRIPPED, '')) ? 5 : 15) + place
}

/** Sentences and quotes add signs to a word, which may also be part of it. */
function offerForms(word: string, rank: number, offer: Offer): void {
  const bare = word.replace(STRIPPED, '')
  const plain = bare.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/u, '')
  offer(plain, rank)
  if (bare !== plain) offer(bare, rank + 1)
  if (word !== bare && word !== plain) offer(word, rank + 2)
}

/** Nobody sees them. What is not closed extends to the end. */
const HIDDEN = /<(?:style|script)\b[^>]*(?:>[\s\S]*?(?:<\/(?:style|script)|$)|$)/gi

/** The text of a page, as far as passwords need it. */
export function textOfPage(page: string): string {
  charge(page.length * CHARACTER_WORK)
  return unreferenced(page.replace(HIDDEN, ' ').replace(/<[^<>]*>/g, ' '))
}
