/** Runs statements one after another. */

import { actsHere } from './acting.ts'
import { type Machine, runDead } from './machine.ts'
import type { Node } from './syntax.ts'
import { assign } from './targets.ts'
import type { Value } from './values.ts'

/** Returns the value of the last statement. */
export function runAll(machine: Machine, body: readonly Node[]): Value {
  hoist(machine, body)
  let value: Value
  for (const [i, node] of body.entries()) {
    if (machine.flow === 'throw' && machine.tries === 0 && machine.callDepth === 0) machine.flow = null
    if (machine.flow !== null) {
      for (const rest of body.slice(i)) lookInto(machine, rest)
      return value
    }
    value = machine.evaluate(node)
  }
  return value
}

/** Reads code once that does not run because of a condition, in case the condition was computed wrongly. */
export function lookInto(machine: Machine, node: Node | null): void {
  if (node === null || machine.settled !== null || machine.dead.has(node)) return
  machine.dead.add(node)
  if (actsHere(node, machine.cache.host)) runDead(machine, () => machine.evaluate(node))
}

/** Functions are known before they are declared. */
function hoist(machine: Machine, body: readonly Node[]): void {
  for (const node of body)
    if (node.kind === 'declare' && node.how === 'function' && node.value !== null)
      assign(machine, node.target, machine.evaluate(node.value))
}
