/** Formulas of Excel as trees, and their text form. */

import { charge, keep } from '#inspect/core/work.ts'

export type Formula =
  | { kind: 'value'; value: string | number | boolean | null }
  /** `sheet: null` is the sheet of the formula. Rows and columns count from zero. `last`: the other corner of an area. */
  | { kind: 'cell'; sheet: string | null; row: number; column: number; last?: { row: number; column: number } }
  /** In upper case, as are the names of functions. */
  | { kind: 'name'; name: string }
  | { kind: 'call'; name: string; args: readonly Formula[] }
  | { kind: 'operation'; operator: string; left: Formula; right: Formula }

/** Parts of one formula, and functions inside each other. */
export const PARTS_MAX = 5_000
export const DEPTH_MAX = 64
const PART_BYTES = 120
const PART_WORK = 300

export const UNKNOWN: Formula = { kind: 'name', name: '' }

const TOKEN =
  /\s*(?:"((?:[^"]|"")*)"|(\d+(?:\.\d*)?(?:e[+-]?\d+)?)|((?:'(?:[^']|'')*'|[a-z_\\\u0080-\uffff][\w.\u0080-\uffff]*)!)?(\$?[a-z]{1,3}\$?\d{1,7}(?![\w.(])|r\[?-?\d{0,7}\]?c\[?-?\d{0,7}\]?(?![\w.([])|[a-z_\\\u0080-\uffff][\w.?\u0080-\uffff]*)|(<>|<=|>=|[-+*/^&=<>%(),;:{}!@#]))/iy

interface Token {
  kind: 'text' | 'number' | 'name' | 'sign'
  text: string
  sheet: string | null
}

/** null: not a formula, or too large. */
export function parseFormula(text: string): Formula | null {
  const tokens = tokensOf(text.replace(/^\s*=/, ''))
  if (tokens === null || tokens.length === 0) return null
  const cursor: Cursor = { tokens, at: 0, depth: 0 }
  try {
    return parseOperation(cursor, 0)
  } catch (error) {
    if (error === FAULT) return null
    throw error
  }
}

const FAULT = new Error('Not a formula')

interface Cursor {
  tokens: readonly Token[]
  at: number
  depth: number
}

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    charge(PART_WORK)
    keep(PART_BYTES)
    if (tokens.length >= PARTS_MAX) return null
    const [, quoted, number, sheet, name, sign] = found
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll('""', '"'), sheet: null })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, sheet: null })
    else if (name !== undefined)
      tokens.push({ kind: 'name', text: name, sheet: sheet === undefined ? null : sheetName(sheet) })
    else tokens.push({ kind: 'sign', text: sign ?? '', sheet: null })
    if (TOKEN.lastIndex >= text.trimEnd().length) break
  }
  return tokens
}

/** With its exclamation mark, and perhaps in apostrophes. */
function sheetName(reference: string): string {
  return reference.slice(0, -1).replace(/^'|'$/g, '').replaceAll("''", "'").toLowerCase()
}

const LEVELS: readonly (readonly string[])[] = [['=', '<>', '<', '>', '<=', '>='], ['&'], ['+', '-'], ['*', '/'], ['^']]
const LEVEL_OF: ReadonlyMap<string, number> = new Map(
  LEVELS.flatMap((signs, level) => signs.map((sign): [string, number] => [sign, level])),
)

const peek = (cursor: Cursor): Token | undefined => cursor.tokens[cursor.at]
const levelOf = (token: Token | undefined): number => (token?.kind === 'sign' ? (LEVEL_OF.get(token.text) ?? -1) : -1)

function accept(cursor: Cursor, sign: string): boolean {
  const token = peek(cursor)
  if (token?.kind !== 'sign' || token.text !== sign) return false
  cursor.at++
  return true
}

function parseOperation(cursor: Cursor, weakest: number): Formula {
  let left = parseOperand(cursor)
  for (let level = levelOf(peek(cursor)); level >= weakest; level = levelOf(peek(cursor))) {
    const operator = peek(cursor)?.text ?? ''
    cursor.at++
    left = { kind: 'operation', operator, left, right: parseOperation(cursor, level + 1) }
  }
  return left
}

function parseOperand(cursor: Cursor): Formula {
  if (++cursor.depth > DEPTH_MAX) throw FAULT
  const token = peek(cursor)
  cursor.at++
  const operand = token === undefined ? UNKNOWN : parseToken(cursor, token)
  while (accept(cursor, '%')) cursor.depth += 0
  cursor.depth--
  return operand
}

function parseToken(cursor: Cursor, token: Token): Formula {
  if (token.kind === 'text') return { kind: 'value', value: token.text }
  if (token.kind === 'number') return { kind: 'value', value: Number(token.text) }
  if (token.kind === 'name') return parseNamed(cursor, token)
  if (token.text === '-')
    return { kind: 'operation', operator: '-', left: { kind: 'value', value: 0 }, right: parseOperand(cursor) }
  if (token.text === '+' || token.text === '@' || token.text === '=') return parseOperand(cursor)
  if (token.text === '(') {
    const inner = parseOperation(cursor, 0)
    accept(cursor, ')')
    return inner
  }
  throw FAULT
}

function parseNamed(cursor: Cursor, { text, sheet }: Token): Formula {
  if (accept(cursor, '(')) return { kind: 'call', name: functionName(text), args: parseArgs(cursor) }
  const cell = cellOf(text)
  // Only some functions know areas. For others, the first cell counts.
  const last = accept(cursor, ':') ? cellOf(cursor.tokens[cursor.at++]?.text ?? '') : null
  if (cell !== null) return { kind: 'cell', sheet, ...cell, ...(last && { last }) }
  if (/^(?:true|false)$/i.test(text)) return { kind: 'value', value: text.toLowerCase() === 'true' }
  return { kind: 'name', name: text.toUpperCase() }
}

/** Functions that are newer than the file format have a prefix. */
function functionName(text: string): string {
  return text.toUpperCase().replace(/^_XLFN\.(?:_XLWS\.)?|^_XLL\./, '')
}

function parseArgs(cursor: Cursor): Formula[] {
  const args: Formula[] = []
  if (accept(cursor, ')')) return args
  for (;;) {
    const next = peek(cursor)
    const isMissing = next?.kind === 'sign' && (next.text === ',' || next.text === ')' || next.text === ';')
    args.push(isMissing ? { kind: 'value', value: null } : parseOperation(cursor, 0))
    if (accept(cursor, ')') || peek(cursor) === undefined) return args
    if (!accept(cursor, ',') && !accept(cursor, ';')) throw FAULT
  }
}

/** `A1` or `R1C1`. null: neither. */
export function cellOf(text: string): { row: number; column: number } | null {
  const a1 = /^\$?([a-z]{1,3})\$?(\d{1,7})$/i.exec(text)
  if (a1 !== null) return { row: Number(a1[2]) - 1, column: columnOf(a1[1] ?? '') }
  const r1c1 = /^r(\d{1,7})c(\d{1,7})$/i.exec(text)
  return r1c1 && { row: Number(r1c1[1]) - 1, column: Number(r1c1[2]) - 1 }
}

function columnOf(letters: string): number {
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
