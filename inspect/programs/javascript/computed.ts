/** Functions that depend on nothing but their arguments, such as those that unpack a script. */

import { type Allowance, store, withAllowance } from './budget.ts'
import { Impure, type Machine, type Recorder } from './machine.ts'
import type { Settled } from './settled.ts'
import type { Node } from './syntax.ts'
import { ITEM_BYTES, isComposite, isFunction, listOf, recordOf, type Value } from './values.ts'

/** For one function. */
const COMPUTED_ALLOWANCE: Allowance = { work: 60_000_000, bytes: 10_000_000 }
/** Functions of a script. */
const COMPUTED_MAX = 20
/** Characters of texts that are worth it. */
const PACKED_MIN = 100

/** The text that a function returns which depends on nothing but its arguments. undefined: it depends on others. */
export function computedCall(
  { calls }: Machine,
  settled: Settled,
  site: Node,
  target: Value,
  args: readonly Value[],
  machineFor: (recorder: Recorder) => Machine,
): string | undefined {
  if (!isFunction(target) || !args.some((arg) => typeof arg === 'string' && arg.length >= PACKED_MIN)) return undefined
  const copies = args.map(copyOf)
  if (copies.some((copy) => copy === null)) return undefined
  const known = settled.computed.get(site)
  if (known?.args.every((arg, i) => isSame(arg, args[i]))) return known.text
  if (settled.computed.size >= COMPUTED_MAX) return undefined
  let isWhole = true
  const exhausted = (): void => {
    isWhole = false
  }
  const silent: Recorder = { call() {}, assign() {}, code() {}, exhausted, missing() {} }
  const machine = machineFor(silent)
  Object.assign(machine, { calls, pureFrom: calls + 1 })
  let text: string | undefined
  try {
    withAllowance(COMPUTED_ALLOWANCE, () => {
      const result = machine.runFunction(
        target,
        copies.map((copy) => copy?.value),
        false,
      )
      if (isWhole && typeof result === 'string') text = result
    })
  } catch (error) {
    if (!(error instanceof Impure)) throw error
  }
  settled.computed.set(site, { args, text })
  return text
}

function isSame(left: Value, right: Value): boolean {
  if (!isComposite(left) || !isComposite(right)) return left === right
  if (left.kind === 'list' && right.kind === 'list')
    return left.items.length === right.items.length && left.items.every((item, i) => item === right.items[i])
  return left.kind === right.kind && left.kind !== 'pattern'
}

/** null: not all of it is known. */
function copyOf(value: Value): { value: Value } | null {
  if (!isComposite(value) || value.kind === 'pattern') return { value }
  if (value.kind === 'record' && value.cells.size === 0) return { value: recordOf(new Map()) }
  if (value.kind !== 'list' || value.any !== undefined || value.items.some(isComposite)) return null
  store(value.items.length * ITEM_BYTES)
  return { value: listOf([...value.items]) }
}
