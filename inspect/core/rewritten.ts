/** Replaces matches in a text that may have millions of them. */

import { charge } from './work.ts'

/** Work for each match, and for each character. */
const MATCH_WORK = 500
const CHARACTER_WORK = 2

/**
 * Like `replace`, but the result is outside the heap, which is small. For Latin-1 texts and global patterns. A match is
 * replaced by no more characters than it has.
 */
export function rewritten(text: string, pattern: RegExp, replacementOf: (match: RegExpExecArray) => string): string {
  charge(text.length * CHARACTER_WORK)
  pattern.lastIndex = 0
  let match = pattern.exec(text)
  if (match === null) return text
  const bytes = Buffer.from(text, 'latin1')
  // Written over what was read: the result is never longer.
  let length = match.index
  for (;;) {
    charge(MATCH_WORK)
    const replacement = replacementOf(match)
    for (let at = 0; at < replacement.length; at++) bytes[length++] = replacement.charCodeAt(at)
    const from = match.index + match[0].length
    match = pattern.exec(text)
    const to = match?.index ?? text.length
    bytes.copyWithin(length, from, to)
    length += to - from
    if (match === null) return bytes.toString('latin1', 0, length)
  }
}
