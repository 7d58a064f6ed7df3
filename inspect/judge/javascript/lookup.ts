/** Values of names and members. */

import { spend } from './budget.ts'
import { type Machine, scopeOf } from './machine.ts'
import { memberOfKnown } from './members.ts'
import { CUT, isAlternatives, isComposite, isUnknown, join, named, textOf, type Value } from './values.ts'

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

export function lookUp(machine: Machine, name: string): Value {
  return doubted(machine, heldIn(machine, name))
}

/** Functions stay known, because what they do is seen once. */
function doubted({ isDoubtful }: Machine, value: Value): Value {
  if (!isDoubtful || value === CUT) return value
  const isData = !isComposite(value) || ['list', 'record', 'alternatives'].includes(value.kind)
  return isData ? join(value, CUT) : value
}

function heldIn(machine: Machine, name: string): Value {
  const owner = scopeOf(machine, name)
  if (owner !== null) return owner.cells.get(name)
  const { cells } = machine.properties
  return cells.has(name) ? cells.get(name) : named(name)
}

export function member(machine: Machine, owner: Value, key: Value): Value {
  if (isAlternatives(owner)) return join(...owner.values.map((each) => member(machine, each, key)))
  if (isAlternatives(key)) return join(...key.values.map((each) => member(machine, owner, each)))
  const name = textOf(key)
  if (name !== null) spend(name.length)
  if (!isUnknown(owner)) return doubted(machine, memberOfKnown(owner, name))
  if (name === null) return named(owner.name === '' ? '' : `${owner.name}.`)
  return memberOfUnknown(machine, owner.name, name)
}

function memberOfUnknown(machine: Machine, owner: string, name: string): Value {
  if (isGlobal(owner)) return lookUp(machine, name)
  const path = memberName(owner, name)
  const { cells } = machine.properties
  return cells.has(path) ? cells.get(path) : named(path)
}
