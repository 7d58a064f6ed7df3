/** The state of an evaluated program, with its limits. */

import { charge, keep } from '#inspect/core/work.ts'
import { TEXT_MAX } from './functions.ts'
import type { Program } from './program.ts'
import type { Statement } from './syntax.ts'
import { isArray, type Value } from './values.ts'

/** A call whose arguments decide what the program does. */
export interface RecordedCall {
  /** In lower case; for functions of libraries, their name in the library. An assigned property ends with `=`. */
  name: string
  /** Class of the object, or the library. */
  on: string
  args: readonly Value[]
  /** The procedure that calls. */
  by: string
}

/** Statements and expressions that are evaluated in one program, and for one entry point. */
export const STEPS_MAX = 3_000_000
export const STEPS_PER_ENTRY_MAX = 1_000_000
/** Characters that all evaluated texts may add up to. */
export const CHARACTERS_MAX = 20_000_000
/** Calls that are recorded. */
export const RECORDED_MAX = 2_000
/** Variables, properties and parameters. */
const VARIABLES_MAX = 200_000

const STEP_WORK = 60
const CHARACTER_WORK = 3
export const VALUE_BYTES = 150

/** Ends the evaluation of one entry point. */
export class OutOfSteps extends Error {}

export interface State {
  program: Program
  globals: Map<string, Value>
  isTelling: (name: string) => boolean
  /** Runs the statements of a procedure. */
  runBlock: (statements: readonly Statement[], frame: Frame) => Signal
  recorded: RecordedCall[]
  /** Procedures that were evaluated. */
  visited: Set<string>
  /** Texts that the program runs as code. */
  codeTexts: string[]
  /** A limit ended the evaluation. */
  incomplete: boolean
  steps: number
  entrySteps: number
  characters: number
  variables: number
  depth: number
}

/** One call of a procedure. */
export interface Frame {
  state: State
  locals: Map<string, Value>
  withObjects: Value[]
  procedure: string
  /** Inside branches that may not be taken. */
  doubts: number
}

export type Signal = 'loop' | 'procedure' | undefined

export function step(state: State): void {
  charge(STEP_WORK)
  if (++state.steps > STEPS_MAX || ++state.entrySteps > STEPS_PER_ENTRY_MAX) throw new OutOfSteps()
}

/** Charges for texts that are read or created. */
export function spend(state: State, length: number): void {
  charge(length * CHARACTER_WORK)
  state.characters += length
  if (state.characters > CHARACTERS_MAX) throw new OutOfSteps()
}

export function spendAll(state: State, values: readonly Value[]): void {
  let length = 0
  for (const value of values) length += lengthOf(value)
  spend(state, length)
}

export function lengthOf(value: Value): number {
  if (typeof value === 'string') return value.length
  return isArray(value) ? value.items.length : 1
}

export function store(state: State, map: Map<string, Value>, name: string, value: Value): void {
  if (!map.has(name)) {
    keep(VALUE_BYTES)
    if (++state.variables > VARIABLES_MAX) throw new OutOfSteps()
  }
  map.set(name, typeof value === 'string' && value.length > TEXT_MAX ? undefined : value)
}

/** These run a text as a program. */
const TEXT_RUNNERS: ReadonlySet<string> = new Set(['execute', 'executeglobal', 'eval', 'executestatement', 'addcode'])

export function record({ state, procedure }: Frame, name: string, on: string, args: readonly Value[]): void {
  if (!state.isTelling(name) && !state.program.imports.has(name) && on === '') return
  if (!state.isTelling(name) && !on.includes('.')) return
  if (state.recorded.length >= RECORDED_MAX) {
    state.incomplete = true
    return
  }
  keep(VALUE_BYTES * (1 + args.length))
  state.recorded.push({ name, on, args, by: procedure })
  if (TEXT_RUNNERS.has(name) && typeof args[0] === 'string') state.codeTexts.push(args[0])
}
