/** Whether a PDF says that it is encrypted, and not only a text in it. */

import { readDictionary, skipSpace } from '../syntax/dictionary.ts'
import type { PdfObjects } from '../syntax/objects.ts'

/** Characters read for trailers and objects, besides those of the file. Past them, it says so. */
export const STATED_READS_MAX = 16_777_216

/** A trailer, or an object, which may be a table. They are looked for everywhere: a table may begin inside of a text. */
export function isStated(objects: PdfObjects): boolean {
  const { text } = objects
  let left = text.length + STATED_READS_MAX
  for (const at of placesIn(objects)) {
    const dictionary = readDictionary(text, at)
    left -= (dictionary?.end ?? text.length) - at
    // Readers make do with a dictionary that has no end.
    if (dictionary === null || left < 0 || dictionary.values.has('Encrypt')) return true
  }
  return false
}

/** Where their dictionaries begin. */
function* placesIn({ text, all }: PdfObjects): Generator<number> {
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
