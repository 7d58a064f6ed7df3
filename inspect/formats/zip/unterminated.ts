/** Stored entries without a size: each extends to the end of the archive and contains those after it. */

import type { Context, Item } from '#inspect/core/format.ts'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'

/** One budget for all entries that contain each other, keyed by the archive and by each entry. */
const budgets = new WeakMap<Item | Uint8Array, { left: number }>()

/** Whether these bytes are such an entry. Its archive has already carved the entries in it. */
export function isUnterminated(bytes: Uint8Array): boolean {
  return budgets.has(bytes)
}

export function inspectUnterminated(item: Item, data: Uint8Array, name: string, context: Context): void {
  const budget = budgets.get(item.bytes) ?? budgets.get(item) ?? { left: item.bytes.length * PASSES_MAX }
  budgets.set(item, budget)
  budget.left -= data.length
  if (budget.left < 0) {
    context.addObstacle(item, 'too_complex', 'Its entries overlap too often.')
    return
  }
  if (!context.chargeBytes(item, data.length, 'archive')) return
  budgets.set(data, budget)
  context.inspectMember(item, name, data)
}
