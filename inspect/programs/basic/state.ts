/** The state of an evaluated program, with its limits. */

import { charge, keep } from '#inspect/core/work.ts'
import { TEXT_MAX } from './functions.ts'
import { type Memory, type Pending, write } from './memory.ts'
import type { Program, Source } from './program.ts'
import type { StoredValues } from './stored-values.ts'
import type { Statement } from './syntax.ts'
import { type BasicObject, combinationsOf, GAP, isArray, isChoice, optionsOf, toText, type Value } from './values.ts'

/** A call whose arguments decide what the program does. */
export interface RecordedCall {
  /** In lower case; for functions of libraries, their name in the library. An assigned property ends with `=`. */
  name: string
  /** Class of the object, or the library. */
  on: string
  args: readonly Value[]
  /** The procedure that calls. */
  by: string
  /** A function that the program declares. */
  isImported: boolean
  /** Depends on the answer to a question. */
  isAsked: boolean
  /** In a branch that is not taken, as far as can be told. */
  isUntaken: boolean
}

/** Limits of an evaluation: statements and expressions, and the characters of all texts. */
export interface Allowance {
  steps: number
  stepsPerEntry: number
  charactersPerEntry: number
}

/** For code that runs by itself. */
export const AUTOMATIC: Allowance = { steps: 1_200_000, stepsPerEntry: 500_000, charactersPerEntry: 10_000_000 }
/** For other code, which libraries have much of: enough for a command that is put together in one procedure. */
export const CALLED: Allowance = { steps: 40_000, stepsPerEntry: 8_000, charactersPerEntry: 500_000 }

/** For other code that does not start anything as far as can be seen. */
export const READ: Allowance = { steps: 10_000, stepsPerEntry: 2_000, charactersPerEntry: 200_000 }

/** For code that runs by itself and acts, of a program that is too large to be evaluated as a whole. */
export const CANDIDATES: Allowance = { steps: 600_000, stepsPerEntry: 30_000, charactersPerEntry: 1_000_000 }

/** For branches of code that runs by itself, which no evaluation took. */
export const UNTAKEN: Allowance = { steps: 400_000, stepsPerEntry: 40_000, charactersPerEntry: 1_000_000 }

/** Calls that are recorded. */
export const RECORDED_MAX = 2_000
/** Variables, properties and parameters. */
export const VARIABLES_MAX = 200_000

const STEP_WORK = 500
/** Loops in each other, which remember what they change. */
const PLAIN_RECORDS_MAX = 3
/** With more records, as in branches that may not be taken, each step takes longer. */
const BRANCHED_STEPS = 6
const CHARACTER_WORK = 3
const CALL_WORK = 100
export const VALUE_BYTES = 150

/** Ends the evaluation of one entry point. */
export class OutOfSteps extends Error {}

export interface State {
  program: Program
  memory: Memory
  globals: Map<string, Value>
  integers: Set<string>
  isTelling: (name: string, on?: string, args?: readonly Value[]) => boolean
  /** Runs the statements of a procedure. */
  runBlock: (statements: readonly Statement[], frame: Frame) => Signal
  /** Continues with the states in which the procedure was left. */
  endFrame: (frame: Frame) => void
  recorded: RecordedCall[]
  /** Procedures that were evaluated. */
  visited: Set<string>
  /** Texts that the program runs as code. */
  codeTexts: string[]
  /** Keys of the recorded calls, so that a loop does not fill the list. */
  known: Set<string>
  /** A limit ended the evaluation. */
  incomplete: boolean
  /** A call was not recorded, or a text was too long. */
  isOverfull: boolean
  allowance: Allowance
  /** Used since the allowance was granted, and since the last entry point. */
  steps: number
  entrySteps: number
  characters: number
  /** Iterations of one loop. */
  iterationsMax: number
  /** The last call of each procedure. */
  frames: Map<Source, Frame>
  /** Values that the document stores, and that the program writes there. */
  stored: StoredValues
  written: Map<string, Value>
  /** Texts that were read from the document. */
  readTexts: Set<string>
  /** Lines that the program writes to files. */
  lines: string[]
  /** Objects that are known by name only. */
  implicit: Map<string, BasicObject>
  /** Branches are run that were not taken. */
  isUntaken: boolean
  /** Steps of calls that may not happen, since the last entry point. */
  doubtful: Map<Source, number>
  /** Calls are not followed, and conditions are unknown. */
  isSurvey: boolean
  /** Procedures of which that is done, and how often it was. */
  surveying: Set<Source>
  surveys: Map<Source, number>
  surveySteps: number
  /** Loops within each other whose end is unknown. */
  unknownLoops: number
  /** Procedures that are running. */
  active: string[]
  /** How many objects of each class of the program were created. */
  instances: Map<string, number>
  variables: number
}

/** One call of a procedure. */
export interface Frame {
  state: State
  locals: Map<string, Value>
  /** Variables that are declared as integers. */
  integers: Set<string>
  withObjects: Value[]
  procedure: string
  /** In lower case. */
  module: string
  /** Inside branches that may not be taken. */
  doubts: number
  /** Called from such a branch. */
  isDoubtful: boolean
  /** A caller goes on after an error in it. */
  mayAbort: boolean
  /** States in which the procedure was left early. */
  exit: Pending | null
  /** The same for the loops that are running, the innermost last. */
  loops: (Pending | null)[]
  /** States that continue at a label. */
  labels: Map<string, Pending>
  /** The state in which an error is handled. */
  handler: Pending | null
  /** `On Error Resume Next`: statements that fail are skipped. */
  resumes: boolean
  /** Blocks that are running, the innermost last. */
  blocks: (readonly Statement[])[]
  /** Inside branches that an answer of the user decides. */
  questions: number
}

/** Why the rest of a block is not run. */
export type Signal = 'loop' | 'procedure' | { label: string } | undefined

export function step(state: State, count = 1): void {
  const { records, handlers } = state.memory
  const cost = records.length + handlers.length > PLAIN_RECORDS_MAX ? BRANCHED_STEPS * count : count
  charge(STEP_WORK * cost)
  const { steps, stepsPerEntry } = state.allowance
  state.steps += cost
  state.entrySteps += cost
  if (state.steps > steps || state.entrySteps > stepsPerEntry) throw new OutOfSteps()
}

/** Charges for texts that are read or created. */
export function spend(state: State, length: number): void {
  charge(length * CHARACTER_WORK)
  state.characters += length
  if (state.characters > state.allowance.charactersPerEntry) throw new OutOfSteps()
}

export function spendAll(state: State, values: readonly Value[]): void {
  let length = 0
  for (const value of values) length += lengthOf(value)
  spend(state, length)
}

/** For a function that reads these values, or has made them. */
export function chargeFor(values: readonly Value[]): void {
  let length = 0
  for (const value of values) length += lengthOf(value)
  charge(CALL_WORK + length * CHARACTER_WORK)
}

export function lengthOf(value: Value): number {
  if (typeof value === 'string') return value.length
  if (isChoice(value)) return value.options.reduce<number>((sum, option) => sum + lengthOf(option), 0)
  return isArray(value) ? value.items.length : 1
}

/** A text is past a limit, and unknown from now on. Nobody needs such texts. */
export function overflow(state: State): undefined {
  Object.assign(state, { incomplete: true, isOverfull: true })
}

export function store(state: State, map: Map<string, Value>, name: string, value: Value): void {
  if (!map.has(name)) {
    keep(VALUE_BYTES)
    if (++state.variables > VARIABLES_MAX) throw new OutOfSteps()
  }
  write(state.memory, map, name, typeof value === 'string' && value.length > TEXT_MAX ? overflow(state) : value)
}

/** These run a text as a program. */
const TEXT_RUNNERS: ReadonlySet<string> = new Set(['execute', 'executeglobal', 'eval', 'executestatement', 'addcode'])

/** Databases execute texts as well. */
const SCRIPT_OBJECT = /script|^\?$|^\ufffd/

/** `Print #1, line` and `stream.WriteLine line`. */
const LINE_WRITERS: ReadonlySet<string> = new Set(['print', 'write', 'writeline', 'writetext', 'put'])
/** Lines that are remembered. A script with more is not judged by them. */
export const LINES_MAX = 200

function addLine(args: readonly Value[], { lines }: State): void {
  for (const line of optionsOf(args.length > 1 ? args.at(-1) : args[0])) {
    const text = isArray(line) ? GAP : toText(line)
    keep(VALUE_BYTES + text.length)
    lines.push(text)
  }
}

/** Functions of libraries always matter. */
export function record(frame: Frame, name: string, on: string, args: readonly Value[], isImported = false): void {
  const { state } = frame
  if (LINE_WRITERS.has(name) && state.lines.length < LINES_MAX) addLine(args, state)
  if (!isImported && !state.isTelling(name, on, args)) return
  if (!args.some(isChoice)) {
    recordOne(frame, name, on, args, isImported)
    return
  }
  const { all, isOpen, whole } = combinationsOf(args)
  // An argument that is empty was not assigned yet; the call would fail.
  const given = all.filter(([first]) => first !== null && first !== '')
  for (const each of given.length === 0 ? all : given) recordOne(frame, name, on, each, isImported)
  if (isOpen) recordOne(frame, name, on, whole ?? args, isImported)
}

function recordOne(frame: Frame, name: string, on: string, args: readonly Value[], isImported: boolean): void {
  const { state, procedure } = frame
  const isAsked = frame.questions > 0
  const key = keyOf(isAsked ? `?${procedure}` : procedure, name, on, args)
  if (key !== null && state.known.has(key)) return
  if (state.recorded.length >= RECORDED_MAX) {
    Object.assign(state, { incomplete: true, isOverfull: true })
    return
  }
  // Arguments that cannot be compared may be long texts, each another one.
  keep(VALUE_BYTES * (1 + args.length) + (key === null ? textsIn(args) : key.length))
  if (key !== null) state.known.add(key)
  state.recorded.push({ name, on, args, by: procedure, isImported, isAsked, isUntaken: state.isUntaken })
  if (TEXT_RUNNERS.has(name) && typeof args[0] === 'string' && (on === '' || SCRIPT_OBJECT.test(on)))
    state.codeTexts.push(args[0])
}

function textsIn(args: readonly Value[]): number {
  return args.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}

/** Longer arguments are recorded each time. */
const KEY_LENGTH_MAX = 500

/** The same for calls with the same arguments; null if they cannot be compared. */
function keyOf(procedure: string, name: string, on: string, args: readonly Value[]): string | null {
  if (args.some((value) => typeof value === 'object' || (typeof value === 'string' && value.length > KEY_LENGTH_MAX)))
    return null
  return JSON.stringify([procedure, name, on, ...args.map((value) => value ?? null)])
}
