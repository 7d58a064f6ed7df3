/**
 * What a script does, with its texts put together: concatenation, escapes, character codes, Base64, reversed and replaced
 * texts, loops over constants, and texts that are run as code. For PDF scripts, pages and script files alike.
 */

import { BudgetExceeded } from '#inspect/core/work.ts'
import type { Host } from './acting.ts'
import { type Allowance, withAllowance } from './budget.ts'
import { evaluateOthers, evaluateScript, settleScript } from './evaluator.ts'
import { endsEarly, endsHere, isElsewhere } from './foreign.ts'
import type { Cache, Machine, Recorder } from './machine.ts'
import type { Program } from './parser.ts'
import { createRecord, createVisible, type Script } from './record.ts'

export { FOLDED_MAX, type Folded, isCut, textsIn } from './folded.ts'
export type { Script } from './record.ts'
export { GAP } from './values.ts'

/** For the whole of a script. */
export const SCRIPT_ALLOWANCE: Allowance = { work: 250_000_000, bytes: 40_000_000 }

/** For a second evaluation after a limit, in which each function and loop runs once: all of the script is seen. */
const SURVEY_WORK = 150_000_000
const SURVEY_CHARACTER_WORK = 6_000
/** It reads and joins maps of maps, for which a unit takes longer than a nanosecond. */
export const SURVEY_RATE = 1.5

/** What was recorded so far. */
export interface Seen extends Pick<Script, 'calls' | 'names'> {
  /** Code that runs was seen to its end. Functions that nothing calls may be left. */
  isFollowed: boolean
  /** Its host refuses it, or it ends with an error. */
  isOver: boolean
}

/** A short script that takes long has functions that call each other in circles. */
const FIRST_WORK = 60_000_000
const FIRST_CHARACTER_WORK = 3_000

/** Libraries that take longer are seen as a whole. Nearly all that end take less. */
const LIBRARY_WORK = { most: 150_000_000, first: 50_000_000, character: 300 }
const SCRIPT_WORK = { most: SCRIPT_ALLOWANCE.work, first: FIRST_WORK, character: FIRST_CHARACTER_WORK }

/** What is longer is a library in the page, which ends early or not at all. */
const LONG = 10_000

function allowanceFor({ length }: string, isLibrary: boolean): Allowance {
  const { most, first, character } = isLibrary ? LIBRARY_WORK : SCRIPT_WORK
  const own = isLibrary ? length : Math.min(length, LONG)
  const work = Math.min(most, first + own * character + (length - own) * LIBRARY_WORK.character)
  return { ...SCRIPT_ALLOWANCE, work, more: most - work }
}

/** The script ends with an error before it does anything. */
class Ended extends Error {}

interface Reading {
  host: Host
  /** The source, if it was parsed before. */
  program: Program | null
  /** A file, which the host reads alone. */
  isFile: boolean
  /** The host takes it for an error as a whole. */
  isRefused: boolean
  /** A library: what objects do that it makes is of no interest. */
  isLibrary: boolean
  /** Of a reader, whose scripts are short. */
  isExact: boolean
  /** Whether calls and assignments of a name are of interest. */
  isTelling: (name: string) => boolean
}

/**
 * `values`: texts of the document that the script can read, by the name it uses, such as `getField("a").value`.
 * `matters`: whether a script that was not followed to its end can do anything of interest.
 */
export function readScript(
  source: string,
  values: ReadonlyMap<string, string> = new Map(),
  matters: (script: Seen) => boolean = () => true,
  {
    host = 'any',
    program = null,
    isFile = false,
    isRefused = false,
    isLibrary = false,
    isExact = false,
    isTelling,
  }: Partial<Reading> = {},
): Script {
  const record = createRecord(isTelling)
  const mayEnd = isFile && host === 'windows'
  const cache: Cache = {
    host,
    isDistant: isLibrary,
    isExact,
    lacks: (name) => isLibrary && mayEnd && !record.isOpen && !record.isExhausted && isElsewhere(name, cache),
    programs: new Map(program === null ? [] : [[source, program]]),
    functions: new Map(),
  }
  const survey: Allowance = {
    work: SURVEY_WORK + source.length * SURVEY_CHARACTER_WORK,
    bytes: SCRIPT_ALLOWANCE.bytes,
    rate: SURVEY_RATE,
  }
  let isStopped = false
  let isJoined = false
  const recorder: Recorder = {
    ...record.recorder,
    missing(name) {
      const isNew = name !== null && !record.missing.has(name)
      record.recorder.missing(name)
      if (!mayEnd || !isNew || !endsHere(source, name, record, cache)) return
      if (!matters({ ...record, isFollowed: true, isOver: true })) throw new Ended()
    },
  }
  try {
    let machine: Machine | null = null
    withAllowance(allowanceFor(source, isLibrary), () => {
      machine = evaluateScript(source, recorder, values, cache)
    })
    // Calls that were left out may write what the calls and conditions after them read.
    const isFollowed = machine !== null && !record.isExhausted
    const isOver = isRefused || (mayEnd && endsEarly(source, record, cache))
    // What nothing called before the end is never called.
    const isIdle = isOver && !matters({ ...record, isFollowed, isOver })
    const isEnd = isIdle || (machine !== null && evaluateOthers(machine, source))
    if (!isIdle && (!isEnd || record.isExhausted) && matters({ ...record, isFollowed, isOver })) {
      record.isExhausted = false
      isJoined = true
      const isSeen = withAllowance(survey, () => settleScript(source, record.recorder, values, cache))
      isStopped = !isSeen || record.isExhausted
    }
  } catch (error) {
    if (error instanceof BudgetExceeded) throw error
    isStopped = !(error instanceof Ended)
    record.isComplete &&= !isStopped
  }
  const { calls, assignments, names, isComplete } = record
  const isVisible = createVisible(source)
  const evaluated = record.evaluated.map((each) => ({ ...each, isBuilt: !isVisible(each.text) }))
  return { calls, assignments, names, evaluated, isComplete, isStopped, isJoined }
}
