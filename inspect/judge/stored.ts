/** Commands in texts that a document stores outside its macros, such as variables, cells, properties and forms. */

import { findCommand } from '#inspect/commands/find.ts'
import { factType } from '#inspect/core/facts.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { SHELL_CLASSES } from '#inspect/windows/classes.ts'

/** A macro that runs without a click starts something that cannot be read from the macro. */
export const RUNS_UNKNOWN = factType<true>('runs unknown text')

const TEXT_WORK = 20
/** A name of a program and an argument. Numbers and short words are tried only as pieces. */
const COMMAND_MIN = 5
const BASE64 = /^[A-Za-z0-9+/\s]{8,}={0,2}$/
/** Characters of Base64 that are more than words. */
const BASE64_MIN = 24
/** Digits in pairs, with or without separators and prefixes. */
const HEXADECIMAL = /^(?:(?:0x|&h|\\x|%)?[0-9a-f]{2}[\s|,;:_-]?){6,}$/i
/** In plain text, these names are no secret: nobody encodes them for a good reason. */
const HIDDEN_NAME = anyCase`^(?:${SHELL_CLASSES}|winmgmts:.*|[^\r\n"<>|]{1,200}\.exe)$`

/** The text with a command: as it is, reversed, encoded, or in pieces that the macro joins. */
export function storedCommand(texts: Iterable<string>): string | null {
  let joined = ''
  let spaced = ''
  let coded = ''
  for (const text of texts) {
    const found = commandIn(text)
    if (found !== null) return found
    keep(text.length * 3)
    joined += text
    spaced += `${text} `
    if (BASE64.test(text)) coded += text
  }
  return commandIn(joined) ?? commandIn(spaced) ?? decodedCommand(coded)
}

function commandIn(text: string): string | null {
  if (text.length < COMMAND_MIN) return null
  charge(text.length * TEXT_WORK)
  if (findCommand(text) !== null) return text
  const reversed = Buffer.from(text, 'utf16le').reverse().swap16().toString('utf16le')
  if (findCommand(reversed) !== null) return reversed
  return decodedCommand(text) ?? commandBetween(text)
}

/** Characters between two separators, and of a separator. */
const PIECE_MAX = 6
const [SEPARATOR_MIN, SEPARATOR_MAX] = [2, 12]
/** A third of the text consists of separators. Words of a sentence are never repeated that often. */
const SEPARATORS_SHARE = 1 / 3
const SEPARATORS_MIN = 4

/** Of a text such as `pow!#ers!#hel!#l`, from which the macro removes the separators. */
function commandBetween(text: string): string | null {
  for (let at = 1; at <= PIECE_MAX; at++)
    for (let length = SEPARATOR_MIN; length <= SEPARATOR_MAX; length++) {
      const separator = text.slice(at, at + length)
      if (!text.slice(at + length, at + 2 * length + PIECE_MAX).includes(separator)) continue
      charge(text.length * TEXT_WORK)
      const pieces = text.split(separator)
      const count = pieces.length - 1
      if (count < SEPARATORS_MIN || count * length < text.length * SEPARATORS_SHARE) continue
      const plain = pieces.join('')
      if (HIDDEN_NAME.test(plain) || findCommand(plain) !== null) return plain
    }
  return null
}

function decodedCommand(text: string): string | null {
  charge(text.length * TEXT_WORK)
  const plain = decoded(text)
  return plain !== null && (HIDDEN_NAME.test(plain) || findCommand(plain) !== null) ? plain : null
}

/** Null unless the text is Base64 or hexadecimal digits. */
function decoded(text: string): string | null {
  if (HEXADECIMAL.test(text)) return Buffer.from(text.replace(/0x|&h|\\x|[^0-9a-f]/gi, ''), 'hex').toString('latin1')
  if (text.length < BASE64_MIN || !BASE64.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString(bytes[1] === 0 ? 'utf16le' : 'latin1')
}
