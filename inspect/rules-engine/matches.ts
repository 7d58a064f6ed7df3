/** Matches of rules in one YARA-X scan. */

import type { Scanner } from '@virustotal/yara-x'

/** Without it, a file of one repeated letter takes minutes. */
export const MATCHES_PER_PATTERN_MAX = 16

export interface Span {
  offset: number
  length: number
}

export interface Match {
  rule: string
  namespace: string
  meta: Readonly<Record<string, string>>
  /** Spans of each pattern that matched. */
  patterns: readonly (readonly Span[])[]
}

interface Answer {
  valid: boolean
  errors?: string[]
  matches: {
    identifier: string
    namespace: string
    isPrivate: boolean
    metadata: { identifier: string; value: unknown }[]
    patterns: { matches: Span[] }[]
  }[]
}

export function scan(scanner: Scanner, bytes: Uint8Array): Match[] {
  const answer: Answer = scanner.scan(bytes)
  // A failed scan must never count as clean.
  if (!answer.valid) throw new Error(`The rule engine failed: ${answer.errors?.join('; ') ?? 'no reason given'}`)
  return answer.matches
    .filter((match) => !match.isPrivate)
    .map(({ identifier, namespace, metadata, patterns }) => ({
      rule: identifier,
      namespace,
      meta: Object.fromEntries(metadata.map(({ identifier, value }) => [identifier, String(value)])),
      patterns: patterns.map(({ matches }) => matches).filter((spans) => spans.length > 0),
    }))
}
