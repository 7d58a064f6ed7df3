/** Runs statements one after another. */

import type { Machine } from './machine.ts'
import type { Node } from './syntax.ts'
import { assign } from './targets.ts'
import type { Value } from './values.ts'

/** Returns the value of the last statement. */
export function runAll(machine: Machine, body: readonly Node[]): Value {
  hoist(machine, body)
  let value: Value
  for (const node of body) {
    if (machine.flow === 'throw' && machine.tries === 0 && machine.callDepth === 0) machine.flow = null
    if (machine.flow !== null) return value
    value = machine.evaluate(node)
  }
  return value
}

/** Functions are known before they are declared. */
function hoist(machine: Machine, body: readonly Node[]): void {
  for (const node of body)
    if (node.kind === 'declare' && node.how === 'function' && node.value !== null)
      assign(machine, node.target, machine.evaluate(node.value))
}
