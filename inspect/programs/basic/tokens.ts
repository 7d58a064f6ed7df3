/** Splits Visual Basic and VBScript text into tokens. */

import { charge } from '#inspect/core/work.ts'
import { nameKey } from '../keys.ts'
import { fromDocument } from './values.ts'

/** A logical line ends with `eol`; a colon between statements is `eol` with the text `:`. */
export interface Token {
  kind: 'name' | 'text' | 'number' | 'operator' | 'eol'
  /** Names and operators in lower case. */
  text: string
  number: number
  /** White space precedes it. */
  spaced: boolean
}

/** Work for each token and each character. */
const TOKEN_WORK = 200
const CHARACTER_WORK = 5

/** A space, an underscore and the end of the line continue a statement. */
const CONTINUATION = /[ \t]_[ \t]*(?:\r\n?|\n)/g
/** A member on the next line belongs to what is before. */
const CONTINUED_MEMBER = /(?<![ \t])[ \t]+_[ \t]*(?:\r\n?|\n)[ \t]*(?=\.(?!\d))/g

export function joinLines(source: string): string {
  charge(source.length * CHARACTER_WORK)
  return source.replace(CONTINUED_MEMBER, '').replace(CONTINUATION, ' ')
}

/** Apostrophes inside texts are kept. */
export function withoutComments(text: string): string {
  charge(text.length * CHARACTER_WORK)
  return text.replace(/("(?:[^"\r\n]|"")*"?)|'[^\r\n]*|^[ \t]*rem\b[^\r\n]*/gim, (_, quoted?: string) => quoted ?? '')
}

type Class = 'space' | 'name' | 'quote' | 'comment' | 'end' | 'number' | 'date' | 'bracket' | 'other'

const CLASSES: readonly Class[] = Array.from({ length: 128 }, (_, code): Class => {
  const character = String.fromCharCode(code)
  if (/[ \t]/.test(character)) return 'space'
  if (/[a-z_]/i.test(character)) return 'name'
  if (/[\d.&]/.test(character)) return 'number'
  if (/[\r\n:]/.test(character)) return 'end'
  const classes: Record<string, Class> = { '"': 'quote', "'": 'comment', '#': 'date', '[': 'bracket' }
  return classes[character] ?? 'other'
})

const NAME = /[\w\u0080-\u009f\u00a1-\uffff]*/y
const TEXT = /(?:[^"\r\n]|"")*"?/y
const LINE = /[^\r\n]*/y
const NUMBER =
  /(?:&h[0-9a-f]+(?:&(?![\w"( ]))?|&o[0-7]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:[%!#@]|&(?![\w"( ]))?|\.\d+(?:e[+-]?\d+)?[!#@]?)/iy
const DATE = /#[\d /:apm-]{3,30}#/iy
const BRACKET = /\[[^[\]\r\n]{0,255}\]/y
const OPERATOR = /:=|<>|<=|>=|=<|=>|[\s\S]/y

/** The match at this place; empty if there is none. */
function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at
  return pattern.test(source) ? source.slice(at, pattern.lastIndex) : ''
}

export function tokensOf(source: string): Token[] {
  charge(source.length * CHARACTER_WORK)
  const tokens: Token[] = []
  let spaced = false
  for (let at = 0; at < source.length; ) {
    const code = source.charCodeAt(at)
    const type = classOf(code)
    if (type === 'space') {
      spaced = true
      at++
    } else if (type === 'comment') at += matchAt(LINE, source, at).length
    else {
      charge(TOKEN_WORK)
      const { length, token } = READERS[type](source, at, spaced)
      at += length
      const last = tokens[tokens.length - 1]
      if (token.kind === 'name' && (last === undefined || last.kind === 'eol') && token.text === 'rem')
        at += matchAt(LINE, source, at).length
      else tokens.push(token)
      spaced = false
    }
  }
  return tokens
}

function classOf(code: number): Class {
  return code < 128 ? (CLASSES[code] ?? 'other') : code === 0xa0 ? 'space' : 'name'
}

type Read = (source: string, at: number, spaced: boolean) => { length: number; token: Token }

const readOperator: Read = (source, at, spaced) => {
  const text = matchAt(OPERATOR, source, at)
  return { length: text.length, token: { kind: 'operator', text, number: 0, spaced } }
}

const readName: Read = (source, at, spaced) => {
  const name = matchAt(NAME, source, at)
  const suffix = source[at + name.length]
  const length = name.length + (suffix === '$' || suffix === '%' || suffix === '@' ? 1 : 0)
  return { length, token: { kind: 'name', text: nameKey(name.toLowerCase()), number: 0, spaced } }
}

const readText: Read = (source, at, spaced) => {
  const rest = matchAt(TEXT, source, at + 1)
  const inner = rest.endsWith('"') ? rest.slice(0, -1) : rest
  const text = inner.includes('"') ? inner.replaceAll('""', '"') : inner
  return { length: rest.length + 1, token: { kind: 'text', text: fromDocument(text), number: 0, spaced } }
}

const readEnd: Read = (source, at, spaced) => {
  if (source[at] === ':' && source[at + 1] === '=') return readOperator(source, at, spaced)
  return { length: 1, token: { kind: 'eol', text: source[at] === ':' ? ':' : '', number: 0, spaced } }
}

const readNumber: Read = (source, at, spaced) => {
  const text = matchAt(NUMBER, source, at)
  if (text === '') return readOperator(source, at, spaced)
  return { length: text.length, token: { kind: 'number', text: '', number: numberOf(text), spaced } }
}

const readDate: Read = (source, at, spaced) => {
  const text = matchAt(DATE, source, at)
  return text === ''
    ? readOperator(source, at, spaced)
    : { length: text.length, token: { kind: 'text', text, number: 0, spaced } }
}

/** `[Shell]` is the name Shell, `[f("A")]` a formula. */
const readBracket: Read = (source, at, spaced) => {
  const text = matchAt(BRACKET, source, at)
  if (text === '') return readOperator(source, at, spaced)
  const inner = text.slice(1, -1)
  return {
    length: text.length,
    token: { kind: 'name', text: inner.includes('(') ? inner : inner.toLowerCase(), number: 0, spaced },
  }
}

const READERS: Record<Exclude<Class, 'space' | 'comment'>, Read> = {
  name: readName,
  quote: readText,
  end: readEnd,
  number: readNumber,
  date: readDate,
  bracket: readBracket,
  other: readOperator,
}

function numberOf(text: string): number {
  if (/^&h/i.test(text)) return asSigned(Number.parseInt(text.slice(2), 16), text)
  if (text.startsWith('&')) return Number.parseInt(text.slice(2), 8)
  return Number.parseFloat(text)
}

/** `&HFFFF` is -1; `&HFFFF&` is 65535. */
function asSigned(value: number, text: string): number {
  if (value > 0x7fffffff && value <= 0xffffffff) return value - 0x1_0000_0000
  return !text.endsWith('&') && value > 0x7fff && value <= 0xffff ? value - 0x1_0000 : value
}
