/** Locates MIME parts and their encodings in every way that mail programs interpret them. */

import { charge, keep } from '#inspect/core/work.ts'
import { type Bounds, readBounds } from './mail-bounds.ts'

export interface Part {
  encoding: string
  name: string
  /** Possible offsets of its body. */
  starts: number[]
  end: number
  /** It has only this one header and no boundary line, as in a text about mail. */
  bare: boolean
  /** The first mail of a mailbox with all others, as programs without mailbox support read it. */
  isRest: boolean
  /** A program shows it as text, whatever it contains. */
  isPlain: boolean
}

/** Characters before a header that are searched for the boundary line. Past them, the part extends to the end. */
export const HEAD_MAX = 16_384
/** Characters of a header value, with comments and folded lines. */
export const VALUE_MAX = 1000

/** Candidate boundary lines before one part. With more of them, the part extends to the end. */
export const BOUNDARIES_MAX = 4

/** Work for each header, and for each character before it. */
const HEADER_WORK = 8_000
const HEAD_WORK = 4

/** Encodings that mean no encoding. The last ones are common mistakes. */
export const PLAIN: ReadonlySet<string> = new Set([
  '',
  '7bit',
  '8bit',
  'binary',
  '7-bit',
  '8-bit',
  '7bits',
  '8bits',
  '8bitmime',
  'none',
  'utf-8',
  'utf8',
])

/** The name of a part that has none. */
export const UNNAMED = '(part)'

const HEADER = /^content-transfer-encoding[ \t]*:/gim
/** Nested comments in a header. Deeper ones make the encoding unsupported. */
export const COMMENTS_DEEP_MAX = 8

/** Yields the parts whose encoding is wanted. `text` is the whole document as Latin-1. */
export function* partsOf(text: string, wanted: (encoding: string) => boolean, mailbox = false): Generator<Part> {
  const strictGap = gapFinder(text, /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/g)
  // For some programs a line of spaces ends the headers, for others it continues the last header.
  const looseGap = gapFinder(text, /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)/g)
  const lineAfter = lineFinder(text)
  const isDeclared = createDeclared(text)
  let bounds: Bounds | undefined
  const endsOf = (index: number, firstAt: number): number[] => {
    bounds ??= readBounds(text, mailbox)
    const open = bounds.openAt(index) ?? []
    const enclosing = Math.max(...open.map((name) => lineAfter(`--${name}`, firstAt)))
    const end = open.length === 0 ? text.length : enclosing
    const next = bounds.nextMail(firstAt - 1) ?? text.length
    return bounds.isInFirst(index) ? [Math.min(end, next), end] : [Math.min(end, next)]
  }
  for (const { index, 0: header } of text.matchAll(HEADER)) {
    charge(HEADER_WORK)
    const valueAt = index + header.length
    const encoding = encodingOf(text, valueAt)
    if (!wanted(encoding)) continue
    const gaps = [looseGap(valueAt), strictGap(valueAt)].filter((gap) => gap !== null)
    if (gaps.length === 0) continue
    const before = headBefore(text, index, isDeclared)
    const starts = [...new Set(gaps.map(({ end }) => end))]
    const firstAt = starts[0] ?? text.length
    const boundary = endOf(before, (line) => lineAfter(line, firstAt))
    const head = before + text.slice(index, Math.min(gaps[0]?.at ?? index, index + HEAD_MAX))
    const part = {
      encoding,
      name: nameOf(head),
      isPlain: !OTHER_TYPE.test(head),
      starts,
      bare:
        /^\s*$/.test(before) &&
        !/[\r\n][^ \t\r\n]/.test(text.slice(valueAt, Math.min(gaps[0]?.at ?? 0, index + HEAD_MAX))),
    }
    const ends = boundary === null ? endsOf(index, firstAt) : [boundary]
    for (const end of new Set(ends)) yield { ...part, end, isRest: end !== ends[0] }
  }
}

/** Finds the next empty line. Offsets only grow, so nothing is searched twice. */
function gapFinder(text: string, gap: RegExp): (from: number) => { at: number; end: number } | null {
  let known: { at: number; end: number } | null = { at: -1, end: -1 }
  return (from) => {
    if (known !== null && known.at < from) {
      gap.lastIndex = from
      const found = gap.exec(text)
      known = found === null ? null : { at: found.index, end: found.index + found[0].length }
    }
    return known
  }
}

/** The first word that names an encoding; empty without one, `?` if the value is too long. */
function encodingOf(text: string, at: number): string {
  const value = /^(?:[^\r\n]|\r?\n[ \t]|\r[ \t])*/.exec(text.slice(at, at + VALUE_MAX + 1))?.[0] ?? ''
  if (value.length > VALUE_MAX) return '?'
  let bare = value
  for (let depth = 0; depth < COMMENTS_DEEP_MAX; depth++) bare = bare.replace(/\([^()]*\)/g, ' ')
  const words = bare.toLowerCase().match(/[^\s"';,]+/g) ?? []
  return words.find((word) => !PLAIN.has(word)) ?? words[0] ?? ''
}

/**
 * The preceding headers of the same part with its boundary line; empty if they are too long. Most programs write the boundary
 * line directly after the digits of the part before, so that no empty line is near.
 */
function headBefore(text: string, at: number, isDeclared: (line: string) => boolean): string {
  const before = text.slice(Math.max(0, at - HEAD_MAX), at)
  const gap = lastGap(before)
  charge((before.length - Math.max(gap, 0)) * HEAD_WORK)
  if (gap !== -1 || at <= HEAD_MAX) return before.slice(Math.max(gap, 0))
  const [digits = '', line = ''] = AFTER_DIGITS.exec(before) ?? []
  return digits !== '' && isDeclared(line) ? before.slice(digits.length - line.length) : ''
}

const [LF, CR] = [0x0a, 0x0d]

/** The last empty line; -1: none. From the end, because it is near: a mail may have thousands of parts. */
function lastGap(text: string): number {
  for (let at = text.length - 1; at > 0; at--) {
    const code = text.charCodeAt(at)
    if (code !== LF && code !== CR) continue
    const before = text.charCodeAt(at - 1)
    if (before === code) return at - 1
    if (code === LF && before === CR && text.charCodeAt(at - 2) === LF) return at - 2
  }
  return -1
}

/** Lines of Base64, which no header continues over, and the boundary line after them. */
const AFTER_DIGITS = /^(?:[A-Za-z0-9+/=]*(?:\r\n|\r(?!\n)|\n))+(--[^\r\n]*)/
const DECLARATION = /boundary[ \t]*=[ \t]*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi
/** Work for each character searched for declarations, and memory for each of them. */
const DECLARATION_WORK = 3
const DECLARATION_BYTES = 300

/** Whether a line is a boundary that the text declares. Other lines may stand in the headers of a part. */
function createDeclared(text: string): (line: string) => boolean {
  let declared: Set<string> | undefined
  return (line) => {
    if (declared === undefined) {
      charge(text.length * DECLARATION_WORK)
      declared = new Set()
      for (const [, quoted, bare = ''] of text.matchAll(DECLARATION)) {
        keep(DECLARATION_BYTES)
        declared.add(`--${quoted ?? bare}`)
      }
    }
    return declared.has(line.trimEnd())
  }
}

/**
 * A part ends where its boundary line occurs again. Other lines may be content, even if a header declares them as a
 * boundary. Reading too far does no harm.
 */
function endOf(head: string, lineAfter: (line: string) => number): number | null {
  const boundaries = new Set([...head.matchAll(/^--[^\r\n]*/gm)].map(([line]) => line.trimEnd()))
  // Legitimate parts have exactly one.
  if (boundaries.size === 0 || boundaries.size > BOUNDARIES_MAX) return null
  return Math.max(...[...boundaries].map(lineAfter))
}

/** Finds a boundary as a whole line, with or without the closing `--`. Offsets only grow here, too. */
function lineFinder(text: string): (boundary: string, from: number) => number {
  const known = new Map<string, number>()
  const lineEnd = /(?:--)?[ \t]*(?:[\r\n]|$)/y
  const search = (boundary: string, from: number): number => {
    for (let at = text.indexOf(boundary, from); at !== -1; at = text.indexOf(boundary, at + 1)) {
      if (text[at - 1] !== '\n' && text[at - 1] !== '\r') continue
      lineEnd.lastIndex = at + boundary.length
      if (lineEnd.test(text)) return at
    }
    return text.length
  }
  return (boundary, from) => {
    const last = known.get(boundary)
    const at = last !== undefined && last >= from ? last : search(boundary, from)
    known.set(boundary, at)
    return at
  }
}

const OTHER_TYPE = /^content-(?:type[ \t]*:(?!\s*"?text\/plain\b)|disposition)/im

function nameOf(head: string): string {
  const name = /\b(?:file)?name\*?\s*=\s*(?:"([^"\r\n]*)"|([^\s;]+))/i.exec(head)
  return name?.[1] ?? name?.[2] ?? UNNAMED
}
