/** Commands in texts that a document stores outside its macros, such as variables, cells, properties and forms. */

import { factType } from '#inspect/core/facts.ts'
import { charge } from '#inspect/core/work.ts'
import { COMMAND_MAX, findCommand } from './commands.ts'

/** A macro that runs without a click starts something that cannot be read from the macro. */
export const RUNS_UNKNOWN = factType<true>('runs unknown text')

const TEXT_WORK = 20
const CODED = /^[A-Za-z0-9+/\s]{8,}={0,2}$/
/** Characters of Base64 that are more than words. */
const CODED_MIN = 24

/** The text with a command: as it is, reversed, in Base64, or in pieces that the macro joins. */
export function storedCommand(texts: readonly string[]): string | null {
  for (const text of texts) {
    const found = commandIn(text)
    if (found !== null) return found
  }
  return commandIn(beginningOf(texts)) ?? decoded(beginningOf(texts.filter((text) => CODED.test(text))))
}

function beginningOf(texts: readonly string[]): string {
  let joined = ''
  for (const text of texts) {
    if (joined.length >= COMMAND_MAX) break
    joined += text
  }
  return joined.slice(0, COMMAND_MAX)
}

function commandIn(text: string): string | null {
  const start = text.slice(0, COMMAND_MAX)
  charge(start.length * TEXT_WORK)
  if (findCommand(start) !== null) return start
  const reversed = [...start].reverse().join('')
  return findCommand(reversed) === null ? decoded(start) : reversed
}

function decoded(text: string): string | null {
  charge(text.length * TEXT_WORK)
  if (text.length < CODED_MIN || !CODED.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  const plain = bytes.toString(bytes[1] === 0 ? 'utf16le' : 'latin1')
  return findCommand(plain) === null ? null : plain
}
