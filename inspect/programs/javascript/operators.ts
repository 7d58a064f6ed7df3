/** Operators of JavaScript on values that may be unknown. */

import { spend } from './budget.ts'
import {
  CUT_NUMBER,
  combine,
  concatenated,
  isAlternatives,
  isComposite,
  isLossy,
  isUnknown,
  joinValues,
  numberOf,
  textOf,
  UNKNOWN,
  type Value,
} from './values.ts'

type Numeric = (a: number, b: number) => number

const NUMERIC: Readonly<Record<string, Numeric>> = {
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => a >>> b,
}

const ORDER: Readonly<Record<string, (a: number | string, b: number | string) => boolean>> = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
}

export function binary(operator: string, left: Value, right: Value): Value {
  if (isAlternatives(left) || isAlternatives(right))
    return combine([left, right], ([a, b]) => plainBinary(operator, a, b))
  return plainBinary(operator, left, right)
}

function plainBinary(operator: string, left: Value, right: Value): Value {
  if (operator === '+') return sum(left, right)
  const numeric = NUMERIC[operator]
  if (isUnknown(left) || isUnknown(right)) return numeric === undefined ? UNKNOWN : unknownNumber(left, right)
  if (numeric !== undefined) return numeric(numberOf(left), numberOf(right))
  const order = ORDER[operator]
  if (order !== undefined) return inOrder(order, left, right)
  if (operator === '==' || operator === '===') return areEqual(left, right, operator === '===')
  if (operator === '!=' || operator === '!==') return !areEqual(left, right, operator === '!==')
  return UNKNOWN
}

/** Unknown, because of a limit if one of the values is. */
function unknownNumber(...values: readonly Value[]): Value {
  return values.some(isLossy) ? CUT_NUMBER : UNKNOWN
}

function sum(left: Value, right: Value): Value {
  const isNumber = (value: Value): boolean => !isComposite(value) && typeof value !== 'string'
  if (isNumber(left) && isNumber(right)) return numberOf(left) + numberOf(right)
  return concatenated(left, right)
}

function inOrder(order: (a: number | string, b: number | string) => boolean, left: Value, right: Value): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return order(numberOf(left), numberOf(right))
  spend(Math.min(left.length, right.length))
  return order(left, right)
}

function areEqual(left: Value, right: Value, isStrict: boolean): boolean {
  if (typeof left === 'string' && typeof right === 'string') return areSameTexts(left, right)
  if (left === right) return true
  if (isStrict || left === null || right === null || left === undefined || right === undefined)
    return !isStrict && (left ?? null) === null && (right ?? null) === null
  if (isComposite(left) && isComposite(right)) return false
  if (!isComposite(left) && !isComposite(right)) return numberOf(left) === numberOf(right)
  const primitive = isComposite(left) ? right : left
  if (typeof primitive !== 'string') return numberOf(plainOf(left)) === numberOf(plainOf(right))
  return areSameTexts(textOf(left), textOf(right))
}

const plainOf = (value: Value): Value => (isComposite(value) ? textOf(value) : value)

export function areSameTexts(left: string | null, right: string | null): boolean {
  if (left === null || right === null || left.length !== right.length) return left === right
  spend(left.length)
  return left === right
}

export function unary(operator: string, value: Value): Value {
  if (isAlternatives(value)) return joinValues(value.values.map((each) => unary(operator, each)))
  if (operator === 'void') return undefined
  if (operator === 'await' || operator === 'yield') return value
  if (operator === 'typeof') return typeOf(value)
  if (operator === 'delete') return true
  if (isUnknown(value)) return operator === '!' ? UNKNOWN : unknownNumber(value)
  if (operator === '!') return isComposite(value) ? false : !value
  if (operator === '~') return ~numberOf(value)
  return operator === '-' ? -numberOf(value) : numberOf(value)
}

function typeOf(value: Value): Value {
  if (isUnknown(value)) return UNKNOWN
  if (!isComposite(value)) return value === null ? 'object' : typeof value
  return value.kind === 'function' || value.kind === 'method' ? 'function' : 'object'
}
