/** Whether a PDF ends before its end, like a download that was interrupted. */

import { IN_BASE64, type Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { pdfHeaderAt } from '#inspect/detect/sniff.ts'
import type { PdfObjects } from './objects.ts'

/** At least one follows the last object of a complete file. Readers do without the others. */
const ENDS = ['startxref', 'trailer', '%%EOF']

/**
 * Readers show what is left of such a file, and all of that is inspected, but it is not the document that its owner means.
 * Without an object, a member is only a header, such as test files consist of.
 */
export function isCutOff(item: Item, { text, all }: PdfObjects): boolean {
  if (pdfHeaderAt(item.bytes) !== 0 || isCarved(item)) return false
  const last = all.at(-1)
  if (last === undefined && item.path.length > 0) return false
  const from = last?.at ?? 0
  charge((text.length - from) * ENDS.length)
  return !ENDS.some((end) => text.includes(end, from))
}

/** It is the beginning of a file in a program, or reaches to the end of the data around it, which may be a text about PDF. */
function isCarved({ bytes, parent, path }: Item): boolean {
  if (path.at(-1) === IN_BASE64) return true
  if (parent === null || bytes.buffer !== parent.bytes.buffer) return false
  return bytes.byteOffset + bytes.length === parent.bytes.byteOffset + parent.bytes.length
}
