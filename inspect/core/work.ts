/** Counts the work and the memory of the inspection that is running, so that no document takes more than its share. */

import type { Limits } from './limits.ts'

type WorkLimits = Pick<Limits, 'workMax' | 'keptBytesMax' | 'cpuMsMax'>

/** What was charged for an inspection. */
export interface Cost {
  work: number
  keptBytes: number
}

/** Ends the inspection: the document is too complex. */
export class BudgetExceeded extends Error {}

/** Units between two readings of the CPU clock. */
const CLOCK_EVERY = 2_000_000
/** Time that charged work is expected to take. The clock cannot stop a long search once it runs. */
const MS_PER_UNIT = 0.5e-6

/** The garbage collector has threads of its own, which count as well. */
const THREADS = 2

const UNLIMITED: WorkLimits = {
  workMax: Number.POSITIVE_INFINITY,
  keptBytesMax: Number.POSITIVE_INFINITY,
  cpuMsMax: Number.POSITIVE_INFINITY,
}

// An inspection is synchronous, so that one set of counters serves the process. Loops can charge without being passed a context.
let limits = UNLIMITED
let work = 0
let keptBytes = 0
let clockAt = CLOCK_EVERY
/** CPU time when the clock was first read, which is before the first two million units of work. */
let startedAt: number | null = null
let startedAtWall = 0

/**
 * Charges work before it is done. A unit is at most a nanosecond: rather too many are charged than too few. Every loop
 * whose length a document determines charges.
 */
export function charge(units: number): void {
  work += units
  if (work > limits.workMax) throw new BudgetExceeded()
  if (work < clockAt) return
  clockAt = work + CLOCK_EVERY
  // The CPU clock is slow to read: a small document ends before this.
  if (startedAt === null) {
    startedAt = cpuMs()
    startedAtWall = performance.now()
  }
  const expectedMs = units * MS_PER_UNIT
  // The CPU clock cannot be past its limit before the wall clock is.
  if ((performance.now() - startedAtWall) * THREADS + expectedMs < limits.cpuMsMax) return
  if (cpuMs() - startedAt + expectedMs > limits.cpuMsMax) throw new BudgetExceeded()
}

/** Charges memory on the heap before it is used. It is not returned before the end of the inspection. */
export function keep(bytes: number): void {
  keptBytes += bytes
  if (keptBytes > limits.keptBytesMax) throw new BudgetExceeded()
}

/** Runs an inspection. `exceeded`: it was stopped. */
export function withinBudget(given: WorkLimits, run: () => void): Cost & { exceeded: boolean } {
  limits = given
  work = 0
  keptBytes = 0
  clockAt = CLOCK_EVERY
  startedAt = null
  let exceeded = false
  try {
    run()
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error
    exceeded = true
  } finally {
    limits = UNLIMITED
  }
  return { exceeded, work, keptBytes }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
