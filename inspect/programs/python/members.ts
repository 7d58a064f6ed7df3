/** Attributes and items of values. */

import { spend } from '../javascript/budget.ts'
import { KEY_MAX } from '../keys.ts'
import { itemsIn, reversedText } from './functions.ts'
import { type Frame, lookUp, type Machine, remember } from './machine.ts'
import {
  CONTENT,
  CUT_OFF,
  choicesOf,
  contentsOf,
  type EntriesValue,
  type Holder,
  type ItemsValue,
  join,
  type NameValue,
  named,
  originOf,
  type TextValue,
  textWith,
  UNKNOWN,
  unknown,
  type Value,
} from './values.ts'

const NAMESPACES = /^(?:sys\.modules|(?:globals|locals|vars)\(\)|__dict__|__builtins__)$/
const ITEM_WORK = 10
/** Items of a list that are stored one by one. */
const ITEMS_MAX = 50_000

/** Of an unknown list. */
export function elementOf(value: Value): Value {
  return value.kind === 'name' ? named(value.name === '' ? '' : `${value.name}[]`, value.origin) : UNKNOWN
}

export function attributeOf(machine: Machine, value: Value, name: string): Value {
  if (value.kind !== 'any') return memberOf(machine, value, name)
  return join(...value.values.map((each) => memberOf(machine, each, name)))
}

const isBuiltin = (name: string): boolean => name === 'builtins' || name === '__builtins__'

function memberOf(machine: Machine, value: Value, name: string): Value {
  const stored = machine.attributes.cells.get(name)
  if (value.kind === 'name') {
    const full = isBuiltin(value.name) ? name : `${value.name}.${name}`
    return stored === undefined ? named(full, value.origin) : join(stored, named(full, value.origin))
  }
  if (value.kind === 'object' || value.kind === 'class') {
    const holder = value.kind === 'object' ? value.type : value.holder
    const own = holder.cells.get(name)
    const bound = own === undefined ? undefined : join(...choicesOf(own).map((each) => boundTo(value, each)))
    const found = [bound, stored].filter((each) => each !== undefined)
    return found.length === 0 ? named(`.${name}`) : join(...found)
  }
  return named(`.${name}`, originOf(value), value)
}

/** A function of a class as a member of one of its objects, or of the class itself. */
function boundTo(owner: Value, value: Value): Value {
  if (value.kind !== 'function' || value.how === 'static') return value
  if (value.how === 'class') return { ...value, self: owner }
  return owner.kind === 'object' ? { ...value, self: owner } : value
}

/** Whatever object it is, others may be meant. */
export function setMember(machine: Machine, on: Value, name: string, value: Value): void {
  const { attributes, journal } = machine
  for (const each of choicesOf(on))
    if (each.kind === 'name' && NAMESPACES.test(each.name)) journal.set(machine.module, name, value)
  const before = attributes.cells.get(name)
  journal.set(attributes, name, before === undefined ? value : join(before, value))
}

/** A place in a list: null if it is not known. */
function placeIn(items: readonly Value[], at: Value): number | null {
  if (at.kind !== 'number') return null
  return at.number < 0 ? items.length + at.number : at.number
}

export function itemOf(machine: Machine, on: Value, at: Value, frame: Frame): Value {
  const found = contentsOf(on).flatMap((each) => choicesOf(at).map((key) => itemIn(machine, each, key, frame)))
  return join(...found)
}

function itemIn(machine: Machine, on: Value, at: Value, frame: Frame): Value {
  if (on.kind === 'items' || on.kind === 'text') return itemAt(on, at)
  if (on.kind === 'entries') {
    const value = isKey(at) ? on.entries.get(keyOf(at)) : undefined
    return value ?? join(UNKNOWN, ...on.entries.values())
  }
  return on.kind === 'name' ? entryOf(machine, on, at, frame) : UNKNOWN
}

function itemAt(on: ItemsValue | TextValue, at: Value): Value {
  const items = itemsIn(on)
  if (items === null) return unknown(originOf(on))
  const place = placeIn(items, at)
  spend(items.length)
  return place === null ? join(...items) : (items[place] ?? UNKNOWN)
}

/** `vars(os)["system"]`, `sys.modules["os"]`, `globals()["f"]`. */
function entryOf(machine: Machine, on: NameValue, at: Value, frame: Frame): Value {
  if (at.kind !== 'text') return elementOf(on)
  const owner = /^(.+)\.__dict__$/.exec(on.name)?.[1]
  if (owner !== undefined) return memberOf(machine, named(owner, on.origin), at.text)
  return NAMESPACES.test(on.name) ? (lookUp(machine, at.text, frame) ?? named(at.text)) : elementOf(on)
}

const isKey = (value: Value): boolean =>
  value.kind === 'number' || (value.kind === 'text' && value.text.length <= KEY_MAX)

/** The same for all that are not followed. */
export function keyOf(value: Value): string {
  if (value.kind === 'text') return value.text.length > KEY_MAX ? '' : value.text
  return value.kind === 'number' ? `#${value.number}` : ''
}

export function setItem(machine: Machine, on: Value, at: Value, value: Value, frame: Frame): void {
  const choices = choicesOf(on)
  for (const each of choices) {
    if (each.kind === 'list' || each.kind === 'dict')
      change(machine, each.holder, choices.length > 1, (content) => withItem(content, at, value))
    else if (each.kind === 'name' && NAMESPACES.test(each.name)) setVariable(machine, at, value, frame)
  }
}

function setVariable(machine: Machine, at: Value, value: Value, { scopes }: Frame): void {
  const [module = machine.module] = scopes
  for (const key of choicesOf(at)) {
    if (key.kind !== 'text' || key.text.length > KEY_MAX) continue
    machine.journal.set(module, key.text, value)
    remember(machine, module, key.text, value)
  }
}

/** Changes what a list or dictionary contains. `isDoubtful`: another one may be meant. */
export function change(
  { journal }: Machine,
  holder: Holder,
  isDoubtful: boolean,
  compute: (content: Value) => readonly Value[],
): void {
  const before = holder.cells.get(CONTENT) ?? UNKNOWN
  const after = choicesOf(before).flatMap(compute)
  journal.set(holder, CONTENT, join(...(isDoubtful ? [before, ...after] : after)))
}

function withItem(content: Value, at: Value, value: Value): Value[] {
  return choicesOf(at).flatMap((key) => {
    if (content.kind === 'items') return replaced(content, key, value)
    return content.kind === 'entries' ? entered(content, key, value) : [content]
  })
}

function replaced({ items }: ItemsValue, at: Value, value: Value): Value[] {
  spend(items.length * ITEM_WORK)
  if (items.length > ITEMS_MAX) return [CUT_OFF]
  const place = placeIn(items, at)
  if (place === null) return [{ kind: 'items', items: items.map((each) => join(each, value)) }]
  return place in items ? [{ kind: 'items', items: items.with(place, value) }] : [{ kind: 'items', items: [...items] }]
}

function entered({ entries }: EntriesValue, at: Value, value: Value): Value[] {
  spend(entries.size * ITEM_WORK)
  if (entries.size > ITEMS_MAX) return [CUT_OFF]
  if (isKey(at)) return [{ kind: 'entries', entries: new Map([...entries, [keyOf(at), value]]) }]
  const all = [...entries].map(([key, each]): [string, Value] => [key, join(each, value)])
  return [{ kind: 'entries', entries: new Map([...all, ['', value]]) }]
}

/** `value[from:to:step]`. */
export function sliceOf(on: Value, bounds: readonly (Value | null)[]): Value {
  return join(
    ...contentsOf(on).map((each): Value => {
      const numbers = bounds.map((bound) =>
        bound === null ? null : bound.kind === 'number' ? bound.number : Number.NaN,
      )
      if (numbers.some((bound) => Number.isNaN(bound))) return unknown(originOf(each))
      if (each.kind === 'text') return slicedText(each, numbers)
      if (each.kind !== 'items') return elementOf(each)
      spend(each.items.length * ITEM_WORK)
      return { kind: 'items', items: sliced(each.items, numbers) }
    }),
  )
}

function slicedText(value: TextValue, bounds: readonly (number | null)[]): Value {
  const [from = null, to = null, step = null] = bounds
  if (from === null && to === null && step === -1) return reversedText(value)
  spend(value.text.length * ITEM_WORK)
  return textWith(sliced([...value.text], bounds).join(''), value.isBytes, value.origin)
}

function sliced<T>(items: readonly T[], [from = null, to = null, step = null]: readonly (number | null)[]): T[] {
  const by = step ?? 1
  const { length } = items
  const clamp = (at: number, low: number, high: number): number =>
    Math.min(Math.max(at < 0 ? at + length : at, low), high)
  if (by === 0) return []
  if (by > 0) {
    const end = to === null ? length : clamp(to, 0, length)
    return items.slice(0, end).filter((_, at) => at >= start(from, length) && (at - start(from, length)) % by === 0)
  }
  const first = from === null ? length - 1 : clamp(from, -1, length - 1)
  const last = to === null ? -1 : clamp(to, -1, length - 1)
  const found: T[] = []
  for (let at = first; at > last; at += by) found.push(items[at] as T)
  return found
}

const start = (from: number | null, length: number): number =>
  from === null ? 0 : Math.max(0, from < 0 ? from + length : from)
