/** Patterns of Python that are searched in known texts. */

import { spend, store } from '../javascript/budget.ts'
import { expressionFor, patternOf } from '../javascript/patterns.ts'
import { GAP } from './tokens.ts'
import { known, NONE, type Value } from './values.ts'

/** Matches in one text. */
const MATCHES_MAX = 20_000
const MATCH_BYTES = 200
const MATCH_WORK = 3_000

interface Match {
  at: number
  length: number
  /** All of it first. */
  groups: Value
}

/** null: not known. */
export function matchesIn(pattern: Value | undefined, text: Value | undefined): Match[] | null {
  if (pattern?.kind !== 'text' || text?.kind !== 'text' || `${pattern.text}${text.text}`.includes(GAP)) return null
  const source = pattern.text.replaceAll('(?P<', '(?<')
  const expression = expressionFor(patternOf({ source, flags: 'g' }), text.text)
  if (expression === null) return null
  const found: Match[] = []
  for (const match of text.text.matchAll(expression)) {
    if (found.length >= MATCHES_MAX) return null
    spend(MATCH_WORK)
    store(MATCH_BYTES)
    const items = match.map((each) => (each === undefined ? NONE : known(each, text.isBytes, text.origin)))
    found.push({ at: match.index, length: match[0].length, groups: { kind: 'items', items } })
  }
  return found
}
