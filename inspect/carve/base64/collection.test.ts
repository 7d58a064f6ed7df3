import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ascii } from '#inspect/core/bytes.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { randomFrom } from '#inspect/testing/random.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { createCollection } from './collection.ts'

suite('collected pieces', () => {
  const collected = (...pieces: string[]): string => {
    const collection = createCollection()
    for (const piece of pieces) collection.add(ascii(piece))
    return Buffer.from(collection.bytes()).toString('latin1')
  }
  for (const [pieces, bytes] of [
    [[], ''],
    [['', 'a', ''], 'a'],
    [['ab', 'c', 'ab', 'c'], 'ab\nc'],
    [['ab', 'a', 'b'], 'ab\na\nb'],
    [['a'.repeat(5_000), 'b'], `${'a'.repeat(5_000)}\nb`],
  ] as const)
    test(`are held once each: ${JSON.stringify(pieces.map((piece) => piece.slice(0, 9)))}`, () =>
      assert.equal(collected(...pieces), bytes))
})

suite('a text of random Base64', () => {
  const { outcome } = useInspector()
  const random = randomFrom(7)
  const digits = (start: readonly number[]): string =>
    Buffer.from([...start, ...Array.from({ length: 90 }, () => random(256))]).toString('base64url')

  test('is clean, also where a piece begins like an old archive', () => {
    // The bytes after the signatures pass their further checks.
    for (const start of [
      [0x1f, 0xa0, 1, 1, 8],
      [0x1f, 0x9d, 0x90],
      [0x1f, 0x9e, 8, 0],
      [0x1f, 0x1e, 0, 0, 1, 0, 1, 2],
    ])
      assert.equal(outcome(Buffer.from(`checksum ${digits([1, 2])}, ${digits(start)}.`)), undefined)
  })

  test('is searched in the digits of URLs, too', () => {
    const found = Buffer.from(`${'\xfb\xff'.repeat(9)}${EICAR}`, 'latin1').toString('base64url')
    assert.match(found, /[-_]/)
    assert.equal(outcome(Buffer.from(`${digits([1, 2])}, ${found}.`)), 'Docvet.Test.Eicar')
  })
})
