/** Replaces what a simple pattern of VBScript matches. */

import { toCondition, toText, type Value } from './values.ts'

/** Characters of a pattern. */
const PATTERN_MAX = 100
const ATOM = String.raw`(?:\\[dDwWsS\\.^$*+?()[\]{}|/#_"-]|\[\^?(?:\\.|[^\]\\])+\]|[^\\^$*+?()[\]{}|])`
/** Characters and classes after each other, of which only the last may repeat: the time to search grows with the text only. */
const SIMPLE = new RegExp(`^${ATOM}+\\+?(?:\\|${ATOM}+\\+?)*$`, 's')

/** undefined: the pattern is not simple. */
export function replaceMatches(properties: ReadonlyMap<string, Value>, args: readonly Value[]): Value {
  const [text, by] = [args[0], args[1]]
  const pattern = toText(properties.get('pattern'))
  if (typeof text !== 'string' || typeof by !== 'string' || by.includes('$')) return undefined
  if (pattern.length > PATTERN_MAX || !SIMPLE.test(pattern)) return undefined
  const has = (name: string): boolean => toCondition(properties.get(name)) === true
  return text.replace(new RegExp(pattern, `${has('global') ? 'g' : ''}${has('ignorecase') ? 'i' : ''}`), by)
}
