import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FETCHED_BYTES_MAX } from '#base/document-limit.ts'
import { createFrameReader, decodeHead, encodeFrame, encodeHead, HEAD_BYTES } from './protocol.ts'

describe('frames', () => {
  it('are decoded as encoded, however the bytes are split', () => {
    const bytes = Buffer.concat([
      encodeFrame('ready', 0, { a: 'ü' }),
      encodeHead({ kind: 'failure', id: 0xff_ff_ff_ff, size: 0 }),
      encodeFrame('answer', 7, ['x'.repeat(100)]),
    ])
    for (const step of [1, 3, 16, 17, 50, bytes.length]) {
      const reader = createFrameReader(['ready', 'answer', 'failure'])
      const frames = []
      for (let at = 0; at < bytes.length; at += step) frames.push(...reader.push(bytes.subarray(at, at + step)))
      assert.deepEqual(
        frames.map(({ kind, id, body }) => [kind, id, body.toString()]),
        [
          ['ready', 0, '{"a":"ü"}'],
          ['failure', 0xff_ff_ff_ff, ''],
          ['answer', 7, JSON.stringify(['x'.repeat(100)])],
        ],
        `in steps of ${step}`,
      )
    }
  })

  it('carry the largest document, and not one byte more', () => {
    const head = encodeHead({ kind: 'document', id: 1, size: FETCHED_BYTES_MAX })
    assert.deepEqual(decodeHead(head), { kind: 'document', id: 1, size: FETCHED_BYTES_MAX })
    assert.throws(() => encodeHead({ kind: 'document', id: 1, size: FETCHED_BYTES_MAX + 1 }), RangeError)
    head.writeUInt32BE(FETCHED_BYTES_MAX + 1, 12)
    assert.throws(() => decodeHead(head), /too large/)
  })

  it('with an invalid field are rejected before anything is allocated', () => {
    const head = (change: (bytes: Buffer) => unknown) => {
      const bytes = encodeHead({ kind: 'answer', id: 1, size: 10 })
      change(bytes)
      return bytes
    }
    assert.throws(() => decodeHead(head((bytes) => bytes.writeUInt8(0, 0))), /Invalid frame head/)
    assert.throws(() => decodeHead(head((bytes) => bytes.writeUInt32BE(99, 4))), /Unknown frame kind/)
    assert.throws(() => decodeHead(head((bytes) => bytes.writeUInt32BE(0xff_ff_ff_ff, 12))), /too large/)
    assert.throws(() => decodeHead(Buffer.alloc(HEAD_BYTES - 1)), /has 16 bytes/)
    assert.throws(() => encodeHead({ kind: 'answer', id: 1, size: -1 }), RangeError)
    assert.throws(() => encodeHead({ kind: 'answer', id: 1, size: 0.5 }), RangeError)
  })

  it('of the other direction are rejected', () => {
    const reader = createFrameReader(['answer'])
    assert.throws(() => reader.push(encodeFrame('setup', 1, {})), /not allowed in this direction/)
  })
})
