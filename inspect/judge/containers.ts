/** Tells files that were packed from those that are part of a document. */

import type { Item } from '#inspect/core/format.ts'
import { roleOf } from '#inspect/detect/magic.ts'

/** Everything around the item is an archive without a purpose of its own. The document itself is in none. */
export function isPlainlyPacked({ parent }: Item): boolean {
  for (let outer = parent; outer !== null; outer = outer.parent)
    if (outer.sniffed.kind !== 'zip' && roleOf(outer.sniffed.type) !== 'archive') return false
  return true
}
