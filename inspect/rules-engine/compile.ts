/** Compiles rule files, and names every bad one. */

import { Compiler, Scanner } from '@virustotal/yara-x'
import { createOperatorRules, type OperatorRules } from './operator-rules.ts'
import { createPrefilter, type Prefilter } from './prefilter.ts'
import { type BadRuleFile, importsConsole, type RuleSource, RulesError } from './sources.ts'

/** Namespace prefix of operator rules. */
export const OPERATOR = 'operator/'

/** Without it, a file of one repeated letter takes minutes. */
const MATCHES_PER_PATTERN_MAX = 16
/** For rules that count matches or use the last one: a loop over this many takes half a second. */
export const COUNTED_MATCHES_MAX = 4_096

export interface RuleSet {
  /** The bundled rules, run over all streams of a document at once. */
  joined: Scanner
  /** Says when `joined` can be skipped; null if never. */
  prefilter: Prefilter | null
  /** Null if the operator has no rules. */
  operator: OperatorRules | null
  dispose(): void
}

export function compileRules(own: readonly RuleSource[], operator: readonly RuleSource[]): RuleSet {
  const bad: BadRuleFile[] = []
  using joined = new Compiler()
  for (const source of own) {
    // Each warning costs a tenth of a millisecond in every scan.
    const [warning] = add(joined, source.name, source, bad) ?? []
    if (warning !== undefined) bad.push({ name: source.name, message: warning })
  }
  const warnings = operator.map((source) => check(source, bad))
  if (bad.length > 0) throw new RulesError(bad)
  const rules = joined.build()
  const scanner = new Scanner(rules)
  scanner.setMaxMatchesPerPattern(MATCHES_PER_PATTERN_MAX)
  const ofOperator = operator.length === 0 ? null : createOperatorRules(operator, { ...OPERATOR_OPTIONS, warnings })
  return {
    joined: scanner,
    prefilter: createPrefilter(own),
    operator: ofOperator,
    dispose() {
      scanner.free()
      rules.free()
      ofOperator?.dispose()
    },
  }
}

const OPERATOR_OPTIONS = {
  namespaceOf: ({ name }: RuleSource) => OPERATOR + name,
  matchesMax: { joined: MATCHES_PER_PATTERN_MAX, alone: COUNTED_MATCHES_MAX },
}

/** Compiles a file of the operator only to find its errors. Returns the identifiers of its warnings. */
function check(source: RuleSource, bad: BadRuleFile[]): string[] {
  // One compiler per file, so that its memory is free for the next one.
  using compiler = new Compiler()
  const warnings = add(compiler, OPERATOR + source.name, source, bad) ?? []
  return [...new Set(warnings.flatMap((warning) => /^warning\[(\w+)\]/.exec(warning)?.[1] ?? []))]
}

/** Returns the warnings, or null if the file is bad. */
function add(compiler: Compiler, namespace: string, source: RuleSource, bad: BadRuleFile[]): string[] | null {
  if (importsConsole(source)) {
    // It would write to the standard output of the process.
    bad.push({ name: source.name, message: 'the module "console" is not allowed' })
    return null
  }
  const before = compiler.warnings.length
  try {
    compiler.newNamespace(namespace)
    compiler.addSource(source.text)
    return compiler.warnings.slice(before)
  } catch (error) {
    bad.push({ name: source.name, message: error instanceof Error ? error.message : String(error) })
    return null
  }
}
