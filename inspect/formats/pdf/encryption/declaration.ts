/** Tells whether a PDF declares encryption in its structure, not only in a text. */

import { readDictionary, skipSpace } from '../syntax/dictionary.ts'
import type { PdfObjects } from '../syntax/objects.ts'

/** Characters read for trailers and objects, in addition to one pass. Past it, encryption is assumed. */
export const DECLARATION_READS_MAX = 16_777_216

/** Checks trailers and objects, even inside strings: a reader may find a cross-reference table anywhere. */
export function isEncryptionDeclared(objects: PdfObjects): boolean {
  const { text } = objects
  let left = text.length + DECLARATION_READS_MAX
  for (const at of dictionariesIn(objects)) {
    const dictionary = readDictionary(text, at)
    left -= (dictionary?.end ?? text.length) - at
    // Readers accept a dictionary without an end.
    if (dictionary === null || left < 0 || dictionary.values.has('Encrypt')) return true
  }
  return false
}

/** Start offsets. */
function* dictionariesIn({ text, all }: PdfObjects): Generator<number> {
  for (const { at } of all) if (text.startsWith('<<', at)) yield at
  let dictionary = 0
  for (let at = text.indexOf('trailer'); at !== -1; at = text.indexOf('trailer', at + 7)) {
    if (dictionary > at) continue
    dictionary = skipSpace(text, at + 7)
    if (!text.startsWith('<<', dictionary)) dictionary = text.indexOf('<<', at)
    if (dictionary === -1) return
    yield dictionary
  }
}
