/** Operators of Python. */

import { indexOf } from '#inspect/core/search.ts'
import { spend } from '../javascript/budget.ts'
import { inserted, itemsIn } from './functions.ts'
import { GAP } from './tokens.ts'
import {
  anyOf,
  areSameTexts,
  asText,
  BITS_MAX,
  bigNumber,
  bigOf,
  CUT,
  combined,
  type NumberValue,
  number,
  originOf,
  rowsOf,
  TEXT_MAX,
  type TextValue,
  textWith,
  UNKNOWN,
  unknown,
  type Value,
} from './values.ts'

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '//': (a, b) => Math.floor(a / b),
  '%': (a, b) => a - b * Math.floor(a / b),
  '**': (a, b) => a ** b,
  '^': (a, b) => Number(BigInt.asIntN(64, whole(a) ^ whole(b))),
  '&': (a, b) => Number(BigInt.asIntN(64, whole(a) & whole(b))),
  '|': (a, b) => Number(BigInt.asIntN(64, whole(a) | whole(b))),
  '<<': (a, b) => a * 2 ** b,
  '>>': (a, b) => Math.floor(a / 2 ** b),
}
const whole = (value: number): bigint => BigInt(Number.isFinite(value) ? Math.trunc(value) : 0)

/** Of whole numbers that JavaScript would round. */
const WHOLE: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '//': (a, b) => (b === 0n ? 0n : a / b),
  '%': (a, b) => (b === 0n ? 0n : a % b),
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '<<': (a, b) => (b >= 0n && b <= BITS_MAX ? a << b : 0n),
  '>>': (a, b) => (b >= 0n && b <= BITS_MAX ? a >> b : 0n),
}
const DIGIT_WORK = 2

/** null: none of them is large. */
function wholly(sign: string, left: NumberValue, right: NumberValue): Value | null {
  const compute = WHOLE[sign]
  const [a, b] = [bigOf(left), bigOf(right)]
  const isLarge =
    left.big !== undefined ||
    right.big !== undefined ||
    (sign === '<<' && left.number * 2 ** right.number > Number.MAX_SAFE_INTEGER)
  if (compute === undefined || a === null || b === null || !isLarge) return null
  spend((bitsOf(a) + bitsOf(b)) * (sign === '*' || sign === '//' || sign === '%' ? bitsOf(b) / 32 + 1 : 1) * DIGIT_WORK)
  return bigNumber(compute(a, b))
}

const bitsOf = (value: bigint): number => value.toString(16).length * 4

const COMPARISONS: Readonly<Record<string, <T>(a: T, b: T) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  is: (a, b) => a === b,
  'is not': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
}

export function operate(sign: string, left: Value, right: Value): Value {
  const given = sign === '%' ? anyOf(rowsOf(right)) : right
  return combined(
    [left, given],
    (a = UNKNOWN, b = UNKNOWN) => computed(sign, a, b) ?? unknown(originOf(a) | originOf(b)),
  )
}

function computed(sign: string, left: Value, right: Value): Value | null {
  const compare = COMPARISONS[sign]
  if (compare !== undefined) return compared(compare, left, right)
  if (left.kind === 'number' && right.kind === 'number') {
    const whole = wholly(sign, left, right)
    if (whole !== null) return whole
    const result = ARITHMETIC[sign]?.(left.number, right.number)
    return result === undefined || Number.isNaN(result) ? null : number(result)
  }
  if (sign === '+') return added(left, right)
  if (sign === '%' && left.kind === 'text') return inserted(left, right)
  if (sign === '*') return repeated(left, right) ?? repeated(right, left)
  return sign === 'in' || sign === 'not in' ? contained(left, right, sign === 'in') : null
}

function compared(compare: <T>(a: T, b: T) => boolean, left: Value, right: Value): Value | null {
  if (left.kind === 'number' && right.kind === 'number') return number(Number(compare(left.number, right.number)))
  if (left.kind !== 'text' || right.kind !== 'text' || left.text.includes(GAP) || right.text.includes(GAP)) return null
  spend(Math.min(left.text.length, right.text.length))
  return number(Number(compare(left.text, right.text)))
}

const isTextual = (value: Value): boolean => value.kind === 'text' || value.kind === 'name'

function added(left: Value, right: Value): Value | null {
  if (left.kind === 'items' && right.kind === 'items') {
    spend(left.items.length + right.items.length)
    return left.items.length + right.items.length > TEXT_MAX / 10
      ? unknown(CUT)
      : { kind: 'items', items: [...left.items, ...right.items] }
  }
  if ((left.kind !== 'text' && right.kind !== 'text') || !isTextual(left) || !isTextual(right)) return null
  const origin = originOf(left) | originOf(right)
  const [one, other] = [asText(left), asText(right)]
  if (one.length + other.length > TEXT_MAX) return unknown(origin | CUT)
  return textWith(
    one + other,
    [left, right].some((each) => each.kind === 'text' && each.isBytes),
    origin,
  )
}

function repeated(value: Value, count: Value): Value | null {
  if (count.kind !== 'number') return null
  const times = Math.max(0, Math.trunc(count.number))
  if (value.kind === 'text') {
    if (value.text.length * times > TEXT_MAX) return unknown(value.origin | CUT)
    return textWith(value.text.repeat(times), value.isBytes, value.origin)
  }
  if (value.kind !== 'items') return null
  if (value.items.length * times > TEXT_MAX / 10) return unknown(CUT)
  spend(value.items.length * times)
  return { kind: 'items', items: Array.from({ length: times }, () => value.items).flat() }
}

function contained(part: Value, all: Value, isIn: boolean): Value | null {
  if (part.kind !== 'text' || part.text.includes(GAP)) return null
  if (all.kind === 'text')
    return all.text.includes(GAP) ? null : number(Number((indexOf(all.text, part.text, 0, spend) !== -1) === isIn))
  if (all.kind !== 'items' && all.kind !== 'entries') return null
  const items = itemsIn(all) ?? []
  spend(items.length)
  if (!items.every((each) => each.kind === 'text')) return null
  return number(Number(items.some((each) => areSameTexts((each as TextValue).text, part.text)) === isIn))
}
