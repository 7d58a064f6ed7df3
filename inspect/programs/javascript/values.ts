/** Values of scripts: constants, what is known of everything else, and alternatives where branches are not known. */

import { comparisonWork, KEY_MAX } from '../keys.ts'
import { joinedText, spend, store } from './budget.ts'
import type { FunctionNode } from './syntax.ts'
import type { Pattern } from './tokens.ts'

export type Value = string | number | boolean | null | undefined | Composite

type Composite = ListValue | RecordValue | FunctionValue | MethodValue | PatternValue | Unknown | Alternatives

/** Something that holds values by key. */
export interface Holder {
  cells: Map<string, Value>
  /** The age at which it was made. */
  born: number
  /** The place of the program that made it, and the call in which. */
  site?: object
  call?: number
}

export interface ListValue extends Pick<Holder, 'born' | 'site' | 'call'> {
  kind: 'list'
  items: Value[]
  /** Of bytes. */
  isTyped: boolean
  /** Its text is what the bytes say, not numbers. */
  isBuffer?: boolean | undefined
  /** Written where the place is not known. */
  any?: Value
  /** The function that was called, if these are its arguments. */
  callee?: FunctionValue
  /** By name, if a pattern has found these. */
  groups?: RecordValue
}

export interface RecordValue extends Holder {
  kind: 'record'
  /** Whose members it has as well. */
  parent?: RecordValue
  /** What is called to read its members. */
  reader?: Reader
}

/** The handler of a `Proxy`. */
interface Reader {
  target: Value
  get: Value
}

export interface FunctionValue {
  kind: 'function'
  node: FunctionNode
  scope: Scope
  /** Its members, once there are some: among them `prototype`, of which objects are made. */
  own?: RecordValue
  /** `this`, if it is bound. */
  self?: Value
  /** It is called when it is read as a member. */
  isGetter?: boolean
  /** Is called with what is written to it. */
  isSetter?: boolean
  setter?: FunctionValue
  /** The same one, called when it is read as a member. */
  asGetter?: FunctionValue
}

interface MethodValue {
  kind: 'method'
  owner: Value
  name: string
  /** Its first arguments. */
  bound?: readonly Value[]
  /** The object is not known to have it. */
  isAbsent?: boolean
}

export interface PatternValue {
  kind: 'pattern'
  pattern: Pattern
  /** Where it goes on. */
  state: RecordValue
}

/** Not known. */
export interface Unknown {
  kind: 'unknown'
  /** By which the script refers to it, such as `app.launchURL` or `getField().value`; empty if it has none. */
  name: string
  /** What is known of a text, with `GAP` for the rest. */
  text?: string | undefined
  /** Texts that it may be, where branches leave more of them than are followed. */
  several?: readonly string[] | undefined
  /** A limit was reached before it was known. */
  isCut?: boolean | undefined
  /** What is in doubt is which names of arguments it has, with commas between them. */
  isListed?: boolean | undefined
  /** As well for an object with texts, and for a number, which may be the code of a character. */
  isMixed?: boolean | undefined
  isNumber?: boolean | undefined
  /** Functions that it may be, where there are more values than are followed. */
  functions?: readonly FunctionValue[] | undefined
  /** The bytes of a file, stream, answer or key. */
  content?: ListValue | undefined
}

/** One of at least two values, none of them alternatives. Which one depends on branches that are not known. */
interface Alternatives {
  kind: 'alternatives'
  values: readonly Value[]
}

/** Calls a function of the script. */
export type Invoke = (callee: Value, args: Value[]) => Value

export interface Scope extends Holder {
  outer: Scope | null
}

/** Counts the branches so far: what is made inside of one need not be undone with it. */
let age = 0

export function nextAge(): number {
  age += 1
  return age
}

const HOLDER_BYTES = 100

export function recordOf(cells: Map<string, Value>): RecordValue {
  store(HOLDER_BYTES + cells.size * ITEM_BYTES)
  return { kind: 'record', cells, born: age }
}

/** It may be asked for in a branch, before which it was already there. */
function oldRecord(cells: Map<string, Value>, site: object, call: number | undefined): RecordValue {
  return { ...recordOf(cells), born: 0, site, ...(call !== undefined && { call }) }
}

/** A function that is called whenever the member is read. */
export function getterOf(value: Value): Value {
  if (!isFunction(value)) return value
  value.asGetter ??= { ...value, isGetter: true }
  return value.asGetter
}

/** The member that also has what the other one does. */
export function accessorOf(value: Value, how: 'get' | 'set', before: Value): Value {
  if (!isFunction(value)) return value
  const known = isFunction(before) ? before : undefined
  if (how === 'set') return known?.isGetter === true ? { ...known, setter: value } : { ...value, isSetter: true }
  return known?.isSetter === true ? { ...value, isGetter: true, setter: known } : getterOf(value)
}

/** What is called when the member is written. */
export function setterIn(value: Value): FunctionValue | undefined {
  if (!isFunction(value)) return undefined
  return value.isSetter === true ? value : value.setter
}

export function ownOf(value: FunctionValue): RecordValue {
  const { node, scope } = value
  value.own ??= oldRecord(
    new Map([['prototype', oldRecord(new Map([['constructor', value]]), node.vars, scope.call)]]),
    node.params,
    scope.call,
  )
  return value.own
}

/** An object that a function makes. */
export function madeBy(value: FunctionValue): RecordValue {
  const parent = alternativesOf(ownOf(value).cells.get('prototype')).findLast(isRecord)
  return { ...recordOf(new Map()), ...(parent !== undefined && { parent }) }
}

/** Objects of which one has its members from the next. */
const PARENTS_MAX = 20

export function withParents(record: RecordValue): readonly RecordValue[] {
  const found: RecordValue[] = []
  let each: RecordValue | undefined = record
  for (let i = 0; i < PARENTS_MAX && each !== undefined; i++) {
    found.push(each)
    each = each.parent
  }
  return found
}

/** The object itself or one of its parents that has the member. */
export function holderOf(record: RecordValue, name: string): RecordValue | null {
  if (record.parent === undefined) return record.cells.has(name) ? record : null
  return withParents(record).find(({ cells }) => cells.has(name)) ?? null
}

export function scopeIn(outer: Scope | null, site: object, call: number): Scope {
  return { cells: new Map(), born: age, outer, site, call }
}

/** Replaces the unknown parts of a text. */
export const GAP = '\ufffd'
/** Characters kept of a text with unknown parts. */
const PARTIAL_MAX = 4096
/** Characters of one text. A longer one is unknown. */
export const TEXT_MAX = 16_777_216
/** Items of one list. */
export const ITEMS_MAX = 1_000_000
/** Characters of the name of an unknown value. */
const NAME_MAX = 200
/** Values that a variable may have. */
export const ALTERNATIVES_MAX = 8
/** Combinations of alternatives that one operation is computed for. */
const COMBINATIONS_MAX = 16
/** Functions, and texts, that are remembered of more alternatives. */
const FUNCTIONS_MAX = 64
export const SEVERAL_MAX = 64

/** Always has the same members in the same order: engines compare such objects much faster. */
export function unknownOf(known: { [K in keyof Unknown]?: Unknown[K] | undefined }): Unknown {
  const { name = '', text, several, isCut, isListed, isMixed, isNumber, functions, content } = known
  return { kind: 'unknown', name, text, several, isCut, isListed, isMixed, isNumber, functions, content }
}

export const UNKNOWN = unknownOf({})
/** Unknown because of a limit. */
export const CUT = unknownOf({ isCut: true })

/** Names of arguments with commas between them, such as `a[0],a[1]`. */
export const LISTED = unknownOf({ isCut: true, isListed: true })

/** A number that is unknown because of a limit. */
export const CUT_NUMBER = unknownOf({ isNumber: true })

export const named = (name: string): Unknown => unknownOf({ name: name.slice(0, NAME_MAX) })

export function isComposite(value: Value): value is Composite {
  return typeof value === 'object' && value !== null
}

export function isUnknown(value: Value): value is Unknown {
  return isComposite(value) && value.kind === 'unknown'
}

export function isFunction(value: Value): value is FunctionValue {
  return isComposite(value) && value.kind === 'function'
}

export function isRecord(value: Value): value is RecordValue {
  return isComposite(value) && value.kind === 'record'
}

export function isAlternatives(value: Value): value is Alternatives {
  return isComposite(value) && value.kind === 'alternatives'
}

/** Texts that are made of it may be others than those that are known. */
export function isLossy(value: Value): boolean {
  return isUnknown(value) && (value.isCut === true || value.isMixed === true || value.isNumber === true)
}

/** Not one known value. */
export function isOpen(value: Value): boolean {
  return isComposite(value) && (value.kind === 'unknown' || value.kind === 'alternatives')
}

export function alternativesOf(value: Value): readonly Value[] {
  return isAlternatives(value) ? value.values : [value]
}

const JOINED_WORK = 150

/** One of two values: nearly all are joined so, and without a list it takes half the time. */
export function join(first: Value, second: Value): Value {
  spend(2 * JOINED_WORK)
  if (isAlternatives(first) ? isAmong(second, first.values) : isSame(first, second)) return first
  if (isUnknown(first) && covers(first, second)) return first
  if (isUnknown(second) && covers(second, first)) return second
  return joinDistinct([first, second])
}

/** One of the values. */
export function joinValues(values: readonly Value[]): Value {
  if (values.length === 1) return values[0]
  if (values.length === 2) return join(values[0], values[1])
  spend(values.length * JOINED_WORK)
  return joinDistinct(values)
}

function joinDistinct(values: readonly Value[]): Value {
  const found: Value[] = []
  const known = values.length > FEW ? new Set<Value>() : null
  for (const value of values) {
    if (isAlternatives(value)) for (const each of value.values) addTo(found, each, known)
    else addTo(found, value, known)
  }
  return found.length === 1 ? found[0] : oneOf(found)
}

/** Whether each of its alternatives is one of the values. */
function isAmong(value: Value, values: readonly Value[]): boolean {
  const wanted = alternativesOf(value)
  if (wanted === values) return true
  return wanted.every((each) => values.some((other) => isSame(other, each)))
}

/** Whether a value is one of those that were too many already. */
function covers(whole: Unknown, value: Value): boolean {
  const { several, functions, isCut, isMixed, isNumber, text } = whole
  if (several === undefined || text !== undefined) return false
  if (typeof value === 'string') return isCut === true && several.length === SEVERAL_MAX
  if (typeof value === 'number') return isNumber === true
  if (isAlternatives(value) || !isComposite(value)) return !isAlternatives(value)
  if (value.kind === 'function') return functions?.some(({ node }) => node === value.node) ?? false
  if (value.kind === 'list' || value.kind === 'record') return isMixed === true
  if (value.kind !== 'unknown') return true
  if (value.text !== undefined || value.content !== undefined) return false
  if (value.several === undefined) return !isLossy(value)
  return isPart(value, whole)
}

/** Whether all that is known of a value is known of the other one as well. */
function isPart(value: Unknown, whole: Unknown): boolean {
  if ((value.isCut && !whole.isCut) || (value.isMixed && !whole.isMixed) || (value.isNumber && !whole.isNumber))
    return false
  const [texts, functions] = [value.several ?? [], value.functions ?? []]
  if (texts.length > (whole.several?.length ?? 0) || functions.length > (whole.functions?.length ?? 0)) return false
  spend((texts.length + functions.length) * PART_WORK)
  for (const text of texts) spend(comparisonWork(text, whole.several?.length ?? 0))
  return (
    texts.every((text) => whole.several?.includes(text)) &&
    functions.every(({ node }) => whole.functions?.some((each) => each.node === node))
  )
}

const PART_WORK = 100

/** Values that are compared each with each. */
const FEW = 16
const COMPARED_WORK = 4

function addTo(found: Value[], value: Value, known: Set<Value> | null): void {
  if (known === null || !isPlain(value)) {
    if (known !== null) spend(found.length * COMPARED_WORK)
    for (const other of found) if (isSame(other, value)) return
  } else {
    if (typeof value === 'string') spend(value.length + comparisonWork(value, known.size))
    if (known.has(value)) return
    known.add(value)
  }
  found.push(value)
}

/** Whether it is the same as no other value. */
const isPlain = (value: Value): boolean =>
  !Object.is(value, -0) &&
  (!isComposite(value) || (value.kind !== 'unknown' && value.kind !== 'method' && value.kind !== 'pattern'))

/** What was too much once stays so, whatever is added. */
function oneOf(found: readonly Value[]): Value {
  const whole = found.find((each) => isUnknown(each) && each.several !== undefined)
  if (whole !== undefined && isUnknown(whole) && found.every((each) => each === whole || covers(whole, each)))
    return whole
  const isTooMuch =
    found.length > ALTERNATIVES_MAX || found.some((each) => isUnknown(each) && each.several !== undefined)
  // A copy, because a list that has grown keeps room for many more.
  return isTooMuch ? severalOf(found) : { kind: 'alternatives', values: found.slice() }
}

export function isSame(left: Value, right: Value): boolean {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length !== right.length) return false
    spend(left.length)
  }
  if (Object.is(left, right)) return true
  if (!isComposite(left) || !isComposite(right)) return false
  if (left.kind === 'method' && right.kind === 'method') return isSameMethod(left, right)
  if (left.kind === 'pattern' && right.kind === 'pattern') return left.pattern === right.pattern
  if (left.kind !== 'unknown' || right.kind !== 'unknown') return false
  return (
    left.name === right.name &&
    left.text === right.text &&
    left.several === right.several &&
    left.isCut === right.isCut &&
    left.isListed === right.isListed &&
    left.isMixed === right.isMixed &&
    left.isNumber === right.isNumber &&
    left.functions === right.functions &&
    left.content === right.content
  )
}

function isSameMethod(left: MethodValue, right: MethodValue): boolean {
  if (left.name !== right.name || left.bound !== right.bound) return false
  return left.owner === right.owner || isLacking(left, right)
}

/** Which object lacks a member does not matter. */
const isLacking = (left: MethodValue, right: MethodValue): boolean =>
  left.isAbsent === true && right.isAbsent === true && isRecord(left.owner) && isRecord(right.owner)

/** Whether texts can be made of it: numbers are codes of characters, and lists have them. */
export function mayBeText(value: Value): boolean {
  if (isUnknown(value))
    return isLossy(value) || value.text !== undefined || value.content !== undefined || (value.several?.length ?? 0) > 0
  if (isComposite(value)) return holdsTexts(value)
  return typeof value === 'string' || typeof value === 'number'
}

function keptFunctions(functions: readonly FunctionValue[]): readonly FunctionValue[] {
  for (const { node } of functions.slice(FUNCTIONS_MAX)) node.isDropped = true
  return functions.slice(0, FUNCTIONS_MAX)
}

const NO_TEXTS: readonly string[] = []
const NO_FUNCTIONS: readonly FunctionValue[] = []

function textsAmong(unknowns: readonly Unknown[], others: readonly Value[]): Set<string> {
  const texts = new Set<string>()
  for (const { several } of unknowns) for (const text of several ?? NO_TEXTS) texts.add(text)
  for (const value of others) if (typeof value === 'string') texts.add(value)
  for (const text of texts) spend(comparisonWork(text, texts.size))
  return texts
}

function functionsAmong(unknowns: readonly Unknown[], others: readonly Value[]): Map<FunctionNode, FunctionValue> {
  const found = new Map<FunctionNode, FunctionValue>()
  for (const { functions } of unknowns) for (const each of functions ?? NO_FUNCTIONS) found.set(each.node, each)
  for (const value of others) if (isFunction(value)) found.set(value.node, value)
  return found
}

function severalOf(values: readonly Value[]): Unknown {
  const unknowns = values.filter(isUnknown)
  const others = values.filter((value) => !isUnknown(value))
  const texts = textsAmong(unknowns, others)
  const functions = functionsAmong(unknowns, others)
  spend((texts.size + functions.size) * JOINED_WORK)
  const isCut = texts.size > SEVERAL_MAX || unknowns.some((each) => each.isCut)
  const isMixed = functions.size > FUNCTIONS_MAX || unknowns.some((each) => each.isMixed) || values.some(holdsTexts)
  const isNumber = unknowns.some((each) => each.isNumber) || others.some((value) => typeof value === 'number')
  return unknownOf({
    name: unknowns.find(({ name }) => name !== '')?.name,
    several: texts.size === 0 ? NO_TEXTS : [...texts].slice(0, SEVERAL_MAX),
    isCut: isCut || undefined,
    isMixed: isMixed || undefined,
    isNumber: isNumber || undefined,
    functions: functions.size > 0 ? keptFunctions([...functions.values()]) : undefined,
  })
}

const holdsTexts = (value: Value): boolean =>
  isComposite(value) &&
  (value.kind === 'list' || value.kind === 'record' || (value.kind === 'unknown' && value.content !== undefined))

/** Computes a result for each combination of alternatives. */
export function combine(values: readonly Value[], compute: (values: readonly Value[]) => Value): Value {
  if (!values.some(isAlternatives)) return compute(values)
  const count = values.reduce((product: number, value) => product * alternativesOf(value).length, 1)
  if (count <= COMBINATIONS_MAX) return joinValues(combinations(values.map(alternativesOf)).map(compute))
  // Each alternative once, all that are known together, and others that are not known.
  const rows = Array.from({ length: ALTERNATIVES_MAX }, (_, i) =>
    values.map((value) => alternativesOf(value)[i % alternativesOf(value).length]),
  )
  rows.push(values.map((value) => alternativesOf(value).find(isKnown) ?? alternativesOf(value)[0]))
  return joinValues([...rows.map(compute), values.every(isPlainChoice) ? UNKNOWN : CUT])
}

export const isKnown = (value: Value): boolean => !isUnknown(value) && !isMissing(value)

/** At most one of the alternatives is known. Without it, nothing is known of the result either. */
export function isPlainChoice(value: Value): boolean {
  if (!isAlternatives(value)) return true
  return value.values.filter(isKnown).length <= 1 && !value.values.some((each) => isLossy(each) || holdsSeveral(each))
}

const holdsSeveral = (value: Value): boolean =>
  isUnknown(value) && ((value.several?.length ?? 0) > 0 || value.content !== undefined)

export const isMissing = (value: Value): value is null | undefined => value === null || value === undefined

function combinations(choices: readonly (readonly Value[])[]): Value[][] {
  let rows: Value[][] = [[]]
  for (const values of choices) {
    spend(rows.length)
    if (values.length === 1) for (const row of rows) row.push(values[0])
    else rows = rows.flatMap((row) => values.map((each) => [...row, each]))
  }
  return rows
}

/** Rows of arguments that are recorded. */
const ROWS_MAX = 16

/** Every combination, or each choice once if there are too many. */
export function combinationsOf(choices: readonly (readonly Value[])[]): Value[][] {
  const count = choices.reduce((product, { length }) => product * length, 1)
  if (count <= ROWS_MAX) return combinations(choices)
  return Array.from({ length: Math.max(...choices.map(({ length }) => length)) }, (_, i) =>
    choices.map((values) => values[i % values.length]),
  )
}

/** Memory for each item of a list. */
export const ITEM_BYTES = 16

/** The memory of the items must have been charged before, unless they are arguments. */
export function listOf(items: Value[], isTyped = false): ListValue {
  store(ITEM_BYTES)
  return { kind: 'list', items, isTyped, born: age }
}

/** Of the same kind as another one. */
export const listLike = ({ isTyped, isBuffer }: ListValue, items: Value[]): ListValue =>
  isBuffer ? bufferOf(items) : listOf(items, isTyped)

export const bufferOf = (items: Value[]): ListValue => Object.assign(listOf(items, true), { isBuffer: true })

/** null: not known, or one of several. */
export function textOf(value: Value): string | null {
  if (typeof value === 'string') return value
  if (!isComposite(value)) return String(value)
  if (value.kind === 'list') return joined(value.items, ',')
  if (value.kind === 'record') return '[object Object]'
  if (value.kind === 'pattern') return `/${value.pattern.source}/${value.pattern.flags}`
  if (value.kind === 'method') return `function ${value.name}() { [native code] }`
  return null
}

const DEPTH_MAX = 20
const JOIN_WORK = 50

/** As the name of a member. null: not known, or too long to be followed. */
export function nameOf(value: Value): string | null {
  const text = textOf(value)
  return text !== null && text.length > KEY_MAX ? null : text
}

/** null: not known. */
export function joined(items: readonly Value[], separator: string, depth = 0): string | null {
  if (depth > DEPTH_MAX) return null
  spend(items.length * JOIN_WORK)
  let length = 0
  const texts: string[] = []
  for (const item of items) {
    const isEmpty = item === null || item === undefined
    const isList = isComposite(item) && item.kind === 'list'
    const text = isEmpty ? '' : isList ? joined(item.items, ',', depth + 1) : textOf(item)
    if (text === null) return null
    length += text.length + separator.length
    if (length > TEXT_MAX) return null
    texts.push(text)
  }
  spend(length)
  store(length)
  return texts.join(separator)
}

/** NaN: no number or not known. */
export function numberOf(value: Value): number {
  if (typeof value === 'string') spend(value.length)
  if (!isComposite(value)) return Number(value)
  const text = value.kind === 'list' && value.items.length < 2 ? textOf(value) : null
  return text === null ? Number.NaN : Number(text)
}

/** null: not known. */
export function truthOf(value: Value): boolean | null {
  if (!isComposite(value)) return Boolean(value)
  if (value.kind !== 'alternatives') return value.kind === 'unknown' ? null : true
  const [first, ...others] = value.values.map(truthOf)
  return others.every((each) => each === first) ? (first ?? null) : null
}

/** What is known of a text. */
/** As far as its text is known. */
export function partOf(value: Value): string {
  if (isUnknown(value)) return value.text ?? GAP
  return textOf(value) ?? GAP
}

const CONCATENATION_WORK = 50

export function concatenated(left: Value, right: Value): Value {
  const texts = [textOf(left), textOf(right)] as const
  spend(CONCATENATION_WORK)
  if (texts[0] !== null && texts[1] !== null) {
    const length = texts[0].length + texts[1].length
    if (length > TEXT_MAX) return CUT
    joinedText(length)
    return texts[0] + texts[1]
  }
  const text = (headOf(partOf(left)) + headOf(partOf(right))).slice(0, PARTIAL_MAX)
  spend(text.length)
  return inPart(text, [left, right])
}

function inPart(whole: string, parts: readonly Value[]): Unknown {
  const text = whole.slice(0, PARTIAL_MAX)
  const doubtful = parts.filter(isUnknown).filter((value) => value.isCut || value.isMixed)
  if (doubtful.length === 0) return unknownOf({ text })
  const isListed = doubtful.every((value) => value.isListed && !value.isMixed)
  return unknownOf({ text, isCut: true, isListed: isListed || undefined })
}

/** The items of a list as one text, some of which are not known. */
export function joinedInPart(items: readonly Value[], separator: string): Unknown {
  let text = ''
  for (const [i, item] of items.entries()) {
    if (text.length >= PARTIAL_MAX) break
    spend(CONCATENATION_WORK)
    text += (i === 0 ? '' : separator) + (isMissing(item) ? '' : headOf(partOf(item)))
  }
  spend(text.length)
  const isKnown = items.some((item) => partOf(item) !== GAP && !isMissing(item))
  return isKnown ? inPart(text, items) : UNKNOWN
}

function headOf(text: string): string {
  return text.slice(0, PARTIAL_MAX)
}
