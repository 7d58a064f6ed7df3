/** Files in OneNote sections: found by the mark in front of each, wherever the section keeps them. */

import { isViewOf, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'

/** The mark of a FileDataStoreObject: {BDE316E7-2665-4511-A4C4-8D4D0B7A9EAC}. */
const MARK = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex')
/** The mark, the length in eight bytes, and twelve that mean nothing. */
const HEADER_BYTES = 36
/** The mark behind it: {71FBA722-0F79-4A0B-BB13-899256426B24}. */
const FOOTER = Buffer.from('22a7fb71790f0b4abb13899256426b24', 'hex')
/** Files are filled up to eight bytes. */
const PADDING_MAX = 7

export const onenote: Format = {
  // What lies in another item as it is has been found there: sections in sections are not read over and over.
  applies: ({ bytes, parent }) => view(bytes).includes(MARK) && (parent === null || !isViewOf(bytes, parent.bytes)),
  analyse(item, context) {
    const bytes = view(item.bytes)
    const take = createPieceBudget(item, context)
    const footerFrom = createSearch(bytes)
    for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + 1)) {
      const start = at + HEADER_BYTES
      const length = start <= bytes.length ? Number(bytes.readBigUInt64LE(at + MARK.length)) : Number.POSITIVE_INFINITY
      let end = Math.min(start + length, bytes.length)
      if (!bytes.subarray(end, end + PADDING_MAX + FOOTER.length).includes(FOOTER)) {
        context.addObstacle(item, 'damaged', 'A file in the section does not end where it should.')
        end = Math.max(end, footerFrom(start))
      }
      const data = bytes.subarray(start, end)
      if (!take(data.length)) return
      if (data.length > 0) context.inspectMember(item, '(attached file)', data)
    }
  },
}

/** Where the next footer stands, or the end. Asked for ever later places, it goes through the bytes once. */
function createSearch(bytes: Buffer): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) found = bytes.indexOf(FOOTER, from)
    if (found === -1) found = bytes.length
    return found
  }
}
