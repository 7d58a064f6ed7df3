/** Tells which positions are in the packed data of streams, where the signs of the syntax are a coincidence. */

import { charge } from '#inspect/core/work.ts'
import { readDictionary, skipSpace } from './dictionary.ts'
import type { PdfObjects } from './objects.ts'

/** Positions must ascend. A table may point to an object inside the data, which has a header of its own. */
export function createDataSearch({ text, all }: Pick<PdfObjects, 'text' | 'all'>): (position: number) => boolean {
  const endAfter = createEndSearch(text)
  let next = 0
  let start = 0
  let end = 0
  return (position) => {
    const before = next
    while ((all[next]?.at ?? Number.POSITIVE_INFINITY) <= position) next += 1
    if (next > before) {
      start = dataStart(text, all[next - 1]?.at ?? 0)
      end = start === -1 ? -1 : endAfter(start)
    }
    return position >= start && position < end
  }
}

/** -1: the object is no stream, or its data is as it is. */
function dataStart(text: string, object: number): number {
  const dictionary = readDictionary(text, object)
  if (dictionary === null || !dictionary.values.has('Filter')) return -1
  const keyword = skipSpace(text, dictionary.end)
  return text.startsWith('stream', keyword) ? keyword : -1
}

/** Searches no character twice. */
function createEndSearch(text: string): (from: number) => number {
  let known = -1
  return (from) => {
    if (known >= from) return known
    const found = text.indexOf('endstream', from)
    known = found === -1 ? text.length : found
    charge(known - from)
    return known
  }
}
