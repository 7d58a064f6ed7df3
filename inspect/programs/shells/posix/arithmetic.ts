/** Sums and counters of Unix shells. */

import { charge } from '#inspect/core/work.ts'
import { parse } from '../../javascript/parser.ts'
import type { Node } from '../../javascript/syntax.ts'
import { assign, method, named, sequence } from '../tree.ts'
import { ARGUMENTS, type Parsing, targetName, variableName } from './parsing.ts'

const UNKNOWN = 'sh_number_of'
const CHARACTER_WORK = 40
const SUM = /^[\w\s$*/%^&|<>!~?:{}()[\]@#=+-]+$/
const COUNTED = /^\s*(?:(\+\+|--)\s*([a-z_]\w*)|([a-z_]\w*)\s*(\+\+|--))\s*$/i
const SET = /^\s*([a-z_]\w*)\s*([-+*/%^&|]|<<|>>)?=(?!=)/i
/** A length, a number with its base, an item of a list, or a variable. */
const OPERAND =
  /\$\{#(\w+)(?:\[[@*]\])?\}|\b(\d{1,2})#(\w{1,12})|\$#|\$([1-9])|\b([a-z_]\w*)\[\$?(\w{1,40})\]|\$?\{?\b([a-z_]\w*)\b\}?/gi

/** The value of `i + 1`, or what `i++, j = 2` does. */
export function arithmetic(parsing: Parsing, text: string): Node {
  charge(text.length * CHARACTER_WORK)
  const steps = text.split(',').map((step) => stepOf(parsing, step.replace(/^\s*\$\(\(|\)\)\s*$/g, '')))
  const [only = named(UNKNOWN)] = steps
  return steps.length > 1 ? sequence(steps) : only
}

function stepOf(parsing: Parsing, text: string): Node {
  const [, before, after, first, second] = COUNTED.exec(text) ?? []
  const counted = after ?? first
  if (counted !== undefined) {
    const target = named(variableOf(parsing, counted))
    return assign(target, resultOf(parsing, `${counted}${(before ?? second) === '++' ? '+' : '-'}1`))
  }
  const [set, name, operator] = SET.exec(text) ?? []
  if (set === undefined || name === undefined) return resultOf(parsing, text)
  const rest = text.slice(set.length)
  const value = operator === undefined ? rest : `${name}${operator}(${rest})`
  return assign(named(variableOf(parsing, name)), resultOf(parsing, value))
}

function variableOf(parsing: Parsing, name: string): string {
  const variable = variableName(targetName(parsing, name))
  parsing.vars.add(variable)
  return variable
}

function resultOf(parsing: Parsing, text: string): Node {
  if (!SUM.test(text) || /\+\+|--/.test(text)) return named(UNKNOWN)
  const number = (name: string): string => `(+${variableName(targetName(parsing, name))})`
  const source = text.replace(OPERAND, (found, length?: string, base?: string, digits = '', ...rest: string[]) => {
    const [place, list, index = '', name = ''] = rest
    if (length !== undefined) return `${variableName(targetName(parsing, length))}.length`
    if (base !== undefined) return String(Number.parseInt(digits, Number(base)))
    if (found === '$#') return `${ARGUMENTS}.length`
    if (place !== undefined) return `(+${ARGUMENTS}[${Number(place) - 1}])`
    if (list !== undefined) return `(+${variableName(list)}[${/^\d+$/.test(index) ? index : number(index)}])`
    return number(name)
  })
  if (/[$#@{}]/.test(source)) return named(UNKNOWN)
  const [node] = parse(`(${source})`).body
  return node === undefined ? named(UNKNOWN) : whole(node)
}

/** Quotients are whole numbers. */
function whole(node: Node): Node {
  if (node.kind === 'unary') return { ...node, operand: whole(node.operand) }
  if (node.kind !== 'binary') return node
  const made = { ...node, left: whole(node.left), right: whole(node.right) }
  return node.operator === '/' ? method(named('Math'), 'trunc', made) : made
}
