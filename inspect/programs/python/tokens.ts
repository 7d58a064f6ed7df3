/** Splits Python into names, literals and signs, with the indentation of its lines. */

import { charge, keep } from '#inspect/core/work.ts'
import { nameKey } from '../keys.ts'

export interface Token {
  kind: 'name' | 'text' | 'format' | 'number' | 'sign' | 'end'
  text: string
  isBytes?: true
  /** Of an end: blanks before the next statement; null after a semicolon. */
  indent?: number | null
}

const TOKEN =
  /(?<skip>#[^\r\n]*|\\\r?\n|[ \t\f]+)|(?<end>\r\n?|\n|;)|(?<prefix>[rbfu]{0,3})(?:"""(?<long>(?:[^\\]|\\[\s\S])*?)(?:"""|$)|'''(?<long2>(?:[^\\]|\\[\s\S])*?)(?:'''|$)|(?<!\\)"(?<double>(?:[^"\\\r\n]|\\[\s\S])*)"|(?<!\\)'(?<single>(?:[^'\\\r\n]|\\[\s\S])*)')|(?<number>\d[\w.]*|\.\d[\w.]*)|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<sign>\*\*=?|\/\/=?|<<=?|>>=?|[-+*/%@&|^:=!<>]=|->|[\s\S])/giuy
const INDENT = /[ \t\f]*/y
/** For each token, and more for each that a pattern reads. */
const TOKEN_WORK = 300
const PATTERN_WORK = 700
const TOKEN_BYTES = 100
const TAB_WIDTH = 8

/** Stands for a part of a text that is not known. No text of the document contains it. */
export const GAP = '\uffff'
export const withoutGaps = (text: string): string => (text.includes(GAP) ? text.replaceAll(GAP, ' ') : text)

/** What most tokens begin with, by which they are read without the pattern: it takes five times as long. */
const [OTHER, BLANK, COMMENT, LINE_END, WORD, NUMBER, SINGLE, OPERATOR, POINT] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const STARTS: readonly (readonly [class_: number, of: RegExp])[] = [
  [BLANK, /[ \t\f]/],
  [COMMENT, /#/],
  [LINE_END, /[\r\n;]/],
  [WORD, /[A-Za-z_]/],
  [NUMBER, /\d/],
  [SINGLE, /[()[\]{},~$?`]/],
  [OPERATOR, /[-+*/%@&|^:=!<>]/],
  [POINT, /\./],
]
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  return STARTS.find(([, of]) => of.test(String.fromCharCode(code)))?.[0] ?? OTHER
})
const KINDS: Readonly<Record<number, Token['kind']>> = { [WORD]: 'name', [NUMBER]: 'number' }
/** Letters before the quote of a text. */
const PREFIX_MAX = 3

const classAt = (source: string, at: number): number => CLASSES[source.charCodeAt(at)] ?? OTHER
const isNear = (source: string, at: number): boolean => at >= source.length || source.charCodeAt(at) < 128

function wordEnd(source: string, from: number): number {
  let at = from + 1
  while (classAt(source, at) === WORD || classAt(source, at) === NUMBER) at++
  const isPrefix = at - from <= PREFIX_MAX && (source[at] === '"' || source[at] === "'")
  return isNear(source, at) && !isPrefix ? at : -1
}

function numberEnd(source: string, from: number): number {
  let at = from + 1
  while (classAt(source, at) === WORD || classAt(source, at) === NUMBER || classAt(source, at) === POINT) at++
  return isNear(source, at) ? at : -1
}

function blankEnd(source: string, from: number): number {
  let at = from + 1
  while (classAt(source, at) === BLANK) at++
  return at
}

function commentEnd(source: string, from: number): number {
  let at = from + 1
  while (at < source.length && source[at] !== '\r' && source[at] !== '\n') at++
  return at
}

/** Behind the token that begins with a character of the class; -1: the pattern has to tell. */
const ENDS: readonly ((source: string, from: number) => number)[] = [
  () => -1,
  blankEnd,
  commentEnd,
  (source, from) => (source[from] === '\r' && source[from + 1] === '\n' ? from + 2 : from + 1),
  wordEnd,
  numberEnd,
  (_, from) => from + 1,
  (source, from) => (/[=*/<>]/.test(source[from + 1] ?? '') ? -1 : from + 1),
  (source, from) => (classAt(source, from + 1) === NUMBER ? -1 : from + 1),
]

/** A line that goes on in brackets does not end. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [{ kind: 'end', text: '', indent: indentAt(source, 0) }]
  let brackets = 0
  for (let from = 0; from < source.length; ) {
    const class_ = classAt(source, from)
    const end = ENDS[class_]?.(source, from) ?? -1
    const token = end === -1 ? patternToken(source, from) : plainToken(class_, source, from, end, brackets > 0)
    const to = end === -1 ? TOKEN.lastIndex : end
    if (token !== null) {
      keep(TOKEN_BYTES + to - from)
      tokens.push(token)
    }
    if (class_ === SINGLE) brackets = Math.max(0, brackets + (BRACKETS[source[from] ?? ''] ?? 0))
    from = to
  }
  return tokens
}

/** null: nothing. */
function plainToken(class_: number, source: string, from: number, to: number, isInside: boolean): Token | null {
  charge(TOKEN_WORK + to - from)
  if (class_ === BLANK || class_ === COMMENT) return null
  if (class_ !== LINE_END) return { kind: KINDS[class_] ?? 'sign', text: nameKey(source.slice(from, to)) }
  if (source[from] === ';') return { kind: 'end', text: '', indent: null }
  return isInside ? null : { kind: 'end', text: '', indent: indentAt(source, to) }
}

const BRACKETS: Readonly<Record<string, number>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 }

/** No bracket or end of a line; null: nothing. The pattern remembers where it ends. */
function patternToken(source: string, from: number): Token | null {
  TOKEN.lastIndex = from
  const { 0: whole, groups = {} } = TOKEN.exec(source) as RegExpExecArray
  charge(PATTERN_WORK + whole.length)
  return groups.skip === undefined ? readToken(whole, groups) : null
}

function readToken(whole: string, groups: Record<string, string | undefined>): Token {
  if (groups.number !== undefined) return { kind: 'number', text: whole }
  if (groups.name !== undefined) return { kind: 'name', text: nameKey(whole.normalize('NFKC')) }
  return groups.sign === undefined ? readText(groups) : { kind: 'sign', text: whole }
}

function indentAt(source: string, at: number): number {
  INDENT.lastIndex = at
  let width = 0
  for (const blank of INDENT.exec(source)?.[0] ?? '')
    width = blank === '\t' ? (Math.floor(width / TAB_WIDTH) + 1) * TAB_WIDTH : width + 1
  charge(width)
  return width
}

function readText(groups: Record<string, string | undefined>): Token {
  const prefix = groups.prefix?.toLowerCase() ?? ''
  const body = withoutGaps(groups.long ?? groups.long2 ?? groups.double ?? groups.single ?? '')
  const text = prefix.includes('r') ? body : unescaped(body)
  if (prefix.includes('f') && /[{}]/.test(body)) return { kind: 'format', text }
  return { kind: 'text', text, ...(prefix.includes('b') && { isBytes: true }) }
}

const ESCAPE = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-7]{1,3})|(\r?\n)|([\s\S]))/gi
const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  const plain = text.replace(ESCAPE, (whole, hex, wide, long, octal, line, letter) => {
    const digits = hex ?? wide ?? long
    const code = digits === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(digits, 16)
    if (code <= 0x10ffff) return String.fromCodePoint(code)
    return line === undefined ? (LETTERS[letter] ?? (/["'\\]/.test(letter) ? letter : whole)) : ''
  })
  return withoutGaps(plain)
}
