/**
 * Tables of the update channel beside the built-in ones. They add to what is found and take nothing from it: everything is judged
 * by the built-in tables alone, and once more with both, and either is enough. An owner or a suffix that a table adds may excuse an
 * address only from what the same tables say about it.
 */

import { charge } from '#inspect/core/work.ts'
import type { Brand } from './brands.ts'

/** How anybody gets a host. */
export type HostingKind = 'shortener' | 'tunnel' | 'ipfs' | 'dynamicDns'

export interface Wider {
  owners: ReadonlyMap<string, Brand>
  byName: ReadonlyMap<string, Brand>
  bySkeleton: ReadonlyMap<string, Brand>
  /** Names that count inside of other words, and how long they are. */
  contained: ReadonlySet<string>
  lengths: readonly number[]
  kinds: ReadonlyMap<string, HostingKind>
  suffixes: ReadonlySet<string>
  shapes: ReadonlyMap<string, string>
}

/** As for a link. */
const AGAIN_WORK = 6_000

// An inspection is synchronous, so that one state serves the process, as in `work.ts`.
let tables: Wider | null = null
let isWider = false

export function withTables<T>(given: Wider | null, run: () => T): T {
  tables = given
  try {
    return run()
  } finally {
    tables = null
    isWider = false
  }
}

/** The tables to look into besides the built-in ones; null while these count alone. */
export const wider = (): Wider | null => (isWider ? tables : null)

/** By both. Null without tables, and where both count already. */
export function again<T>(run: () => T): T | null {
  if (tables === null || isWider) return null
  charge(AGAIN_WORK)
  isWider = true
  try {
    return run()
  } finally {
    isWider = false
  }
}

export const either = (holds: () => boolean): boolean => holds() || again(holds) === true

/** What is found by the built-in tables, and what is found with both. */
export const both = <T>(find: () => readonly T[]): T[] => [...find(), ...(again(find) ?? [])]

/** For what is prepared before it is judged; null without tables. */
export const tablesInUse = (): Wider | null => tables
