/** Taking turns: how many at once, how many in line, and leaving it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '#base/errors.ts'
import { createTurns } from './turns.ts'

const isBusy = (error: unknown) => error instanceof AppError && error.code === 'busy' && error.retryAfterSeconds === 2

/** Work that ends when it is told to. */
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

// One that is wrongly let into the line would wait for ever.
describe('turns', { timeout: 10_000 }, () => {
  test('as many at once as allowed, the others in the order in which they came', async () => {
    const turns = createTurns({ atOnceMax: 2, waitingMax: 3 })
    const { started, work, end } = pieces()
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => turns.take(work(name)))
    await nextTurn()
    assert.deepEqual(started, ['a', 'b'])
    assert.deepEqual(turns.load(), { running: 2, waiting: 3 })
    await end('b')
    assert.deepEqual(started, ['a', 'b', 'c'])
    await end('a')
    await end('c')
    assert.deepEqual(started, ['a', 'b', 'c', 'd', 'e'])
    await end('e')
    await end('d')
    assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd', 'e'])
    assert.deepEqual(turns.load(), { running: 0, waiting: 0 })
  })

  test('past the end of the line it is busy, until somebody has left', async () => {
    const turns = createTurns({ atOnceMax: 1, waitingMax: 1 })
    const { started, work, end } = pieces()
    const first = turns.take(work('a'))
    const second = turns.take(work('b'))
    await assert.rejects(turns.take(work('refused')), isBusy)
    await end('a')
    const third = turns.take(work('c'))
    await assert.rejects(turns.take(work('refused')), isBusy)
    await end('b')
    await end('c')
    assert.deepEqual(await Promise.all([first, second, third]), ['a', 'b', 'c'])
    assert.deepEqual(started, ['a', 'b', 'c'])
  })

  test('without a line, one past the limit is busy at once', async () => {
    const turns = createTurns({ atOnceMax: 1, waitingMax: 0 })
    const { work, end } = pieces()
    const only = turns.take(work('a'))
    await assert.rejects(turns.take(work('b')), isBusy)
    await end('a')
    assert.equal(await only, 'a')
  })

  test('nobody slips in between one that ends and the first in line', async () => {
    const turns = createTurns({ atOnceMax: 1, waitingMax: 5 })
    const { started, work, end } = pieces()
    const late = turns.take(work('a')).then(() => turns.take(work('late')))
    const waiting = turns.take(work('b'))
    await end('a')
    assert.deepEqual(started, ['a', 'b'])
    await end('b')
    await end('late')
    await Promise.all([late, waiting])
    assert.deepEqual(started, ['a', 'b', 'late'])
  })

  test('work that fails gives its place on, also when it throws at once', async () => {
    const turns = createTurns({ atOnceMax: 1, waitingMax: 5 })
    const { work, end, fail } = pieces()
    const failing = assert.rejects(turns.take(work('a')), /a failed/)
    const throwing = assert.rejects(
      turns.take(() => {
        throw new Error('at once')
      }),
      /at once/,
    )
    const fine = turns.take(work('b'))
    await fail('a')
    await end('b')
    await Promise.all([failing, throwing])
    assert.equal(await fine, 'b')
    assert.deepEqual(turns.load(), { running: 0, waiting: 0 })
  })

  test('one whose signal fires leaves the line and frees its place in it; the others keep their order', async () => {
    const turns = createTurns({ atOnceMax: 1, waitingMax: 3 })
    const { started, work, end } = pieces()
    const gone = new AbortController()
    const first = turns.take(work('a'))
    const second = turns.take(work('b'))
    const leaving = assert.rejects(turns.take(work('gone'), gone.signal), /went away/)
    const fourth = turns.take(work('d'))
    await assert.rejects(turns.take(work('refused')), isBusy)
    gone.abort(new Error('went away'))
    await leaving
    assert.deepEqual(turns.load(), { running: 1, waiting: 2 })
    const fifth = turns.take(work('e'))
    for (const name of ['a', 'b', 'd', 'e']) await end(name)
    await Promise.all([first, second, fourth, fifth])
    assert.deepEqual(started, ['a', 'b', 'd', 'e'])
    assert.deepEqual(turns.load(), { running: 0, waiting: 0 })
  })

  test('a signal that has fired before takes no place; one that fires during the work changes nothing', async () => {
    const turns = createTurns({ atOnceMax: 1, waitingMax: 1 })
    const { started, work, end } = pieces()
    await assert.rejects(turns.take(work('never'), AbortSignal.abort(new Error('too late'))), /too late/)
    assert.deepEqual(turns.load(), { running: 0, waiting: 0 })
    const [running, waited] = [new AbortController(), new AbortController()]
    const first = turns.take(work('a'), running.signal)
    const second = turns.take(work('b'), waited.signal)
    running.abort()
    await end('a')
    waited.abort()
    await end('b')
    assert.deepEqual(await Promise.all([first, second]), ['a', 'b'])
    assert.deepEqual(started, ['a', 'b'])
    assert.deepEqual(turns.load(), { running: 0, waiting: 0 })
  })

  test('nobody at once makes no sense', () => {
    assert.throws(() => createTurns({ atOnceMax: 0, waitingMax: 1 }), RangeError)
    assert.throws(() => createTurns({ atOnceMax: Number.NaN, waitingMax: 1 }), RangeError)
  })
})
