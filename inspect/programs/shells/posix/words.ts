/** Words of Unix shells: texts, variables, and what commands write. */

import { charge } from '#inspect/core/work.ts'
import type { Node } from '../../javascript/syntax.ts'
import { accept, isEnd, nested, peek, take } from '../source.ts'
import {
  assign,
  binary,
  call,
  choice,
  constant,
  helper,
  joined,
  lambda,
  leave,
  member,
  memberAt,
  method,
  NULL,
  named,
  record,
} from '../tree.ts'
import { arithmetic } from './arithmetic.ts'
import { unescaped } from './escapes.ts'
import { ARGUMENTS, LINED, type Parsing, targetName, variableName } from './parsing.ts'

const PLAIN = /[^\s;|&()<>'"$`\\{}#!*?]+|[{}#!*?]/y

const QUOTED_PLAIN = /[^"$`\\]+/y

const HERE_PLAIN = /[^$`\\]+/y

const ANSI = /\$'((?:[^'\\]|\\[\s\S])*)'/y

const EXPANSION = /\$\{([!#]?)(\w+|[@*])(?:\[([^\]]{1,40})\])?/y

/** Texts and expansions side by side. null: no word begins here. */
export function word(parsing: Parsing): Node | null {
  // A comment.
  if (peek(parsing) === '#') return null
  const parts: Node[] = []
  while (!isEnd(parsing)) {
    const part = nested(parsing, () => wordPart(parsing))
    if (part === null) break
    parts.push(part)
  }
  const [only] = parts
  if (parts.length === 0) return null
  return parts.length === 1 && only !== undefined ? only : together(parts)
}

/** One text, if all of them are known. */
function together(parts: readonly Node[]): Node {
  return parts.every(({ kind }) => kind === 'constant')
    ? constant(parts.map((part) => (part.kind === 'constant' ? part.value : '')).join(''))
    : joined(parts)
}

function wordPart(parsing: Parsing): Node | null {
  const sign = peek(parsing)
  if (sign === "'") {
    const text = take(parsing, /'([^']*)(?:'|$)/y)?.[1] ?? ''
    return constant(text)
  }
  if (sign === '"') {
    parsing.at++
    const value = expandedText(parsing)
    accept(parsing, '"')
    return value
  }
  if (sign === '\\') {
    parsing.at += 2
    const escaped = parsing.source.charAt(parsing.at - 1)
    return constant(escaped === '\n' ? '' : escaped)
  }
  const ansi = take(parsing, ANSI)
  if (ansi !== null) return constant(unescaped(ansi[1] ?? ''))
  if (sign === '$' || sign === '`') return expansion(parsing)
  const plain = take(parsing, PLAIN)?.[0]
  return plain === undefined ? null : constant(plain)
}

function quotedEscape(sign: string): string {
  if (sign === '\n') return ''
  return /["$`\\]/.test(sign) ? sign : `\\${sign}`
}

/** Up to a quote, which is left, or all of a text over several lines. */
export function expandedText(parsing: Parsing, isQuoted = true): Node {
  const parts: Node[] = []
  while (!isEnd(parsing) && !(isQuoted && peek(parsing) === '"')) {
    const plain = take(parsing, isQuoted ? QUOTED_PLAIN : HERE_PLAIN)?.[0]
    const escaped = plain === undefined ? take(parsing, /\\([\s\S])/y)?.[1] : undefined
    const text = plain ?? (escaped === undefined ? null : quotedEscape(escaped))
    parts.push(text === null ? nested(parsing, () => expansion(parsing)) : constant(text))
  }
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : together(parts)
}

function expansion(parsing: Parsing): Node {
  if (accept(parsing, '`')) return outputOf(backquoted(parsing))
  const [, sum] = take(parsing, /\$\(\(((?:[^()]|\([^()]{0,100}\)){0,200})\)\)/y) ?? []
  if (sum !== undefined) return arithmetic(parsing, sum)
  if (accept(parsing, '$(')) {
    const body = nested(parsing, () => parsing.grammar.statements(parsing))
    accept(parsing, ')')
    return outputOf(body)
  }
  const braces = take(parsing, EXPANSION)
  if (braces !== null) return parameter(parsing, braces)
  const [, name] = take(parsing, /\$(\w+|[@*#?$!-])/y) ?? []
  if (name !== undefined) return variable(parsing, name)
  parsing.at++
  return constant('$')
}

/** What a list of commands writes. */
export function outputOf(body: Node[]): Node {
  const [only] = body
  if (body.length === 1 && only !== undefined && !['block', 'choice', 'loop', 'each', 'declare'].includes(only.kind))
    return only
  return call(lambda([], outputs(body), [OUT]), [])
}

const OUT = 'sh_out'

/** Statements that collect what they write, and return it. */
export function outputs(body: readonly Node[]): Node[] {
  const out = named(OUT)
  return [assign(out, constant('')), ...body.map(collecting), leave('return', helper('output', out))]
}

const SILENT: ReadonlySet<Node['kind']> = new Set(['assign', 'declare', 'leave', 'sequence', 'update'])
/** Of programs that are not known. They are taken for silent. */
const UNKNOWN = new Set(['sh_command', 'sh_ran'])

function collecting(node: Node): Node {
  if (node.kind === 'block') return { ...node, body: node.body.map(collecting) }
  if (node.kind === 'choice')
    return { ...node, yes: collecting(node.yes), no: node.no === null ? null : collecting(node.no) }
  if (node.kind === 'loop' || node.kind === 'each') return { ...node, body: collecting(node.body) }
  if (SILENT.has(node.kind) || node === NULL) return node
  if (node.kind === 'call' && node.callee.kind === 'name' && UNKNOWN.has(node.callee.name)) return node
  const out = named(OUT)
  const text = LINED.has(node) ? binary('+', helper('text', node), constant('\n')) : helper('text', node)
  return assign(out, binary('+', out, text))
}

function backquoted(parsing: Parsing): Node[] {
  const { source, at } = parsing
  let end = at
  while (end < source.length && source[end] !== '`') end += source[end] === '\\' ? 2 : 1
  charge(end - at)
  parsing.at = end + 1
  return innerStatements(parsing, source.slice(at, end).replace(/\\([`$\\])/g, '$1'))
}

/** The statements of a text that is read as a part of the script. */
export function innerStatements(parsing: Parsing, source: string): Node[] {
  const inner: Parsing = { ...parsing, source, at: 0, isInner: true, pending: [] }
  return nested(inner, () => inner.grammar.statements(inner))
}

function variable(parsing: Parsing, name: string): Node {
  if (/^[1-9]$/.test(name))
    return parsing.hasArguments ? helper('argument', named(ARGUMENTS), constant(Number(name) - 1)) : named(`sv_${name}`)
  if (name === '#') return parsing.hasArguments ? member(named(ARGUMENTS), 'length') : named('sh_status')
  if (name === '@' || name === '*')
    return parsing.hasArguments ? helper('join', named(ARGUMENTS), constant(' ')) : constant('')
  if (name === 'IFS' && !parsing.assigned.has(name)) return constant(' ')
  // A variable of the computer stands for itself.
  return parsing.assigned.has(name) ? named(variableName(targetName(parsing, name))) : constant(`$${name}`)
}

/** `${name…}` */
function parameter(parsing: Parsing, [, prefix, name = '', index]: RegExpExecArray): Node {
  const plain = variable(parsing, name)
  const value = index === undefined ? plain : itemOf(parsing, plain, index)
  if (prefix !== '') {
    take(parsing, /[^}\r\n]{0,200}\}?/y)
    return prefix === '#' ? member(itemsOf(value) ?? value, 'length') : pointed(parsing, plain, name)
  }
  const made = parameterValue(parsing, value, plain.kind === 'constant', name)
  accept(parsing, '}')
  return made
}

/** The list of a text that has all of its items. */
export function itemsOf(node: Node): Node | null {
  return node.kind === 'call' && node.callee.kind === 'name' && node.callee.name === 'sh_join'
    ? (node.args[0] ?? null)
    : null
}

function itemOf(parsing: Parsing, owner: Node, index: string): Node {
  if (/^-?\d+$/.test(index)) return helper('at', owner, constant(Number(index)))
  if (index === '*') return helper('join', owner, helper('slice', variable(parsing, 'IFS'), constant(0), constant(1)))
  if (index === '@') return helper('join', owner, constant(' '))
  return helper('pick', owner, indexOf(parsing, index))
}

/** What stands between the brackets of a list. */
export function indexOf(parsing: Parsing, index: string): Node {
  if (/^\d+$/.test(index)) return constant(Number(index))
  const name = /^\$?\{?([a-z_]\w*)\}?$/i.exec(index)?.[1] ?? ''
  if (parsing.assigned.has(name)) return named(variableName(name))
  return /^[\w$]+$/.test(index) && !index.includes('$') ? constant(index) : arithmetic(parsing, index)
}

const POINTED_MAX = 50

/** `${!name}`: the variable that another one names. */
function pointed(parsing: Parsing, plain: Node, name: string): Node {
  if (name === '@' || name === '*') return constant('')
  const names = [...parsing.assigned].slice(0, POINTED_MAX)
  return memberAt(record(names.map((each) => ({ key: constant(each), value: named(variableName(each)) }))), plain)
}

const OFFSET = /(?:\$\(\([^()]{0,100}\)\)|\([^()]{0,100}\)|\$\{#?\w+\}|\$[\w#]+|[^:{}$()'"\r\n]){1,60}/y

/** A place in a text. null: there is none. */
function offset(parsing: Parsing): Node | null {
  const [text] = take(parsing, OFFSET) ?? []
  return text === undefined ? null : arithmetic(parsing, text)
}

/** A pattern of file names. */
export const globbed = (text: string, any: string): string =>
  text.replace(/[.*+?^${}()|[\]\\]/g, (sign) => (sign === '*' ? any : sign === '?' ? '.' : `\\${sign}`))

/** `${name#pattern}` and the like. */
function trimmed(value: Node, how: string, pattern: Node): Node {
  if (pattern.kind !== 'constant') return named('sh_number_of')
  const text = `${pattern.value}`
  const source = how.startsWith('#')
    ? `^${globbed(text, how === '##' ? '[^]*' : '[^]*?')}`
    : `^([^]*${how === '%%' ? '?' : ''})${globbed(text, '[^]*')}$`
  return helper('replace', value, constant(source), constant(how.startsWith('#') ? '' : '$1'), constant(''))
}

function parameterValue(parsing: Parsing, value: Node, isUnset: boolean, name: string): Node {
  const [given] = take(parsing, /:?[-=+]/y) ?? []
  if (given !== undefined) return alternative(parsing, value, isUnset, given, name)
  if (accept(parsing, ':')) return sliced(parsing, value, name)
  const [, changed] = take(parsing, /@([A-Za-z])/y) ?? []
  if (changed !== undefined) return changed === 'E' ? helper('unescape', value) : value
  const [how] = take(parsing, /##?|%%?/y) ?? []
  if (how !== undefined) return trimmed(value, how, bracedText(parsing, /[}]/))
  const [all] = take(parsing, /\/{1,2}/y) ?? []
  if (all !== undefined) {
    const search = bracedText(parsing, /[/}]/)
    accept(parsing, '/')
    const replacement = bracedText(parsing, /[}]/)
    return helper(all === '//' ? 'swap' : 'swapOnce', value, search, replacement)
  }
  return changedCase(parsing, value)
}

/** `${name:-other}`, `${name:=other}` and `${name:+other}` */
function alternative(parsing: Parsing, value: Node, isUnset: boolean, how: string, name: string): Node {
  const other = bracedText(parsing, /[}]/)
  if (how.endsWith('+')) return isUnset ? other : choice(value, other, NULL)
  const made = how.endsWith('=') ? assign(named(variableName(targetName(parsing, name))), other) : other
  return isUnset ? made : choice(value, value, made)
}

/** `${name:from:length}`, of a text or of a list. */
function sliced(parsing: Parsing, value: Node, name: string): Node {
  const from = offset(parsing) ?? constant(0)
  const length = accept(parsing, ':') ? offset(parsing) : null
  const items = itemsOf(value)
  if (items === null) return helper('slice', value, from, length ?? NULL)
  const start = /^[@*]$/.test(name) ? binary('-', from, constant(1)) : from
  const ends = length === null ? [] : [binary('+', start, length)]
  return helper('join', method(items, 'slice', start, ...ends), constant(' '))
}

function changedCase(parsing: Parsing, value: Node): Node {
  const [change] = take(parsing, /\^{1,2}|,{1,2}|~{1,2}/y) ?? []
  if (change === '~~') return helper('swapCase', value)
  if (change === '^^') return call(member(value, 'toUpperCase'), [])
  if (change === ',,') return call(member(value, 'toLowerCase'), [])
  if (peek(parsing) === '}') return value
  take(parsing, /[^}\r\n]*/y)
  return named('sh_number_of')
}

function bracedText(parsing: Parsing, end: RegExp): Node {
  const parts: Node[] = []
  while (!isEnd(parsing) && !end.test(peek(parsing))) {
    const isPlain = !/['"$`\\]/.test(peek(parsing))
    const part = isPlain ? null : nested(parsing, () => wordPart(parsing))
    parts.push(part ?? constant(parsing.source.charAt(parsing.at++)))
  }
  return together(parts)
}

const BRACES = /^([^{}]{0,200})\{([^{}]{1,400})\}([^{}]{0,200})$/
const SPREAD_MAX = 300

/** The words that braces make: `{a,b}`, `{a..z}`. */
export function spread(node: Node): Node[] {
  const [, before = '', inside, behind = ''] =
    node.kind === 'constant' && typeof node.value === 'string' ? (BRACES.exec(node.value) ?? []) : []
  if (inside === undefined) return [node]
  const [, first, last] = /^(\w|-?\d{1,6})\.\.(\w|-?\d{1,6})$/.exec(inside) ?? []
  const items = first === undefined || last === undefined ? inside.split(',') : between(first, last)
  return items.length < 2 ? [node] : items.map((item) => constant(before + item + behind))
}

function between(first: string, last: string): string[] {
  const isNumber = /^-?\d+$/.test(first) && /^-?\d+$/.test(last)
  const [from, to] = isNumber ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)]
  const length = Math.min(SPREAD_MAX, Math.abs(to - from) + 1)
  return Array.from({ length }, (_, i) => {
    const each = from <= to ? from + i : from - i
    return isNumber ? String(each) : String.fromCharCode(each)
  })
}
