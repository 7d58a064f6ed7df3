/** Says quickly that no rule can match. A scan by the rule engine costs milliseconds however small the document is. */

import { createFinder, LITERAL_BYTES_MIN } from '../literals.ts'
import { type Condition, readPlainRules } from './plain-rules.ts'
import type { RuleSource } from './sources.ts'

export interface Gate {
  /** Whether a rule may match in these streams together. Never false where the rule engine would find one. */
  mayMatch(streams: readonly Uint8Array[]): boolean
  /** Whether a rule may match by several patterns in this stream that stand any distance apart. */
  mayMatchApart(stream: Uint8Array): boolean
}

/** Null when a rule asks for more than the presence of literals; then only the rule engine can tell. */
export function createGate(sources: readonly RuleSource[]): Gate | null {
  const rules = readPlainRules(sources)
  if (rules === null || rules.literals.some(({ bytes }) => bytes.length < LITERAL_BYTES_MIN)) return null
  const find = createFinder(rules.literals.map(({ bytes, pattern }) => ({ bytes, id: pattern })))

  return {
    mayMatch(streams) {
      const seen = new Set<number>()
      for (const bytes of streams) for (const pattern of find(bytes)) seen.add(pattern)
      return seen.size > 0 && holds(rules.conditions, seen)
    },
    mayMatchApart(stream) {
      const seen = new Set(find(stream))
      return rules.conditions.some((condition) => holdsTogether(condition, seen))
    },
  }
}

/** Without those that are enough by themselves: each of them is found wherever it stands. */
function holdsTogether(condition: Condition, seen: ReadonlySet<number>): boolean {
  const parts = new Set([...seen].filter((pattern) => !condition((one) => one === pattern)))
  return condition((pattern) => parts.has(pattern))
}

function holds(conditions: readonly Condition[], seen: ReadonlySet<number>): boolean {
  const isSeen = (pattern: number): boolean => seen.has(pattern)
  return conditions.some((condition) => condition(isSeen))
}
