/** Which items have a text that a reader of the document meets. */

import type { Item } from '#inspect/core/format.ts'

/** Another reading of what is read already: another encoding, a page that a script writes, a part of a mail. */
const OTHER = /^\(/
/** Data inside these is no text of its own, unless a format of theirs says so. */
const DOCUMENTS = new Set(['pdf', 'ooxml', 'odf', 'ole2', 'rtf', 'onenote'])

const isOtherReading = ({ path }: Item): boolean => path.some((name) => OTHER.test(name))

/** The page of a message of Outlook. */
const OUTLOOK = /^__substg1\.0_1013/i

/** Uploaded, attached to a mail or packed in an archive, or what a mail shows. */
export function isFile(item: Item): boolean {
  if (item.parent?.sniffed.kind === 'ole2' && OUTLOOK.test(item.path.at(-1) ?? '')) return true
  const around = item.parent?.sniffed
  const isInText = around?.kind === 'text' && around.type !== 'message/rfc822'
  return !isOtherReading(item) && !isInText && !DOCUMENTS.has(around?.kind ?? '')
}
