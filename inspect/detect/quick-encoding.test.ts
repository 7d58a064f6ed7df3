/** Compares the quick detection of an encoding with the complete one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '#inspect/testing/random.ts'
import { quickEncodingOf } from './quick-encoding.ts'
import { encodingOf } from './text.ts'

test('both agree on every byte at every place, and on mixed texts', () => {
  const assertSame = (bytes: Uint8Array): void =>
    assert.equal(quickEncodingOf(bytes), encodingOf(bytes), Buffer.from(bytes).toString('hex'))
  assertSame(Buffer.alloc(0))
  for (const length of [1, 15, 16, 17, 40])
    for (let byte = 0; byte < 256; byte++)
      for (const at of [0, length >> 1, length - 1]) {
        const bytes = Buffer.alloc(length, 'x')
        bytes[at] = byte
        assertSame(bytes)
      }
  const random = randomFrom(5)
  const parts = [
    'Hello ',
    '\n',
    '\0',
    '<\0?\0',
    '\0<\0?',
    '\xff\xfe',
    '\xc3\xa4',
    '\xe4',
    '\x1b(B',
    '\x07',
    'H\0e\0l\0',
  ]
  for (let round = 0; round < 5_000; round++) {
    const text = Array.from({ length: 1 + random(12) }, () => parts[random(parts.length)]).join('')
    assertSame(Buffer.from(text, 'latin1'))
  }
})
