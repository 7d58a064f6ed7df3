/** Facts about each operator rule before it is compiled: the literals it needs, and the rules it depends on. */

import type { Condition } from './condition.ts'
import { parseCondition } from './condition-parser.ts'
import { EITHER } from './condition-values.ts'
import { factsOf, type PatternFacts } from './pattern-literals.ts'
import { type SplitFile, type SplitRule, splitFile } from './rule-split.ts'
import { type Token, Unsupported } from './rule-tokens.ts'
import type { RuleSource } from './sources.ts'

export interface RuleFacts {
  /** Index of the file. */
  file: number
  /** The source of this rule alone. */
  text: string
  /** Modules that it uses and that its file imports. */
  modules: readonly string[]
  /** Rules that must be compiled with it, by number. */
  dependencies: readonly number[]
  condition: Condition
  /** Never reported. */
  isPrivate: boolean
  /** Whether it must run over each stream separately: joined streams have other offsets, sizes and counts. */
  isAlone: boolean
}

interface AllFacts {
  rules: RuleFacts[]
  patterns: PatternFacts[]
}

const MAY_ALWAYS_MATCH: Condition = { evaluate: () => EITHER, needs: null, isPresence: false }

export function readFacts(sources: readonly RuleSource[]): AllFacts {
  const all: AllFacts = { rules: [], patterns: [] }
  for (const [file, { text }] of sources.entries()) {
    const split = splitFile(text)
    if (split === null) all.rules.push({ ...OPAQUE, file, text })
    else addFile(split, file, all)
  }
  return all
}

/** A file that cannot be split is one rule that may always match. */
const OPAQUE = { modules: [], dependencies: [], condition: MAY_ALWAYS_MATCH, isPrivate: false, isAlone: true }

function addFile({ modules, rules }: SplitFile, file: number, all: AllFacts): void {
  const conditions = new Map<string, Condition>()
  const numbers = new Map<string, number>()
  const globals: number[] = []
  const imported = new Set(modules)
  for (const rule of rules) {
    const number = all.rules.length
    const { condition, isPlain } = readRule(rule, conditions, imported, all.patterns)
    const direct = dependenciesOf(rule.condition, numbers)
    const used = new Set(rule.condition.filter(({ kind }) => kind === 'word').map(({ text }) => text))
    all.rules.push({
      file,
      text: rule.text,
      modules: [...imported].filter((name) => used.has(name)),
      dependencies: [...new Set(direct.flatMap((each) => [each, ...(all.rules[each]?.dependencies ?? [])]))],
      condition,
      isPrivate: rule.isPrivate,
      isAlone: !isPlain || !condition.isPresence,
    })
    conditions.set(rule.name, condition)
    numbers.set(rule.name, number)
    if (rule.isGlobal) globals.push(number)
  }
  if (globals.length > 0) addGlobals(globals, file, all.rules)
}

/** A global rule decides about every rule of its file, also about earlier ones. */
function addGlobals(globals: readonly number[], file: number, rules: RuleFacts[]): void {
  const needed = globals.flatMap((each) => [each, ...(rules[each]?.dependencies ?? [])])
  for (const rule of rules.filter((each) => each.file === file)) {
    rule.dependencies = [...new Set([...rule.dependencies, ...needed])]
    rule.isAlone = true
  }
}

function readRule(
  rule: SplitRule,
  rules: ReadonlyMap<string, Condition>,
  modules: ReadonlySet<string>,
  patterns: PatternFacts[],
): { condition: Condition; isPlain: boolean } {
  try {
    const declared = readStrings(rule.strings)
    const first = patterns.length
    patterns.push(...declared.map(({ facts }) => facts))
    const condition = parseCondition(rule.condition, {
      patterns: declared.map(({ name }, index) => ({ name, id: first + index })),
      hasLiterals: (pattern) => patterns[pattern]?.literals != null,
      modules,
      rules,
    })
    return { condition, isPlain: declared.every(({ facts, isPrivate }) => !facts.isAnchored && !isPrivate) }
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error
    return { condition: MAY_ALWAYS_MATCH, isPlain: false }
  }
}

/** Every word that names an earlier rule. */
function dependenciesOf(condition: readonly Token[], numbers: ReadonlyMap<string, number>): number[] {
  return condition.flatMap(({ kind, text }) => (kind === 'word' ? (numbers.get(text) ?? []) : []))
}

interface DeclaredPattern {
  name: string
  facts: PatternFacts
  /** Its matches are not reported, so they cannot be located. */
  isPrivate: boolean
}

function readStrings(tokens: readonly Token[]): DeclaredPattern[] {
  const starts = tokens.flatMap(({ kind }, index) => (kind === 'pattern' ? [index] : []))
  if (tokens.length > 0 && starts[0] !== 0) throw new Unsupported('strings')
  return starts.map((start, index) => readPattern(tokens.slice(start, starts[index + 1])))
}

function readPattern([name, equals, value, ...rest]: readonly Token[]): DeclaredPattern {
  if (!/^\$\w*$/.test(name?.text ?? '') || equals?.text !== '=') throw new Unsupported('strings')
  if (value === undefined || !/^(?:text|hex|regex)$/.test(value.kind)) throw new Unsupported('strings')
  const modifiers = new Map<string, string>()
  for (let at = 0; at < rest.length; ) {
    const modifier = rest[at++]?.text ?? ''
    if (!MODIFIERS.has(modifier)) throw new Unsupported(modifier)
    const end = rest[at]?.text === '(' ? rest.findIndex(({ text }, index) => index > at && text === ')') + 1 : at
    modifiers.set(
      modifier,
      rest
        .slice(at, end)
        .map(({ text }) => text)
        .join(''),
    )
    at = Math.max(at, end)
  }
  return { name: name?.text ?? '', facts: factsOf(value.text, modifiers), isPrivate: modifiers.has('private') }
}

const MODIFIERS = new Set(['nocase', 'ascii', 'wide', 'fullword', 'private', 'xor', 'base64', 'base64wide'])
