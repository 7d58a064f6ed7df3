/** The state of an evaluation, and branches of which it is not known whether they run. */

import type { Host } from './acting.ts'
import { spend } from './budget.ts'
import { type Changes, createJournal, hasChanges, type Journal, noChanges } from './journal.ts'
import type { Program } from './parser.ts'
import { ELSEWHERE, type Settled } from './settled.ts'
import type { FunctionNode, Node } from './syntax.ts'
import {
  type FunctionValue,
  type Holder,
  joinValues,
  type ListValue,
  type Scope,
  scopeIn,
  type Value,
} from './values.ts'

export interface Recorder {
  /** `isReached`: not in a function that nothing in the script calls. */
  call(name: string, args: readonly Value[], isNew: boolean, isReached: boolean): void
  assign(name: string, value: Value, isReached: boolean): void
  /** Text that is run as code by a function; by none for the script itself. */
  code(text: string, by: string | null, names: ReadonlySet<string>, isComplete: boolean, isReached: boolean): void
  /** A limit was reached. */
  exhausted(): void
  /** A variable that does not exist is read, which ends the script. null: variables of other names may exist. */
  missing(name: string | null): void
}

type Flow = 'break' | 'continue' | 'return' | 'throw' | null
/** With the label behind it, if there is one. */
type How = string

/** The end of a branch that left a loop or function, while the rest of it may run. */
interface Exit {
  how: How
  changes: Changes
}

/** Texts that were parsed, as scripts and as bodies of functions. */
export interface Cache {
  host: Host
  /** Methods of objects that the script made are not followed. */
  isDistant: boolean
  /**
   * For scripts that are no libraries: what an object lacks is undefined, and code behind a condition that is never true
   * counts, because the condition may have been computed wrongly.
   */
  isExact: boolean
  /** Whether no variable of this name exists. */
  lacks(name: string): boolean
  programs: Map<string, Program>
  functions: Map<string, FunctionNode>
}

export interface Timer {
  value: FunctionValue
  args: readonly Value[]
  /** The timer whose function has set this one. */
  parent: Timer | null
  isDoubtful: boolean
  isReached: boolean
  /** It stands for all that follow. */
  isLast: boolean
}

/** What is known of a function that timers call. */
export interface Timed {
  runs: number
  /** Work that is left for it. */
  work: number
  isWidened: boolean
  cells: Map<Holder, Set<string>>
  lists: Set<ListValue>
}

/** A run of a function that calls itself, which stands for any number of calls. */
interface Widened {
  args: readonly Value[]
  scope: Scope
  /** Runs within each other. */
  rounds: number
  isRunning: boolean
  /** Variables and members that were written before. */
  size: number
  result: Value
}

export interface Machine {
  recorder: Recorder
  journal: Journal
  root: Scope
  scope: Scope
  /** Members of objects that the script did not create, by their path. */
  properties: Holder
  /** Texts of the document by that path, and those that the script has read. */
  data: ReadonlyMap<string, string>
  read: Set<string>
  /** Functions that were called, and those that timers call. */
  entered: Set<FunctionNode>
  timed: Map<FunctionNode, Timed>
  known: FunctionValue[]
  /** Functions that were handed to the host, which calls them after the script. */
  deferred: Set<FunctionValue>
  /** Timers that were set, and the one whose function runs. */
  timers: Timer[]
  timer: Timer | null
  /** What holds for all calls, if the program is too long to follow each. */
  settled: Settled | null
  /** Of all runs of the same script. */
  cache: Cache
  /** The first call of a function that is only computed: older variables must not be read or written. */
  pureFrom: number
  /** The function call that runs, and how many there were. */
  call: number
  calls: number
  depth: number
  callDepth: number
  evaluationDepth: number
  /** Calls of a function that have not returned, with what was in doubt before each. */
  active: Map<FunctionNode, { doubts: number; level: number; args: readonly Value[] }[]>
  /** Functions that call themselves. */
  widened: Map<FunctionNode, Widened>
  /** Here, methods of objects that the script made are not followed. */
  isDistant: boolean
  /** `this` of the function that is called next. */
  self: Value
  /** Of the functions that are called, only those run that can do something. */
  isShallow: boolean
  /** Branches around of which it is not known whether they run. */
  doubts: number
  /** Loops around that run an unknown number of times. */
  loopDoubts: number
  tries: number
  /** What was done so far that may have ended with an error, because it is not known. */
  risks: number
  flow: Flow
  /** Of the statement that is left. null: the nearest loop. */
  label: string | null
  /** Labels of the loop that comes next. */
  labels: string[]
  /** Branches that cannot run, but were read once. */
  dead: Set<Node>
  isReached: boolean
  /** The operand of `typeof` is read. */
  isProbed: boolean
  /** In a function that a timer calls, until conditions that are false now are true. */
  isTimed: boolean
  /** What the function returns, from every `return` so far. */
  returned: { value: Value } | null
  thrown: { value: Value } | null
  /** What a generator has brought so far. */
  yields: Value[] | null
  /** Exits of the loops and functions around, each with a level of the journal for what may run after it. */
  exits: Exit[]
  evaluate(node: Node): Value
  /** Runs the body of a function. */
  runFunction(value: FunctionValue, args: readonly Value[], byTimer: boolean): Value
}

/** The places that make the variables of the script, and the members of objects that it did not create. */
const ROOT = {}
const OUTSIDE = {}

export function createMachine(
  recorder: Recorder,
  values: ReadonlyMap<string, string>,
  settled: Settled | null,
  cache: Cache,
): Machine {
  const root = scopeIn(null, ROOT, 0)
  const properties = { cells: new Map<string, Value>(values), born: 0, site: OUTSIDE, call: ELSEWHERE - 1 }
  return {
    recorder,
    journal: createJournal(settled !== null),
    ...{ root, scope: root, properties, settled, cache, pureFrom: Number.NEGATIVE_INFINITY, call: 0, calls: 0 },
    ...{ data: values, read: new Set() },
    ...{ entered: new Set(), timed: new Map(), known: [], deferred: new Set(), timers: [], timer: null },
    ...{ depth: 0, callDepth: 0, evaluationDepth: 0, loopDoubts: 0, tries: 0, risks: 0 },
    ...{
      active: new Map(),
      widened: new Map(),
      doubts: 0,
      isShallow: false,
      isDistant: cache.isDistant,
      self: undefined,
    },
    ...{
      flow: null,
      label: null,
      labels: [],
      dead: new Set(),
      isReached: true,
      isProbed: false,
      isTimed: false,
      returned: null,
      thrown: null,
      yields: null,
      exits: [],
    },
    evaluate: () => undefined,
    runFunction: () => undefined,
  }
}

interface Arm {
  value: Value
  changes: Changes
  flow: Flow
  label: string | null
  /** How branches inside may have left. */
  left: ReadonlySet<How>
}

/** A branch needs a journal of its own. */
const ARM_WORK = 3_000

/** Runs a branch, and undoes it. */
export function runArm(machine: Machine, run: () => Value): Arm {
  spend(ARM_WORK)
  const { journal, exits, flow, label } = machine
  const base = exits.length
  machine.flow = null
  journal.begin()
  const value = run()
  const left = closeExits(machine, base)
  const arm = { value, changes: journal.undo(), flow: machine.flow, label: machine.label, left }
  machine.flow = flow
  machine.label = label
  return arm
}

/** Runs branches, one of which happens. Returns one of their values. */
export function alternate(machine: Machine, runs: readonly (() => Value)[]): Value {
  machine.doubts += 1
  const arms = runs.map((run) => runArm(machine, run))
  machine.doubts -= 1
  return settle(machine, arms)
}

/** The state after one of the arms. */
export function settle(machine: Machine, arms: readonly Arm[]): Value {
  const { journal } = machine
  if (arms.every(({ flow, left }) => flow === null && left.size === 0)) {
    journal.merge(arms.map(({ changes }) => changes))
    return joinValues(arms.map(({ value }) => value))
  }
  const staying = arms.filter(({ flow }) => flow === null)
  const [left, ...others] = arms.filter(({ flow }) => flow !== null)
  if (left === undefined) journal.merge(staying.map(({ changes }) => changes))
  else if (staying.length === 0) leaveAll(machine, [left, ...others])
  else {
    for (const arm of [left, ...others]) openExit(machine, howOf(arm), arm.changes)
    journal.merge(staying.map(({ changes }) => changes))
  }
  for (const { left: hows } of arms) reopenExits(machine, hows)
  return staying.length === 0 ? undefined : joinValues(staying.map(({ value }) => value))
}

const howOf = ({ flow, label }: Pick<Arm, 'flow' | 'label'>): How =>
  label === null || flow === 'return' || flow === 'throw' ? `${flow}` : `${flow} ${label}`

/** How it ends, and how branches inside may have left. */
export const howsOf = (arm: Arm): readonly How[] => (arm.flow === null ? [...arm.left] : [...arm.left, howOf(arm)])

const FLOWS: readonly Flow[] = ['continue', 'break', 'return', 'throw']
/** Labels are those of statements further out. */
const rankOf = ({ flow, label }: Arm): number => FLOWS.indexOf(flow) * 2 + (label === null ? 0 : FLOWS.length)

/** Every arm leaves. The nearest end is where the evaluation goes on. */
function leaveAll(machine: Machine, arms: readonly [Arm, ...Arm[]]): void {
  const first = arms.reduce((one, other) => (rankOf(other) < rankOf(one) ? other : one))
  const how = howOf(first)
  const others = arms.filter((arm) => howOf(arm) !== how)
  for (const arm of others) openExit(machine, howOf(arm), arm.changes)
  machine.journal.merge(arms.filter((arm) => howOf(arm) === how).map(({ changes }) => changes))
  Object.assign(machine, { flow: first.flow, label: first.label })
}

/** From here on, code may not run, because a branch left with its own changes. */
function openExit(machine: Machine, how: How, changes: Changes): void {
  machine.journal.begin()
  machine.exits.push({ how, changes })
}

const NO_EXITS: ReadonlySet<How> = new Set()

/** Joins the states of the exits since `base` with the current one. Returns how they left. */
export function closeExits(machine: Machine, base: number): ReadonlySet<How> {
  if (machine.exits.length <= base) return NO_EXITS
  const found = new Set<How>()
  while (machine.exits.length > base) {
    const exit = machine.exits.pop()
    if (exit === undefined) break
    found.add(exit.how)
    const rest = machine.journal.undo()
    machine.journal.merge([exit.changes, rest])
  }
  return found
}

/** What follows may not run, because a branch that ended left in this way. */
export function reopenExits(machine: Machine, hows: ReadonlySet<How>): void {
  for (const how of hows)
    if (machine.flow === null && machine.exits.at(-1)?.how !== how) openExit(machine, how, noChanges())
}

/** A branch in which nothing happens. */
const IDLE: Arm = { value: undefined, changes: noChanges(), flow: null, label: null, left: NO_EXITS }

/** Runs code that may not run. */
export function maybe(machine: Machine, run: () => Value): Value {
  machine.doubts += 1
  const arm = runArm(machine, run)
  machine.doubts -= 1
  return settle(machine, [arm, IDLE])
}

/** The value of code that may not run and changes nothing, which needs no branch. */
export function maybeQuiet(machine: Machine, node: Node): Value {
  machine.doubts += 1
  const value = machine.evaluate(node)
  machine.doubts -= 1
  return value
}

/** Runs code that cannot run, for the calls in it. It changes nothing. */
export function runDead(machine: Machine, run: () => Value): void {
  const { isReached, returned, thrown, cache } = machine
  machine.isReached &&= cache.isExact
  runArm(machine, run)
  Object.assign(machine, { isReached, returned, thrown })
}

export function didChange(arm: Arm): boolean {
  return hasChanges(arm.changes)
}

/** A computed function depends on something else than its arguments. */
export class Impure extends Error {}
// Made once, because the stack of an error takes long.
const IMPURE = new Impure()

/** Variables of calls before are not those of a function that is only computed. */
export function mustOwn({ pureFrom }: Machine, holder: Pick<Holder, 'call'>): void {
  if (holder.call !== undefined && holder.call < pureFrom) throw IMPURE
}

export function scopeOf(machine: Machine, name: string): Scope | null {
  for (let each: Scope | null = machine.scope; each !== null; each = each.outer) if (each.cells.has(name)) return each
  return null
}

/** Runs code with variables of its own. */
export function withScope<T>(machine: Machine, site: Node, run: () => T): T {
  const outer = machine.scope
  machine.scope = scopeIn(outer, site, machine.call)
  const result = run()
  machine.scope = outer
  return result
}
