/** Finds the objects that a position may belong to: most readers ignore headers in strings and comments. */

import { valueEnd } from './dictionary.ts'
import type { ObjectHeader } from './object-header.ts'
import type { PdfObject, PdfObjects } from './objects.ts'

/** Candidates for one position. With more, the result is ambiguous. */
export const ENCLOSING_MAX = 16

/** Characters read to find the ends of objects, in addition to one pass. Past it, the result is ambiguous. */
export const ENCLOSING_READS_MAX = 16_777_216

interface Span {
  end: number
  /** Index of the nearest preceding object that ends later. */
  outer: number
}

/** Returns the objects that span a position and the last one before it; null if ambiguous. */
export function createEnclosing({
  text,
  all,
}: Pick<PdfObjects, 'text' | 'all'>): (at: number) => ObjectHeader[] | null {
  let spans: readonly Span[] | null | undefined
  return (at) => {
    if (spans === undefined) spans = spansOf(text, all)
    return spans === null ? null : enclosingAt(at, all, spans)
  }
}

function enclosingAt(at: number, all: readonly PdfObject[], spans: readonly Span[]): ObjectHeader[] | null {
  const last = countBefore(all, at) - 1
  const enclosing: ObjectHeader[] = []
  for (let i = last, steps = 1; i >= 0; steps++) {
    if (steps > ENCLOSING_MAX) return null
    const { end, outer } = spans[i] as Span
    if (i === last || end > at) enclosing.push(all[i] as PdfObject)
    i = end > at ? i - 1 : outer
  }
  return enclosing
}

function spansOf(text: string, all: readonly PdfObject[]): Span[] | null {
  const spans: Span[] = []
  let left = text.length + ENCLOSING_READS_MAX
  for (const [i, { at }] of all.entries()) {
    const end = valueEnd(text, at)
    left -= end - at
    if (left < 0) return null
    let outer = i - 1
    while (outer >= 0 && (spans[outer] as Span).end <= end) outer = (spans[outer] as Span).outer
    spans.push({ end, outer })
  }
  return spans
}

function countBefore(all: readonly PdfObject[], at: number): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle] as PdfObject).at <= at) low = middle + 1
    else high = middle
  }
  return low
}
