/** Locates long sequences of Base64 digits that no declaration and no file signature identifies. */

import { charge } from '#inspect/core/work.ts'

/** Work for each run, and for each of its bytes. */
const RUN_WORK = 1_500
const BYTE_WORK = 12

/** Shorter ones are words and identifiers. */
const LONG_RUN_MIN = 48

const DIGIT = Uint8Array.from({ length: 256 }, (_, code) => (/[\w+/-]/.test(String.fromCharCode(code)) ? 1 : 0))
const SPACE = Uint8Array.from({ length: 256 }, (_, code) => (/[\t\n\r ]/.test(String.fromCharCode(code)) ? 1 : 0))

/** Each continues over line ends. Every run includes a sampled offset. */
export function* longRunsOf(bytes: Uint8Array): Generator<{ start: number; end: number }> {
  let from = 0
  for (let at = 0; at < bytes.length; at = Math.max(at, from) + LONG_RUN_MIN) {
    if (DIGIT[bytes[at] as number] === 0) continue
    let start = at
    while (start > from && DIGIT[bytes[start - 1] as number] === 1) start -= 1
    const end = digitsEnd(bytes, at)
    if (end - start < LONG_RUN_MIN) continue
    from = linesEnd(bytes, end)
    charge(RUN_WORK + (from - start) * BYTE_WORK)
    yield { start, end: from }
  }
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

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && DIGIT[bytes[at] as number] === 1) at += 1
  return at
}

function linesEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && (DIGIT[bytes[at] as number] === 1 || SPACE[bytes[at] as number] === 1)) at += 1
  return at
}
