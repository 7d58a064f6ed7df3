/** Who begins when some take long. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { createPlaces, PARTS, SLOW_GROUPS_MAX, SLOW_MS } from './places.ts'

const PROMPT_MS = 1_000
const TURN_MS = 250
const KIND = { parallelMax: 3, patience: { promptMs: PROMPT_MS, lateMax: 2 }, perGroupMax: 2 }

let nowMs = 0

function pass(ms: number): void {
  nowMs += ms
  mock.timers.tick(ms)
}

let freed: number[] = []

function setUp(kind: Parameters<typeof createPlaces>[0]['kind'] = KIND) {
  const places = createPlaces({ kind, turnMs: TURN_MS, onFreed: (lane) => freed.push(lane) })
  /** Waits for somebody else until it leaves. */
  function take(group: string | null, isListed = false) {
    const { hurry, waitFor, leave } = places.take({ id: 'id', group }, { groups: [], isListed })
    const answer = Promise.withResolvers<void>()
    const answered = waitFor(() => answer.promise)
    return {
      hurry,
      async leave() {
        answer.resolve()
        await answered
        leave()
      },
    }
  }
  const free = () => places.lanes.map((each) => each())
  return { take, free, room: () => free().map(({ max }) => max) }
}

describe('places', () => {
  // Not before: other files may share this process.
  before(() => {
    mock.method(performance, 'now', () => nowMs)
    mock.timers.enable({ apis: ['setInterval'] })
  })
  after(() => mock.reset())
  beforeEach(() => {
    freed = []
  })

  test('an attempt has its place until it ends, or until it takes long', async () => {
    const { take, room } = setUp()
    assert.deepEqual(room(), [3, 0])
    const [quick, slow] = [take('ada/1'), take('bob/1')]
    assert.deepEqual([room(), freed], [[1, 0], []])
    await quick.leave()
    assert.deepEqual([room(), freed], [[2, 0], [0]])
    pass(PROMPT_MS - 1)
    assert.deepEqual([room(), freed], [[2, 0], [0]])
    pass(1)
    // Its group has places of its own now, of which it has one.
    assert.deepEqual(
      [room(), freed],
      [
        [3, 1],
        [0, 0, 1],
      ],
    )
    await slow.leave()
    assert.deepEqual(
      [room(), freed],
      [
        [3, 2],
        [0, 0, 1, 1],
      ],
    )
  })

  test('what this service takes itself does not count', () => {
    const places = createPlaces({ kind: KIND, turnMs: TURN_MS, onFreed: (lane) => freed.push(lane) })
    const { leave } = places.take({ id: 'id', group: 'ada/1' }, { groups: [], isListed: false })
    pass(PROMPT_MS)
    assert.equal(places.lanes[0]?.().max, 2)
    leave()
    assert.equal(places.lanes[0]?.().max, 3)
  })

  test('time in which this process stood still does not count', () => {
    const { take, room } = setUp()
    take('ada/1')
    nowMs += 10 * PROMPT_MS
    mock.timers.tick(PROMPT_MS / PARTS)
    assert.deepEqual(room(), [2, 0])
    for (let part = 2; part < PARTS; part++) mock.timers.tick(PROMPT_MS / PARTS)
    assert.deepEqual(room(), [2, 0])
    mock.timers.tick(PROMPT_MS / PARTS)
    assert.deepEqual(room(), [3, 1])
  })

  test('what an owner uses of the places counts, less with time, and not while others do not wait for it', async () => {
    const { take, free } = setUp()
    const used = () =>
      Object.entries(free()[0]?.lane.used ?? {})
        .map(([owner, n]) => `${owner} ${n.toFixed(2)}`)
        .sort()
    assert.deepEqual(used(), [])
    const [ada, bob] = [take('ada/1'), take('bob/1')]
    pass(PROMPT_MS / 2)
    await bob.leave()
    pass(PROMPT_MS / 2)
    assert.deepEqual(used(), ['ada 1.00', 'bob 0.50'])
    pass(60_000)
    assert.deepEqual(used(), ['ada 0.50', 'bob 0.25'])
    await ada.leave()
    pass(4 * 60_000)
    assert.deepEqual(used(), [])
  })

  test('its group is one of the slow ones from then on, for some minutes after the last attempt that took long', async () => {
    const { take, free } = setUp()
    const listed = () => free().map(({ lane }) => [lane.isListed, ...lane.groups])
    const first = take('ada/1')
    pass(PROMPT_MS)
    assert.deepEqual(listed(), [
      [false, 'ada/1'],
      [true, 'ada/1'],
    ])
    await first.leave()
    pass(SLOW_MS - PROMPT_MS)
    const again = take('ada/1', true)
    pass(PROMPT_MS - 1)
    assert.equal(listed()[0]?.length, 2)
    pass(1)
    await again.leave()
    pass(SLOW_MS - 1)
    assert.equal(listed()[0]?.length, 2)
    pass(1)
    assert.deepEqual(listed(), [[false], [true]])
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
      assert.ok(
        free().every(({ max, lane }) => max === 0 || !lane.isListed),
        JSON.stringify(kind),
      )
    }
  })

  test(`at most ${SLOW_GROUPS_MAX} groups are known as slow`, async () => {
    const { take, free } = setUp()
    const be = async (group: string) => {
      const { leave } = take(group)
      pass(PROMPT_MS)
      await leave()
    }
    await be('first')
    nowMs = 0
    for (let n = 1; n < SLOW_GROUPS_MAX; n++) {
      await be(`group-${n}`)
      nowMs = 0
    }
    const known = () => free()[0]?.lane.groups ?? []
    assert.deepEqual([known().length, known()[0]], [SLOW_GROUPS_MAX, 'first'])
    await be('last')
    assert.deepEqual([known().length, known()[0], known().at(-1)], [SLOW_GROUPS_MAX, 'group-1', 'last'])
  })
})
