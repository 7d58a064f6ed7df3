/** What an analyser of one format is given: the bytes, and a way to report, to spend the budget, and to go deeper. */

import type { Finding, Obstacle } from './findings.ts'
import type { Mark } from './keywords.ts'
import type { Sniffed } from './kind.ts'
import type { Limits } from './limits.ts'

export interface Item {
  bytes: Uint8Array
  path: readonly string[]
  sniffed: Sniffed
  parent: Item | null
  /** The only file in its archive, and so on outwards. */
  alone: boolean
  /** Whether one of the words of a mark stands in the bytes, in small or capital letters. */
  mentions(mark: Mark): boolean
}

export type Seen = Omit<Finding, 'path'> & { path?: readonly string[] }

export interface Visit {
  limits: Limits
  /** Notes a finding; without a path of its own, at the item's place. */
  find(item: Item, seen: Seen): void
  hinder(item: Item, reason: Obstacle['reason'], detail: string, path?: readonly string[]): void
  /** Counts one more archive entry. false: there were too many, and that is noted. */
  enter(item: Item): boolean
  /** Counts rounds of hashing. false: there were too many, and that is noted. */
  toil(item: Item, rounds: number): boolean
  /** How many bytes the next member may unpack to. */
  room(): number
  /** Takes unpacked bytes from the budget. Only those of archives count towards the ratio of a bomb. */
  spend(bytes: number, source: 'archive' | 'stream'): void
  /** Looks at a member: through the rules, and into it if it holds others. */
  member(item: Item, name: string, bytes: Uint8Array, alone?: boolean): void
  /** Shows the rules bytes that are no member of their own, such as a decoded stream. */
  show(item: Item, name: string, bytes: Uint8Array): void
}

export interface Format {
  /** Whether this analyser has something to say about the item. */
  applies(item: Item): boolean
  analyse(item: Item, visit: Visit): void
}
