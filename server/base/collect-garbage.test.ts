import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { collectGarbage } from './collect-garbage.ts'

test('unreachable objects are gone, and the function stays private', async () => {
  const [lost, held] = [new WeakRef({ name: 'lost' }), { name: 'held' }]
  const kept = new WeakRef(held)
  // A weak reference holds its object until the end of the turn.
  await setImmediate()
  collectGarbage()
  assert.equal(lost.deref(), undefined)
  assert.equal(kept.deref(), held)
  assert.equal(globalThis.gc, undefined)
})
