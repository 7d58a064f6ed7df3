/** Whether another reading of a text can have Base64 that the text has not, so that most readings are not searched. */

import { charge, keep } from '#inspect/core/work.ts'
import { DECLARATIONS, PARAMETERS_MAX, WORDS } from './bodies.ts'
import type { Rewriting } from './rewriting.ts'
import { FILE_STARTS } from './runs.ts'

/** Work for each change, for each byte of a stretch around one, and for each byte in which a word is looked for. */
const CHANGE_WORK = 40
const BYTE_WORK = 3
const WORD_WORK = 15
/** Memory for each run. */
const RUN_BYTES = 200

const tableOf = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))
const SPACE = tableOf(/\s/)
/** Digits, and everything that may stand between them. */
const STRETCH = tableOf(/[\w+/=\s%&#;\\-]/)
const COMMA = 0x2c
const COLON = 0x3a

/** Shorter ones have no run that is long, or begins like a file. */
const STRETCH_MIN = 48
/** `;base64` and a sign. */
const DECLARATION_MIN = 8
const RUN = new RegExp(`[\\w+/-]{${STRETCH_MIN}}|(?<![A-Za-z0-9+/])(?:${FILE_STARTS.join('|')})`)
/** Behind so many zeros it may be any character. */
const ZEROS_TEXT = '0'.repeat(12)
const ZEROS = '0{12}'
const WORD = new RegExp(`${Object.values(DECLARATIONS).join('|')}|${ZEROS}`, 'i')
const WORDS_HERE = new RegExp(WORD, 'gi')
/** In front of the first digit. */
const BEFORE_SIGN = new RegExp(`${DECLARATIONS.base64}\\s*[,:]$|${ZEROS}`, 'i')
const BEFORE_MAX = 128
const ENCODING = new RegExp(`${DECLARATIONS.encoding}|${ZEROS}`, 'i')
/** Characters of a word on each side of a change, without white space, and bytes. A word with more in it counts as one. */
const WORD_MAX = 64
const WORD_BYTES_MAX = 512

/** For two neighbours, whether a word may have them. Each of its letters may be an escape. */
const PAIRS = pairsOf(WORDS)

function pairsOf(words: readonly string[]): Uint8Array {
  const pairs = new Uint8Array(1 << 16)
  for (const sign of [...'&\\'].map((char) => char.charCodeAt(0)))
    for (let code = 0; code < 256; code++) {
      pairs[(sign << 8) | code] = 1
      pairs[(code << 8) | sign] = 1
    }
  const cases = (char = ''): number[] => [char.toLowerCase(), char.toUpperCase()].map((one) => one.charCodeAt(0))
  for (const word of words)
    for (let at = 1; at < word.length; at++)
      for (const one of cases(word[at - 1])) for (const other of cases(word[at])) pairs[(one << 8) | other] = 1
  return pairs
}

/** Changes that are looked at as words. To look at more takes longer than to search everything. */
export const WORDS_MAX = 1_000
const WORD_SHARE = 5_000

/**
 * Parts that must be searched, because they have Base64 that the text that was rewritten has not: everything, or the runs of digits
 * with the characters around them. Elements for Base64, which may contain anything, and data URLs of other kinds are not
 * considered.
 */
export function addedBase64({ bytes, places, isDense }: Rewriting): Buffer {
  if (isDense) return bytes
  const mayBeWord = createFilter(bytes)
  const lookAround = createSearch(bytes)
  const runs: Buffer[] = []
  let left = WORDS_MAX + Math.floor(bytes.length / WORD_SHARE)
  for (const place of places) {
    charge(CHANGE_WORK)
    if (mayBeWord(place) && (--left < 0 || isWord(bytes, place))) return bytes
    for (let at = place - 1; at <= place + 1; at++) {
      const found = lookAround(at)
      if (found === 'declared') return bytes
      if (found !== null) runs.push(BETWEEN, found)
    }
  }
  return Buffer.concat(runs)
}

/** Belongs to no run. */
const BETWEEN = Buffer.from('"')

/** Looks at the stretch around an offset. Offsets only grow, so that each is looked at once. */
function createSearch(bytes: Buffer): (at: number) => Buffer | 'declared' | null {
  let searched = 0
  return (at) => {
    if (at < searched || at >= bytes.length || STRETCH[bytes[at] as number] === 0) return null
    let start = at
    while (start > searched && STRETCH[bytes[start - 1] as number] === 1) start -= 1
    searched = at + 1
    while (searched < bytes.length && STRETCH[bytes[searched] as number] === 1) searched += 1
    charge((searched - start) * BYTE_WORK)
    if (isDeclaredBefore(bytes, start) || isDeclaredIn(bytes, start, searched)) return 'declared'
    if (searched - start < STRETCH_MIN || !RUN.test(bytes.toString('latin1', start, searched))) return null
    keep(RUN_BYTES)
    return bytes.subarray(Math.max(0, start - 1), searched + 1)
  }
}

/** Tells changes that are in no word by their neighbours. Offsets only grow, so that white space is passed over once. */
function createFilter(bytes: Buffer): (place: number) => boolean {
  let [last, before, after] = [-1, -1, -1]
  const isSpace = (at: number): boolean => SPACE[bytes[at] ?? 0] === 1
  const beforeOf = (place: number): number => {
    let at = place - 1
    while (at > last && isSpace(at)) at -= 1
    return at > last || (at >= 0 && !isSpace(at)) ? at : before
  }
  const afterOf = (place: number): number => {
    if (after > place) return after
    let at = place + 1
    while (isSpace(at)) at += 1
    return at
  }
  return (place) => {
    if (place === last) return false
    before = beforeOf(place)
    after = afterOf(place)
    last = place
    const [one, here, other] = [bytes[before] ?? 0, bytes[place] ?? 0, bytes[after] ?? 0]
    if (isSpace(place)) return PAIRS[(one << 8) | other] === 1
    return PAIRS[(one << 8) | here] === 1 || PAIRS[(here << 8) | other] === 1
  }
}

/** Whether a word includes the change, or is next to it. */
function isWord(bytes: Buffer, place: number): boolean {
  const [start, end] = [Math.max(0, reach(bytes, place, -1)), reach(bytes, place, 1)]
  charge((end - start) * WORD_WORK)
  if (Math.max(place - start, end - place) >= WORD_BYTES_MAX) return true
  for (const { index, 0: word } of bytes.toString('latin1', start, end).matchAll(WORDS_HERE))
    if (start + index <= place + 1 && start + index + word.length >= place) return true
  return false
}

/** Where a word may begin or end. */
function reach(bytes: Buffer, place: number, step: number): number {
  let at = place
  for (
    let left = WORD_MAX;
    left > 0 && at >= 0 && at < bytes.length && Math.abs(at - place) < WORD_BYTES_MAX;
    at += step
  )
    left -= 1 - (SPACE[bytes[at] as number] as number)
  return at
}

/** Whether what is before a stretch says that it is Base64. */
function isDeclaredBefore(bytes: Buffer, start: number): boolean {
  const sign = bytes[start - 1]
  if (sign !== COMMA && sign !== COLON) return false
  const before = bytes.toString('latin1', Math.max(0, start - BEFORE_MAX), start)
  charge(before.length * BYTE_WORK)
  if (mayEndDeclaration(before)) {
    charge(before.length * WORD_WORK)
    if (BEFORE_SIGN.test(before) || /\s{48}/.test(before)) return true
  }
  return sign === COLON && isParameter(bytes, start)
}

/** The last character of `base64` or of an escape, or a space. */
const LAST = /[\da-f;\s]/i

/** A quick check in front of the pattern. The last character is the sign. */
function mayEndDeclaration(before: string): boolean {
  return LAST.test(before.at(-2) ?? ' ') || before.includes(ZEROS_TEXT)
}

/** The value of a calendar, behind its parameters. */
function isParameter(bytes: Buffer, start: number): boolean {
  const before = bytes.toString('latin1', Math.max(0, start - PARAMETERS_MAX - BEFORE_MAX), start)
  charge(before.length * BYTE_WORK)
  if (!/=\s*"?b/i.test(before)) return false
  charge(before.length * WORD_WORK)
  return ENCODING.test(before)
}

function isDeclaredIn(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < DECLARATION_MIN) return false
  const text = bytes.toString('latin1', start, end)
  if (!text.includes(';') && !text.includes('&')) return false
  charge(text.length * BYTE_WORK)
  if (!mayDeclare(text)) return false
  charge(text.length * WORD_WORK)
  return WORD.test(text)
}

/** What follows the semicolon of a declaration: its first letter, or an escape of it. */
const FIRST = /[be&\\]/i

/** A quick check in front of the pattern: in code, most semicolons end a line. */
function mayDeclare(text: string): boolean {
  if (text.includes('&') || text.includes(ZEROS_TEXT)) return true
  for (let at = text.indexOf(';'); at !== -1; at = text.indexOf(';', at + 1)) {
    let next = at + 1
    while (SPACE[text.charCodeAt(next)] === 1) next += 1
    if (FIRST.test(text[next] ?? '')) return true
  }
  return false
}
