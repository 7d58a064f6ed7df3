/** The text of RTF as Word reads it: without groups, formats and escapes, so that these hide no field and no link. */

import { view } from '#inspect/core/bytes.ts'
import { createFields, FIRST_BYTES, grown } from './fields.ts'
import { ASIDE, DIGITS, hashed, isOfInterest, KEPT, READ, WHITE } from './words.ts'

const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d
const QUOTE = 0x27
const STAR = 0x2a
const SPACE = 0x20
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const TILDE = 0x7e

/** Word and Outlook, or a reader that knows less than they do. */
export type Reader = 'knowing' | 'simple'

export interface RtfText {
  text: Uint8Array
  /** Where its outermost group ends. */
  end: number
  /** A simple reader may see something else. */
  unclear: boolean
}

/** Never changed: inner groups share it. */
interface Group {
  /** Its text does not count. */
  skipped: boolean
  /** Only Word shows it: Outlook makes a page of the rest. */
  dropped: boolean
  /** It belongs to a field, or to another word that is kept. */
  kept: boolean
  /** Characters that follow one in Unicode, for readers that do not know it. */
  fallbacks: number
  /** In a group with a second version in Unicode: how deep that is, and whether its text counts. */
  choice: { depth: number; skipped: boolean } | null
}

interface Word {
  /** Empty where nothing goes by it. */
  name: string
  number: number
  /** Without a number, which is then 0. */
  bare: boolean
  /** Behind its number and one space; behind the bytes that it announces. */
  end: number
}

/** Groups in groups. Word opens no document with so many. */
export const DEPTH_MAX = 100_000

/** Fields and classes of objects. With more, it takes the rules too long. */
export const FIELDS_MAX = 100_000

/** Words in place of a character behind one in Unicode. No program writes them, and it takes long to read all in two ways. */
export const FALLBACK_WORDS_MAX = 200_000

/** What stands in fields comes last. null: there are too many of them, one begins in itself, or groups lie in each other too deep. */
export function textOf(source: Uint8Array, reader: Reader = 'knowing', start = 0): RtfText | null {
  const bytes = view(source)
  const knowing = reader === 'knowing'
  let out = Buffer.allocUnsafe(FIRST_BYTES)
  let length = 0
  const outer: Group[] = []
  let group: Group = { skipped: false, dropped: false, kept: false, fallbacks: 1, choice: null }
  let pending = 0
  let starred = false
  let unclear = false
  let fallbackWords = 0
  const fields = createFields()

  function put(byte: number): void {
    if (pending > 0) {
      pending -= 1
      return
    }
    const char = byte === 0x09 ? SPACE : byte
    if (group.skipped) return
    if (group.kept) fields.put(char)
    else if (!group.dropped) {
      if (length === out.length) out = grown(out)
      out[length++] = char
    }
  }

  function putWord(word: Word): number {
    const { name, number, end } = word
    const isKept = KEPT.has(name)
    if (!isKept && isFallback()) return end
    unclear ||= UNCLEAR.has(name) || (group.kept && ASIDE.has(name))
    if (isAside(name, group, starred, knowing)) group = { ...group, skipped: true }
    starred = false
    if (isKept) keep(name)
    else if (name === 'u') putCode(number)
    else if (WHITE.has(name)) put(WHITE.get(name) as number)
    else group = regrouped(word, group, outer.length, knowing)
    return end
  }

  function keep(name: string): void {
    // A shape that need not be known may have one.
    group = { ...group, skipped: false, kept: true }
    fields.open(name, outer.length)
  }

  /** By the specification a word or a symbol stands for one character like any other. */
  function isFallback(): boolean {
    if (pending === 0) return false
    unclear = true
    if (!knowing) return false
    pending -= 1
    fallbackWords += 1
    return true
  }

  function putCode(number: number): void {
    pending = 0
    const code = number & 0xffff
    if (code < 0x80) put(code)
    else for (const byte of Buffer.from(String.fromCharCode(code))) put(byte)
    pending = group.fallbacks
  }

  /** A symbol, or a character in hexadecimal. */
  function putSymbol(at: number): number {
    const char = symbolAt(bytes, at)
    if (char !== null) put(char)
    else if (!isFallback()) starred ||= bytes[at] === STAR
    return bytes[at] === QUOTE ? at + 3 : at + 1
  }

  function nest(byte: number): void {
    pending = 0
    starred = false
    if (byte === OPEN) {
      outer.push(group)
      return
    }
    group = outer.pop() ?? group
    fields.close(outer.length)
  }

  /** Reads a byte or a word, and says where to go on. */
  function read(at: number): number {
    const byte = bytes[at] as number
    if (byte === BACKSLASH) {
      const word = wordAt(bytes, at + 1)
      return word === null ? putSymbol(at + 1) : putWord(word)
    }
    if (byte === OPEN || byte === CLOSE) nest(byte)
    else if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== 0) put(byte)
    return at + 1
  }

  const isTooMuch = (): boolean =>
    outer.length > DEPTH_MAX || fields.count() > FIELDS_MAX || fields.isBroken() || fallbackWords > FALLBACK_WORDS_MAX
  let at = start
  do at = read(at)
  while (at < bytes.length && !isTooMuch() && (start === 0 || outer.length > 0))
  if (isTooMuch()) return null
  return { text: Buffer.concat([out.subarray(0, length), fields.end()]), end: Math.min(at, bytes.length), unclear }
}

/** What a simple reader does not know. */
const UNCLEAR = new Set(['upr', 'ud', 'htmlrtf'])

function isAside(name: string, { kept }: Group, starred: boolean, knowing: boolean): boolean {
  if (DIGITS.has(name) || (knowing && kept && ASIDE.has(name))) return true
  return starred && !READ.has(name) && !(knowing && name === 'ud')
}

/** The group behind a word that says something about it. */
function regrouped({ name, number, bare }: Word, group: Group, depth: number, knowing: boolean): Group {
  if (name === 'uc') return { ...group, fallbacks: Math.max(0, number) }
  if (!knowing) return group
  if (name === 'htmlrtf') return { ...group, dropped: bare || number !== 0 }
  if (name === 'upr') return { ...group, skipped: true, choice: { depth: depth + 1, skipped: group.skipped } }
  if (name === 'ud' && group.choice?.depth === depth) return { ...group, skipped: group.choice.skipped }
  return group
}

/** The character that a symbol stands for; null if it is none. */
function symbolAt(bytes: Buffer, at: number): number | null {
  const symbol = bytes[at] ?? STAR
  if (symbol === QUOTE) return Number.parseInt(bytes.toString('latin1', at + 1, at + 3), 16) & 0xff
  if (symbol === TILDE) return SPACE
  if (symbol === LINE_FEED || symbol === CARRIAGE_RETURN) return LINE_FEED
  return symbol === BACKSLASH || symbol === OPEN || symbol === CLOSE ? symbol : null
}

function wordAt(bytes: Buffer, from: number): Word | null {
  let at = from
  let hash = 0
  for (; isLetter(bytes[at]); at++) hash = hashed(hash, bytes[at] as number)
  if (at === from) return null
  // A string for each of ten million words takes seconds.
  const name = isOfInterest(hash) ? bytes.toString('latin1', from, Math.min(at, from + 32)) : ''
  const isNegative = bytes[at] === 0x2d
  if (isNegative) at += 1
  let number = 0
  let digits = 0
  for (; (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39; at++, digits++)
    number = number * 10 + (bytes[at] ?? 0) - 0x30
  // A minus sign alone is none.
  if (digits === 0 && isNegative) at -= 1
  if (bytes[at] === SPACE) at += 1
  const value = isNegative ? -number : number
  return { name, number: value, bare: digits === 0, end: at + announced(name, value, bytes.length - at) }
}

function isLetter(byte = 0): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
}

/** Bytes behind a word that are no text. Those that are not there are not passed over. */
function announced(name: string, number: number, left: number): number {
  return name === 'bin' && number > 0 && number <= left ? number : 0
}
