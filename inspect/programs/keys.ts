/** Texts as keys of tables. */

import { createHash } from 'node:crypto'
import { charge } from '#inspect/core/work.ts'

/**
 * Characters of a key that is followed; a longer one is not known. V8 hashes texts of more than 16,383 characters by their length
 * only, so that a table compares each of them with all others of that length.
 */
export const KEY_MAX = 16_000
/** Of a longer name, what it is known by. */
const SHOWN = 40
const HASH_WORK = 2

/** A name of a program as a key. */
export function nameKey(name: string): string {
  if (name.length <= KEY_MAX) return name
  charge(name.length * HASH_WORK)
  return `${name.slice(0, SHOWN)}${createHash('sha256').update(name).digest('hex')}`
}
/** Characters that are compared for a unit of work. */
const COMPARED = 8

interface Sized {
  readonly length: number
}

/** What it takes to look for a text among others. */
export function comparisonWork(text: Sized, count: number): number {
  return text.length > KEY_MAX ? Math.ceil((text.length * count) / COMPARED) : 0
}
