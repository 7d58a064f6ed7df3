/** Assigns values to variables, members and patterns of them. */

import { itemsOf } from './functions.ts'
import { isGlobal, member, memberName } from './lookup.ts'
import { type Machine, scopeOf } from './machine.ts'
import { ANY, assignItem } from './members.ts'
import type { Node } from './syntax.ts'
import { alternativesOf, isAlternatives, isComposite, join, textOf, UNKNOWN, type Value } from './values.ts'

/** Variables of the page whose assignment has an effect. */
const GLOBAL_TARGETS = new Set(['location', 'onload', 'onclick', 'name'])

export function declare({ journal, scope }: Machine, name: string, value: Value): void {
  journal.set(scope, name, value)
}

export function assign(machine: Machine, target: Node, value: Value): void {
  if (target.kind === 'name') assignName(machine, target.name, value)
  if (target.kind === 'member')
    assignMember(machine, machine.evaluate(target.owner), machine.evaluate(target.key), value)
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

function withDefault(machine: Machine, value: Value, otherwise: Node): Value {
  if (value === undefined) return machine.evaluate(otherwise)
  const isOpen = alternativesOf(value).some((each) => each === undefined)
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
      put(each, key.kind === 'constant' ? member(machine, value, key.value) : UNKNOWN)
    return
  }
  const items = isAlternatives(value) ? null : itemsOf(value)
  for (const [i, each] of target.items.entries()) put(each, items === null ? member(machine, value, i) : items[i])
}

function assignName(machine: Machine, name: string, value: Value): void {
  const { root, journal, recorder } = machine
  const owner = scopeOf(machine, name) ?? root
  journal.set(owner, name, value)
  if (owner === root && GLOBAL_TARGETS.has(name)) recorder.assign(name, value, machine.isReached)
}

function assignMember(machine: Machine, owner: Value, key: Value, value: Value): void {
  const owners = alternativesOf(owner)
  const keys = alternativesOf(key)
  const isCertain = owners.length === 1 && keys.length === 1
  for (const one of owners) for (const each of keys) assignOne(machine, one, each, value, isCertain)
}

function assignOne(machine: Machine, owner: Value, key: Value, given: Value, isCertain: boolean): void {
  const { journal, recorder } = machine
  const name = textOf(key)
  if (!isComposite(owner)) return
  const value = isCertain ? given : join(member(machine, owner, key), given)
  if (owner.kind === 'record')
    journal.set(owner, name ?? ANY, name === null ? join(given, owner.cells.get(ANY)) : value)
  if (owner.kind === 'list') {
    journal.touch(owner)
    assignItem(owner, name, value)
  }
  if (owner.kind !== 'unknown' || name === null) return
  const path = memberName(owner.name, name)
  const known = isGlobal(owner.name) ? scopeOf(machine, name) : null
  if (known !== null) journal.set(known, name, value)
  else journal.set(machine.properties, path, value)
  recorder.assign(path, given, machine.isReached)
}
