/** Calls functions of the language. What they read is charged here, so that none can forget it. */

import { readText, spend, TooMuch } from './budget.ts'
import { FUNCTIONS, STORING } from './functions.ts'
import { INDEXED_LIST_METHODS, LIST_METHODS } from './list-methods.ts'
import { OBJECT_FUNCTIONS } from './objects.ts'
import { INDEXED_TEXT_METHODS, TEXT_METHODS } from './text-methods.ts'
import {
  CUT,
  combine,
  type Invoke,
  isComposite,
  isLossy,
  isUnknown,
  join,
  type ListValue,
  UNKNOWN,
  type Value,
} from './values.ts'

const CALL_WORK = 600
const CHARACTER_WORK = 4
const ITEM_WORK = 30

/** What it takes to read a value once. */
function workOf(value: Value): number {
  if (typeof value === 'string') return value.length * CHARACTER_WORK
  return isComposite(value) && value.kind === 'list' ? value.items.length * ITEM_WORK : 0
}

function spendFor(values: readonly Value[]): void {
  let work = CALL_WORK
  for (const value of values) work += workOf(value)
  spend(work)
}

/** An operation past its limit has an unknown result. */
function limited(compute: () => Value): Value {
  try {
    return compute()
  } catch (error) {
    if (error instanceof TooMuch) return CUT
    throw error
  }
}

/** What is made of a value in doubt is in doubt. */
function inDoubt(result: Value, sources: readonly Value[]): Value {
  if (!isUnknown(result) || result.isCut || !sources.some(isDoubtful)) return result
  return { ...result, isCut: true }
}

function isDoubtful(value: Value): boolean {
  return (
    isLossy(value) || (isComposite(value) && value.kind === 'list' && (value.items.some(isLossy) || isLossy(value.any)))
  )
}

/** undefined: the language has no such function. */
export function callFunction(name: string, args: Value[], invoke: Invoke): { value: Value } | undefined {
  const call = FUNCTIONS.get(name) ?? OBJECT_FUNCTIONS.get(name)
  if (call === undefined) return undefined
  const value = limited(() => {
    spendFor(args)
    if (STORING.test(name)) return call(args, invoke)
    return combine(args, (each) => call([...each], invoke))
  })
  return { value: inDoubt(value, args) }
}

export function callTextMethod(text: string, name: string, args: Value[], invoke: Invoke): Value {
  return limited(() => {
    const isIndexed = Object.hasOwn(INDEXED_TEXT_METHODS, name)
    if (!isIndexed && !Object.hasOwn(TEXT_METHODS, name)) return UNKNOWN
    if (isIndexed) readText(text.length)
    spendFor(isIndexed ? args : [text, ...args])
    const method = isIndexed ? INDEXED_TEXT_METHODS[name] : TEXT_METHODS[name]
    return combine(args, (each) => (each.some(isOpenFor(name)) ? unknownFor(each) : method?.(text, each, invoke)))
  })
}

/** What is joined or put in may be unknown: the rest of the text is not. */
const isOpenFor =
  (name: string) =>
  (value: Value, at: number): boolean =>
    isUnknown(value) && !(at === 1 && name.startsWith('replace')) && name !== 'concat'

function unknownFor(args: readonly Value[]): Value {
  return args.some(isLossy) ? CUT : UNKNOWN
}

export function callListMethod(list: ListValue, name: string, args: Value[], invoke: Invoke): Value {
  return limited(() => {
    const isIndexed = Object.hasOwn(INDEXED_LIST_METHODS, name)
    if (!isIndexed && !Object.hasOwn(LIST_METHODS, name)) return UNKNOWN
    spendFor(isIndexed ? [] : [list, ...args])
    const made = (isIndexed ? INDEXED_LIST_METHODS : LIST_METHODS)[name]?.(list, args, invoke)
    const value = isIndexed ? made : inDoubt(made, [list])
    // Items at unknown places could be anywhere.
    return list.any !== undefined && typeof value === 'string' ? join(value, UNKNOWN) : value
  })
}
