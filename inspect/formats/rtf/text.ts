/** Reads RTF text as Word does, so that groups, formatting and escapes cannot hide a field or link. */

import { view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'
import { createByteBuffer } from './byte-buffer.ts'
import {
  CAPTURED,
  type ControlWord,
  HEX_DESTINATIONS,
  readControlWord,
  SCANNED,
  SEPARATE_DESTINATIONS,
  WATCHED,
  WHITE_SPACE,
} from './control-words.ts'
import { type Captured, createFields } from './fields.ts'

/** Work for each byte, symbol and control word. */
const READ_WORK = 25

const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d
const QUOTE = 0x27
const STAR = 0x2a
const SPACE = 0x20
const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const TILDE = 0x7e

/** `full` reads like Word and Outlook; `basic` ignores the control words that simpler readers do not know. */
type Reader = 'full' | 'basic'

export interface RtfText {
  text: Uint8Array
  /** The end of its outermost group. */
  end: number
  /** A basic reader may see a different text. */
  ambiguous: boolean
  /** The name of a field is the result of another. */
  hasUnknownName: boolean
  captured: readonly Captured[]
  /** Control words that load or exploit something, with their numbers. */
  watched: ReadonlyMap<string, number>
}

/** Immutable: nested groups share it. */
interface Group {
  skipped: boolean
  /** Inside `\htmlrtf`: Outlook leaves it out of the page, Word shows it. */
  omitted: boolean
  /** Part of a field or another captured destination. */
  captured: boolean
  /** Characters to skip after a Unicode character. */
  fallbacks: number
  /** Inside `\upr`: the depth of the Unicode version, and whether its text is skipped. */
  unicode: { depth: number; skipped: boolean } | null
}

/** Nested groups. Word does not open documents with this many. */
export const DEPTH_MAX = 100_000

/** Fields and object classes. More take the rules too long. */
export const FIELDS_MAX = 100_000

/** Control words used as Unicode fallbacks. No known program writes them, and reading twice is slow. */
export const FALLBACK_WORDS_MAX = 200_000

/** The contents of fields come last. null: a limit was exceeded, or a field is recursive. */
export function readText(source: Uint8Array, reader: Reader = 'full', start = 0): RtfText | null {
  const bytes = view(source)
  const isFull = reader === 'full'
  const out = createByteBuffer()
  const fields = createFields()
  const outer: Group[] = []
  let group: Group = { skipped: false, omitted: false, captured: false, fallbacks: 1, unicode: null }
  let fallbacksLeft = 0
  let fallbackWords = 0
  let starred = false
  let ambiguous = false
  const watched = new Map<string, number>()

  function put(byte: number): void {
    if (fallbacksLeft > 0) {
      fallbacksLeft -= 1
      return
    }
    if (group.skipped) return
    const char = byte === TAB ? SPACE : byte
    if (group.captured) fields.put(char)
    else if (!group.omitted) out.push(char)
  }

  function applyWord(word: ControlWord): number {
    const { name, number, end } = word
    const isCaptured = CAPTURED.has(name)
    watch(name, number)
    if (!isCaptured && isFallback()) return end
    ambiguous ||= FULL_ONLY.has(name) || (group.captured && SEPARATE_DESTINATIONS.has(name))
    if (isSkipped(name, group, starred, isFull)) group = { ...group, skipped: true }
    starred = false
    const space = WHITE_SPACE.get(name)
    if (isCaptured) capture(name)
    else if (name === 'u') putUnicode(number)
    else if (space !== undefined) put(space)
    else group = groupAfter(word, group, outer.length, isFull)
    return end
  }

  function watch(name: string, number: number): void {
    if (WATCHED.has(name)) watched.set(name, Math.max(number, watched.get(name) ?? 0))
  }

  function capture(name: string): void {
    // Even inside a skipped destination, such as an ignorable shape.
    group = { ...group, skipped: false, captured: true }
    fields.open(name, outer.length)
  }

  /** By the specification, a control word or symbol counts as one fallback character. */
  function isFallback(): boolean {
    if (fallbacksLeft === 0) return false
    ambiguous = true
    if (!isFull) return false
    fallbacksLeft -= 1
    fallbackWords += 1
    return true
  }

  function putUnicode(number: number): void {
    fallbacksLeft = 0
    // Some writers of malicious templates only put a minus before the code.
    const code = (number < 0 && number > -0x80 && fields.current() === 'template' ? -number : number) & 0xffff
    if (code < 0x80) put(code)
    else for (const byte of Buffer.from(String.fromCharCode(code))) put(byte)
    fallbacksLeft = group.fallbacks
  }

  function applySymbol(at: number): number {
    const char = symbolAt(bytes, at)
    if (char !== null) put(char)
    else if (!isFallback()) starred ||= bytes[at] === STAR
    return bytes[at] === QUOTE ? at + 3 : at + 1
  }

  function openOrClose(byte: number): void {
    fallbacksLeft = 0
    starred = false
    if (byte === OPEN) {
      outer.push(group)
      return
    }
    group = outer.pop() ?? group
    fields.close(outer.length)
  }

  /** Reads a byte, symbol or control word and returns the next position. */
  function read(at: number): number {
    const byte = bytes[at] as number
    if (byte === BACKSLASH) {
      const word = readControlWord(bytes, at + 1)
      return word === null ? applySymbol(at + 1) : applyWord(word)
    }
    if (byte === OPEN || byte === CLOSE) openOrClose(byte)
    else if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== 0) put(byte)
    return at + 1
  }

  const isTooComplex = (): boolean =>
    outer.length > DEPTH_MAX ||
    fields.count() > FIELDS_MAX ||
    fields.isRecursive() ||
    fallbackWords > FALLBACK_WORDS_MAX
  let at = start
  do {
    charge(READ_WORK)
    at = read(at)
  } while (at < bytes.length && !isTooComplex() && (start === 0 || outer.length > 0))
  if (isTooComplex()) return null
  return {
    text: Buffer.concat([out.bytes(), fields.finish()]),
    end: Math.min(at, bytes.length),
    ambiguous,
    hasUnknownName: fields.hasUnknownName(),
    captured: fields.captured(),
    watched,
  }
}

/** Control words that basic readers do not know. */
const FULL_ONLY = new Set(['upr', 'ud', 'htmlrtf'])

function isSkipped(name: string, { captured }: Group, starred: boolean, isFull: boolean): boolean {
  if (HEX_DESTINATIONS.has(name) || (isFull && captured && SEPARATE_DESTINATIONS.has(name))) return true
  return starred && !SCANNED.has(name) && !(isFull && name === 'ud')
}

function groupAfter({ name, number, hasNumber }: ControlWord, group: Group, depth: number, isFull: boolean): Group {
  if (name === 'uc') return { ...group, fallbacks: Math.max(0, number) }
  if (!isFull) return group
  if (name === 'htmlrtf') return { ...group, omitted: !hasNumber || number !== 0 }
  if (name === 'upr') return { ...group, skipped: true, unicode: { depth: depth + 1, skipped: group.skipped } }
  if (name === 'ud' && group.unicode?.depth === depth) return { ...group, skipped: group.unicode.skipped }
  return group
}

/** The character that a symbol or `\'` escape produces, or null. */
function symbolAt(bytes: Buffer, at: number): number | null {
  const symbol = bytes[at] ?? STAR
  if (symbol === QUOTE) return Number.parseInt(bytes.toString('latin1', at + 1, at + 3), 16) & 0xff
  if (symbol === TILDE) return SPACE
  if (symbol === LINE_FEED || symbol === CARRIAGE_RETURN) return LINE_FEED
  return symbol === BACKSLASH || symbol === OPEN || symbol === CLOSE ? symbol : null
}
