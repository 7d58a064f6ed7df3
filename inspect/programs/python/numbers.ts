/** Numbers of Python as bytes and texts, and back. */

import { spend, store } from '../javascript/budget.ts'
import { GAP } from './tokens.ts'
import { BITS_MAX, bigNumber, bigOf, DECODED, known, type NumberValue, number, type Value } from './values.ts'

const DIGIT_WORK = 20
/** Reading decimal digits takes longer the more there are. */
const DECIMAL_WORK = 0.02
/** For each that is packed. */
const NUMBER_WORK = 6_000
const BYTES_MAX = BITS_MAX / 8

/** What holds the numbers and texts that are packed. */
type Compute = (given: readonly Value[]) => Value | null

const numberIn = (value: Value | undefined): number | null => (value?.kind === 'number' ? value.number : null)
const textIn = (value: Value | undefined): string | null =>
  value?.kind === 'text' && !value.text.includes(GAP) ? value.text : null

const DIGITS = /^[+-]?(?:0[xbo])?[\da-z_]+$/i
const PREFIXES: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 16: '0x' }

/** `int(text, base)`. */
export const toNumber: Compute = ([first, base]) => {
  if (first?.kind === 'number') return first.big === undefined ? number(Math.trunc(first.number)) : first
  const text = textIn(first)?.trim()
  if (text === undefined || !DIGITS.test(text)) return null
  const digits = text.replace(/^[+-]?(?:0[xbo])?/i, '').replaceAll('_', '')
  const by = numberIn(base) || (base === undefined ? 10 : 16)
  const value = Number.parseInt(digits, by)
  if (Number.isNaN(value)) return null
  const prefix = by === 10 ? '' : PREFIXES[by]
  if (Number.isSafeInteger(value) || prefix === undefined || digits.length * 4 > BITS_MAX)
    return number(text.startsWith('-') ? -value : value)
  spend(digits.length * (DIGIT_WORK + digits.length * DECIMAL_WORK))
  try {
    return bigNumber(BigInt(prefix + digits))
  } catch {
    return null
  }
}

/** `int.from_bytes(bytes, order)`. */
export const fromBytes: Compute = ([bytes, order]) => {
  const text = textIn(bytes)
  if (text === null || text.length > BYTES_MAX) return null
  spend(text.length * DIGIT_WORK)
  const all = Buffer.from(text, 'latin1')
  if (textIn(order) === 'little') all.reverse()
  return bigNumber(BigInt(`0x0${all.toString('hex')}`))
}

/** The result of a method of a number; null: it is not one of these. */
export function foldNumber(self: NumberValue, method: string, given: readonly Value[]): Value | null {
  const value = bigOf(self)
  if (value === null || value < 0n) return null
  const digits = value.toString(16)
  spend(digits.length * DIGIT_WORK)
  if (method === 'bit_length') return number(value === 0n ? 0 : value.toString(2).length)
  return method === 'to_bytes' ? asBytes(digits, numberIn(given[0]) ?? 1, textIn(given[1]) ?? 'big') : null
}

function asBytes(digits: string, length: number, order: string): Value | null {
  if (!(length >= 0 && length <= BYTES_MAX)) return null
  store(length * 2)
  const bytes = Buffer.from(digits.padStart(length * 2, '0'), 'hex')
  if (order === 'little') bytes.reverse()
  return known(bytes.toString('latin1'), true, DECODED)
}

export function hexOf(value: NumberValue): string {
  const big = bigOf(value)
  return big === null ? value.number.toString(16) : big.toString(16)
}

const PLACE = /(\d{0,6})([a-zA-Z?])/g
/** Bytes of a number by the letter for it. */
const SIZES: Readonly<Record<string, number>> = { b: 1, B: 1, h: 2, H: 2, i: 4, I: 4, l: 4, L: 4, q: 8, Q: 8 }

/** `struct.pack(format, …)`, of whole numbers and bytes. */
export const packed: Compute = ([format, ...given]) => {
  const written = textIn(format)
  if (written === null) return null
  const isBig = /^[>!]/.test(written)
  const left = [...given]
  const parts = [...written.matchAll(PLACE)].map(([, count = '', letter = '']) =>
    partOf(letter, count === '' ? 1 : Number(count), left, isBig),
  )
  const whole = parts.filter((part) => part !== null)
  return whole.length < parts.length ? null : known(Buffer.concat(whole).toString('latin1'), true, DECODED)
}

/** Takes what it packs from the values that are left. */
function partOf(letter: string, times: number, left: Value[], isBig: boolean): Buffer | null {
  const size = SIZES[letter]
  if (times > BYTES_MAX) return null
  spend(times * NUMBER_WORK)
  store(times * (size ?? 1))
  if (letter === 'x') return Buffer.alloc(times)
  if (letter === 's') {
    const text = textIn(left.shift())
    return text === null ? null : Buffer.from(text.slice(0, times).padEnd(times, '\0'), 'latin1')
  }
  if (size === undefined) return null
  const numbers = Array.from({ length: times }, () => bytesOf(left.shift(), size, isBig))
  const all = numbers.filter((each) => each !== null)
  return all.length < times ? null : Buffer.concat(all)
}

function bytesOf(value: Value | undefined, size: number, isBig: boolean): Buffer | null {
  const whole = value?.kind === 'number' ? bigOf(value) : null
  if (whole === null) return null
  const bytes = Buffer.from(
    BigInt.asUintN(size * 8, whole)
      .toString(16)
      .padStart(size * 2, '0'),
    'hex',
  )
  return isBig ? bytes : bytes.reverse()
}
