/** PDF streams with unusual syntax and filters are decoded or never clean. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'

const inspector = useInspector()

const flate = deflateSync(EICAR)
const hex = Buffer.from(`${Buffer.from(EICAR).toString('hex')}>`)

function stream(dictionary: string, data: Uint8Array): string {
  return `<< /Type /EmbeddedFile ${dictionary} /Length ${data.length} >>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`
}

/** Found in no encoding. */
const harmless = Buffer.from('hello')

/** One code of nine bits per byte. */
function lzw(text: string): Buffer {
  const codes = [256, ...Buffer.from(text, 'latin1'), 257]
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('')
  return Buffer.from(bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? [])
}

function runLength(bytes: Uint8Array): Buffer {
  return Buffer.from([...[...bytes].flatMap((byte) => [0, byte]), 128])
}

/** PNG rows with the Up predictor. */
function up(text: string, columns: number): Buffer {
  const bytes = Buffer.from(text.padEnd(Math.ceil(text.length / columns) * columns), 'latin1')
  const rows = []
  for (let at = 0; at < bytes.length; at += columns) {
    const row = [...bytes.subarray(at, at + columns)]
    rows.push(2, ...row.map((byte, i) => (byte - (at === 0 ? 0 : (bytes[at + i - columns] ?? 0))) & 0xff))
  }
  return Buffer.from(rows)
}

function left(text: string, columns: number): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  return Buffer.from(bytes.map((byte, i) => byte - (i % columns === 0 ? 0 : (bytes[i - 1] ?? 0))))
}

const damaged = Buffer.concat([
  Buffer.from([0x78, 0x9c]),
  deflateRawSync(EICAR, { finishFlush: constants.Z_SYNC_FLUSH }),
  Buffer.from('ffffffff', 'hex'),
])

suite('unusual streams are decoded or never clean', () => {
  const documents: [string, 'found' | 'too_complex' | 'damaged' | 'encrypted', Uint8Array][] = [
    ['LZW', 'found', pdf([stream('/Filter /LZWDecode', lzw(EICAR))])],
    ['LZW after its end', 'found', pdf([stream('/Filter /LZWDecode', Buffer.concat([lzw('a'), lzw(EICAR)]))])],
    ['run-length encoding', 'found', pdf([stream('/Filter [/RunLengthDecode /FlateDecode]', runLength(flate))])],
    ['a Crypt filter without a name', 'found', pdf([stream('/Filter [/Crypt /FlateDecode]', flate)])],
    [
      'a Crypt filter with the identity cipher',
      'found',
      pdf([stream('/Filter [/Crypt /FlateDecode] /DecodeParms [<< /Name /Identity >> null]', flate)]),
    ],
    [
      'a Crypt filter with another cipher',
      'encrypted',
      pdf([stream('/Filter /Crypt /DecodeParms << /Name /Own >>', Buffer.from('cipher text'))]),
    ],
    [
      'PNG rows',
      'found',
      pdf([stream('/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >>', deflateSync(up(EICAR, 4)))]),
    ],
    [
      'PNG rows in a list',
      'found',
      pdf([stream('/Filter [/FlateDecode] /DecodeParms [<< /Predictor 12 /Columns 4 >>]', deflateSync(up(EICAR, 4)))]),
    ],
    [
      'TIFF rows',
      'found',
      pdf([stream('/Filter /FlateDecode /DecodeParms << /Predictor 2 /Columns 4 >>', deflateSync(left(EICAR, 4)))]),
    ],
    ['nine filters', 'too_complex', pdf([stream(`/Filter [${'/FlateDecode '.repeat(9)}]`, harmless)])],
    ['a referenced filter', 'found', pdf([stream('/Filter 2 0 R', hex), '/ASCIIHexDecode'])],
    ['a referenced filter in a list', 'found', pdf([stream('/Filter [2 0 R]', hex), '/ASCIIHexDecode'])],
    ['a missing filter', 'too_complex', pdf([stream('/Filter 9 0 R', harmless)])],
    [
      'a filter in an inner dictionary',
      'found',
      pdf([stream('/X << /Filter /DCTDecode >> /Filter /FlateDecode', flate)]),
    ],
    ['a filter in a string', 'found', pdf([stream('/X (/Filter /DCTDecode) /Filter /FlateDecode', flate)])],
    ['an object header in a string', 'found', pdf([stream('/Filter /ASCIIHexDecode /X (7 0 obj )', hex)])],
    ['a duplicate filter', 'found', pdf([stream('/Filter /FlateDecode /Filter /DCTDecode', flate)])],
    ['a long dictionary', 'found', pdf([stream(`/Filter /ASCIIHexDecode /X (${'a'.repeat(66_000)})`, hex)])],
    ['a comment before the filter', 'found', pdf([stream('/Filter %x\n /ASCIIHexDecode', hex)])],
    ['damaged deflate data', 'found', pdf([stream('/Filter /FlateDecode', damaged)])],
    [
      'an embedded file that cannot be inflated',
      'damaged',
      pdf([stream('/Filter /FlateDecode', Buffer.from('78daffffffff', 'hex'))]),
    ],
    ['an unknown filter', 'too_complex', pdf([stream('/Filter /Zip', harmless)])],
    ['an embedded file as a picture', 'too_complex', pdf([stream('/Filter /DCTDecode', harmless)])],
    [
      'an object inside a picture',
      'found',
      pdf([
        `<< /Filter /DCTDecode /Length 9999 >>\nstream\n3 0 obj\n${stream('/Filter /FlateDecode', flate)}\nendobj\nendstream`,
      ]),
    ],
  ]
  for (const [name, expected, document] of documents) {
    test(name, () => {
      const { findings, obstacle } = inspector.inspect(document)
      assert.equal(findings.some(({ id }) => id === 'Docvet.Test.Eicar') ? 'found' : obstacle?.reason, expected)
    })
  }
})

suite('archives in streams without a type are recognised', () => {
  const cpio = Buffer.alloc(64)
  cpio.writeUInt16LE(0o070707)
  cpio.writeUInt16LE(2, 20)
  cpio.write('a', 26)
  const archives: [string, Buffer][] = [
    ['LZMA', Buffer.from('5d00008000ffffffffffffffff00239becc820369be9b2b08649ac6328e5fffdca9000', 'hex')],
    ['xz', Buffer.from('\xfd7zXZ\0\0\x04', 'latin1')],
    ['Zstandard', Buffer.from('28b52ffd0458', 'hex')],
    ['cpio', cpio],
    ['a disk image', Buffer.concat([Buffer.alloc(0x8001), Buffer.from('BEA01\x01\0')])],
    ['RAR after other bytes', Buffer.from('xRar!\x1a\x07\x01\0\x33\x92\xb5\xe5\x0a\x01', 'latin1')],
    ['7z after other bytes', Buffer.from('x7z\xbc\xaf\x27\x1c\0\x04', 'latin1')],
  ]
  const plain = (dictionary: string, data: Buffer): Buffer =>
    pdf([`<< ${dictionary} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`])
  for (const [name, archive] of archives) {
    test(name, () => {
      assert.equal(inspector.inspect(plain('', archive)).obstacle?.reason, 'too_complex')
      const inFlate = plain('/Filter /FlateDecode', deflateSync(archive))
      assert.equal(inspector.inspect(inFlate).obstacle?.reason, 'too_complex')
    })
  }
  test('but not cpio by two bytes', () => {
    const noise = Buffer.from('c771'.padEnd(200, '5a'), 'hex')
    assert.equal(inspector.inspect(plain('/Filter /FlateDecode', deflateSync(noise))).obstacle, null)
  })
})

test('eight filters are decoded', () => {
  let data: Buffer = Buffer.from(EICAR)
  for (let i = 0; i < 8; i++) data = deflateSync(data)
  assert.equal(
    inspector.inspect(pdf([stream(`/Filter [${'/FlateDecode '.repeat(8)}]`, data)])).findings[0]?.id,
    'Docvet.Test.Eicar',
  )
})

test('pictures are clean', () => {
  for (const filter of ['/DCTDecode', '[/FlateDecode /DCTDecode]', '/JPXDecode', '/JBIG2Decode', '/CCITTFaxDecode']) {
    const data = filter.startsWith('[') ? deflateSync('\xff\xd8\xff') : Buffer.from('ffd8ff', 'hex')
    const picture = `<< /Subtype /Image /Filter ${filter} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`
    assert.equal(inspector.inspect(pdf([picture])).obstacle, null, filter)
  }
})

test('a large Base85 stream takes little CPU time', () => {
  const document = pdf([stream('/Filter /ASCII85Decode', Buffer.alloc(20_000_000, 'a'))])
  assertCheap(() => inspector.inspect(document))
})
