/** Character references as browsers read them: `&#98;`, `&#x62;`, `&colon;`. */

import { rewritten } from '#inspect/core/rewritten.ts'
import { words } from '#inspect/core/words.ts'

const NAMED: Readonly<Record<string, string>> = {
  Tab: '\t',
  NewLine: '\n',
  excl: '!',
  quot: '"',
  QUOT: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  AMP: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  hyphen: '-',
  dash: '-',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  LT: '<',
  equals: '=',
  gt: '>',
  GT: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  Hat: '^',
  lowbar: '_',
  UnderBar: '_',
  grave: '`',
  DiacriticalGrave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  VerticalLine: '|',
  rcub: '}',
  rbrace: '}',
  nbsp: ' ',
}
/** Of the letters from U+00C0 on. */
const LETTERS =
  words(`Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve
  Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig
  ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute
  ucirc uuml yacute thorn yuml`)
const CODES: ReadonlyMap<string, number> = new Map(LETTERS.map((name, at) => [name, 0xc0 + at]))
/** Signs that are looked at. In a text with more, the pattern is as fast. */
const SIGNS_MAX = 100_000

/** Browsers need no semicolon after a number and after the oldest names. */
const REFERENCE = new RegExp(
  `&(?:#[xX]0*([0-9a-fA-F]{1,6});?|#0*([0-9]{1,7});?|(${Object.keys(NAMED).join('|')});|(amp|AMP|lt|LT|gt|GT|quot|QUOT|nbsp))`,
  'g',
)
/** The same with letters, which no code has. */
const READ_REFERENCE = new RegExp(`${REFERENCE.source}|&(${LETTERS.join('|')});?`, 'g')

/** Faster than the patterns: scripts have many signs that begin nothing. */
export function mayHaveReferences(text: string): boolean {
  let found = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1))
    if (++found > SIGNS_MAX || /[#A-Za-z]/.test(text[at + 1] ?? '')) return true
  return false
}

/** Replaces the character references that browsers know. */
export function unreferenced(text: string): string {
  if (!mayHaveReferences(text)) return text
  return rewritten(text, REFERENCE, ([, hex, decimal, name, bare]) => {
    if (hex !== undefined) return char(hex, 16)
    return decimal === undefined ? (NAMED[name ?? bare ?? ''] ?? '') : char(decimal, 10)
  })
}

/** Replaces them in what is shown, which is read as the bytes of UTF-8. */
export function referencesRead(text: string): string {
  if (!mayHaveReferences(text)) return text
  return rewritten(text, READ_REFERENCE, ([, hex, decimal, name, bare, letter]) => {
    if (hex !== undefined) return bytesOf(Number.parseInt(hex, 16))
    if (decimal !== undefined) return bytesOf(Number.parseInt(decimal, 10))
    return letter === undefined ? (NAMED[name ?? bare ?? ''] ?? '') : bytesOf(CODES.get(letter) ?? 0)
  })
}

/** The same for a text that was decoded, with all characters. */
export function referencesShown(text: string): string {
  if (!mayHaveReferences(text)) return text
  const bytes = Buffer.from(text).toString('latin1')
  const shown = rewritten(bytes, READ_REFERENCE, ([, hex, decimal, name, bare, letter]) => {
    const digits = hex ?? decimal
    if (digits !== undefined) return utf8Of(Number.parseInt(digits, hex === undefined ? 10 : 16))
    if (letter !== undefined) return utf8Of(CODES.get(letter) ?? 0)
    return NAMED[name ?? bare ?? ''] ?? ''
  })
  return Buffer.from(shown, 'latin1').toString()
}

const utf8Of = (code: number): string =>
  code > 0 && code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : '?'

/** Of code points that no letter has, as `char`. */
function bytesOf(code: number): string {
  if (code <= 0xbf) return String.fromCharCode(code)
  return code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : '?'
}

/** Only Latin-1 matters here. */
export function char(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code <= 0xff ? String.fromCharCode(code) : '?'
}
