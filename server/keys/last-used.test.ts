/** Tracking when keys were last used: batched writes, and no lost updates. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createLog } from '#base/log.ts'
import { type KeyUse, trackLastUsed } from './last-used.ts'

const quiet = createLog({ level: 'silent' })

test('many uses are stored by one write with the newest time', async () => {
  const startedAt = Date.now()
  const written: Map<string, KeyUse>[] = []
  const lastUsed = trackLastUsed(async (uses) => void written.push(new Map(uses)), quiet)
  for (let i = 0; i < 100; i++) lastUsed.record('a')
  lastUsed.record('b')
  await lastUsed.close()
  assert.equal(written.length, 1)
  assert.deepEqual([...(written[0]?.keys() ?? [])], ['a', 'b'])
  assert.ok((written[0]?.get('a')?.at ?? 0) >= startedAt)
})

test('a use is reported as pending while it is being written', async () => {
  const writing = Promise.withResolvers<void>()
  const lastUsed = trackLastUsed(() => writing.promise, quiet)
  lastUsed.record('a')
  const closed = lastUsed.close()
  assert.equal(typeof lastUsed.pending('a')?.at, 'number')
  writing.resolve()
  await closed
  assert.equal(lastUsed.pending('a'), undefined)
})

test('a failed write is retried with the next batch', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const written: string[][] = []
  const lastUsed = trackLastUsed(async (uses) => {
    written.push([...uses.keys()])
    if (written.length === 1) throw new Error('away')
  }, quiet)
  lastUsed.record('a')
  mock.timers.tick(10_000)
  await new Promise(setImmediate)
  lastUsed.record('b')
  mock.timers.tick(10_000)
  await new Promise(setImmediate)
  assert.deepEqual(written, [['a'], ['a', 'b']])
  await lastUsed.close()
  mock.timers.reset()
})
