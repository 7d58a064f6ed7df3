/** Operators of JavaScript on values that may be unknown. */

import { concatenated, isComposite, isUnknown, numberOf, textOf, UNKNOWN, type Value } from './values.ts'

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
  if (operator === '+') return sum(left, right)
  if (isUnknown(left) || isUnknown(right)) return UNKNOWN
  const numeric = NUMERIC[operator]
  if (numeric !== undefined) return numeric(numberOf(left), numberOf(right))
  const order = ORDER[operator]
  if (order !== undefined) {
    const areTexts = typeof left === 'string' && typeof right === 'string'
    return areTexts ? order(left, right) : order(numberOf(left), numberOf(right))
  }
  if (operator === '==' || operator === '===') return areEqual(left, right, operator === '===')
  if (operator === '!=' || operator === '!==') return !areEqual(left, right, operator === '!==')
  return UNKNOWN
}

function sum(left: Value, right: Value): Value {
  const isNumber = (value: Value): boolean => !isComposite(value) && typeof value !== 'string'
  if (isNumber(left) && isNumber(right)) return numberOf(left) + numberOf(right)
  return concatenated(left, right)
}

function areEqual(left: Value, right: Value, isStrict: boolean): boolean {
  if (left === right) return true
  if (isStrict || left === null || right === null || left === undefined || right === undefined)
    return !isStrict && (left ?? null) === null && (right ?? null) === null
  if (isComposite(left) && isComposite(right)) return false
  const areTexts = typeof left === 'string' && typeof right === 'string'
  if (areTexts) return false
  return isComposite(left) || isComposite(right) ? textOf(left) === textOf(right) : numberOf(left) === numberOf(right)
}

export function unary(operator: string, value: Value): Value {
  if (operator === 'void') return undefined
  if (operator === 'await' || operator === 'yield') return value
  if (operator === 'typeof') return typeOf(value)
  if (operator === 'delete') return true
  if (isUnknown(value)) return UNKNOWN
  if (operator === '!') return isComposite(value) ? false : !value
  if (operator === '~') return ~numberOf(value)
  return operator === '-' ? -numberOf(value) : numberOf(value)
}

function typeOf(value: Value): Value {
  if (isUnknown(value)) return UNKNOWN
  if (!isComposite(value)) return value === null ? 'object' : typeof value
  return value.kind === 'function' || value.kind === 'method' ? 'function' : 'object'
}
