/** Loops, switches and exceptions, of which it may not be known what runs. */

import { remainingWork, store } from './budget.ts'
import { iterated } from './classes.ts'
import { type Changes, noChanges } from './journal.ts'
import {
  closeExits,
  didChange,
  howsOf,
  type Machine,
  maybe,
  reopenExits,
  runArm,
  runDead,
  settle,
  withScope,
} from './machine.ts'
import { keysOrItems } from './members.ts'
import { areSameTexts } from './operators.ts'
import { lookInto } from './programs.ts'
import { HELD_BYTES, keysIn, othersIn, type Settled } from './settled.ts'
import type { Node } from './syntax.ts'
import { assign, bind, declare, widen, widenNames } from './targets.ts'
import {
  alternativesOf,
  CUT,
  isComposite,
  isOpen,
  isUnknown,
  join,
  joinValues,
  truthOf,
  UNKNOWN,
  type Value,
} from './values.ts'

type Of<K extends Node['kind']> = Extract<Node, { kind: K }>

/** How often a loop runs of which it is not known how often it runs. Inside another one, once. */
const UNKNOWN_TURNS = 3
/** The part of the remaining work that one loop may take. Code after it still runs. */
const LOOP_SHARE = 0.6
/** Work of one loop where all of the program is to be seen. */
const SURVEY_LOOP_WORK = 1_000_000
/** In libraries, which have tables of thousands of characters. */
const LIBRARY_LOOP_WORK = 100_000

/** `continue` of this loop, by its label or none. Another one leaves it. */
function goesOn(machine: Machine, labels: readonly string[]): boolean {
  if (machine.flow !== 'continue') return machine.flow === null
  return machine.label === null || labels.includes(machine.label)
}

function takeLabels(machine: Machine): readonly string[] {
  return machine.labels.splice(0)
}

export function loop(machine: Machine, node: Of<'loop'>): Value {
  const { start, test, step, body, testsLast } = node
  const labels = takeLabels(machine)
  return withScope(machine, node, () => {
    if (start !== null) machine.evaluate(start)
    const isTrue = (): boolean | null => (test === null ? true : truthOf(machine.evaluate(test)))
    const turn = (): void => {
      machine.evaluate(body)
      if (!goesOn(machine, labels)) return
      machine.flow = null
      if (step !== null) machine.evaluate(step)
    }
    runTurns(machine, node, testsLast ? () => true : isTrue, turn, isTrue, labels)
    return undefined
  })
}

/** Runs a loop while it is known that it goes on, and then as often as it may. */
function runTurns(
  machine: Machine,
  node: Node | null,
  isFirst: () => boolean | null,
  turn: () => void,
  isNext: () => boolean | null,
  labels: readonly string[],
): void {
  const ends = new Set<string>()
  const truth = isFirst()
  // The body is read at least once.
  if (truth === false) runDead(machine, () => void turn())
  const known = node === null ? undefined : machine.settled?.running.loops.get(node)
  machine.journal.begin()
  machine.journal.begin()
  if (known !== undefined && truth !== false) widenNames(machine, known)
  const last = truth && known === undefined ? knownTurns(machine, turn, isNext, ends, labels) : truth
  const before = machine.journal.commit()
  if (last === 'cut') widen(machine, before, CUT)
  // The turns that are left may do what those before did not.
  if (last !== false) {
    const value = known?.value ?? (last === null ? UNKNOWN : CUT)
    for (const how of doubtfulTurns(machine, node, turn, value, known !== undefined)) ends.add(how)
  }
  machine.journal.commit()
  if (machine.flow === 'break' && machine.label === null) machine.flow = null
  reopenExits(machine, endsAround(ends, labels))
}

/** Those that leave more than this loop. */
function endsAround(ends: ReadonlySet<string>, labels: readonly string[]): ReadonlySet<string> {
  const own = ['', ...labels.map((label) => ` ${label}`)].flatMap((label) => [`break${label}`, `continue${label}`])
  return new Set([...ends].filter((how) => !own.includes(how)))
}

/** Returns false at the end of the loop, null if it may go on. `ends`: how branches may have left it. */
function knownTurns(
  machine: Machine,
  turn: () => void,
  isNext: () => boolean | null,
  ends: Set<string>,
  labels: readonly string[],
): false | null | 'cut' {
  const until = remainingWork() - loopWork(machine)
  const continues = ['continue', ...labels.map((label) => `continue ${label}`)]
  for (;;) {
    const base = machine.exits.length
    turn()
    const left = closeExits(machine, base)
    for (const how of left) ends.add(how)
    if (machine.flow === 'continue' && machine.label === null) machine.flow = null
    if (machine.flow !== null) return false
    if (remainingWork() < until) return 'cut'
    const truth = [...left].some((how) => !continues.includes(how)) ? null : isNext()
    if (truth !== true) return truth
  }
}

function loopWork({ settled, cache }: Machine): number {
  if (settled === null) return remainingWork() * LOOP_SHARE
  return cache.isDistant ? LIBRARY_LOOP_WORK : SURVEY_LOOP_WORK
}

/** Returns how a turn may leave. */
function doubtfulTurns(
  machine: Machine,
  node: Node | null,
  turn: () => void,
  value: Value,
  isKnown: boolean,
): ReadonlySet<string> {
  const ends = new Set<string>()
  // The last turn is for what the loop has written in any number of turns.
  const turns = machine.loopDoubts > 0 || machine.settled !== null ? 2 : UNKNOWN_TURNS
  machine.loopDoubts += 1
  machine.doubts += 1
  for (let i = 1; i <= turns; i++) {
    const arm = runArm(machine, () => void turn())
    for (const how of howsOf(arm)) ends.add(how)
    machine.journal.merge([arm.changes, noChanges()])
    const isNew = node !== null && machine.settled !== null && remember(machine.settled, node, arm.changes, value)
    if (isKnown && !isNew) {
      widen(machine, arm.changes, value)
      break
    }
    if (!didChange(arm) || (arm.flow !== null && arm.flow !== 'continue')) break
    if (i >= turns - 1) widen(machine, arm.changes, value)
  }
  machine.loopDoubts -= 1
  machine.doubts -= 1
  return ends
}

/**
 * Remembers the variables that a loop writes: where all calls are joined, it runs again and again, and loops in each other
 * would multiply their turns. Returns whether there are new ones.
 */
function remember({ running: { loops } }: Settled, node: Node, { cells }: Changes, value: Value): boolean {
  store(HELD_BYTES)
  const known = loops.get(node) ?? { names: new Set<string>(), value }
  loops.set(node, known)
  const { size } = known.names
  for (const [holder, written] of cells) if ('outer' in holder) for (const name of written.keys()) known.names.add(name)
  return known.names.size > size
}

export function each(machine: Machine, node: Of<'each'>): Value {
  const { target, isOwn, source, ofValues, body } = node
  const labels = takeLabels(machine)
  const given = machine.evaluate(source)
  const found = ofValues ? iterated(machine, given) : given
  const sources = alternativesOf(found)
  const items = sources.length > 1 ? [joinValues(sources.flatMap((one) => keysOrItems(one, ofValues)))] : null
  const values = [...(items ?? keysOrItems(found, ofValues)), ...otherKeys(machine, sources, ofValues)]
  return withScope(machine, node, () => {
    let i = 0
    const turn = (value: Value): void => {
      if (isOwn) bind(machine, target, value)
      else assign(machine, target, value)
      machine.evaluate(body)
      if (goesOn(machine, labels)) machine.flow = null
    }
    // Of an unknown list, one turn with an unknown item.
    if (values.length === 0) maybe(machine, () => void turn(isUnknown(found) && found.isCut ? CUT : UNKNOWN))
    else
      runTurns(
        machine,
        null,
        () => true,
        () => turn(values[i++]),
        () => i < values.length,
        labels,
      )
    if ((machine.flow === 'break' || machine.flow === 'continue') && machine.label === null) machine.flow = null
    return undefined
  })
}

/** Names and items that other calls may have added. */
function otherKeys({ settled, call }: Machine, sources: readonly Value[], ofValues: boolean): Value[] {
  if (settled === null) return []
  return sources.flatMap((source): Value[] => {
    if (!isComposite(source) || (source.kind !== 'list' && source.kind !== 'record')) return []
    const others = ofValues ? othersIn(settled, source, call) : keysIn(settled, source)
    return others === null ? [] : [others.value]
  })
}

export function switched(machine: Machine, node: Of<'switch'>): Value {
  const { value, cases } = node
  const found = machine.evaluate(value)
  const at = isOpen(found) ? null : caseOf(machine, found, cases)
  const runFrom = (from: number) => (): Value => {
    for (let i = from; i < cases.length; i++)
      for (const node of cases[i]?.body ?? []) {
        if (machine.flow !== null) return undefined
        machine.evaluate(node)
      }
    return undefined
  }
  return withScope(machine, node, () => {
    if (at !== null) runFrom(at)()
    else {
      const hasDefault = cases.some(({ test }) => test === null)
      const runs = cases.map((_, i) => runFrom(i))
      machine.doubts += 1
      const arms = (hasDefault ? runs : [...runs, () => undefined]).map((run) => runArm(machine, run))
      machine.doubts -= 1
      settle(
        machine,
        arms.map((arm) => (arm.flow === 'break' && arm.label === null ? { ...arm, flow: null } : arm)),
      )
    }
    if (machine.flow === 'break' && machine.label === null) machine.flow = null
    return undefined
  })
}

/** null: not known. */
function caseOf(machine: Machine, value: Value, cases: Of<'switch'>['cases']): number | null {
  const tests = cases.map(({ test }) => (test === null ? null : { value: machine.evaluate(test) }))
  const at = tests.findIndex((test) => test !== null && isEqual(test.value, value))
  if (at !== -1) return at
  if (tests.some((test) => test !== null && isOpen(test.value))) return null
  return tests.includes(null) ? tests.indexOf(null) : cases.length
}

function isEqual(left: Value, right: Value): boolean {
  return typeof left === 'string' && typeof right === 'string' ? areSameTexts(left, right) : left === right
}

/** The handler may run, after any part of the body. */
export function tried(machine: Machine, node: Of<'try'>): Value {
  const { body, parameter, handler, last } = node
  const { journal } = machine
  if (handler === null) machine.evaluate(body)
  else {
    const { risks } = machine
    machine.tries += 1
    journal.beginHistory()
    const tries = runArm(machine, () => machine.evaluate(body))
    const history = journal.endHistory()
    machine.tries -= 1
    // All of it is known, and throws nothing.
    if (machine.risks === risks && machine.settled === null && tries.flow !== 'throw' && !tries.left.has('throw')) {
      settle(machine, [tries])
      lookInto(machine, handler)
      return finished(machine, last)
    }
    const catches = runArm(machine, () => {
      for (const [holder, known] of history)
        for (const [key, value] of known) journal.set(holder, key, join(holder.cells.get(key), value))
      return withScope(machine, node, () => {
        if (parameter?.kind === 'name') declare(machine, parameter.name, machine.thrown?.value ?? UNKNOWN)
        return machine.evaluate(handler)
      })
    })
    machine.thrown = null
    const isThrown = tries.flow === 'throw'
    const caught = { ...tries, left: new Set([...tries.left].filter((how) => how !== 'throw')) }
    settle(machine, isThrown ? [catches] : [caught, catches])
  }
  return finished(machine, last)
}

function finished(machine: Machine, last: Node | null): undefined {
  if (last === null) return
  const { flow } = machine
  machine.flow = null
  machine.evaluate(last)
  machine.flow = machine.flow ?? flow
}
