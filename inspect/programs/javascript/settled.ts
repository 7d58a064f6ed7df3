/**
 * What holds for every order and number of calls. A program that is too long to be followed is run in passes, in each of
 * which every function runs once, with all arguments that were seen so far joined. What functions return, and what
 * they write to variables and objects of others, is joined as well. The passes end when nothing changes any more.
 */

import { spend, store } from './budget.ts'
import { ANY } from './members.ts'
import type { FunctionNode, Node } from './syntax.ts'
import {
  alternativesOf,
  CUT,
  CUT_NUMBER,
  type FunctionValue,
  type Holder,
  ITEM_BYTES,
  isAlternatives,
  isComposite,
  isFunction,
  isLossy,
  isUnknown,
  join,
  joinValues,
  type ListValue,
  mayBeText,
  type RecordValue,
  type Value,
} from './values.ts'

/** A value that grows, with the functions that have read it. */
export interface Held {
  value: Value
  isSet: boolean
  readers: Set<Summary> | null
}

interface Written {
  /** Whatever was written. */
  all: Held
  /** By other calls than the one that made the object or variable. */
  foreign: Held
}

/** Variables that a loop writes, and what its turns that are not known leave in them. */
export interface LoopNames {
  names: Set<string>
  value: Value
}

/** What is known of a function, from all calls. */
export interface Summary {
  node: FunctionNode | null
  args: Held[]
  /** `this` */
  self: Held
  result: Held
  /** Something that it reads has changed since it ran. */
  isOpen: boolean
  /** Of its function among all, and among the calls of that function that are kept separate. */
  order: readonly [number, number]
  isReached: boolean
  /** The pass in which it ran last. */
  pass: number
  /** Places at which objects are made, if its calls are kept separate. */
  sites?: Map<Node, object>
  /** Loops of which it is not known how often they run. */
  loops: Map<Node, LoopNames>
}

export interface Settled {
  functions: Map<FunctionNode, Map<unknown, Summary>>
  /** All that are open, and some that were. */
  open: Set<Summary>
  written: Map<object, Map<string, Written>>
  /** One object or function for all that the same place of the program makes. */
  first: Map<object, FunctionValue | ListValue | RecordValue>
  /** Arguments of calls of which it is not known what they call, by the name of the member that is called. */
  lost: Map<string, Held[]>
  /** Functions by the names of members that they are. */
  members: Map<string, Map<FunctionNode, FunctionValue>>
  /** Texts that functions return which depend on their arguments only, by the place of the call. */
  computed: Map<object, { args: readonly Value[]; text: string | undefined }>
  /** Lists whose items are being joined. */
  joining: Set<ListValue>
  /** The call that is evaluated. */
  site: object
  /** The function that runs, and the script itself. */
  running: Summary
  script: Summary
  pass: number
  /** Calls that are kept separate. */
  places: number
}

/** From this pass on, what still changes is taken for unknown. */
const WIDENING_PASS = 3
/** The key of a record's keys. */
const KEYS = '\0keys'
/** The key of a list's items. */
export const ITEMS = '\0items'
const CHANGE_WORK = 400
export const READ_WORK = 100
export const HELD_BYTES = 100
const READERS_BYTES = 200
/** Items of a list that are kept separate. */
const ITEMS_MAX = 64

export const nothing = (): Held => ({ value: undefined, isSet: false, readers: null })

export function emptySummary(node: FunctionNode | null, order: Summary['order'] = [0, 0]): Summary {
  store(HELD_BYTES)
  return {
    node,
    args: [],
    self: nothing(),
    result: nothing(),
    isOpen: true,
    order,
    isReached: false,
    pass: 0,
    loops: new Map(),
  }
}

export function createSettled(): Settled {
  const script = emptySummary(null)
  return {
    ...{
      functions: new Map(),
      open: new Set(),
      written: new Map(),
      first: new Map(),
      lost: new Map(),
      members: new Map(),
      computed: new Map(),
      joining: new Set(),
    },
    ...{ site: script, running: script, script, pass: 0, places: 0 },
  }
}

function rememberMember({ members }: Settled, name: string, value: FunctionValue): void {
  const known = members.get(name) ?? new Map<FunctionNode, FunctionValue>()
  members.set(name, known)
  if (known.has(value.node)) return
  store(ITEM_BYTES)
  known.set(value.node, value)
}

/** Reads a value for the function that runs, which runs again when the value changes. */
export function read({ running }: Settled, held: Held): Value {
  spend(READ_WORK)
  if (held.readers === null) store(READERS_BYTES)
  held.readers ??= new Set()
  if (!held.readers.has(running)) {
    store(ITEM_BYTES)
    held.readers.add(running)
  }
  return held.value
}

type Place = Pick<Holder, 'site' | 'call'>

function writtenAt({ written }: Settled, site: object, key: string): Written {
  return entryOf(entryOf(written, site, noKeys), key, notWritten)
}

const noKeys = (): Map<string, Written> => new Map()

function notWritten(): Written {
  store(HELD_BYTES * 2)
  return { all: nothing(), foreign: nothing() }
}

export function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** Remembers what is written to a variable or member. */
export function note(settled: Settled, { site, call }: Place, key: string, value: Value, current: number): void {
  if (site === undefined) return
  const { all, foreign } = writtenAt(settled, site, key)
  if (hasFunction(value))
    for (const each of alternativesOf(value))
      if (isFunction(each)) rememberMember(settled, key.slice(key.lastIndexOf('.') + 1), each)
  if (!all.isSet && key !== ITEMS) grow(settled, writtenAt(settled, site, KEYS).all, key === ANY ? CUT : key)
  grow(settled, all, value)
  if (call !== current) grow(settled, foreign, value)
}

/** A value that is read, together with what other calls may have written there. */
export function withOthers(settled: Settled, { site, call }: Place, key: string, value: Value, current: number): Value {
  if (site === undefined) return value
  const { all, foreign } = writtenAt(settled, site, key)
  const other = call === current ? foreign : all
  const found = read(settled, other)
  return other.isSet ? join(value, found) : value
}

/** Items of a list from other calls. null: none. */
export function othersIn(settled: Settled, { site, call }: Place, current: number): { value: Value } | null {
  if (site === undefined) return null
  const { all, foreign } = writtenAt(settled, site, ITEMS)
  const other = call === current ? foreign : all
  const value = read(settled, other)
  return other.isSet ? { value } : null
}

/** Names of members that any call may have written. null: none. */
export function keysIn(settled: Settled, { site }: Place): { value: Value } | null {
  if (site === undefined) return null
  const { all } = writtenAt(settled, site, KEYS)
  const value = read(settled, all)
  return all.isSet ? { value } : null
}

/** Every member, where the key is not known. */
export function anyWritten(settled: Settled, { site }: Place): Value[] {
  const keys = site === undefined ? undefined : settled.written.get(site)
  if (keys === undefined) return []
  // Others may be written later.
  read(settled, writtenAt(settled, site ?? keys, KEYS).all)
  return [...keys].flatMap(([key, { all }]) => {
    const value = read(settled, all)
    return all.isSet && key !== KEYS ? [value] : []
  })
}

export const hasFunction = (value: Value): boolean =>
  isAlternatives(value) ? value.values.some(isFunction) : isFunction(value)

/** Returns whether the value is new. */
export function grow(settled: Settled, held: Held, value: Value): boolean {
  spend(CHANGE_WORK)
  const { value: before, isSet } = held
  if (isSet && (Object.is(before, value) || isFull(settled, before, value))) return false
  const added = firstOfAll(settled, value)
  if (isSet && Object.is(before, added)) return false
  const after = isSet ? join(before, added) : added
  if (isSet && !isMore(before, after)) return false
  const isCut = isSet && settled.pass >= WIDENING_PASS && hasNewText(before, after)
  if (isCut && hasCut(before) && !hasNewObject(before, after)) return false
  held.value = isCut ? join(after, cutOf(before, after)) : after
  held.isSet = true
  for (const reader of held.readers ?? []) reopen(settled, reader)
  spend((held.readers?.size ?? 0) * READ_WORK)
  return true
}

export function reopen({ open }: Settled, summary: Summary): void {
  summary.isOpen = true
  open.add(summary)
}

const firstOfAll = (settled: Settled, value: Value): Value =>
  isAlternatives(value) ? joinValues(value.values.map((each) => firstOf(settled, each))) : firstOf(settled, value)

/** It is taken for unknown already, and a function is no news. */
function isFull({ pass }: Settled, before: Value, value: Value): boolean {
  return (
    pass >= WIDENING_PASS &&
    isUnknown(before) &&
    before.isCut === true &&
    before.several !== undefined &&
    !hasFunction(value)
  )
}

const hasCut = (value: Value): boolean => alternativesOf(value).some(isLossy)

function isMore(before: Value, after: Value): boolean {
  const left = alternativesOf(before)
  const right = alternativesOf(after)
  if (left.length !== right.length) return true
  return right.some((each, i) => {
    const old = left[i]
    if (isUnknown(each) && isUnknown(old))
      return (
        each.name !== old.name ||
        each.several?.length !== old.several?.length ||
        each.isCut !== old.isCut ||
        each.isMixed !== old.isMixed ||
        each.isNumber !== old.isNumber ||
        each.functions?.length !== old.functions?.length ||
        each.text !== old.text
      )
    return !Object.is(each, old)
  })
}

/** What numbers that change may be is not known, which is no news for texts. */
function cutOf(before: Value, after: Value): Value {
  const known = new Set(alternativesOf(before))
  const added = alternativesOf(after).filter((each) => !known.has(each) && mayBeText(each))
  return added.every((each) => typeof each === 'number') ? CUT_NUMBER : CUT
}

/** Functions are followed wherever they are. */
function hasNewText(before: Value, after: Value): boolean {
  const known = new Set(alternativesOf(before))
  return alternativesOf(after).some((each) => !known.has(each) && mayBeText(each))
}

function hasNewObject(before: Value, after: Value): boolean {
  const known = new Set(alternativesOf(before))
  return alternativesOf(after).some((each) => isObject(each) && !known.has(each))
}

function isObject(value: Value): value is FunctionValue | ListValue | RecordValue {
  return isComposite(value) && (value.kind === 'function' || value.kind === 'list' || value.kind === 'record')
}

/** Functions and objects of the same place are taken for one. */
export function firstOf(settled: Settled, value: Value): Value {
  if (!isObject(value)) return value
  const site = value.kind === 'function' ? value.node : value.site
  if (site === undefined) return settled.pass >= WIDENING_PASS ? CUT : value
  const first = settled.first.get(site)
  if (first === undefined) {
    settled.first.set(site, value)
    return value
  }
  // A list may be an item of itself.
  if (first !== value && first.kind === 'list' && value.kind === 'list' && !settled.joining.has(first)) {
    settled.joining.add(first)
    joinItems(settled, first, value)
    settled.joining.delete(first)
  }
  return first.kind === value.kind ? first : value
}

function joinItems(settled: Settled, first: ListValue, { items, any }: ListValue): void {
  const isSame =
    items.length === first.items.length &&
    items.length <= ITEMS_MAX &&
    items.every((item, i) => Object.is(item, first.items[i]))
  spend(Math.min(items.length, ITEMS_MAX) * CHANGE_WORK)
  if (!isSame) {
    const joined = items.length > ITEMS_MAX ? CUT : items.length === 0 ? undefined : joinValues(items)
    note(settled, first, ITEMS, joined, ELSEWHERE)
  }
  if (any !== undefined) note(settled, first, ITEMS, any, ELSEWHERE)
}

/** No call: whatever is written by it is foreign. */
export const ELSEWHERE = -1
