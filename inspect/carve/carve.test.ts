/** Archives carved out of other data, and disk images with footers. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx, EICAR, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { CANDIDATES_MAX, PARTIAL_BYTES_MAX } from './gzip.ts'

const inspector = useInspector()
const { outcome } = inspector

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const FOUND = 'Docvet.Test.Eicar'
const SCRIPT = latin1('#!/bin/sh\ntail -n +3 "$0" | gzip -dc | sh\nexit\n')
const STUBS = [SCRIPT, latin1('x'), Buffer.alloc(5000, 0x81), pdf(['<< >>'])]

suite('gzip after other data', () => {
  const flushed = gzipSync(EICAR, { finishFlush: constants.Z_SYNC_FLUSH })
  const files: [string, Buffer][] = [
    ['a whole one', gzipSync(EICAR)],
    ['one after another', Buffer.concat([gzipSync('Good morning'), gzipSync(EICAR)])],
    ['a truncated one', gzipSync(EICAR).subarray(0, -8)],
    ['one that breaks', Buffer.concat([flushed, Buffer.alloc(20, 0xff)])],
    ['one that breaks after a while', Buffer.concat([gzipSync(`${EICAR}${'ab'.repeat(99_999)}`).subarray(0, -9)])],
  ]
  for (const [name, file] of files)
    test(`${name} is inspected`, () => {
      for (const stub of STUBS) {
        const bytes = Buffer.concat([stub, file])
        assert.equal(outcome(bytes), FOUND)
        assert.equal(outcome(docx({ 'word/media/a.jpg': bytes })), FOUND)
      }
    })
  test('the signature alone is ignored', () => {
    const bytes = Buffer.concat([Buffer.alloc(500, 0x81), latin1('\x1f\x8b\x08\0'), Buffer.alloc(500, 0x82)])
    assert.equal(outcome(docx({ 'word/media/a.jpg': bytes })), undefined)
    assert.equal(outcome(Buffer.concat([SCRIPT, gzipSync('Good morning')])), undefined)
  })
  test('more signatures than the limit are too complex', () => {
    const of = (count: number): Buffer =>
      Buffer.concat([SCRIPT, Buffer.alloc(20 * count, `\x1f\x8b\x08${'\x07'.repeat(17)}`, 'latin1')])
    assert.equal(outcome(of(CANDIDATES_MAX)), undefined)
    assert.equal(outcome(of(CANDIDATES_MAX + 1)), 'too_complex')
  })
  test('corrupt data is inspected up to the limit, and damaged past it', () => {
    const of = (length: number): string | undefined => {
      const packed = gzipSync(Buffer.alloc(length, 7), { level: 0, finishFlush: constants.Z_SYNC_FLUSH })
      return outcome(Buffer.concat([SCRIPT, packed, Buffer.alloc(9, 0xff)]))
    }
    assert.equal(of(PARTIAL_BYTES_MAX - 1), undefined)
    assert.equal(of(PARTIAL_BYTES_MAX), 'damaged')
  })
})

suite('archives that are not unpacked are too complex after other data', () => {
  /** "Good morning". */
  const lzma = '239becc820369be9b2b08649ac6328e5fffdca9000'
  const packed: [string, Buffer][] = [
    ['RAR 4', latin1('Rar!\x1a\x07\x00\xcf\x90\x73\x00\x00\x0d\x00\x00\x00\x00\x00\x00\x00')],
    ['RAR 5', latin1('Rar!\x1a\x07\x01\x00\x33\x92\xb5\xe5\x0a\x01\x05\x06\x00\x05\x01\x01')],
    ['xz', latin1(`\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46\x02`)],
    ['bzip2', latin1('BZh91AY&SY\xe0\xe1\xe2\xe3\x00\x01')],
    ['lzip', latin1('LZIP\x01\x0c\x00\x21')],
    ['lz4', latin1('\x04\x22\x4d\x18\x64\x40\xa7\x05\0\0\0')],
    ['truncated Zstandard', zstdCompressSync('Good morning').subarray(0, -1)],
    [
      'truncated Zstandard of many blocks',
      zstdCompressSync(createHash('shake256', { outputLength: 400_000 }).digest()).subarray(0, 300_000),
    ],
    ['LZMA', Buffer.from(`5d00008000ffffffffffffffff00${lzma}`, 'hex')],
    ['LZMA with its size', Buffer.from(`5d000010000c0000000000000000${lzma}`, 'hex')],
  ]
  for (const [name, bytes] of packed)
    test(name, () => {
      for (const stub of STUBS) {
        assert.equal(outcome(Buffer.concat([stub, bytes])), 'too_complex')
        assert.equal(outcome(writeZip([{ name: 'a', data: Buffer.concat([stub, bytes]) }])), 'too_complex')
      }
    })
  test('data that only mentions a signature is clean', () => {
    for (const text of [
      'bzip2 begins with BZh91AY&SY.',
      'x\xfd7zXZ\0\0\x07',
      'xLZIP\x01\x01',
      'xRar!\x1a\x07\x00A\xbc\x88\x9d\x02\x0bM\xff\xff\x10',
      'xRar!\x1a\x07\x01\x00\x00@G\x00A\xd0\x8a\x9d\x02',
      'x\0\0\0%PDF-\0\0\0\xff\xff\xff\xff\xffOggS\0an object',
      'x\x04\x22\x4d\x18\x24\x40',
      'x\x28\xb5\x2f\xfd\x24\x08\xff\xff\xff',
      `x\x5d\0\0\x85\0${'\xff'.repeat(8)}\0`,
      // A table of numbers.
      `x\x5d\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\x05`.padEnd(80, '\0'),
    ])
      assert.equal(outcome(writeZip([{ name: 'a', data: latin1(text.padEnd(40)) }])), undefined, text)
  })
})

test('Zstandard after other data is unpacked', () => {
  const harmless = zstdCompressSync('Good morning')
  const hostile = zstdCompressSync(EICAR)
  for (const stub of STUBS)
    for (const rest of [latin1(''), latin1('%%EOF'), harmless]) {
      assert.equal(outcome(Buffer.concat([stub, harmless, rest])), undefined)
      assert.equal(outcome(Buffer.concat([stub, hostile, rest])), 'Docvet.Test.Eicar')
      assert.equal(outcome(Buffer.concat([stub, harmless, rest, hostile])), 'Docvet.Test.Eicar')
    }
  const data = latin1(`%AI24_ZStandard_Data${harmless.toString('latin1')}`)
  assert.equal(outcome(pdf([`<< /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`])), undefined)
})

suite('pictures and tables that happen to begin like LZMA are clean', () => {
  // Runs of 0xFF are an unknown size and decode to the end marker; zeros decode to as many bytes as one likes.
  const starts = {
    'white between dark pixels': `9c${'ff'.repeat(12)}005a9c6ca0c6`,
    'white before black': `c3${'ff'.repeat(12)}000000000000575757`,
    'white before zeros': `b0${'ff'.repeat(12)}00`,
    'a white line after black': `00000000${'ff'.repeat(9)}0000000000006a6a6a`,
    'a row of a cross-reference table': '01000000100000010000002a0000',
  }
  for (const [name, start] of Object.entries(starts))
    test(name, () => {
      const row = Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(600, 0xff), Buffer.alloc(4_000)])
      const picture = Buffer.concat([Buffer.alloc(999, 0xee), ...Array.from({ length: 40 }, () => row)])
      for (const data of [row, picture]) assert.equal(outcome(writeZip([{ name: 'a', data }])), undefined)
    })
})

suite('after a gzip file', () => {
  const packed = gzipSync('Good morning')
  test('another gzip file is inspected, also after zeros', () => {
    for (const zeros of [0, 1, 512])
      assert.equal(outcome(Buffer.concat([packed, Buffer.alloc(zeros), gzipSync(EICAR)])), 'Docvet.Test.Eicar')
  })
  test('zeros are ignored, other data is damage', () => {
    assert.equal(outcome(Buffer.concat([packed, Buffer.alloc(512)])), undefined)
    assert.equal(outcome(Buffer.concat([packed, latin1('junk'), gzipSync(EICAR)])), 'damaged')
  })
})

function isoBehindGzip(): Buffer {
  const image = Buffer.alloc(70_000)
  gzipSync('Good morning').copy(image)
  image.write('CD001', 0x8001)
  return image
}

suite('disk images are too complex', () => {
  const body = Buffer.from('Good morning\n'.repeat(6000))
  const at = (place: number, mark: string): Buffer => {
    const image = Buffer.from(body)
    image.write(mark, place, 'latin1')
    return image
  }
  /** Zeros, with hexadecimal bytes at some offsets. */
  const filled = (bytes: Record<number, string>): Buffer => {
    const image = Buffer.alloc(8192)
    for (const [place, digits] of Object.entries(bytes)) image.write(digits, Number(place), 'hex')
    return image
  }
  const trailer = (mark: string): Buffer => Buffer.concat([body, latin1(mark.padEnd(512, '\0'))])
  const SECTOR_END = '\x55\xaa'
  const images: [string, Buffer][] = [
    ['VHD of a fixed size', trailer('conectix\0\0\0\x02\0\x01\0\0')],
    ['VHD of a fixed size, as it was at first', trailer('conectix\0\0\0\x02\0\x01\0\0').subarray(0, -1)],
    ['DMG', trailer('koly\0\0\0\x04\0\0\x02\0')],
    ['ISO 9660 that is a gzip file, too', isoBehindGzip()],
    ['UDF after other descriptors', at(0x9001, 'NSR02')],
    ['sectors of a CD as they are', at(0x9311, 'CD001')],
    ['NTFS', Buffer.concat([at(3, 'NTFS    ').subarray(0, 510), latin1(SECTOR_END), body])],
    ['FAT', Buffer.concat([at(54, 'FAT16   ').subarray(0, 510), latin1(SECTOR_END), body])],
    ['FAT 32', Buffer.concat([at(82, 'FAT32   ').subarray(0, 510), latin1(SECTOR_END), body])],
    ['exFAT', Buffer.concat([at(3, 'EXFAT   ').subarray(0, 510), latin1(SECTOR_END), body])],
    ['an ext file system', filled({ 1080: '53ef01000100' })],
    ['a disk with partitions', filled({ 446: '80010100', 450: '0c00000001000000', 458: '0f000000', 510: '55aa' })],
    ['FAT without a label', filled({ 0: 'eb3c90', 11: '0002040100', 16: '02', 510: '55aa' })],
    ['HFS', filled({ 1024: '4244', 1038: '0003', 1044: '00000200' })],
    ['a disk with a table of partitions', at(512, 'EFI PART\0\0\x01\0')],
    ['HFS+', at(1024, 'H+\0\x04')],
    ['APFS', at(32, 'NXSB\0\x10\0\0')],
  ]
  for (const [name, image] of images)
    test(name, () => assert.equal(outcome(writeZip([{ name: 'a', data: image }])), 'too_complex'))
  test('a text that only mentions them is clean', () => {
    for (const text of [
      body,
      trailer('conectix is a name.'),
      trailer('koly is a word'),
      filled({ 1080: '53ef09000100' }),
      filled({ 446: '80010100', 510: '55aa' }),
      filled({ 446: '40010100', 450: '0c00000001000000', 458: '0f000000', 510: '55aa' }),
      filled({ 0: 'eb3c90', 11: '0003040100', 16: '02', 510: '55aa' }),
      filled({ 1024: '4244', 1038: '0003', 1044: '00000201' }),
      at(512, 'EFI PART is a name'),
      at(1024, 'H+ ions'),
      at(3, 'NTFS    '),
    ])
      assert.equal(outcome(writeZip([{ name: 'a', data: text }])), undefined)
  })
})

suite('hostile repetition takes little CPU time', () => {
  const stored = gzipSync(Buffer.alloc(12_000_000, '\x1f\x8b\x08\0\0\0\0\0\0\0\0\xff\xff\0\0', 'latin1'), { level: 0 })
  for (const [name, bytes] of [
    ['heads of gzip', Buffer.alloc(12_000_000, 'x\x1f\x8b\x08\0', 'latin1')],
    ['gzip in gzip', Buffer.concat([SCRIPT, stored.subarray(0, -20), Buffer.alloc(20, 0xff)])],
    ['heads of LZMA', Buffer.alloc(12_000_000, 'x\x5d\0\0\x80\0\0\0\0\0\0\0\0\x01\0', 'latin1')],
    ['heads of Zstandard', Buffer.alloc(12_000_000, '\x28\xb5\x2f\xfd\x20\x08\0\0', 'latin1')],
  ] as const)
    test(name, () => {
      assertCheap(() => inspector.inspect(bytes))
    })
})
