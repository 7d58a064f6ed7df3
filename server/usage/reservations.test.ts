/** Which settlements share a transaction. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { quietLog } from '#test/support/seed.ts'
import { createReservations, GATHER_MS_MAX, GATHERED_MAX, OTHERS_MIN } from './reservations.ts'
import type { SettleItem, UsageStore } from './store.ts'

async function open(context: TestContext, count: number) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const batches: number[] = []
  const store = {
    reserve: async (items: unknown[]) => items.map(() => ({ granted: true, period: '2026-11', used: 0 })),
    settle: async (items: SettleItem[]) => {
      batches.push(items.length)
      return items.map(() => 'settled')
    },
  }
  const reservations = createReservations(store as unknown as UsageStore, quietLog)
  await Promise.all(Array.from({ length: count }, () => reservations.reserve('key', 1_000)))
  const ticket = { keyId: 'key', period: '2026-11', quota: 1_000, retried: false, effect: null }
  let scans = 0
  async function charge(times: number): Promise<void> {
    for (let i = 0; i < times; i++) void reservations.charge({ ...ticket, action: 'charge', scanId: `scan ${scans++}` })
    // A batch starts after the turn, and is settled in the next one.
    for (let i = 0; i < 3; i++) await new Promise(setImmediate)
  }
  return { reservations, batches, charge, tick: (ms: number) => context.mock.timers.tick(ms) }
}

test('a charge is settled at once if few tickets are open', async (context) => {
  const { batches, charge } = await open(context, OTHERS_MIN)
  await charge(1)
  assert.deepEqual(batches, [1])
})

test('a charge waits for others while more tickets are open, but not for long', async (context) => {
  const { batches, charge, tick } = await open(context, OTHERS_MIN + 2)
  await charge(1)
  tick(GATHER_MS_MAX - 1)
  await charge(1)
  assert.deepEqual(batches, [])
  tick(1)
  await charge(0)
  assert.deepEqual(batches, [2])
})

test('a charge does not wait for tickets whose document is still arriving', async (context) => {
  const { reservations, batches, charge } = await open(context, OTHERS_MIN + 1)
  const arriving = reservations.setAside()
  await charge(1)
  assert.deepEqual(batches, [1])
  arriving[Symbol.dispose]()
  arriving[Symbol.dispose]()
  await reservations.reserve('key', 1_000)
  await charge(1)
  assert.deepEqual(batches, [1], 'it counts again')
  await charge(1)
  assert.deepEqual(batches, [1, 2], 'and once')
})

test('charges are settled when too few other tickets are open', async (context) => {
  const { batches, charge } = await open(context, OTHERS_MIN + 1)
  await charge(1)
  assert.deepEqual(batches, [])
  await charge(1)
  assert.deepEqual(batches, [2])
})

test('charges are settled when there are enough', async (context) => {
  const { batches, charge } = await open(context, GATHERED_MAX + OTHERS_MIN)
  await charge(GATHERED_MAX - 1)
  assert.deepEqual(batches, [])
  await charge(1)
  assert.deepEqual(batches, [GATHERED_MAX])
})
