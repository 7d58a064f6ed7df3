/** Locates lists of byte values in scripts: `Uint8Array([77, 0x5a, …])`. */

import { charge } from '#inspect/core/work.ts'

/** Shorter lists are dates, colours and versions. */
const VALUES_MIN = 24
const DIGITS_MAX = 3
/** Bytes of the shortest list that counts: digits, and commas between them. */
const RUN_MIN = 2 * VALUES_MIN - 1
/** Work for each byte that is looked at, for each comma, and for each byte of a list. */
const LOOK_WORK = 2
const COMMA_WORK = 25
const BYTE_WORK = 15
const COMMA = 0x2c
const SPACE = 0x20
const ZERO = 0x30
const LETTER_X = 0x78
/** Bytes of lists. */
const IN_LIST = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= SPACE || byte === COMMA || (byte | 0x20) === LETTER_X || hexValue(byte) >= 0 ? 1 : 0,
)

export function* byteListsOf(bytes: Uint8Array): Generator<{ start: number; end: number; file: Uint8Array }> {
  charge(bytes.length / RUN_MIN)
  // Every run of that length has one of these bytes.
  for (let at = RUN_MIN - 1; at < bytes.length; at += RUN_MIN) {
    if (IN_LIST[bytes[at] as number] === 0) continue
    let [from, to] = [at, at + 1]
    while (from > 0 && IN_LIST[bytes[from - 1] as number] === 1) from -= 1
    while (to < bytes.length && IN_LIST[bytes[to] as number] === 1) to += 1
    charge((to - from) * LOOK_WORK)
    if (to - from >= RUN_MIN) yield* listsIn(bytes, from, to)
    at = to
  }
}

function* listsIn(bytes: Uint8Array, from: number, to: number): ReturnType<typeof byteListsOf> {
  for (let at = nextComma(bytes, from, to); at !== -1; at = nextComma(bytes, at, to)) {
    const start = valueStart(bytes, at)
    const { end, count } = listEnd(bytes, start)
    charge((end - start) * BYTE_WORK)
    if (count >= VALUES_MIN) yield { start, end, file: valuesOf(bytes, start, count) }
    at = Math.max(at + 1, end - 1)
  }
}

/** The next comma before a digit; most are between words. -1 if there is none. */
function nextComma(bytes: Uint8Array, from: number, to: number): number {
  // Where every fifth byte is a comma, a native search takes longer.
  for (let at = from; at < to; at++) {
    if (bytes[at] !== COMMA) continue
    charge(COMMA_WORK)
    const next = bytes[spacesEnd(bytes, at + 1)] ?? 0
    if (next >= ZERO && next <= 0x39) return at
  }
  return -1
}

/** The end is after the comma behind the last value. */
function listEnd(bytes: Uint8Array, start: number): { end: number; count: number } {
  let [end, count] = [start, 0]
  for (let value = valueEnd(bytes, start); value !== -1; value = valueEnd(bytes, end)) {
    count += 1
    const comma = spacesEnd(bytes, value)
    end = comma + 1
    if (bytes[comma] !== COMMA) break
  }
  return { end, count }
}

function valuesOf(bytes: Uint8Array, start: number, count: number): Uint8Array {
  const values = new Uint8Array(count)
  let at = start
  for (let index = 0; index < count; index++) {
    values[index] = codeAt(bytes, spacesEnd(bytes, at))
    at = spacesEnd(bytes, valueEnd(bytes, at)) + 1
  }
  return values
}

/** Start of the value that ends before a comma. */
function valueStart(bytes: Uint8Array, comma: number): number {
  let end = comma
  while (end > 0 && (bytes[end - 1] ?? 0xff) <= SPACE) end -= 1
  let start = end
  while (start > 0 && end - start < DIGITS_MAX + 1 && hexValue(bytes[start - 1]) >= 0) start -= 1
  return bytes[start - 1] === LETTER_X && bytes[start - 2] === ZERO ? start - 2 : start
}

/** The end of the value of one byte after white space; -1 if none is there. */
function valueEnd(bytes: Uint8Array, from: number): number {
  const start = spacesEnd(bytes, from)
  const isHex = isHexAt(bytes, start)
  const first = isHex ? start + 2 : start
  const base = isHex ? 16 : 10
  let end = first
  for (let digit = hexValue(bytes[end]); digit >= 0 && digit < base; ) digit = hexValue(bytes[++end])
  return end > first && end - first <= DIGITS_MAX && codeAt(bytes, start) <= 0xff ? end : -1
}

function codeAt(bytes: Uint8Array, start: number): number {
  const isHex = isHexAt(bytes, start)
  const base = isHex ? 16 : 10
  let code = 0
  let at = isHex ? start + 2 : start
  for (let digit = hexValue(bytes[at]); digit >= 0 && digit < base; digit = hexValue(bytes[++at]))
    code = code * base + digit
  return code
}

function isHexAt(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === ZERO && ((bytes[start + 1] ?? 0) | 0x20) === LETTER_X
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
