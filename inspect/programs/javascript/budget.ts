/** What the evaluation of one script may take: work, and memory that its values need. */

import { charge, keep } from '#inspect/core/work.ts'

export interface Allowance {
  work: number
  bytes: number
  /** Units that the document is charged for each. */
  rate?: number
  /** Work that data of the document may add. */
  more?: number
}

/** One operation would take too much. Its result is unknown, and the evaluation goes on. */
export class TooMuch extends Error {}
/** Nothing is left. The evaluation ends. */
class OutOfBudget extends Error {}
// Made once, because the stack of an error takes long.
const TOO_MUCH = new TooMuch()
const OUT_OF_BUDGET = new OutOfBudget()
/** What it takes to refuse an operation. */
const REFUSAL_WORK = 3_000

/** Work of one operation, such as a search in a text. */
export const OPERATION_WORK_MAX = 60_000_000

/** Memory of an operation that the evaluation can do without. */
const LARGE_BYTES = 100_000

let workLeft = Number.POSITIVE_INFINITY
let bytesLeft = Number.POSITIVE_INFINITY
let rate = 1
let moreLeft = 0
let granted = 0
/** Lengths of texts that were joined and not yet read, with their number. */
let ropes = new Map<number, number>()

/** Charges work before it is done. */
export function spend(units: number): void {
  if (units > OPERATION_WORK_MAX) {
    spend(REFUSAL_WORK)
    throw TOO_MUCH
  }
  if (units > workLeft) throw OUT_OF_BUDGET
  workLeft -= units
  charge(units * rate)
}

/** Charges memory before it is used. */
export function store(bytes: number): void {
  if (bytes > bytesLeft) {
    spend(REFUSAL_WORK)
    throw bytes < LARGE_BYTES ? OUT_OF_BUDGET : TOO_MUCH
  }
  bytesLeft -= bytes
  keep(bytes)
}

/** A script that reads data of its document has as much to do as if they were in the script. false: there is no more. */
export function grant(units: number): boolean {
  const given = Math.min(units, moreLeft)
  moreLeft -= given
  granted += given
  workLeft += given
  return given > 0
}

export function remainingWork(): number {
  return workLeft
}

/** Shorter texts are read as fast as they are joined. */
const ROPE_MIN = 256
const ROPES_MAX = 100_000
/** For each character that is copied. */
const COPY_WORK = 2

/** A text was joined. The engine copies its parts when it is first read. */
export function joinedText(length: number): void {
  if (length < ROPE_MIN) return
  const count = ropes.get(length) ?? 0
  if (count === 0 && ropes.size >= ROPES_MAX) ropes = new Map()
  ropes.set(length, count + 1)
}

/** Charges for reading a character of a text: for the copy as well if the text may still be in parts. */
export function readText(length: number): void {
  if (length < ROPE_MIN) return
  const count = ropes.get(length)
  if (count === undefined) return
  spend(length * COPY_WORK)
  store(length)
  if (count === 1) ropes.delete(length)
  else ropes.set(length, count - 1)
}

/** Runs an evaluation. false: it was stopped. */
export function withAllowance({ work, bytes, ...allowance }: Allowance, run: () => void): boolean {
  const outer = { workLeft, bytesLeft, ropes, rate, moreLeft, granted }
  const given = { work: Math.min(work, workLeft), bytes: Math.min(bytes, bytesLeft) }
  workLeft = given.work
  bytesLeft = given.bytes
  ropes = new Map()
  rate = allowance.rate ?? rate
  moreLeft = allowance.more ?? 0
  granted = 0
  try {
    run()
    return true
  } catch (error) {
    if (!(error instanceof OutOfBudget || error instanceof TooMuch)) throw error
    return false
  } finally {
    // It counts for the evaluation around it as well.
    workLeft = outer.workLeft - (given.work + granted - workLeft)
    bytesLeft = outer.bytesLeft - (given.bytes - bytesLeft)
    ropes = outer.ropes
    rate = outer.rate
    moreLeft = outer.moreLeft
    granted = outer.granted
  }
}
