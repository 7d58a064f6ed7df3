/** Values of scripts as they are recorded. */

import { charge, keep } from '#inspect/core/work.ts'
import { spend } from './budget.ts'
import { isAlternatives, isComposite, isLossy, numberOf, type Value } from './values.ts'

/** A value as far as it is known. */
export type Folded =
  | { kind: 'constant'; value: string | number | boolean | null | undefined }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'list'; items: readonly Folded[] }
  | { kind: 'record'; entries: ReadonlyMap<string, Folded> }
  /** `text`: its known parts, with `GAP` for the others. `isCut`: a limit was reached before it was known. */
  | { kind: 'unknown'; name: string; text: string | null; isCut: boolean }

/** Items of a list, and lists within each other. */
export const ITEMS_MAX = 200
const DEPTH_MAX = 4
/** A shorter list of small numbers is no data. */
const BYTES_MIN = 16

/** Values in one value that are recorded. Objects may hold each other, so that they are far more than the script made. */
export const FOLDED_MAX = 1_000
const FOLDED_WORK = 200

export function folded(value: Value, depth = 0, left = { count: FOLDED_MAX }): Folded {
  spend(FOLDED_WORK)
  left.count -= 1
  if (!isComposite(value)) return { kind: 'constant', value }
  if (value.kind === 'unknown')
    return { kind: 'unknown', name: value.name, text: value.text ?? null, isCut: value.isCut ?? false }
  if (isAlternatives(value)) return { kind: 'list', items: foldedAll(value.values, depth + 1, left) }
  if (depth > DEPTH_MAX || (value.kind !== 'list' && value.kind !== 'record'))
    return { kind: 'unknown', name: value.kind === 'function' ? 'function' : '', text: null, isCut: false }
  if (value.kind === 'record') return { kind: 'record', entries: foldedCells(value.cells, depth + 1, left) }
  if (isLossy(value.any)) return { kind: 'unknown', name: '', text: null, isCut: true }
  const bytes = value.isTyped || value.items.length >= BYTES_MIN ? bytesOf(value.items) : null
  return bytes === null ? { kind: 'list', items: foldedAll(value.items, depth + 1, left) } : { kind: 'bytes', bytes }
}

/** Stands for all that are left out. */
const REST: Folded = { kind: 'unknown', name: '', text: null, isCut: true }

function foldedAll(values: readonly Value[], depth: number, left: { count: number }): Folded[] {
  const found: Folded[] = []
  for (let i = 0; i < Math.min(values.length, ITEMS_MAX); i++) {
    if (left.count <= 0) {
      found.push(REST)
      break
    }
    found.push(folded(values[i], depth, left))
  }
  return found
}

function foldedCells(cells: ReadonlyMap<string, Value>, depth: number, left: { count: number }): Map<string, Folded> {
  const found = new Map<string, Folded>()
  for (const [key, value] of cells) {
    if (found.size === ITEMS_MAX) break
    if (left.count <= 0) {
      found.set(key, REST)
      break
    }
    found.set(key, folded(value, depth, left))
  }
  return found
}

/** null: other than bytes. */
function bytesOf(items: readonly Value[]): Uint8Array | null {
  charge(items.length * 4)
  if (!items.every((item) => typeof item === 'number' && item >= -128 && item <= 255)) return null
  keep(items.length)
  return Uint8Array.from(items, numberOf)
}

/** Whether a limit was reached before the value was known, or a part of it. */
export function isCut(value: Folded | undefined): boolean {
  if (value === undefined) return false
  if (value.kind === 'list') return value.items.some(isCut)
  if (value.kind === 'record') return [...value.entries.values()].some(isCut)
  return value.kind === 'unknown' && value.isCut
}

/** Every constant or partly known text in values, such as the arguments of a call. */
export function textsIn(values: Iterable<Folded>): string[] {
  const texts: string[] = []
  for (const value of values) {
    if (value.kind === 'constant' && typeof value.value === 'string') texts.push(value.value)
    if (value.kind === 'unknown' && value.text !== null) texts.push(value.text)
    if (value.kind === 'list') texts.push(...textsIn(value.items))
    if (value.kind === 'record') texts.push(...textsIn(value.entries.values()))
  }
  return texts
}
