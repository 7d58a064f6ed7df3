/** Parses the statements of Visual Basic procedures. */

import { keep } from '#inspect/core/work.ts'
import {
  accept,
  type Cursor,
  expect,
  FAULT,
  isName,
  isOperator,
  parseCallArguments,
  parseExpression,
  parseTarget,
  peek,
  SyntaxFault,
  tooDeep,
} from './expressions.ts'
import type { Arm, Expression, Statement } from './syntax.ts'
import type { Token } from './tokens.ts'

/** Blocks inside each other. Deeper ones are not parsed. */
export const BLOCKS_MAX = 60
const STATEMENT_BYTES = 150

/** Words that end or divide a block. `end if` is written as one. */
type Ender = (cursor: Cursor) => boolean

const atEnd =
  (...words: string[]): Ender =>
  (cursor) => {
    const token = peek(cursor)
    if (token.kind !== 'name') return false
    return words.includes(token.text === 'end' ? `end ${peek(cursor, 1).text}` : token.text)
  }
const never: Ender = () => false

/** Statements up to the word that ends the block, which is not consumed. A statement with a fault is left out. */
export function parseBlock(cursor: Cursor, ends: Ender = never, level = 0): Statement[] {
  const statements: Statement[] = []
  while (cursor.at < cursor.tokens.length) {
    if (peek(cursor).kind === 'eol') cursor.at++
    else if (ends(cursor)) return statements
    else statements.push(...parseStatement(cursor, level))
  }
  return statements
}

function parseStatement(cursor: Cursor, level: number): Statement[] {
  const start = cursor.at
  const depth = cursor.depth
  try {
    keep(STATEMENT_BYTES)
    const token = peek(cursor)
    if (token.kind === 'number') {
      // After `Then`, the number of the line to continue with.
      const isLine = isLineStart(cursor)
      const label = labelName(cursor)
      return [isLine ? { kind: 'label', name: label } : { kind: 'jump', label }]
    }
    if (isLabel(cursor)) {
      // In VBScript, which has no labels, it is a call.
      const call = parseSimple(cursor)
      return [{ kind: 'label', name: token.text }, call]
    }
    const parse = token.kind === 'name' && !isAssigned(cursor) ? KEYWORDS.get(token.text) : undefined
    if (parse === undefined) return [parseWholeSimple(cursor)]
    if (level >= BLOCKS_MAX) throw tooDeep(cursor)
    cursor.at++
    return parse(cursor, level + 1)
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error
    cursor.depth = depth
    cursor.at = Math.max(cursor.at, start + 1)
    skipStatement(cursor)
    return []
  }
}

/** `open = 1` assigns to a variable that has the name of a statement. */
function isAssigned(cursor: Cursor): boolean {
  const next = peek(cursor, 1)
  return isOperator(next, '=') || (isOperator(next, '.') && !next.spaced)
}

const isLineStart = (cursor: Cursor): boolean => cursor.at === 0 || isLineEnd(peek(cursor, -1))

/** `Name:` at the beginning of a line. */
function isLabel(cursor: Cursor): boolean {
  const [token, next] = [peek(cursor), peek(cursor, 1)]
  return (
    isLineStart(cursor) &&
    token.kind === 'name' &&
    !KEYWORDS.has(token.text) &&
    next.kind === 'eol' &&
    next.text === ':'
  )
}

/** The name or the number of a line. */
function labelName(cursor: Cursor): string {
  const { kind, text, number } = peek(cursor)
  cursor.at++
  return kind === 'number' ? String(number) : text
}

/** Where `Return` continues, and where a handler continues that resumes. */
const AFTER_CALL = '(after GoSub)'
const AFTER_ERROR = '(after On Error)'

const parseGoTo: Parse = (cursor) => [{ kind: 'jump', label: labelName(cursor) }]
const parseGoSub: Parse = (cursor) => [...parseGoTo(cursor, 0), { kind: 'label', name: AFTER_CALL }]
const parseReturn: Parse = () => [{ kind: 'jump', label: AFTER_CALL }]

const parseResume: Parse = (cursor) => {
  const isNamed = peek(cursor).kind !== 'eol' && !isName(peek(cursor), 'next')
  return [{ kind: 'jump', label: isNamed ? labelName(cursor) : AFTER_ERROR }]
}

/** `On Error Resume Next`, `On Error GoTo label`. `On n GoTo a, b` is left out. */
const parseOn: Parse = (cursor) => {
  const isError = accept(cursor, 'error')
  if (isError && accept(cursor, 'resume')) {
    skipStatement(cursor)
    return [{ kind: 'handler', label: null }]
  }
  const label = isError && accept(cursor, 'goto') ? labelName(cursor) : '0'
  skipStatement(cursor)
  if (!isError) return []
  const handler: Statement = { kind: 'handler', label: label === '0' || label === '-' ? '' : label }
  return label === '0' ? [handler] : [handler, { kind: 'label', name: AFTER_ERROR }]
}

function skipStatement(cursor: Cursor): void {
  while (cursor.at < cursor.tokens.length && peek(cursor).kind !== 'eol') cursor.at++
}

function isLineEnd(token: Token): boolean {
  return token.kind === 'eol' && token.text === ''
}

/** Words after it that were not understood, as in `Line Input #1, a`, are left out. */
function parseWholeSimple(cursor: Cursor): Statement {
  const statement = parseSimple(cursor)
  if (!isName(peek(cursor), 'else')) skipStatement(cursor)
  return statement
}

/** A procedure that a button or menu calls is not called here. */
function parseAssigned(cursor: Cursor, target: Expression): Expression {
  const name = peek(cursor).text.toLowerCase()
  const isCallback = target.kind === 'member' && target.name === 'onaction' && !cursor.mentions.has(name)
  const value = parseExpression(cursor)
  if (isCallback) cursor.mentions.delete(name)
  return value
}

/** An assignment, or a call with or without parentheses. */
function parseSimple(cursor: Cursor): Statement {
  const target = parseTarget(cursor)
  if (accept(cursor, '=')) return { kind: 'assign', target, value: parseAssigned(cursor, target) }
  const next = peek(cursor)
  if (next.kind === 'eol' || isName(next, 'else')) return { kind: 'call', call: called(target, []) }
  const args = parseCallArguments(cursor, target, '')
  const [only] = args
  // `a (1) = 2` assigns to an element.
  if (args.length === 1 && only?.kind === 'chain' && only.rest[0]?.operator === '=' && next.text === '(')
    return { kind: 'assign', target: { kind: 'call', callee: target, args: [only.first] }, value: only.rest[0].operand }
  return { kind: 'call', call: called(target, args) }
}

/** `f (a), b` was read as `f(a)` and then `, b`. */
function called(target: Expression, args: (Expression | null)[]): Expression {
  if (target.kind !== 'call') return { kind: 'call', callee: target, args }
  return args.length === 0 ? target : { ...target, args: [...target.args, ...args.slice(1)] }
}

type Parse = (cursor: Cursor, level: number) => Statement[]

const skip: Parse = (cursor) => {
  skipStatement(cursor)
  return []
}

const parseIf: Parse = (cursor, level) => {
  const arms: Arm[] = []
  let condition: Expression | null = parseExpression(cursor)
  expect(cursor, 'then')
  if (!isLineEnd(peek(cursor))) return [parseShortIf(cursor, condition, level)]
  for (;;) {
    arms.push({ condition, body: parseBlock(cursor, atEnd('else', 'elseif', 'end if'), level) })
    if (accept(cursor, 'elseif') || isElseIf(cursor)) {
      condition = parseExpression(cursor)
      accept(cursor, 'then')
    } else if (accept(cursor, 'else')) condition = null
    else break
  }
  cursor.at += 2
  return [{ kind: 'choose', arms }]
}

function isElseIf(cursor: Cursor): boolean {
  if (!isName(peek(cursor), 'else') || !isName(peek(cursor, 1), 'if')) return false
  cursor.at += 2
  return true
}

/** All on one line. */
function parseShortIf(cursor: Cursor, condition: Expression, level: number): Statement {
  const atLineEnd: Ender = (at) => isName(peek(at), 'else')
  const body = parseLine(cursor, atLineEnd, level)
  const arms: Arm[] = [{ condition, body }]
  if (accept(cursor, 'else')) arms.push({ condition: null, body: parseLine(cursor, never, level) })
  return { kind: 'choose', arms }
}

function parseLine(cursor: Cursor, ends: Ender, level: number): Statement[] {
  const statements: Statement[] = []
  while (cursor.at < cursor.tokens.length && !isLineEnd(peek(cursor)) && !ends(cursor)) {
    if (peek(cursor).kind === 'eol') cursor.at++
    else statements.push(...parseStatement(cursor, level))
  }
  return statements
}

const parseFor: Parse = (cursor, level) => {
  if (accept(cursor, 'each')) {
    const variable = parseTarget(cursor)
    expect(cursor, 'in')
    const list = parseExpression(cursor)
    return [{ kind: 'each', variable, list, body: parseLoopBody(cursor, level, 'next') }]
  }
  const variable = parseTarget(cursor)
  expect(cursor, '=')
  const from = parseExpression(cursor)
  expect(cursor, 'to')
  const to = parseExpression(cursor)
  const step = accept(cursor, 'step') ? parseExpression(cursor) : null
  return [{ kind: 'for', variable, from, to, step, body: parseLoopBody(cursor, level, 'next') }]
}

function parseLoopBody(cursor: Cursor, level: number, end: string): Statement[] {
  const body = parseBlock(cursor, atEnd(end), level)
  skipStatement(cursor)
  return body
}

const parseWhile: Parse = (cursor, level) => {
  const condition = parseExpression(cursor)
  return [{ kind: 'loop', condition, until: false, after: false, body: parseLoopBody(cursor, level, 'wend') }]
}

const parseDo: Parse = (cursor, level) => {
  const before = loopCondition(cursor)
  const body = parseBlock(cursor, atEnd('loop'), level)
  cursor.at++
  const { condition, until } = before.condition === null ? loopCondition(cursor) : before
  return [{ kind: 'loop', condition, until, after: before.condition === null, body }]
}

function loopCondition(cursor: Cursor): { condition: Expression | null; until: boolean } {
  const until = isName(peek(cursor), 'until')
  if (!until && !isName(peek(cursor), 'while')) return { condition: null, until: false }
  cursor.at++
  return { condition: parseExpression(cursor), until }
}

const parseWith: Parse = (cursor, level) => {
  const object = parseExpression(cursor)
  const body = parseBlock(cursor, atEnd('end with'), level)
  cursor.at += 2
  return [{ kind: 'with', object, body }]
}

const parseSelect: Parse = (cursor, level) => {
  accept(cursor, 'case')
  const subject = parseExpression(cursor)
  const arms: Arm[] = []
  parseBlock(cursor, atEnd('case', 'end select'), level)
  while (accept(cursor, 'case')) {
    const condition = accept(cursor, 'else') ? null : parseCases(cursor, subject)
    arms.push({ condition, body: parseBlock(cursor, atEnd('case', 'end select'), level) })
  }
  cursor.at += 2
  return [{ kind: 'choose', arms }]
}

/** `1, 3 To 5, Is > 9` as one condition. */
function parseCases(cursor: Cursor, subject: Expression): Expression {
  const compare = (operator: string, operand: Expression): Expression => ({
    kind: 'chain',
    first: subject,
    rest: [{ operator, operand }],
  })
  const tests: Expression[] = []
  do {
    if (accept(cursor, 'is')) {
      const operator = peek(cursor).text
      cursor.at++
      tests.push(compare(operator, parseExpression(cursor)))
      continue
    }
    const value = parseExpression(cursor)
    if (accept(cursor, 'to')) {
      const upper = compare('<=', parseExpression(cursor))
      tests.push({ kind: 'chain', first: compare('>=', value), rest: [{ operator: 'and', operand: upper }] })
    } else tests.push(compare('=', value))
  } while (accept(cursor, ','))
  const [first, ...others] = tests
  if (first === undefined) throw FAULT
  return { kind: 'chain', first, rest: others.map((operand) => ({ operator: 'or', operand })) }
}

/** `Dim a(5) As Byte, b`, `ReDim Preserve a(9)`, `Const a = 1`. */
const parseDimension: Parse = (cursor) => {
  const statements: Statement[] = []
  const preserve = accept(cursor, 'preserve')
  const isStatic = isName(peek(cursor, -1), 'static')
  for (const word of ['static', 'const', 'dim', 'withevents', 'shared']) accept(cursor, word)
  if (isName(peek(cursor), 'declare', 'type', 'enum', 'event', 'sub', 'function', 'property')) return skip(cursor, 0)
  do statements.push(...parseVariable(cursor, { preserve, isStatic }))
  while (accept(cursor, ','))
  return statements
}

function parseVariable(cursor: Cursor, flags: { preserve: boolean; isStatic: boolean }): Statement[] {
  const target = parseTarget(cursor)
  const isTyped = accept(cursor, 'as')
  const isInteger = isTyped && isName(peek(cursor), 'integer', 'long', 'byte')
  const created = isTyped ? parseType(cursor) : null
  const value = accept(cursor, '=') ? parseExpression(cursor) : created
  if (value !== null) return [{ kind: 'assign', target, value }]
  if (target.kind === 'name') return [{ kind: 'dimension', name: target.name, bounds: null, isInteger, ...flags }]
  if (target.kind !== 'call' || target.callee.kind !== 'name') return []
  return [{ kind: 'dimension', name: target.callee.name, bounds: target.args, isInteger, ...flags }]
}

/** `As New Scripting.Dictionary` creates an object; `As String * 10` does not. */
function parseType(cursor: Cursor): Expression | null {
  const created = isName(peek(cursor), 'new') ? parseExpression(cursor) : null
  skipType(cursor)
  return created
}

function skipType(cursor: Cursor): void {
  for (let token = peek(cursor); token.kind !== 'eol'; token = peek(cursor)) {
    if (isOperator(token, ',') || isOperator(token, '=')) return
    cursor.at++
  }
}

const parseExit: Parse = (cursor) => {
  const isLoop = isName(peek(cursor), 'for', 'do')
  cursor.at++
  return [{ kind: 'exit', from: isLoop ? 'loop' : 'procedure' }]
}

const text = (value: string): Expression => ({ kind: 'literal', value })

/** `Open path For Binary Access Write As #1` as a call with the path and the mode. */
const parseOpen: Parse = (cursor) => {
  const path = parseExpression(cursor)
  const mode = accept(cursor, 'for') ? peek(cursor).text : 'random'
  skipStatement(cursor)
  return [{ kind: 'call', call: { kind: 'call', callee: { kind: 'name', name: 'open' }, args: [path, text(mode)] } }]
}

const parseName: Parse = (cursor) => {
  const from = parseExpression(cursor)
  expect(cursor, 'as')
  const args = [from, parseExpression(cursor)]
  return [{ kind: 'call', call: { kind: 'call', callee: { kind: 'name', name: 'name' }, args } }]
}

const parseCall: Parse = (cursor) => [{ kind: 'call', call: called(parseExpression(cursor), []) }]

/** `RaiseEvent Done(1)` as a call with the name of the event. */
const parseRaise: Parse = (cursor) => {
  const event = parseExpression(cursor)
  const [callee, args] = event.kind === 'call' ? [event.callee, event.args] : [event, []]
  cursor.mentions.add('raiseevent')
  const name = text(callee.kind === 'name' ? callee.name : '')
  return [{ kind: 'call', call: { kind: 'call', callee: { kind: 'name', name: 'raiseevent' }, args: [name, ...args] } }]
}

const KEYWORDS: ReadonlyMap<string, Parse> = new Map<string, Parse>([
  ['if', parseIf],
  ['for', parseFor],
  ['while', parseWhile],
  ['do', parseDo],
  ['with', parseWith],
  ['select', parseSelect],
  ...['dim', 'redim', 'const', 'static', 'private', 'public', 'global'].map((word) => [word, parseDimension] as const),
  ['exit', parseExit],
  ['open', parseOpen],
  ['name', parseName],
  ['call', parseCall],
  ['raiseevent', parseRaise],
  [
    'set',
    (cursor) => {
      const statement = parseSimple(cursor)
      return [statement.kind === 'assign' ? { ...statement, isSet: true } : statement]
    },
  ],
  ['on', parseOn],
  ['goto', parseGoTo],
  ['gosub', parseGoSub],
  ['return', parseReturn],
  ['resume', parseResume],
  ['let', (cursor) => [parseSimple(cursor)]],
  ['lset', (cursor) => [parseSimple(cursor)]],
  ...['option', 'attribute', 'declare', 'implements', 'event', 'end', 'erase'].map((word) => [word, skip] as const),
  ...['else', 'elseif', 'next', 'loop', 'wend', 'case', 'type', 'enum', 'class'].map((word) => [word, skip] as const),
])
