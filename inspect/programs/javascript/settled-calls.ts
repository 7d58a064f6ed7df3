/** Calls in a program that is too long to follow each of them. */

import { areArguments } from './list-methods.ts'
import { type Machine, maybe } from './machine.ts'
import { grow, othersIn, reopen, type Settled, type Summary } from './settled.ts'
import { joinArguments, joinResult, loseArguments, resultSoFar } from './summaries.ts'
import {
  alternativesOf,
  CUT,
  type FunctionValue,
  type Invoke,
  isComposite,
  isFunction,
  isUnknown,
  join,
  joinValues,
  LISTED,
  type ListValue,
  UNKNOWN,
  type Unknown,
  type Value,
} from './values.ts'

/** Functions that call each other. */
export const CALLS_DEPTH_MAX = 60

/** Calls each function that an unknown value may be. */
export function invokeLost(
  machine: Machine,
  settled: Settled,
  { functions, several, isCut, isMixed, name }: Unknown,
  args: Value[],
): Value[] {
  // A value that may be too much, or a member of one.
  if (isCut || isMixed) loseArguments(settled, several === undefined ? name : '', args)
  return (functions ?? []).map((each) => {
    const summary = joinArguments(settled, each, args, machine.isReached)
    if (mayRun(machine, settled, summary)) maybe(machine, () => runOpen(machine, settled, each, summary))
    return resultSoFar(settled, summary)
  })
}

/** false: it runs already, did in this pass, or nothing has changed for it. */
function mayRun({ callDepth }: Machine, { pass }: Settled, summary: Summary): boolean {
  return callDepth < CALLS_DEPTH_MAX && summary.pass !== pass && summary.isOpen
}

/** Runs a function with the arguments of all calls, unless nothing has changed for it. */
export function invokeSettled(
  machine: Machine,
  settled: Settled,
  value: FunctionValue,
  args: readonly Value[],
  byTimer: boolean,
): Value {
  const { self } = machine
  machine.self = undefined
  const summary = joinArguments(settled, value, args, machine.isReached)
  if (self !== undefined && joinSelf(settled, summary, self)) reopen(settled, summary)
  if (!mayRun(machine, settled, summary)) return resultSoFar(settled, summary)
  return runOpen(machine, settled, value, summary, byTimer)
}

/** Objects whose method a function is that are kept separate. Of more, it is one that stands for all. */
const SELVES_MAX = 2

/** Returns whether the object is new. */
function joinSelf(settled: Settled, { self }: Summary, value: Value): boolean {
  if (isUnknown(self.value) || !grow(settled, self, value)) return false
  if (alternativesOf(self.value).length > SELVES_MAX) self.value = UNKNOWN
  return true
}

export function runOpen(
  machine: Machine,
  settled: Settled,
  value: FunctionValue,
  summary: Summary,
  byTimer = false,
): Value {
  const { running } = settled
  const { isReached } = machine
  Object.assign(summary, { isOpen: false, pass: settled.pass })
  settled.running = summary
  machine.isReached = summary.isReached
  machine.self = summary.self.value
  const result = machine.runFunction(
    value,
    summary.args.map((each) => each.value),
    byTimer,
  )
  settled.running = running
  machine.isReached = isReached
  return joinResult(settled, summary, result)
}

/** What other calls may have put into the list. */
export function withOtherItems(
  machine: Machine,
  settled: Settled,
  list: ListValue,
  name: string,
  callee: Value,
  result: Value,
  call: Invoke,
): Value {
  const others = othersIn(settled, list, machine.call)
  if (others === null) return result
  if (isFunction(callee)) maybe(machine, () => call(callee, [others.value, UNKNOWN]))
  if (isComposite(result) && result.kind === 'list') result.any = join(result.any, others.value)
  else if (typeof result === 'string' || isUnknown(result))
    return joinValues([
      result,
      others.value,
      name !== 'join' ? result : areArguments(others.value, callee) ? LISTED : CUT,
    ])
  return isComposite(result) || name === 'push' ? result : join(result, others.value)
}
