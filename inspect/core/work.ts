/** Counts the work and the memory of the inspection that is running, so that no document takes more than its share. */

import type { Limits } from './limits.ts'

type WorkLimits = Pick<Limits, 'workMax' | 'keptBytesMax'>

/** Work and memory charged for an inspection. */
export interface Cost {
  work: number
  /** The most at any time. */
  keptBytes: number
}

/** Ends the inspection: the document is too complex. */
export class BudgetExceeded extends Error {}

const UNLIMITED: WorkLimits = { workMax: Number.POSITIVE_INFINITY, keptBytesMax: Number.POSITIVE_INFINITY }

// An inspection is synchronous, so that one set of counters serves the process. Loops can charge without being passed a context.
let limits = UNLIMITED
let work = 0
let keptBytes = 0
/** Of these, what is kept to the end of the inspection. */
let heldBytes = 0
let peakBytes = 0

/**
 * Charges work before it is done. A unit is about a nanosecond: rather too many are charged than too few. Every loop whose
 * length a document determines charges. No clock is read: the same document must get the same verdict on every machine.
 */
export function charge(units: number): void {
  work += units
  // What is no number would end all limits.
  if (!(work <= limits.workMax)) throw new BudgetExceeded()
}

/** Runs something that has a limit of its own: its work is charged, but takes nothing from what the document may cost otherwise. */
export function apart<T>(unitsMax: number, run: () => T): T {
  const [before, given] = [work, limits]
  limits = { ...given, workMax: given.workMax + unitsMax }
  try {
    return run()
  } finally {
    limits = { ...given, workMax: given.workMax + work - before }
  }
}

/** Work charged for the inspection so far. */
export function spent(): number {
  return work
}

/** Charges memory on the heap before it is used. It counts until the item that needs it was inspected. */
export function keep(bytes: number): void {
  keptBytes += bytes
  if (keptBytes > peakBytes) peakBytes = keptBytes
  if (keptBytes > limits.keptBytesMax) throw new BudgetExceeded()
}

/** The same for what stays to the end of the inspection, such as facts. */
export function hold(bytes: number): void {
  heldBytes += bytes
  keep(bytes)
}

/** Returns what was kept meanwhile, unless `isNeeded`: something that was made is still in use. */
export function returnKept(run: () => void, isNeeded: () => boolean): void {
  const before = keptBytes - heldBytes
  run()
  if (!isNeeded()) keptBytes = before + heldBytes
}

/** Runs an inspection. `exceeded`: it was stopped. */
export function withinBudget(given: WorkLimits, run: () => void): Cost & { exceeded: boolean } {
  limits = given
  work = 0
  keptBytes = 0
  heldBytes = 0
  peakBytes = 0
  let exceeded = false
  try {
    run()
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error
    exceeded = true
  } finally {
    limits = UNLIMITED
  }
  return { exceeded, work, keptBytes: peakBytes }
}
