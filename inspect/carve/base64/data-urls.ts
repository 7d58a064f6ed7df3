/** Locates percent-encoded data URLs. */

import { charge } from '#inspect/core/work.ts'

/** Work for each scheme, and for each character of a URL. */
const SCHEME_WORK = 2_500
const URL_WORK = 20

const SCHEME = new RegExp([...'data:'].join('[\\t\\r\\n]*'), 'gi')
const QUOTE_BEFORE = /["'`][\s\0]*$/
const SPACES_MAX = 32
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
    if (index < from) continue
    const headAt = index + scheme.length
    const quote = QUOTE_BEFORE.exec(text.slice(Math.max(0, index - SPACES_MAX), index))?.[0][0]
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
