/** Branches that may not run, and places that are left early: the program goes on with all states that are possible there. */

import type { Changes } from './journal.ts'
import type { Exit, Machine, Signal } from './machine.ts'

/** Runs all branches, each from the state as it is. */
export function branch(machine: Machine, arms: readonly (() => Signal | undefined)[]): Signal | undefined {
  const { journal } = machine
  const ends: Changes[] = []
  let left: Signal | undefined
  machine.doubts++
  for (const arm of arms) {
    journal.begin()
    const signal = arm()
    const changes = journal.undo()
    if (signal === undefined) ends.push(changes)
    else left = signal
  }
  machine.doubts--
  if (ends.length === 0) return left && { ...left, isCaptured: true }
  journal.merge(ends)
  return undefined
}

/** Inside a branch that may not run, the state is remembered for the place where the program goes on. */
export function leave({ journal }: Machine, kind: Signal['kind'], exit: Exit | undefined): Signal {
  if (exit === undefined || (journal.depth <= exit.level + 1 && exit.states.length === 0))
    return { kind, isCaptured: false }
  exit.states.push(journal.capture(exit.level))
  return { kind, isCaptured: true }
}

/** Runs something that may be left early, and goes on with all states in which that happens. */
export function within(
  { journal }: Machine,
  exit: Exit,
  kind: Signal['kind'],
  run: () => Signal | undefined,
): Signal | undefined {
  exit.level = journal.depth
  journal.begin()
  const signal = run()
  const isHere = signal === undefined || (signal.kind === kind && !signal.isCaptured)
  if (exit.states.length === 0) {
    journal.commit()
    return isHere ? undefined : signal
  }
  const end = journal.undo()
  journal.merge(isHere ? [...exit.states, end] : exit.states)
  return undefined
}
