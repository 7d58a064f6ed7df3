/** The condition of a rule as a test that is never false where the rule engine would say true. */

import { calculate, compare, EITHER, FALSE, truth, truthOf, UNKNOWN, type Value } from './condition-values.ts'

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

export const unknown = (value: Value = UNKNOWN): Condition => other(() => value)
export const other = (evaluate: Condition['evaluate'], needs: Condition['needs'] = null): Condition => ({
  evaluate,
  needs,
  isPresence: false,
})

export function numeral(text: string): Condition {
  const unit = text.endsWith('KB') ? 1_024 : text.endsWith('MB') ? 1_048_576 : 1
  const value = Number(text.replace(/[KM]B$/, '')) * unit
  return value <= Number.MAX_SAFE_INTEGER ? { ...unknown(value), constant: value } : unknown()
}

export function combine(sign: string, left: Condition, right: Condition): Condition {
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

export type Quantifier = 'any' | 'all' | 'none' | { count: Condition; isPercent: boolean }

export function quantified(quantifier: Quantifier, items: readonly Condition[], isPlaced: boolean): Condition {
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
