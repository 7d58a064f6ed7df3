/** Abstract values of conditions: what is known about a value before the rule engine runs. */

export const TRUE = { may: true, mayNot: false } as const
/** False, or undefined where a boolean is expected. */
export const FALSE = { may: false, mayNot: true } as const
export const EITHER = { may: true, mayNot: true } as const
/** Any value. */
export const UNKNOWN = Symbol('unknown')
/** The undefined value of YARA: comparisons with it are never true, and neither is their negation. */
export const UNDEFINED = Symbol('undefined')
/** Undefined, false, zero or empty. */
export const NOTHING = Symbol('nothing')

interface Truth {
  may: boolean
  mayNot: boolean
}

export type Value = Truth | number | string | typeof UNKNOWN | typeof UNDEFINED | typeof NOTHING

export function truthOf(value: Value): Truth {
  if (typeof value === 'object') return value
  if (value === UNDEFINED || value === NOTHING) return FALSE
  if (typeof value === 'number') return value === 0 ? FALSE : TRUE
  return EITHER
}

export const truth = (may: boolean): Truth => (may ? EITHER : FALSE)

export function not(value: Value): Value {
  if (value === UNDEFINED) return UNDEFINED
  return truth(truthOf(value).mayNot)
}

const COMPARE: Readonly<Record<string, (left: number | string, right: number | string) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
}

export function compare(sign: string, left: Value, right: Value): Value {
  if (left === UNDEFINED || right === UNDEFINED) return UNDEFINED
  if (left === NOTHING && isKnown(right)) return truth(compareKnown(sign, emptyLike(right), right).may)
  if (right === NOTHING && isKnown(left)) return truth(compareKnown(sign, left, emptyLike(left)).may)
  return isKnown(left) && isKnown(right) && typeof left === typeof right ? compareKnown(sign, left, right) : EITHER
}

function compareKnown(sign: string, left: number | string, right: number | string): Truth {
  const holds = COMPARE[sign]
  // The order of strings depends on their bytes.
  const isOrder = typeof left === 'string' && sign !== '==' && sign !== '!='
  if (holds === undefined || isOrder) return EITHER
  if ((isFraction(left) || isFraction(right)) && Math.abs(Number(left) - Number(right)) < ROUNDING) return EITHER
  return holds(left, right) ? TRUE : FALSE
}

const emptyLike = (value: number | string): number | string => (typeof value === 'number' ? 0 : '')

/** Entropy is computed here and there in another order. */
const ROUNDING = 1e-6
const isFraction = (value: number | string): boolean => typeof value === 'number' && !Number.isInteger(value)

const isKnown = (value: Value): value is number | string => typeof value === 'number' || typeof value === 'string'

/** Exact for small integers. Everything else is unknown, because YARA computes with 64 bits. */
export function calculate(sign: string, left: Value, right: Value): Value {
  if (left === UNDEFINED || right === UNDEFINED) return UNDEFINED
  if (typeof left !== 'number' || typeof right !== 'number') return UNKNOWN
  if (!Number.isInteger(left) || !Number.isInteger(right)) return UNKNOWN
  const isBitwise = /[&|^]/.test(sign)
  if (isBitwise && Math.max(left, right) > 0xffff_ffff) return UNKNOWN
  if (isBitwise && Math.min(left, right) < 0) return UNKNOWN
  const result = CALCULATE[sign]?.(left, right) ?? Number.NaN
  return Number.isSafeInteger(result) ? result : UNKNOWN
}

const CALCULATE: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '&': (left, right) => (left & right) >>> 0,
  '|': (left, right) => (left | right) >>> 0,
  '^': (left, right) => (left ^ right) >>> 0,
}

/** `uint16`, `int32be` and the like. */
export const READ = /^(u?)int(8|16|32)(be)?$/

type Read = (bytes: Uint8Array, offset: Value) => Value

/** The function of this name. Undefined past the end of the data. */
export function integerReader(name: string): Read {
  const [, unsigned = '', bits = '8', bigEndian = ''] = READ.exec(name) ?? []
  const size = Number(bits) / 8
  const read = (bytes: Uint8Array, offset: number): number => {
    let value = 0
    for (let i = 0; i < size; i++)
      value = value * 256 + (bytes[bigEndian ? offset + i : offset + size - 1 - i] as number)
    return value
  }
  return (bytes, offset) => {
    if (offset === UNDEFINED) return UNDEFINED
    if (typeof offset !== 'number' || !Number.isInteger(offset)) return UNKNOWN
    if (offset < 0 || offset + size > bytes.length) return UNDEFINED
    const value = read(bytes, offset)
    return unsigned || value < 2 ** (size * 8 - 1) ? value : value - 2 ** (size * 8)
  }
}
