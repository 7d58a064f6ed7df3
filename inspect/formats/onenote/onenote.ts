/** Files in OneNote sections: found by the mark in front of each, wherever the section keeps them. */

import { liesIn, view } from '../../bytes.ts'
import type { Format } from '../../visit.ts'
import { createReadings } from '../readings.ts'

/** The mark of a FileDataStoreObject: {BDE316E7-2665-4511-A4C4-8D4D0B7A9EAC}. */
const MARK = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex')
/** The mark, the length in eight bytes, and twelve that mean nothing. */
const HEADER_BYTES = 36

export const onenote: Format = {
  // What lies in another item as it is has been found there: sections in sections are not read over and over.
  applies: ({ bytes, parent }) => view(bytes).includes(MARK) && (parent === null || !liesIn(bytes, parent.bytes)),
  analyse(item, visit) {
    const bytes = view(item.bytes)
    const take = createReadings(item, visit)
    for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + 1)) {
      const start = at + HEADER_BYTES
      const length = start <= bytes.length ? Number(bytes.readBigUInt64LE(at + MARK.length)) : Number.POSITIVE_INFINITY
      if (start + length > bytes.length) visit.hinder(item, 'damaged', 'A file in the section is cut off.')
      const data = bytes.subarray(start, Math.min(start + length, bytes.length))
      if (!take(data.length)) return
      if (data.length > 0) visit.member(item, '(attached file)', data)
    }
  },
}
