/** Who begins when some take long. */
import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { createPlaces, SLOW_GROUPS_MAX, SLOW_MS } from './places.ts'

const PROMPT_MS = 1_000
const TURN_MS = 250
const KIND = { parallelMax: 3, patience: { promptMs: PROMPT_MS, lateMax: 2 }, perGroupMax: 2 }

let nowMs = 0
mock.method(performance, 'now', () => nowMs)
mock.timers.enable({ apis: ['setTimeout'] })

function pass(ms: number): void {
  nowMs += ms
  mock.timers.tick(ms)
}

let freed = 0
beforeEach(() => {
  freed = 0
})

function setUp(kind: Parameters<typeof createPlaces>[0]['kind'] = KIND) {
  const places = createPlaces({ kind, turnMs: TURN_MS, onFreed: () => freed++ })
  const take = (group: string | null, isListed = false) => places.take({ id: 'id', group }, { groups: [], isListed })
  return { ...places, take, room: () => places.free().map(({ max }) => max) }
}

test('an attempt has its place until it ends, or until it takes long', () => {
  const { take, room } = setUp()
  assert.deepEqual(room(), [3])
  const [quick, slow] = [take('ada/1'), take('bob/1')]
  assert.deepEqual([room(), freed], [[1], 0])
  quick.leave()
  assert.deepEqual([room(), freed], [[2], 1])
  pass(PROMPT_MS - 1)
  assert.deepEqual([room(), freed], [[2], 1])
  pass(1)
  // Its group has places of its own now, of which it has one.
  assert.deepEqual([room(), freed], [[3, 1], 2])
  slow.leave()
  assert.deepEqual([room(), freed], [[3, 2], 3])
})

test('its group is one of the slow ones from then on, for some minutes after the last attempt that took long', () => {
  const { take, free } = setUp()
  const listed = () => free().map(({ lane }) => [lane.isListed, ...lane.groups])
  const first = take('ada/1')
  pass(PROMPT_MS)
  assert.deepEqual(listed(), [
    [false, 'ada/1'],
    [true, 'ada/1'],
  ])
  first.leave()
  pass(SLOW_MS - PROMPT_MS)
  const again = take('ada/1', true)
  pass(PROMPT_MS - 1)
  assert.equal(free().length, 2)
  pass(1)
  again.leave()
  pass(SLOW_MS - 1)
  assert.equal(free().length, 2)
  pass(1)
  assert.deepEqual(listed(), [[false]])
})

test('slow groups take no place of others, and one begins now and then where all theirs are taken', () => {
  const { take, room } = setUp()
  for (const group of ['ada/1', 'ada/2']) take(group)
  pass(PROMPT_MS)
  assert.deepEqual(room(), [3, 1])
  const bob = take('bob/1', true)
  assert.deepEqual(room(), [3, 0])
  pass(TURN_MS - 1)
  assert.deepEqual(room(), [3, 0])
  pass(1)
  assert.deepEqual(room(), [3, 1])
  assert.equal(bob.hurry.aborted, false)
})

test('beyond their places the oldest one of the owner with most is asked to end', () => {
  const { take } = setUp()
  const [bob, ada, cy] = [take('bob/1', true), take('ada/1', true), take('ada/2', true)]
  const asked = () => [bob, ada, cy].map(({ hurry }) => hurry.aborted)
  assert.deepEqual(asked(), [false, true, false])
  take('dan/1', true)
  assert.deepEqual(asked(), [true, true, false])
})

test('jobs without a group, and kinds without limits or patience, have no slow groups', () => {
  for (const [group, kind] of [
    [null, KIND],
    ['ada/1', { parallelMax: 3, perGroupMax: 2 }],
    ['ada/1', { parallelMax: 3, patience: KIND.patience }],
  ] as const) {
    const { take, free } = setUp(kind)
    take(group)
    pass(PROMPT_MS)
    assert.equal(free().length, 1, JSON.stringify(kind))
  }
})

test(`at most ${SLOW_GROUPS_MAX} groups are known as slow`, () => {
  const { take, free } = setUp()
  const be = (group: string) => {
    const { leave } = take(group)
    pass(PROMPT_MS)
    leave()
  }
  be('first')
  nowMs = 0
  for (let n = 1; n < SLOW_GROUPS_MAX; n++) {
    be(`group-${n}`)
    nowMs = 0
  }
  const known = () => free()[0]?.lane.groups ?? []
  assert.deepEqual([known().length, known()[0]], [SLOW_GROUPS_MAX, 'first'])
  be('last')
  assert.deepEqual([known().length, known()[0], known().at(-1)], [SLOW_GROUPS_MAX, 'group-1', 'last'])
})
