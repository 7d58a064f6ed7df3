/** Tells whether a function that the host calls does what another one has done. */

import { spend } from './budget.ts'
import type { Changes } from './journal.ts'
import {
  alternativesOf,
  type FunctionValue,
  isAlternatives,
  isComposite,
  isSame,
  type Scope,
  type Value,
} from './values.ts'

const COMPARED_WORK = 60
/** Functions and objects within each other. What is deeper counts as different. */
const DEPTH_MAX = 4

/** The same code, with the same values around it. */
export function areAlike(left: FunctionValue, right: FunctionValue, depth = 0): boolean {
  if (left.node !== right.node || depth > DEPTH_MAX) return false
  if (left.self !== right.self && !isAlike(left.self, right.self, depth + 1)) return false
  let [one, other]: [Scope | null, Scope | null] = [left.scope, right.scope]
  while (one !== other) {
    if (one === null || other === null || one.site !== other.site) return false
    if (!areAlikeCells(one.cells, other.cells, depth + 1)) return false
    one = one.outer
    other = other.outer
  }
  return true
}

function areAlikeCells(left: ReadonlyMap<string, Value>, right: ReadonlyMap<string, Value>, depth: number): boolean {
  if (left.size !== right.size) return false
  for (const [key, value] of left) if (!right.has(key) || !isAlike(value, right.get(key), depth)) return false
  return true
}

function isAlike(left: Value, right: Value, depth: number): boolean {
  spend(COMPARED_WORK)
  if (isSame(left, right)) return true
  if (!isComposite(left) || !isComposite(right) || depth > DEPTH_MAX) return false
  if (left.kind === 'function' && right.kind === 'function') return areAlike(left, right, depth + 1)
  if (left.kind === 'record' && right.kind === 'record')
    return left.parent === right.parent && areAlikeCells(left.cells, right.cells, depth + 1)
  if (left.kind === 'list' && right.kind === 'list')
    return isAlike(left.any, right.any, depth + 1) && areAlikeItems(left.items, right.items, depth + 1)
  if (!isAlternatives(left) && !isAlternatives(right)) return false
  const [all, others] = [alternativesOf(left), alternativesOf(right)]
  return all.length === others.length && areAlikeItems(all, others, depth + 1)
}

function areAlikeItems(left: readonly Value[], right: readonly Value[], depth: number): boolean {
  return left.length === right.length && left.every((item, i) => isAlike(item, right[i], depth))
}

/** Whether something differs from what it was before, besides what only refers to other calls of the same function. */
export function changedSince({ cells, lists }: Changes): boolean {
  for (const [{ cells: now }, before] of cells)
    for (const [key, held] of before)
      if (now.has(key) !== (held !== null) || !isAlike(held?.value, now.get(key), 0)) return true
  for (const [list, before] of lists)
    if (!isAlike(before.any, list.any, 0) || !areAlikeItems(before.items, list.items, 0)) return true
  return false
}
