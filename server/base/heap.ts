/** A binary heap whose elements can be removed and moved in logarithmic time. */

export interface HeapItem {
  /** Maintained by the heap. */
  index: number
}

export function createHeap<T extends HeapItem>(isBefore: (a: T, b: T) => boolean) {
  const items: T[] = []

  function place(item: T, index: number): void {
    items[index] = item
    item.index = index
  }

  function rise(item: T): void {
    for (let above = (item.index - 1) >> 1; above >= 0; above = (item.index - 1) >> 1) {
      const parent = items[above] as T
      if (!isBefore(item, parent)) return
      place(parent, item.index)
      place(item, above)
    }
  }

  function sink(item: T): void {
    for (;;) {
      const left = items[2 * item.index + 1]
      const right = items[2 * item.index + 2]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left
      if (child === undefined || !isBefore(child, item)) return
      const { index } = child
      place(child, item.index)
      place(item, index)
    }
  }

  /** To be called when the order of an element changed. */
  function moved(item: T): void {
    rise(item)
    sink(item)
  }

  return {
    first: (): T | undefined => items[0],
    add(item: T): void {
      place(item, items.length)
      rise(item)
    },
    remove(item: T): void {
      const last = items.pop() as T
      if (last === item) return
      place(last, item.index)
      moved(last)
    },
    moved,
  }
}
