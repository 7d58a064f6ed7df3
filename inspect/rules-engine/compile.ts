/** Compiles the rule files of the operator, and names every bad one. */

import { Compiler } from '@virustotal/yara-x'
import { MATCHES_PER_PATTERN_MAX } from './matches.ts'
import { createOperatorRules, type OperatorRules } from './operator-rules.ts'
import { type BadRuleFile, importsConsole, type RuleSource, RulesError } from './sources.ts'

/** Namespace prefix of operator rules. */
export const OPERATOR = 'operator/'

/** For rules that count matches or use the last one: a loop over this many takes half a second. */
export const COUNTED_MATCHES_MAX = 4_096

/** Throws a RulesError that names every bad file. */
export function compileRules(sources: readonly RuleSource[]): OperatorRules {
  const bad: BadRuleFile[] = []
  const warnings = sources.map((source) => check(source, bad))
  if (bad.length > 0) throw new RulesError(bad)
  return createOperatorRules(sources, { ...OPERATOR_OPTIONS, warnings })
}

const OPERATOR_OPTIONS = {
  namespaceOf: ({ name }: RuleSource) => OPERATOR + name,
  matchesMax: { joined: MATCHES_PER_PATTERN_MAX, alone: COUNTED_MATCHES_MAX },
}

/** Compiles a file only to find its errors. Returns the identifiers of its warnings. */
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
