/** Operators of PowerShell, by how closely they bind. */

import type { Node } from '../../javascript/syntax.ts'
import { accept, nested, peek, take } from '../source.ts'
import { assign, binary, call, constant, helper, list, member, NULL, named, sequence, unary } from '../tree.ts'
import { staticNode, typeNode } from './calls.ts'
import { LINE_SPACE, type Parsing, SPACE, skipped, TYPE, variableName } from './parsing.ts'
import { argumentsBehind, memberName, postfix, suffixes } from './values.ts'

const COMPARISON =
  /-(?:[ci]?(?:eq|ne|ge|gt|le|lt|like|notlike|match|notmatch|contains|notcontains|in|notin|replace|split)|join|is|isnot|as|band|bor|bxor|shl|shr)(?![\w-])/iy

const LOGICAL = /-(?:and|or|xor)(?![\w-])/iy

export function logical(parsing: Parsing): Node {
  let left = nested(parsing, () => comparison(parsing))
  for (;;) {
    take(parsing, SPACE)
    const operator = take(parsing, LOGICAL)?.[0].toLowerCase()
    if (operator === undefined) return left
    take(parsing, LINE_SPACE)
    left = binary(operator === '-and' ? '&&' : operator === '-or' ? '||' : '!=', left, comparison(parsing))
  }
}

const COMPARED: Readonly<Record<string, string>> = {
  ...{ eq: '==', ne: '!=', gt: '>', ge: '>=', lt: '<', le: '<=', band: '&', bor: '|', bxor: '^', shl: '<<', shr: '>>' },
}

export function comparison(parsing: Parsing): Node {
  let left = additive(parsing)
  for (;;) {
    take(parsing, SPACE)
    const operator = take(parsing, COMPARISON)?.[0].slice(1).toLowerCase()
    if (operator === undefined) return left
    take(parsing, LINE_SPACE)
    left = compared(operator, left, additive(parsing))
  }
}

function compared(operator: string, left: Node, right: Node): Node {
  const plain = operator.replace(/^[ci](?=eq|ne|ge|gt|le|lt|replace|split)/, '')
  const sign = COMPARED[plain]
  if (sign !== undefined)
    return plain.startsWith('b') ? binary(sign, helper('number', left), right) : binary(sign, left, right)
  if (plain === 'join') return helper('join', left, right)
  if (plain === 'split') return splitBy(left, right)
  if (plain === 'replace') {
    const [from, to = NULL] = right.kind === 'array' ? right.items : [right]
    return helper(
      to.kind === 'function' ? 'replaceBy' : 'replace',
      left,
      from ?? NULL,
      to,
      constant(operator.startsWith('c') ? 'g' : 'gi'),
    )
  }
  if (plain === 'as') return left
  if (MATCHES[operator] !== undefined) return matched(MATCHES[operator], left, right)
  return call(named('sh_compare'), [left, right])
}

/** What each searches a text with. */
const MATCHES: Readonly<Record<string, string>> = { match: 'isMatch', imatch: 'isMatch', cmatch: 'globbed' }

/** A variable or text is looked into a second time for what `$Matches` is. */
function matched(how: string, left: Node, right: Node): Node {
  const test = helper(how, left, right)
  if (left.kind !== 'name' && left.kind !== 'constant') return test
  return sequence([assign(named(variableName('matches')), helper('parts', left, right)), test])
}

/** A text between the parts is searched as it is; another pattern as one. */
function splitBy(value: Node, separator: Node): Node {
  const written = separator.kind === 'constant' && typeof separator.value === 'string' ? separator.value : null
  if (written === null || written === '\\s') return helper('split', value, separator)
  const plain = written.replace(/\\(\W)/g, '$1')
  const isPattern = /\\\w|[[\]{}()*+?.^$|]/.test(written.replace(/\\\W/g, ''))
  return isPattern && written.length > 1
    ? helper('splitBy', value, constant(written))
    : helper('split', value, constant(plain))
}

function additive(parsing: Parsing): Node {
  let left = multiplied(parsing)
  for (;;) {
    take(parsing, SPACE)
    const isMinus = /-(?![a-z-])/i.test(parsing.source.slice(parsing.at, parsing.at + 2))
    if (peek(parsing) === '+' && !/[+=]/.test(peek(parsing, 1))) {
      parsing.at++
      take(parsing, LINE_SPACE)
      left = helper('add', left, multiplied(parsing))
    } else if (isMinus && peek(parsing) === '-' && peek(parsing, 1) !== '=') {
      parsing.at++
      take(parsing, LINE_SPACE)
      left = binary('-', left, multiplied(parsing))
    } else return left
  }
}

function multiplied(parsing: Parsing): Node {
  let left = formatted(parsing)
  for (;;) {
    take(parsing, SPACE)
    const [, operator] = take(parsing, /([*/%])(?![={])/y) ?? []
    if (operator === undefined) return left
    take(parsing, LINE_SPACE)
    const right = formatted(parsing)
    const isText = operator === '*' && left.kind === 'constant' && typeof left.value === 'string'
    left = isText ? call(member(left, 'repeat'), [right]) : binary(operator, left, right)
  }
}

function formatted(parsing: Parsing): Node {
  let left = ranged(parsing)
  for (;;) {
    take(parsing, SPACE)
    if (!take(parsing, /-f(?![a-z])/iy)) return left
    take(parsing, LINE_SPACE)
    left = helper('format', left, ranged(parsing))
  }
}

function ranged(parsing: Parsing): Node {
  const from = items(parsing)
  take(parsing, SPACE)
  if (!accept(parsing, '..')) return from
  take(parsing, SPACE)
  return helper('range', from, items(parsing))
}

/** Commas bind closer than operators. */
export function items(parsing: Parsing): Node {
  take(parsing, SPACE)
  const isSingle = accept(parsing, ',')
  const found = [prefixed(parsing)]
  for (;;) {
    const before = parsing.at
    take(parsing, SPACE)
    if (!parsing.hasLists || !accept(parsing, ',')) {
      parsing.at = before
      break
    }
    take(parsing, LINE_SPACE)
    found.push(prefixed(parsing))
  }
  const [only = NULL] = found
  return found.length > 1 || isSingle ? list(found) : only
}

function prefixed(parsing: Parsing): Node {
  return nested(parsing, () => {
    take(parsing, SPACE)
    const [, word] = take(parsing, /-(join|split|not|bnot)(?![\w-])/iy) ?? []
    if (word !== undefined) return worded(parsing, word.toLowerCase())
    if (take(parsing, /\+\+|--|\+(?=[\d$(])/y)) return prefixed(parsing)
    const [sign] = take(parsing, /!|-(?=[\d$(.])/y) ?? []
    if (sign !== undefined) return unary(sign, prefixed(parsing))
    return peek(parsing) === '[' ? typed(parsing) : postfix(parsing)
  })
}

/** `-join …` and other operators before their value. */
function worded(parsing: Parsing, word: string): Node {
  take(parsing, LINE_SPACE)
  if (word === 'join') return helper('join', items(parsing), NULL)
  const value = prefixed(parsing)
  if (word === 'split') return helper('split', value, constant(' '))
  return unary(word === 'not' ? '!' : '~', value)
}

/** `[type]::member` or a cast. */
function typed(parsing: Parsing): Node {
  const [, type] = take(parsing, TYPE) ?? []
  if (type === undefined) return skipped(parsing)
  const before = parsing.at
  take(parsing, SPACE)
  if (accept(parsing, '::')) return suffixes(parsing, staticMember(parsing, type))
  if (!/[$"'(@[\d\-\u2018{]/.test(peek(parsing))) {
    parsing.at = before
    return constant(type)
  }
  return typeNode(type, prefixed(parsing), parsing.readsLetters)
}

function staticMember(parsing: Parsing, type: string): Node {
  return staticNode(parsing, type, memberName(parsing), argumentsBehind(parsing))
}
