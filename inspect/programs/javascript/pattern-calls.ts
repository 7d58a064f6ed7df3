/** Calls of regular expressions. */

import { store } from './budget.ts'
import type { Machine } from './machine.ts'
import { expressionFor, foundList, LAST } from './patterns.ts'
import {
  CUT,
  combine,
  ITEM_BYTES,
  isLossy,
  isUnknown,
  type PatternValue,
  textOf,
  UNKNOWN,
  type Value,
} from './values.ts'

/** `/a/.test(text)` and `/a/.exec(text)` */
export function callPattern(machine: Machine, owner: PatternValue, name: string, [given]: readonly Value[]): Value {
  if (name !== 'test' && name !== 'exec') return UNKNOWN
  return combine([given], ([one]) => searched(machine, owner, name, one))
}

function searched(machine: Machine, owner: PatternValue, name: 'test' | 'exec', given: Value): Value {
  const text = isUnknown(given) ? null : textOf(given)
  const last = placeOf(machine, owner)
  const expression = text === null || typeof last !== 'number' ? null : expressionFor(owner, text)
  if (text === null) return name === 'exec' && isLossy(given) ? CUT : UNKNOWN
  // Which piece of a known text it is, is not computed.
  if (expression === null) return name === 'exec' ? CUT : UNKNOWN
  expression.lastIndex = Number(last)
  const found = expression.exec(text)
  if (expression.global) machine.journal.set(owner.state, LAST, expression.lastIndex)
  if (name === 'test') return found !== null
  if (found === null) return null
  store(text.length + found.length * ITEM_BYTES)
  return foundList(found)
}

function placeOf({ settled }: Machine, { pattern, state }: PatternValue): Value {
  if (!pattern.flags.includes('g')) return 0
  return settled === null ? state.cells.get(LAST) : CUT
}
