/** A queue in which the account that has used least lately is served first, each account in the order of arrival. */
import { createHeap, type HeapItem } from './heap.ts'
import type { RecentUse } from './recent-use.ts'

interface Waiting<T> extends HeapItem {
  account: string
  items: Set<T>
  level: number
  /** Among accounts with equal use, the one that was served or arrived first is next. */
  turn: number
}

export function createFairQueue<T extends { account: string }>(use: Pick<RecentUse, 'levelOf' | 'update'>) {
  const accounts = new Map<string, Waiting<T>>()
  const heap = createHeap<Waiting<T>>((a, b) => a.level < b.level || (a.level === b.level && a.turn < b.turn))
  let size = 0
  let turns = 0

  function remove(waiting: Waiting<T>, item: T): void {
    if (!waiting.items.delete(item)) return
    size--
    if (waiting.items.size > 0) return
    accounts.delete(waiting.account)
    heap.remove(waiting)
  }

  /** The first in order, after a check that its order is still right: an account may have used more meanwhile. */
  function first(): Waiting<T> | undefined {
    for (;;) {
      const waiting = heap.first()
      const level = waiting === undefined ? 0 : use.levelOf(waiting.account)
      if (waiting === undefined || level === waiting.level) return waiting
      waiting.level = level
      heap.moved(waiting)
    }
  }

  return {
    get size() {
      return size
    },
    sizeOf: (account: string) => accounts.get(account)?.items.size ?? 0,
    add(item: T): void {
      const { account } = item
      const found = accounts.get(account)
      if (found === undefined) {
        const waiting = { account, items: new Set([item]), level: use.levelOf(account), turn: turns++, index: 0 }
        accounts.set(account, waiting)
        heap.add(waiting)
      } else found.items.add(item)
      size++
    },
    delete(item: T): void {
      const waiting = accounts.get(item.account)
      if (waiting !== undefined) remove(waiting, item)
    },
    /** Removes and returns the next item that is accepted. */
    take(isAccepted: (item: T) => boolean = () => true): T | undefined {
      use.update()
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
    items: (): T[] => [...accounts.values()].flatMap(({ items }) => [...items]),
  }
}
