/** Regular expressions of scripts, as far as they take linear time. */

import { spend } from './budget.ts'
import type { Pattern } from './tokens.ts'
import { isComposite, textOf, UNKNOWN, type Value } from './values.ts'

/** Characters, classes and word limits, with a quantifier at the end only. Other patterns may take exponential time. */
const SAFE =
  /^(?:\\[bBdDsSwW]|\\[^a-zA-Z0-9]|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\[(?:[^\\\]]|\\.)*\]|[^\\[\](){}|*+?^$])+[+*]?$/s
const PATTERN_MAX = 1000
const MATCH_WORK = 4

/** Charges for a search in the text. null: not safe, or no pattern. */
export function expressionFor(value: Value, text: string): RegExp | null {
  if (!isComposite(value) || value.kind !== 'pattern') return null
  const { source, flags } = value.pattern
  if (source.length > PATTERN_MAX || !SAFE.test(source) || !/^[gim]*$/.test(flags)) return null
  spend(text.length * (source.length + MATCH_WORK))
  try {
    return new RegExp(source, flags)
  } catch {
    return null
  }
}

export function newPattern(source: Value, flags: Value): Value {
  if (isComposite(source) && source.kind === 'pattern') return source
  const texts = [textOf(source), flags === undefined ? '' : textOf(flags)] as const
  if (texts[0] === null || texts[1] === null) return UNKNOWN
  return { kind: 'pattern', pattern: { source: texts[0], flags: texts[1] } satisfies Pattern }
}
