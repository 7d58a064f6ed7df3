/** The operator's rules: runs only those that may match, because each rule that runs costs time in every scan. */

import { Compiler, type Scanner } from '@virustotal/yara-x'
import { NO_PATTERN, type Subject } from './condition.ts'
import { truthOf } from './condition-values.ts'
import { createLiteralIndex } from './literal-index.ts'
import type { PatternFacts } from './pattern-literals.ts'
import { type RuleFacts, readFacts } from './rule-facts.ts'
import { createScannerCache } from './scanner-cache.ts'
import type { RuleSource } from './sources.ts'

/** Numbers of the rules that may match in a stream. */
export interface Candidates {
  /** For rules that depend on nothing but the presence of patterns. */
  joined: readonly number[]
  /** For rules that must run over the stream alone. */
  alone: readonly number[]
}

export interface OperatorRules {
  /** Never leaves out a rule that the rule engine would match. */
  candidatesFor(bytes: Uint8Array): Candidates
  /** A scanner with at least these rules. */
  scannerFor(kind: keyof Candidates, rules: readonly number[]): Scanner
  dispose(): void
}

interface Options {
  namespaceOf(source: RuleSource): string
  /** Identifiers of the compiler warnings of each file. */
  warnings: readonly (readonly string[])[]
  matchesMax: Readonly<Record<keyof Candidates, number>>
}

export function createOperatorRules(sources: readonly RuleSource[], options: Options): OperatorRules {
  const { rules, patterns } = readFacts(sources)
  const index = createLiteralIndex(patterns.map(({ literals }) => literals))
  const { triggers, untriggered } = triggersOf(rules)
  const build = (numbers: readonly number[]) => compileSome(numbers, rules, sources, options)
  const scanners = {
    joined: createScannerCache(build, options.matchesMax.joined),
    alone: createScannerCache(build, options.matchesMax.alone),
  }
  return {
    candidatesFor(bytes) {
      const found = index.find(bytes)
      const subject = subjectOf(bytes, patterns, found)
      const triggered = new Set([...found].flatMap((pattern) => triggers.get(pattern) ?? []))
      const firing = [...untriggered, ...triggered].filter(
        (number) => truthOf(rules[number]?.condition.evaluate(subject) ?? 1).may,
      )
      const isAlone = (number: number): boolean => rules[number]?.isAlone !== false
      return { joined: firing.filter((number) => !isAlone(number)), alone: firing.filter(isAlone) }
    },
    scannerFor: (kind, numbers) => scanners[kind].scannerFor(numbers),
    dispose() {
      scanners.joined.dispose()
      scanners.alone.dispose()
    },
  }
}

/** The rules that a pattern calls for, and those that may match without any pattern. */
function triggersOf(rules: readonly RuleFacts[]): { triggers: Map<number, number[]>; untriggered: number[] } {
  const triggers = new Map<number, number[]>()
  const untriggered: number[] = []
  for (const [number, { condition, isPrivate }] of rules.entries()) {
    if (isPrivate) continue
    if (condition.needs === null) untriggered.push(number)
    for (const pattern of condition.needs ?? []) triggers.set(pattern, [...(triggers.get(pattern) ?? []), number])
  }
  return { triggers, untriggered }
}

function subjectOf(bytes: Uint8Array, patterns: readonly PatternFacts[], found: ReadonlySet<number>): Subject {
  return {
    bytes,
    mayMatch: (pattern) => pattern === NO_PATTERN || patterns[pattern]?.literals == null || found.has(pattern),
    mayMatchAt(pattern, offset) {
      const prefixes = patterns[pattern]?.prefixes ?? null
      return prefixes === null || prefixes.some((prefix) => startsWith(bytes, offset, prefix))
    },
  }
}

function startsWith(bytes: Uint8Array, offset: number, prefix: string): boolean {
  if (offset < 0 || offset + prefix.length > bytes.length) return false
  const there = Buffer.from(bytes.buffer, bytes.byteOffset + offset, prefix.length).toString('latin1')
  return there.toLowerCase() === prefix.toLowerCase()
}

/** Compiles these rules and those that they refer to. */
function compileSome(
  numbers: readonly number[],
  rules: readonly RuleFacts[],
  sources: readonly RuleSource[],
  { namespaceOf, warnings }: Options,
) {
  const wanted = [...new Set(numbers.flatMap((number) => [number, ...(rules[number]?.dependencies ?? [])]))]
  const chosen = wanted.sort((a, b) => a - b).flatMap((number) => rules[number] ?? [])
  using compiler = new Compiler()
  for (const [file, source] of sources.entries()) {
    const some = chosen.filter((rule) => rule.file === file)
    if (some.length === 0) continue
    compiler.newNamespace(namespaceOf(source))
    const imports = new Set(some.flatMap(({ modules }) => modules))
    // Each warning costs a tenth of a millisecond in every scan.
    const suppress = warnings[file]?.length ? `// suppress: ${warnings[file].join(', ')}\n` : ''
    compiler.addSource(
      [...[...imports].map((name) => `import "${name}"`), ...some.map(({ text }) => suppress + text)].join('\n'),
    )
  }
  return compiler.build()
}
