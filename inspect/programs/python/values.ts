/** Values of Python expressions. Several alternatives are kept where branches join. */

import { spend, store } from '../javascript/budget.ts'
import type { Definition } from './syntax.ts'
import { GAP, withoutGaps } from './tokens.ts'

/** Places that can change: variables, and the content of lists, dictionaries and objects. */
export interface Holder {
  cells: Map<string, Value>
}

/** Where an unknown value, or a part of a text, comes from. */
export const DECODED = 1
export const FETCHED = 2
/** A limit was reached: it may be anything that the program contains. */
export const CUT = 4
/** Put together from letters. */
export const BUILT = 8

export interface TextValue {
  kind: 'text'
  /** Unknown parts are `GAP`. */
  text: string
  isBytes: boolean
  origin: number
}
export interface NameValue {
  kind: 'name'
  /** Of a module, function or object, in full; empty: nothing is known. */
  name: string
  /** The value whose method it is. */
  self?: Value
  origin: number
}
export interface ItemsValue {
  kind: 'items'
  items: readonly Value[]
}
export interface EntriesValue {
  kind: 'entries'
  entries: ReadonlyMap<string, Value>
}
export interface FunctionValue {
  kind: 'function'
  definition: Definition
  /** The variables around it, the innermost last. */
  scopes: readonly Holder[]
  self?: Value
  /** How it is read as a member: called, without the object, or with its class. */
  how?: 'property' | 'static' | 'class'
}
/** `big`: of whole numbers that lose digits otherwise. */
export interface NumberValue {
  kind: 'number'
  number: number
  big?: bigint
}
interface AnyValue {
  kind: 'any'
  values: readonly Value[]
}

export type Value =
  | TextValue
  | NameValue
  | ItemsValue
  | EntriesValue
  | FunctionValue
  | AnyValue
  | NumberValue
  | { kind: 'none' }
  /** Its content is `CONTENT`. */
  | { kind: 'list' | 'dict'; holder: Holder }
  | { kind: 'class'; name: string; holder: Holder }
  | { kind: 'object'; type: Holder; name: string }

export const CONTENT = 'content'
export const TEXT_MAX = 1_000_000
/** Alternatives of one value. */
export const ALTERNATIVES_MAX = 16
/** Those of them that are no texts. */
const OTHERS_MAX = 6
const ALTERNATIVE_WORK = 50
/** Lists in lists whose origin counts. */
const NESTED_MAX = 2
const NESTED_ITEMS_MAX = 500
const SAME_WORK = 30
const VALUE_BYTES = 60
/** Characters that are compared for a unit of work. */
const COMPARED = 8

export const UNKNOWN: NameValue = { kind: 'name', name: '', origin: 0 }
export const CUT_OFF: NameValue = { kind: 'name', name: '', origin: CUT }
export const NONE: Value = { kind: 'none' }
export const named = (name: string, origin = 0, self?: Value): NameValue => ({
  kind: 'name',
  name,
  origin,
  ...(self !== undefined && { self }),
})
export const unknown = (origin: number): NameValue => (origin === 0 ? UNKNOWN : { kind: 'name', name: '', origin })
export const number = (value: number): Value => ({ kind: 'number', number: value })

/** Bits of a whole number. */
export const BITS_MAX = 200_000

export function bigNumber(value: bigint): Value {
  const plain = Number(value)
  if (Number.isSafeInteger(plain)) return number(plain)
  const digits = value.toString(16).length
  spend(digits)
  store(digits)
  return digits * 4 > BITS_MAX ? unknown(CUT) : { kind: 'number', number: plain, big: value }
}

/** null: it is not whole. */
export const bigOf = ({ number: value, big }: NumberValue): bigint | null =>
  big ?? (Number.isSafeInteger(value) ? BigInt(value) : null)

/** A text of the program, which has no gaps. */
export function known(text: string, isBytes = false, origin = 0): Value {
  return textWith(withoutGaps(text), isBytes, origin)
}

/** A text that may have gaps. */
export function textWith(text: string, isBytes: boolean, origin: number): Value {
  spend(text.length)
  if (text.length > TEXT_MAX) return unknown(origin | CUT)
  store(VALUE_BYTES + text.length)
  return { kind: 'text', text, isBytes, origin }
}

export function isSame(left: Value, right: Value): boolean {
  spend(SAME_WORK)
  if (left === right) return true
  return left.kind === right.kind && SAME[left.kind](left as never, right as never)
}

type Comparisons = {
  [K in Value['kind']]: (left: Extract<Value, { kind: K }>, right: Extract<Value, { kind: K }>) => boolean
}

const sameHolder = (left: { holder: Holder }, right: { holder: Holder }): boolean => left.holder === right.holder

const SAME: Comparisons = {
  text: (left, right) =>
    left.origin === right.origin && left.isBytes === right.isBytes && areSameTexts(left.text, right.text),
  number: (left, right) => left.number === right.number && left.big === right.big,
  name: (left, right) => left.name === right.name && left.origin === right.origin && left.self === right.self,
  none: () => true,
  list: sameHolder,
  dict: sameHolder,
  class: sameHolder,
  object: (left, right) => left.type === right.type,
  items: (left, right) => areSame(left.items, right.items),
  any: (left, right) => areSame(left.values, right.values),
  entries: () => false,
  function: (left, right) => left.definition === right.definition && left.self === right.self,
}

export function areSameTexts(left: string, right: string): boolean {
  if (left.length !== right.length) return false
  spend(left.length / COMPARED)
  return left === right
}

function areSame(left: readonly Value[], right: readonly Value[]): boolean {
  spend(left.length * ALTERNATIVE_WORK)
  return left.length === right.length && left.every((each, at) => isSame(each, right[at] as Value))
}

/** Alternatives of the value, without those of its parts. */
export function choicesOf(value: Value): readonly Value[] {
  return value.kind === 'any' ? value.values : [value]
}

/** With the content of lists and dictionaries in place of them. */
export function contentsOf(value: Value): readonly Value[] {
  const all = choicesOf(value)
  spend(all.length * ALTERNATIVE_WORK)
  if (!all.some(isContainer)) return all
  return all.flatMap((each) => (isContainer(each) ? choicesOf(each.holder.cells.get(CONTENT) ?? UNKNOWN) : [each]))
}

const isContainer = (value: Value): value is Extract<Value, { kind: 'list' | 'dict' }> =>
  value.kind === 'list' || value.kind === 'dict'

export function join(...values: readonly Value[]): Value {
  const one = values[0] ?? UNKNOWN
  let from = 1
  while (from < values.length && isSame(one, values[from] as Value)) from++
  if (from >= values.length) return one
  // Those before are the same as the first.
  return joinOthers(one, values, from)
}

function joinOthers(one: Value, values: readonly Value[], from: number): Value {
  // Those of one value differ from each other.
  const found = choicesOf(one).slice()
  for (let at = from; at < values.length; at++)
    for (const each of choicesOf(values[at] as Value)) {
      spend(ALTERNATIVE_WORK)
      if (isAmong(each, found)) continue
      if (!hasRoom(found, each)) return overfull(found, values)
      found.push(each)
    }
  if (found.length === 1) return one
  store(VALUE_BYTES * found.length)
  // A copy, because a list that has grown keeps room for many more.
  return { kind: 'any', values: found.slice() }
}

function hasRoom(found: readonly Value[], added: Value): boolean {
  if (found.length >= ALTERNATIVES_MAX) return false
  if (added.kind === 'text') return true
  let others = 0
  for (const { kind } of found) if (kind !== 'text') others++
  return others < OTHERS_MAX
}

function isAmong(value: Value, values: readonly Value[]): boolean {
  for (const other of values) if (isSame(other, value)) return true
  return false
}

/** The texts that are known, and whatever else it may be. */
function overfull(found: readonly Value[], values: readonly Value[]): Value {
  const texts = found.filter(({ kind }) => kind === 'text')
  const rest = values.flatMap(choicesOf).filter(({ kind }) => kind === 'text')
  const all = [...new Set([...texts, ...rest])].slice(0, ALTERNATIVES_MAX)
  spend((all.length + rest.length) * ALTERNATIVE_WORK)
  const origin = originsOf(values)
  return { kind: 'any', values: [...all, unknown(rest.length > ALTERNATIVES_MAX ? origin | CUT : origin)] }
}

/** The results for every combination of what the values may be. */
export function combined(values: readonly Value[], compute: (...given: readonly Value[]) => Value): Value {
  if (!values.some(({ kind }) => kind === 'any' || kind === 'list' || kind === 'dict')) return compute(...values)
  let rows: Value[][] = [[]]
  let isCut = false
  for (const choices of values.map(contentsOf)) {
    spend(rows.length * choices.length * ALTERNATIVE_WORK)
    const all = rows.flatMap((row) => choices.map((each) => [...row, each]))
    isCut ||= all.length > ALTERNATIVES_MAX
    rows = all.slice(0, ALTERNATIVES_MAX)
  }
  const results = rows.map((row) => compute(...row))
  return isCut ? join(...results, unknown(CUT | originsOf(values))) : join(...results)
}

export function originOf(value: Value, depth = 0): number {
  switch (value.kind) {
    case 'text':
    case 'name':
      return value.origin
    case 'any':
      return originsOf(value.values, depth)
    case 'items':
      return depth > NESTED_MAX ? 0 : originsOf(value.items, depth + 1)
    case 'list':
      return depth > NESTED_MAX ? 0 : originsOf(contentsOf(value), depth + 1)
    default:
      return 0
  }
}

export function originsOf(values: readonly Value[], depth = 0): number {
  if (depth > 0 && values.length > NESTED_ITEMS_MAX) return originsOf(values.slice(0, NESTED_ITEMS_MAX), depth)
  spend(values.length * SAME_WORK)
  return values.reduce((sum, each) => sum | originOf(each, depth), 0)
}

/** As a part of a text. */
export function asText(value: Value | undefined): string {
  if (value === undefined) return GAP
  if (value.kind === 'text') return value.text
  if (value.kind === 'number') return String(value.number)
  return GAP
}

/** A list of texts counts as a command line. Unknown parts are gaps; null: all of it is unknown. */
export function commandOf(value: Value | undefined, depth = 0): string | null {
  if (depth > NESTED_MAX) return null
  const words =
    value?.kind === 'items'
      ? value.items.flatMap((each) => commandOf(firstOf(each), depth + 1) ?? GAP)
      : [asText(value)]
  // Before they are joined: a few lists that hold each other have millions of words.
  const length = words.reduce((total, word) => total + word.length + 1, 0)
  spend(length)
  store(length)
  const text = words.join(' ')
  return text.replaceAll(GAP, '').trim() === '' ? null : text
}

function firstOf(value: Value): Value {
  return contentsOf(value)[0] ?? UNKNOWN
}

/** true, false or not known. */
export function truthOf(value: Value): boolean | undefined {
  const all = contentsOf(value).map(truthOfOne)
  return all.every((each) => each === all[0]) ? all[0] : undefined
}

function truthOfOne(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'number':
      return value.number !== 0
    case 'text':
      return value.text.includes(GAP) ? undefined : value.text !== ''
    case 'items':
      return value.items.length > 0
    case 'entries':
      return value.entries.size > 0
    case 'function':
    case 'class':
      return true
    default:
      return value.kind === 'none' ? false : undefined
  }
}

export const anyOf = (values: readonly Value[]): Value =>
  values.length === 1 ? (values[0] as Value) : { kind: 'any', values }

/** Alternatives of the value, with one row for each combination of those of its items. */
export function rowsOf(value: Value): readonly Value[] {
  return contentsOf(value).flatMap((each) => {
    if (each.kind !== 'items' || !each.items.some(({ kind }) => kind === 'any')) return [each]
    const row = combined(each.items.map(plainChoices), (...items) => ({ kind: 'items', items }))
    return choicesOf(row)
  })
}

/** The commands that a list may be. Of too many, each program is given all arguments: more than it gets, and nothing is lost. */
export function commandRowsOf(value: Value): readonly Value[] {
  return contentsOf(value).flatMap((each) => {
    if (each.kind !== 'items') return [each]
    const items = each.items.map((item) => choicesOf(plainChoices(item)))
    const count = items.reduce((product, choices) => product * choices.length, 1)
    if (count <= ALTERNATIVES_MAX) return rowsOf(each)
    const [programs = [], ...others] = items
    const given = others.flat()
    spend(programs.length * given.length * ALTERNATIVE_WORK)
    store(programs.length * given.length * VALUE_BYTES)
    return programs.map((program): Value => ({ kind: 'items', items: [program, ...given] }))
  })
}

/** Lists in lists stay lists. */
function plainChoices(value: Value): Value {
  return value.kind === 'list' || value.kind === 'dict' ? UNKNOWN : value
}
