/** The state of a Python program that is evaluated. */

import { spend, store } from '../javascript/budget.ts'
import type { PythonEffect } from './effects.ts'
import { type Changes, Journal } from './journal.ts'
import type { Definition, Expression, Statement } from './syntax.ts'
import { CUT_OFF, type Holder, isSame, join, UNKNOWN, type Value } from './values.ts'

/** Calls within each other, and of the same function where it may not be called. */
export const CALLS_MAX = 40
export const DOUBTFUL_CALLS_MAX = 2
/** Repetitions of one loop. */
export const ITERATIONS_MAX = 3_000
/** Calls that are recorded. */
export const EFFECTS_MAX = 2_000
const STEP_WORK = 250
const EFFECT_BYTES = 200

/** Why the rest of a block is not run. `isCaptured`: the state is remembered where the program goes on. */
export interface Signal {
  kind: 'break' | 'continue' | 'return' | 'raise'
  isCaptured: boolean
}

/** Where a loop or function goes on that is left early. */
export interface Exit {
  /** Of the journal. */
  level: number
  states: Changes[]
}

export interface Frame {
  /** The variables of the function, and those around it: the module first. */
  scopes: readonly Holder[]
  /** Names of outer variables. */
  outer: Map<string, Holder>
  exit: Exit
  results: Value[]
  loops: { ended: Exit; repeated: Exit }[]
  /** Values that a generator gives. */
  yielded: Value[]
}

export interface Machine {
  readonly source: string
  /** Names, and whether the source has them. */
  readonly mentioned: Map<string, boolean>
  readonly journal: Journal
  readonly module: Holder
  /** Attributes of objects, whatever object has them: all values. */
  readonly attributes: Holder
  /** Every value that a variable had: what a function finds that is called at another time. */
  readonly ever: Map<Holder, Map<string, Value>>
  readonly wildcards: string[]
  readonly effects: PythonEffect[]
  readonly known: Set<string>
  /** How often a variable got a value that it never had. */
  news: number
  /** Functions that were created, and called. */
  readonly created: Map<Definition, readonly Holder[]>
  readonly called: Set<Definition>
  readonly active: Definition[]
  /** Arguments and results of each function. */
  readonly given: Map<Definition, Holder>
  readonly returned: Map<Definition, Value>
  /** What the classes have from which that of a method is derived. */
  readonly parents: Map<Definition, Holder>
  codeDepth: number
  /** Branches within each other that may not run. */
  doubts: number
  /** A limit was reached: values may be others than those that are known. */
  isExhausted: boolean
  /** Variables have any of the values that they ever had: for functions that are called at another time. */
  isLate: boolean
  /** Each function and loop runs once: after the evaluation was at its limit. */
  isSurvey: boolean
  createsShell: boolean
  /** What was raised so far in the block that is tried. */
  raised: Value
  /** A call that matters was given a value that a limit made unknown. */
  isCut: boolean
  /** The same, whatever value. */
  isUnclear: boolean
  /** The evaluation did not come to its end. */
  isStopped: boolean
  /** Runs text that it decodes or fetches, or calls functions by names that it hides. */
  isHidden: boolean
  evaluate(expression: Expression, frame: Frame): Value
  runBlock(statements: readonly Statement[], frame: Frame): Signal | undefined
  assignTo(target: Expression, value: Value, frame: Frame): void
  /** Runs a text as code. */
  runText(text: string): void
}

export function createMachine(source: string): Machine {
  return {
    source,
    mentioned: new Map(),
    journal: new Journal(),
    module: { cells: new Map() },
    attributes: { cells: new Map() },
    ever: new Map(),
    wildcards: [],
    effects: [],
    known: new Set(),
    created: new Map(),
    called: new Set(),
    active: [],
    given: new Map(),
    returned: new Map(),
    parents: new Map(),
    codeDepth: 0,
    doubts: 0,
    isExhausted: false,
    isLate: false,
    isSurvey: false,
    createsShell: false,
    raised: UNKNOWN,
    news: 0,
    isCut: false,
    isUnclear: false,
    isStopped: false,
    isHidden: false,
    evaluate: () => CUT_OFF,
    runBlock: () => undefined,
    assignTo: () => undefined,
    runText: () => undefined,
  }
}

export function createFrame(scopes: readonly Holder[], level: number): Frame {
  return { scopes, outer: new Map(), exit: { level, states: [] }, results: [], loops: [], yielded: [] }
}

export function step(): void {
  spend(STEP_WORK)
}

export function addEffect(machine: Machine, effect: PythonEffect): void {
  const key = JSON.stringify(effect)
  spend(key.length)
  if (machine.known.has(key)) return
  if (machine.effects.length >= EFFECTS_MAX) {
    // Nobody sees what it is.
    machine.isCut = true
    return
  }
  store(EFFECT_BYTES + key.length * 2)
  machine.known.add(key)
  machine.effects.push(effect)
}

/** The value of a variable; undefined: there is none. */
export function lookUp(machine: Machine, name: string, { scopes, outer }: Frame): Value | undefined {
  const given = outer.get(name)
  if (given !== undefined) return valueIn(machine, given, name)
  for (let at = scopes.length - 1; at >= 0; at--) {
    const holder = scopes[at]
    if (holder?.cells.has(name)) return valueIn(machine, holder, name)
  }
  const [module] = scopes
  return module && machine.isLate ? machine.ever.get(module)?.get(name) : undefined
}

function valueIn({ isLate, ever }: Machine, holder: Holder, name: string): Value | undefined {
  const value = holder.cells.get(name)
  const all = isLate ? ever.get(holder)?.get(name) : undefined
  if (value === undefined || all === undefined) return value ?? all
  return join(value, all)
}

const NAME_BYTES = 80

export function assign(machine: Machine, name: string, value: Value, { scopes, outer }: Frame): void {
  const holder = outer.get(name) ?? scopes.at(-1)
  if (holder === undefined) return
  machine.journal.set(holder, name, value)
  remember(machine, holder, name, value)
}

export function remember(machine: Machine, holder: Holder, name: string, value: Value): void {
  const { ever } = machine
  const known = ever.get(holder) ?? new Map<string, Value>()
  ever.set(holder, known)
  const before = known.get(name)
  if (before === undefined) store(NAME_BYTES)
  const after = before === undefined ? value : join(before, value)
  if (before === undefined || !isSame(before, after)) machine.news++
  known.set(name, after)
}
