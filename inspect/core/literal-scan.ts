/** Searches each stream once for the literals of all rules and the keywords of all formats. */

import { KEYWORD_LITERALS } from './keywords.ts'
import { createFinder, type Literal } from './literal-finder.ts'

/** The ids of the literals that the bytes contain, ignoring ASCII case. */
export type LiteralScan = (bytes: Uint8Array) => ReadonlySet<number>

/** Call the result once per document: results are cached by buffer, and a buffer may be reused. */
export function createLiteralScan(ruleLiterals: readonly Literal[]): () => LiteralScan {
  const find = createFinder([...KEYWORD_LITERALS, ...ruleLiterals])
  return () => {
    const known = new WeakMap<Uint8Array, ReadonlySet<number>>()
    return (bytes) => {
      let ids = known.get(bytes)
      if (ids === undefined) {
        ids = find(bytes)
        known.set(bytes, ids)
      }
      return ids
    }
  }
}
