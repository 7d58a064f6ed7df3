/** Looks for everything that matters in a stream at once and only once: literals of the rules, and words of the analysers. */

import { MARK_LITERALS } from './keywords.ts'
import { createFinder, type Literal } from './literal-finder.ts'

/** The ids of the literals that stand in the bytes, in small or capital letters. */
export type Sight = (bytes: Uint8Array) => ReadonlySet<number>

/** To be opened anew for each document: the same memory may hold another one next. */
export function createSight(ruleLiterals: readonly Literal[]): () => Sight {
  const find = createFinder([...MARK_LITERALS, ...ruleLiterals])
  return () => {
    const known = new WeakMap<Uint8Array, ReadonlySet<number>>()
    return (bytes) => {
      let ids = known.get(bytes)
      if (ids === undefined) {
        ids = new Set(find(bytes))
        known.set(bytes, ids)
      }
      return ids
    }
  }
}
