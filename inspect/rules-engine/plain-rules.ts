/** Parses rule files that only consist of literal patterns and conditions on their presence. */

import type { ExactRule } from './matches.ts'
import type { RuleSource } from './sources.ts'

export interface Literal {
  bytes: Uint8Array
  /** Number of the pattern, in file order. */
  pattern: number
}

/** Evaluates a rule's condition. */
export type Condition = (seen: (pattern: number) => boolean) => boolean

interface PlainRules {
  literals: Literal[]
  conditions: Condition[]
  /** The same rules; null for those that need more than a search for one literal. */
  exact: (ExactRule | null)[]
  patterns: number
}

const TOKEN =
  /\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*|(?<text>"(?:\\.|[^"\\\n])*")|(?<hex>\{(?:\s*[0-9A-Fa-f]{2})+\s*\})|(?<id>\$\w+\*?)|(?<word>\w+)|(?<sign>[{}():=,])/y
const SPACE = /^(?:\s|\/\*|\/\/)/
const IS_ASCII = /^[ -~]*$/
const IS_PLAIN_VALUE = /^[ -[\]-~]*$/
const MODIFIERS = new Set(['nocase', 'ascii', 'wide', 'fullword'])

/** Internal: the file uses a feature that this parser does not support. */
class NotPlain extends Error {}

/** Null unless every rule is fully supported: a rule parsed in part could match unnoticed. */
export function readPlainRules(sources: readonly RuleSource[]): PlainRules | null {
  const rules: PlainRules = { literals: [], conditions: [], exact: [], patterns: 0 }
  try {
    for (const { name, text } of sources) readFile(name, tokensOf(text), rules)
    return rules
  } catch (error) {
    if (error instanceof NotPlain) return null
    throw error
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  // Only the rule engine knows whether a lone CR ends a line.
  if (/\r(?!\n)/.test(text)) throw new NotPlain()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text)
    if (match === null) throw new NotPlain()
    if (!SPACE.test(match[0])) tokens.push(match[0])
  }
  return tokens
}

function readFile(namespace: string, tokens: readonly string[], rules: PlainRules): void {
  let at = 0
  const peek = (): string => tokens[at] ?? ''
  const take = (): string => tokens[at++] ?? ''
  const expect = (wanted: string): void => {
    if (take() !== wanted) throw new NotPlain()
  }
  const accept = (wanted: string): boolean => {
    if (peek() !== wanted) return false
    at++
    return true
  }

  /** Maps the names of a rule's patterns to their numbers. */
  function strings(): Map<string, number> {
    const names = new Map<string, number>()
    while (peek().startsWith('$')) {
      const name = take()
      expect('=')
      const value = take()
      const modifiers = new Set<string>()
      while (MODIFIERS.has(peek())) modifiers.add(take())
      const pattern = rules.patterns++
      for (const bytes of literalsOf(value, modifiers)) rules.literals.push({ bytes, pattern })
      if (name.length < 2 || name.endsWith('*') || names.has(name)) throw new NotPlain()
      names.set(name, pattern)
    }
    return names
  }

  function condition(names: Map<string, number>): Condition {
    /** `them`, or names in parentheses, where `*` matches a suffix. */
    function some(): number[] {
      if (accept('them')) return [...names.values()]
      const numbers: number[] = []
      expect('(')
      do {
        const wanted = take()
        const chosen = wanted.endsWith('*')
          ? [...names].filter(([name]) => name.startsWith(wanted.slice(0, -1))).map(([, number]) => number)
          : [numberOf(wanted)]
        numbers.push(...chosen)
      } while (accept(','))
      expect(')')
      return numbers
    }

    function numberOf(name: string): number {
      const number = names.get(name)
      if (number === undefined) throw new NotPlain()
      return number
    }

    function term(): Condition {
      if (accept('(')) {
        const inner = either()
        expect(')')
        return inner
      }
      const first = take()
      if (first !== 'any' && first !== 'all') {
        const number = numberOf(first)
        return (seen) => seen(number)
      }
      expect('of')
      const numbers = some()
      // `all of` an empty set would be true without any match.
      if (numbers.length === 0) throw new NotPlain()
      return first === 'any' ? (seen) => numbers.some(seen) : (seen) => numbers.every(seen)
    }

    function both(): Condition {
      const terms = [term()]
      while (accept('and')) terms.push(term())
      return (seen) => terms.every((holds) => holds(seen))
    }

    function either(): Condition {
      const terms = [both()]
      while (accept('or')) terms.push(both())
      return (seen) => terms.some((holds) => holds(seen))
    }

    return either()
  }

  while (at < tokens.length) {
    expect('rule')
    const rule = take()
    expect('{')
    const meta: Record<string, string> = {}
    if (accept('meta')) {
      expect(':')
      while (peek() !== 'strings') {
        const key = take()
        expect('=')
        if (!peek().startsWith('"')) throw new NotPlain()
        meta[key] = take()
      }
    }
    expect('strings')
    expect(':')
    const first = at
    const names = strings()
    expect('condition')
    expect(':')
    // One pattern without modifiers, which is the whole condition: `$a = "text" condition : $a }`.
    const [name, , value = '', ...more] = tokens.slice(first, at)
    rules.conditions.push(condition(names))
    expect('}')
    const isExact = [...more, ...tokens.slice(at - 2, at)].join(' ') === `condition : ${name} }`
    rules.exact.push(isExact ? exactRule({ rule, namespace, meta }, value) : null)
  }
}

function exactRule({ rule, namespace, meta }: Omit<ExactRule, 'literal'>, value: string): ExactRule | null {
  const [literal] = literalsOf(value, new Set())
  // YARA-X returns other values as bytes.
  if (literal === undefined || !Object.values(meta).every((value) => IS_PLAIN_VALUE.test(value))) return null
  const texts = Object.entries(meta).map(([key, quoted]) => [key, quoted.slice(1, -1)])
  return { rule, namespace, meta: Object.fromEntries(texts), literal }
}

function literalsOf(value: string, modifiers: ReadonlySet<string>): Buffer[] {
  if (value.startsWith('{')) return [Buffer.from(value.replace(/[{}\s]/g, ''), 'hex')]
  const bytes = textOf(value)
  const literals = modifiers.has('wide') ? [Buffer.from(bytes.toString('latin1'), 'utf16le')] : []
  if (modifiers.has('ascii') || !modifiers.has('wide')) literals.push(bytes)
  return literals
}

function textOf(value: string): Buffer<ArrayBuffer> {
  // Beyond ASCII, the bytes depend on the encoding of the file.
  if (!value.startsWith('"') || !IS_ASCII.test(value)) throw new NotPlain()
  return Buffer.from(value.slice(1, -1).replace(/\\(x[0-9A-Fa-f]{2}|.)/g, characterOf), 'latin1')
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', r: '\r', t: '\t' }

function characterOf(_: string, escaped: string): string {
  const character = escaped.length === 3 ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16)) : ESCAPES[escaped]
  if (character === undefined) throw new NotPlain()
  return character
}
