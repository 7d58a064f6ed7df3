/** Replaces matches in a text that may have millions of them. */

import { charge } from './work.ts'

/** Work for each match, and for each character. */
const MATCH_WORK = 500
const CHARACTER_WORK = 4

/**
 * Like `replace`, but the result is outside the heap, which is small. For Latin-1 texts and global patterns; no
 * replacement may be longer than its match.
 */
export function rewritten(text: string, pattern: RegExp, replacementOf: (match: RegExpExecArray) => string): string {
  charge(text.length * CHARACTER_WORK)
  pattern.lastIndex = 0
  let match = pattern.exec(text)
  if (match === null) return text
  const out = Buffer.allocUnsafe(text.length)
  let length = 0
  let from = 0
  for (; match !== null; match = pattern.exec(text)) {
    charge(MATCH_WORK)
    if (match.index > from) length += out.write(text.slice(from, match.index), length, 'latin1')
    length += out.write(replacementOf(match), length, 'latin1')
    from = match.index + match[0].length
  }
  if (from < text.length) length += out.write(text.slice(from), length, 'latin1')
  return out.toString('latin1', 0, length)
}
