/** Locates percent-encoded data URLs. */

import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'

/** Work for each scheme, and for each character of a URL. */
const SCHEME_WORK = 800
const URL_WORK = 8

const SCHEME = new RegExp([...'data:'].join('[\\t\\r\\n]*'), 'gi')
const LINE_ENDS = new Set([0x09, 0x0a, 0x0d])
const COLON_AT = 2
/** Line ends in a scheme that are checked. A scheme with more is always searched for. */
const LINE_ENDS_MAX = 64
/** The end of a scheme: each letter and the colon may follow line ends. */
export const SCHEME_ENDS = [
  ...['t', '\t', '\n', '\r'].map((before) => `${before}a:`),
  ...brokenEnds('a\t\n\r', '\t\n\r'),
]
export const DATA_SCHEME = mark(SCHEME_ENDS, { ignoresCase: true, fits: isScheme })

function brokenEnds(befores: string, ends: string): string[] {
  return [...befores].flatMap((before) => [...ends].map((end) => `${before}${end}:`))
}

export function isScheme(bytes: Buffer, at: number): boolean {
  let left = LINE_ENDS_MAX
  let before = at + COLON_AT
  for (const letter of 'atad') {
    do before -= 1
    while (LINE_ENDS.has(bytes[before] ?? 0) && left-- > 0)
    if (left < 0) return true
    if (((bytes[before] ?? 0) | 0x20) !== letter.charCodeAt(0)) return false
  }
  return true
}

/** After one of these it is the end of another scheme, or of a longer word. */
const SCHEME_LETTER = /[A-Za-z0-9+.-]/
const QUOTES = new Set('"\'`')
/** `base64` with line ends in it, before the comma. */
const IS_BASE64 = /b\s*a\s*s\s*e\s*6\s*4\s*$/i
const BASE64_CHARACTERS_MAX = 64

/** They do not overlap. Only those with escapes: the others are plain in the text. */
export function* dataUrlsOf(text: string): Generator<{ start: number; end: number }> {
  const next = createSearch(text)
  SCHEME.lastIndex = 0
  let from = 0
  for (const { index, 0: scheme } of text.matchAll(SCHEME)) {
    charge(SCHEME_WORK)
    if (index < from || SCHEME_LETTER.test(text[index - 1] ?? '')) continue
    const headAt = index + scheme.length
    const quote = quoteBefore(text, index)
    // Inside quotes, only the same quote ends the URL.
    const end =
      quote === undefined ? Math.min(...['"', "'", '<', '>'].map((one) => next(one, headAt))) : next(quote, headAt)
    const start = next(',', headAt) + 1
    if (start > end) continue
    if (IS_BASE64.test(text.slice(Math.max(headAt, start - 1 - BASE64_CHARACTERS_MAX), start - 1))) continue
    if (Math.min(...['%', '&', '\t', '\r', '\n'].map((one) => next(one, start))) >= end) continue
    charge((end - start) * URL_WORK)
    yield { start, end }
    from = end
  }
}

/** Also with white space between them. */
function quoteBefore(text: string, index: number): string | undefined {
  let at = index - 1
  while (at >= 0 && /[\s\0]/.test(text[at] as string)) at -= 1
  charge((index - at) * URL_WORK)
  return QUOTES.has(text[at] ?? '') ? text[at] : undefined
}

/** Offset of the next such character, or the length. Offsets only grow for each, so nothing is searched twice. */
function createSearch(text: string): (char: string, from: number) => number {
  const known = new Map<string, number>()
  return (char, from) => {
    const before = known.get(char) ?? -1
    if (before >= from) return before
    const at = text.indexOf(char, from)
    known.set(char, at === -1 ? text.length : at)
    return at === -1 ? text.length : at
  }
}
