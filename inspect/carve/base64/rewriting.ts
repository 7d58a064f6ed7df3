/** Copies of a text without escapes, or without what is between strings that a script joins, and where they differ from it. */

import { charge } from '#inspect/core/work.ts'

export interface Rewriting {
  bytes: Buffer
  /** Offsets in ascending order: of a character that was written otherwise, or behind something that was left out. */
  places: Uint32Array
  /** Changed nearly everywhere: to look at each place takes longer than to search everything. */
  isDense?: true
}

/** Work for each byte, for each candidate, and for each change. */
const BYTE_WORK = 0.5
const CANDIDATE_WORK = 30
const CHANGE_WORK = 40
/** For each joint that is tried, and for each byte of a comment in it. */
const JOINT_WORK = 50
const COMMENT_WORK = 0.1

const codeOf = (char: string): number => char.charCodeAt(0)
const tableOf = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))
const BACKSLASH = 0x5c
const PLUS = 0x2b
const EQUALS = 0x3d
const COMMA = 0x2c
const SLASH = 0x2f
const STAR = 0x2a
const DOLLAR = 0x24
const SEMICOLON = 0x3b
const OPEN = 0x7b
const CLOSE = 0x7d
const ROUND = 0x28
const ZERO = 0x30
const LETTER_U = 0x75
const LETTER_X = 0x78
const LINE_FEED = 0x0a
const RETURN = 0x0d
const UNKNOWN = codeOf('?')
const HEX = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(digit) ? 0xff : digit
})
const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
/** Characters that a letter or sign behind a backslash stands for. */
const CONTROLS = Uint8Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code)
  return Object.hasOwn(LETTERS, letter) ? codeOf(LETTERS[letter] ?? '') : code
})
const STYLE_DIGITS_MAX = 6
const LINE_END = tableOf(/[\r\n\f]/)
const STYLE_SPACE = tableOf(/[ \t\r\n\f]/)
const SPACE = tableOf(/\s/)
const SPACE_OR_PARENTHESIS = tableOf(/[\s()]/)
const NAME = tableOf(/[\w$.]/)
const NAME_OR_SPACE = tableOf(/[\s\w$.]/)
const IN_COMMENT = tableOf(/[^\r\n"'`]/)
const QUOTE = tableOf(/["'`]/)
/** Behind the quote at which a joint begins, and at which one in a list does. */
const BEFORE_JOINT = tableOf(/[\s()/+.;]/)
const BEFORE_COMMA = tableOf(/[\s()/,]/)

/** Writes a text again, from its beginning to its end. */
function createCopy(source: Buffer) {
  let out: Buffer | null = null
  let places = new Uint32Array(64)
  let [count, length, read] = [0, 0, 0]
  const copyTo = (end: number): void => {
    out ??= Buffer.allocUnsafe(source.length)
    source.copy(out, length, read, end)
    length += end - read
  }
  return {
    /** `code`: of the character that replaces it; -1 for none. */
    replace(from: number, to: number, code: number): void {
      charge(CHANGE_WORK)
      copyTo(from)
      if (count === places.length) {
        const larger = new Uint32Array(count * 2)
        larger.set(places)
        places = larger
      }
      places[count++] = length
      if (code !== -1 && out !== null) out[length++] = code
      read = to
    },
    /** null: it is unchanged. */
    end(): Rewriting | null {
      if (out === null) return null
      copyTo(source.length)
      return { bytes: out.subarray(0, length), places: places.subarray(0, count) }
    },
  }
}

/** Characters for each zero. With fewer, zeros are nearly everywhere. */
export const ZERO_SHARE = 64
const DENSE_WORK = 4

/** Without zeros, which browsers ignore. */
export function withoutZeros(source: Buffer): Rewriting | null {
  if (!source.includes(0)) return null
  charge(source.length * BYTE_WORK)
  if (hasManyZeros(source)) return withoutManyZeros(source)
  const copy = createCopy(source)
  for (let at = source.indexOf(0); at !== -1; ) {
    let end = at + 1
    while (source[end] === 0) end += 1
    copy.replace(at, end, -1)
    at = source.indexOf(0, end)
  }
  return copy.end()
}

function hasManyZeros(source: Buffer): boolean {
  let left = Math.floor(source.length / ZERO_SHARE)
  for (let at = source.indexOf(0); at !== -1; at = source.indexOf(0, at + 1)) if (--left < 0) return true
  return false
}

function withoutManyZeros(source: Buffer): Rewriting {
  charge(source.length * DENSE_WORK)
  const bytes = Buffer.allocUnsafe(source.length)
  let length = 0
  for (const byte of source) {
    bytes[length] = byte
    if (byte !== 0) length += 1
  }
  return { bytes: bytes.subarray(0, length), places: new Uint32Array(), isDense: true }
}

/** The escapes of JavaScript: `\x62`, `\u0062`, `\u{62}`, `\142`, `\n`. */
export function scriptUnescaped(source: Buffer): Rewriting | null {
  if (!source.includes(BACKSLASH)) return null
  charge(source.length * BYTE_WORK)
  const copy = createCopy(source)
  for (let at = source.indexOf(BACKSLASH); at !== -1 && at + 1 < source.length; ) {
    const { end, code } = scriptEscape(source, at + 1)
    copy.replace(at, end, code)
    at = source.indexOf(BACKSLASH, end)
  }
  return copy.end()
}

/** Of the text behind a backslash. */
function scriptEscape(source: Buffer, at: number): { end: number; code: number } {
  const first = source[at] as number
  const letter = first | 0x20
  const hex = letter === LETTER_X ? fixedHex(source, at + 1, 2) : letter === LETTER_U ? wideHex(source, at + 1) : null
  if (hex !== null) return hex
  const octal = octalEnd(source, at)
  if (octal > at) return { end: octal, code: latin(Number.parseInt(source.toString('latin1', at, octal), 8)) }
  if (first === RETURN) return { end: lineEnd(source, at), code: -1 }
  return { end: at + 1, code: first === LINE_FEED ? -1 : (CONTROLS[first] as number) }
}

const BRACED_MAX = 6
const latin = (code: number): number => (code <= 0xff ? code : UNKNOWN)
const isHex = (byte: number | undefined): boolean => byte !== undefined && HEX[byte] !== 0xff

function fixedHex(source: Buffer, at: number, digits: number): { end: number; code: number } | null {
  let code = 0
  for (let i = 0; i < digits; i++) {
    if (!isHex(source[at + i])) return null
    code = code * 16 + (HEX[source[at + i] as number] as number)
  }
  return { end: at + digits, code: latin(code) }
}

/** Of four digits, or of up to six in braces, behind any number of zeros. */
function wideHex(source: Buffer, at: number): { end: number; code: number } | null {
  if (source[at] !== OPEN) return fixedHex(source, at, 4)
  let start = at + 1
  while (source[start] === ZERO) start += 1
  let end = start
  while (end - start < BRACED_MAX && isHex(source[end])) end += 1
  charge(end - at)
  if (end === at + 1 || source[end] !== CLOSE) return null
  return { end: end + 1, code: end === start ? 0 : hexOf(source, start, end) }
}

/** Up to three digits, the first of three at most 3. */
function octalEnd(source: Buffer, at: number): number {
  const isOctal = (offset: number, max: number): boolean => {
    const digit = (source[at + offset] ?? 0) - 0x30
    return digit >= 0 && digit <= max
  }
  if (!isOctal(0, 7)) return at
  if (!isOctal(1, 7)) return at + 1
  return isOctal(0, 3) && isOctal(2, 7) ? at + 3 : at + 2
}

/** The escapes of style sheets: up to six digits and a space, or a line end. */
export function styleUnescaped(source: Buffer): Rewriting | null {
  if (!source.includes(BACKSLASH)) return null
  charge(source.length * BYTE_WORK)
  const copy = createCopy(source)
  for (let at = source.indexOf(BACKSLASH); at !== -1; ) {
    charge(CANDIDATE_WORK)
    const { end, code } = styleEscape(source, at + 1)
    if (end > at + 1) copy.replace(at, end, code)
    at = source.indexOf(BACKSLASH, end)
  }
  return copy.end()
}

function styleEscape(source: Buffer, at: number): { end: number; code: number } {
  let digits = at
  while (digits - at < STYLE_DIGITS_MAX && isHex(source[digits])) digits += 1
  const spaces = digits > at ? STYLE_SPACE : LINE_END
  const end = spaces[source[digits] ?? 0xff] === 1 ? lineEnd(source, digits) : digits
  return { end, code: digits > at ? hexOf(source, at, digits) : -1 }
}

/** Behind a line end of one or two characters, or a space. */
function lineEnd(source: Buffer, at: number): number {
  return source[at] === RETURN && source[at + 1] === LINE_FEED ? at + 2 : at + 1
}

function hexOf(source: Buffer, start: number, end: number): number {
  return latin(Number.parseInt(source.toString('latin1', start, end), 16))
}

const CONCATENATION = Buffer.from('.concat(')
const TEMPLATE = Buffer.from([0x24, 0x7b])
const COMMENT_END = Buffer.from('*/')

/** Behind characters of the table. */
function skipped(source: Buffer, from: number, table = SPACE_OR_PARENTHESIS): number {
  let at = from
  while (at < source.length && table[source[at] as number] === 1) at += 1
  charge(at - from)
  return at
}

function skippedBack(source: Buffer, from: number, table = SPACE_OR_PARENTHESIS): number {
  let at = from
  while (at >= 0 && table[source[at] as number] === 1) at -= 1
  charge(from - at)
  return at
}

/** Behind comments and characters of the table. */
function gapEnd(source: Buffer, from: number, table = SPACE_OR_PARENTHESIS): number {
  for (let at = skipped(source, from, table); ; ) {
    const end = source[at] === SLASH ? commentEnd(source, at) : -1
    if (end === -1) return at
    at = skipped(source, end, table)
  }
}

/** -1: there is no comment. With a quote in it, a line may also be a string that begins with two slashes. */
function commentEnd(source: Buffer, start: number): number {
  if (source[start + 1] === SLASH) {
    const end = skipped(source, start, IN_COMMENT)
    return QUOTE[source[end] ?? 0] === 1 ? -1 : end
  }
  const end = source[start + 1] === STAR ? source.indexOf(COMMENT_END, start + 2) : start
  charge(((end === -1 ? source.length : end) - start) * COMMENT_WORK)
  return end > start ? end + COMMENT_END.length : -1
}

/** Behind the joint of two strings that begins with this quote or template; -1: there is none. */
function jointEnd(source: Buffer, start: number): number {
  if (QUOTE[source[start] as number] === 0) return templateEnd(source, start)
  const at = gapEnd(source, start + 1)
  const end = gapEnd(source, operatorEnd(source, at))
  return end > at && QUOTE[source[end] ?? 0] === 1 ? end + 1 : -1
}

/** Behind `+`, `.concat(` or `; name +=`; the same position without them. */
function operatorEnd(source: Buffer, at: number): number {
  if (source[at] === PLUS) return at + 1
  if (source[at] !== SEMICOLON)
    return source.subarray(at, at + CONCATENATION.length).equals(CONCATENATION) ? at + CONCATENATION.length : at
  const name = gapEnd(source, at + 1, SPACE)
  const sign = gapEnd(source, skipped(source, name, NAME), SPACE)
  return sign > name && source[sign] === PLUS && source[sign + 1] === EQUALS ? sign + 2 : at
}

/** `${''}`. */
function templateEnd(source: Buffer, start: number): number {
  const at = skipped(source, start + TEMPLATE.length, SPACE)
  if (QUOTE[source[at] ?? 0] === 0 || QUOTE[source[at + 1] ?? 0] === 0) return -1
  const end = skipped(source, at + 2, SPACE)
  return source[end] === CLOSE ? end + 1 : -1
}

/** Without what joins two strings. */
export function withoutJoints(source: Buffer): Rewriting | null {
  if (![PLUS, CONCATENATION, TEMPLATE].some((each) => source.includes(each))) return null
  charge(source.length * BYTE_WORK)
  const copy = createCopy(source)
  let from = 0
  for (const start of jointStarts(source)) {
    if (start === null) return withoutEvery(source, BEFORE_JOINT, jointEnd)
    if (start < from) continue
    charge(JOINT_WORK)
    const end = jointEnd(source, start)
    if (end === -1) continue
    from = end
    copy.replace(start, from, -1)
  }
  return copy.end()
}

/** Offsets of the quotes that may begin a joint; null where each has to be tried, as with comments. */
function* jointStarts(source: Buffer): Generator<number | null> {
  if (mayConcatenate(source) || mayInsert(source)) yield null
  for (let at = nextPlus(source, 0); at !== -1; at = nextPlus(source, at + 1)) {
    const isAppending = source[at + 1] === EQUALS
    const next = skipped(source, isAppending ? at + 2 : at + 1)
    const before = skippedBack(source, at - 1, isAppending ? NAME_OR_SPACE : undefined)
    const isBehind = isAppending && source[before] === SEMICOLON
    const end = isBehind ? skippedBack(source, before - 1) : before
    if (!isQuoteOrComment(source[end])) continue
    yield source[end] === SLASH || source[next] === SLASH ? null : end
  }
}

/** The next plus sign before a quote or a comment. */
function nextPlus(source: Buffer, from: number): number {
  for (let at = source.indexOf(PLUS, from); at !== -1; at = source.indexOf(PLUS, at + 1)) {
    charge(CANDIDATE_WORK)
    if (isQuoteOrComment(source[skipped(source, source[at + 1] === EQUALS ? at + 2 : at + 1)])) return at
  }
  return -1
}

function isQuoteOrComment(byte = 0): boolean {
  return QUOTE[byte] === 1 || byte === SLASH
}

function mayConcatenate(source: Buffer): boolean {
  for (let at = source.indexOf(CONCATENATION); at !== -1; at = source.indexOf(CONCATENATION, at + 1)) {
    charge(CANDIDATE_WORK)
    const next = skipped(source, at + CONCATENATION.length)
    const before = skippedBack(source, at - 1)
    if (isQuoteOrComment(source[next]) && isQuoteOrComment(source[before])) return true
  }
  return false
}

function mayInsert(source: Buffer): boolean {
  for (let at = source.indexOf(TEMPLATE); at !== -1; at = source.indexOf(TEMPLATE, at + 1)) {
    charge(CANDIDATE_WORK)
    const next = skipped(source, at + TEMPLATE.length)
    if (QUOTE[source[next] ?? 0] === 1 && QUOTE[source[next + 1] ?? 0] === 1) return true
  }
  return false
}

/** What may begin a joint: a quote, or the sign of a template. */
const START = tableOf(/["'`$]/)

/** The same for every template, and every quote that one of these bytes follows: most others begin a string. */
function withoutEvery(
  source: Buffer,
  following: Uint8Array,
  endOf: (source: Buffer, start: number) => number,
): Rewriting | null {
  charge(source.length * 2)
  const copy = createCopy(source)
  for (let at = nextStart(source, 0); at < source.length; at = nextStart(source, at + 1)) {
    const next = source[at + 1] ?? 0
    if (source[at] === DOLLAR ? next !== OPEN : following[next] === 0) continue
    charge(JOINT_WORK)
    const end = endOf(source, at)
    if (end === -1) continue
    copy.replace(at, end, -1)
    at = end - 1
  }
  return copy.end()
}

/** A loop of its own is several times as fast as one that also calls functions. */
function nextStart(source: Buffer, from: number): number {
  let at = from
  while (at < source.length && START[source[at] as number] === 0) at += 1
  return at
}

const JOIN = Buffer.from('.join')

/** Whether a list is joined to a text. */
export function joinsList(source: Buffer): boolean {
  for (let at = source.indexOf(JOIN); at !== -1; at = source.indexOf(JOIN, at + 1)) {
    charge(CANDIDATE_WORK)
    let end = at + JOIN.length
    while (SPACE[source[end] ?? 0] === 1) end += 1
    if (source[end] === ROUND) return true
  }
  return false
}

/** Without what is between the elements of a list of strings. */
export function withoutListJoints(source: Buffer): Rewriting | null {
  return withoutEvery(source, BEFORE_COMMA, (_, start) => {
    const at = QUOTE[source[start] as number] === 1 ? gapEnd(source, start + 1) : -1
    const end = source[at] === COMMA ? gapEnd(source, at + 1) : -1
    return QUOTE[source[end] ?? 0] === 1 ? end + 1 : -1
  })
}
