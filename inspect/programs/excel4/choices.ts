/** Values of cells and names. Where it is not known whether one is overwritten, all that it may have are kept. */

import { charge } from '#inspect/core/work.ts'

/** `undefined` is unknown. */
export type Value = string | number | boolean | null | undefined

/** Values that a cell or name may have; the last is the one that was written last. */
interface Choice {
  options: readonly Value[]
  /** There were more. */
  isCut: boolean
}

export type Held = Value | Choice

/** Limit of values for one cell or name, and of combinations that are computed. */
export const OPTIONS_MAX = 16
const OPTION_WORK = 50

const isChoice = (held: Held): held is Choice => typeof held === 'object' && held !== null
export const optionsOf = (held: Held): readonly Value[] => (isChoice(held) ? held.options : [held])
export const isCut = (held: Held): boolean => isChoice(held) && held.isCut
/** The value that was written last. */
export const lastOf = (held: Held): Value => (isChoice(held) ? held.options.at(-1) : held)

/** All of them; those of the last one are the most likely. */
export function joinHeld(all: readonly Held[], wasCut = false): Held {
  const options: Value[] = []
  for (const value of all.flatMap(optionsOf).reverse()) {
    charge((1 + options.length) * OPTION_WORK)
    if (!options.some((each) => Object.is(each, value) || isBeginning(value, each))) options.unshift(value)
  }
  const isOver = wasCut || options.length > OPTIONS_MAX || all.some(isCut)
  const kept = options.slice(-OPTIONS_MAX)
  return kept.length === 1 && !isOver ? kept[0] : { options: kept, isCut: isOver }
}

/** A text that was built further. */
function isBeginning(value: Value, of: Value): boolean {
  if (typeof value !== 'string' || typeof of !== 'string') return false
  charge(value.length)
  return of.startsWith(value)
}

/** The results of the last values, and of each other one in turn. */
export function lift(values: readonly Held[], compute: (row: readonly Value[]) => Held): Held {
  if (!values.some(isChoice)) return compute(values as readonly Value[])
  const last = values.map(lastOf)
  const rows: (readonly Value[])[] = []
  for (const [at, held] of values.entries())
    for (const option of optionsOf(held).slice(0, -1)) {
      charge(OPTION_WORK * values.length)
      rows.push(last.with(at, option))
    }
  const kept = rows.slice(-OPTIONS_MAX)
  return joinHeld([...kept.map(compute), compute(last)], rows.length > kept.length || values.some(isCut))
}
