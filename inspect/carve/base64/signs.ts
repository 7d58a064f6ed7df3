/** Signs of the content of a reading, found in one pass, so that most readings are not searched at all. */

import { ascii } from '#inspect/core/bytes.ts'
import { createMatcher, type Literal } from '#inspect/core/matcher/matcher.ts'
import { charge } from '#inspect/core/work.ts'
import { ELEMENTS, isElement } from './bodies.ts'
import { isScheme, SCHEME_ENDS } from './data-urls.ts'
import { FIRST_LETTERS, isStart } from './runs.ts'

/** For each byte: this search, and the one for long runs. */
const BYTE_WORK = 1

const [DECLARES, DATA_URL, START, ELEMENT] = [0, 1, 2, 3]
const SPACES = ['\t', '\n', '\v', '\f', '\r', ' ', '\xa0']
/** The end of `base64` before its comma or colon. Lines may be folded anywhere in it. */
const ENDS = [
  ...[',', ':', '&', '\\', ...SPACES].map((after) => `64${after}`),
  ...SPACES.flatMap((space) => ['4', ...SPACES].map((after) => `6${space}${after}`)),
]
/** An `e` before it, also as the end of an escape. */
const BEFORE_DIGITS = /[e5;]\s*$/i
const SPACES_MAX = 32
const DECLARED = /[;i]\s*$/i

const before = (bytes: Buffer, at: number): string => bytes.toString('latin1', Math.max(0, at - SPACES_MAX), at)
/** After so much white space anything may stand before it. */
const follows =
  (pattern: RegExp) =>
  (bytes: Buffer, at: number): boolean => {
    const text = before(bytes, at)
    return pattern.test(text) || (text.length === SPACES_MAX && text.trim() === '')
  }

const literals = (texts: readonly string[], id: number, fits: Literal['fits'], exact = false): Literal[] =>
  texts.map((text) => ({ bytes: ascii(text), id, exact, ...(fits && { fits }) }))

const find = createMatcher([
  ...literals(ENDS, DECLARES, follows(BEFORE_DIGITS)),
  ...literals(['encoding'], DECLARES, follows(DECLARED)),
  ...literals([...ELEMENTS, 'base64Binary'], ELEMENT, isElement),
  ...literals(SCHEME_ENDS, DATA_URL, isScheme),
  ...literals(FIRST_LETTERS, START, isStart, true),
])

interface Signs {
  declares: boolean
  hasElement: boolean
  hasDataUrl: boolean
  hasStart: boolean
}

export function signsIn(bytes: Uint8Array): Signs {
  charge(bytes.length * BYTE_WORK)
  const found = find(bytes)
  const hasElement = found.has(ELEMENT)
  return {
    declares: found.has(DECLARES) || hasElement,
    hasElement,
    hasDataUrl: found.has(DATA_URL),
    hasStart: found.has(START),
  }
}
