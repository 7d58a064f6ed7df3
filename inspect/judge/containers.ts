/** Tells files that were packed from those that are part of a document. */

import type { Item } from '#inspect/core/format.ts'
import { roleOf } from '#inspect/detect/magic.ts'

/** Everything around the item is an archive without a purpose of its own. The document itself is in none. */
export function isPlainlyPacked(item: Item): boolean {
  return isWithin(item, (type) => roleOf(type) === 'archive')
}

/** The same, or in a mail. */
export function isPackedOrMailed(item: Item): boolean {
  return isWithin(item, (type) => type === 'message/rfc822' || roleOf(type) === 'archive')
}

function isWithin({ parent }: Item, isPlain: (type: Item['sniffed']['type']) => boolean): boolean {
  for (let outer = parent; outer !== null; outer = outer.parent)
    if (outer.sniffed.kind !== 'zip' && !isPlain(outer.sniffed.type)) return false
  return true
}
