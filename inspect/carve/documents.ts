/** Carves documents out of other data, such as Office records around an object. */

import { readCompound } from '#inspect/codecs/compound.ts'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge } from '#inspect/core/work.ts'
import { isFragmented } from '#inspect/detect/fragmented.ts'
import { isOle2, isZip, pdfHeaderAt } from '#inspect/detect/sniff.ts'

const COMPOUND_FILE = ascii('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
const PDF = ascii('%PDF-')
const COMPOUND_MARK = mark(['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'])
const PDF_MARK = mark(['%PDF-'])

export const carvedDocuments: Format = {
  among: { marks: [COMPOUND_MARK, PDF_MARK] },
  // Containers hand their members to the traversal themselves.
  applies: ({ bytes }) => !isOle2(bytes) && !isZip(bytes),
  analyse(item, context) {
    const take = createPieceBudget(item, context)
    for (const at of offsetsOf(item)) {
      const bytes = item.bytes.subarray(at)
      if (!take(bytes.length)) return
      // Fragments of a document in a compound file stream are not a document.
      if (isFragmented(item) && isOle2(bytes) && readCompound(bytes) === null) continue
      context.inspectMember(item, '(inside)', bytes)
    }
  },
}

/** Offsets of every compound file and of the first PDF, which includes all later ones and may be the item itself. */
function* offsetsOf(item: Item): Generator<number> {
  const bytes = view(item.bytes)
  if (item.has(COMPOUND_MARK))
    for (let at = bytes.indexOf(COMPOUND_FILE); at !== -1; at = bytes.indexOf(COMPOUND_FILE, at + 1)) yield at
  const pdf = item.has(PDF_MARK) && pdfHeaderAt(bytes) === -1 ? bytes.indexOf(PDF) : -1
  if (pdf !== -1 && hasObjects(bytes, pdf)) yield pdf
}

/** `1 0 obj` */
const OBJECT = ascii('obj')
const OBJECT_WORK = 24
const isSpace = (byte = 0): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39

/** Programs that tell types of files apart have the header of a PDF document, and no object after it. */
function hasObjects(bytes: Buffer, from: number): boolean {
  charge(bytes.length - from)
  for (let at = bytes.indexOf(OBJECT, from); at !== -1; at = bytes.indexOf(OBJECT, at + OBJECT.length)) {
    charge(OBJECT_WORK)
    if (followsNumbers(bytes, at, from)) return true
  }
  return false
}

/** Two numbers, with white space of any length. */
function followsNumbers(bytes: Buffer, end: number, from: number): boolean {
  const before = (at: number, isOne: (byte?: number) => boolean): number => {
    let start = at
    while (start > from && isOne(bytes[start - 1])) start -= 1
    charge(at - start)
    return start
  }
  const second = before(end, isSpace)
  const gap = before(second, isDigit)
  const first = before(gap, isSpace)
  return gap < second && first < gap && first > from && isDigit(bytes[first - 1])
}
