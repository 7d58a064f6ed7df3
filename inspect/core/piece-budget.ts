/** Looks at pieces of an item that should not overlap, and at few of them if they do. */

import type { Item, Visit } from './format.ts'

/** How often the bytes of an item are looked at in pieces, for those who want to be misread. Past it, it is too complex. */
export const READINGS_MAX = 4

/** Whether there is room for one more piece of this length. When there is not, that is noted. */
export function createReadings(item: Item, visit: Visit): (length: number) => boolean {
  let left = item.bytes.length * READINGS_MAX
  return (length) => {
    if (!visit.enter(item)) return false
    left -= length
    if (left < 0) {
      visit.hinder(item, 'too_complex', 'Its parts lie in each other.')
      return false
    }
    if (length > visit.room()) {
      visit.hinder(item, 'too_complex', `It holds more than the ${visit.room()} bytes that are left.`)
      return false
    }
    visit.spend(length, 'stream')
    return true
  }
}
