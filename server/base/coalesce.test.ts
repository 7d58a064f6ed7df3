import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { coalesce, coalesceWrites } from './coalesce.ts'
import { storageUnavailable } from './errors.ts'

test('calls in one turn of the event loop share a batch, and each gets its own result', async () => {
  const batches: number[][] = []
  const double = coalesce<number, number>(async (items) => {
    batches.push(items)
    return items.map((item) => item * 2)
  }, 10)
  assert.deepEqual(await Promise.all([double(1), double(2), double(3)]), [2, 4, 6])
  assert.deepEqual(batches, [[1, 2, 3]])
})

test('a call that arrives while a batch runs joins the next one and sees a later state', async () => {
  let state = 'old'
  const started = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const read = coalesce<number, string>(async (items) => {
    const seen = state
    started.resolve()
    await goOn.promise
    return items.map(() => seen)
  }, 10)
  const first = read(1)
  await started.promise
  state = 'new'
  const second = read(2)
  goOn.resolve()
  assert.deepEqual(await Promise.all([first, second]), ['old', 'new'])
})

test('a batch has at most the given size', async () => {
  const sizes: number[] = []
  const run = coalesce<number, number>(async (items) => {
    sizes.push(items.length)
    return items
  }, 3)
  await Promise.all([1, 2, 3, 4, 5, 6, 7].map(run))
  assert.deepEqual(sizes, [3, 3, 1])
})

test('accounts take turns, each in order of arrival', async () => {
  const batches: string[][] = []
  const started = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const run = coalesce<string, string>(
    async (items) => {
      batches.push(items)
      started.resolve()
      await goOn.promise
      return items
    },
    3,
    { accountOf: (item) => item.charAt(0) },
  )
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map(run)
  await started.promise
  const late = ['b1', 'c1', 'b2'].map(run)
  goOn.resolve()
  assert.deepEqual(await Promise.all([...all, ...late]), ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1', 'b2'])
  assert.deepEqual(batches, [
    ['a1', 'a2', 'a3'],
    ['a4', 'b1', 'c1'],
    ['a5', 'b2', 'a6'],
  ])
})

test('a failure affects only its own batch', async () => {
  const run = coalesce<string, string>(async (items) => {
    if (items.includes('bad')) throw new Error('bad batch')
    return items
  }, 1)
  const results = await Promise.allSettled([run('good'), run('bad'), run('fine')])
  assert.deepEqual(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('if storage is unavailable, waiting calls fail at once and later calls are tried', async () => {
  let calls = 0
  const run = coalesce<number, number>(async (items) => {
    calls++
    if (calls === 1) throw storageUnavailable(new Error('away'))
    return items
  }, 1)
  const results = await Promise.allSettled([run(1), run(2), run(3)])
  assert.ok(results.every((result) => result.status === 'rejected'))
  assert.equal(calls, 1)
  assert.equal(await run(4), 4)
})

test('a batch waits for more items until there are enough, or the time is over', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const sizes: number[] = []
  const run = coalesce<number, number>(
    async (items) => {
      sizes.push(items.length)
      return items
    },
    10,
    { gathering: { msMax: 5, isEnough: (count) => count >= 3 } },
  )
  const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  const first = [run(1), run(2)]
  await nextTurn()
  assert.deepEqual(sizes, [])
  await Promise.all([...first, run(3)])
  assert.deepEqual(sizes, [3])
  const last = run(4)
  await nextTurn()
  context.mock.timers.tick(4)
  await nextTurn()
  assert.deepEqual(sizes, [3])
  context.mock.timers.tick(1)
  await last
  assert.deepEqual(sizes, [3, 1])
})

describe('writes', () => {
  /** What each transaction wrote, in its order. */
  function setUp(failing: Record<string, Error> = {}) {
    const transactions: string[][] = []
    const transaction = async <T>(work: (trx: string[]) => Promise<T>): Promise<T> => {
      const trx: string[] = []
      const result = await work(trx)
      transactions.push(trx)
      return result
    }
    const write = async (trx: string[], item: string) => {
      if (failing[item]) throw failing[item]
      trx.push(item)
      return item.toUpperCase()
    }
    return { transactions, put: coalesceWrites(transaction, write, { batchMax: 3, order: (item) => item }) }
  }

  test('that arrive together share a transaction, in the order of their names', async () => {
    const { transactions, put } = setUp()
    assert.deepEqual(await Promise.all(['c', 'a', 'b', 'd'].map(put)), ['C', 'A', 'B', 'D'])
    assert.deepEqual(transactions, [['a', 'b', 'c'], ['d']])
  })

  test('of which one fails do not fail with it', async () => {
    const { transactions, put } = setUp({ b: new Error('on purpose') })
    const results = await Promise.allSettled(['c', 'b', 'a'].map(put))
    assert.deepEqual(
      results.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason))),
      ['C', 'Error: on purpose', 'A'],
    )
    assert.deepEqual(transactions, [['c'], ['a']])
  })

  test('all fail where the storage is unavailable', async () => {
    const { transactions, put } = setUp({ b: storageUnavailable(new Error('gone')) })
    const results = await Promise.allSettled(['a', 'b'].map(put))
    assert.deepEqual([results.map(({ status }) => status), transactions], [['rejected', 'rejected'], []])
  })
})
