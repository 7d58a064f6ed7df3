/** Locates long sequences of Base64 digits that no declaration and no file signature identifies. */

import type { Survey } from '#inspect/core/matcher/classes.ts'
import { CHUNK_BYTES } from '#inspect/core/matcher/instance.ts'
import { charge } from '#inspect/core/work.ts'
import { DIGITS } from './survey.ts'

/** Work for each run, and for each of its bytes. */
const RUN_WORK = 2_000
const BYTE_WORK = 10

/** Shorter ones are words and identifiers. */
const LONG_RUN_MIN = 48

const DIGIT = Uint8Array.from({ length: 256 }, (_, code) => (DIGITS.test(String.fromCharCode(code)) ? 1 : 0))
const SPACE = Uint8Array.from({ length: 256 }, (_, code) => (/[\t\n\r ]/.test(String.fromCharCode(code)) ? 1 : 0))
const NO_DIGIT = 0xff
const DIGIT_OR_SPACE = DIGIT.map((isDigit, code) => isDigit | (SPACE[code] as number))

/** Each continues over line ends. A run that ends before the last byte of the shortest one is skipped unread. */
export function* longRunsOf(bytes: Uint8Array, survey: Survey): Generator<{ start: number; end: number }> {
  let from = 0
  for (const chunk of survey.longRunChunks) {
    const to = Math.min(chunk + CHUNK_BYTES, bytes.length - LONG_RUN_MIN + 1)
    // A run that reaches further back is in the chunk before, too.
    from = nextStart(bytes, Math.max(from, chunk - LONG_RUN_MIN), to)
    while (from < to) {
      const start = from
      const end = linesEnd(bytes, start + LONG_RUN_MIN)
      charge(RUN_WORK + (end - start) * BYTE_WORK)
      yield { start, end }
      from = nextStart(bytes, end, to)
    }
  }
}

/** The next start of a run before `to`; none if it is not before it. Outside the generator, where the loop is a third faster. */
function nextStart(bytes: Uint8Array, begin: number, to: number): number {
  let from = begin
  while (from < to) {
    let start = from + LONG_RUN_MIN
    while (start > from && DIGIT[bytes[start - 1] as number] === 1) start -= 1
    if (start === from) return from
    from = start
  }
  return from
}

const VALUES = Uint8Array.from({ length: 256 }, (_, code) => {
  const char = String.fromCharCode(code)
  const value = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(char)
  return char === '-' ? 62 : char === '_' ? 63 : value === -1 ? NO_DIGIT : value
})
/** Texts have thousands of short runs, and a buffer for each takes longer than decoding it. */
let scratch = new Uint8Array(65_536)

/** Decodes a run, also with the digits of URLs. The result is valid until the next call. */
export function decodeRun(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (scratch.length < end - start) scratch = new Uint8Array(end - start)
  let [length, group, digits] = [0, 0, 0]
  for (let at = start; at < end; at++) {
    const value = VALUES[bytes[at] as number] as number
    if (value === NO_DIGIT) continue
    group = ((group << 6) | value) & 0xff_ffff
    digits = (digits + 1) & 3
    if (digits !== 1) scratch[length++] = (group >> ((8 - 2 * digits) & 7)) & 0xff
  }
  return scratch.subarray(0, length)
}

/** Whether a run fills an XML element. */
export function isWholeElement(bytes: Uint8Array, start: number, end: number): boolean {
  let [before, after] = [start - 1, end]
  while (SPACE[bytes[before] ?? 0] === 1) before -= 1
  while (bytes[after] === EQUALS || SPACE[bytes[after] ?? 0] === 1) after += 1
  return bytes[before] === GREATER && bytes[after] === LESS
}

const EQUALS = 0x3d
const LESS = 0x3c
const GREATER = 0x3e

function linesEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && DIGIT_OR_SPACE[bytes[at] as number] === 1) at += 1
  return at
}
