/** What is known of functions from all calls: the arguments, the result, and whether they have to run again. */

import { spend, store } from './budget.ts'
import {
  emptySummary,
  entryOf,
  firstOf,
  grow,
  HELD_BYTES,
  type Held,
  hasFunction,
  nothing,
  READ_WORK,
  read,
  reopen,
  type Settled,
  type Summary,
} from './settled.ts'
import { childrenOf, type FunctionNode, type Node } from './syntax.ts'
import { type FunctionValue, UNKNOWN, type Value } from './values.ts'

/** Modules that are kept separate, and characters of their names. */
const MODULES_MAX = 1_000
const NAME_MAX = 60
/** Places of calls that are kept separate, for one function and for all. */
const PLACES_MAX = 16
const ALL_PLACES_MAX = 1_000
/** Arguments that are kept separate. */
const ARGUMENTS_MAX = 64

/**
 * Functions that are given others, such as one that calls another for each item of a list, are kept separate by the place
 * of the call: else each would get the items of all lists.
 */
function summaryOf(settled: Settled, node: FunctionNode, args: readonly Value[]): Summary {
  const { functions, site } = settled
  const known = entryOf<FunctionNode, Map<unknown, Summary>>(functions, node, () => new Map())
  const place = placeOf(node, args, site)
  const isOwn =
    known.has(place) || (known.size < (place === site ? PLACES_MAX : MODULES_MAX) && takePlace(settled, place !== node))
  const summary = entryOf(known, isOwn ? place : node, () => {
    const [order] = known.values().next().value?.order ?? [functions.size]
    const made = emptySummary(node, [order, known.size])
    reopen(settled, made)
    return made
  })
  if (isOwn && place !== node) summary.sites ??= new Map()
  return summary
}

/** false: too many calls are kept separate already. */
function takePlace(settled: Settled, isOwn: boolean): boolean {
  if (!isOwn) return true
  settled.places += 1
  return settled.places <= ALL_PLACES_MAX
}

/** Functions that load a module are kept separate by its number or name. */
function placeOf(node: FunctionNode, args: readonly Value[], site: object): unknown {
  if (args.some(hasFunction)) return site
  const [first] = args
  const isName = typeof first === 'number' || (typeof first === 'string' && first.length <= NAME_MAX)
  return isName && isLoader(node) ? first : node
}

function isLoader(node: FunctionNode): boolean {
  const [param] = node.params
  node.isLoader ??= param?.kind === 'name' && callsItem(node.body, param.name)
  return node.isLoader
}

/** `modules[name](...)` or `modules[name].call(...)` */
function callsItem(body: readonly Node[], name: string): boolean {
  return body.some((node) => {
    spend(READ_WORK)
    if (node.kind === 'call' && isItem(node.callee, name)) return true
    if (node.kind === 'function') return false
    return callsItem(childrenOf(node), name)
  })
}

function isItem(callee: Node, name: string): boolean {
  if (callee.kind !== 'member') return false
  if (callee.key.kind === 'name') return callee.key.name === name
  return callee.key.kind === 'constant' && callee.key.value === 'call' && isItem(callee.owner, name)
}

/** Functions that have to run again, in the order in which they were first called. */
export function openFunctions({ open, first }: Settled): { value: FunctionValue; summary: Summary }[] {
  spend(open.size * READ_WORK)
  const found = [...open].flatMap((summary) => {
    const value = summary.isOpen && summary.node !== null ? first.get(summary.node) : undefined
    return value?.kind === 'function' ? [{ value, summary }] : []
  })
  open.clear()
  return found.sort(
    ({ summary: { order: one } }, { summary: { order: other } }) => one[0] - other[0] || one[1] - other[1],
  )
}

/** The place at which an object is made, in the calls that are kept separate. */
export function siteOf({ running: { sites } }: Settled, node: Node): object {
  if (sites === undefined) return node
  return entryOf(sites, node, () => {
    store(HELD_BYTES)
    return {}
  })
}

/** Adds the arguments of a call to those of all others. */
export function joinArguments(
  settled: Settled,
  value: FunctionValue,
  args: readonly Value[],
  isReached: boolean,
): Summary {
  const summary = summaryOf(settled, value.node, args)
  firstOf(settled, value)
  if (isReached && !summary.isReached) {
    summary.isReached = true
    reopen(settled, summary)
  }
  if (joinAll(settled, summary.args, args, value.node.params.length)) reopen(settled, summary)
  return summary
}

/** `callee`: as the script names it. */
export function loseArguments(settled: Settled, callee: string, args: readonly Value[]): void {
  const name = callee.slice(callee.lastIndexOf('.') + 1)
  const held = settled.lost.get(name) ?? []
  settled.lost.set(name, held)
  joinAll(settled, held, args, 0)
}

/** Functions that were lost among others get the arguments of calls that may be calls of them. */
export function callLost(settled: Settled, dropped: readonly FunctionValue[]): void {
  for (const [name, held] of settled.lost) {
    const args = held.map(({ value }) => value)
    const members = settled.members.get(name)?.values() ?? []
    for (const value of name === '' ? dropped : members) joinArguments(settled, value, args, false)
  }
}

/** A call may have fewer arguments than others. Returns whether something is new. */
function joinAll(settled: Settled, held: Held[], args: readonly Value[], least: number): boolean {
  const length = Math.min(Math.max(held.length, args.length, least), ARGUMENTS_MAX)
  let isNew = false
  for (let i = 0; i < length; i++) {
    if (held[i] === undefined) store(HELD_BYTES)
    const each = held[i] ?? nothing()
    held[i] = each
    if (grow(settled, each, args[i])) isNew = true
  }
  return isNew
}

export function joinResult(settled: Settled, { result }: Summary, value: Value): Value {
  grow(settled, result, value)
  return read(settled, result)
}

/** What a call returns that is not followed again. Before the first return there is none. */
export function resultSoFar(settled: Settled, { result }: Summary): Value {
  const value = read(settled, result)
  return result.isSet ? value : UNKNOWN
}
