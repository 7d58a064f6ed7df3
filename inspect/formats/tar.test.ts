/** Tar archives whose headers contradict each other. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { setChecksum, writeTar } from '#inspect/testing/tar-writer.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { PAX_BYTES_MAX } from './tar.ts'

const { outcome } = useInspector()
const FOUND = 'Docvet.Test.Eicar'

const inZip = (...parts: Uint8Array[]): Buffer => writeZip([{ name: 'a.tar', data: Buffer.concat(parts) }])

/** One entry without the end of the archive. */
function entry(name: string, content: string | Uint8Array, type = '0', stated = content.length): Buffer {
  const bytes = writeTar(name, content).subarray(0, 512 + Math.ceil(content.length / 512) * 512)
  bytes.write(type, 156, 'latin1')
  bytes.write(stated.toString(8).padStart(11, '0'), 124)
  setChecksum(bytes)
  return bytes
}

const record = (text: string): string => {
  const length = text.length + 2
  return `${length + String(length).length} ${text}\n`
}
const end = Buffer.alloc(1024)

suite('the size of a PAX header', () => {
  const packed = gzipSync(EICAR)
  /** A gzip file whose first block is also a valid tar header: its extra field holds name, size and checksum. */
  function disguised(): Buffer {
    const block = Buffer.alloc(512)
    packed.copy(block, 0, 0, 10)
    block[3] = 4
    block.writeUInt16LE(500, 10)
    block.write('00000000000', 124)
    setChecksum(block)
    return Buffer.concat([block, packed.subarray(10)])
  }

  test('replaces the size of the header, for the next entry or for all', () => {
    const data = disguised()
    for (const type of ['x', 'X', 'g']) {
      const pax = entry('pax', record(`size=${data.length}`), type)
      const file = Buffer.concat([entry('e.gz', '', '0', 0), data, Buffer.alloc(-data.length & 511)])
      assert.equal(outcome(inZip(entry('a.txt', 'hello'), pax, file, end)), FOUND, type)
      assert.equal(outcome(inZip(entry('a.txt', 'hello'), pax, entry('long', 'name', 'L'), file, end)), FOUND, type)
    }
  })
  test('is too complex if it contradicts the header', () => {
    const pax = entry('pax', record('size=700'), 'x')
    assert.equal(outcome(inZip(pax, entry('a.txt', 'hello'), Buffer.alloc(1024), end)), 'too_complex')
  })
  test('is clean if it repeats the header, and applies to one entry', () => {
    const pax = entry('pax', record('mtime=1.5') + record('size=5'), 'x')
    assert.equal(outcome(inZip(pax, entry('a.txt', 'hello'), entry('b.txt', 'good morning'), end)), undefined)
  })
  test('is read up to a limit', () => {
    const pax = (length: number): Buffer => entry('pax', `${record('comment=a')}`.padEnd(length), 'x')
    assert.equal(outcome(inZip(pax(PAX_BYTES_MAX), entry('a.txt', 'hello'), end)), undefined)
    assert.equal(outcome(inZip(pax(PAX_BYTES_MAX + 1), entry('a.txt', 'hello'), end)), 'too_complex')
  })
})

suite('numbers that readers read in different ways', () => {
  /** Not found by searching the archive: a reader has to find the entry and join the chunks of its content. */
  const chunked = Buffer.concat([
    Buffer.from('308006092a864886f70d010701a0802480', 'hex'),
    ...Array.from({ length: 14 }, (_, i) => Buffer.from(`\x04\x05${EICAR.slice(i * 5, i * 5 + 5)}`)).slice(0, 13),
    Buffer.from(`\x04\x03${EICAR.slice(65)}`),
    Buffer.alloc(6),
  ])
  const inner = entry('e.p7m', chunked)
  const junk = Buffer.alloc(1024, 'j')
  const withField = (bytes: Buffer, offset: number, field: string, signature = 'ustar\x0000'): Buffer => {
    bytes.write(signature.padEnd(8, '\0'), 257, 'latin1')
    bytes.write(field, offset, 'latin1')
    if (offset !== 148) setChecksum(bytes)
    return bytes
  }
  const sized = (field: string): Buffer => withField(entry('j.txt', ''), 124, field.padEnd(12, '\0'))
  const checked = (field: (sum: number) => string): Buffer => {
    const bytes = withField(entry('e.p7m', chunked), 257, '', '')
    const sum = Number.parseInt(bytes.toString('latin1', 148, 154), 8)
    return withField(bytes, 148, field(sum), '')
  }
  const binary = (sum: number): string => `\x80\0\0\0\0\0${String.fromCharCode(sum >> 8, sum & 0xff)}`
  /** 119, which is B3 in base 64. */
  const octal = chunked.length.toString(8)

  test('the entry itself is found', () => assert.equal(outcome(inZip(inner, end)), FOUND))
  for (const field of ['2000\x004', '2000 4', '2000\0 4', '2000\0junk!!'])
    test(`a size ${JSON.stringify(field)} ends at the first NUL or space`, () => {
      assert.equal(outcome(inZip(sized(field), junk, inner, Buffer.alloc(9000))), FOUND)
    })
  for (const field of [
    '\x002000',
    '0o2000',
    '2_000',
    '+2000',
    '+AAAAAAAAAQA',
    '-AAAAAAAAAQA',
    '\xff\xff',
    '\x81',
    '2000x',
  ])
    test(`a size ${JSON.stringify(field)} is not clean`, () => {
      const result = outcome(inZip(entry('a.txt', 'hello'), sized(field), junk, Buffer.alloc(9000)))
      assert.ok(result === 'too_complex' || result === 'damaged', result)
    })
  test('an archive without a signature is recognised', () => {
    for (const field of [`${octal}\0junk`, `\0${octal}`, '+AAAAAAAAAB3'])
      assert.equal(
        outcome(inZip(withField(entry('e.p7m', chunked), 124, field.padEnd(12, '\0'), ''), end)),
        FOUND,
        field,
      )
    for (const field of [(sum: number) => `\0${sum.toString(8).padStart(6, '0')}\0`, binary])
      assert.equal(outcome(inZip(checked(field), end)), FOUND)
  })
  for (const value of [' 1024', '+1024', '10_24', '\u0661\u0660\u0662\u0664', '1024\n', ''])
    test(`a PAX size ${JSON.stringify(value)} is too complex`, () => {
      const pax = entry('pax', Buffer.from(record(`size=${Buffer.from(value).toString('latin1')}`), 'latin1'), 'x')
      const file = entry('j.txt', '', '0', 8196)
      assert.equal(outcome(inZip(pax, file, junk, inner, Buffer.alloc(9000))), 'too_complex')
    })
  test('a PAX size is read as far as its length', () => {
    const pax = entry('pax', '10 size=1024\n', 'x')
    assert.equal(outcome(inZip(pax, entry('j.txt', junk), end)), 'too_complex')
  })
})

suite('sparse files are too complex', () => {
  test('in the GNU format', () => {
    assert.equal(outcome(inZip(entry('e.com', 'half of a file', 'S'), end)), 'too_complex')
  })
  for (const key of ['GNU.sparse.map=0,34,512,34', 'GNU.sparse.major=1', 'GNU.sparse.numblocks=2', 'SCHILY.realsize=9'])
    test(`in a PAX header with ${key}`, () => {
      const pax = entry('pax', record(key), 'x')
      assert.equal(outcome(inZip(pax, entry('e.com', 'half of a file'), end)), 'too_complex')
    })
})

suite('data after the end', () => {
  const other = Buffer.alloc(512, 'x')
  test('is inspected', () => {
    const rest = Buffer.concat([other, gzipSync(EICAR)])
    assert.equal(outcome(inZip(entry('a.txt', 'hello'), end, rest)), FOUND)
    assert.equal(outcome(inZip(entry('a.txt', 'hello'), end, other)), undefined)
  })
  test('is damaged if it contains further entries', () => {
    const sparse = entry('e.com', 'half of a file', 'S')
    assert.equal(outcome(inZip(entry('a.txt', 'hello'), end, other, sparse, end)), 'damaged')
  })
})
