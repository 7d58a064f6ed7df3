/** Operators of Visual Basic on values that may be unknown. */

import { answer, isAnswer, isCertain, roundEven, toCondition, toNumber, toText, type Value } from './values.ts'

type Operator = (left: Value, right: Value) => Value

const arithmetic =
  (compute: (a: number, b: number) => number): Operator =>
  (left, right) => {
    const [a, b] = [toNumber(left), toNumber(right)]
    const result = a === undefined || b === undefined ? undefined : compute(a, b)
    return result === undefined || Number.isNaN(result) ? undefined : result
  }

/** On 32-bit integers, as VBA does for everything that is not LongLong. */
const bitwise = (compute: (a: number, b: number) => number): Operator =>
  arithmetic((a, b) => compute(roundEven(a) | 0, roundEven(b) | 0))

const comparison =
  (holds: (order: number) => boolean): Operator =>
  (left, right) => {
    if (isAnswer(left) || isAnswer(right)) return answer()
    if (!isCertain(left) || !isCertain(right)) return undefined
    return holds(orderOf(left, right))
  }

/** Negative: the first is less. Two texts are compared as such, also where both are numbers. */
function orderOf(left: Value, right: Value): number {
  if (typeof left !== 'string' || typeof right !== 'string') {
    const [a, b] = [toNumber(left), toNumber(right)]
    if (a !== undefined && b !== undefined) return a - b
  }
  const [c, d] = [toText(left), toText(right)]
  return c < d ? -1 : c > d ? 1 : 0
}

/** `+` joins texts, and adds otherwise. */
const add: Operator = (left, right) => {
  if (typeof left === 'string' && typeof right === 'string') return left + right
  const sum = OPERATORS['+number']?.(left, right)
  if (sum !== undefined) return sum
  return typeof left === 'string' || typeof right === 'string' ? toText(left) + toText(right) : undefined
}

/** A known side decides where it can. */
const logical =
  (decides: boolean, compute: (a: number, b: number) => number): Operator =>
  (left, right) => {
    const known = bitwise(compute)(left, right)
    if (known !== undefined) return typeof left === 'boolean' && typeof right === 'boolean' ? known !== 0 : known
    return toCondition(left) === decides || toCondition(right) === decides ? decides : undefined
  }

const xor: Operator = (left, right) => {
  const result = bitwise((a, b) => a ^ b)(left, right)
  return typeof left === 'boolean' && typeof right === 'boolean' && result !== undefined ? result !== 0 : result
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  '&': (left, right) => toText(left) + toText(right),
  '+': add,
  '+number': arithmetic((a, b) => a + b),
  '-': arithmetic((a, b) => a - b),
  '*': arithmetic((a, b) => a * b),
  '/': arithmetic((a, b) => (b === 0 ? Number.NaN : a / b)),
  '\\': arithmetic((a, b) => (roundEven(b) === 0 ? Number.NaN : Math.trunc(roundEven(a) / roundEven(b)))),
  mod: arithmetic((a, b) => (roundEven(b) === 0 ? Number.NaN : roundEven(a) % roundEven(b))),
  '^': arithmetic((a, b) => a ** b),
  '=': comparison((order) => order === 0),
  '<>': comparison((order) => order !== 0),
  '<': comparison((order) => order < 0),
  '>': comparison((order) => order > 0),
  '<=': comparison((order) => order <= 0),
  '=<': comparison((order) => order <= 0),
  '>=': comparison((order) => order >= 0),
  '=>': comparison((order) => order >= 0),
  like: () => undefined,
  is: () => undefined,
  and: logical(false, (a, b) => a & b),
  or: logical(true, (a, b) => a | b),
  xor,
  eqv: bitwise((a, b) => ~(a ^ b)),
  imp: bitwise((a, b) => ~a | b),
}

export function applyOperator(operator: string, left: Value, right: Value): Value {
  return OPERATORS[operator]?.(left, right)
}

export function applyUnary(operator: string, operand: Value): Value {
  if (operator === 'not') {
    const number = toNumber(operand)
    if (number === undefined) return undefined
    return typeof operand === 'boolean' ? !operand : ~number
  }
  const number = toNumber(operand)
  return number === undefined ? undefined : operator === '-' ? -number : number
}
