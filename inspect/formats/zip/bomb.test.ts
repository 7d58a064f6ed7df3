/** Decompression bombs, and archives that are only large. */

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import type { Context, Item, NewFinding } from '#inspect/core/format.ts'
import { LIMITS } from '#inspect/core/limits.ts'
import type { Inspector } from '#inspect/inspect.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { type EntryPlan, writeZip } from '#inspect/testing/zip-writer.ts'
import { zip } from './zip.ts'

let inspector: Inspector
before(async () => {
  // Bomb thresholds divided by a thousand, so that the test is fast.
  inspector = await ourInspector({
    limits: { memberBytesMax: 200_000, unpackedBytesMax: 400_000, bombBytesMin: 64_000, bombRatioMin: 500 },
  })
})
after(() => inspector.dispose())

function verdict(bytes: Uint8Array): string[] {
  const { findings, obstacle } = inspector.inspect(bytes)
  return [
    ...findings.filter(({ severity }) => severity === 'malicious').map(({ id }) => id),
    obstacle?.reason ?? 'whole',
  ]
}

function zeros(name: string, length: number): EntryPlan {
  return { name, data: Buffer.alloc(length) }
}

function noise(name: string, length: number): EntryPlan {
  // The digits of a square root do not compress.
  const data = Buffer.from(Array.from({ length }, (_, i) => Math.floor(Math.sqrt(i + 2) * 1e6) & 0xff))
  return { name, data }
}

suite('overlaps and quines', () => {
  test('full overlap: two directory entries share one local header', () => {
    const shared = writeZip([zeros('a', 1000), { ...zeros('b', 1000), sharesWith: 0, central: { name: 'a2' } }])
    assert.deepEqual(verdict(shared), ['Docvet.Bomb.SharedEntry', 'whole'])
  })

  test('quoted overlap: the data of one entry contains the next', () => {
    const inner = writeZip([zeros('b', 1000)], { withoutEnd: true })
    const innerLocal = inner.subarray(0, inner.indexOf('PK\x01\x02', 'latin1'))
    // A stored block of deflate that quotes the second entry, as Fifield builds it.
    const length = Buffer.from([
      1,
      innerLocal.length,
      innerLocal.length >> 8,
      ~innerLocal.length,
      ~innerLocal.length >> 8,
    ])
    const quote = Buffer.concat([length, innerLocal])
    const at = 31 + 5
    const outer: EntryPlan = { name: 'a', data: innerLocal, packed: quote }
    const packed = deflateRawSync(Buffer.alloc(1000)).length
    const listed: EntryPlan = { ...zeros('b', 1000), sharesWith: 0, central: { at, packed } }
    assert.deepEqual(verdict(writeZip([outer, listed])), ['Docvet.Bomb.Overlap', 'whole'])
  })

  test('adjacent entries do not overlap', () => {
    assert.deepEqual(verdict(writeZip([noise('a', 99), noise('b', 99), noise('c', 99)])), ['whole'])
  })

  test('an archive that contains itself is malicious as the document, and suspicious inside another', () => {
    // A true fixed point is hard to make, so the context is built as if the traversal had met the same bytes again.
    const bytes = writeZip([{ name: 'x', data: 'x' }])
    const sniffed = { kind: 'zip', type: 'application/zip' } as const
    const outermost: Item = {
      bytes,
      path: [],
      sniffed,
      parent: null,
      alone: true,
      name: null,
      mentions: () => false,
      has: () => true,
    }
    const inner = { ...outermost, path: ['r.zip'], parent: { ...outermost, bytes: Buffer.from('other') } }
    const met: string[] = []
    const context = {
      limits: LIMITS,
      addFinding: (_: Item, { id }: NewFinding) => met.push(id),
      addObstacle: (_: Item, reason: string) => met.push(reason),
    } as unknown as Context
    zip.analyse({ ...outermost, bytes: Buffer.from(bytes), path: ['r.zip'], parent: outermost }, context)
    zip.analyse({ ...outermost, bytes: Buffer.from(bytes), path: ['r.zip', 'r.zip'], parent: inner }, context)
    assert.deepEqual(met, ['Docvet.Bomb.Quine', 'too_complex', 'Docvet.Zip.InnerQuine', 'too_complex'])
  })
})

suite('ratio', () => {
  test('a bomb at the size threshold, none one byte below it', () => {
    assert.deepEqual(verdict(writeZip([zeros('a', 64_000), noise('b', 5)])), ['Docvet.Bomb.Ratio', 'whole'])
    assert.deepEqual(verdict(writeZip([zeros('a', 63_999), noise('b', 5)])), ['whole'])
  })

  test('data with a lower ratio is no bomb', () => {
    const row = Buffer.from('<c r="A1"><v>0</v></c>')
    const sheet = Buffer.concat(Array.from({ length: 5000 }, (_, i) => Buffer.from(`${row}${i}`)))
    assert.deepEqual(verdict(writeZip([{ name: 'sheet.xml', data: sheet }])), ['whole'])
  })

  test('a bomb past the limit that declares its size', () => {
    assert.deepEqual(verdict(writeZip([zeros('a', 300_000)])), ['Docvet.Bomb.Ratio', 'too_complex'])
  })

  test('a bomb past the limit that declares a smaller size', () => {
    const lie = { unpacked: 10 }
    assert.deepEqual(verdict(writeZip([{ ...zeros('a', 300_000), local: lie, central: lie }])), [
      'Docvet.Bomb.Ratio',
      'too_complex',
    ])
  })

  test('a wrong declared size alone is no bomb', () => {
    const lie = { unpacked: 4_000_000_000 }
    assert.deepEqual(verdict(writeZip([{ ...noise('a', 900), local: lie, central: lie }])), ['too_complex'])
  })

  test('nested: each archive alone is harmless', () => {
    const level = writeZip([zeros('zeros', 40_000)])
    const archives = Array.from({ length: 8 }, (_, i) => ({ name: `${i}.zip`, data: level }))
    const [first] = verdict(writeZip([{ name: 'all.zip', data: writeZip(archives) }]))
    assert.equal(first, 'Docvet.Bomb.Ratio')
  })
})
