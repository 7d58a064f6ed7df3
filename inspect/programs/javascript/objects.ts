/** Functions of the language that read and make objects. */

import { comparisonWork } from '../keys.ts'
import { spend, store } from './budget.ts'
import { ANY, keysOrItems, memberOfKnown } from './members.ts'
import {
  CUT,
  GAP,
  type Invoke,
  ITEM_BYTES,
  isComposite,
  isUnknown,
  type ListValue,
  listOf,
  nameOf,
  type RecordValue,
  recordOf,
  textOf,
  UNKNOWN,
  type Unknown,
  unknownOf,
  type Value,
} from './values.ts'

type Builtin = (args: Value[], invoke: Invoke) => Value

/** Values within each other. */
const DEPTH_MAX = 20
/** Characters of a text that is read as JSON, and work for each. */
export const JSON_MAX = 1_000_000
const JSON_WORK = 40
const JSON_BYTES = 20

const isRecord = (value: Value): value is RecordValue => isComposite(value) && value.kind === 'record'
const isList = (value: Value): value is ListValue => isComposite(value) && value.kind === 'list'

function entriesOf(value: Value): [Value, Value][] | null {
  if (!isRecord(value) && !isList(value)) return null
  return keysOrItems(value, false).map((key) => [key, memberOfKnown(value, textOf(key), false)])
}

function listed(value: Value, make: (key: Value, item: Value) => Value): Value {
  const entries = entriesOf(value)
  if (entries === null) return UNKNOWN
  store(entries.length * ITEM_BYTES)
  return listOf(entries.map(([key, item]) => make(key, item)))
}

function fromEntries(list: Value): Value {
  if (!isList(list)) return UNKNOWN
  const cells = new Map<string, Value>()
  for (const pair of list.items) {
    if (!isList(pair)) return UNKNOWN
    cells.set(nameOf(pair.items[0]) ?? ANY, pair.items[1])
  }
  return recordOf(cells)
}

/** Before it is written: a few lists that hold each other are millions of texts. */
function chargeWritten(text: string): void {
  spend(text.length * JSON_WORK)
  store(text.length)
}

/** null: not all of it is known. */
function plainOf(value: Value, depth = 0): unknown {
  spend(JSON_WORK)
  if (typeof value === 'string') chargeWritten(value)
  if (!isComposite(value)) return value
  if (depth > DEPTH_MAX || (value.kind !== 'list' && value.kind !== 'record')) return null
  if (value.kind === 'list') return value.any === undefined ? allKnown(value.items, depth) : null
  if (value.cells.has(ANY)) return null
  for (const key of value.cells.keys()) chargeWritten(key)
  const items = allKnown([...value.cells.values()], depth)
  return items === null ? null : Object.fromEntries([...value.cells.keys()].map((key, i) => [key, items[i]]))
}

function allKnown(items: readonly Value[], depth: number): unknown[] | null {
  const plain = items.map((item) => plainOf(item, depth + 1))
  return plain.some((each, i) => each === null && items[i] !== null) ? null : plain
}

/** What is known of it as JSON, with `GAP` for values of the page; null if a limit hides some of it, or it has alternatives. */
function partlyWritten(value: Value, depth = 0): string | null {
  spend(JSON_WORK)
  if (typeof value === 'string') chargeWritten(value)
  if (!isComposite(value)) return JSON.stringify(value) ?? 'null'
  if (isUnknown(value)) return unknownWritten(value)
  if (depth > DEPTH_MAX) return null
  if (isList(value)) {
    const items = value.any === undefined ? value.items : [...value.items, value.any]
    const parts = items.map((item) => partlyWritten(item, depth + 1))
    return parts.includes(null) ? null : `[${parts}]`
  }
  return isRecord(value) ? recordWritten(value, depth) : null
}

function recordWritten({ cells }: RecordValue, depth: number): string | null {
  const parts = [...cells].map(([key, item]) => {
    chargeWritten(key)
    const part = partlyWritten(item, depth + 1)
    return part === null ? null : `"${key === ANY ? GAP : key}":${part}`
  })
  return parts.includes(null) ? null : `{${parts}}`
}

function unknownWritten({ text = GAP, isCut, isMixed }: Unknown): string | null {
  chargeWritten(text)
  return isCut || isMixed ? null : `"${text}"`
}

function written([value]: readonly Value[]): Value {
  const plain = plainOf(value)
  if (plain === null && value !== null) {
    const known = isUnknown(value) ? null : partlyWritten(value)
    if (known === null) return isUnknown(value) ? UNKNOWN : CUT
    return unknownOf({ text: known })
  }
  return JSON.stringify(plain) ?? 'undefined'
}

function parsed([given, callee]: readonly Value[], invoke: Invoke): Value {
  const text = textOf(given)
  if (text === null) return isUnknown(given) && given.isCut ? CUT : UNKNOWN
  if (text.length > JSON_MAX) return CUT
  spend(text.length * JSON_WORK)
  store(text.length * JSON_BYTES)
  try {
    const value = valueIn(JSON.parse(text))
    return callee === undefined ? value : revived(callee, value, invoke)
  } catch {
    return UNKNOWN
  }
}

/** What a function makes of the members of an object, and of the object. */
function revived(callee: Value, value: Value, invoke: Invoke): Value {
  if (isRecord(value)) for (const [key, item] of value.cells) value.cells.set(key, invoke(callee, [key, item]))
  return invoke(callee, ['', value])
}

function valueIn(plain: unknown, depth = 0): Value {
  if (typeof plain !== 'object' || plain === null) return plain as Value
  if (depth > DEPTH_MAX) return CUT
  if (Array.isArray(plain)) {
    store(plain.length * ITEM_BYTES)
    return listOf(plain.map((item) => valueIn(item, depth + 1)))
  }
  return recordOf(new Map(Object.entries(plain).map(([key, item]) => [nameOf(key) ?? ANY, valueIn(item, depth + 1)])))
}

function withoutRepeats(items: readonly Value[]): Value[] {
  for (const item of items) if (typeof item === 'string') spend(comparisonWork(item, items.length))
  return [...new Set(items)]
}

export const OBJECT_FUNCTIONS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['Object.keys', ([value]) => listed(value, (key) => key)],
  ['Object.getOwnPropertyNames', ([value]) => listed(value, (key) => key)],
  ['Object.values', ([value]) => listed(value, (_, item) => item)],
  ['Object.entries', ([value]) => listed(value, (key, item) => listOf([key, item]))],
  ['Object.fromEntries', ([list]) => fromEntries(list)],
  ['Object.freeze', ([value]) => value],
  ['Object.seal', ([value]) => value],
  ['JSON.stringify', written],
  ['JSON.parse', parsed],
  ['Set', ([list]) => listOf(isList(list) ? withoutRepeats(list.items) : [])],
  ['WeakMap', ([list]) => (list === undefined || list === null ? recordOf(new Map()) : fromEntries(list))],
  ['Map', ([list]) => (list === undefined || list === null ? recordOf(new Map()) : fromEntries(list))],
])
