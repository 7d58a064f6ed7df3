/** Splits JavaScript into tokens, one at a time. */

import { charge } from '#inspect/core/work.ts'
import { nameKey } from '../keys.ts'

export interface Token {
  type: 'name' | 'text' | 'template' | 'number' | 'sign' | 'end'
  /** Names and texts without escapes. */
  value: string
  at: number
  /** A line ends before it. */
  afterLine: boolean
  /** Texts of a template, each with the code after it. */
  parts?: readonly TemplatePart[]
}

interface TemplatePart {
  text: string
  code: string | null
}

export interface Pattern {
  source: string
  flags: string
}

interface Lexer {
  next(): Token
  /** The token after the current one, which is not read yet. */
  peek(): Token
  /** Reads a list of numbers, which may have millions, that begins with the token. null: it has other items. */
  numbersAt(token: Token): number[] | null
  /** Reads a regular expression that begins with the token. null: it has no end. */
  patternAt(token: Token): Pattern | null
}

const CHARACTER_WORK = 8
const TOKEN_WORK = 400
/** For each character of a list of numbers or a template. */
const NUMBER_WORK = 40

const SIGNS = [
  ...['>>>=', '...', '===', '!==', '**=', '<<=', '>>=', '>>>', '&&=', '||=', '??=', '=>', '==', '!=', '<=', '>='],
  ...['&&', '||', '??', '?.', '++', '--', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<', '>>', '**'],
]
const SIGNS_BY_FIRST = Map.groupBy(SIGNS, (sign) => sign.charAt(0))

/** A byte that is no letter may be one in the code page of the reader, or a part of one. */
const NAME_START = /[\p{L}\p{Nl}$_#@\x80-\x9f\xa1-\xff]/u
const NAME_PART = /[\p{L}\p{N}\p{M}$_#@\x80-\x9f\xa1-\xff]|[\u200c-\u200d]/u
const SPACE = /\s|\uFEFF/
/** White space, and any other character, in UTF-8, of which texts have the bytes. */
const SPACE_BYTES = /\xc2\xa0|\xe1\x9a\x80|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80|\xef\xbb\xbf/y
const CHARACTER_BYTES = /[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/y
const NUMBER =
  /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?|\.\d[\d_]*(?:[eE][+-]?\d+)?)n?/y
const NUMBERS = /\[[\d\s,xa-f.-]*\]/iy
const WORD = /[A-Za-z0-9$_]*/y
const PLAIN_NAME = /[A-Za-z$_][A-Za-z0-9$_]*(?![A-Za-z0-9$_\\\u0080-\uffff#@])/y
const SLASH = 0x2f

/** White space searched for a line end, which only matters after `return` and the like. */
const LINE_SEARCH_MAX = 1000

type Kind = 'name' | 'digit' | 'quote' | 'single' | 'other'

/** What a token may be, by the code of its first character. */
const KINDS: readonly Kind[] = Array.from({ length: 0x80 }, (_, code): Kind => {
  const char = String.fromCharCode(code)
  if (/[A-Za-z$_]/.test(char)) return 'name'
  if (/\d/.test(char)) return 'digit'
  if (/["'`]/.test(char)) return 'quote'
  return /[(){}[\];,:~]/.test(char) ? 'single' : 'other'
})

/** A byte order mark, as it is or by its bytes. */
const ORDER_MARK = /^(?:\xef\xbb\xbf|\ufeff)/

export function createLexer(source: string): Lexer {
  let at = ORDER_MARK.exec(source)?.[0].length ?? 0
  let afterLine = false

  const token = (type: Token['type'], value: string, start: number): Token => ({ type, value, at: start, afterLine })

  function skipSpace(): void {
    const from = at
    at = spaceEnd(source, from)
    afterLine = at > from && hasLineEnd(source, from, Math.min(at, from + LINE_SEARCH_MAX))
    if (at - from > 1) charge((at - from) * CHARACTER_WORK)
  }

  function sign(start: number): Token {
    const char = source.charAt(start)
    const found = SIGNS_BY_FIRST.get(char)?.find((each) => source.startsWith(each, start)) ?? char
    // `a?.5:b`
    const value = found === '?.' && KINDS[source.charCodeAt(start + 2)] === 'digit' ? '?' : found
    at = start + value.length
    return token('sign', value, start)
  }

  function quoted(quote: string, start: number): Token {
    if (quote === '`') {
      const { parts, end } = templateAt(source, start)
      charge((end - start) * NUMBER_WORK)
      at = end
      return { ...token('template', '', start), parts }
    }
    const { value, end } = textAt(source, start)
    charge((end - start) * CHARACTER_WORK)
    at = end
    return token('text', value, start)
  }

  function single(start: number): Token {
    at = start + 1
    return token('sign', source.charAt(start), start)
  }

  function otherAt(start: number, kind: Kind): Token {
    const char = source.charAt(start)
    if (kind === 'quote') return quoted(char, start)
    if (kind === 'digit' || (char === '.' && KINDS[source.charCodeAt(start + 1)] === 'digit')) {
      at = matchEnd(NUMBER, source, start)
      return token('number', source.slice(start, at), start)
    }
    if (char !== '\\' && !NAME_START.test(char)) return sign(start)
    const { value, end } = nameAt(source, start)
    charge((end - start) * CHARACTER_WORK)
    at = end
    return token('name', nameKey(value), start)
  }

  const lexer: Lexer = {
    peek() {
      const before = { at, afterLine }
      const found = lexer.next()
      at = before.at
      afterLine = before.afterLine
      return found
    },
    next() {
      skipSpace()
      charge(TOKEN_WORK)
      const start = at
      const code = source.charCodeAt(start)
      if (Number.isNaN(code)) return token('end', '', start)
      const kind = KINDS[code] ?? 'other'
      const plain = kind === 'name' ? plainNameEnd(source, start) : start
      if (plain > start) {
        at = plain
        return token('name', nameKey(source.slice(start, plain)), start)
      }
      return kind === 'single' ? single(start) : otherAt(start, kind)
    },
    numbersAt({ at: start }) {
      NUMBERS.lastIndex = start
      const text = NUMBERS.exec(source)?.[0]
      charge((text?.length ?? 1) * NUMBER_WORK)
      const values = text?.slice(1, -1).replace(/,\s*$/, '').split(',').map(Number)
      // An empty item is 0 for `Number`.
      if (text === undefined || values === undefined || /^\[\s*\]|[[,]\s*,|\d\s+\d|\b0\d/.test(text)) return null
      if (values.some(Number.isNaN)) return null
      at = start + text.length
      return values
    },
    patternAt({ at: start }) {
      const end = patternEnd(source, start)
      if (end === -1) return null
      WORD.lastIndex = end
      at = end + (WORD.exec(source)?.[0].length ?? 0)
      charge((at - start) * CHARACTER_WORK)
      return { source: source.slice(start + 1, end - 1), flags: source.slice(end, at) }
    },
  }
  return lexer
}

/** Skips white space and comments. */
function spaceEnd(source: string, from: number): number {
  let at = from
  for (;;) {
    const code = source.charCodeAt(at)
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) {
      at += 1
      continue
    }
    const end = code > 0x7f ? at + otherSpace(source, at) : commentEnd(source, at)
    if (end === at) return at
    at = end
  }
}

function commentEnd(source: string, at: number): number {
  if (source.charCodeAt(at) === SLASH && source[at + 1] === '*') return after(source, '*/', at + 2)
  return isLineComment(source, at) ? lineEnd(source, at) : at
}

/** Length of white space outside ASCII; 0: there is none. */
function otherSpace(source: string, at: number): number {
  return SPACE.test(source.charAt(at)) ? 1 : lengthOf(SPACE_BYTES, source, at)
}

function hasLineEnd(source: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isLineEnd(source.charCodeAt(at))) return true
  return false
}

function lengthOf(expression: RegExp, source: string, at: number): number {
  expression.lastIndex = at
  return expression.exec(source)?.[0].length ?? 0
}

function matchEnd(expression: RegExp, source: string, at: number): number {
  return at + Math.max(1, lengthOf(expression, source, at))
}

/** A name without escapes and letters of other scripts, as most are. */
function plainNameEnd(source: string, at: number): number {
  PLAIN_NAME.lastIndex = at
  return PLAIN_NAME.test(source) ? PLAIN_NAME.lastIndex : at
}

function after(source: string, text: string, from: number): number {
  const found = source.indexOf(text, from)
  return found === -1 ? source.length : found + text.length
}

/** Browsers accept HTML comments in scripts. */
function isLineComment(source: string, at: number): boolean {
  const first = source.charCodeAt(at)
  if (first !== SLASH && first !== 0x3c && first !== 0x23) return false
  return source.startsWith('//', at) || source.startsWith('<!--', at) || (at === 0 && source.startsWith('#!'))
}

function lineEnd(source: string, from: number): number {
  let at = from
  while (at < source.length && !isLineEnd(source.charCodeAt(at)) && !isSeparator(source, at)) at += 1
  return at
}

/** U+2028 or U+2029 in UTF-8, of which texts have the bytes. */
function isSeparator(source: string, at: number): boolean {
  if (source.charCodeAt(at) !== 0xe2 || source.charCodeAt(at + 1) !== 0x80) return false
  return source.charCodeAt(at + 2) === 0xa8 || source.charCodeAt(at + 2) === 0xa9
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029
}

function nameAt(source: string, start: number): { value: string; end: number } {
  let value = ''
  let at = start
  while (at < source.length) {
    const char = source.charAt(at)
    if (char === '\\') {
      const code = escapeAt(source, at)
      value += code.value
      at = code.end
    } else if (NAME_PART.test(char)) {
      if (lengthOf(SPACE_BYTES, source, at) > 0) break
      const length = Math.max(1, lengthOf(CHARACTER_BYTES, source, at))
      value += source.slice(at, at + length)
      at += length
    } else break
  }
  return { value, end: Math.max(at, start + 1) }
}

/** A text that does not end is read up to the end of its line. */
function textAt(source: string, start: number): { value: string; end: number } {
  const quote = source.charAt(start)
  const parts: string[] = []
  let from = start + 1
  for (let at = from; at < source.length; at++) {
    const unit = source.charCodeAt(at)
    const isEnd = source[at] === quote
    if (isEnd || (isLineEnd(unit) && unit < 0x100)) {
      parts.push(source.slice(from, at))
      return { value: parts.join(''), end: at + (isEnd ? 1 : 0) }
    }
    if (source[at] !== '\\') continue
    const code = escapeAt(source, at)
    if (at > from) parts.push(source.slice(from, at))
    parts.push(code.value)
    from = code.end
    at = from - 1
  }
  parts.push(source.slice(from))
  return { value: parts.join(''), end: source.length }
}

function templateAt(source: string, start: number): { parts: TemplatePart[]; end: number } {
  const parts: TemplatePart[] = []
  let text = ''
  for (let at = start + 1; at < source.length; ) {
    if (source[at] === '`') return { parts: [...parts, { text, code: null }], end: at + 1 }
    if (source.startsWith('${', at)) {
      const end = codeEnd(source, at + 2)
      parts.push({ text, code: source.slice(at + 2, end) })
      text = ''
      at = end + 1
    } else {
      const code = source[at] === '\\' ? escapeAt(source, at) : { value: source.charAt(at), end: at + 1 }
      text += code.value
      at = code.end
    }
  }
  return { parts: [...parts, { text, code: null }], end: source.length }
}

/** The brace that closes the code in a template. */
function codeEnd(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    const char = source[at]
    if (char === '"' || char === "'") at = textAt(source, at).end - 1
    else if (char === '{') depth += 1
    else if (char === '}' && depth-- === 0) return at
  }
  return source.length
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }
const CODE = /x([\da-fA-F]{2})|u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|([0-3]?[0-7]{1,2})|\r\n|./suy

/** `\x41`, `\u0041`, `\u{41}`, `\101`, an escaped line end, or one character. */
function escapeAt(source: string, at: number): { value: string; end: number } {
  // Nearly all escapes of a text that conceals something have one of these two forms.
  const mark = source.charCodeAt(at + 1)
  const digits = mark === SMALL_X ? 2 : mark === SMALL_U ? 4 : 0
  const known = digits === 0 ? -1 : hexAt(source, at + 2, digits)
  if (known !== -1) return { value: String.fromCharCode(known), end: at + 2 + digits }
  CODE.lastIndex = at + 1
  const found = CODE.exec(source)
  if (found === null) return { value: '', end: at + 1 }
  const [whole, two, braced, four, octal] = found
  const end = at + 1 + whole.length
  const hex = two ?? braced ?? four
  if (hex !== undefined) return { value: fromCode(Number.parseInt(hex, 16)), end }
  if (octal !== undefined) return { value: String.fromCharCode(Number.parseInt(octal, 8)), end }
  return { value: isLineEnd(whole.charCodeAt(0)) ? '' : (ESCAPES[whole] ?? whole), end }
}

const [SMALL_X, SMALL_U] = [0x78, 0x75]

/** -1: not so many digits. */
function hexAt(source: string, from: number, digits: number): number {
  let code = 0
  for (let at = from; at < from + digits; at++) {
    const unit = source.charCodeAt(at)
    const letter = unit | 0x20
    if (unit >= 0x30 && unit <= 0x39) code = code * 16 + unit - 0x30
    else if (letter >= 0x61 && letter <= 0x66) code = code * 16 + letter - 0x57
    else return -1
  }
  return code
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

function patternEnd(source: string, start: number): number {
  let isClass = false
  for (let at = start + 1; at < source.length; at++) {
    const char = source[at]
    if (isLineEnd(source.charCodeAt(at))) return -1
    if (char === '\\') at += 1
    else if (char === '[') isClass = true
    else if (char === ']') isClass = false
    else if (char === '/' && !isClass) return at + 1
  }
  return -1
}
