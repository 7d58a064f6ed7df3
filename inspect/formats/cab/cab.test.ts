/** Cabinets are unpacked at any offset, and never clean if that fails. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { type CabinetPlan, writeCabinet } from '#inspect/testing/cab-writer.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx, EICAR, pdf } from '#inspect/testing/samples.ts'
import { CABINETS_MAX } from './cab.ts'
import { NAME_BYTES_MAX } from './cabinet.ts'

const inspector = useInspector()
const { outcome } = inspector

const inDocx = (data: Uint8Array): string | undefined => outcome(docx({ 'word/media/a.bin': data }))
const FOUND = 'Docvet.Test.Eicar'
const packed = gzipSync(EICAR)
const text = Buffer.from('Good morning. '.repeat(5000))
const of = (plan: CabinetPlan = {}): Buffer =>
  writeCabinet(
    [
      ['a.txt', text],
      ['b.gz', packed],
    ],
    plan,
  )

suite('EICAR is found', () => {
  test('with each supported method, over several blocks', () => {
    for (const method of ['stored', 'mszip'] as const) assert.equal(inDocx(of({ method })), FOUND)
  })
  test('after other data, in Office parts, compound file streams and PDF streams', () => {
    const prefixed = Buffer.concat([Buffer.from('x'), of(), Buffer.alloc(100_000)])
    assert.equal(inDocx(prefixed), FOUND)
    assert.equal(outcome(writeOle({ streams: { Data: prefixed.subarray(0, 9000) } })), FOUND)
    for (const [filter, data] of [
      ['', prefixed],
      ['/Filter /FlateDecode', deflateSync(prefixed)],
    ] as const) {
      const dictionary = `<< ${filter} /Length ${data.length} >>`
      assert.equal(outcome(pdf([`${dictionary}\nstream\n${data.toString('latin1')}\nendstream`])), FOUND)
    }
  })
})

suite('never clean', () => {
  test('an unsupported method', () =>
    assert.equal(inDocx(writeCabinet([['a', text]], { method: 'lzx' })), 'too_complex'))
  test('one part of a multi-part archive', () =>
    assert.equal(inDocx(writeCabinet([['a', text]], { flags: 1 })), 'too_complex'))
  test('a file continued from or in another cabinet, although the header declares none', () => {
    for (const folder of [0xfffd, 0xfffe, 0xffff]) {
      const cabinet = writeCabinet([['a', text]])
      cabinet.writeUInt16LE(folder, cabinet.readUInt32LE(16) + 8)
      assert.equal(inDocx(cabinet), 'too_complex')
    }
  })
  test('a file longer than its folder', () => {
    const longer = (by: number): Buffer => {
      const cabinet = writeCabinet([['a', text]])
      cabinet.writeUInt32LE(text.length + by, cabinet.readUInt32LE(16))
      return cabinet
    }
    assert.equal(inDocx(longer(0)), undefined)
    assert.equal(inDocx(longer(1)), 'damaged')
  })
  test('a short block in the middle', () => assert.equal(inDocx(of({ blockBytes: 1000 })), 'damaged'))
  test('truncated, or without a directory', () => {
    const whole = writeCabinet([['a.txt', text]])
    assert.equal(inDocx(whole), undefined)
    for (const length of [40, 60, 100, whole.length - 1]) assert.equal(inDocx(whole.subarray(0, length)), 'damaged')
    assert.equal(inDocx(whole.subarray(0, 35)), 'too_complex')
  })
  test('overlong names', () => {
    const named = (length: number): Buffer => writeCabinet([['a'.repeat(length), packed]])
    assert.equal(inDocx(named(NAME_BYTES_MAX)), FOUND)
    assert.equal(inDocx(named(NAME_BYTES_MAX + 1)), 'damaged')
  })
  test('more cabinets than the limit', () => {
    const many = (count: number): Buffer =>
      Buffer.concat([...Array<Buffer>(count - 1).fill(writeCabinet([['a', Buffer.from('a')]])), of()])
    assert.equal(inDocx(many(CABINETS_MAX)), FOUND)
    assert.equal(inDocx(many(CABINETS_MAX + 1)), 'too_complex')
  })
})

suite('wrong header fields', () => {
  const changed = (content: Uint8Array, change: (cabinet: Buffer) => void, stub: string): string | undefined => {
    const cabinet = writeCabinet([['b', content]], { method: 'stored' })
    change(cabinet)
    return inDocx(Buffer.concat([Buffer.from(stub), cabinet]))
  }
  for (const stub of ['', 'x']) {
    test(`the declared size of the cabinet is ignored, ${stub === '' ? 'at the start' : 'after other data'}`, () => {
      for (const size of [0, 1, 36, 2 ** 32 - 1])
        assert.equal(
          changed(packed, (cabinet) => cabinet.writeUInt32LE(size, 8), stub),
          FOUND,
        )
    })
    const faults: [string, (cabinet: Buffer) => void][] = [
      ['no files', (cabinet) => cabinet.writeUInt16LE(0, 28)],
      ['no folders', (cabinet) => cabinet.writeUInt16LE(0, 26)],
      ['a list of files outside', (cabinet) => cabinet.writeUInt32LE(2 ** 31, 16)],
      ['a list of files in the header', (cabinet) => cabinet.writeUInt32LE(0, 16)],
      ['a file list that does not follow the folders', (cabinet) => cabinet.writeUInt32LE(45, 16)],
      ['data outside', (cabinet) => cabinet.writeUInt32LE(2 ** 31, 36)],
      ['no blocks', (cabinet) => cabinet.writeUInt16LE(0, 40)],
      ['a file that is shorter than what is there', (cabinet) => cabinet.writeUInt32LE(5, 44)],
      ['an empty file', (cabinet) => cabinet.writeUInt32LE(0, 44)],
      ['another size of a block unpacked', (cabinet) => cabinet.writeUInt16LE(5, cabinet.readUInt32LE(36) + 6)],
    ]
    for (const [name, fault] of faults)
      test(`${name}, ${stub === '' ? 'at the start' : 'after other data'}`, () => {
        assert.equal(changed(text.subarray(0, 100), fault, stub), 'damaged')
      })
  }
  test('a folder without files', () => {
    const cabinet = writeCabinet([['b', text.subarray(0, 100)]], { method: 'stored' })
    const folder = cabinet.subarray(36, 44)
    const two = Buffer.concat([cabinet.subarray(0, 36), folder, folder, cabinet.subarray(44)])
    two.writeUInt16LE(2, 26)
    two.writeUInt32LE(two.readUInt32LE(16) + 8, 16)
    two.writeUInt32LE(two.readUInt32LE(36) + 8, 44)
    two.writeUInt32LE(two.length, 36)
    two.writeUInt16LE(0, 40)
    two.writeUInt32LE(0, 52)
    assert.equal(inDocx(two), 'damaged')
  })
})

test('printer settings in a workbook and the signature alone are clean', () => {
  const settings = Buffer.concat([Buffer.alloc(200, 7), writeCabinet([['a.gpd', text]]), Buffer.alloc(200)])
  assert.equal(inDocx(settings), undefined)
  assert.equal(outcome(writeOle({ streams: { Workbook: settings } })), undefined)
  assert.equal(inDocx(Buffer.from(`xMSCF${'a'.repeat(200)}`)), undefined)
})

test('hostile cabinets take little CPU time', () => {
  const header = writeCabinet([['a', Buffer.from('a')]]).subarray(0, 36)
  header.writeUInt32LE(0xffff_fff0, 8)
  header.writeUInt16LE(0xffff, 26)
  header.writeUInt16LE(0xffff, 28)
  for (const flags of [0, 7]) {
    header.writeUInt16LE(flags, 30)
    assertCheap(() => assert.notEqual(inDocx(Buffer.alloc(20_000_000, header)), undefined))
  }
})
