/** Assigns values to variables, members and patterns of them. */

import { itemsOf } from './functions.ts'
import type { Changes } from './journal.ts'
import { isGlobal, member, memberName, sharedName } from './lookup.ts'
import { type Machine, mustOwn, scopeOf } from './machine.ts'
import { ANY, assignItem, keysOrItems } from './members.ts'
import { LAST } from './patterns.ts'
import { ITEMS, type LoopNames, note } from './settled.ts'
import type { Entry, Node } from './syntax.ts'
import {
  alternativesOf,
  CUT,
  GAP,
  type Holder,
  holderOf,
  isAlternatives,
  isComposite,
  isFunction,
  isRecord,
  isUnknown,
  join,
  type ListValue,
  nameOf,
  ownOf,
  type RecordValue,
  recordOf,
  setterIn,
  UNKNOWN,
  type Unknown,
  type Value,
  withParents,
} from './values.ts'

/** Another page is opened: what is read there afterwards is the address of the old one. */
const NAVIGATION = /(?:^|\.)location(?:\.href)?$/

/** Variables of the page whose assignment has an effect. */
const GLOBAL_TARGETS = new Set(['location', 'onload', 'onclick', 'name'])

export function declare(machine: Machine, name: string, value: Value): void {
  write(machine, machine.scope, name, value)
}

/** Sets a variable or member, and remembers that for other calls. */
function write(machine: Machine, holder: Holder, key: string, value: Value): void {
  const { journal, settled, call } = machine
  mustOwn(machine, holder)
  journal.set(holder, key, value)
  if (settled !== null) note(settled, holder, key, value, call)
}

/** `name` null: not known. */
function writeItem({ journal, settled, call }: Machine, list: ListValue, name: string | null, value: Value): void {
  journal.touch(list)
  assignItem(list, name, value)
  if (settled !== null) note(settled, list, ITEMS, value, call)
}

export function assign(machine: Machine, target: Node, value: Value): void {
  if (target.kind === 'name') assignName(machine, target.name, value)
  if (target.kind === 'member') {
    const [owner, key] = [machine.evaluate(target.owner), machine.evaluate(target.key)]
    assignMember(machine, owner, key, value)
    if (target.owner.kind === 'name' && target.owner.name === 'this') shareOwn(machine, owner, key, value)
  }
  if (target.kind === 'array' || target.kind === 'object')
    spread(machine, target, value, (each, part) => assign(machine, each, part))
  if (target.kind === 'assign') assign(machine, target.target, withDefault(machine, value, target.value))
  if (target.kind === 'spread') assign(machine, target.value, value)
}

/** As `assign`, but names are variables of the current scope. */
export function bind(machine: Machine, target: Node, value: Value): void {
  if (target.kind === 'name') declare(machine, target.name, value)
  else if (target.kind === 'array' || target.kind === 'object')
    spread(machine, target, value, (each, part) => bind(machine, each, part))
  else if (target.kind === 'assign') bind(machine, target.target, withDefault(machine, value, target.value))
  else if (target.kind === 'spread') bind(machine, target.value, value)
}

/** A record that lacks a member may have it from elsewhere. */
function isMissing(value: Value): boolean {
  return isComposite(value) && value.kind === 'method' && isComposite(value.owner) && value.owner.kind === 'record'
}

function withDefault(machine: Machine, value: Value, otherwise: Node): Value {
  if (value === undefined || isMissing(value)) return machine.evaluate(otherwise)
  const isOpen = alternativesOf(value).some((each) => each === undefined || each === UNKNOWN)
  return isOpen ? join(value, machine.evaluate(otherwise)) : value
}

/** `[a, b] = value` and `{ a, b } = value` */
function spread(
  machine: Machine,
  target: Extract<Node, { kind: 'array' | 'object' }>,
  value: Value,
  put: (target: Node, value: Value) => void,
): void {
  if (target.kind === 'object') {
    for (const { key, value: each } of target.entries)
      if (each.kind === 'spread') put(each, restOf(machine, value, target.entries))
      else put(each, key.kind === 'constant' ? member(machine, value, key.value) : UNKNOWN)
    return
  }
  const items = isAlternatives(value) ? null : itemsOf(value)
  for (const [i, each] of target.items.entries()) put(each, items === null ? member(machine, value, i) : items[i])
}

/** `{ a, ...rest }`: what the others leave. */
function restOf(machine: Machine, value: Value, entries: readonly Entry[]): Value {
  if (!isRecord(value)) return UNKNOWN
  const taken = entries.map(({ key }) => (key.kind === 'constant' ? String(key.value) : ''))
  const left = keysOrItems(value, false).filter((key) => !taken.includes(nameOf(key) ?? ''))
  return recordOf(new Map(left.map((key) => [nameOf(key) ?? ANY, member(machine, value, key)])))
}

function assignName(machine: Machine, name: string, value: Value): void {
  const { root, recorder } = machine
  const owner = scopeOf(machine, name) ?? root
  write(machine, owner, name, value)
  if (owner === root && GLOBAL_TARGETS.has(name)) recorder.assign(name, value, machine.isReached)
}

export function assignMember(machine: Machine, owner: Value, key: Value, value: Value): void {
  const owners = alternativesOf(owner)
  const keys = alternativesOf(key)
  const isCertain = owners.length === 1 && keys.length === 1
  for (const one of owners) for (const each of keys) assignOne(machine, one, each, value, isCertain)
}

function assignOne(machine: Machine, owner: Value, key: Value, given: Value, isCertain: boolean): void {
  const name = nameOf(key)
  if (!isComposite(owner)) return
  if (isRecord(owner) && name !== null && callsSetter(machine, owner, name, given)) return
  const value = isCertain ? given : join(member(machine, owner, key), given)
  if (owner.kind === 'record') assignOwn(machine, owner, name, value, given)
  if (owner.kind === 'function') assignOwn(machine, ownOf(owner), name, value, given)
  if (owner.kind === 'pattern') write(machine, owner.state, name ?? LAST, name === null ? CUT : value)
  if (owner.kind === 'list') writeItem(machine, owner, name, value)
  if (owner.kind !== 'unknown') return
  if (name === null) {
    if (isGlobal(owner.name)) machine.recorder.missing(null)
    recordDoubt(machine, owner.name, key, given)
    return
  }
  assignHost(machine, owner, name, value, given)
}

/** Whether a function of the script is called with what is written. */
function callsSetter(machine: Machine, owner: RecordValue, name: string, given: Value): boolean {
  const setter = setterIn(holderOf(owner, name)?.cells.get(name))
  if (setter === undefined) return false
  machine.self = owner
  machine.runFunction(setter, [given], false)
  return true
}

/** What an object writes to itself is read by methods whose object is not known. */
function shareOwn(machine: Machine, owner: Value, key: Value, value: Value): void {
  const name = nameOf(key)
  if (name === null || !alternativesOf(owner).some(isRecord)) return
  const { properties } = machine
  const shared = sharedName(name)
  const before = properties.cells.get(shared)
  write(machine, properties, shared, before === undefined ? value : join(before, value))
}

/** A member of an object of the script. */
function assignOwn(machine: Machine, holder: RecordValue, name: string | null, value: Value, given: Value): void {
  write(machine, holder, name ?? ANY, name === null ? join(given, holder.cells.get(ANY)) : value)
  const parent = name === '__proto__' ? alternativesOf(given).findLast(isRecord) : undefined
  if (parent !== undefined && !withParents(parent).includes(holder)) holder.parent = parent
}

/** A member of an object that the script did not make. */
function assignHost(machine: Machine, owner: Unknown, name: string, value: Value, given: Value): void {
  const { recorder, deferred } = machine
  if (name.startsWith('on')) for (const each of alternativesOf(given)) if (isFunction(each)) deferred.add(each)
  const path = memberName(owner.name, name)
  const known = isGlobal(owner.name) ? scopeOf(machine, name) : null
  if (known !== null || !NAVIGATION.test(path))
    write(machine, known ?? machine.properties, known === null ? path : name, value)
  recorder.assign(path, given, machine.isReached)
}

/** A member of the page by a name in doubt may be its address. */
function recordDoubt({ recorder, isReached }: Machine, owner: string, key: Value, value: Value): void {
  if (isUnknown(key) && key.isCut && isGlobal(owner)) recorder.assign(GAP, value, isReached)
}

/** Code that runs any number of times may have written other values. */
export function widen(machine: Machine, { cells, lists }: Changes, value: Value): void {
  for (const [holder, known] of cells)
    for (const key of known.keys())
      if (holder.cells.has(key)) write(machine, holder, key, join(holder.cells.get(key), value))
  for (const list of lists.keys()) writeItem(machine, list, null, value)
}

/** Before the only turn of a loop, with what any number of turns may have written. */
export function widenNames(machine: Machine, { names, value }: LoopNames): void {
  for (const name of names) {
    const scope = scopeOf(machine, name)
    if (scope !== null) write(machine, scope, name, join(scope.cells.get(name), value))
  }
}
