/** Stored entries that do not say where they end: each goes on to the end of the archive, and holds those behind it. */

import type { Item, Visit } from '#inspect/core/format.ts'
import { READINGS_MAX } from '#inspect/core/piece-budget.ts'

/** What is left to read of them, by the archive and by each: one budget for all that lie in each other. */
const families = new WeakMap<Item | Uint8Array, { left: number }>()

/** Whether these bytes are such an entry: what else is in them is found where they come from. */
export function isEndless(bytes: Uint8Array): boolean {
  return families.has(bytes)
}

export function lookAtEndless(item: Item, data: Uint8Array, name: string, visit: Visit): void {
  const family = families.get(item.bytes) ?? families.get(item) ?? { left: item.bytes.length * READINGS_MAX }
  families.set(item, family)
  family.left -= data.length
  if (family.left < 0) {
    visit.hinder(item, 'too_complex', 'Its entries lie in each other.')
    return
  }
  if (data.length > visit.room()) {
    visit.hinder(item, 'too_complex', `It holds more than the ${visit.room()} bytes that are left.`)
    return
  }
  visit.spend(data.length, 'archive')
  families.set(data, family)
  visit.member(item, name, data)
}
