/** Functions that timers call, after the code that has set them. */

import { remainingWork, spend, store } from './budget.ts'
import type { Changes } from './journal.ts'
import { type Machine, maybe, runDead, type Timed, type Timer } from './machine.ts'
import type { FunctionNode } from './syntax.ts'
import { widen } from './targets.ts'
import { alternativesOf, CUT, type FunctionValue, type Holder, mayBeText, type Scope, type Value } from './values.ts'

/** Times that a function sets itself again, if it is not known whether it does, and if it is. */
const DOUBTFUL_TURNS_MAX = 3
export const TURNS_MAX = 1_000
/** Timers for the same function, with other variables, of which it is not known whether they are set. */
const DOUBTFUL_MAX = 64
/** Of the work that is left. */
const SHARE = 1 / 8
const TIMER_BYTES = 200
const STEP_WORK = 20

export function setTimer(machine: Machine, value: FunctionValue, args: readonly Value[], isRepeated: boolean): void {
  const { timers, timer: parent, isReached, doubts, deferred } = machine
  store(TIMER_BYTES)
  const timer: Timer = { value, args, parent, isReached, isDoubtful: doubts > 0, isLast: false }
  timers.push(timer)
  if (isRepeated) timers.push({ ...timer, parent: timer, isDoubtful: true, isLast: true })
  // Others may write later what it reads.
  if ((machine.timed.get(value.node)?.runs ?? 0) < DOUBTFUL_MAX) deferred.add(value)
}

export function runTimers(machine: Machine): void {
  for (let timer = machine.timers.shift(); timer !== undefined; timer = machine.timers.shift()) {
    // To take the first of a list moves the others.
    spend(machine.timers.length)
    const { isReached, timer: outer } = machine
    Object.assign(machine, { isReached: timer.isReached, timer })
    runTimer(machine, timer)
    Object.assign(machine, { isReached, timer: outer, flow: null })
  }
}

function runTimer(machine: Machine, timer: Timer): void {
  const { value, args, parent, isDoubtful } = timer
  const { node } = value
  const known = machine.timed.get(node) ?? { runs: 0, work: remainingWork() * SHARE, ...noneWritten() }
  machine.timed.set(node, known)
  const { turns, isEnd } = turnsOf(parent, node)
  if (isEnd) return
  const isLong = isDoubtful ? turns >= DOUBTFUL_TURNS_MAX : turns >= TURNS_MAX
  const areMany = known.work <= 0 || (isDoubtful && known.runs >= DOUBTFUL_MAX)
  timer.isLast ||= isLong || areMany
  const run = (): void => {
    known.runs += 1
    const before = remainingWork()
    machine.journal.begin()
    const call = (): Value => machine.runFunction(value, args, true)
    if (!timer.isReached) runDead(machine, call)
    else if (isDoubtful || timer.isLast) maybe(machine, call)
    else call()
    remember(known, machine.journal.commit())
    known.work -= before - remainingWork()
  }
  if (timer.isLast) {
    if (known.isWidened) return
    known.isWidened = true
    // The first turn may write what the second reads.
    for (let i = 0; i < 2; i++) {
      widen(machine, written(known), CUT)
      if (areMany) widen(machine, variablesOf(value.scope, machine.root), CUT)
      run()
    }
  } else run()
}

/** How often the function was called by timers that led to this one. */
function turnsOf(parent: Timer | null, node: FunctionNode): { turns: number; isEnd: boolean } {
  let [turns, isEnd] = [0, false]
  for (let each = parent; each !== null; each = each.parent)
    if (countsFor(each, node)) {
      turns += 1
      isEnd ||= each.isLast
    }
  return { turns, isEnd }
}

/** Timers that set each other are a long way back. */
function countsFor({ value }: Timer, node: FunctionNode): boolean {
  spend(STEP_WORK)
  return value.node === node
}

const noneWritten = (): Pick<Timed, 'cells' | 'lists' | 'isWidened'> => ({
  cells: new Map(),
  lists: new Set(),
  isWidened: false,
})

function remember({ cells, lists }: Timed, changes: Changes): void {
  for (const [holder, keys] of changes.cells) {
    spend(keys.size * STEP_WORK)
    const known = cells.get(holder) ?? new Set<string>()
    cells.set(holder, known)
    for (const key of keys.keys()) known.add(key)
  }
  for (const list of changes.lists.keys()) lists.add(list)
}

/** What its calls have written so far. */
function written({ cells, lists }: Timed): Changes {
  return {
    cells: new Map([...cells].map(([holder, keys]) => [holder, textsIn(holder, keys)])),
    lists: new Map([...lists].map((list) => [list, { items: [] }])),
  }
}

/** Variables around the function, which others of the same place have with other values. */
function variablesOf(scope: Scope, root: Scope): Changes {
  const cells = new Map<Holder, Map<string, null>>()
  for (let each: Scope | null = scope; each !== null && each !== root; each = each.outer)
    cells.set(each, textsIn(each, each.cells.keys()))
  return { cells, lists: new Map() }
}

/** Functions are left out: each of the script is run at some time. */
function textsIn({ cells }: Holder, keys: Iterable<string>): Map<string, null> {
  const found = [...keys].filter((key) => alternativesOf(cells.get(key)).some(mayBeText))
  return new Map(found.map((key) => [key, null]))
}
