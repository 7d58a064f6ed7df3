/** Skips the rule engine when no rule can match: a scan costs milliseconds even for a tiny document. */

import { LITERAL_BYTES_MIN, type Literal } from '#inspect/core/matcher/matcher.ts'
import type { ExactRule } from './matches.ts'
import { type Condition, readPlainRules } from './plain-rules.ts'
import type { RuleSource } from './sources.ts'

export interface Prefilter {
  /** Literals to search for; the id is the pattern of the rule. */
  literals: readonly Literal[]
  /** Whether a rule may match in streams with these patterns. Never false where the rule engine would match. */
  mayMatch(seen: readonly ReadonlySet<number>[]): boolean
  /** Rules that are a search for one literal. */
  exact: readonly ExactRule[]
  /** All rules that may match, if each is a search for one literal; otherwise null. */
  exactRules(seen: readonly ReadonlySet<number>[]): readonly ExactRule[] | null
  /** Whether a rule may match by several patterns of this stream, at any distance. */
  mayMatchApart(seen: ReadonlySet<number>): boolean
}

/** Null when a rule depends on more than the presence of literals. */
export function createPrefilter(sources: readonly RuleSource[]): Prefilter | null {
  const rules = readPlainRules(sources)
  if (rules === null || rules.literals.some(({ bytes }) => bytes.length < LITERAL_BYTES_MIN)) return null
  return {
    literals: rules.literals.map(({ bytes, pattern }) => ({ bytes, id: pattern })),
    mayMatch(seen) {
      if (!seen.some(hasPattern)) return false
      const all = patternsIn(seen)
      return rules.conditions.some((holds) => holds((pattern) => all.has(pattern)))
    },
    exact: rules.exact.filter((rule) => rule !== null),
    exactRules(seen) {
      const all = patternsIn(seen)
      const possible = rules.exact.filter((_, index) => rules.conditions[index]?.((pattern) => all.has(pattern)))
      return possible.every((rule) => rule !== null) ? possible : null
    },
    mayMatchApart: (seen) => rules.conditions.some((condition) => holdsTogether(condition, seen)),
  }
}

function hasPattern(ids: ReadonlySet<number>): boolean {
  for (const id of ids) if (id >= 0) return true
  return false
}

/** Without the keywords and marks of formats, whose ids are negative. */
function patternsIn(seen: readonly ReadonlySet<number>[]): Set<number> {
  return new Set(seen.flatMap((ids) => [...ids].filter((id) => id >= 0)))
}

/** Ignores patterns that satisfy the condition alone: every window finds those. */
function holdsTogether(condition: Condition, seen: ReadonlySet<number>): boolean {
  const parts = new Set([...seen].filter((pattern) => !condition((one) => one === pattern)))
  return condition((pattern) => parts.has(pattern))
}
