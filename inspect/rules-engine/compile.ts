/** Compiles rule files, and names every bad one. */

import { Compiler, Scanner } from '@virustotal/yara-x'
import { createPrefilter, type Prefilter } from './prefilter.ts'
import { type BadRuleFile, importsConsole, isPositional, type RuleSource, RulesError } from './sources.ts'

/** Namespace prefix of operator rules. */
export const OPERATOR = 'operator/'

/** Without it, a file of one repeated letter takes minutes. */
const MATCHES_PER_PATTERN_MAX = 16
/** For rules that count matches or use the last one: a loop over this many takes half a second. */
export const COUNTED_MATCHES_MAX = 4_096

export interface RuleSet {
  /** Run over all streams of a document at once. */
  joined: Scanner
  /** Says when `joined` can be skipped; null if never. */
  prefilter: Prefilter | null
  /** Run over each stream alone; null if no rule needs it. */
  single: Scanner | null
  dispose(): void
}

export function compileRules(own: readonly RuleSource[], operator: readonly RuleSource[]): RuleSet {
  const bad: BadRuleFile[] = []
  const positional = operator.filter(isPositional)
  const plain = operator.filter((source) => !positional.includes(source))
  using joined = new Compiler()
  using single = new Compiler()
  for (const source of own) add(joined, source.name, source, true, bad)
  for (const source of plain) add(joined, OPERATOR + source.name, source, false, bad)
  for (const source of positional) add(single, OPERATOR + source.name, source, false, bad)
  if (bad.length > 0) throw new RulesError(bad)
  const alone = positional.length > 0 ? [scannerOf(single, COUNTED_MATCHES_MAX)] : []
  const scanners = [scannerOf(joined, MATCHES_PER_PATTERN_MAX), ...alone]
  const [first, second] = scanners
  if (first === undefined) throw new RulesError([])
  return {
    joined: first.scanner,
    prefilter: createPrefilter([...own, ...plain]),
    single: second?.scanner ?? null,
    dispose: () => {
      for (const { free } of scanners) free()
    },
  }
}

function add(compiler: Compiler, namespace: string, source: RuleSource, strict: boolean, bad: BadRuleFile[]): void {
  if (importsConsole(source)) {
    // It would write to the standard output of the process.
    bad.push({ name: source.name, message: 'the module "console" is not allowed' })
    return
  }
  const warnings = compiler.warnings.length
  try {
    compiler.newNamespace(namespace)
    compiler.addSource(source.text)
  } catch (error) {
    bad.push({ name: source.name, message: error instanceof Error ? error.message : String(error) })
    return
  }
  // Each warning costs a tenth of a millisecond in every scan.
  const [warning] = strict ? compiler.warnings.slice(warnings) : []
  if (warning !== undefined) bad.push({ name: source.name, message: warning })
}

function scannerOf(compiler: Compiler, matchesMax: number): { scanner: Scanner; free(): void } {
  const rules = compiler.build()
  const scanner = new Scanner(rules)
  scanner.setMaxMatchesPerPattern(matchesMax)
  return {
    scanner,
    free() {
      scanner.free()
      rules.free()
    },
  }
}
