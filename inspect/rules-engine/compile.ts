/** Compiles rule files, and names every bad one. */

import { Compiler, type Rules, Scanner } from '@virustotal/yara-x'
import { MATCHES_PER_PATTERN_MAX, scan } from './matches.ts'
import { createOperatorRules, type OperatorRules } from './operator-rules.ts'
import { createPrefilter, type Prefilter } from './prefilter.ts'
import { type BadRuleFile, importsConsole, type RuleSource, RulesError } from './sources.ts'

/** Namespace prefix of operator rules. */
export const OPERATOR = 'operator/'

/** For rules that count matches or use the last one: a loop over this many takes half a second. */
export const COUNTED_MATCHES_MAX = 4_096

export interface RuleSet {
  /** The bundled rules, run over all streams of a document at once. Throws if they have to be loaded, and cannot be. */
  readonly joined: Scanner
  readonly isLoaded: boolean
  /** Says when `joined` can be skipped; null if never. */
  prefilter: Prefilter | null
  /** Null if the operator has no rules. */
  operator: OperatorRules | null
  dispose(): void
}

/** With `loadEngine` the bundled rules are compiled when they are first needed, unless the operator has rules too. */
export function compileRules(
  own: readonly RuleSource[],
  operator: readonly RuleSource[],
  loadEngine?: () => void,
): RuleSet {
  const prefilter = createPrefilter(own)
  let loaded: OwnRules | null = null
  let ofOperator: OperatorRules | null = null
  if (loadEngine === undefined || operator.length > 0) {
    loadEngine?.()
    const bad: BadRuleFile[] = []
    loaded = compileOwn(own, bad)
    const warnings = operator.map((source) => check(source, bad))
    if (bad.length > 0 || loaded === null) throw new RulesError(bad)
    if (operator.length > 0) ofOperator = createOperatorRules(operator, { ...OPERATOR_OPTIONS, warnings })
  }

  function load(): OwnRules {
    loadEngine?.()
    const bad: BadRuleFile[] = []
    const compiled = compileOwn(own, bad)
    if (compiled === null) throw new RulesError(bad)
    prove(compiled.scanner, prefilter)
    return compiled
  }

  return {
    get joined() {
      loaded ??= load()
      return loaded.scanner
    },
    get isLoaded() {
      return loaded !== null
    },
    prefilter,
    operator: ofOperator,
    dispose() {
      loaded?.scanner.free()
      loaded?.rules.free()
      ofOperator?.dispose()
    },
  }
}

interface OwnRules {
  rules: Rules
  scanner: Scanner
}

/** Null if a file is bad. */
function compileOwn(sources: readonly RuleSource[], bad: BadRuleFile[]): OwnRules | null {
  using compiler = new Compiler()
  for (const source of sources) {
    // Each warning costs a tenth of a millisecond in every scan.
    const [warning] = add(compiler, source.name, source, bad) ?? []
    if (warning !== undefined) bad.push({ name: source.name, message: warning })
  }
  if (bad.length > 0) return null
  const rules = compiler.build()
  const scanner = new Scanner(rules)
  scanner.setMaxMatchesPerPattern(MATCHES_PER_PATTERN_MAX)
  return { rules, scanner }
}

const HARMLESS = Buffer.from('Dear reader, no rule matches this text.')

/** The self-test of a rule engine that is loaded in the middle of an inspection: no result counts before it. */
function prove(scanner: Scanner, prefilter: Prefilter | null): void {
  for (const { rule, literal } of prefilter?.exact ?? []) {
    const isFound = scan(scanner, literal).some((match) => match.rule === rule)
    if (!isFound) throw new Error(`The rule engine misses ${rule}`)
  }
  if (scan(scanner, HARMLESS).length > 0) throw new Error('The rule engine matches a harmless text')
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
