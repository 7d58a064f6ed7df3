/** Locates lists of byte values in scripts: `Uint8Array([77, 0x5a, …])`. */

import { charge } from '#inspect/core/work.ts'

/** Shorter lists are dates, colours and versions. */
const VALUES_MIN = 24
const DIGITS_MAX = 3
/** Work for each list and for each of its bytes. */
const LIST_WORK = 150
const BYTE_WORK = 15
const COMMA = 0x2c
const SPACE = 0x20
const ZERO = 0x30
const LETTER_X = 0x78

interface Value {
  code: number
  end: number
}

export function* byteListsOf(bytes: Uint8Array): Generator<{ start: number; end: number; file: Uint8Array }> {
  for (let at = bytes.indexOf(COMMA); at !== -1; at = bytes.indexOf(COMMA, at)) {
    const start = valueStart(bytes, at)
    const values: number[] = []
    let end = at + 1
    for (let value = valueAt(bytes, start); value !== null; value = valueAt(bytes, end)) {
      values.push(value.code)
      const comma = spacesEnd(bytes, value.end)
      end = comma + 1
      if (bytes[comma] !== COMMA) break
    }
    if (values.length >= VALUES_MIN) yield { start, end, file: Uint8Array.from(values) }
    charge(LIST_WORK + (end - start) * BYTE_WORK)
    at = Math.max(at + 1, end - 1)
  }
}

/** Start of the value that ends before a comma. */
function valueStart(bytes: Uint8Array, comma: number): number {
  let end = comma
  while (end > 0 && (bytes[end - 1] ?? 0xff) <= SPACE) end -= 1
  let start = end
  while (start > 0 && end - start < DIGITS_MAX + 1 && hexValue(bytes[start - 1]) >= 0) start -= 1
  return bytes[start - 1] === LETTER_X && bytes[start - 2] === ZERO ? start - 2 : start
}

function valueAt(bytes: Uint8Array, from: number): Value | null {
  const start = spacesEnd(bytes, from)
  const isHex = bytes[start] === ZERO && ((bytes[start + 1] ?? 0) | 0x20) === LETTER_X
  const first = isHex ? start + 2 : start
  const base = isHex ? 16 : 10
  let code = 0
  let end = first
  for (let digit = hexValue(bytes[end]); digit >= 0 && digit < base; digit = hexValue(bytes[++end]))
    code = code * base + digit
  return end > first && end - first <= DIGITS_MAX && code <= 0xff ? { code, end } : null
}

function hexValue(byte = 0): number {
  if (byte >= ZERO && byte <= 0x39) return byte - ZERO
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

function spacesEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && (bytes[at] as number) <= SPACE) at += 1
  return at
}
