/** Searches each stream once for the keywords and marks of all formats and signatures. */

import { KEYWORD_LITERALS } from './keywords.ts'
import { markLiterals } from './marks.ts'
import { createMatcher } from './matcher/matcher.ts'

/** The ids of the literals that the bytes contain. */
export type LiteralScan = (bytes: Uint8Array) => ReadonlySet<number>

/** Call the result once per document: results are cached by buffer, and a buffer may be reused. */
export function createLiteralScan(): () => LiteralScan {
  const find = createMatcher([...KEYWORD_LITERALS, ...markLiterals()])
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
