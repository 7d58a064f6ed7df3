/** Archives and programs that begin like a document, follow other data, or have no signature. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Inspection } from '#inspect/inspect.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeLzma } from '#inspect/testing/lzma-writer.ts'
import { docx, EICAR, pdf, program } from '#inspect/testing/samples.ts'
import { AES, writeSevenZip } from '#inspect/testing/seven-zip-writer.ts'
import { writeTar } from '#inspect/testing/tar-writer.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const inspector = useInspector()

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** The gzip header contains a file name, which can be anything. */
function gzipNamed(name: string, data: string): Buffer {
  const packed = gzipSync(data)
  const header = Buffer.from(packed.subarray(0, 10))
  header[3] = 8
  return Buffer.concat([header, latin1(`${name}\0`), packed.subarray(10)])
}

function outcome({ findings, obstacle }: Inspection): string | undefined {
  return findings.find(({ severity }) => severity === 'malicious')?.id ?? obstacle?.reason
}

const NOISE = Buffer.alloc(300, 0x81)

suite('a document header hides nothing', () => {
  for (const head of ['%PDF-1.4.pdf', '%!PS-Adobe-3.0', '{\\rtf1', '<html>', '\xff\xfe']) {
    test(JSON.stringify(head), () => {
      const packed = gzipNamed(head, EICAR)
      assert.equal(outcome(inspector.inspect(packed)), 'Docvet.Test.Eicar')
      assert.equal(outcome(inspector.inspect(writeZip([{ name: 'a', data: packed }]))), 'Docvet.Test.Eicar')
      const tar = writeTar(head, gzipSync(EICAR))
      assert.equal(outcome(inspector.inspect(tar)), 'Docvet.Test.Eicar')
      assert.equal(outcome(inspector.inspect(writeZip([{ name: 'a', data: tar }]))), 'Docvet.Test.Eicar')
    })
  }
  const others: [string, string, string][] = [
    ['RAR', 'Rar!\x1a\x07\x01\0\x33\x92\xb5\xe5\x0a\x01', 'too_complex'],
    ['7z', '7z\xbc\xaf\x27\x1c\0\x04', 'too_complex'],
    ['xz', '\xfd7zXZ\0', 'too_complex'],
    ['bzip2', 'BZh91AY&SY', 'too_complex'],
    ['a program', '\x7fELF\x02\x01\x01', 'Docvet.Embedded.Executable'],
    ['an old program', 'MZ\x90\0\x03', 'Docvet.Embedded.Executable'],
    ['an image of a disk', `%PDF-1.4\n${'\0'.repeat(0x8001 - 9)}CD001\x01\0`, 'too_complex'],
    ['the same as a text', `<html>${' '.repeat(0x8001 - 6)}CD001\x01\0`, 'too_complex'],
    ['LZH under the mark of a text', '\xff\xfe-lh5-\x10\0\0\0', 'too_complex'],
    ['bzip2 without control characters', 'BZh91AY&SY\xe0\xe1\xe2\xe3', 'too_complex'],
    ['squashfs', 'hsqs\x07\0\0\0', 'too_complex'],
    ['cramfs', '\x45\x3d\xcd\x28\0', 'too_complex'],
    ['the data of an installer', '\0\0\0\0\xef\xbe\xad\xdeNullsoftInst', 'too_complex'],
    ['LZMA with a filter', '\x01\x5d\0\0\x80\0', 'too_complex'],
    ['PPMd', '\x8f\xaf\xac\x84', 'too_complex'],
    ['the older compression of DOS', 'SZ\x20\x88\xf0\x27\x33\xd1', 'too_complex'],
    ['the older LZ4', '\x02\x21\x4c\x18', 'too_complex'],
    ['Zstandard after a skippable frame', '\x5f*M\x18\x04\0\0\0', 'too_complex'],
    ['lzop', '\x89LZO\0\r\n\x1a\n', 'too_complex'],
    ['StuffIt', 'SIT!\0\x01\0\0\0\0rLau', 'too_complex'],
    ['a compressed film', 'CWS\x09\0\x10\0\0\x78\x9c', 'too_complex'],
    ['another compressed film', 'ZWS\x0d\0\x10\0\0\0\x10\0\0\x5d', 'too_complex'],
    ['LZS', '\x19\x40-lzs-\x10\0\0\0', 'too_complex'],
    ['KWAJ', 'KWAJ\x88\xf0\x27\xd1\x03\0', 'too_complex'],
    ['VMDK', 'KDMV\x01\0\0\0', 'too_complex'],
    ['VDI', `${'<<< Disk Image >>>\n'.padEnd(64, '\0')}\x7f\x10\xda\xbe\x01\0\x01\0`, 'too_complex'],
    ['QCOW', 'QFI\xfb\0\0\0\x03', 'too_complex'],
    ['ALZ', 'ALZ\x01\x0a\0\0\0', 'too_complex'],
    ['EGG', 'EGGA\0\x01', 'too_complex'],
    ['ZOO', 'ZOO 2.10 Archive.\x1a\0\0\xdc\xa7\xc4\xfd', 'too_complex'],
    ['ar, which is a text at first', `!<arch>\n${'a/'.padEnd(48)}${'9'.padEnd(10)}\`\nHello`, 'too_complex'],
  ]
  for (const [name, start, expected] of others) {
    test(name, () => {
      const bytes = Buffer.concat([latin1(start), latin1('\n%PDF-1.4\n'), NOISE])
      assert.equal(outcome(inspector.inspect(bytes)), expected)
    })
  }
  test('a text that only begins like an archive is a text', () => {
    for (const text of ['BZh91AY&SY is the start of bzip2.', '070707 is a number.', '!<arch>\nis the start of ar.'])
      assert.equal(inspector.inspect(latin1(text)).obstacle, null)
  })
})

suite('archives without a signature', () => {
  test('tar without a signature', () => {
    const old = writeTar('a', gzipSync(EICAR), { signature: '' })
    assert.equal(outcome(inspector.inspect(writeZip([{ name: 'a.tar', data: old }]))), 'Docvet.Test.Eicar')
  })
  test('tar with a checksum of signed bytes', () => {
    const tar = writeTar('%PDF-\xe4', gzipSync(EICAR))
    const sum = Number.parseInt(tar.toString('latin1', 148, 154), 8) - 256
    tar.write(sum.toString(8).padStart(6, '0'), 148)
    assert.equal(outcome(inspector.inspect(tar)), 'Docvet.Test.Eicar')
  })
  test('a tar entry without a name, and one after an empty block', () => {
    const tar = (name: string): Buffer => writeTar(name, gzipSync(EICAR))
    for (const data of [
      Buffer.concat([writeTar('a', 'x').subarray(0, 1024), tar('')]),
      Buffer.concat([writeTar('a', 'x').subarray(0, 1536), tar('b')]),
    ])
      assert.equal(outcome(inspector.inspect(writeZip([{ name: 'a.tar', data }]))), 'Docvet.Test.Eicar')
  })
})

suite('archives after other data', () => {
  const archives: [string, string][] = [
    ['RAR 4', 'Rar!\x1a\x07\0\xcf\x90\x73\0\0\x0d\0'],
    ['RAR 5', 'Rar!\x1a\x07\x01\0\x33\x92\xb5\xe5\x0a\x01'],
    ['7z', '7z\xbc\xaf\x27\x1c\0\x04'],
  ]
  for (const [name, start] of archives) {
    test(name, () => {
      for (const before of [
        'x',
        'Good morning\n'.repeat(400),
        '%PDF-1.4\n',
        '%!PS-Adobe\n',
        '{\\rtf1 a}',
        '<html></html>',
      ]) {
        const data = Buffer.concat([latin1(before), latin1(start), NOISE])
        assert.equal(outcome(inspector.inspect(data)), 'too_complex', before)
        assert.equal(outcome(inspector.inspect(writeZip([{ name: 'a', data }]))), 'too_complex', before)
      }
    })
  }
  test('their names alone are clean', () => {
    for (const text of ['Rar! is a word.', 'xRar!\x1a\x07\x02', 'x7z\xbc\xaf'])
      assert.equal(inspector.inspect(writeZip([{ name: 'a', data: latin1(text.padEnd(80)) }])).obstacle, null)
  })
  test('more encrypted 7z archives than the limit are too complex', () => {
    const locked = writeSevenZip({ packed: Buffer.alloc(16), content: null, coders: [AES] })
    const many = (count: number): Buffer => Buffer.concat([latin1('x'), ...Array<Buffer>(count).fill(locked)])
    const inZip = (data: Buffer) => outcome(inspector.inspect(writeZip([{ name: 'a', data }])))
    assert.equal(inZip(many(16)), 'encrypted')
    assert.equal(inZip(many(17)), 'too_complex')
  })
})

test('a ZIP archive is found regardless of the data after it', () => {
  const archive = writeZip([{ name: 'b', data: EICAR }])
  // Readers search for the directory within the largest comment, 65,535 bytes.
  for (const behind of [0, 65_535, 65_536, 200_000]) {
    const data = Buffer.concat([latin1('x'), archive, Buffer.alloc(behind, 0x81)])
    assert.equal(outcome(inspector.inspect(docx({ 'word/media/a.jpg': data }))), 'Docvet.Test.Eicar', `${behind}`)
  }
  for (const [name, version] of [
    ['', 20],
    ['b', 64],
    ['b', 255],
  ] as const) {
    const odd = writeZip([{ name, data: EICAR }])
    odd.writeUInt8(version, 4)
    const data = Buffer.concat([latin1('x'), odd, Buffer.alloc(70_000, 0x81)])
    assert.equal(outcome(inspector.inspect(docx({ 'word/media/a.jpg': data }))), 'Docvet.Test.Eicar', `${version}`)
  }
})

test('a program is found at any distance between its start and its header', () => {
  for (const distance of [0x80, 0x1_0000, 0x1_0001]) {
    const start = Buffer.from(program().subarray(0, 0x80))
    start.writeUInt32LE(distance, 0x3c)
    const data = Buffer.concat([latin1('x'), start, Buffer.alloc(distance - 0x80), program().subarray(0x80)])
    assert.equal(outcome(inspector.inspect(docx({ 'word/media/a.jpg': data }))), 'Docvet.Embedded.Executable')
  }
})

suite('LZMA without a signature', () => {
  const of = (data: Uint8Array) => outcome(inspector.inspect(writeZip([{ name: 'a', data }])))
  const inZip = (hex: string) => of(Buffer.from(hex, 'hex'))
  const text = latin1('Good morning')
  const size = BigInt(text.length)

  test('is too complex', () => {
    for (const options of [
      {},
      { size },
      { size, hasEndMarker: true },
      { dictionary: 0x18_0000 },
      { dictionary: 4096, lc: 0, pb: 0 },
      { dictionary: 0x800, lc: 0, pb: 0 },
      { dictionary: 0xffff_ffff, lc: 8, lp: 4, pb: 4 },
      { size: 0xff_ffff_ffff_ffffn },
    ])
      assert.equal(of(writeLzma(text, options)), 'too_complex')
  })
  test('is too complex with unusual properties and a size', () => {
    for (const properties of [
      { lc: 0, pb: 0 },
      { lc: 1, lp: 3 },
      { lp: 4, lc: 0, pb: 4 },
      { lc: 8, lp: 4 },
    ]) {
      assert.equal(of(writeLzma(text, { ...properties, size })), 'too_complex')
      assert.equal(of(writeLzma(text, { ...properties, size, hasEndMarker: true })), 'too_complex')
    }
  })
  test('is too complex with a dictionary that only some programs accept', () => {
    for (const dictionary of [0, 1, 65_537, 100_000, 0x7fff_ffff])
      for (const options of [{}, { size }, { size, lc: 0, lp: 2 }])
        assert.equal(of(writeLzma(text, { dictionary, ...options })), 'too_complex', `${dictionary}`)
  })
  test('is inspected as far as it can be unpacked', () => {
    const file = latin1(EICAR)
    for (const options of [{}, { lc: 0 }, { lc: 1, lp: 2, pb: 3, dictionary: 100_000 }]) {
      const packed = writeLzma(Buffer.concat([file, Buffer.alloc(99, 7)]), { ...options, size: 99n })
      assert.match(of(packed) ?? '', /^(Docvet.Test.Eicar|too_complex)$/)
      assert.match(of(packed.subarray(0, -20)) ?? '', /^(Docvet.Test.Eicar|too_complex)$/)
    }
  })
  test('is too complex behind a filter, in a PDF and after other data', () => {
    const inPdf = (data: Buffer): Buffer =>
      pdf([`<< /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`])
    for (const options of [{ lc: 0 }, { dictionary: 4096 }, { dictionary: 4096, size }, { lc: 1, lp: 3, size }]) {
      const packed = writeLzma(text, options)
      for (const filter of [0, 1]) assert.equal(of(Buffer.concat([Buffer.of(filter), packed])), 'too_complex')
      assert.equal(outcome(inspector.inspect(inPdf(packed))), 'too_complex')
    }
    for (const options of [{ lc: 0 }, { dictionary: 100_000 }, { dictionary: 4096, size }])
      assert.equal(of(Buffer.concat([latin1('#!/bin/sh\n'), writeLzma(text, options)])), 'too_complex')
  })
  test('a partial header is not LZMA', () => {
    const rest = '00239bc95dfe1f1b'
    for (const head of [
      '5dff0f0000ffffffffffffffff',
      'e100008000ffffffffffffffff',
      '5d01008000ffffffffffffffff',
      '5d000080000000000000000000',
      '5d000080000000000000000001',
    ])
      assert.equal(inZip(head + rest), undefined, head)
  })
})
