/** A text as browsers, script engines and XML readers see it: without escapes, comments and split strings. */

import { char, unreferenced } from '#inspect/codecs/character-references.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { createSurvey, type Survey } from '#inspect/core/matcher/classes.ts'
import { rewritten, withoutZeros } from '#inspect/core/rewritten.ts'
import { charge } from '#inspect/core/work.ts'
import { hasSigns } from './survey.ts'

/** Work for each character of a text, for all patterns together. */
const SEARCH_WORK = 2

const SCRIPT_ESCAPE = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{0*([0-9a-f]{1,6})\}|([0-3]?[0-7]{1,2})|(\r\n|[\s\S]))/gi
const SCRIPT_CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const STYLE_ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[\r\n\f]))/gi
/** Between the strings that a script joins. */
const BETWEEN = '(?:[\\s()]|/\\*[^*]{0,80}\\*/){0,16}'
/** Strings joined by an operator, as scripts do to hide a word. */
const JOINT = new RegExp(
  `["'\`]${BETWEEN}(?:\\+|\\.concat\\(|;\\s{0,8}[\\w$.]{1,40}\\s{0,8}\\+=)${BETWEEN}["'\`]|\\$\\{\\s{0,8}["'\`]{2}\\s{0,8}\\}`,
  'g',
)
/** The elements of a list of strings. */
const LIST_JOINT = /["'`]\s{0,16},\s{0,16}["'`]/g
const LIST = /\.join\s*\(/
/** Pages in the attribute of a page. Each level has its own references. */
const PAGES_DEEP_MAX = 4
const NO_CONTENT = /<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|<!\[CDATA\[|\]\]>/g

/** Text directly after a comment, an instruction or the edge of a section. Elsewhere they interrupt nothing. */
const INTERRUPTED = /(?:-->|\?>|\]\]>|<!\[CDATA\[)\s*[\w+/=&]/
/** References to letters, digits and signs that occur in URLs and Base64. Markup needs the others. */
const HIDING =
  /&(?:#[xX]0*(?:[9aAdD]|2[1-3589a-fA-F]|3[0-9abdABDfF]|[4-7][0-9a-fA-F])(?![0-9a-fA-F])|#0*(?:9|10|13|3[3567]|4\d|5[0-9]|61|6[3-9]|[789]\d|1[01]\d|12[0-7])(?!\d)|(?!(?:amp|lt|gt|quot|apos|nbsp);)[A-Za-z]{2,16};)/

const CONCATENATION = mark(['.concat('])
const LIST_JOIN = mark(['.join'])
/** Characters of references, escapes, tags and strings, without which no pattern here matches. */
const signsIn = createSurvey([/[&\\<>\0]/, /\+/, /\$/, /["'`]/])
const [TELLING, PLUS, DOLLAR, QUOTE] = [1, 2, 4, 8]

/** false: no reader sees the bytes in another way than they are. */
export function mayHaveReadings(item: Item, survey: Survey): boolean {
  if (item.has(LIST_JOIN)) return true
  if (!hasSigns(survey)) return false
  const { seen } = signsIn(item.bytes)
  if ((seen & TELLING) !== 0) return true
  if ((seen & QUOTE) !== 0 && ((seen & PLUS) !== 0 || item.has(CONCATENATION))) return true
  return (seen & DOLLAR) !== 0 && view(item.bytes).includes('${')
}

/** Every reading that differs from the text. */
export function* readingsOf(text: string): Generator<string> {
  charge(text.length * SEARCH_WORK)
  const page = unreferenced(text.includes('\0') ? withoutZeros(text) : text)
  if (page !== text && (HIDING.test(text) || text.includes('\0'))) yield page
  if (page.includes('&') && /srcdoc/i.test(page)) yield* innerPagesOf(page)
  if (INTERRUPTED.test(text)) yield unreferenced(rewritten(text, NO_CONTENT, () => ''))
  const hasEscapes = page.includes('\\')
  const unescaped = hasEscapes ? rewritten(page, SCRIPT_ESCAPE, readScriptEscape) : page
  const script = mayBeJoined(unescaped) ? rewritten(unescaped, JOINT, () => '') : unescaped
  if (script !== page) yield script
  if (script.includes('.join') && LIST.test(script)) yield rewritten(script, LIST_JOINT, () => '')
  const style = hasEscapes ? rewritten(page, STYLE_ESCAPE, ([, hex]) => (hex === undefined ? '' : char(hex, 16))) : page
  if (style !== page) yield style
}

/** Faster than the pattern, which stops at every quote. */
function mayBeJoined(text: string): boolean {
  return text.includes('+') || text.includes('.concat(') || text.includes('${')
}

function* innerPagesOf(page: string): Generator<string> {
  let outer = page
  for (let depth = 0; depth < PAGES_DEEP_MAX && HIDING.test(outer); depth++) {
    outer = unreferenced(outer)
    yield outer
  }
}

function readScriptEscape([, hex, wide, long, octal, other = '']: RegExpExecArray): string {
  const digits = hex ?? wide ?? long
  if (digits !== undefined) return char(digits, 16)
  if (octal !== undefined) return char(octal, 8)
  return SCRIPT_CONTROLS[other] ?? (/[\r\n]/.test(other) ? '' : other)
}
