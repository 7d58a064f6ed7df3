/** Parses the condition of a rule into a test that is never false where the rule engine would say true. */

import {
  calculate,
  compare,
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
  type Value,
} from './condition-values.ts'
import { moduleValue } from './module-values.ts'
import { type Token, Unsupported } from './rule-tokens.ts'

/** A member of a document, and the patterns that may match in it. */
export interface Subject {
  bytes: Uint8Array
  mayMatch(pattern: number): boolean
  mayMatchAt(pattern: number, offset: number): boolean
  /** Pattern of the innermost `for … of` loop. */
  current?: number
}

/** Of `$` outside a loop. */
export const NO_PATTERN = -1

export interface Condition {
  evaluate(subject: Subject): Value
  /** The condition needs at least one of these patterns. Null: it may hold without any. */
  needs: readonly number[] | null
  /** Whether it depends on nothing but the presence of patterns, and grows with them. */
  isPresence: boolean
  /** The value of a number in the source. */
  constant?: number
}

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
  ['==', '!=', 'contains', 'icontains', 'startswith', 'istartswith', 'endswith', 'iendswith', 'iequals', 'matches'],
  ['<', '<=', '>', '>='],
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '\\', '%'],
]
const NOT_LEVEL = 2
const ARITHMETIC_LEVEL = 5

const unknown = (value: Value = UNKNOWN): Condition => other(() => value)
const other = (evaluate: Condition['evaluate'], needs: Condition['needs'] = null): Condition => ({
  evaluate,
  needs,
  isPresence: false,
})

export function parseCondition(tokens: readonly Token[], declared: Declarations): Condition {
  let at = 0
  let scope: readonly string[] = []
  let depth = 0
  const peek = (ahead = 0): string => tokens[at + ahead]?.text ?? ''
  const take = (): Token => {
    const token = tokens[at++]
    if (token === undefined) throw new Unsupported('end of condition')
    return token
  }
  const accept = (text: string): boolean => {
    if (peek() !== text || tokens[at]?.kind === 'text') return false
    at++
    return true
  }
  const expect = (text: string): void => {
    if (!accept(text)) throw new Unsupported(`expected ${text}`)
  }

  function expression(level = 0): Condition {
    if (++depth > 500) throw new Unsupported('nesting')
    try {
      return level >= PRECEDENCE.length ? primary() : level === NOT_LEVEL ? negation() : binary(level)
    } finally {
      depth--
    }
  }

  function negation(): Condition {
    if (accept('not')) {
      const inner = expression(NOT_LEVEL)
      return other((subject) => not(inner.evaluate(subject)))
    }
    if (accept('defined')) {
      expression(NOT_LEVEL)
      return unknown(EITHER)
    }
    return expression(NOT_LEVEL + 1)
  }

  function binary(level: number): Condition {
    const signs = PRECEDENCE[level] ?? []
    let left = expression(level + 1)
    while (signs.includes(peek()) && tokens[at]?.kind !== 'text' && !(peek() === '%' && peek(1) === 'of')) {
      const sign = take().text
      left = combine(sign, left, expression(level + 1))
    }
    // `2 of them`, `50% of them`
    if (level === ARITHMETIC_LEVEL && (peek() === 'of' || (peek() === '%' && peek(1) === 'of'))) {
      const isPercent = accept('%')
      expect('of')
      return ofSet(quantifierOf(left, isPercent))
    }
    return left
  }

  function primary(): Condition {
    if (accept('-')) {
      const inner = expression(PRECEDENCE.length)
      return other((subject) => calculate('-', 0, inner.evaluate(subject)))
    }
    if (accept('~')) {
      expression(PRECEDENCE.length)
      return unknown()
    }
    if (accept('(')) {
      const inner = expression()
      expect(')')
      return inner
    }
    return operand(take())
  }

  function operand({ kind, text }: Token): Condition {
    if (kind === 'pattern') return pattern(text)
    if (kind === 'number') return numeral(text)
    if (kind === 'text') return unknown(/^"[ !#-[\]-~]*"$/.test(text) ? text.slice(1, -1) : UNKNOWN)
    if (kind === 'regex') return unknown()
    if (kind === 'word') return word(text)
    throw new Unsupported(text)
  }

  function word(name: string): Condition {
    if (name === 'any' || name === 'all' || name === 'none') {
      expect('of')
      return ofSet(name)
    }
    const keyword = keywords[name]
    if (keyword !== undefined) return keyword()
    if (READ.test(name) && accept('(')) {
      const offset = expression()
      expect(')')
      const read = integerReader(name)
      return other((subject) => read(subject.bytes, offset.evaluate(subject)))
    }
    if (RESERVED.has(name)) throw new Unsupported(name)
    return identifier(name)
  }

  const keywords: Readonly<Record<string, () => Condition>> = {
    true: () => unknown(TRUE),
    false: () => unknown(FALSE),
    filesize: () => other(({ bytes }) => bytes.length),
    for: loop,
    with: bindings,
  }

  function identifier(name: string): Condition {
    const isLocal = scope.includes(name)
    const rule = isLocal ? undefined : declared.rules.get(name)
    if (rule !== undefined && peek() !== '.') return { ...rule, isPresence: false }
    const first = at
    const args = accessors()
    if (isLocal || !declared.modules.has(name)) return unknown()
    const value = moduleValue(name, tokens.slice(first, at))
    return other((subject) => value(subject.bytes, () => args.map((arg) => arg.evaluate(subject))))
  }

  /** Fields, indexes and calls; returns the arguments of the calls. */
  function accessors(): Condition[] {
    const args: Condition[] = []
    while (/^[.[(]$/.test(peek())) {
      const sign = take().text
      if (sign === '.') take()
      else if (sign === '[') {
        expression()
        expect(']')
      } else args.push(...callArguments())
    }
    return args
  }

  function callArguments(): Condition[] {
    const args: Condition[] = []
    while (!accept(')')) {
      args.push(expression())
      if (peek() !== ')') expect(',')
    }
    return args
  }

  function pattern(text: string): Condition {
    const [sign = '', name = ''] = [text[0], `$${text.slice(1)}`]
    const id = name === '$' ? null : (idOf(name) ?? fail())
    const of = (subject: Subject): number => id ?? subject.current ?? NO_PATTERN
    const needs = id === null ? null : needsOf([id])
    if (sign === '$') return presence(of, needs)
    if (sign === '#') {
      if (accept('in')) range()
      return other((subject) => (subject.mayMatch(of(subject)) ? UNKNOWN : 0))
    }
    if (accept('[')) {
      expression()
      expect(']')
    }
    return other((subject) => (subject.mayMatch(of(subject)) ? UNKNOWN : UNDEFINED))
  }

  function presence(of: (subject: Subject) => number, needs: Condition['needs']): Condition {
    if (accept('in')) {
      range()
      return other((subject) => truth(subject.mayMatch(of(subject))), needs)
    }
    if (accept('at')) {
      const offset = expression(ARITHMETIC_LEVEL)
      return other((subject) => {
        const place = offset.evaluate(subject)
        if (place === UNDEFINED || !subject.mayMatch(of(subject))) return FALSE
        return truth(typeof place !== 'number' || subject.mayMatchAt(of(subject), place))
      }, needs)
    }
    return { evaluate: (subject) => truth(subject.mayMatch(of(subject))), needs, isPresence: true }
  }

  /** The rest of `any of …`. */
  function ofSet(quantifier: Quantifier): Condition {
    const items = set()
    const isIn = accept('in')
    const isAt = !isIn && accept('at')
    if (isIn) range()
    if (isAt) expression(ARITHMETIC_LEVEL)
    return quantified(quantifier, items, isIn || isAt)
  }

  function set(): Condition[] {
    if (accept('them')) return declared.patterns.map(({ id }) => member(id))
    const items: Condition[] = []
    expect('(')
    do {
      const text = peek()
      if (/^\$.*\*$/.test(text)) {
        at++
        items.push(...named(text).map(member))
      } else if (/^\$\w/.test(text) && /^[,)]$/.test(peek(1))) {
        at++
        items.push(member(idOf(text) ?? fail()))
      } else items.push(expression())
    } while (accept(','))
    expect(')')
    return items
  }

  const member = (id: number): Condition & { id: number } => ({
    id,
    evaluate: (subject) => truth(subject.mayMatch(id)),
    needs: needsOf([id]),
    isPresence: true,
  })

  function loop(): Condition {
    const quantifier = loopQuantifier()
    if (accept('of')) {
      const ids = set().map((item) => ('id' in item ? (item.id as number) : fail()))
      expect(':')
      const body = parenthesised()
      const items = ids.map((id) => other((subject) => body.evaluate({ ...subject, current: id })))
      return quantified(quantifier, items, true)
    }
    const names = variables()
    expect('in')
    const source = iterable()
    expect(':')
    const body = inScope(names, parenthesised)
    return other((subject) => {
      if (source.evaluate(subject) === UNDEFINED) return UNDEFINED
      // Over nothing, `all` and `none` may hold whatever the body says.
      if (quantifier !== 'any') return EITHER
      return truth(truthOf(body.evaluate(subject)).may)
    })
  }

  function loopQuantifier(): Quantifier {
    if (accept('any')) return 'any'
    if (accept('all')) return 'all'
    if (accept('none')) return 'none'
    const count = expression(ARITHMETIC_LEVEL + 1)
    return quantifierOf(count, accept('%'))
  }

  function bindings(): Condition {
    const names: string[] = []
    do {
      names.push(take().text)
      expect('=')
      inScope([...names], () => expression())
    } while (accept(','))
    expect(':')
    return inScope(names, parenthesised)
  }

  function variables(): string[] {
    const names = [take().text]
    while (accept(',')) names.push(take().text)
    return names
  }

  function inScope<T>(names: readonly string[], work: () => T): T {
    const outer = scope
    scope = [...outer, ...names]
    const result = work()
    scope = outer
    return result
  }

  function parenthesised(): Condition {
    expect('(')
    const inner = expression()
    expect(')')
    return inner
  }

  /** A range, a list, or an array of a module. */
  function iterable(): Condition {
    if (peek() !== '(') return expression(ARITHMETIC_LEVEL)
    at++
    const items = [expression()]
    const isRange = accept('..')
    if (isRange) items.push(expression())
    else while (accept(',')) items.push(expression())
    expect(')')
    return other((subject) =>
      isRange && items.some((item) => item.evaluate(subject) === UNDEFINED) ? UNDEFINED : UNKNOWN,
    )
  }

  function range(): void {
    expect('(')
    expression()
    expect('..')
    expression()
    expect(')')
  }

  const named = (wanted: string): number[] =>
    declared.patterns.filter(({ name }) => name.startsWith(wanted.slice(0, -1))).map(({ id }) => id)
  const idOf = (name: string): number | undefined => declared.patterns.find((each) => each.name === name)?.id
  const needsOf = (ids: number[]): number[] | null => (ids.every(declared.hasLiterals) ? ids : null)

  const whole = expression()
  if (at < tokens.length) throw new Unsupported(peek())
  return whole
}

const RESERVED = new Set(['of', 'in', 'at', 'them', 'and', 'or', 'not', 'matches', 'entrypoint', 'include', 'import'])

function fail(): never {
  throw new Unsupported('pattern')
}

function numeral(text: string): Condition {
  const unit = text.endsWith('KB') ? 1_024 : text.endsWith('MB') ? 1_048_576 : 1
  const value = Number(text.replace(/[KM]B$/, '')) * unit
  return value <= Number.MAX_SAFE_INTEGER ? { ...unknown(value), constant: value } : unknown()
}

function combine(sign: string, left: Condition, right: Condition): Condition {
  const isPresence = left.isPresence && right.isPresence
  if (sign === 'and') {
    const evaluate = (subject: Subject): Value => {
      const first = truthOf(left.evaluate(subject))
      if (!first.may) return FALSE
      const second = truthOf(right.evaluate(subject))
      return { may: second.may, mayNot: first.mayNot || second.mayNot }
    }
    return { evaluate, needs: better(left.needs, right.needs), isPresence }
  }
  if (sign === 'or') {
    const evaluate = (subject: Subject): Value => {
      const first = truthOf(left.evaluate(subject))
      const second = truthOf(right.evaluate(subject))
      return { may: first.may || second.may, mayNot: first.mayNot && second.mayNot }
    }
    return { evaluate, needs: both(left.needs, right.needs), isPresence }
  }
  const operate = /^(?:[=!<>]=|[<>])$|^[a-z]/.test(sign) ? compare : calculate
  return other((subject) => operate(sign, left.evaluate(subject), right.evaluate(subject)))
}

/** Fewer patterns are seldom in a document together. */
function better(left: Condition['needs'], right: Condition['needs']): Condition['needs'] {
  if (left === null || right === null) return left ?? right
  return left.length <= right.length ? left : right
}

function both(left: Condition['needs'], right: Condition['needs']): Condition['needs'] {
  return left === null || right === null ? null : [...left, ...right]
}

type Quantifier = 'any' | 'all' | 'none' | { count: Condition; isPercent: boolean }

function quantifierOf(count: Condition, isPercent: boolean): Quantifier {
  return { count, isPercent }
}

function quantified(quantifier: Quantifier, items: readonly Condition[], isPlaced: boolean): Condition {
  const mayHold = (subject: Subject): number => items.filter((item) => truthOf(item.evaluate(subject)).may).length
  const united = items.map(({ needs }) => needs).reduce(both, [])
  const arePresent = !isPlaced && items.length > 0 && items.every(({ isPresence }) => isPresence)
  const needs = items.length === 0 ? null : united
  if (quantifier === 'any') return { evaluate: (subject) => truth(mayHold(subject) > 0), needs, isPresence: arePresent }
  if (quantifier === 'none') return unknown(EITHER)
  if (quantifier === 'all') {
    const evaluate = (subject: Subject): Value => truth(items.every((item) => truthOf(item.evaluate(subject)).may))
    return {
      evaluate,
      needs: items.map((item) => item.needs).reduce(better, null),
      isPresence: arePresent,
    }
  }
  const { count, isPercent } = quantifier
  const evaluate = (subject: Subject): Value => {
    const wanted = count.evaluate(subject)
    if (typeof wanted !== 'number') return EITHER
    const least = isPercent ? Math.floor((items.length * wanted) / 100) : wanted
    return truth(mayHold(subject) >= least)
  }
  const isPositive = count.constant !== undefined && count.constant >= 1 && !isPercent
  return { evaluate, needs: isPositive ? needs : null, isPresence: arePresent && isPositive }
}
