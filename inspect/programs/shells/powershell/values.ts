/** Values of PowerShell: texts, variables, lists, tables, and their members. */

import { ownOf } from '#inspect/core/own.ts'
import { KNOWN_VARIABLES } from '#inspect/windows/powershell.ts'
import type { Node } from '../../javascript/syntax.ts'
import { accept, isEnd, nested, peek, take } from '../source.ts'
import { constant, helper, joined, list, NULL, named, record } from '../tree.ts'
import { bracketed, isExpression, scriptBlock, substatement } from './blocks.ts'
import { methodNode, staticNode } from './calls.ts'
import {
  LINE_SPACE,
  LINES,
  noting,
  type Parsing,
  since,
  skipped,
  VARIABLE,
  variableName,
  withLists,
} from './parsing.ts'

const NUMBER = /(?:0x[\da-f]{1,16}|\d{1,16}(?:\.\d{1,16})?)(?:kb|mb|gb|[dul])?(?![\w.]{0,20}[a-z_])/iy

const SINGLE = /['\u2018\u2019]((?:[^'\u2018\u2019]|''|[\u2018\u2019]{2})*)['\u2018\u2019]/y

/** One that is not closed extends to the end. */
const HERE_SINGLE = /@'[ \t]*\r?\n([\s\S]*?)(?:\r?\n'@|$)/y

const HERE_DOUBLE = /@"[ \t]*\r?\n([\s\S]*?)(?:\r?\n"@|$)/y

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  0: '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

export function memberName(parsing: Parsing): Node {
  const sign = peek(parsing)
  if (/["'$(]/.test(sign)) {
    const from = parsing.at
    const value = primary(parsing)
    return value.kind === 'constant' ? value : noting(parsing, since(parsing, from), value)
  }
  return constant(take(parsing, /[\w`]+/y)?.[0].replaceAll('`', '') ?? '')
}

export function callArguments(parsing: Parsing): Node[] {
  accept(parsing, '(')
  const found: Node[] = []
  for (;;) {
    take(parsing, LINE_SPACE)
    if (isEnd(parsing) || accept(parsing, ')')) return found
    const before = parsing.at
    const value = withLists(parsing, false, () => parsing.grammar.logical(parsing))
    found.push(noting(parsing, since(parsing, before), value))
    take(parsing, LINE_SPACE)
    accept(parsing, ',')
    if (parsing.at === before) parsing.at++
  }
}

export function postfix(parsing: Parsing): Node {
  return suffixes(parsing, primary(parsing))
}

export function suffixes(parsing: Parsing, first: Node): Node {
  let node = first
  for (;;) {
    const next = suffixed(parsing, node)
    if (next === null) return node
    node = next
  }
}

/** With one member, call or index behind it. null: there is none. */
function suffixed(parsing: Parsing, node: Node): Node | null {
  if (peek(parsing) === '.' && /[\w"'$(`]/.test(peek(parsing, 1))) {
    parsing.at++
    return methodNode(parsing, node, memberName(parsing), argumentsBehind(parsing))
  }
  if (accept(parsing, '::')) {
    const type = node.kind === 'constant' ? String(node.value) : ''
    return staticNode(parsing, type, memberName(parsing), argumentsBehind(parsing))
  }
  if (accept(parsing, '[')) {
    take(parsing, LINE_SPACE)
    const key = withLists(parsing, true, () => parsing.grammar.logical(parsing))
    take(parsing, LINE_SPACE)
    accept(parsing, ']')
    const known =
      node.kind === 'constant' ? ownOf(KNOWN_VARIABLES, String(node.value).replace(/^\$/, '').toLowerCase()) : undefined
    return helper('at', known === undefined ? node : constant(known), key)
  }
  const [step] = take(parsing, /\+\+|--/y) ?? []
  return step === undefined ? null : { kind: 'update', step: step === '++' ? 1 : -1, target: node, isPrefix: false }
}

export const argumentsBehind = (parsing: Parsing): Node[] | null =>
  peek(parsing) === '(' ? callArguments(parsing) : null

function primary(parsing: Parsing): Node {
  return nested(parsing, () => unnested(parsing))
}

function unnested(parsing: Parsing): Node {
  const sign = peek(parsing)
  if (sign === "'" || /[\u2018\u2019]/.test(sign))
    return constant(take(parsing, SINGLE)?.[1]?.replace(/'{2}/g, "'") ?? unclosed(parsing))
  if (sign === '"' || /[\u201c\u201d]/.test(sign)) return quoted(parsing)
  if (sign === '@') return special(parsing)
  if (sign === '(') return bracketed(parsing)
  if (sign === '{') return scriptBlock(parsing)
  if (sign === '$' && peek(parsing, 1) === '(') {
    parsing.at++
    return substatement(parsing)
  }
  if (sign === '$') return variable(parsing)
  const number = take(parsing, NUMBER)?.[0]
  if (number !== undefined) return constant(Number(number.replace(/(?:kb|mb|gb|[dul])$/i, '')))
  return NULL
}

function unclosed(parsing: Parsing): string {
  parsing.at++
  return ''
}

function variable(parsing: Parsing): Node {
  const [, inBraces, plain] = take(parsing, VARIABLE) ?? []
  const name = inBraces ?? plain
  if (name === undefined) return skipped(parsing)
  const lower = name.toLowerCase()
  if (lower === 'true' || lower === 'false') return constant(lower === 'true')
  if (lower === 'null') return NULL
  if (lower === 'this') return named('this')
  // A variable of the computer stands for itself.
  if (lower.startsWith('env:') && !parsing.environment.has(lower.slice('env:'.length))) return constant(`$${name}`)
  const known = parsing.assigned.has(lower) ? undefined : ownOf(KNOWN_VARIABLES, lower)
  return known === undefined ? named(variableName(name)) : constant(known)
}

/** `@( … )`, `@{ … }`, texts over several lines, `@name`. */
function special(parsing: Parsing): Node {
  const single = take(parsing, HERE_SINGLE)
  if (single !== null) return constant(single[1] ?? '')
  const double = take(parsing, HERE_DOUBLE)
  if (double !== null) return expanded(parsing, double[1] ?? '')
  parsing.at++
  if (peek(parsing) === '(') {
    accept(parsing, '(')
    const body = withLists(parsing, true, () => parsing.grammar.statements(parsing))
    accept(parsing, ')')
    return helper(
      'list',
      body.length === 1 && body[0] !== undefined && isExpression(body[0]) ? body[0] : list(body.filter(isExpression)),
    )
  }
  if (peek(parsing) === '{') return table(parsing)
  parsing.at--
  return helper('splat', variable(parsing))
}

function table(parsing: Parsing): Node {
  accept(parsing, '{')
  const entries: { key: Node; value: Node }[] = []
  for (;;) {
    take(parsing, LINES)
    if (isEnd(parsing) || accept(parsing, '}')) return record(entries)
    const before = parsing.at
    const word = take(parsing, /[\w-]+/y)?.[0]
    const key = word === undefined ? primary(parsing) : constant(word.toLowerCase())
    take(parsing, LINE_SPACE)
    if (accept(parsing, '='))
      entries.push({ key, value: nested(parsing, () => parsing.grammar.statement(parsing)) ?? NULL })
    if (parsing.at === before) parsing.at++
  }
}

const DOUBLE_END = /["\u201c\u201d]/

/** Variables and parts in it are replaced. */
function quoted(parsing: Parsing): Node {
  parsing.at++
  return textOf(parsing, false)
}

/** `isWhole`: quotes do not end it. */
function textOf(parsing: Parsing, isWhole: boolean): Node {
  const parts: Node[] = []
  while (!isEnd(parsing)) {
    const part = quotedPart(parsing, isWhole)
    if (part === null) break
    parts.push(part)
  }
  return parts.every(({ kind }) => kind === 'constant')
    ? constant(parts.map((part) => (part.kind === 'constant' ? part.value : '')).join(''))
    : joined(
        parsing.isTight ? parts.map((part) => (part.kind === 'constant' ? part : helper('join', part, NULL))) : parts,
      )
}

/** null: the text ends. */
function quotedPart(parsing: Parsing, isWhole: boolean): Node | null {
  const [plain] = take(parsing, /[^"$`\u201c\u201d]+/y) ?? []
  if (plain !== undefined) return constant(plain)
  const sign = parsing.source.charAt(parsing.at++)
  if (DOUBLE_END.test(sign) && isWhole) return constant(sign)
  if (DOUBLE_END.test(sign)) return take(parsing, /["\u201c\u201d]/y) === null ? null : constant('"')
  if (sign === '`') {
    const escaped = parsing.source.charAt(parsing.at++)
    return constant(ESCAPES[escaped] ?? escaped)
  }
  if (!/[\w({]/.test(peek(parsing))) return constant(sign)
  parsing.at--
  return nested(parsing, () => primary(parsing))
}

/** The same for a text over several lines. */
function expanded(parsing: Parsing, text: string): Node {
  return textOf({ ...parsing, source: text, at: 0, isInner: true }, true)
}
