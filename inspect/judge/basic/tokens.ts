/** Splits Visual Basic and VBScript text into tokens. */

import { charge } from '#inspect/core/work.ts'

/** A logical line ends with `eol`; a colon between statements is `eol` with the text `:`. */
export interface Token {
  kind: 'name' | 'text' | 'number' | 'operator' | 'eol'
  /** Names and operators in lower case. */
  text: string
  number: number
  /** White space precedes it. */
  spaced: boolean
}

/** Work for each token. */
const TOKEN_WORK = 150

// One alternative per kind. None can match in more than one way.
const NEXT =
  /([ \t\u00a0]+)|("(?:[^"\r\n]|"")*"?)|('[^\r\n]*)|(\r\n?|\n|:(?!=))|(&h[0-9a-f]+&?|&o[0-7]+&?|\d+(?:\.\d+)?(?:e[+-]?\d+)?[%&!#@^]?|\.\d+(?:e[+-]?\d+)?[!#@]?)|(#[\d /:apm-]{3,30}#)|(\[[^\]\r\n]{0,255}\]|[a-z_\u0080-\uffff][\w\u0080-\uffff]*[$%@]?)|(:=|<>|<=|>=|=<|=>|[^])/iy

/** A space, an underscore and the end of the line continue a statement. */
const CONTINUATION = /[ \t]_[ \t]*(?:\r\n?|\n)/g

export function joinLines(source: string): string {
  return source.replace(CONTINUATION, ' ')
}

export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  let spaced = false
  NEXT.lastIndex = 0
  for (let found = NEXT.exec(source); found !== null; found = NEXT.exec(source)) {
    charge(TOKEN_WORK)
    const [whole, space, text, comment, end, number, date, name] = found
    if (space !== undefined) spaced = true
    else if (comment === undefined) {
      const last = tokens.at(-1)
      if (name?.toLowerCase() === 'rem' && (last === undefined || last.kind === 'eol')) skipLine(source)
      else tokens.push({ ...tokenOf(whole, { text, end, number, date, name }), spaced })
      spaced = false
    }
  }
  return tokens
}

function skipLine(source: string): void {
  const end = source.indexOf('\n', NEXT.lastIndex)
  NEXT.lastIndex = end === -1 ? source.length : end
}

type Parts = Record<'text' | 'end' | 'number' | 'date' | 'name', string | undefined>

function tokenOf(whole: string, { text, end, number, date, name }: Parts): Omit<Token, 'spaced'> {
  if (name !== undefined) return { kind: 'name', text: plainName(name), number: 0 }
  if (text !== undefined) return { kind: 'text', text: unquoted(text), number: 0 }
  if (number !== undefined) return { kind: 'number', text: '', number: numberOf(number) }
  if (end !== undefined) return { kind: 'eol', text: end === ':' ? ':' : '', number: 0 }
  if (date !== undefined) return { kind: 'text', text: date, number: 0 }
  return { kind: 'operator', text: whole, number: 0 }
}

function plainName(name: string): string {
  const plain = name.startsWith('[') ? name.slice(1, -1) : name.replace(/[$%@]$/, '')
  return plain.toLowerCase()
}

function unquoted(text: string): string {
  const inner = text.length > 1 && text.endsWith('"') ? text.slice(1, -1) : text.slice(1)
  return inner.includes('"') ? inner.replaceAll('""', '"') : inner
}

function numberOf(text: string): number {
  if (/^&h/i.test(text)) return asSigned(Number.parseInt(text.slice(2), 16), text)
  if (text.startsWith('&')) return Number.parseInt(text.replace(/[&o]/gi, ''), 8)
  return Number.parseFloat(text)
}

/** `&HFFFF` is -1; `&HFFFF&` is 65535. */
function asSigned(value: number, text: string): number {
  if (value > 0x7fffffff && value <= 0xffffffff) return value - 0x1_0000_0000
  return !text.endsWith('&') && value > 0x7fff && value <= 0xffff ? value - 0x1_0000 : value
}
