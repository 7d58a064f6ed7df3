/** Splits Python into names, literals and signs, with the indentation of its lines. */

import { charge, keep } from '#inspect/core/work.ts'

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
const TOKEN_WORK = 700
const TOKEN_BYTES = 100
const TAB_WIDTH = 8

/** Stands for a part of a text that is not known. No text of the document contains it. */
export const GAP = '\uffff'
export const withoutGaps = (text: string): string => (text.includes(GAP) ? text.replaceAll(GAP, ' ') : text)

/** A line that goes on in brackets does not end. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [{ kind: 'end', text: '', indent: indentAt(source, 0) }]
  let brackets = 0
  for (const { 0: whole, groups = {}, index } of source.matchAll(TOKEN)) {
    charge(TOKEN_WORK + whole.length)
    const isEnd = groups.end !== undefined
    if (groups.skip !== undefined || (isEnd && whole !== ';' && brackets > 0)) continue
    keep(TOKEN_BYTES + whole.length)
    const indent = isEnd && whole !== ';' ? indentAt(source, index + whole.length) : null
    tokens.push(isEnd ? { kind: 'end', text: '', indent } : readToken(whole, groups))
    if (groups.sign !== undefined) brackets = Math.max(0, brackets + (BRACKETS[whole] ?? 0))
  }
  return tokens
}

const BRACKETS: Readonly<Record<string, number>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 }

function readToken(whole: string, groups: Record<string, string | undefined>): Token {
  if (groups.number !== undefined) return { kind: 'number', text: whole }
  if (groups.name !== undefined) return { kind: 'name', text: whole.normalize('NFKC') }
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
