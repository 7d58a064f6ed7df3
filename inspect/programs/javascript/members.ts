/** Members of values. */

import { readText, spend, store } from './budget.ts'
import { itemsOf } from './functions.ts'
import {
  CUT,
  holderOf,
  ITEM_BYTES,
  ITEMS_MAX,
  isComposite,
  isFunction,
  isRecord,
  join,
  joinValues,
  type ListValue,
  named,
  numberOf,
  ownOf,
  type PatternValue,
  type RecordValue,
  UNKNOWN,
  type Unknown,
  type Value,
  withParents,
} from './values.ts'

/** The entry of a record for values whose key is not known. No key of a script can be told from others by it. */
export const ANY = '\0any'
/** Items of which an unknown one is one of. */
const CHOICE_MAX = 200

/** `name` null: not known. `isDistant`: objects that functions make are of no interest. */
export function memberOfKnown(owner: Exclude<Value, Unknown>, name: string | null, isDistant: boolean): Value {
  if (name === null) return memberOfChoice(owner)
  if (typeof owner === 'string') return memberOfText(owner, name)
  if (!isComposite(owner)) return (owner ?? null) === null ? UNKNOWN : { kind: 'method', owner, name }
  if (owner.kind === 'list') return memberOfList(owner, name)
  if (owner.kind === 'pattern') return memberOfPattern(owner, name)
  if (isDistant) return memberOfDistant(owner, name)
  const holder = holderIn(owner, name)
  if (holder !== null) return memberOfRecord(holder, name)
  if (name === '__proto__') return owner.kind === 'record' ? (owner.parent ?? owner) : owner
  return memberOfObject(owner, name)
}

function memberOfPattern(owner: PatternValue, name: string): Value {
  if (name === 'source' || name === 'flags') return owner.pattern[name]
  return owner.state.cells.get(name) ?? { kind: 'method', owner, name }
}

function memberOfDistant(owner: Value, name: string): Value {
  if (isRecord(owner) && (owner.cells.has(name) || owner.cells.has(ANY))) return memberOfRecord(owner, name)
  if (name === '__proto__' || (name === 'prototype' && isFunction(owner))) return owner
  if (name === 'length' && isFunction(owner)) return owner.node.params.length
  return name === 'constructor' ? named('Function') : { kind: 'method', owner, name }
}

/** The object that has a member. */
function holderIn(owner: Value, name: string): RecordValue | null {
  const record = isRecord(owner) ? owner : ownIn(owner, name)
  return record === null ? null : (holderOf(record, name) ?? (record.cells.has(ANY) ? record : null))
}

function ownIn(owner: Value, name: string): RecordValue | null {
  if (!isFunction(owner)) return null
  return name === 'prototype' ? ownOf(owner) : (owner.own ?? null)
}

function memberOfObject(owner: Value, name: string): Value {
  if (name === 'length' && isFunction(owner)) return owner.node.params.length
  if (name === 'constructor') return named(isRecord(owner) ? 'Object' : 'Function')
  if (!isComposite(owner) || OBJECT_METHODS.has(name)) return { kind: 'method', owner, name }
  return { kind: 'method', owner, name, isAbsent: true }
}

/** Methods that objects and functions have. */
const OBJECT_METHODS = new Set([
  ...[
    'call',
    'apply',
    'bind',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'isPrototypeOf',
    'propertyIsEnumerable',
    'eval',
  ],
  ...['get', 'set', 'has', 'delete', 'keys', 'values', 'entries', 'forEach', 'add', 'clear', 'next'],
  ...['then', 'catch', 'finally'],
  // Of other methods.
  ...['test', 'exec', 'source', 'lastIndex', 'global', 'flags'],
])

function memberOfChoice(owner: Value): Value {
  if (!isComposite(owner)) return UNKNOWN
  if (owner.kind === 'list') return choiceOf(owner.items)
  if (owner.kind === 'function' && owner.own !== undefined) return join(choiceOf(valuesIn(owner.own)), UNKNOWN)
  return owner.kind === 'record' ? choiceOf(withParents(owner).flatMap(valuesIn)) : UNKNOWN
}

const valuesIn = ({ cells }: RecordValue): Value[] => [...cells.values()]

function choiceOf(values: readonly Value[]): Value {
  if (values.length === 0) return UNKNOWN
  return values.length <= CHOICE_MAX ? joinValues(values) : CUT
}

function memberOfRecord({ cells }: RecordValue, name: string): Value {
  if (!cells.has(ANY)) return cells.get(name)
  return cells.has(name) ? join(cells.get(name), cells.get(ANY)) : join(cells.get(ANY), UNKNOWN)
}

function memberOfText(text: string, name: string): Value {
  if (name === 'length') return text.length
  if (isIndex(name)) {
    readText(text.length)
    return text.charAt(Number(name))
  }
  if (name === 'constructor') return named('String')
  return name === 'eval' ? named('eval') : { kind: 'method', owner: text, name }
}

function memberOfList(owner: ListValue, name: string): Value {
  const { items, any } = owner
  if (name === 'length' || name === 'byteLength' || name === 'size') return items.length
  if (isIndex(name)) return any === undefined ? items[Number(name)] : join(items[Number(name)], any)
  if (name === 'buffer') return owner
  if (name === 'callee' && owner.callee !== undefined) return owner.callee
  // The texts of a template as they are written.
  if (name === 'raw') return owner
  if (name === 'groups' && owner.groups !== undefined) return owner.groups
  return name === 'constructor' ? named('Array') : { kind: 'method', owner, name }
}

const INDEX_MAX = 16

export function isIndex(name: string): boolean {
  return name.length <= INDEX_MAX && /^\d+$/.test(name)
}

/** Places past the end that an assignment may fill. */
const SPARSE_MAX = 1000

/** `name` null: not known. */
export function assignItem(list: ListValue, name: string | null, value: Value): void {
  const { items } = list
  if (name === null) {
    list.any = list.any === undefined ? value : join(list.any, value)
    return
  }
  const at = name.length <= INDEX_MAX ? Number(name) : Number.NaN
  if (Number.isInteger(at) && at >= 0 && at < Math.min(items.length + SPARSE_MAX, ITEMS_MAX)) {
    if (at >= items.length) store((at + 1 - items.length) * ITEM_BYTES)
    // Without holes, which other code would not expect.
    while (items.length < at) items.push(undefined)
    items[at] = value
  } else if (Number.isInteger(at)) list.any = CUT
  if (name === 'length' && typeof value === 'number' && value >= 0 && value < items.length)
    items.length = Math.floor(value)
}

const KEY_WORK = 50
/** A member that is copied is looked up and written. */
export const COPIED_WORK = 150

export function keysOrItems(source: Value, ofValues: boolean): readonly Value[] {
  if (ofValues) return itemsOf(source) ?? []
  if (isComposite(source) && source.kind === 'record') {
    spend(source.cells.size * KEY_WORK)
    store(source.cells.size * ITEM_BYTES)
    return [...source.cells.keys()].filter((key) => key !== 'constructor').map((key) => (key === ANY ? UNKNOWN : key))
  }
  const items = typeof source === 'string' || (isComposite(source) && source.kind === 'list') ? itemsOf(source) : null
  if (items === null) return []
  spend(items.length * KEY_WORK)
  store(items.length * KEY_WORK)
  return items.map((_, i) => String(i))
}

export function primitiveMethod(
  owner: number | boolean | null | undefined,
  name: string,
  args: readonly Value[],
): Value {
  if (name !== 'toString') return UNKNOWN
  return typeof owner === 'number' ? radixText(owner, args[0]) : String(owner)
}

function radixText(value: number, radix: Value): string {
  const base = radix === undefined ? 10 : numberOf(radix)
  return base >= 2 && base <= 36 ? value.toString(base) : String(value)
}
