/** Data in archives that headers and directory do not declare. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { type EntryPlan, writeZip } from '#inspect/testing/zip-writer.ts'

const inspector = useInspector()
const { outcome } = inspector

const TEXT: EntryPlan = { name: 'a.txt', data: 'Good morning' }
const BZIP2: EntryPlan = {
  name: 'eicar.com',
  packed: Buffer.from('BZh91AY&SYxxxxxxxxxxxx'),
  local: { method: 12 },
  central: { method: 12 },
}
/** An empty end record, with a comment of this length to come. */
function emptyEnd(comment = 0): Buffer {
  const record = Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1')
  record.writeUInt16LE(comment, 20)
  return record
}

suite('an unsupported method is never clean', () => {
  test('after an empty end record', () => {
    assert.equal(outcome(Buffer.concat([writeZip([BZIP2]), emptyEnd()])), 'too_complex')
    assert.equal(outcome(writeZip([BZIP2], { comment: emptyEnd(500) })), 'too_complex')
    assert.equal(outcome(Buffer.concat([writeZip([BZIP2]), Buffer.alloc(70_000), emptyEnd()])), 'too_complex')
  })
  test('in an unlisted entry', () => {
    assert.equal(outcome(writeZip([TEXT, { ...BZIP2, unlisted: true }])), 'too_complex')
  })
  test('in an Office stream that may split it into records', () => {
    const unknown = { ...BZIP2, packed: Buffer.alloc(20, 'x') }
    const entries = writeZip([TEXT, unknown].map((entry) => ({ ...entry, unlisted: true }))).subarray(0, -22)
    const data = Buffer.concat([Buffer.from('x'), entries])
    assert.equal(outcome(writeOle({ streams: { Data: data } })), 'too_complex')
  })
  test('an empty archive is clean', () => {
    assert.equal(outcome(emptyEnd()), undefined)
  })
})

suite('unlisted entries', () => {
  test('corrupt ones are damage', () => {
    const packed = deflateRawSync('Good morning, good morning, good morning').subarray(0, -4)
    for (const data of [packed, Buffer.alloc(9, 0xff)])
      assert.equal(outcome(writeZip([TEXT, { name: 'b', packed: data, unlisted: true }])), 'damaged')
  })
  test('stored ones are inspected although their end is unknown', () => {
    const entry: EntryPlan = { name: 'b', data: gzipSync(EICAR), method: 'stored', streamed: true, unlisted: true }
    assert.equal(outcome(writeZip([entry, TEXT])), 'Docvet.Test.Eicar')
  })
})

suite('stored entries without a size overlap', () => {
  const head = writeZip([{ name: 'b', method: 'stored', streamed: true, unlisted: true }]).subarray(0, 31)
  const many = (count: number, data: Uint8Array): Buffer =>
    Buffer.concat([...Array<Buffer>(count).fill(Buffer.concat([Buffer.from('x'), head])), data])
  const inZip = (data: Uint8Array): string | undefined => outcome(writeZip([{ name: 'a', data }]))
  test('they are inspected in four passes, and too complex past that', () => {
    // All extend to the end, each from a later offset.
    assert.equal(inZip(many(PASSES_MAX, gzipSync(EICAR))), 'Docvet.Test.Eicar')
    assert.equal(inZip(many(PASSES_MAX, Buffer.alloc(9000, 'a'))), undefined)
    assert.equal(inZip(many(PASSES_MAX + 1, Buffer.alloc(9000, 'a'))), 'too_complex')
  })
  test('25 MB of them take little CPU time', () => {
    for (const distance of [3000, 2_600_000]) {
      const bytes = Buffer.alloc(26_000_000, 'a')
      for (let at = 0; at + 31 < bytes.length; at += distance) head.copy(bytes, at)
      assertCheap(() => assert.equal(outcome(bytes), 'too_complex'))
    }
  })
})

suite('streamed entries that are empty in the directory', () => {
  const empty = { packed: 0, unpacked: 0, crc: 0 }
  test('are inspected', () => {
    for (const entries of [[], [TEXT]]) {
      const entry: EntryPlan = { name: 'b', data: EICAR, streamed: true, central: empty }
      assert.equal(outcome(writeZip([entry, ...entries])), 'Docvet.Test.Eicar')
      const stored: EntryPlan = { ...entry, data: gzipSync(EICAR), method: 'stored' }
      assert.equal(outcome(writeZip([stored, ...entries])), 'Docvet.Test.Eicar')
    }
  })
  test('are clean if empty', () => {
    const folder: EntryPlan = { name: 'b/', method: 'stored', streamed: true }
    assert.equal(outcome(writeZip([folder, TEXT])), undefined)
    assert.equal(outcome(writeZip([{ name: 'b', data: '', streamed: true }, TEXT])), undefined)
  })
})

suite('an unlisted entry is found regardless of its header', () => {
  const unlisted = (name: string, change: (archive: Buffer) => void = () => undefined) => {
    const archive = writeZip([{ name, data: EICAR, unlisted: true }, TEXT])
    change(archive)
    return outcome(archive)
  }
  test('with any name', () => {
    for (const length of [0, 1, 1024, 1025, 65_535]) assert.equal(unlisted('a'.repeat(length)), 'Docvet.Test.Eicar')
    assert.equal(unlisted('a\0b'), 'Docvet.Test.Eicar')
  })
  test('with any required version', () => {
    for (const version of [63, 64, 255])
      assert.equal(
        unlisted('a', (archive) => archive.writeUInt8(version, 4)),
        'Docvet.Test.Eicar',
      )
  })
})

suite('data that the directory does not declare', () => {
  const empty = { flags: 8, packed: 0, unpacked: 0, crc: 0 }
  const of = (packed: Uint8Array) => outcome(writeZip([{ name: 'b', packed, local: empty, central: empty }, TEXT]))
  test('up to twenty zeros are a data descriptor, more are data', () => {
    assert.equal(of(Buffer.alloc(20)), undefined)
    assert.equal(of(Buffer.alloc(21)), 'damaged')
  })
  test('is inspected even if it begins like a record', () => {
    // A stored block of 75 bytes; readers ignore the padding bits of its first byte.
    const block = Buffer.concat([Buffer.from('504b00b4ff', 'hex'), Buffer.alloc(0x4b)])
    assert.equal(of(Buffer.concat([block, deflateRawSync(EICAR)])), 'Docvet.Test.Eicar')
  })
})

suite('compressed data', () => {
  const flushed = deflateRawSync(EICAR, { finishFlush: constants.Z_SYNC_FLUSH })
  const corrupt: EntryPlan = { name: 'b', data: EICAR, packed: Buffer.concat([flushed, Buffer.alloc(4, 0xff)]) }
  test('bytes after its end are damage', () => {
    const packed = Buffer.concat([
      deflateRawSync('Good morning'),
      writeZip([{ name: 'b', data: EICAR, method: 'stored' }]),
    ])
    const one = Buffer.concat([deflateRawSync('Good morning'), Buffer.from('x')])
    assert.equal(inspector.inspect(writeZip([{ ...TEXT, packed }])).obstacle?.reason, 'damaged')
    assert.equal(outcome(writeZip([{ ...TEXT, packed: one }])), 'damaged')
  })
  test('the data before a fault is scanned', () => {
    const archive = writeZip([corrupt])
    assert.equal(outcome(archive), 'Docvet.Test.Eicar')
    const inner = Buffer.concat([Buffer.from('x'), archive])
    assert.equal(outcome(writeZip([{ name: 'inner', data: inner }])), 'Docvet.Test.Eicar')
  })
  test('a fault is reported also for an archive after other data', () => {
    const inner = Buffer.concat([Buffer.from('x'), writeZip([{ ...TEXT, packed: Buffer.alloc(9, 0xff) }])])
    assert.equal(outcome(writeZip([{ name: 'inner', data: inner }])), 'damaged')
  })
})
