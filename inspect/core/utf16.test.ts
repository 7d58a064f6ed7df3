import assert from 'node:assert/strict'
import { test } from 'node:test'
import './utf16.ts'

test('UTF-16 of any length is decoded from any address', () => {
  const bytes = Buffer.alloc(4_000, 'a\0')
  for (let i = 0; i < 100_000; i++) {
    const start = (i * 7) % 1_000
    const text = bytes.toString('utf16le', start, start + ((i * 13) % 1_500))
    assert.equal(text.length, Math.floor(((i * 13) % 1_500) / 2))
  }
  assert.equal(Buffer.from('a\0b').toString('utf16le'), 'a')
  assert.equal(Buffer.from('a\0b\0').toString('ucs2'), 'ab')
})
