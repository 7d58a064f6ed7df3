/** Classes of PowerShell: fields, methods, constructors and what they are derived from. */

import type { ClassNode, FunctionNode, Node } from '../../javascript/syntax.ts'
import { accept, isEnd, nested, peek, take } from '../source.ts'
import { call, classNode, constant, lambda, leave, named, returning } from '../tree.ts'
import { braced, scoped } from './blocks.ts'
import { LINE_SPACE, LINES, type Parsing, SPACE, typeName, variableName } from './parsing.ts'

const NAME = /\w{1,100}/y
const MODIFIERS = /(?:(?:static|hidden)\s{1,99}|\[[\w.,[\]]{1,200}\]\s{0,99}){0,20}/iy
const FIELD = /\$(\w{1,100})/y

/** It is made before anything runs, as its names are. */
export function defineClass(parsing: Parsing): null {
  take(parsing, SPACE)
  const [name = ''] = take(parsing, NAME) ?? []
  const [, base] = take(parsing, /\s{0,99}:\s{0,99}([\w.]{1,100})[^{]{0,200}/y) ?? []
  take(parsing, LINE_SPACE)
  if (!accept(parsing, '{')) return null
  const isDerived = base !== undefined && parsing.types.has(base.toLowerCase())
  const node = classNode(name, isDerived ? named(typeName(base)) : null)
  while (!isEnd(parsing)) {
    take(parsing, LINES)
    if (accept(parsing, '}')) break
    const before = parsing.at
    addMember(parsing, node)
    if (parsing.at === before) parsing.at++
  }
  parsing.classes.push(node)
  return null
}

function addMember(parsing: Parsing, node: ClassNode): void {
  const isStatic = /\bstatic\b/i.test(take(parsing, MODIFIERS)?.[0] ?? '')
  const [, field] = take(parsing, FIELD) ?? []
  if (field !== undefined) {
    take(parsing, SPACE)
    const value = accept(parsing, '=') ? nested(parsing, () => parsing.grammar.pipeline(parsing)) : null
    if (value !== null)
      node.entries.push({ key: keyOf(field), value: lambda([], [leave('return', value)], []), isStatic, how: 'field' })
    return
  }
  const [name] = take(parsing, NAME) ?? []
  take(parsing, LINE_SPACE)
  if (name === undefined || peek(parsing) !== '(') return
  const value = methodBehind(parsing)
  if (name.toLowerCase() === node.name.toLowerCase() && !isStatic) node.maker = value
  else node.entries.push({ key: keyOf(name), value, isStatic, how: 'value' })
}

const keyOf = (name: string): Node => constant(name.toLowerCase())

/** `([string]$a) { … }`, and `: base($a)` between them. */
function methodBehind(parsing: Parsing): FunctionNode {
  const [written = ''] = take(parsing, /\([^()]{0,2000}\)?/y) ?? []
  const params = [...written.matchAll(/\$(\w+)/g)].map(([, each = '']) => variableName(each))
  take(parsing, LINE_SPACE)
  const given = take(parsing, /:\s{0,99}base\s{0,99}(?=\()/iy) === null ? null : parsing.grammar.callArguments(parsing)
  const { result, vars } = scoped(parsing, () => braced(parsing))
  const first = given === null ? [] : [call(named('super'), given)]
  return lambda(params, [...first, ...returning(result)], vars)
}
