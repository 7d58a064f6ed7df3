/** Replaces what a simple pattern of VBScript matches. */

import { charge } from '#inspect/core/work.ts'
import { OVERFLOW, TEXT_MAX } from './functions.ts'
import { CUT, toCondition, toText, type Value } from './values.ts'

/** Characters of a pattern. */
export const PATTERN_MAX = 1_000
const ATOM = String.raw`(?:(?:\\[dDwWsS\\.^$*+?()[\]{}|/#_"-]|\[\^?(?:\\.|[^\]\\])+\]|[^\\^$*+?()[\]{}|])(?:\{[1-9]\})?)`
/** Characters and classes after each other, of which only the last may repeat: the time to search grows with the text only. */
const SIMPLE = new RegExp(`^${ATOM}+\\+?(?:\\|${ATOM}+\\+?)*$`, 's')

/** Others may take long, and what they leave is in doubt. undefined: the text is unknown. */
export function replaceMatches(properties: ReadonlyMap<string, Value>, args: readonly Value[]): Value {
  const [text, by] = [args[0], args[1]]
  const pattern = toText(properties.get('pattern'))
  if (typeof text !== 'string') return undefined
  if (pattern.length > PATTERN_MAX) return OVERFLOW
  if (typeof by !== 'string' || by.includes('$') || !SIMPLE.test(pattern)) return CUT
  const has = (name: string): boolean => toCondition(properties.get(name)) === true
  const search = new RegExp(pattern, `g${has('ignorecase') ? 'i' : ''}`)
  return replaced(text, search, by, has('global'))
}

/** For each character, at which each alternative of the pattern may begin, and for each match. */
const CHARACTER_WORK = 2
const MATCH_WORK = 200

/** One match after the other, because a million of them may each be replaced by a long text. */
function replaced(text: string, search: RegExp, by: string, isGlobal: boolean): Value {
  charge(text.length * search.source.length * CHARACTER_WORK)
  let result = ''
  let from = 0
  for (let found = search.exec(text); found !== null; found = isGlobal ? search.exec(text) : null) {
    charge(MATCH_WORK)
    result += text.slice(from, found.index) + by
    from = found.index + found[0].length
    if (result.length + text.length - from > TEXT_MAX) return OVERFLOW
  }
  return result + text.slice(from)
}
