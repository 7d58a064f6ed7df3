/** Limits how often a format may inspect overlapping pieces of the same item. */

import type { Context, Item } from './format.ts'

/** The pieces of an item may add up to this many times its length. Past it, the item is too complex. */
export const PASSES_MAX = 4

/** Charges one piece of this length. false: a limit was exceeded and an obstacle added. */
export function createPieceBudget(item: Item, context: Context): (length: number) => boolean {
  let left = item.bytes.length * PASSES_MAX
  return (length) => {
    if (!context.countEntry(item)) return false
    left -= length
    if (left < 0) {
      context.addObstacle(item, 'too_complex', 'Its parts overlap too often.')
      return false
    }
    return context.chargeBytes(item, length, 'stream')
  }
}
