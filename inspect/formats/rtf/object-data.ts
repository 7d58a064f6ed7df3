/** Decodes the hexadecimal data of an RTF object, up to the end of its group. */

import { charge } from '#inspect/core/work.ts'
import { createByteBuffer } from './byte-buffer.ts'
import { isDecimal, isLetter } from './control-words.ts'

/** The points on which readers differ. */
interface Reading {
  /** Groups inside the object whose digits do not count. Groups starting with `\*` are ignorable. */
  skips: 'nothing' | 'starred groups' | 'all groups'
  /** Word drops an unpaired digit before an escaped character or binary data. */
  dropsUnpairedDigit: boolean
}

export interface ObjectData {
  data: Uint8Array
  end: number
  /** It declares more binary data than it has. */
  truncated: boolean
  /** It contains syntax that readers may interpret in ways not covered by a `Reading`. */
  ambiguous: boolean
  /** Other readings that may give different data. */
  others: Reading[]
}

/** Work for each byte. */
const BYTE_WORK = 20

const BACKSLASH = 0x5c
const QUOTE = 0x27
const OPEN = 0x7b
const CLOSE = 0x7d
const SPACE = 0x20
const MINUS = 0x2d
const STAR = 0x2a

export const PLAIN_READING: Reading = { skips: 'nothing', dropsUnpairedDigit: false }

export function readObject(bytes: Uint8Array, start: number, { skips, dropsUnpairedDigit }: Reading): ObjectData {
  const hex = createHexDecoder()
  const groups = createGroups(skips)
  let escaped = false
  let truncated = false
  let ambiguous = false

  /** Skips a control word with its number and one space, an escaped character, or a control symbol. */
  function skipControl(from: number): number {
    if (bytes[from] === QUOTE) {
      escaped = true
      ambiguous = true
      if (dropsUnpairedDigit && groups.counts()) hex.dropUnpaired()
      return from + 3
    }
    let at = from
    while (isLetter(bytes[at])) at += 1
    if (at === from) return at + 1
    const end = endOfNumber(bytes, at)
    if (isAmbiguous(bytes, from, at, end)) ambiguous = true
    return isBinary(bytes, from, at) ? readBinary(numberAt(bytes, at), end) : end
  }

  function readBinary(count: number, from: number): number {
    escaped = true
    const counts = groups.counts()
    if (counts && dropsUnpairedDigit) hex.dropUnpaired()
    if (count > bytes.length - from) {
      truncated = true
      return from
    }
    if (counts) hex.pushBytes(bytes.subarray(from, from + count))
    return from + count
  }

  let at = endOfNumber(bytes, start)
  while (at < bytes.length) {
    const byte = bytes[at] as number
    if (byte === BACKSLASH) {
      at = skipControl(at + 1)
      continue
    }
    if (byte === OPEN) groups.open(isStarred(bytes, at + 1))
    else if (byte === CLOSE && !groups.close()) break
    const digit = HEX_VALUES[byte] as number
    if (digit !== NO_DIGIT && groups.counts()) hex.push(digit)
    at += 1
  }
  charge((at - start) * BYTE_WORK)
  return { data: hex.bytes(), end: at, truncated, ambiguous, others: otherReadings(groups.seen, escaped) }
}

function createHexDecoder() {
  const out = createByteBuffer()
  let high: number | null = null
  function push(digit: number): void {
    if (high === null) {
      high = digit
      return
    }
    out.push((high << 4) | digit)
    high = null
  }
  return {
    push,
    pushBytes(bytes: Uint8Array): void {
      for (const byte of bytes) {
        push(byte >> 4)
        push(byte & 15)
      }
    },
    dropUnpaired(): void {
      high = null
    },
    bytes: out.bytes,
  }
}

interface Groups {
  open(starred: boolean): void
  /** false: the object ends here. */
  close(): boolean
  /** Whether data at this place belongs to the object. */
  counts(): boolean
  /** Kinds of groups that contain data. */
  seen: { plain: boolean; starred: boolean }
}

function createGroups(skips: Reading['skips']): Groups {
  const seen = { plain: false, starred: false }
  let depth = 0
  /** Depth of the outermost starred group; 0 outside. */
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
      return skips === 'nothing' || (skips === 'starred groups' && starDepth === 0)
    },
  }
}

function otherReadings({ plain, starred }: Groups['seen'], escaped: boolean): Reading[] {
  const skipped: Reading['skips'][] = ['nothing']
  if (plain && starred) skipped.push('starred groups')
  if (plain || starred) skipped.push('all groups')
  const drops = escaped ? [false, true] : [false]
  return drops.flatMap((dropsUnpairedDigit) => skipped.map((skips) => ({ skips, dropsUnpairedDigit }))).slice(1)
}

function isBinary(bytes: Uint8Array, from: number, end: number): boolean {
  return end === from + 3 && bytes[from] === 0x62 && bytes[from + 1] === 0x69 && bytes[from + 2] === 0x6e
}

/** Letters of a control word, and characters of its number with the space. Readers truncate longer ones differently. */
export const WORD_MAX = 32
export const NUMBER_MAX = 11

const LETTER_U = 0x75

/** Unicode words (`\u`, `\uc`, `\upr`) consume digits, and binary data starts after exactly one space. */
function isAmbiguous(bytes: Uint8Array, from: number, number: number, end: number): boolean {
  if (isBinary(bytes, from, number)) return bytes[number] === MINUS || bytes[end - 1] !== SPACE
  return bytes[from] === LETTER_U || number - from > WORD_MAX || end - number > NUMBER_MAX
}

/** 0 without a number or with a negative one. */
function numberAt(bytes: Uint8Array, from: number): number {
  let number = 0
  for (let at = from; isDecimal(bytes[at]); at++) number = number * 10 + (bytes[at] as number) - 0x30
  return number
}

/** The position after the number of a control word and one space. */
function endOfNumber(bytes: Uint8Array, from: number): number {
  let at = from
  if (bytes[at] === MINUS) at += 1
  while (isDecimal(bytes[at])) at += 1
  return bytes[at] === SPACE ? at + 1 : at
}

function isStarred(bytes: Uint8Array, from: number): boolean {
  let at = from
  while (bytes[at] === 0x0d || bytes[at] === 0x0a) at += 1
  return bytes[at] === BACKSLASH && bytes[at + 1] === STAR
}

const NO_DIGIT = 0xff
const HEX_VALUES = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
  return value === -1 ? NO_DIGIT : value
})
