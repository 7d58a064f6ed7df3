import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { CHECKED_EVERY_BYTES, CHECKED_WHOLE_BYTES, checksumOf, createChecksum } from './checksum.ts'

const PIECE = 65_536
const document = randomBytes(10 * PIECE + 77)

test('the checksum does not depend on how the bytes arrive', () => {
  for (const step of [1, 3, CHECKED_EVERY_BYTES, CHECKED_EVERY_BYTES + 1, PIECE]) {
    const checksum = createChecksum()
    for (let at = 0; at < document.length; at += step) checksum.add(document.subarray(at, at + step))
    assert.equal(checksum.value(), checksumOf(document), `in steps of ${step}`)
  }
})

test('a lost, repeated, exchanged, emptied or foreign piece gives another checksum', () => {
  for (let round = 0; round < 200; round++) {
    const length = randomInt(16 * CHECKED_EVERY_BYTES, PIECE)
    const first = randomInt(4 * PIECE)
    const second = first + length + randomInt(4 * PIECE)
    const [from, to] = [document.subarray(first, first + length), document.subarray(second, second + length)]
    const altered = (change: (copy: Buffer) => unknown) => {
      const copy = Buffer.from(document)
      change(copy)
      return copy
    }
    for (const [name, bytes] of Object.entries({
      lost: altered((copy) => copy.copy(copy, first, first + length)),
      repeated: altered((copy) => copy.copy(copy, first + length, first)),
      exchanged: altered((copy) => [to.copy(copy, first), from.copy(copy, second)]),
      emptied: altered((copy) => copy.fill(0, first, first + length)),
      foreign: altered((copy) => randomBytes(length).copy(copy, first)),
    }))
      assert.notEqual(checksumOf(bytes), checksumOf(document), `${name}: ${length} bytes at ${first}`)
  }
})

test('every byte of a small document counts', () => {
  const small = document.subarray(0, CHECKED_WHOLE_BYTES)
  for (let at = 0; at < small.length; at++) {
    const bytes = Buffer.from(small)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    assert.notEqual(checksumOf(bytes), checksumOf(small), `byte ${at}`)
  }
})

test('behind them every byte at a checked position counts, and none between', () => {
  for (const after of [0, 1, CHECKED_EVERY_BYTES - 1, CHECKED_EVERY_BYTES, CHECKED_EVERY_BYTES + 1]) {
    const at = CHECKED_WHOLE_BYTES + after
    const bytes = Buffer.from(document)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    assert.equal(checksumOf(bytes) !== checksumOf(document), at % CHECKED_EVERY_BYTES === 0, `byte ${at}`)
  }
})
