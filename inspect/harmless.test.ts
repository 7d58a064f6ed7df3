/** Harmless documents that resemble hostile ones are neither refused nor infected, and their hostile twins are. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { MENTIONS_MAX } from './formats/pdf/attachments.ts'
import { RECOVERED_MAX } from './formats/pdf/streams/flate.ts'
import { assertCheap } from './testing/cpu-time.ts'
import { useInspector } from './testing/inspector.ts'
import { writeOle } from './testing/ole-writer.ts'
import { packageObject } from './testing/package-writer.ts'
import { docx, EICAR, pdf } from './testing/samples.ts'
import { writeZip } from './testing/zip-writer.ts'

const { inspect, outcome } = useInspector()
const FOUND = 'Docvet.Test.Eicar'

suite('drawing data of Word: Base64 with escaped line ends', () => {
  const withDrawing = (content: string, lineEnd: string): Buffer => {
    const drawing = writeZip([{ name: 'drs/shapexml.xml', data: content }]).toString('base64')
    const lines = drawing.replaceAll(/.{76}/g, `$&${lineEnd}`)
    return docx({ 'word/document.xml': `<w:document><v:shape o:gfxdata="${lines}"/></w:document>` })
  }
  for (const lineEnd of ['&#xA;', '&#10;', '&#13;&#10;', '&#xD;&#xA;', '\\n', '\\r\\n', '%0A'])
    test(lineEnd, () => {
      assert.equal(outcome(withDrawing('<a:shape/>', lineEnd)), undefined)
      assert.equal(outcome(withDrawing(EICAR, lineEnd)), 'Docvet.Test.Eicar')
    })
  test('escaped digits', () => {
    const drawing = writeZip([
      { name: 'a', data: EICAR.repeat(9) },
      { name: 'b', data: '>>>???' },
    ]).toString('base64')
    assert.match(drawing, /[+/]/)
    const escaped = drawing.replaceAll('+', '&#x2B;').replaceAll('/', '\\/')
    assert.equal(outcome(Buffer.from(`{"a":"${escaped}"}`)), 'Docvet.Test.Eicar')
  })
  test('other characters end the data', () => {
    assert.equal(outcome(withDrawing(EICAR, '&#x41;')), 'damaged')
    assert.equal(outcome(withDrawing(EICAR, '" , "')), 'damaged')
  })
  test('joined strings are one', () => {
    assert.equal(outcome(withDrawing(EICAR, '" + "')), 'Docvet.Test.Eicar')
  })
})

suite('a PDF stream', () => {
  const stream = (dictionary: string, data: string): string =>
    `<< ${dictionary} /Length ${data.length} >>\nstream\n${data}\nendstream`
  const file = deflateSync('Good morning').toString('latin1')

  test('starts at the keyword, not at the end of a name', () => {
    for (const name of ['application#2Foctet-stream', 'application/octet-stream', 'Bitstream', 'stream'])
      for (const lineEnd of ['\n', '\r\n', ' \n'])
        assert.equal(
          outcome(pdf([stream(`/Type /EmbeddedFile /Filter /FlateDecode /Subtype /${name}${lineEnd}`, file)])),
          undefined,
          name,
        )
    const hostile = deflateSync(EICAR).toString('latin1')
    const named = `/Filter /FlateDecode /Subtype /application#2Foctet-stream\n`
    assert.equal(outcome(pdf([stream(named, hostile)])), 'Docvet.Test.Eicar')
    assert.equal(outcome(pdf([`<< ${named} >>stream\n${hostile}\nendstream`])), 'Docvet.Test.Eicar')
  })

  const image = '/Subtype /Image /Width 9 /Height 9'
  const metadata = '/Type /Metadata /Subtype /XML'
  const undecodable = ['/Filter /FooDecode', '/Filter 99 0 R']
  const table = '/Type /XRef /W [1 3 0] /Size 9'
  test('need not be decodable if it is a picture, metadata or a table of objects', () => {
    for (const kind of [image, metadata, table])
      for (const filter of undecodable)
        assert.equal(outcome(pdf([stream(`${kind} ${filter}`, 'a\xffb\xfe')])), undefined, `${kind} ${filter}`)
  })
  test('may have invalid digits unless it is a file, a script or a form', () => {
    for (const filter of ['/Filter [/A85]', '/Filter [/AHx]']) {
      const text = stream(`/Length1 9 ${filter}`, 'a\xffb\xfe')
      for (const other of ['/Contents 1 0 R', '/FontFile 1 0 R', ''])
        assert.equal(outcome(pdf([text, `<< ${other} >>`])), undefined)
      for (const other of ['/EF << /F 1 0 R >>', '/JS 1 0 R', '/XFA 1 0 R'])
        assert.equal(outcome(pdf([text, `<< ${other} >>`])), 'too_complex')
    }
  })
  test('need not be decodable if it is a font', () => {
    for (const filter of undecodable) {
      const font = stream(`/Length1 9 ${filter}`, 'a\xffb\xfe')
      const withKeys = (keys: string): string | undefined => outcome(pdf([font, `<< ${keys} >>`]))
      for (const key of ['FontFile', 'FontFile2', 'FontFile3']) {
        assert.equal(withKeys(`/${key} 1 0 R`), undefined)
        assert.equal(withKeys(`/${key} 1 0 R /EF << /F 1 0 R >>`), 'too_complex')
        assert.equal(withKeys(`/${key} 1 0 R /Contents 1 0 R`), 'too_complex')
      }
      assert.equal(withKeys('/FontFile 9 0 R'), 'too_complex')
      assert.equal(withKeys(`${'/FontFile () '.repeat(MENTIONS_MAX)} /FontFile 1 0 R`), 'too_complex')
    }
  })
  suite('is inspected as each reader decodes it, although it need not be decodable', () => {
    const base85 = (text: string): string =>
      text.match(/.{4}/gs)?.map(group85).join('') ?? assert.fail('not in groups of four')
    // Moves one from the first digit to the second, which is then none.
    const group85 = (four: string): string => {
      const value = Buffer.from(four, 'latin1').readUInt32BE()
      const digits = [4, 3, 2, 1, 0].map((power) => Math.floor(value / 85 ** power) % 85)
      const [first = 0, second = 0, ...others] = digits
      return String.fromCharCode(...[first - 1, second + 85, ...others].map((digit) => digit + 0x21))
    }
    const hex = Buffer.from(EICAR).toString('hex')
    const many = `[${'/AHx '.repeat(9)}]`
    const nested = Array.from({ length: 9 }).reduce<string>((text) => Buffer.from(text).toString('hex'), EICAR)
    const late = deflateSync(Buffer.concat([Buffer.alloc(RECOVERED_MAX + 1), Buffer.from(EICAR)]), {
      finishFlush: constants.Z_SYNC_FLUSH,
    })
    for (const [name, filter, data, expected] of [
      ['a filter after an unknown one', '[/Foo /FlateDecode]', deflateSync(EICAR).toString('latin1'), FOUND],
      ['Base85 with invalid digits', '/A85', `${base85(EICAR)}~>`, FOUND],
      ['hexadecimal with an invalid zero', '/AHx', hex.replace('50', '5g'), FOUND],
      ['hexadecimal after its end', '/AHx', `00>${hex}`, FOUND],
      ['invalid Base85 before another filter', '[/A85 /AHx]', `${base85(`${hex}>   `)}~>`, 'too_complex'],
      ['too many filters', many, nested, 'too_complex'],
      ['a filter with two names', '[3 0 R]', hex, 'too_complex'],
      ['a list with something else', '[(a) /AHx]', hex, 'too_complex'],
      ['damage after many bytes', '/FlateDecode', `${late.toString('latin1')}\x07\x07`, 'too_complex'],
    ] as const)
      test(name, () => {
        const twoNames = '/A85\nendobj\n3 0 obj\n/AHx'
        const withKind = (kind: string, other = '<< >>'): string | undefined =>
          outcome(pdf([stream(`${kind} /Filter ${filter}`, data), other, twoNames]))
        assert.equal(withKind(metadata), expected)
        assert.equal(withKind('/Length1 9', '<< /FontFile2 1 0 R >>'), expected)
      })
  })
  test('must be decodable otherwise', () => {
    for (const filter of undecodable) {
      const refused = (kind: string, ...others: string[]): void =>
        assert.equal(outcome(pdf([stream(`${kind} ${filter}`, 'a\xffb\xfe'), ...others])), 'too_complex', kind)
      refused('')
      refused('/Type /Metadata')
      refused('/Subtype /Image')
      refused('/Subtype /Form /Width 9 /Height 9')
      refused(`${image} /Type /EmbeddedFile`)
      refused(`${image} /Subtype /Form`)
      for (const kind of [image, metadata, table]) {
        refused(kind, '<< /EF << /F 1 0 R >> >>')
        refused(kind, '<< /JS 1 0 R >>')
        refused(kind, '<< /XFA [(a) 1 0 R] >>')
        refused(kind, '<< /Type /Page /Contents 1 0 R >>')
        refused(kind, '<< /Type /Page /Contents [9 0 R 1 0 R] >>')
      }
    }
  })
})

test('a PDF may have an archive attached in stored deflate blocks', () => {
  const noise = createHash('shake256', { outputLength: 90_000 }).digest()
  const attached = (...contents: Uint8Array[]): Buffer => {
    const archive = writeZip(contents.map((data, i) => ({ name: `${i}`, data, method: 'deflated' as const })))
    // As zlib packs it: contents that are packed already are stored, the directory is not.
    const directoryAt = archive.indexOf('PK\x01\x02')
    const data = Buffer.concat([
      Buffer.from([0x78, 0x9c]),
      deflateRawSync(archive.subarray(0, directoryAt), { level: 0, finishFlush: constants.Z_SYNC_FLUSH }),
      deflateRawSync(archive.subarray(directoryAt)),
    ]).toString('latin1')
    return pdf([`<< /Type /EmbeddedFile /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`])
  }
  assert.equal(outcome(attached(noise)), undefined)
  assert.equal(outcome(attached(noise, Buffer.from(EICAR))), FOUND)
  assert.equal(outcome(attached(Buffer.concat([noise, Buffer.from(EICAR)]))), FOUND)
})

test('a film in a PDF is unpacked', () => {
  const film = (content: Uint8Array): string =>
    Buffer.concat([Buffer.from('CWS\x09\0\x10\0\0'), deflateSync(content)]).toString('latin1')
  const inPdf = (data: string): Buffer =>
    pdf([`<< /Type /EmbeddedFile /Length ${data.length} >>\nstream\n${data}\nendstream`])
  assert.equal(outcome(inPdf(film(Buffer.alloc(99, 7)))), undefined)
  assert.equal(outcome(inPdf(film(Buffer.from(EICAR)))), 'Docvet.Test.Eicar')
  assert.equal(outcome(inPdf(film(Buffer.alloc(99, 7)).slice(0, -9))), 'too_complex')
})

suite('LZMA', () => {
  /** "The quick brown fox jumps over the lazy dog. ", nine times, as xz writes it. */
  const BODY = Buffer.from(
    '002a1a08a2032566f14b78c5a205ff2ee6d9d2201aad34f8e21de84136fadc0669bb3ce410342709ebb366e3ed3798ed926eab90b7ffffea548000',
    'hex',
  )
  /** The test file, likewise. */
  const EICAR_BODY =
    '002c0d45e2234b3809fe242c5b4b369031dc4b2435b632dfaf314c3cdfcf3a4b7573e58bc87e89b3805ef7941f8da9c31efa496c05fc84055a71fc39ba92658b9743a7dd785097bfffc418a000'
  const header = (size: bigint): Buffer => {
    const bytes = Buffer.from('5d000010000000000000000000', 'hex')
    bytes.writeBigUInt64LE(size, 5)
    return bytes
  }
  const UNKNOWN = 0xffff_ffff_ffff_ffffn
  const model = (...parts: Uint8Array[]): Buffer =>
    docx({ 'word/media/a.glb': Buffer.concat([Buffer.alloc(99, 7), ...parts]) })

  test('is too complex after other data, also truncated or with zeros', () => {
    for (const size of [UNKNOWN, 405n, 1n << 40n]) {
      assert.equal(outcome(model(header(size), BODY)), 'too_complex')
      assert.equal(outcome(model(header(size), BODY, Buffer.alloc(99))), 'too_complex')
      assert.equal(outcome(model(header(size), BODY.subarray(0, 40))), 'too_complex')
    }
  })
  test('is not assumed for a header by chance', () => {
    const noise = createHash('shake256', { outputLength: 200_000 }).update('noise').digest()
    for (let at = 0; at < 200_000; at += 200)
      for (const size of [UNKNOWN, 1n << 40n]) {
        const data = [header(size), Buffer.of(0), noise.subarray(at, at + 200), Buffer.alloc(99, 7)]
        assert.equal(outcome(model(...data)), undefined, `${at}`)
      }
  })
  test('is not assumed for tables of numbers', () => {
    const numbers = (step: number): Buffer => {
      const table = Buffer.alloc(4000)
      for (let i = 0; i < 1000; i++) table.writeUInt32LE(i * step, i * 4)
      return table
    }
    for (const size of [1n, 12n, 405n, 1n << 40n]) {
      for (const step of [0, 1, 3, 93, 1000]) assert.equal(outcome(model(header(size), numbers(step))), undefined)
      assert.equal(outcome(model(header(size), Buffer.alloc(99_999))), undefined)
    }
  })
  test('is not assumed for an entry of a directory', () => {
    const entry = Buffer.alloc(60)
    entry.fill(0xff, 1, 13).writeUInt32LE(0x74, 49)
    assert.equal(outcome(model(entry)), undefined)
  })
  test('is not assumed for zeros before other data', () => {
    const noise = createHash('shake256', { outputLength: 40_000 }).update('noise').digest()
    for (let at = 0; at < 40_000; at += 400) {
      const data = [header(1n << 40n), Buffer.alloc(700), noise.subarray(at, at + 400), Buffer.alloc(99, 7)]
      assert.equal(outcome(model(...data)), undefined, `${at}`)
    }
  })
  test('is inspected up to an impossible distance', () => {
    const body = Buffer.from(EICAR_BODY, 'hex')
    assert.equal(outcome(model(header(UNKNOWN), body.subarray(0, 70), Buffer.alloc(60, 0x99))), FOUND)
  })
  test('probing takes little CPU time', () => {
    const heads = Buffer.alloc(12_000_000, Buffer.concat([header(405n), Buffer.alloc(3)]))
    const zeros = Buffer.concat(Array.from({ length: 100 }, () => [header(1n << 40n), Buffer.alloc(100_000)]).flat())
    const tables = Buffer.alloc(12_000_000, '8600008000ffffffffffffffff0001020304', 'hex')
    for (const bytes of [heads, zeros, tables]) assertCheap(() => outcome(bytes))
  })
})

suite('the first bytes of a shortcut', () => {
  const shortcut = Buffer.from('4c0000000114020000000000c00000000000004600000000', 'hex')
  const inTable = Buffer.concat([Buffer.alloc(999, 7), shortcut, Buffer.alloc(999, 7)])
  const FOUND = 'Docvet.Embedded.Shortcut'
  test('are harmless inside streams of Word', () => {
    for (const name of ['1Table', '\x01Ole', '0Table', 'Data'])
      for (const streams of [{ [name]: inTable }, { [name]: inTable, a: Buffer.from('Good morning') }]) {
        assert.equal(outcome(writeOle({ streams })), undefined)
        assert.equal(outcome(docx({ 'word/embeddings/a.bin': writeOle({ streams }) })), undefined)
      }
  })
  test('are malicious at the start of a stream, in a package and in other files', () => {
    assert.equal(outcome(writeOle({ streams: { '1Table': inTable, a: shortcut } })), FOUND)
    assert.equal(outcome(packageObject('a.lnk', shortcut)), 'Docvet.Ole.PackageProgram')
    assert.equal(outcome(writeOle({ streams: { '\x01Ole10Native': inTable } })), FOUND)
    assert.equal(outcome(docx({ 'word/media/a.bin': inTable })), FOUND)
    const both = {
      'a.bin': writeOle({ streams: { '1Table': Buffer.concat(Array(20).fill(inTable)) } }),
      'b.bin': inTable,
    }
    assert.equal(outcome(docx(both)), FOUND)
  })
})

test('a workbook with a worksheet of 120 MB is clean', () => {
  const rows = Array.from({ length: 6_000 }, (_, row) => {
    const value = createHash('sha256').update(String(row)).digest().readUInt32LE() / 7
    return `<row r="${row}"><c r="A${row}" s="1" t="s"><v>${row * 31}</v></c><c r="B${row}"><v>${value}</v></c></row>`
  })
  const sheet = Buffer.alloc(120_000_000, rows.join(''))
  sheet.write('<?xml version="1.0"?><worksheet><sheetData>')
  const { findings, obstacle } = inspect(docx({ 'xl/worksheets/sheet1.xml': sheet }))
  assert.deepEqual([findings, obstacle], [[], null])
})
