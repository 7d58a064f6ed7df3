/** PDF files that were cut off are damaged, like packages that were. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx, EICAR, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { outcome } = useInspector()

const bytes = (text: string) => Buffer.from(text, 'latin1')
const object = (number: number, value: string) => `${number} 0 obj\n${value}\nendobj\n`
const stream = (data: string, entries = '') => `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`
const packed = (data: Buffer, entries = '') =>
  stream(deflateSync(data).toString('latin1'), `/Filter /FlateDecode ${entries}`)
const page = (seed: number) =>
  packed(Buffer.from(Array.from({ length: 400 }, (_, i) => `BT (Line ${i * seed}) Tj ET`).join('\n')))
const pages = Array.from({ length: 6 }, (_, i) => page(i + 3))
const table = (objects: number) =>
  `xref\n0 ${objects}\n0000000000 65535 f \n${'0000000009 00000 n \n'.repeat(objects - 1)}`
const whole = (objects: readonly string[]) => objects.map((value, i) => object(i + 1, value)).join('')
const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGES = '<< /Type /Pages /Kids [] /Count 0 >>'
const body = whole([CATALOG, PAGES, ...pages])
const plain = `%PDF-1.7\n%\xe2\xe3\xcf\xd3\n${body}${table(9)}trailer\n<< /Size 9 /Root 1 0 R >>\nstartxref\n99\n%%EOF\n`

/** Each with the place from which on nothing is missing but the end itself. */
const FILES: Record<string, [Buffer, number]> = {
  'with a table': [bytes(plain), plain.indexOf('trailer') + 7],
  'with a table in a stream': (() => {
    const objects = `%PDF-1.7\n${body}${object(9, packed(Buffer.alloc(60), '/Type /XRef /W [1 2 1] /Size 9 /Root 1 0 R'))}`
    return [bytes(`${objects}startxref\n99\n%%EOF\n`), objects.length + 9]
  })(),
  'with a page that is not compressed': (() => {
    const objects = `%PDF-1.4\n${whole([CATALOG, PAGES, stream('BT (Good morning) Tj ET\n'.repeat(300))])}`
    return [
      bytes(`${objects}${table(4)}trailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF`),
      objects.length + table(4).length + 7,
    ]
  })(),
  'for the web, with an end after the first page': (() => {
    const start = `%PDF-1.7\n${object(9, '<< /Linearized 1 >>')}${table(2)}trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n`
    const text = `${start}${body}${table(9)}trailer\n<< >>\nstartxref\n99\n%%EOF\n`
    return [bytes(text), text.lastIndexOf('trailer') + 7]
  })(),
  'of one picture': (() => {
    const picture = stream(
      randomBytes(8_000).toString('latin1').replaceAll(/[a-z]/g, '.'),
      '/Subtype /Image /Width 9 /Height 9 /Filter /DCTDecode',
    )
    const objects = `%PDF-1.4\n${whole([CATALOG, PAGES, picture])}`
    return [bytes(`${objects}trailer\n<< /Root 1 0 R >>\n`), objects.length + 7]
  })(),
}

const CUTS = 20
const places = (end: number) => Array.from({ length: CUTS }, (_, i) => Math.floor((end * (i + 1)) / (CUTS + 1)))

describe('a file that was cut off is damaged', () => {
  test('a package, anywhere', () => {
    const text = Array.from({ length: 900 }, (_, i) => `<w:p>Line ${i * 7}</w:p>`).join('')
    const document = docx({ 'word/document.xml': `<?xml version="1.0"?><w:document>${text}</w:document>` })
    assert.equal(outcome(document), undefined)
    for (const at of places(document.length)) assert.equal(outcome(document.subarray(0, at)), 'damaged', `at ${at}`)
  })

  for (const [what, [file, end]] of Object.entries(FILES)) {
    test(`a PDF ${what}`, () => {
      assert.equal(outcome(file), undefined)
      for (const at of [...places(end), end - 8]) {
        assert.equal(outcome(file.subarray(0, at)), 'damaged', `at ${at} of ${file.length}`)
      }
    })
    test(`not a PDF ${what} of which only the end is missing, with all objects`, () => {
      for (let at = end; at <= file.length; at++) assert.equal(outcome(file.subarray(0, at)), undefined, `at ${at}`)
    })
  }

  test('a PDF in an archive', () => {
    const [file] = Object.values(FILES)[0] as [Buffer, number]
    const archive = (data: Buffer) =>
      writeZip([
        { name: 'a.pdf', data },
        { name: 'b.txt', data: 'Good morning' },
      ])
    assert.equal(outcome(archive(file)), undefined)
    assert.equal(outcome(archive(file.subarray(0, 3_000))), 'damaged')
  })

  test('a PDF of which only the header is left, unless it is a member', () => {
    assert.equal(outcome(bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')), 'damaged')
    assert.equal(outcome(writeZip([{ name: 'fixture.pdf', data: '%PDF-1.4\n' }])), undefined)
  })
})

test('a threat in a file that was cut off is found', () => {
  const file = pdf([CATALOG, PAGES, packed(Buffer.from(EICAR)), ...pages])
  assert.equal(outcome(file.subarray(0, file.length - 2_000)), 'Docvet.Test.Eicar')
})

describe('a file that was not cut off', () => {
  const [file] = Object.values(FILES)[0] as [Buffer, number]
  for (const [what, end] of Object.entries({
    'zeros after its end': Buffer.alloc(3_000),
    'a comment after its end': bytes('% Created for you.\n'),
    'an update': bytes('1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF'),
    'a page after its end': bytes('<html><p>Thank you for your download.</p></html>'),
  })) {
    test(`has ${what}`, () => assert.equal(outcome(Buffer.concat([file, end])), undefined))
  }
  test('has no table and no `startxref`', () => {
    assert.equal(outcome(bytes(`%PDF-1.4\n${body}trailer << /Root 1 0 R >>`)), undefined)
  })
  test('is the beginning of an example in a program', () => {
    const example = file.subarray(0, 3_000).toString('base64')
    for (const program of [`load('data:application/pdf;base64,${example}')`, `const sample = '${example}'`])
      assert.equal(outcome(bytes(`/** Loads a file. */\n${program}\n`)), undefined)
  })
  test('is a text about PDF', () => {
    const example = 'An object is written as follows.\n\n%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\n'
    for (const before of ['', 'Good morning.\n'.repeat(100)])
      assert.equal(outcome(bytes(`${before}${example}`)), undefined)
  })
})

describe('an archive that is attached to a PDF', () => {
  const picture = stream(
    randomBytes(90_000).toString('latin1').replaceAll(/[a-z]/g, '.'),
    '/Subtype /Image /Width 9 /Height 9 /Filter /DCTDecode',
  )
  const inner = (value: string) =>
    `%PDF-1.4\n${whole([CATALOG, value, picture, picture])}trailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n`
  const attached = (text: string, level: number) => {
    const archive = writeZip([{ name: 'images/logo.pdf', data: bytes(text) }])
    const file = stream(deflateSync(archive, { level }).toString('latin1'), '/Type /EmbeddedFile /Filter /FlateDecode')
    return pdf([CATALOG, PAGES, file, '<< /Type /Filespec /F (a.zip) /EF << /F 3 0 R >> >>'])
  }
  // Data that does not become smaller is stored in blocks, so that the entries are legible in the file, in pieces.
  for (const level of [0, 9]) {
    test(`is harmless with a whole PDF in it, at level ${level}`, () =>
      assert.equal(outcome(attached(inner(PAGES), level)), undefined))
    test(`is damaged with a PDF that was cut off, at level ${level}`, () =>
      assert.equal(outcome(attached(inner(PAGES).slice(0, 150_000), level)), 'damaged'))
    test(`is infected with a threat in a PDF, at level ${level}`, () =>
      assert.equal(outcome(attached(inner(packed(Buffer.from(EICAR))), level)), 'Docvet.Test.Eicar'))
  }
})
