/** Combines many small calls into batches: calls that arrive while a batch runs form the next one. */
import { isStorageUnavailable } from './errors.ts'
import { createFairQueue } from './fair-queue.ts'

interface Waiting<Item, Result> {
  account: string
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** Waits for more items before a batch starts. */
interface Gathering {
  msMax: number
  /** With this many items, there is nothing to wait for. */
  isEnough: (count: number) => boolean
}

interface CoalesceOptions<Item> {
  gathering?: Gathering
  /** Accounts take turns, so that none waits for the backlog of another. Without it, all items have one. */
  accountOf?: (item: Item) => string
}

const IN_TURN = { levelOf: () => 0, update: () => {} }

/**
 * `run` gets the items of each account in order of arrival and returns one result each in the same order. A batch starts after its items
 * arrived, so results are never stale. If `run` fails, its batch fails; if storage is unavailable, all waiting items fail
 * too, because each batch would otherwise wait for storage again.
 */
export function coalesce<Item, Result>(
  run: (items: Item[]) => Promise<readonly Result[]>,
  batchMax: number,
  { gathering, accountOf = () => '' }: CoalesceOptions<Item> = {},
): (item: Item) => Promise<Result> {
  const waiting = createFairQueue<Waiting<Item, Result>>(IN_TURN)
  let running = false
  let endGathering: (() => void) | undefined

  async function gather({ msMax, isEnough }: Gathering): Promise<void> {
    if (isEnough(waiting.size)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, msMax)
      endGathering = () => {
        if (!isEnough(waiting.size)) return
        clearTimeout(timer)
        resolve()
      }
    })
    endGathering = undefined
  }

  function take(max: number): Waiting<Item, Result>[] {
    const taken: Waiting<Item, Result>[] = []
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
      taken.push(next)
      if (taken.length === max) break
    }
    return taken
  }

  async function runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map((entry) => entry.item))
      for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result)
    } catch (error) {
      const failed = isStorageUnavailable(error) ? batch.concat(take(waiting.size)) : batch
      for (const entry of failed) entry.reject(error)
    }
  }

  async function drain(): Promise<void> {
    while (waiting.size > 0) {
      if (gathering) await gather(gathering)
      await runBatch(take(batchMax))
    }
    running = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.add({ account: accountOf(item), item, resolve, reject })
      endGathering?.()
      if (running) return
      running = true
      // Starts after this turn of the event loop, so that requests read together share a batch.
      setImmediate(drain)
    })
}

type Settled<Result> = { result: Result } | { error: unknown }

/**
 * Writes that arrive together share a transaction, which costs what a single one does. If it fails, perhaps because of one of
 * them, each has one of its own. In `order`, other processes that do the same do not wait for each other in a circle.
 */
export function coalesceWrites<Trx, Item, Result>(
  transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>,
  write: (trx: Trx, item: Item) => Promise<Result>,
  { batchMax, order }: { batchMax: number; order: (item: Item) => string },
): (item: Item) => Promise<Result> {
  const writeAll = (items: readonly Item[]) =>
    transaction(async (trx) => {
      const results = new Map<Item, Settled<Result>>()
      const sorted = items.toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
      for (const item of sorted) results.set(item, { result: await write(trx, item) })
      return items.map((item) => results.get(item) as Settled<Result>)
    })

  async function writeEach(items: readonly Item[]): Promise<Settled<Result>[]> {
    const results: Settled<Result>[] = []
    for (const item of items) results.push(...(await writeAll([item]).catch((error: unknown) => [{ error }])))
    return results
  }

  const settle = coalesce<Item, Settled<Result>>(
    (items) =>
      writeAll(items).catch((error: unknown) => {
        if (items.length === 1 || isStorageUnavailable(error)) throw error
        return writeEach(items)
      }),
    batchMax,
  )
  return async (item) => {
    const settled = await settle(item)
    if ('error' in settled) throw settled.error
    return settled.result
  }
}
