import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFairQueue, useOfAddress } from './fair-queue.ts'
import { createHeap } from './heap.ts'

interface Item {
  account: string
  address?: string
  name: string
}

function setUp() {
  const levels = new Map<string, number>()
  const use = { levelOf: (account: string) => levels.get(account) ?? Number.NEGATIVE_INFINITY, update() {} }
  const queue = createFairQueue<Item>(use)
  const add = (account: string, ...names: string[]) => {
    for (const name of names) queue.add({ account, name })
  }
  const takeAll = () => {
    const taken: string[] = []
    for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item.name)
    return taken
  }
  return { levels, queue, add, takeAll }
}

describe('a fair queue', () => {
  test('serves the account with the least use first, each in the order of arrival', () => {
    const { levels, add, takeAll } = setUp()
    levels.set('heavy', 9).set('light', 1)
    add('heavy', 'h1', 'h2')
    add('light', 'l1', 'l2')
    add('new', 'n1')
    assert.deepEqual(takeAll(), ['n1', 'l1', 'l2', 'h1', 'h2'])
  })

  test('serves an address with little use before many new accounts of one with much use', () => {
    const { levels, queue, takeAll } = setUp()
    levels.set(useOfAddress('a'), 9).set(useOfAddress('b'), 1).set('used', 2)
    for (const account of ['used', 'new', 'newer']) queue.add({ account, address: 'a', name: `a ${account}` })
    queue.add({ account: 'other', address: 'b', name: 'b other' })
    assert.deepEqual(takeAll(), ['b other', 'a new', 'a newer', 'a used'])
  })

  test('gives an account no advantage for many addresses, and counts all of its items', () => {
    const { levels, queue, takeAll } = setUp()
    levels.set('heavy', 9).set('light', 1)
    for (const address of ['a', 'b', 'c']) queue.add({ account: 'heavy', address, name: address })
    queue.add({ account: 'light', address: 'd', name: 'd' })
    assert.deepEqual([queue.sizeOf('heavy'), queue.sizeOf('light')], [3, 1])
    assert.deepEqual(takeAll(), ['d', 'a', 'b', 'c'])
    assert.deepEqual([queue.size, queue.sizeOf('heavy')], [0, 0])
  })

  test('alternates between accounts with equal use', () => {
    const { add, takeAll } = setUp()
    add('a', 'a1', 'a2', 'a3')
    add('b', 'b1', 'b2')
    assert.deepEqual(takeAll(), ['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  test('notices use while an account waits', () => {
    const { levels, queue, add } = setUp()
    add('a', 'a1', 'a2')
    add('b', 'b1', 'b2')
    const names = () => queue.take()?.name
    assert.equal(names(), 'a1')
    levels.set('b', 2)
    assert.equal(names(), 'a2')
    add('a', 'a3')
    levels.set('a', 3)
    assert.deepEqual([names(), names(), names()], ['b1', 'b2', 'a3'])
  })

  test('skips items that are not accepted, and keeps their place', () => {
    const { queue, add, takeAll } = setUp()
    add('a', 'a1', 'a2')
    add('b', 'b1')
    const accept = (...names: string[]) => queue.take(({ name }) => names.includes(name))?.name
    assert.equal(accept('a2', 'b1'), 'a2')
    assert.equal(accept('a2'), undefined)
    assert.equal(accept('b1'), 'b1')
    assert.deepEqual(takeAll(), ['a1'])
  })

  test('counts items in total and per account, and forgets removed ones', () => {
    const { queue, add, takeAll } = setUp()
    const gone = { account: 'a', name: 'gone' }
    queue.add(gone)
    add('b', 'b1')
    assert.deepEqual([queue.size, queue.sizeOf('a'), queue.sizeOf('b'), queue.sizeOf('c')], [2, 1, 1, 0])
    queue.delete(gone)
    queue.delete(gone)
    assert.deepEqual([queue.size, queue.sizeOf('a')], [1, 0])
    assert.deepEqual(
      queue.items().map(({ name }) => name),
      ['b1'],
    )
    assert.deepEqual(takeAll(), ['b1'])
  })
})

test('a heap returns random elements in order, also after moves and removals', () => {
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const heap = createHeap<{ value: number; index: number }>((a, b) => a.value < b.value)
  const all = Array.from({ length: 500 }, () => ({ value: random(1_000), index: 0 }))
  for (const each of all) heap.add(each)
  for (const each of all.slice(0, 200)) {
    each.value = random(1_000)
    heap.moved(each)
  }
  for (const each of all.splice(100, 150)) heap.remove(each)
  const taken: number[] = []
  for (let first = heap.first(); first !== undefined; first = heap.first()) {
    taken.push(first.value)
    heap.remove(first)
  }
  assert.deepEqual(
    taken,
    all.map(({ value }) => value).sort((a, b) => a - b),
  )
})
