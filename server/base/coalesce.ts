/** Turns many small calls into few large ones: what arrives while a batch runs becomes the next batch. */
import { isStorageUnavailable } from './errors.ts'

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * `run` gets the items in the order of their arrival and gives one result for each, in the same order.
 * An item is only ever part of a batch that started after the item arrived, so a read through here is
 * as fresh as a read of its own: this shares work, it never caches. If `run` fails, its whole batch fails; if it fails
 * because storage is away, so does what waits behind it, instead of each batch waiting for storage in its turn.
 */
export function coalesce<Item, Result>(
  run: (items: Item[]) => Promise<readonly Result[]>,
  batchMax: number,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let running = false

  async function runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map((entry) => entry.item))
      for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result)
    } catch (error) {
      const fallen = isStorageUnavailable(error) ? batch.concat(waiting.splice(0)) : batch
      for (const entry of fallen) entry.reject(error)
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) await runBatch(waiting.splice(0, batchMax))
    running = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (running) return
      running = true
      // After this turn of the event loop, so that requests which were read together are answered together.
      setImmediate(drain)
    })
}
