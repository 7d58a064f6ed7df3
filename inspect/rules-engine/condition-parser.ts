/** Parses the condition of a rule. */

import { words } from '#inspect/core/words.ts'
import {
  type Condition,
  combine,
  NO_PATTERN,
  numeral,
  other,
  type Quantifier,
  quantified,
  type Subject,
  unknown,
} from './condition.ts'
import {
  calculate,
  EITHER,
  FALSE,
  integerReader,
  not,
  READ,
  TRUE,
  truth,
  truthOf,
  UNDEFINED,
  UNKNOWN,
} from './condition-values.ts'
import { moduleValue } from './module-values.ts'
import { type Token, Unsupported } from './rule-tokens.ts'

interface Declarations {
  /** In file order; the name of an anonymous pattern is `$`. */
  patterns: readonly { name: string; id: number }[]
  /** Whether literals are known for the pattern. */
  hasLiterals(pattern: number): boolean
  modules: ReadonlySet<string>
  /** Earlier rules of the file. */
  rules: ReadonlyMap<string, Condition>
}

const PRECEDENCE: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  [],
  words('== != contains icontains startswith istartswith endswith iendswith iequals matches'),
  ['<', '<=', '>', '>='],
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '\\', '%'],
]
const NESTING_MAX = 500
const NOT_LEVEL = 2
const ARITHMETIC_LEVEL = 5

const RESERVED = new Set(words('of in at them and or not matches entrypoint include import'))

export const parseCondition = (tokens: readonly Token[], declared: Declarations): Condition =>
  new ConditionParser(tokens, declared).parse()

class ConditionParser {
  readonly #tokens: readonly Token[]
  readonly #declared: Declarations
  #at = 0
  #depth = 0
  /** Variables of the loops and `with` around. */
  #scope: readonly string[] = []

  constructor(tokens: readonly Token[], declared: Declarations) {
    this.#tokens = tokens
    this.#declared = declared
  }

  parse(): Condition {
    const whole = this.#expression()
    if (this.#at < this.#tokens.length) throw new Unsupported(this.#peek())
    return whole
  }

  #expression(level = 0): Condition {
    if (++this.#depth > NESTING_MAX) throw new Unsupported('nesting')
    try {
      return level >= PRECEDENCE.length ? this.#primary() : level === NOT_LEVEL ? this.#negation() : this.#binary(level)
    } finally {
      this.#depth--
    }
  }

  #negation(): Condition {
    if (this.#accept('not')) {
      const inner = this.#expression(NOT_LEVEL)
      return other((subject) => not(inner.evaluate(subject)))
    }
    if (this.#accept('defined')) {
      this.#expression(NOT_LEVEL)
      return unknown(EITHER)
    }
    return this.#expression(NOT_LEVEL + 1)
  }

  #binary(level: number): Condition {
    const signs = PRECEDENCE[level] ?? []
    let left = this.#expression(level + 1)
    while (signs.includes(this.#peek()) && !this.#isText() && !(this.#peek() === '%' && this.#peek(1) === 'of')) {
      const sign = this.#take().text
      left = combine(sign, left, this.#expression(level + 1))
    }
    // `2 of them`, `50% of them`
    if (level === ARITHMETIC_LEVEL && (this.#peek() === 'of' || (this.#peek() === '%' && this.#peek(1) === 'of'))) {
      const isPercent = this.#accept('%')
      this.#expect('of')
      return this.#ofSet({ count: left, isPercent })
    }
    return left
  }

  #primary(): Condition {
    if (this.#accept('-')) {
      const inner = this.#expression(PRECEDENCE.length)
      return other((subject) => calculate('-', 0, inner.evaluate(subject)))
    }
    if (this.#accept('~')) {
      this.#expression(PRECEDENCE.length)
      return unknown()
    }
    if (this.#accept('(')) {
      const inner = this.#expression()
      this.#expect(')')
      return inner
    }
    return this.#operand(this.#take())
  }

  #operand({ kind, text }: Token): Condition {
    if (kind === 'pattern') return this.#pattern(text)
    if (kind === 'number') return numeral(text)
    if (kind === 'text') return unknown(/^"[ !#-[\]-~]*"$/.test(text) ? text.slice(1, -1) : UNKNOWN)
    if (kind === 'regex') return unknown()
    if (kind === 'word') return this.#word(text)
    throw new Unsupported(text)
  }

  #word(name: string): Condition {
    if (name === 'any' || name === 'all' || name === 'none') {
      this.#expect('of')
      return this.#ofSet(name)
    }
    if (name === 'true' || name === 'false') return unknown(name === 'true' ? TRUE : FALSE)
    if (name === 'filesize') return other(({ bytes }) => bytes.length)
    if (name === 'for') return this.#loop()
    if (name === 'with') return this.#bindings()
    if (READ.test(name) && this.#accept('(')) {
      const offset = this.#expression()
      this.#expect(')')
      const read = integerReader(name)
      return other((subject) => read(subject.bytes, offset.evaluate(subject)))
    }
    if (RESERVED.has(name)) throw new Unsupported(name)
    return this.#identifier(name)
  }

  #identifier(name: string): Condition {
    const isLocal = this.#scope.includes(name)
    const rule = isLocal ? undefined : this.#declared.rules.get(name)
    if (rule !== undefined && this.#peek() !== '.') return { ...rule, isPresence: false }
    const first = this.#at
    const args = this.#accessors()
    if (isLocal || !this.#declared.modules.has(name)) return unknown()
    const value = moduleValue(name, this.#tokens.slice(first, this.#at))
    return other((subject) => value(subject.bytes, () => args.map((arg) => arg.evaluate(subject))))
  }

  /** Fields, indexes and calls; returns the arguments of the calls. */
  #accessors(): Condition[] {
    const args: Condition[] = []
    while (/^[.[(]$/.test(this.#peek())) {
      const sign = this.#take().text
      if (sign === '.') this.#take()
      else if (sign === '[') {
        this.#expression()
        this.#expect(']')
      } else args.push(...this.#callArguments())
    }
    return args
  }

  #callArguments(): Condition[] {
    const args: Condition[] = []
    while (!this.#accept(')')) {
      args.push(this.#expression())
      if (this.#peek() !== ')') this.#expect(',')
    }
    return args
  }

  #pattern(text: string): Condition {
    const [sign = '', name = ''] = [text[0], `$${text.slice(1)}`]
    const id = name === '$' ? null : (this.#idOf(name) ?? fail())
    const of = (subject: Subject): number => id ?? subject.current ?? NO_PATTERN
    const needs = id === null ? null : this.#needsOf([id])
    if (sign === '$') return this.#presence(of, needs)
    if (sign === '#') {
      if (this.#accept('in')) this.#range()
      return other((subject) => (subject.mayMatch(of(subject)) ? UNKNOWN : 0))
    }
    if (this.#accept('[')) {
      this.#expression()
      this.#expect(']')
    }
    return other((subject) => (subject.mayMatch(of(subject)) ? UNKNOWN : UNDEFINED))
  }

  #presence(of: (subject: Subject) => number, needs: Condition['needs']): Condition {
    if (this.#accept('in')) {
      this.#range()
      return other((subject) => truth(subject.mayMatch(of(subject))), needs)
    }
    if (this.#accept('at')) {
      const offset = this.#expression(ARITHMETIC_LEVEL)
      return other((subject) => {
        const place = offset.evaluate(subject)
        if (place === UNDEFINED || !subject.mayMatch(of(subject))) return FALSE
        return truth(typeof place !== 'number' || subject.mayMatchAt(of(subject), place))
      }, needs)
    }
    return { evaluate: (subject) => truth(subject.mayMatch(of(subject))), needs, isPresence: true }
  }

  /** The rest of `any of …`. */
  #ofSet(quantifier: Quantifier): Condition {
    const items = this.#set()
    const isIn = this.#accept('in')
    const isAt = !isIn && this.#accept('at')
    if (isIn) this.#range()
    if (isAt) this.#expression(ARITHMETIC_LEVEL)
    return quantified(quantifier, items, isIn || isAt)
  }

  #set(): Condition[] {
    if (this.#accept('them')) return this.#declared.patterns.map(({ id }) => this.#member(id))
    const items: Condition[] = []
    this.#expect('(')
    do {
      const text = this.#peek()
      if (/^\$.*\*$/.test(text)) {
        this.#at++
        items.push(...this.#named(text).map((id) => this.#member(id)))
      } else if (/^\$\w/.test(text) && /^[,)]$/.test(this.#peek(1))) {
        this.#at++
        items.push(this.#member(this.#idOf(text) ?? fail()))
      } else items.push(this.#expression())
    } while (this.#accept(','))
    this.#expect(')')
    return items
  }

  #member(id: number): Condition & { id: number } {
    const evaluate = (subject: Subject) => truth(subject.mayMatch(id))
    return { id, evaluate, needs: this.#needsOf([id]), isPresence: true }
  }

  #loop(): Condition {
    const quantifier = this.#loopQuantifier()
    if (this.#accept('of')) {
      const ids = this.#set().map((item) => ('id' in item ? (item.id as number) : fail()))
      this.#expect(':')
      const body = this.#parenthesised()
      const items = ids.map((id) => other((subject) => body.evaluate({ ...subject, current: id })))
      return quantified(quantifier, items, true)
    }
    const names = this.#variables()
    this.#expect('in')
    const source = this.#iterable()
    this.#expect(':')
    const body = this.#inScope(names, () => this.#parenthesised())
    return other((subject) => {
      if (source.evaluate(subject) === UNDEFINED) return UNDEFINED
      // Over nothing, `all` and `none` may hold whatever the body says.
      if (quantifier !== 'any') return EITHER
      return truth(truthOf(body.evaluate(subject)).may)
    })
  }

  #loopQuantifier(): Quantifier {
    if (this.#accept('any')) return 'any'
    if (this.#accept('all')) return 'all'
    if (this.#accept('none')) return 'none'
    const count = this.#expression(ARITHMETIC_LEVEL + 1)
    return { count, isPercent: this.#accept('%') }
  }

  #bindings(): Condition {
    const names: string[] = []
    do {
      names.push(this.#take().text)
      this.#expect('=')
      this.#inScope([...names], () => this.#expression())
    } while (this.#accept(','))
    this.#expect(':')
    return this.#inScope(names, () => this.#parenthesised())
  }

  #variables(): string[] {
    const names = [this.#take().text]
    while (this.#accept(',')) names.push(this.#take().text)
    return names
  }

  #inScope<T>(names: readonly string[], work: () => T): T {
    const outer = this.#scope
    this.#scope = [...outer, ...names]
    const result = work()
    this.#scope = outer
    return result
  }

  #parenthesised(): Condition {
    this.#expect('(')
    const inner = this.#expression()
    this.#expect(')')
    return inner
  }

  /** A range, a list, or an array of a module. */
  #iterable(): Condition {
    if (this.#peek() !== '(') return this.#expression(ARITHMETIC_LEVEL)
    this.#at++
    const items = [this.#expression()]
    const isRange = this.#accept('..')
    if (isRange) items.push(this.#expression())
    else while (this.#accept(',')) items.push(this.#expression())
    this.#expect(')')
    return other((subject) =>
      isRange && items.some((item) => item.evaluate(subject) === UNDEFINED) ? UNDEFINED : UNKNOWN,
    )
  }

  #range(): void {
    this.#expect('(')
    this.#expression()
    this.#expect('..')
    this.#expression()
    this.#expect(')')
  }

  #named(wanted: string): number[] {
    const prefix = wanted.slice(0, -1)
    return this.#declared.patterns.filter(({ name }) => name.startsWith(prefix)).map(({ id }) => id)
  }

  #idOf(wanted: string): number | undefined {
    return this.#declared.patterns.find(({ name }) => name === wanted)?.id
  }

  #needsOf(ids: number[]): number[] | null {
    return ids.every(this.#declared.hasLiterals) ? ids : null
  }

  #peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead]?.text ?? ''
  }

  #take(): Token {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new Unsupported('end of condition')
    return token
  }

  #accept(text: string): boolean {
    if (this.#peek() !== text || this.#isText()) return false
    this.#at++
    return true
  }

  #expect(text: string): void {
    if (!this.#accept(text)) throw new Unsupported(`expected ${text}`)
  }

  /** Whether the next token is a literal, which may look like an operator. */
  #isText(): boolean {
    return this.#tokens[this.#at]?.kind === 'text'
  }
}

function fail(): never {
  throw new Unsupported('pattern')
}
