/** A queue in which the client that has used least lately is served first, each account in the order of arrival. */
import { createHeap, type HeapItem } from './heap.ts'
import type { RecentUse } from './recent-use.ts'

interface Queued {
  account: string
  /** Of the client, if known: one client can have many accounts. */
  address?: string | undefined
}

/** Jobs that one account sent from one address. */
interface Waiting<T> extends HeapItem {
  group: string
  caller: Queued
  items: Set<T>
  /** The use of the account or of the address, whichever is more. */
  level: number
  /** Of the account: decides among those at one address. */
  own: number
  /** Among accounts with equal use, the one that was served or arrived first is next. */
  turn: number
}

/** The name under which `use` counts an address. */
export const useOfAddress = (address: string): string => `address ${address}`

export function createFairQueue<T extends Queued>(use: Pick<RecentUse, 'levelOf' | 'update'>) {
  const groups = new Map<string, Waiting<T>>()
  const sizes = new Map<string, number>()
  const heap = createHeap<Waiting<T>>((a, b) => {
    if (a.level !== b.level) return a.level < b.level
    return a.own === b.own ? a.turn < b.turn : a.own < b.own
  })
  let size = 0
  let turns = 0

  const groupOf = ({ account, address = '' }: Queued): string => `${account} ${address}`

  function levelsOf({ account, address }: Queued): { level: number; own: number } {
    const own = use.levelOf(account)
    return { own, level: address === undefined ? own : Math.max(own, use.levelOf(useOfAddress(address))) }
  }

  function count(account: string, by: 1 | -1): void {
    const changed = (sizes.get(account) ?? 0) + by
    if (changed > 0) sizes.set(account, changed)
    else sizes.delete(account)
    size += by
  }

  function remove(waiting: Waiting<T>, item: T): void {
    if (!waiting.items.delete(item)) return
    count(item.account, -1)
    if (waiting.items.size > 0) return
    groups.delete(waiting.group)
    heap.remove(waiting)
  }

  /** The first in order, after a check that its order is still right: a client may have used more meanwhile. */
  function first(): Waiting<T> | undefined {
    for (;;) {
      const waiting = heap.first()
      if (waiting === undefined) return undefined
      const { level, own } = levelsOf(waiting.caller)
      if (level === waiting.level && own === waiting.own) return waiting
      Object.assign(waiting, { level, own })
      heap.moved(waiting)
    }
  }

  return {
    get size() {
      return size
    },
    sizeOf: (account: string) => sizes.get(account) ?? 0,
    add(item: T): void {
      const { account, address } = item
      const group = groupOf(item)
      const found = groups.get(group)
      if (found === undefined) {
        const caller = { account, address }
        const waiting = { group, caller, items: new Set([item]), ...levelsOf(caller), turn: turns++, index: 0 }
        groups.set(group, waiting)
        heap.add(waiting)
      } else found.items.add(item)
      count(account, 1)
    },
    delete(item: T): void {
      const waiting = groups.get(groupOf(item))
      if (waiting !== undefined) remove(waiting, item)
    },
    /** Removes and returns the next item that is accepted. */
    take(isAccepted: (item: T) => boolean = () => true): T | undefined {
      // With a single caller there is nothing to compare.
      if (groups.size > 1) use.update()
      const skipped: Waiting<T>[] = []
      try {
        for (let waiting = first(); waiting !== undefined; waiting = first()) {
          const item = waiting.items.values().find(isAccepted)
          if (item !== undefined) {
            waiting.turn = turns++
            heap.moved(waiting)
            remove(waiting, item)
            return item
          }
          heap.remove(waiting)
          skipped.push(waiting)
        }
      } finally {
        for (const waiting of skipped) heap.add(waiting)
      }
      return undefined
    },
    /** In no particular order. */
    items: (): T[] => [...groups.values()].flatMap(({ items }) => [...items]),
  }
}
