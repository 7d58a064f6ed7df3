/** Parses Visual Basic expressions. */

import { words } from '#inspect/core/words.ts'
import { keep } from '#inspect/core/work.ts'
import type { Expression } from './syntax.ts'
import type { Token } from './tokens.ts'

/** Parentheses and calls inside each other. Deeper text is not parsed. */
export const NESTING_MAX = 60
/** Members and arguments after each other. */
export const MEMBERS_MAX = 100

const NODE_BYTES = 120
const END: Token = { kind: 'eol', text: '', number: 0, spaced: false }

/** Ends the parsing of one statement. */
export class SyntaxFault extends Error {}

/** Created once: a text may have a million of them, and each would record the stack. */
export const FAULT = new SyntaxFault()

export interface Cursor {
  tokens: readonly Token[]
  at: number
  depth: number
  mentions: Set<string>
  /** A limit was reached. */
  isCut: boolean
}

/** The statement is skipped, and the program counts as incomplete. */
export function tooDeep(cursor: Cursor): SyntaxFault {
  cursor.isCut = true
  return FAULT
}

export const peek = (cursor: Cursor, ahead = 0): Token => cursor.tokens[cursor.at + ahead] ?? END
export const isName = (token: Token, ...names: string[]): boolean => token.kind === 'name' && names.includes(token.text)
export const isOperator = (token: Token, text: string): boolean => token.kind === 'operator' && token.text === text

/** Consumes the operator or word if it is next. */
export function accept(cursor: Cursor, text: string): boolean {
  const token = peek(cursor)
  if ((token.kind !== 'operator' && token.kind !== 'name') || token.text !== text) return false
  cursor.at++
  return true
}

export function expect(cursor: Cursor, text: string): void {
  if (!accept(cursor, text)) throw FAULT
}

/** From the weakest to the strongest. The operators of a level associate to the left. */
const LEVELS: readonly (readonly string[])[] = [
  ['imp'],
  ['eqv'],
  ['xor'],
  ['or'],
  ['and'],
  words('= <> < > <= >= =< => like is'),
  ['&'],
  ['+', '-'],
  ['mod'],
  ['\\'],
  ['*', '/'],
  ['^'],
]
const COMPARISON = 5
const POWER = LEVELS.length - 1
const LEVEL_OF: ReadonlyMap<string, number> = new Map(
  LEVELS.flatMap((operators, level) => operators.map((operator) => [operator, level])),
)

function levelOf({ kind, text }: Token): number {
  return kind === 'operator' || kind === 'name' ? (LEVEL_OF.get(text) ?? -1) : -1
}

export function parseExpression(cursor: Cursor): Expression {
  if (++cursor.depth > NESTING_MAX) throw tooDeep(cursor)
  const expression = parseFrom(cursor, 0)
  cursor.depth--
  return expression
}

/** Operators of this level and of stronger ones. */
function parseFrom(cursor: Cursor, weakest: number): Expression {
  let first = parseOperand(cursor)
  for (let level = levelOf(peek(cursor)); level >= weakest; level = levelOf(peek(cursor))) {
    const rest: { operator: string; operand: Expression }[] = []
    for (let next = peek(cursor); levelOf(next) === level; next = peek(cursor)) {
      cursor.at++
      keep(NODE_BYTES)
      rest.push({ operator: next.text, operand: parseFrom(cursor, level + 1) })
    }
    first = { kind: 'chain', first, rest }
  }
  return first
}

function parseOperand(cursor: Cursor): Expression {
  const { kind, text } = peek(cursor)
  if (kind === 'name' && text === 'not') return parseUnary(cursor, COMPARISON)
  if (kind === 'operator' && (text === '-' || text === '+')) return parseUnary(cursor, POWER)
  return parsePostfix(cursor, parsePrimary(cursor))
}

function parseUnary(cursor: Cursor, weakest: number): Expression {
  if (++cursor.depth > NESTING_MAX) throw tooDeep(cursor)
  const operator = peek(cursor).text
  cursor.at++
  const operand = parseFrom(cursor, weakest)
  cursor.depth--
  return { kind: 'unary', operator, operand }
}

/** Texts that can be the name of a procedure. */
const NAME_TEXT_MAX = 120

function parsePrimary(cursor: Cursor): Expression {
  const token = peek(cursor)
  keep(NODE_BYTES)
  cursor.at++
  if (token.kind === 'number') return { kind: 'literal', value: token.number }
  if (token.kind === 'text') {
    if (token.text.length <= NAME_TEXT_MAX) mentionText(cursor, token.text.toLowerCase())
    return { kind: 'literal', value: token.text }
  }
  if (token.kind === 'name') return parseNamed(cursor, token.text)
  if (token.text === '(') {
    const inner = parseExpression(cursor)
    expect(cursor, ')')
    // In parentheses, a variable is passed by value.
    const isPassed = (inner.kind === 'name' || inner.kind === 'call') && !/^[.(!]$/.test(peek(cursor).text)
    return isPassed ? { kind: 'chain', first: inner, rest: [] } : inner
  }
  if (token.text === '.' || token.text === '!') return { kind: 'member', of: null, name: memberName(cursor) }
  throw FAULT
}

/** `Module1.Main` and `'Book 1.xls'!Main` name the procedure Main. */
export function lastPart(text: string): string {
  return text.split(/[.!]/).at(-1) ?? text
}

const FORMULA = /^=?[\w.!]+\(/

/** The name of a procedure, or a formula that calls some. */
function mentionText(cursor: Cursor, text: string): void {
  cursor.mentions.add(lastPart(text))
  if (FORMULA.test(text)) for (const [name] of text.matchAll(/[a-z_]\w*/g)) cursor.mentions.add(name)
}

function parseNamed(cursor: Cursor, name: string): Expression {
  if (name.includes('(')) return parseFormula(cursor, name)
  if (name === 'new') return { kind: 'new', name: dottedName(cursor) }
  if (name === 'addressof') return { kind: 'literal', value: memberName(cursor) }
  if (name === 'byval') return parseExpression(cursor)
  cursor.mentions.add(name)
  return { kind: 'name', name }
}

/** `[f(1)]` is `Evaluate("f(1)")`. */
function parseFormula(cursor: Cursor, text: string): Expression {
  mentionText(cursor, text.toLowerCase())
  return { kind: 'call', callee: { kind: 'name', name: 'evaluate' }, args: [{ kind: 'literal', value: text }] }
}

function dottedName(cursor: Cursor): string {
  let name = memberName(cursor)
  while (accept(cursor, '.')) name += `.${memberName(cursor)}`
  return name
}

function memberName(cursor: Cursor): string {
  const token = peek(cursor)
  if (token.kind !== 'name') throw FAULT
  cursor.at++
  cursor.mentions.add(token.text)
  return token.text
}

/** The beginning of a statement. A parenthesis after white space begins its arguments. */
export function parseTarget(cursor: Cursor): Expression {
  return parsePostfix(cursor, parsePrimary(cursor), true)
}

/** Members, arguments and indexes. */
function parsePostfix(cursor: Cursor, base: Expression, stopsAtSpace = false): Expression {
  let result = base
  for (let members = 0; ; members++) {
    if (members > MEMBERS_MAX) throw tooDeep(cursor)
    const token = peek(cursor)
    if (isOperator(token, '(') && !(stopsAtSpace && token.spaced)) {
      keep(NODE_BYTES)
      cursor.at++
      result = { kind: 'call', callee: result, args: parseCallArguments(cursor, result, ')') }
      expect(cursor, ')')
    } else if ((isOperator(token, '.') || isOperator(token, '!')) && !startsWithMember(cursor)) {
      cursor.at++
      result = { kind: 'member', of: result, name: memberName(cursor) }
    } else return result
  }
}

/** `Print .Text` prints a member of the With object. */
function startsWithMember(cursor: Cursor): boolean {
  return peek(cursor).spaced && peek(cursor, -1).kind === 'name'
}

/** A procedure that a key calls is not called here. */
export function parseCallArguments(cursor: Cursor, callee: Expression, closing: ')' | ''): (Expression | null)[] {
  if (callee.kind !== 'member' || callee.name !== 'onkey') return parseArguments(cursor, closing)
  const mentioned = new Set(cursor.mentions)
  const args = parseArguments(cursor, closing)
  for (const name of cursor.mentions) if (!mentioned.has(name)) cursor.mentions.delete(name)
  return args
}

/** Up to the closing parenthesis, or the end of the statement. */
function parseArguments(cursor: Cursor, closing: ')' | ''): (Expression | null)[] {
  const args: (Expression | null)[] = []
  const isEnd = (token: Token): boolean =>
    token.kind === 'eol' || (closing === '' ? isName(token, 'else') : isOperator(token, closing))
  if (isEnd(peek(cursor))) return args
  for (;;) {
    const next = peek(cursor)
    if (isOperator(next, ',') || isOperator(next, ';') || isEnd(next)) args.push(null)
    else args.push(parseArgument(cursor))
    if (!accept(cursor, ',') && !accept(cursor, ';')) return args
  }
}

function parseArgument(cursor: Cursor): Expression {
  const { kind, text } = peek(cursor)
  if (kind === 'name' && isOperator(peek(cursor, 1), ':=')) {
    cursor.at += 2
    return { kind: 'named', name: text, value: parseExpression(cursor) }
  }
  accept(cursor, '#')
  const value = parseExpression(cursor)
  // Bounds of an array: `1 To 5`.
  return accept(cursor, 'to') ? parseExpression(cursor) : value
}
