/** One scan of YARA-X, and its answer in types. */

import type { Scanner } from '@virustotal/yara-x'

export interface Span {
  offset: number
  length: number
}

export interface Match {
  rule: string
  namespace: string
  meta: Readonly<Record<string, string>>
  /** Where each pattern of the rule was seen; those that were not are left out. */
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
  // A scan that did not work says nothing about the bytes, least of all that they are clean.
  if (!answer.valid) throw new Error(`The rules could not be run: ${answer.errors?.join('; ') ?? 'no reason given'}`)
  return answer.matches
    .filter((match) => !match.isPrivate)
    .map(({ identifier, namespace, metadata, patterns }) => ({
      rule: identifier,
      namespace,
      meta: Object.fromEntries(metadata.map(({ identifier, value }) => [identifier, String(value)])),
      patterns: patterns.map(({ matches }) => matches).filter((spans) => spans.length > 0),
    }))
}
