/** Commands in texts that a document stores outside its macros, such as variables, cells, properties and forms. */

import { factType } from '#inspect/core/facts.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { findCommand } from './commands.ts'

/** A macro that runs without a click starts something that cannot be read from the macro. */
export const RUNS_UNKNOWN = factType<true>('runs unknown text')

const TEXT_WORK = 20
const CODED = /^[A-Za-z0-9+/\s]{8,}={0,2}$/
/** Characters of Base64 that are more than words. */
const CODED_MIN = 24

/** The text with a command: as it is, reversed, in Base64, or in pieces that the macro joins. */
export function storedCommand(texts: Iterable<string>): string | null {
  let joined = ''
  let coded = ''
  for (const text of texts) {
    const found = commandIn(text)
    if (found !== null) return found
    keep(text.length * 2)
    joined += text
    if (CODED.test(text)) coded += text
  }
  return commandIn(joined) ?? decoded(coded)
}

function commandIn(text: string): string | null {
  charge(text.length * TEXT_WORK)
  if (findCommand(text) !== null) return text
  const reversed = Buffer.from(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).reverse().buffer).toString(
    'utf16le',
  )
  return findCommand(reversed) === null ? decoded(text) : reversed
}

function decoded(text: string): string | null {
  charge(text.length * TEXT_WORK)
  if (text.length < CODED_MIN || !CODED.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  const plain = bytes.toString(bytes[1] === 0 ? 'utf16le' : 'latin1')
  return findCommand(plain) === null ? null : plain
}
