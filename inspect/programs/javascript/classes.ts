/** Objects that functions and classes of the script make. */

import { callBack, invoke } from './calls.ts'
import { isLackedIn, lookUp, member } from './lookup.ts'
import { alternate, type Machine, withScope } from './machine.ts'
import { ANY } from './members.ts'
import { hasFunction } from './settled.ts'
import type { ClassNode, Node } from './syntax.ts'
import { assignMember } from './targets.ts'
import {
  accessorOf,
  alternativesOf,
  CUT,
  holderOf,
  isComposite,
  isFunction,
  isRecord,
  joinValues,
  listOf,
  madeBy,
  nameOf,
  ownOf,
  type RecordValue,
  truthOf,
  UNKNOWN,
  type Value,
} from './values.ts'

/** The function that is called, and the object whose member it is. */
export function calleeOf(machine: Machine, callee: Node): { target: Value; self: Value } {
  if (isSuper(callee)) return { target: lookUp(machine, 'super'), self: lookUp(machine, 'this') }
  if (callee.kind !== 'member') return { target: machine.evaluate(callee), self: undefined }
  const owner = ownerOf(machine, callee.owner)
  const key = machine.evaluate(callee.key)
  const owners = alternativesOf(owner).filter((each) => (each ?? null) !== null)
  const isCertain = owners.length === 0 || owners.length === alternativesOf(owner).length
  // Where the object may be null, the call fails: it is none of a function without a name.
  const target = isCertain
    ? readMember(machine, owner, key)
    : joinValues([readMember(machine, joinValues(owners), key), undefined])
  if (machine.isDistant) return { target: isMade(owner) && hasFunction(target) ? UNKNOWN : target, self: undefined }
  return { target, self: isSuper(callee.owner) ? lookUp(machine, 'this') : owner }
}

/** What a getter or the handler of a `Proxy` returns, and else what the member holds. */
export function readMember(machine: Machine, owner: Value, key: Value): Value {
  const reader = isRecord(owner) ? owner.reader : undefined
  if (reader !== undefined) return invoke(machine, reader.get, [reader.target, key, owner])
  const value = member(machine, owner, key)
  const choices = alternativesOf(value)
  if (!choices.some(isGetter)) return value
  return joinValues(choices.map((each) => (isGetter(each) ? invoke(machine, each, [], owner) : each)))
}

const isGetter = (value: Value): boolean => isFunction(value) && value.isGetter === true

/** Turns of an iterator that the script wrote. */
const TURNS_MAX = 1000

/** The items that an object of the script brings by itself, and other values as they are. */
export function iterated(machine: Machine, value: Value): Value {
  const begin = isRecord(value) ? holderOf(value, ITERATOR)?.cells.get(ITERATOR) : undefined
  if (begin === undefined) return value
  const iterator = invoke(machine, begin, [], value)
  if (!isRecord(iterator)) return iterator
  const items: Value[] = []
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const result = invoke(machine, member(machine, iterator, 'next'), [], iterator)
    const done = readMember(machine, result, 'done')
    const isDone = isLackedIn(done) ? false : truthOf(done)
    if (isDone === null) return CUT
    if (isDone) return listOf(items)
    items.push(readMember(machine, result, 'value'))
  }
  return CUT
}

const ITERATOR = '@@iterator'

/** A function, or an object that one made. */
const isMade = (value: Value): boolean =>
  alternativesOf(value).some((each) => isFunction(each) || (isRecord(each) && each.parent !== undefined))

const isSuper = (node: Node): boolean => node.kind === 'name' && node.name === 'super'

/** `super.a` is a member of what the base makes. */
export function ownerOf(machine: Machine, node: Node): Value {
  const owner = machine.evaluate(node)
  return isSuper(node) ? member(machine, owner, 'prototype') : owner
}

/** `new`. What a function returns counts if it is an object. `place`: notes where an object is made. */
export function construct(machine: Machine, target: Value, args: Value[], place: (value: Value) => Value): Value {
  const choices = alternativesOf(target)
  if (choices.length > 1)
    return alternate(
      machine,
      choices.map((each) => () => construct(machine, each, args, place)),
    )
  if (!isFunction(target)) return place(invoke(machine, target, args))
  const record = place(madeBy(target))
  const result = place(invoke(machine, target, args, machine.isDistant ? undefined : record))
  return joinValues([record, ...alternativesOf(result).filter((one) => isComposite(one) && one.kind !== 'unknown')])
}

/** A constructor that only calls that of the base. */
const CALL_BASE: Node = {
  kind: 'call',
  callee: { kind: 'name', name: 'super' },
  args: [{ kind: 'spread', value: { kind: 'name', name: 'arguments' } }],
  isNew: false,
}

/** A class is a function with members. Its fields are those of one object. */
export function defineClass(machine: Machine, node: ClassNode): Value {
  return withScope(machine, node, () => {
    const { base, entries } = node
    const parent = base === null ? undefined : machine.evaluate(base)
    if (base !== null) machine.scope.cells.set('super', parent)
    const value = machine.evaluate(makerOf(node))
    if (!isFunction(value)) return value
    const own = ownOf(value)
    for (const each of alternativesOf(parent).filter(isFunction)) inherit(own, ownOf(each))
    for (const entry of entries) defineMember(machine, entry.isStatic ? own : own.cells.get('prototype'), entry)
    return value
  })
}

function makerOf(node: ClassNode): Node {
  const body = node.base === null ? [] : [CALL_BASE]
  node.maker ??= { kind: 'function', name: node.name, params: [], body, vars: [] }
  return node.maker
}

/** A class has the members of its base, and so do the objects that it makes. */
function inherit(own: RecordValue, base: RecordValue): void {
  const [made, above] = [own, base].map(({ cells }) => alternativesOf(cells.get('prototype')).findLast(isRecord))
  if (own !== base) own.parent = base
  if (made !== undefined && above !== undefined && made !== above) made.parent = above
}

/** Methods run once with values that are not known, because the host may call them. */
function defineMember(machine: Machine, holder: Value, { key, value, how }: ClassNode['entries'][number]): void {
  const method = machine.evaluate(value)
  const name = machine.evaluate(key)
  const isCalled = how === 'field' || how === 'run' || machine.isDistant
  const isKnown = how === 'value' || how === 'set'
  const given = isKnown || !isCalled ? method : invoke(machine, method, [], holder)
  if ((how === 'get' || how === 'set') && !machine.isDistant && isRecord(holder))
    holder.cells.set(nameOf(name) ?? ANY, accessorOf(given, how, holder.cells.get(nameOf(name) ?? ANY)))
  else if (how !== 'run') assignMember(machine, holder, name, given)
  if (isKnown || !isCalled) callBack(machine, method)
}
