/** Methods of lists. */

import { spend, store } from './budget.ts'
import { textOfBytes } from './functions.ts'
import {
  alternativesOf,
  CUT,
  CUT_NUMBER,
  combine,
  GAP,
  type Invoke,
  ITEM_BYTES,
  ITEMS_MAX,
  isAlternatives,
  isComposite,
  isLossy,
  isMissing,
  isUnknown,
  joined,
  joinedInPart,
  joinValues,
  LISTED,
  type ListValue,
  listLike,
  listOf,
  numberOf,
  recordOf,
  textOf,
  truthOf,
  UNKNOWN,
  type Value,
} from './values.ts'

type ListMethod = (list: ListValue, args: Value[], invoke: Invoke) => Value

const numberAt = (args: readonly Value[], i: number): number | undefined =>
  args[i] === undefined ? undefined : numberOf(args[i])

/** Methods that change the list. */
export const MUTATORS: ReadonlySet<string> = new Set(
  'reverse push unshift pop shift splice fill set sort add next'.split(' '),
)

/** They read or change an end of the list, whatever its length. */
export const INDEXED_LIST_METHODS: Readonly<Record<string, ListMethod>> = {
  push({ items }, args) {
    if (!fits(items.length + args.length)) return CUT
    store(args.length * ITEM_BYTES)
    for (const arg of args) items.push(arg)
    return items.length
  },
  /** Of sets. */
  add(list, args) {
    if (!fits(list.items.length + args.length)) return CUT
    store(args.length * ITEM_BYTES)
    for (const arg of args) list.items.push(arg)
    return list
  },
  pop: ({ items }) => items.pop(),
  at: ({ items }, args) => items.at(numberAt(args, 0) ?? 0),
}

function fits(length: number): boolean {
  return length <= ITEMS_MAX
}

/** They read the whole list, for which the caller charges. */
export const LIST_METHODS: Readonly<Record<string, ListMethod>> = {
  join: (list, [separator = ',']) =>
    argumentsIn(list, separator) ??
    combine([separator, ...list.items], ([by, ...texts]) => {
      const between = textOf(by) ?? ''
      return joined(texts, between) ?? joinedInPart(texts, between)
    }),
  toString: (list: ListValue, [encoding]: Value[]) =>
    list.isBuffer ? textOfBytes(list, encoding) : combine(list.items, (texts) => joined(texts, ',') ?? UNKNOWN),
  reverse(list) {
    list.items.reverse()
    return list
  },
  unshift(list, args) {
    if (!fits(list.items.length + args.length)) return CUT
    list.items = copied([...args, ...list.items])
    return list.items.length
  },
  shift: ({ items }) => items.shift(),
  slice: (list, args) => listLike(list, copied(list.items.slice(numberAt(args, 0), numberAt(args, 1)))),
  subarray: (list, args) => listLike(list, copied(list.items.slice(numberAt(args, 0), numberAt(args, 1)))),
  splice(list, [from, count, ...added]) {
    const { items } = list
    if (!fits(items.length + added.length)) return CUT
    const at = clamped(numberOf(from) || 0, items.length)
    const end = count === undefined ? items.length : Math.min(items.length, at + Math.max(0, numberOf(count) || 0))
    const removed = items.slice(at, end)
    list.items = copied([...items.slice(0, at), ...added, ...items.slice(end)])
    return listOf(copied(removed))
  },
  concat({ items }, args) {
    const added = args.map((arg) => (isComposite(arg) && arg.kind === 'list' ? arg.items : [arg]))
    const length = added.reduce((sum, each) => sum + each.length, items.length)
    if (!fits(length)) return CUT
    spend(length)
    store(length * ITEM_BYTES)
    return listOf([...items, ...added.flat(1)])
  },
  has: ({ items }, [item]) => placeIn(items, item) !== -1,
  values: (list) => list,
  '@@iterator': (list) => list,
  next({ items, any }) {
    const cells = new Map<string, Value>([
      ['done', any === undefined ? items.length === 0 : UNKNOWN],
      ['value', items.shift()],
    ])
    return recordOf(cells)
  },
  indexOf: ({ items }, [item]) => placeIn(items, item),
  includes: ({ items }, [item]) => placeIn(items, item) !== -1,
  fill(list, [value]) {
    list.items.fill(value)
    return list
  },
  set(list, [source, from]) {
    const added = isComposite(source) && source.kind === 'list' ? source.items : []
    const at = numberOf(from) || 0
    // A typed list does not grow.
    if (!Number.isInteger(at) || at < 0 || at + added.length > list.items.length) return undefined
    spend(added.length)
    for (let i = 0; i < added.length; i++) list.items[at + i] = added[i]
    return undefined
  },
  map: (list, [callee], invoke) => {
    const results = list.items.map((item, i) => invoke(callee, [item, i]))
    return listLike(list, copied(results))
  },
  forEach({ items }, [callee], invoke) {
    for (const [i, item] of items.entries()) invoke(callee, [item, i])
    return undefined
  },
  filter: ({ items }, [callee], invoke) =>
    listOf(copied(items.filter((item, i) => truthOf(invoke(callee, [item, i])) !== false))),
  flat: ({ items }, [depth]) => flattened(items, depth === undefined ? 1 : numberOf(depth)),
  flatMap: ({ items }, [callee], invoke) =>
    flattened(
      items.map((item, i) => invoke(callee, [item, i])),
      1,
    ),
  reduce: ({ items }, args, invoke) => reduced(items, args, invoke),
  reduceRight: ({ items }, args, invoke) => reduced(copied([...items].reverse()), args, invoke),
  find: (list, [callee], invoke) => foundIn(list.items, callee, invoke),
  findLast: (list, [callee], invoke) => foundIn(copied([...list.items].reverse()), callee, invoke),
  findIndex: ({ items }, [callee], invoke) =>
    firstPlace(items, (item, i) => truthOf(invoke(callee, [item, i]))) ?? CUT_NUMBER,
  some({ items }, [callee], invoke) {
    const at = firstPlace(items, (item, i) => truthOf(invoke(callee, [item, i])))
    return at === null ? UNKNOWN : at !== -1
  },
  every({ items }, [callee], invoke) {
    const at = firstPlace(items, (item, i) => not(truthOf(invoke(callee, [item, i]))))
    return at === null ? UNKNOWN : at === -1
  },
  lastIndexOf: ({ items }, [item]) => placeIn(items, item, true),
  keys: ({ items }) => listOf(copied(items.map((_, i) => i))),
  entries: ({ items }) => listOf(copied(items.map((item, i) => listOf([i, item])))),
  sort(list, [callee], invoke) {
    if (callee !== undefined) return sortedBy(list, (left, right) => invoke(callee, [left, right]))
    // Known items in another order may be a text that is hidden.
    if (list.items.some(isComposite)) return UNKNOWN
    if (!list.items.every((item) => typeof item === 'string')) return inAnyOrder(list)
    spend(list.items.reduce((sum, item) => sum + textLength(item), 0) * Math.log2(list.items.length + 2) * SORT_WORK)
    list.items.sort()
    return list
  },
}

/** Compares whole texts with each other if they are as long. */
function placeIn(items: readonly Value[], item: Value, isLast = false): number {
  if (typeof item === 'string') {
    let count = 0
    for (const each of items) if (typeof each === 'string' && each.length === item.length) count++
    spend((count * item.length) / COMPARED)
  }
  return isLast ? items.lastIndexOf(item) : items.indexOf(item)
}

/** Characters that are compared for a unit of work. */
const COMPARED = 8

function reduced(items: readonly Value[], [callee, start]: readonly Value[], invoke: Invoke): Value {
  let sum = start === undefined ? items[0] : start
  for (let i = start === undefined ? 1 : 0; i < items.length; i++) sum = invoke(callee, [sum, items[i], i])
  return sum
}

const not = (truth: boolean | null): boolean | null => (truth === null ? null : !truth)

/** Of the first item that fits, -1 if none does. null: not known; then all have been tried. */
function firstPlace(items: readonly Value[], fits: (item: Value, at: number) => boolean | null): number | null {
  let isKnown = true
  for (const [i, item] of items.entries()) {
    const truth = fits(item, i)
    if (truth === true && isKnown) return i
    if (truth === null) isKnown = false
  }
  return isKnown ? -1 : null
}

function foundIn(items: readonly Value[], callee: Value, invoke: Invoke): Value {
  const at = firstPlace(items, (item, i) => truthOf(invoke(callee, [item, i])))
  if (at !== null) return items[at]
  return items.length > FOUND_MAX ? CUT : joinValues([undefined, ...items])
}

/** Items of which one is found, and it is not known which. */
const FOUND_MAX = 200

/** A name, a number, or an item of a list, whose number may be unknown. */
const ARGUMENT = new RegExp(`^[\\w$]{1,30}(?:\\[(?:\\d{1,4}|${GAP})\\]|${GAP})?$`)

/** Whether values are names of arguments that are put between commas. */
export function areArguments(values: Value, separator: Value): boolean {
  if (separator !== ',' && separator !== undefined) return false
  return alternativesOf(values).every((value) => {
    if (isUnknown(value)) return !isLossy(value) && value.several === undefined && ARGUMENT.test(value.text ?? 'a')
    return isMissing(value) || (typeof value === 'string' && ARGUMENT.test(value))
  })
}

/**
 * Names of arguments with commas between them, of a list whose length is not known: `a[0],a[1]`. null: something else.
 */
function argumentsIn({ items, any }: ListValue, separator: Value): Value {
  if (!items.some(isAlternatives) || !areArguments(any, separator)) return null
  spend(items.length * JOINED_WORK)
  if (!items.every((item) => areArguments(item, separator))) return null
  const names = items.map((item) => alternativesOf(item).find((each) => typeof each === 'string'))
  const firsts = names.slice(0, NAMES_MAX).map((_, i) => names.slice(0, i + 1).join(','))
  return joinValues(['', ...firsts, LISTED])
}

const JOINED_WORK = 500
/** Lists of names that are kept separate. */
const NAMES_MAX = 4

/** Items that are sorted by a function. */
export const SORTED_MAX = 2_000

/** Which item is where is not known any more. */
function inAnyOrder(list: ListValue): Value {
  list.any = CUT
  return CUT
}

/** The items in the order that a function says, if it always knows. */
function sortedBy(list: ListValue, compare: (left: Value, right: Value) => Value): Value {
  if (list.items.length > SORTED_MAX) return inAnyOrder(list)
  let isKnown = true
  const sorted = [...list.items].sort((left, right) => {
    const order = isKnown ? compare(left, right) : 0
    if (isComposite(order)) isKnown = false
    return isKnown ? numberOf(order) : 0
  })
  if (!isKnown) return inAnyOrder(list)
  list.items = copied(sorted)
  return list
}

const SORT_WORK = 8

/** The items of lists in the list, down to a depth. */
function flattened(items: readonly Value[], depth: number): Value {
  if (!(depth >= 1)) return listOf(copied([...items]))
  const flat: Value[] = []
  for (const item of items) {
    const inner = isComposite(item) && item.kind === 'list' ? item.items : [item]
    if (!fits(flat.length + inner.length)) return CUT
    spend(inner.length)
    store(inner.length * ITEM_BYTES)
    for (const each of inner) flat.push(each)
  }
  const isFlat = !flat.some((item) => isComposite(item) && item.kind === 'list')
  return isFlat ? listOf(flat) : flattened(flat, Math.min(depth, FLAT_DEPTH_MAX) - 1)
}

/** Lists in lists whose items are taken out. */
const FLAT_DEPTH_MAX = 10

function textLength(item: Value): number {
  return 1 + (typeof item === 'string' ? item.length : 0)
}

function clamped(at: number, length: number): number {
  return at < 0 ? Math.max(0, length + at) : Math.min(at, length)
}

/** A list is copied at most twice for the work that the caller charged. */
function copied(items: Value[]): Value[] {
  store(items.length * ITEM_BYTES)
  return items
}
