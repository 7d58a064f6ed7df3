/** Every limit, exactly at it and one past it. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { EICAR, nested, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { LIMITS, type Limits, limitsFor, USUAL_BYTES_MAX } from './limits.ts'

async function reasonOf(limits: Partial<Limits>, bytes: Uint8Array): Promise<string> {
  const inspector = await ourInspector({ limits })
  const { obstacle, findings } = inspector.inspect(bytes)
  inspector.dispose()
  return findings.length > 0 ? 'found' : (obstacle?.reason ?? 'whole')
}

function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, i) => (i * 7919) % 251))
}

test('the limits have the decided values', () => {
  const { inputBytesMax, unpackedBytesMax, memberBytesMax, depthMax, entriesMax } = LIMITS
  assert.deepEqual(
    { inputBytesMax, unpackedBytesMax, memberBytesMax, depthMax, entriesMax },
    {
      inputBytesMax: 268_435_456,
      unpackedBytesMax: 400_000_000,
      memberBytesMax: 200_000_000,
      depthMax: 16,
      entriesMax: 10_000,
    },
  )
})

suite('at the limit, and one past it', () => {
  test('bytes of the document', async () => {
    assert.equal(await reasonOf({ inputBytesMax: 100 }, Buffer.alloc(100, 0x61)), 'whole')
    assert.equal(await reasonOf({ inputBytesMax: 100 }, Buffer.alloc(101, 0x61)), 'too_complex')
  })

  test('bytes of the document with the production limit', async () => {
    const inspector = await ourInspector()
    assert.equal(inspector.inspect(Buffer.alloc(26_214_400, 0x61)).obstacle, null)
    assert.equal(inspector.inspect(Buffer.alloc(26_214_401, 0x61)).obstacle, null)
    assert.equal(inspector.inspect(Buffer.alloc(268_435_457)).obstacle?.reason, 'too_complex')
    inspector.dispose()
  })

  test('work, which grows with the size above that of uploads', () => {
    assert.equal(limitsFor(LIMITS, USUAL_BYTES_MAX), LIMITS)
    assert.deepEqual(limitsFor(LIMITS, 2 * USUAL_BYTES_MAX), { ...LIMITS, workMax: 2 * LIMITS.workMax })
  })

  for (const method of ['stored', 'deflated'] as const) {
    test(`bytes of one member, ${method}`, async () => {
      const of = (length: number): Buffer => writeZip([{ name: 'a', data: noise(length), method }])
      assert.equal(await reasonOf({ memberBytesMax: 1000 }, of(1000)), 'whole')
      assert.equal(await reasonOf({ memberBytesMax: 1000 }, of(1001)), 'too_complex')
    })

    test(`bytes of all members, ${method}`, async () => {
      const of = (length: number): Buffer =>
        writeZip([
          { name: 'a', data: noise(600), method },
          { name: 'b', data: noise(length), method },
        ])
      assert.equal(await reasonOf({ unpackedBytesMax: 1000 }, of(400)), 'whole')
      assert.equal(await reasonOf({ unpackedBytesMax: 1000 }, of(401)), 'too_complex')
    })
  }

  test('bytes of a gzip member, which declares no size', async () => {
    const of = (length: number): Buffer => writeZip([{ name: 'a.gz', data: gzipSync(noise(length)) }])
    assert.equal(await reasonOf({ memberBytesMax: 1000 }, of(1000)), 'whole')
    assert.equal(await reasonOf({ memberBytesMax: 1000 }, of(1001)), 'too_complex')
  })

  test('bytes of a UTF-16 text, and of Base64 in a text', async () => {
    const wide = (length: number): Buffer => Buffer.from(`\ufeff${'a'.repeat(length)}`, 'utf16le')
    assert.equal(await reasonOf({ memberBytesMax: 1000 }, wide(1000)), 'whole')
    assert.equal(await reasonOf({ memberBytesMax: 1000 }, wide(1001)), 'too_complex')
    const address = (digits: number): Buffer => Buffer.from(`<html>;base64,${'A'.repeat(digits)}`)
    assert.equal(await reasonOf({ memberBytesMax: 1000 }, address(1000)), 'whole')
    assert.equal(await reasonOf({ memberBytesMax: 1000 }, address(1001)), 'too_complex')
  })

  test('depth: EICAR 16 deep is found, 17 deep is too complex', async () => {
    assert.equal(await reasonOf({}, nested(EICAR, 16)), 'found')
    assert.equal(await reasonOf({}, nested(EICAR, 17)), 'too_complex')
    assert.equal(await reasonOf({}, nested('Good morning', 16)), 'whole')
    assert.equal(await reasonOf({}, nested('Good morning', 17)), 'too_complex')
  })

  test('entries of all archives', async () => {
    const of = (count: number): Buffer =>
      writeZip(Array.from({ length: count }, (_, i) => ({ name: `${i}`, data: 'x' })))
    assert.equal(await reasonOf({ entriesMax: 50 }, of(50)), 'whole')
    assert.equal(await reasonOf({ entriesMax: 50 }, of(51)), 'too_complex')
    const two = (count: number): Buffer =>
      writeZip([
        { name: 'a.zip', data: of(25) },
        { name: 'b.zip', data: of(count) },
      ])
    assert.equal(await reasonOf({ entriesMax: 52 }, two(25)), 'whole')
    assert.equal(await reasonOf({ entriesMax: 52 }, two(26)), 'too_complex')
  })

  test('entries with the production limit: 10,000 and 10,001', async () => {
    const of = (count: number): Buffer =>
      writeZip(Array.from({ length: count }, (_, i) => ({ name: `${i}`, data: 'x' })))
    assert.equal(await reasonOf({}, of(10_000)), 'whole')
    assert.equal(await reasonOf({}, of(10_001)), 'too_complex')
  })

  test('streams of a PDF', async () => {
    const of = (count: number): Buffer => pdf(Array<string>(count).fill('<< /Length 1 >>\nstream\nx\nendstream'))
    assert.equal(await reasonOf({ pdfStreamsMax: 5 }, of(5)), 'whole')
    assert.equal(await reasonOf({ pdfStreamsMax: 5 }, of(6)), 'too_complex')
  })
})
