import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BLOCK_BYTES, createBlocks, KEPT_MAX } from './blocks.ts'

test('a released block is used again at its full size', () => {
  const blocks = createBlocks()
  const first = blocks.take()
  assert.equal(first.length, BLOCK_BYTES)
  const memory = first.buffer
  memory.resize(10)
  blocks.release(memory)
  const second = blocks.take()
  assert.equal(second.buffer, memory)
  assert.equal(second.length, BLOCK_BYTES)
  assert.notEqual(blocks.take().buffer, memory, 'a block in use is not given away')
})

test('blocks past the limit, and other memory, are freed', () => {
  const blocks = createBlocks()
  const taken = Array.from({ length: KEPT_MAX + 1 }, () => blocks.take().buffer)
  const other = new ArrayBuffer(100)
  for (const memory of [other, ...taken]) blocks.release(memory)
  assert.equal(blocks.kept(), KEPT_MAX)
  assert.deepEqual(
    [other, ...taken].filter(({ detached }) => detached),
    [other, taken.at(-1)],
  )
})

test('unused blocks go back to the system after a while', async () => {
  const blocks = createBlocks(1)
  const memory = blocks.take().buffer
  blocks.release(memory)
  while (blocks.kept() > 0) await sleep(1)
  assert.equal(memory.detached, true)
  assert.equal(blocks.take().length, BLOCK_BYTES)
})
