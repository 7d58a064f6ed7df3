/** Values of names and members. */

import { grant, spend } from './budget.ts'
import { heldMember } from './held.ts'
import { type Machine, mustOwn, scopeOf } from './machine.ts'
import { ANY, isIndex, memberOfKnown } from './members.ts'
import { anyWritten, ITEMS, othersIn, type Settled, withOthers } from './settled.ts'
import { isTextMethod } from './text-methods.ts'
import {
  CUT,
  CUT_NUMBER,
  GAP,
  isAlternatives,
  isComposite,
  isFunction,
  isLossy,
  isRecord,
  isUnknown,
  join,
  joinValues,
  named,
  nameOf,
  type RecordValue,
  UNKNOWN,
  type Unknown,
  unknownOf,
  type Value,
  withParents,
} from './values.ts'

const GLOBALS = new Set([
  ...['this', 'window', 'self', 'globalThis', 'top', 'parent', 'frames', 'document.defaultView', 'app.doc'],
])

/** The object whose members are global variables. */
export function isGlobal(name: string): boolean {
  return GLOBALS.has(name)
}

export function memberName(owner: string, name: string): string {
  return owner === '' || isGlobal(owner) ? name : `${owner}.${name}`
}

/** Names that every script has, and whose members are known. */
const LANGUAGE: ReadonlySet<string> = new Set([
  ...['String', 'Array', 'Object', 'Number', 'Boolean', 'RegExp', 'Date', 'Math', 'JSON', 'Error', 'Function'],
  ...['parseInt', 'parseFloat', 'isNaN', 'isFinite', 'escape', 'unescape', 'undefined', 'NaN', 'Infinity'],
  ...['encodeURIComponent', 'decodeURIComponent', 'encodeURI', 'decodeURI', 'arguments', 'this'],
])

export function lookUp(machine: Machine, name: string, isMember = false): Value {
  const { properties, settled, call, isProbed, cache } = machine
  const owner = scopeOf(machine, name) ?? properties
  const isKnown = owner.cells.has(name)
  if (!isKnown && !LANGUAGE.has(name)) machine.risks += 1
  if (!isKnown && !isMember && isCertain(machine)) machine.recorder.missing(name)
  const value = isKnown ? owner.cells.get(name) : isProbed && cache.lacks(name) ? undefined : named(name)
  if (owner !== properties && !isFunction(value)) mustOwn(machine, owner)
  return settled === null ? value : withOthers(settled, owner, name, value, call)
}

/** Whether the code that is read runs for sure. */
function isCertain({ doubts, tries, isReached, isProbed }: Machine): boolean {
  return isReached && !isProbed && doubts === 0 && tries === 0
}

export function member(machine: Machine, owner: Value, key: Value): Value {
  if (isAlternatives(owner)) return joinValues(owner.values.map((each) => member(machine, each, key)))
  if (isAlternatives(key)) return joinValues(key.values.map((each) => member(machine, owner, each)))
  const name = nameOf(key)
  if (name !== null) spend(name.length)
  if (mayThrow(owner)) machine.risks += 1
  if (typeof owner === 'string' && isLossy(key)) return CUT
  if (!isUnknown(owner)) return withOtherWrites(machine, owner, name, memberOfOwn(machine, owner, name))
  if (name === null && owner.name !== '' && isUnknown(key) && key.isCut) return named(memberName(owner.name, GAP))
  if (name === null) return named(owner.name === '' ? '' : `${owner.name}.`)
  const value = heldMember(owner, memberOfUnknown(machine, owner.name, name))
  return (owner.isCut || owner.isMixed) && isUnknown(value) ? unknownOf({ ...value, isCut: true }) : value
}

const mayThrow = (owner: Value): boolean =>
  owner === undefined || owner === null || (isUnknown(owner) && !LANGUAGE.has(owner.name))

/** The name of a member of all objects that functions make. */
export const sharedName = (name: string): string => `this.${name}`

/** Methods whose object is not known write to one that stands for all. */
function memberOfOwn(machine: Machine, owner: Exclude<Value, Unknown>, name: string | null): Value {
  if (typeof owner === 'string' && name !== null && isAdded(machine, name)) return memberOfUnknown(machine, ADDED, name)
  const found = memberOfKnown(owner, name, machine.isDistant)
  const value = machine.cache.isExact && isRecord(owner) && isLackedIn(found) ? undefined : found
  if (machine.isDistant || name === null || !isRecord(owner) || owner.parent === undefined || !isAbsentIn(value))
    return value
  return sharedMember(machine, name) ?? (machine.properties.cells.has(name) ? lookUp(machine, name, true) : value)
}

const ADDED = 'String.prototype'

/** Methods that the script has given to all texts. */
function isAdded({ properties, isDistant }: Machine, name: string): boolean {
  if (isDistant || isIndex(name) || name === 'length') return false
  return !isTextMethod(name) && properties.cells.has(`${ADDED}.${name}`)
}

/** undefined: no object has written to itself by this name. */
function sharedMember({ properties, settled, call }: Machine, name: string): Value {
  const shared = sharedName(name)
  const value = properties.cells.get(shared)
  return settled === null ? value : withOthers(settled, properties, shared, value, call)
}

export const isLackedIn = (value: Value): boolean =>
  isComposite(value) && value.kind === 'method' && value.isAbsent === true

const isAbsentIn = (value: Value): boolean => value === UNKNOWN || (isComposite(value) && value.kind === 'method')

/** Names by which the language asks an object what it is. */
const SYMBOLS = new Set(['iterator', 'toPrimitive'])

/** For each character of a text of the document that the script reads. It puts most of them into a table of a page. */
const DATA_WORK = 10_000

function memberOfUnknown(machine: Machine, owner: string, name: string): Value {
  if (isGlobal(owner)) {
    const shared = owner === 'this' ? sharedMember(machine, name) : undefined
    const value = lookUp(machine, name, true)
    return shared === undefined ? value : join(value, shared)
  }
  if (owner === 'Symbol' && SYMBOLS.has(name)) return `@@${name}`
  const path = memberName(owner, name)
  const { properties, settled, call } = machine
  const { length = 0 } = machine.data.get(path) ?? ''
  if (length > 0 && !machine.read.has(path) && grant(length * DATA_WORK)) machine.read.add(path)
  const value = properties.cells.has(path) ? properties.cells.get(path) : named(path)
  return settled === null ? value : withOthers(settled, properties, path, value, call)
}

/** What other calls may have written to the member. */
function withOtherWrites({ settled, call }: Machine, owner: Value, name: string | null, value: Value): Value {
  if (settled === null || !isComposite(owner)) return value
  const record = owner.kind === 'function' ? owner.own : owner
  if (isRecord(record)) return withParentWrites(settled, record, name, value, call)
  if (owner.kind !== 'list') return value
  if (name === null) return joinValues([value, ...anyWritten(settled, owner)])
  if (isIndex(name)) return withOthers(settled, owner, ITEMS, value, call)
  // Each run of a function may add items to a list that it did not make.
  return name === 'length' && othersIn(settled, owner, call) ? CUT_NUMBER : value
}

function withParentWrites(
  settled: Settled,
  owner: RecordValue,
  name: string | null,
  value: Value,
  call: number,
): Value {
  let found = value
  for (const each of withParents(owner)) {
    if (name === null) found = joinValues([found, ...anyWritten(settled, each)])
    else found = withOthers(settled, each, ANY, withOthers(settled, each, name, found, call), call)
  }
  return found
}
