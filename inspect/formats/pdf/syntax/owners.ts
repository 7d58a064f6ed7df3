/** Finds the objects that a place in a PDF may belong to: a head in a string or a comment is none to most readers. */

import { valueEnd } from './dictionary.ts'
import type { Head } from './head.ts'
import type { PdfObject, PdfObjects } from './objects.ts'

/** Objects looked at for one place. Where there may be more, it is unclear. */
export const OWNERS_MAX = 16

/** Characters read for the ends of objects, besides those of the file. Past them it is unclear. */
export const OWNER_READS_MAX = 16_777_216

interface Span {
  end: number
  /** The nearest object in front of it that ends later. */
  outer: number
}

/** The objects that span a place, and the last one in front of it; null if that is unclear. */
export function createOwners({ text, all }: Pick<PdfObjects, 'text' | 'all'>): (at: number) => Head[] | null {
  let known: readonly Span[] | null | undefined
  return (at) => {
    if (known === undefined) known = spansOf(text, all)
    return known === null ? null : ownersOf(at, all, known)
  }
}

function ownersOf(at: number, all: readonly PdfObject[], spans: readonly Span[]): Head[] | null {
  const last = countBefore(all, at) - 1
  const owners: Head[] = []
  for (let i = last, steps = 1; i >= 0; steps++) {
    if (steps > OWNERS_MAX) return null
    const { end, outer } = spans[i] as Span
    if (i === last || end > at) owners.push(all[i] as PdfObject)
    i = end > at ? i - 1 : outer
  }
  return owners
}

function spansOf(text: string, all: readonly PdfObject[]): Span[] | null {
  const spans: Span[] = []
  let left = text.length + OWNER_READS_MAX
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
