/** Corrupt deflate data is inflated up to the fault. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, deflateRawSync } from 'node:zlib'
import { inflatePartial } from './partial-inflate.ts'

const TEXT = Buffer.from(Array.from({ length: 3000 }, (_, i) => `line ${i * 7919} of ${i % 13}\n`).join(''))

test('inflates valid data completely', () => {
  for (const options of [{ level: 0 }, { level: 1 }, { level: 9 }, { strategy: constants.Z_FIXED }])
    for (const data of [Buffer.alloc(0), Buffer.from('a'), TEXT, Buffer.alloc(200_000, 'ab')])
      assert.deepEqual(Buffer.from(inflatePartial(deflateRawSync(data, options), 1_000_000)), data)
})

test('keeps the data before a cut at any offset', () => {
  const packed = deflateRawSync(TEXT)
  for (let length = 0; length < packed.length; length += 97) {
    const got = Buffer.from(inflatePartial(packed.subarray(0, length), 1_000_000))
    assert.ok(got.equals(TEXT.subarray(0, got.length)))
    if (length > packed.length / 2) assert.ok(got.length > TEXT.length / 4)
  }
  const flushed = deflateRawSync(TEXT, { finishFlush: constants.Z_SYNC_FLUSH })
  assert.deepEqual(Buffer.from(inflatePartial(Buffer.concat([flushed, Buffer.alloc(9, 0xff)]), 1_000_000)), TEXT)
})

test('never returns more than the maximum', () => {
  const packed = deflateRawSync(TEXT)
  assert.equal(inflatePartial(packed, TEXT.length).length, TEXT.length)
  assert.equal(inflatePartial(packed, TEXT.length - 1).length, TEXT.length - 1)
  assert.equal(inflatePartial(packed, 0).length, 0)
})

test('accepts random data', () => {
  let seed = 1
  for (let i = 0; i < 2000; i++) {
    const noise = Uint8Array.from({ length: 60 }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed & 0xff
    })
    assert.ok(inflatePartial(noise, 5000).length <= 5000)
  }
})
