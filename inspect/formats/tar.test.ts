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
