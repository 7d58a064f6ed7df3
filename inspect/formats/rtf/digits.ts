/** The bytes of an object in RTF, up to the end of its group: hexadecimal digits among anything that is passed over. */

import { createNibbles } from './nibbles.ts'

/** Where readers differ. */
export interface Reading {
  /** Groups inside the object that are passed over: those that a reader need not know begin with `\*`. */
  without: 'no group' | 'starred groups' | 'groups'
  /** A digit in front of a character in hexadecimal has no other half. Word drops it. */
  dropsLoneDigit: boolean
}

export interface ObjectData {
  data: Uint8Array
  end: number
  /** Bytes are announced that are not there. */
  overrun: boolean
  /** There is something among the digits of which we do not know what readers make. */
  unclear: boolean
  /** The other ways to read it that may give something else. */
  others: Reading[]
}

const BACKSLASH = 0x5c
const QUOTE = 0x27
const OPEN = 0x7b
const CLOSE = 0x7d
const SPACE = 0x20
const MINUS = 0x2d
const STAR = 0x2a

export const PLAIN_READING: Reading = { without: 'no group', dropsLoneDigit: false }

export function readObject(bytes: Uint8Array, start: number, { without, dropsLoneDigit }: Reading): ObjectData {
  const nibbles = createNibbles()
  const groups = createGroups(without)
  let escaped = false
  let overrun = false
  let unclear = false

  /** Goes behind a control word with its number and one space, a character in hexadecimal, or a control symbol. */
  function pass(from: number): number {
    if (bytes[from] === QUOTE) {
      escaped = true
      unclear = true
      if (dropsLoneDigit && groups.counts()) nibbles.dropLone()
      return from + 3
    }
    let at = from
    while (isLetter(bytes[at])) at += 1
    if (at === from) return at + 1
    const end = behindNumber(bytes, at)
    if (isUnclear(bytes, from, at, end)) unclear = true
    return isBinary(bytes, from, at) ? passBytes(numberAt(bytes, at), end) : end
  }

  /** Bytes as they are. */
  function passBytes(count: number, from: number): number {
    escaped = true
    const counts = groups.counts()
    if (counts && dropsLoneDigit) nibbles.dropLone()
    if (count > bytes.length - from) {
      overrun = true
      return from
    }
    if (counts) nibbles.pushBytes(bytes.subarray(from, from + count))
    return from + count
  }

  let at = behindNumber(bytes, start)
  while (at < bytes.length) {
    const byte = bytes[at] as number
    if (byte === BACKSLASH) {
      at = pass(at + 1)
      continue
    }
    if (byte === OPEN) groups.open(isStarred(bytes, at + 1))
    else if (byte === CLOSE && !groups.close()) break
    const digit = DIGITS[byte] as number
    if (digit !== NO_DIGIT && groups.counts()) nibbles.push(digit)
    at += 1
  }
  return { data: nibbles.bytes(), end: at, overrun, unclear, others: othersOf(groups.seen, escaped) }
}

interface Groups {
  open(starred: boolean): void
  /** false: it is the end of the object. */
  close(): boolean
  /** Whether what stands here belongs to the object. */
  counts(): boolean
  /** The kinds of groups with something in them. */
  seen: { plain: boolean; starred: boolean }
}

function createGroups(without: Reading['without']): Groups {
  const seen = { plain: false, starred: false }
  let depth = 0
  /** The depth of the outermost group with a star that this is in; 0 outside. */
  let starDepth = 0
  return {
    seen,
    open(starred) {
      depth += 1
      if (starred && starDepth === 0) starDepth = depth
    },
    close() {
      if (depth === starDepth) starDepth = 0
      depth -= 1
      return depth >= 0
    },
    counts() {
      if (depth === 0) return true
      if (starDepth > 0) seen.starred = true
      else seen.plain = true
      return without === 'no group' || (without === 'starred groups' && starDepth === 0)
    },
  }
}

function othersOf({ plain, starred }: Groups['seen'], escaped: boolean): Reading[] {
  const groups: Reading['without'][] = ['no group']
  if (plain && starred) groups.push('starred groups')
  if (plain || starred) groups.push('groups')
  const lone = escaped ? [false, true] : [false]
  return lone.flatMap((dropsLoneDigit) => groups.map((without) => ({ without, dropsLoneDigit }))).slice(1)
}

function isBinary(bytes: Uint8Array, from: number, end: number): boolean {
  return end === from + 3 && bytes[from] === 0x62 && bytes[from + 1] === 0x69 && bytes[from + 2] === 0x6e
}

/** Letters of a control word, and characters of its number with the space behind it. What is longer, readers cut. */
export const WORD_MAX = 32
export const NUMBER_MAX = 11

const LETTER_U = 0x75

/** Words for characters (`\\u`, `\\uc`, `\\upr`) take digits with them; bytes as they are begin behind one space. */
function isUnclear(bytes: Uint8Array, from: number, number: number, end: number): boolean {
  if (isBinary(bytes, from, number)) return bytes[number] === MINUS || bytes[end - 1] !== SPACE
  return bytes[from] === LETTER_U || number - from > WORD_MAX || end - number > NUMBER_MAX
}

/** 0 where none stands, or one below zero. */
function numberAt(bytes: Uint8Array, from: number): number {
  let number = 0
  for (let at = from; isNumber(bytes[at]); at++) number = number * 10 + (bytes[at] as number) - 0x30
  return number
}

/** Behind the number of a control word, and one space. */
function behindNumber(bytes: Uint8Array, from: number): number {
  let at = from
  if (bytes[at] === MINUS) at += 1
  while (isNumber(bytes[at])) at += 1
  return bytes[at] === SPACE ? at + 1 : at
}

function isStarred(bytes: Uint8Array, from: number): boolean {
  let at = from
  while (bytes[at] === 0x0d || bytes[at] === 0x0a) at += 1
  return bytes[at] === BACKSLASH && bytes[at + 1] === STAR
}

function isLetter(byte = 0): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
}

function isNumber(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39
}

const NO_DIGIT = 0xff
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
  return value === -1 ? NO_DIGIT : value
})
