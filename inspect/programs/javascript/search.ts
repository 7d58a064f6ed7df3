/** Searches in texts that count for the allowance of an evaluation. */

import { indexOf as indexIn, lastIndexOf as lastIndexIn, type Pay, split as splitAt } from '#inspect/core/search.ts'
import { spend, store } from './budget.ts'

/** Memory for a text of one character in a list. */
export const PIECE_BYTES = 24
/** Memory for each character of a part that is searched. */
const PART_BYTES = 4

const paidFor = (part: string): Pay => {
  store(part.length * PART_BYTES)
  return spend
}

export function indexOf(text: string, part: string, from = 0): number {
  return indexIn(text, part, from, paidFor(part))
}

export function lastIndexOf(text: string, part: string): number {
  return lastIndexIn(text, part, paidFor(part))
}

/** The pieces between the parts. */
export function split(text: string, part: string): string[] {
  store(text.length * (part === '' ? PIECE_BYTES : 1))
  return splitAt(text, part, Number.POSITIVE_INFINITY, paidFor(part))
}
