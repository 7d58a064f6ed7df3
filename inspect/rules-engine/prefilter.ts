/** Says quickly that no rule can match. A scan by the rule engine costs milliseconds however small the document is. */

import { LITERAL_BYTES_MIN, type Literal } from '#inspect/core/literal-finder.ts'
import { type Condition, readPlainRules } from './plain-rules.ts'
import type { RuleSource } from './sources.ts'

export interface Gate {
  /** What to look for in a stream; each pattern of a rule is an id. */
  literals: readonly Literal[]
  /** Whether a rule may match in streams where these were seen. Never false where the rule engine would find one. */
  mayMatch(seen: readonly ReadonlySet<number>[]): boolean
  /** Whether a rule may match by several patterns of this stream that stand any distance apart. */
  mayMatchApart(seen: ReadonlySet<number>): boolean
}

/** Null when a rule asks for more than the presence of literals; then only the rule engine can tell. */
export function createGate(sources: readonly RuleSource[]): Gate | null {
  const rules = readPlainRules(sources)
  if (rules === null || rules.literals.some(({ bytes }) => bytes.length < LITERAL_BYTES_MIN)) return null
  return {
    literals: rules.literals.map(({ bytes, pattern }) => ({ bytes, id: pattern })),
    mayMatch(seen) {
      const all = new Set(seen.flatMap((ids) => [...ids]))
      return all.size > 0 && rules.conditions.some((holds) => holds((pattern) => all.has(pattern)))
    },
    mayMatchApart: (seen) => rules.conditions.some((condition) => holdsTogether(condition, seen)),
  }
}

/** Without those that are enough by themselves: each of them is found wherever it stands. */
function holdsTogether(condition: Condition, seen: ReadonlySet<number>): boolean {
  const parts = new Set([...seen].filter((pattern) => !condition((one) => one === pattern)))
  return condition((pattern) => parts.has(pattern))
}
