/** Scripts of shells as trees for the machine of JavaScript: what their constructs are called there. */

import { charge, keep } from '#inspect/core/work.ts'
import type { ClassNode, FunctionNode, Node } from '../javascript/syntax.ts'

const NODE_WORK = 600
const NODE_BYTES = 120

/** Part of a source. */
export interface Range {
  from: number
  to: number
  /** The value is words of the language, not a text. */
  isRaw?: boolean
  /** The source does not contain it. */
  isElsewhere?: boolean
  /** It is in a file that is named here. */
  isFile?: boolean
}

function made<T extends Node>(node: T): T {
  charge(NODE_WORK)
  keep(NODE_BYTES)
  return node
}

export const NULL: Node = { kind: 'constant', value: '' }
export const constant = (value: string | number | boolean | null): Node => made({ kind: 'constant', value })
export const named = (name: string): Node => made({ kind: 'name', name })
/** Numbers are kept as such, because there may be very many. */
export function list(items: Node[]): Node {
  const values = items.map((item) => (item.kind === 'constant' && typeof item.value === 'number' ? item.value : null))
  return made(values.every((value) => value !== null) ? { kind: 'numbers', values } : { kind: 'array', items })
}

export const member = (owner: Node, key: string): Node => made({ kind: 'member', owner, key: constant(key) })
export const memberAt = (owner: Node, key: Node): Node => made({ kind: 'member', owner, key })
export const call = (callee: Node, args: Node[]): Node => made({ kind: 'call', callee, args, isNew: false })
export const helper = (name: string, ...args: Node[]): Node => call(named(`sh_${name}`), args)
export const making = (callee: Node, args: Node[]): Node => made({ kind: 'call', callee, args, isNew: true })
export const classNode = (name: string, base: Node | null): ClassNode =>
  made({ kind: 'class', name, base, maker: null, entries: [] })
export const method = (owner: Node, name: string, ...args: Node[]): Node => call(member(owner, name), args)
export const binary = (operator: string, left: Node, right: Node): Node =>
  made({ kind: 'binary', operator, left, right })
export const unary = (operator: string, operand: Node): Node => made({ kind: 'unary', operator, operand })
export const assign = (target: Node, value: Node): Node => made({ kind: 'assign', operator: '=', target, value })
export const block = (body: Node[]): Node => made({ kind: 'block', body, isScope: false })
export const choice = (test: Node, yes: Node, no: Node | null): Node => made({ kind: 'choice', test, yes, no })
export const sequence = (items: Node[]): Node => made({ kind: 'sequence', items })
export const loop = (start: Node | null, test: Node | null, step: Node | null, body: Node, testsLast = false): Node =>
  made({ kind: 'loop', start, test, step, body, testsLast })
export const leave = (how: 'break' | 'continue' | 'return' | 'throw', value: Node | null = null): Node =>
  made({ kind: 'leave', how, value, label: null })
export const each = (target: Node, source: Node, body: Node): Node =>
  made({ kind: 'each', target, isOwn: false, source, ofValues: true, body })
export const attempt = (body: Node, parameter: Node | null, handler: Node | null, last: Node | null): Node =>
  made({ kind: 'try', body, parameter, handler, last })
export const record = (entries: { key: Node; value: Node }[]): Node => made({ kind: 'object', entries })

export function joined(parts: readonly Node[]): Node {
  const [first = NULL, ...rest] = parts
  const start = first.kind === 'constant' && typeof first.value === 'string' ? first : helper('text', first)
  return rest.reduce<Node>(
    (left, part) => binary('+', left, part.kind === 'constant' ? part : helper('text', part)),
    start,
  )
}

export function lambda(params: string[], body: Node[], vars: Iterable<string>, name = ''): FunctionNode {
  return made({ kind: 'function', name, params: params.map(named), body, vars: [...new Set([...vars, ...params])] })
}

export const declared = (name: string, value: FunctionNode): Node =>
  made({ kind: 'declare', how: 'function', target: named(name), value })

/** Returns the value of the last statement, as shells do, in each arm of a condition. */
export function returning(body: readonly Node[]): Node[] {
  const last = body.at(-1)
  return last === undefined ? [] : [...body.slice(0, -1), returned(last)]
}

function returned(node: Node): Node {
  if (node.kind === 'block') return { ...node, body: returning(node.body) }
  if (node.kind === 'choice')
    return { ...node, yes: returned(node.yes), no: node.no === null ? null : returned(node.no) }
  if (node.kind === 'try')
    return { ...node, body: returned(node.body), handler: node.handler === null ? null : returned(node.handler) }
  if (node.kind === 'labelled' && node.body.kind === 'loop')
    return { ...node, body: { ...node.body, body: returnedFirst(node.body.body) } }
  const isValue = !['loop', 'each', 'leave', 'declare', 'switch', 'labelled'].includes(node.kind)
  return isValue ? leave('return', node) : node
}

/** In the arms of a `switch`, behind which it is left. */
function returnedFirst(node: Node): Node {
  const [first, ...rest] = node.kind === 'block' ? node.body : []
  return node.kind !== 'block' || first === undefined ? node : { ...node, body: [returned(first), ...rest] }
}

/** An object that no script has: what is written to its members is recorded. */
const SEEN = 'sh_seen'
const SEEN_NAME = /^sh_seen\.v(\d{1,9})$/

/** The value, recorded under the number of its place. */
export const noted = (place: number, value: Node): Node => assign(member(named(SEEN), `v${place}`), value)

/** The place whose value this node is. null: it was not noted. */
export function notedPlace(node: Node): number | null {
  if (node.kind !== 'assign' || node.target.kind !== 'member') return null
  const { owner, key } = node.target
  return owner.kind === 'name' && key.kind === 'constant' ? placeOf(`${owner.name}.${key.value}`) : null
}

/** The number of the place that an assignment was recorded for. */
export function placeOf(name: string): number | null {
  const [, place] = SEEN_NAME.exec(name) ?? []
  return place === undefined ? null : Number(place)
}
