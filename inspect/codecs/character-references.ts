/** Character references as browsers read them: `&#98;`, `&#x62;`, `&colon;`. */

import { rewritten } from '#inspect/core/rewritten.ts'

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
/** Signs that are looked at. In a text with more, the pattern is as fast. */
const SIGNS_MAX = 100_000

/** Browsers need no semicolon after a number and after the oldest names. */
const REFERENCE = new RegExp(
  `&(?:#[xX]0*([0-9a-fA-F]{1,6});?|#0*([0-9]{1,7});?|(${Object.keys(NAMED).join('|')});|(amp|AMP|lt|LT|gt|GT|quot|QUOT|nbsp))`,
  'g',
)

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

/** Only Latin-1 matters here. */
export function char(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code <= 0xff ? String.fromCharCode(code) : '?'
}
