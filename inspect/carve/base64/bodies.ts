/** Locates declared Base64: data URLs, XML elements, attachments in calendars and contact cards. */

import { view } from '#inspect/core/bytes.ts'
import type { Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge, keep } from '#inspect/core/work.ts'

/** Work for each declaration and for each character of a body, and memory for each body. */
const MARK_WORK = 1_500
const BODY_WORK = 8
const BODY_BYTES = 120

interface Body {
  start: number
  end: number
  /** The name of an XML element, which may contain comments, CDATA sections and entities. */
  element: string | null
  /** Its start is uncertain. */
  unclear: boolean
}

/** Characters between the encoding and the colon in a calendar. Past them, the start of the value is uncertain. */
export const PARAMETERS_MAX = 1000

/** A character, or its escapes in HTML, scripts and CSS: `&#98;`, `&#x62;`, `\\x62`, `\\u0062`, `\\62 `. */
function written(char: string): string {
  const codes = [...new Set([char, char.toUpperCase()])].map((one) => one.charCodeAt(0))
  const hex = codes.map((code) => code.toString(16)).join('|')
  return `(?:${char}|&#(?:0*(?:${codes.join('|')})|x0*(?:${hex}));?|\\\\(?:x|u?0*)(?:${hex}))`
}

// Browsers ignore line ends inside a URL, and calendars fold lines anywhere.
const spaced = (word: string): string => [...word].map(written).join('\\s*')

/** Words that announce Base64, in every notation. */
export const DECLARATIONS = {
  base64: `(?:;|&semi;?)\\s*${spaced('base64')}`,
  encoding: `;\\s*${spaced('encoding')}`,
  element: '[<:](?:binary-data|binaryData|binData|base64Binary|DataMashup|chunk)',
  scheme: [...'data:'].join('[\\t\\r\\n]*'),
}
/** The same as plain words. */
export const WORDS = [
  ';base64,',
  ';base64:',
  '&semibase64',
  ';encoding="b',
  '=b',
  'data:',
  ...['binary-data', 'binaryData', 'binData', 'base64Binary', 'DataMashup', 'chunk'].flatMap((name) => [
    `<${name}`,
    `:${name}`,
  ]),
]

// No part extends past the start of the next match, so a million of them are read only once.
const MARK = new RegExp(
  [
    `${DECLARATIONS.base64}\\s*(?:${written(',')}|:|&comma;)`,
    `<(?:[^\\s<>:]+:)?(?:binary-data|binaryData|binData|base64Binary|DataMashup|chunk)(?:\\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?>`,
    `${DECLARATIONS.encoding}\\s*=\\s*"?b(?:\\s*${spaced('ase64')})?\\b`,
  ].join('|'),
  'gi',
)
const ENCODING = new RegExp(`^;\\s*${spaced('encoding')}`, 'i')
/** Base64 digits, white space and their escapes: `%2B`, `&#43;`, `\n`. */
const BODY = /[\w+/=\s%&#;\\-]*/y
const CLOSING = /<\/(?:[^\s<>:]+:)?(\w+)/y
const COLON = /^(?:[^":]|"[^"]*")*?:/

/** Semicolons, and those that are checked in full. A text with more is always read. */
export const SEMICOLONS_MAX = 100_000
export const CHECKED_MAX = 10_000
/** The first three letters of `base64` or `encoding`, with line ends in between, or an escape. */
const AFTER_SEMICOLON = /^\s*(?:[&\\]|$|b\s*(?:[&\\]|$|a\s*(?:[&\\s]|$))|e\s*(?:[&\\]|$|n\s*(?:[&\\c]|$)))/i
/** Whether one of the above may begin with this byte: `\s`, escapes and the two letters. */
const MAY_FOLLOW = Uint8Array.from({ length: 256 }, (_, code) => (/[\s&\\be]/i.test(String.fromCharCode(code)) ? 1 : 0))
const NAMED_SEMICOLON = mark(['&semi'])
const SPACES_MAX = 64

const BEFORE_NAME = new Set([0x3c, 0x3a])
/** Elements of the pattern above that are not named after Base64. */
export const ELEMENTS = ['binary-data', 'binaryData', 'binData', 'DataMashup', 'chunk']
export const isElement = (bytes: Buffer, at: number): boolean => BEFORE_NAME.has(bytes[at - 1] ?? 0)
const ELEMENT = mark(ELEMENTS, { ignoresCase: true, fits: isElement })

/** A browser reads a page by its name, whatever type its bytes have, but no PDF that is named as one. */
export const isReadAsText = (item: Item): boolean =>
  item.sniffed.kind === 'text' || (item.mentions('markup') && !isNamedPdf(item))

const isNamedPdf = ({ sniffed, name }: Item): boolean => sniffed.kind === 'pdf' && /\.pdf$/i.test(name ?? '')

/** false: the bytes contain no declaration of Base64 in any notation. */
export function mayDeclareBase64(item: Item): boolean {
  if (item.mentions('base64') || item.has(ELEMENT)) return true
  return isReadAsText(item) && (item.has(NAMED_SEMICOLON) || hasDeclaringSemicolon(item))
}

/** false: no declaration begins with a semicolon. */
function hasDeclaringSemicolon(item: Item): boolean {
  const bytes = view(item.bytes)
  let [found, checked] = [0, 0]
  for (let at = bytes.indexOf(SEMICOLON); at !== -1; at = bytes.indexOf(SEMICOLON, at + 1)) {
    if (++found > SEMICOLONS_MAX) return true
    // In a sentence, one space and another letter follow.
    const next = bytes[at + 1] === SPACE ? at + 2 : at + 1
    if (MAY_FOLLOW[bytes[next] ?? SPACE] === 0) continue
    if (++checked > CHECKED_MAX) return true
    if (AFTER_SEMICOLON.test(bytes.toString('latin1', at + 1, at + 1 + SPACES_MAX))) return true
  }
  return false
}

const SEMICOLON = 0x3b
const LESS = 0x3c
const GREATER = 0x3e
const SPACE = 0x20

/** The element for a PDF in an XML data package. */
export const CHUNK = 'chunk'

function nameOf(mark: string): string {
  return (/^<(?:[^\s<>:]+:)?(\w+)/.exec(mark)?.[1] ?? '').toLowerCase()
}

/** Fewer digits cannot be a file. */
const ELEMENT_MIN = 64
/** Work for each step over short elements, for each byte between two tags, and for each digit. */
const ELEMENT_WORK = 60
const BETWEEN_WORK = 1
const DIGIT_WORK = 2
const DIGIT_OR_SPACE = Uint8Array.from({ length: 256 }, (_, code) =>
  /[\sA-Za-z0-9+/=]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** The content of elements without other characters than Base64 digits. */
export function* digitElementsOf(bytes: Buffer): Generator<string> {
  let start = 0
  while (start + ELEMENT_MIN < bytes.length) {
    charge(ELEMENT_WORK)
    // Everything before the last tag of these bytes is too short.
    let at = start + ELEMENT_MIN
    while (at > start && bytes[at] !== LESS) at -= 1
    if (at === start || at === start + ELEMENT_MIN) {
      at = bytes.indexOf(LESS, start + ELEMENT_MIN)
      if (at === -1) return
      charge((at - start) * BETWEEN_WORK)
      const first = start + bytes.subarray(start, at).lastIndexOf(GREATER) + 1
      const isDigits = at - first >= ELEMENT_MIN && digitsEnd(bytes, first) === at
      if (isDigits) yield bytes.toString('latin1', first, at)
    }
    start = at
  }
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (DIGIT_OR_SPACE[bytes[at] ?? 0] === 1) at += 1
  charge((at - from) * DIGIT_WORK)
  return at
}

interface Starts {
  starts: number[]
  /** The start that is a guess. */
  lost: number | null
}

/** No body extends past the next declaration. */
export function* bodiesOf(text: string): Generator<Body> {
  const startsOf = startFinder(text)
  let last: { mark: string; starts: Starts } | null = null
  for (const { index, 0: mark } of text.matchAll(MARK)) {
    charge(MARK_WORK)
    if (last !== null) yield* bodiesBetween(text, last.mark, last.starts, index)
    last = { mark, starts: startsOf(mark, index + mark.length) }
  }
  if (last !== null) yield* bodiesBetween(text, last.mark, last.starts, text.length)
}

function* bodiesBetween(text: string, mark: string, { starts, lost }: Starts, limit: number): Generator<Body> {
  for (const start of starts) {
    if (start >= limit) continue
    keep(BODY_BYTES)
    const element = mark.startsWith('<') ? nameOf(mark) : null
    const closed = element === null ? null : elementEnd(text, element, start, limit)
    const end = closed ?? Math.min(limit, digitsEndAt(text, start))
    charge((end - start) * BODY_WORK)
    yield { start, end, element, unclear: start === lost }
  }
}

function digitsEndAt(text: string, start: number): number {
  BODY.lastIndex = start
  return start + (BODY.exec(text)?.[0].length ?? 0)
}

/** null: it is not closed, as a type in angle brackets is: `Set<Chunk>`. Only what looks like Base64 is then its content. */
function elementEnd(text: string, element: string, start: number, limit: number): number | null {
  const end = text.slice(start, limit).indexOf('</')
  if (end === -1) return null
  CLOSING.lastIndex = start + end
  return CLOSING.exec(text)?.[1]?.toLowerCase() === element ? start + end : null
}

/** After the declaration; in a calendar, after the colon before the value. Offsets only grow. */
function startFinder(text: string): (mark: string, from: number) => Starts {
  let isCard: boolean | null = null
  let colon = -1
  return (mark, from) => {
    if (!ENCODING.test(mark)) return { starts: [from], lost: null }
    isCard ??= /begin:v/i.test(text)
    if (colon < from) colon = text.indexOf(':', from)
    if (colon === -1) colon = text.length
    const first = colon + 1
    const before = text.slice(from, from + PARAMETERS_MAX)
    const quoted = colon - from > PARAMETERS_MAX ? null : COLON.exec(before)
    if (quoted === null) return { starts: [first], lost: isCard && before.length === PARAMETERS_MAX ? first : null }
    // Old contact cards have no quotes, so the first colon counts as well.
    return { starts: [...new Set([first, from + quoted[0].length])], lost: null }
  }
}

/** Element text without comments, processing instructions and CDATA markers; null with custom entities. */
export function elementText(text: string): string | null {
  if (/&(?!(?:lt|gt|amp|quot|apos);)\w/.test(text)) return null
  return text.includes('<') ? text.replace(/<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|<!\[CDATA\[|\]\]>/g, '') : text
}
