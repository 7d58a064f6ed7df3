/** "Last used" costs no write per request, and is never forgotten on the way. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createLog } from '#base/log.ts'
import { trackLastUsed } from './last-used.ts'

const quiet = createLog({ level: 'silent' })

test('many uses are one write, of the newest time', async () => {
  const written: Map<string, number>[] = []
  const lastUsed = trackLastUsed(async (uses) => void written.push(new Map(uses)), quiet)
  for (let i = 0; i < 100; i++) lastUsed.note('a')
  lastUsed.note('b')
  await lastUsed.close()
  assert.equal(written.length, 1)
  assert.deepEqual([...(written[0]?.keys() ?? [])], ['a', 'b'])
  assert.ok(Math.abs((written[0]?.get('a') ?? 0) - Date.now()) < 1_000)
})

test('what is being written is still told', async () => {
  const writing = Promise.withResolvers<void>()
  const lastUsed = trackLastUsed(() => writing.promise, quiet)
  lastUsed.note('a')
  const closed = lastUsed.close()
  assert.equal(typeof lastUsed.pending('a'), 'number')
  writing.resolve()
  await closed
  assert.equal(lastUsed.pending('a'), undefined)
})

test('a failed write is tried again with the next round', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const written: string[][] = []
  const lastUsed = trackLastUsed(async (uses) => {
    written.push([...uses.keys()])
    if (written.length === 1) throw new Error('away')
  }, quiet)
  lastUsed.note('a')
  mock.timers.tick(10_000)
  await new Promise(setImmediate)
  lastUsed.note('b')
  mock.timers.tick(10_000)
  await new Promise(setImmediate)
  assert.deepEqual(written, [['a'], ['a', 'b']])
  await lastUsed.close()
  mock.timers.reset()
})
