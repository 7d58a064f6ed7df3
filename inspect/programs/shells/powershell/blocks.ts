/** Blocks and brackets of PowerShell. */

import type { Node } from '../../javascript/syntax.ts'
import { accept, take } from '../source.ts'
import { call, lambda, NULL, returning } from '../tree.ts'
import { LINE_SPACE, type Parsing, variableName, withLists } from './parsing.ts'

export function braced(parsing: Parsing): Node[] {
  take(parsing, LINE_SPACE)
  if (!accept(parsing, '{')) return []
  const body = withLists(parsing, true, () => parsing.grammar.statements(parsing))
  accept(parsing, '}')
  return body
}

/** In its own scope. */
export function scoped<T>(parsing: Parsing, read: () => T): { result: T; vars: Set<string> } {
  const { scope } = parsing
  parsing.scope = { vars: new Set() }
  const result = read()
  const { vars } = parsing.scope
  parsing.scope = scope
  return { result, vars }
}

export function bracketed(parsing: Parsing): Node {
  take(parsing, LINE_SPACE)
  if (!accept(parsing, '(')) return NULL
  const value = withLists(parsing, true, () => parsing.grammar.pipeline(parsing))
  take(parsing, LINE_SPACE)
  accept(parsing, ')')
  return value
}

/** `{ … }` as a value. */
export function scriptBlock(parsing: Parsing): Node {
  const from = parsing.at
  const { result, vars } = scoped(parsing, () => braced(parsing))
  const params = /^\{\s*param\s*\(([^()]{0,2000})\)/i.exec(parsing.source.slice(from, from + 2_100))?.[1] ?? ''
  const own = [...params.matchAll(/\$(\w+)/g)].map(([, name = '']) => variableName(name))
  return lambda(own.length > 0 ? own : ['sv__'], returning(result), vars)
}

/** `$( … )` */
export function substatement(parsing: Parsing): Node {
  accept(parsing, '(')
  const body = withLists(parsing, true, () => parsing.grammar.statements(parsing))
  accept(parsing, ')')
  const [only] = body
  return body.length === 1 && only !== undefined && isExpression(only)
    ? only
    : call(lambda([], returning(body), []), [])
}

export const isExpression = ({ kind }: Node): boolean =>
  !['block', 'choice', 'loop', 'each', 'try', 'leave', 'declare', 'labelled', 'switch'].includes(kind)
