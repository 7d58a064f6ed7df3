/** The limits on running work, on the queue and per key. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSemaphore, type SemaphoreOptions } from './semaphore.ts'

const refusal = (by: string) => new Error(`refused by ${by}`)
const isBusy = /refused by total/
const create = (limits: Omit<SemaphoreOptions, 'refusal'>) => createSemaphore({ ...limits, refusal })

/** Work that ends when the test says so. */
function pieces() {
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  return {
    started,
    work: (name: string) => () => {
      started.push(name)
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      return end.promise
    },
    async end(name: string) {
      await nextTurn()
      ends.get(name)?.resolve(name)
      await nextTurn()
    },
    async fail(name: string) {
      await nextTurn()
      ends.get(name)?.reject(new Error(`${name} failed`))
      await nextTurn()
    },
  }
}

// Work that is queued by mistake would wait forever.
describe('a semaphore', { timeout: 60_000 }, () => {
  test('runs work up to the limit and queues the rest in order of arrival', async () => {
    const semaphore = create({ runningMax: 2, queuedMax: 3 })
    const { started, work, end } = pieces()
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => semaphore.run(work(name)))
    await nextTurn()
    assert.deepEqual(started, ['a', 'b'])
    assert.deepEqual(semaphore.load(), { running: 2, queued: 3 })
    await end('b')
    assert.deepEqual(started, ['a', 'b', 'c'])
    await end('a')
    await end('c')
    assert.deepEqual(started, ['a', 'b', 'c', 'd', 'e'])
    await end('e')
    await end('d')
    assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd', 'e'])
    assert.deepEqual(semaphore.load(), { running: 0, queued: 0 })
  })

  test('refuses work while the queue is full', async () => {
    const semaphore = create({ runningMax: 1, queuedMax: 1 })
    const { started, work, end } = pieces()
    const first = semaphore.run(work('a'))
    const second = semaphore.run(work('b'))
    await assert.rejects(semaphore.run(work('refused')), isBusy)
    await end('a')
    const third = semaphore.run(work('c'))
    await assert.rejects(semaphore.run(work('refused')), isBusy)
    await end('b')
    await end('c')
    assert.deepEqual(await Promise.all([first, second, third]), ['a', 'b', 'c'])
    assert.deepEqual(started, ['a', 'b', 'c'])
  })

  test('without a queue, refuses work past the limit at once', async () => {
    const semaphore = create({ runningMax: 1, queuedMax: 0 })
    const { work, end } = pieces()
    const only = semaphore.run(work('a'))
    await assert.rejects(semaphore.run(work('b')), isBusy)
    await end('a')
    assert.equal(await only, 'a')
  })

  test('new work cannot overtake the head of the queue', async () => {
    const semaphore = create({ runningMax: 1, queuedMax: 5 })
    const { started, work, end } = pieces()
    const late = semaphore.run(work('a')).then(() => semaphore.run(work('late')))
    const waiting = semaphore.run(work('b'))
    await end('a')
    assert.deepEqual(started, ['a', 'b'])
    await end('b')
    await end('late')
    await Promise.all([late, waiting])
    assert.deepEqual(started, ['a', 'b', 'late'])
  })

  test('failed work releases its slot, also when it throws synchronously', async () => {
    const semaphore = create({ runningMax: 1, queuedMax: 5 })
    const { work, end, fail } = pieces()
    const failing = assert.rejects(semaphore.run(work('a')), /a failed/)
    const throwing = assert.rejects(
      semaphore.run(() => {
        throw new Error('at once')
      }),
      /at once/,
    )
    const fine = semaphore.run(work('b'))
    await fail('a')
    await end('b')
    await Promise.all([failing, throwing])
    assert.equal(await fine, 'b')
    assert.deepEqual(semaphore.load(), { running: 0, queued: 0 })
  })

  test('an aborted signal removes the work from the queue and keeps the order of the rest', async () => {
    const semaphore = create({ runningMax: 1, queuedMax: 3 })
    const { started, work, end } = pieces()
    const gone = new AbortController()
    const first = semaphore.run(work('a'))
    const second = semaphore.run(work('b'))
    const leaving = assert.rejects(semaphore.run(work('gone'), { signal: gone.signal }), /went away/)
    const fourth = semaphore.run(work('d'))
    await assert.rejects(semaphore.run(work('refused')), isBusy)
    gone.abort(new Error('went away'))
    await leaving
    assert.deepEqual(semaphore.load(), { running: 1, queued: 2 })
    const fifth = semaphore.run(work('e'))
    for (const name of ['a', 'b', 'd', 'e']) await end(name)
    await Promise.all([first, second, fourth, fifth])
    assert.deepEqual(started, ['a', 'b', 'd', 'e'])
    assert.deepEqual(semaphore.load(), { running: 0, queued: 0 })
  })

  test('a signal aborted before the call rejects it; one aborted while the work runs has no effect', async () => {
    const semaphore = create({ runningMax: 1, queuedMax: 1 })
    const { started, work, end } = pieces()
    await assert.rejects(semaphore.run(work('never'), { signal: AbortSignal.abort(new Error('too late')) }), /too late/)
    assert.deepEqual(semaphore.load(), { running: 0, queued: 0 })
    const [running, waited] = [new AbortController(), new AbortController()]
    const first = semaphore.run(work('a'), { signal: running.signal })
    const second = semaphore.run(work('b'), { signal: waited.signal })
    running.abort()
    await end('a')
    waited.abort()
    await end('b')
    assert.deepEqual(await Promise.all([first, second]), ['a', 'b'])
    assert.deepEqual(started, ['a', 'b'])
    assert.deepEqual(semaphore.load(), { running: 0, queued: 0 })
  })

  test('a limit below 1 is an error', () => {
    assert.throws(() => create({ runningMax: 0, queuedMax: 1 }), RangeError)
    assert.throws(() => create({ runningMax: Number.NaN, queuedMax: 1 }), RangeError)
  })

  test('starts work synchronously if it need not wait', () => {
    const { started, work } = pieces()
    void create({ runningMax: 1 }).run(work('a'))
    assert.deepEqual(started, ['a'])
  })
})

describe('a limit per key', { timeout: 60_000 }, () => {
  const PER_KEY_MAX = 3
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

  /** Starts work under these keys; the result ends it. Null if the semaphore refused it. */
  function starter(limits: Omit<SemaphoreOptions, 'refusal'>) {
    const semaphore = create({ perKeyMax: PER_KEY_MAX, ...limits })
    return async (keys: string[]) => {
      const end = Promise.withResolvers<void>()
      let refused = ''
      const done = semaphore
        .run(() => end.promise, { keys })
        .catch((error: Error) => {
          refused = error.message
        })
      await nextTurn()
      const finish = async () => {
        end.resolve()
        await done
      }
      return refused === '' ? finish : refused
    }
  }
  const end = async (begun: Awaited<ReturnType<ReturnType<typeof starter>>> | undefined) =>
    typeof begun === 'function' ? await begun() : assert.fail(begun)

  test('refuses work at the limit of its key, until one of them has ended', async () => {
    const start = starter({ runningMax: 16 })
    const begun = await Promise.all(numbers(PER_KEY_MAX).map(() => start(['a'])))
    assert.equal(await start(['a']), 'refused by key')
    await end(await start(['b']))
    await end(begun[0])
    assert.equal(typeof (await start(['a'])), 'function')
    assert.equal(await start(['a']), 'refused by key')
  })

  test('counts one caller under each of its keys', async () => {
    const start = starter({ runningMax: 16 })
    for (const i of numbers(PER_KEY_MAX)) await start([`address ${i}`, 'account'])
    assert.equal(await start(['address x', 'account']), 'refused by key')
    for (const i of numbers(PER_KEY_MAX)) await start(['address x', `account ${i}`])
    assert.equal(await start(['address x', 'account x']), 'refused by key')
  })

  test('does not count work that the total limit refused', async () => {
    const start = starter({ runningMax: 16 })
    const begun = await Promise.all(numbers(16).map((i) => start([`caller ${i}`])))
    for (const _ of numbers(PER_KEY_MAX + 1)) assert.equal(await start(['late']), 'refused by total')
    for (const each of begun) await end(each)
    for (const _ of numbers(PER_KEY_MAX)) assert.equal(typeof (await start(['late'])), 'function')
    assert.equal(await start(['late']), 'refused by key')
  })

  test('releases every key once', async () => {
    const start = starter({ runningMax: 16 })
    const both = await start(['a', 'b'])
    const other = await start(['b'])
    await end(both)
    const begun = await Promise.all(numbers(PER_KEY_MAX).map(() => start(['a'])))
    assert.equal(await start(['a']), 'refused by key')
    for (const each of [other, ...begun]) await end(each)
    await Promise.all(numbers(PER_KEY_MAX).map(() => start(['b'])))
    assert.equal(await start(['b']), 'refused by key')
  })

  test('counts queued work, and no longer after it was aborted', async () => {
    const semaphore = create({ runningMax: 1, queuedMax: 5, perKeyMax: 1 })
    const { work, end } = pieces()
    const gone = new AbortController()
    const first = semaphore.run(work('a'))
    const queued = assert.rejects(semaphore.run(work('b'), { keys: ['k'], signal: gone.signal }), /gone/)
    await assert.rejects(semaphore.run(work('c'), { keys: ['k'] }), /refused by key/)
    gone.abort(new Error('gone'))
    await queued
    const third = semaphore.run(work('d'), { keys: ['k'] })
    await end('a')
    await end('d')
    assert.deepEqual(await Promise.all([first, third]), ['a', 'd'])
  })
})
