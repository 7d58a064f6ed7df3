/** Compressed compound files in PowerPoint and ActiveMime are unpacked, and never clean if that fails. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { constants, deflateSync, gzipSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { packageObject } from '#inspect/testing/package-writer.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { PARTIAL_BYTES_MAX } from './compressed-objects.ts'

const inspector = useInspector()

function outcome(document: string | Uint8Array): string | undefined {
  const { findings, obstacle } = inspector.inspect(Buffer.from(document))
  return findings.find(({ severity }) => severity === 'malicious')?.id ?? obstacle?.reason
}

const FOUND = 'Docvet.Test.Eicar'
const hostile = deflateSync(packageObject('e.gz', gzipSync(EICAR)))
const plain = writeOle({ streams: { a: Buffer.from('Good morning') } })
const harmless = deflateSync(plain)
/** As Office writes it: without a last deflate block. */
const withoutLastBlock = deflateSync(plain, { finishFlush: constants.Z_SYNC_FLUSH })

suite('a compressed PowerPoint object', () => {
  const record = (packed: Uint8Array, length = packed.length + 4, size = plain.length): Buffer => {
    const header = Buffer.alloc(12)
    header.writeUInt16LE(0x10, 0)
    header.writeUInt16LE(0x1011, 2)
    header.writeUInt32LE(length, 4)
    header.writeUInt32LE(size, 8)
    return Buffer.concat([header, packed])
  }
  const slides = (...records: Buffer[]): string | undefined =>
    outcome(writeOle({ streams: { 'PowerPoint Document': Buffer.concat([Buffer.alloc(99, 7), ...records]) } }))

  test('is found, also after another object', () => {
    assert.equal(slides(record(hostile)), FOUND)
    assert.equal(slides(record(harmless), record(hostile), Buffer.alloc(99)), FOUND)
    assert.equal(slides(record(harmless), Buffer.alloc(99)), undefined)
  })
  test('is never clean if truncated', () => {
    assert.equal(slides(record(harmless.subarray(0, 60))), 'damaged')
    assert.equal(slides(record(harmless, 60), Buffer.alloc(99)), 'damaged')
  })
  /** Data that no reader can unpack after the given bytes. */
  const corrupt = (bytes: Uint8Array): Buffer =>
    Buffer.concat([deflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }), Buffer.alloc(99, 7)])

  test('is inspected up to the fault if corrupt', () => {
    assert.equal(slides(record(Buffer.concat([harmless.subarray(0, 2), Buffer.alloc(99, 7)]))), undefined)
    assert.equal(slides(record(corrupt(Buffer.from(EICAR)))), FOUND)
    assert.equal(slides(record(corrupt(packageObject('e.gz', gzipSync(EICAR))))), FOUND)
    assert.equal(slides(record(corrupt(plain))), undefined)
    assert.equal(slides(record(corrupt(plain.subarray(0, 600)))), undefined)
  })
  test('is too complex if corrupt after too many bytes', () => {
    const filled = (size: number): string | undefined => slides(record(corrupt(Buffer.alloc(size))))
    assert.equal(filled(PARTIAL_BYTES_MAX - 1), undefined)
    assert.equal(filled(PARTIAL_BYTES_MAX), 'too_complex')
  })
  test('is complete without a last block if it has the declared size', () => {
    const sized = (size: number): string | undefined =>
      slides(record(withoutLastBlock, withoutLastBlock.length + 4, size))
    assert.equal(sized(plain.length), undefined)
    assert.equal(sized(plain.length + 1), 'damaged')
  })
  test('is not assumed for four matching bytes', () => {
    assert.equal(slides(record(Buffer.alloc(99, 7))), undefined)
    for (let length = 0; length < 12; length++)
      assert.equal(slides(record(Buffer.alloc(0)).subarray(0, length)), undefined)
  })
})

suite('ActiveMime', () => {
  const activeMime = (packed: Uint8Array, field = 4, declared = field): Buffer => {
    const header = Buffer.alloc(46 + field)
    header.write('ActiveMime')
    header.writeUInt16LE(declared, 0x1e)
    header.writeUInt32LE(plain.length, header.length - 4)
    return Buffer.concat([header, packed])
  }
  const xml = (data: Buffer): string =>
    `<?xml version="1.0"?><w:binData w:name="editdata.mso">${data.toString('base64')}</w:binData>`

  test('is found in XML, in MIME parts and in Office packages', () => {
    for (const field of [4, 0x1fc]) assert.equal(outcome(xml(activeMime(hostile, field))), FOUND)
    assert.equal(outcome(docx({ 'word/editdata.mso': activeMime(hostile) })), FOUND)
    const head = 'MIME-Version: 1.0\r\nContent-Type: application/x-mso\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    assert.equal(outcome(head + activeMime(hostile).toString('base64')), FOUND)
    for (const packed of [harmless, withoutLastBlock]) assert.equal(outcome(xml(activeMime(packed))), undefined)
  })
  test('is found behind a header that states another length', () => {
    for (const declared of [0, 5, 900]) {
      assert.equal(outcome(xml(activeMime(hostile, 4, declared))), FOUND)
      assert.equal(outcome(xml(activeMime(harmless, 4, declared))), undefined)
    }
  })
  test('is never clean if nothing can be unpacked', () => {
    assert.equal(outcome(xml(activeMime(Buffer.from('no data, and not compressed'), 4, 5))), 'too_complex')
    assert.equal(outcome(xml(activeMime(harmless.subarray(0, 60)))), 'too_complex')
    for (const length of [46, 50, 51])
      assert.equal(outcome(xml(activeMime(harmless).subarray(0, length))), 'too_complex', `${length}`)
  })
  test('is not assumed for a text that mentions it', () =>
    assert.equal(outcome('About ActiveMime, a format'), undefined))
})

test('an object of a document saved as XML is inspected, and never clean if that fails', () => {
  const packed = deflateSync(packageObject('e.gz', gzipSync(EICAR)))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(packageObject('e.gz', gzipSync(EICAR)).length)
  const stored = (data: Uint8Array): string | undefined =>
    inspector.outcome(writeOle({ streams: { _1577691300: Buffer.concat([size, data]) } }))
  assert.equal(stored(packed), 'Docvet.Test.Eicar')
  assert.equal(stored(packed.subarray(0, 60)), 'too_complex')
  assert.equal(stored(Buffer.from('Good morning')), undefined)
})
