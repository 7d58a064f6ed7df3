/** Stored entries that do not say where they end: each goes on to the end of the archive, and holds those behind it. */

import type { Context, Item } from '#inspect/core/format.ts'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'

/** What is left to read of them, by the archive and by each: one budget for all that lie in each other. */
const families = new WeakMap<Item | Uint8Array, { left: number }>()

/** Whether these bytes are such an entry: what else is in them is found where they come from. */
export function isEndless(bytes: Uint8Array): boolean {
  return families.has(bytes)
}

export function lookAtEndless(item: Item, data: Uint8Array, name: string, context: Context): void {
  const family = families.get(item.bytes) ?? families.get(item) ?? { left: item.bytes.length * PASSES_MAX }
  families.set(item, family)
  family.left -= data.length
  if (family.left < 0) {
    context.addObstacle(item, 'too_complex', 'Its entries lie in each other.')
    return
  }
  if (!context.chargeBytes(item, data.length, 'archive')) return
  families.set(data, family)
  context.inspectMember(item, name, data)
}
