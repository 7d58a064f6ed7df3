/** Type detection. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LIMITS } from '#inspect/core/limits.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { docx, program } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { sniff } from './sniff.ts'
import { NAMES_MAX } from './zip-kind.ts'

function kindOf(bytes: string | Uint8Array): string | null {
  const whole = Buffer.from(bytes as string)
  return sniff(whole.subarray(0, 4096), whole).kind
}

function typeOf(bytes: string | Uint8Array): string {
  const whole = Buffer.from(bytes as string)
  return sniff(whole.subarray(0, 4096), whole).type
}

suite('accepted types', () => {
  test('one byte of text is text', () => assert.equal(kindOf('a'), 'text'))
  test('UTF-8, UTF-16 with a BOM and 8-bit text are text', () => {
    assert.equal(kindOf('Grüße aus Köln'), 'text')
    assert.equal(kindOf(Buffer.from('\ufeffHello', 'utf16le')), 'text')
    assert.equal(kindOf(Buffer.from('\ufeffHello', 'utf16le').swap16()), 'text')
    assert.equal(kindOf(Buffer.from('Grüße', 'latin1')), 'text')
  })
  test('a head that ends inside a character is still UTF-8', () => {
    const bytes = Buffer.from('ä'.repeat(3000))
    assert.deepEqual(sniff(bytes.subarray(0, 4095)), { kind: 'text', type: 'text/plain' })
  })
  test('texts have a media type', () => {
    assert.equal(typeOf('<!DOCTYPE html><html></html>'), 'text/html')
    assert.equal(typeOf('<?xml version="1.0"?><a/>'), 'application/xml')
    assert.equal(typeOf('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')
    assert.equal(typeOf('{"a": 1}'), 'application/json')
    for (const list of ['[1, 2]', '[-1.5e3]', '[12', '["a"]', '[true]', '[]'])
      assert.equal(typeOf(list), 'application/json')
    assert.equal(typeOf('[12/03/2026, 10:01] Anna: hello'), 'text/plain')
    assert.equal(typeOf('[10:01] Anna: hello'), 'text/plain')
    assert.equal(typeOf('From: a@example.org\r\nTo: b@example.org\r\nSubject: x\r\n\r\nHello'), 'message/rfc822')
    assert.equal(typeOf('In-Reply-To: <1@a>\r\nFrom: a@example.org\r\nSubject: x\r\n\r\nHello'), 'message/rfc822')
    assert.equal(typeOf('Name: Smith\nCity: Bonn\nSubject: Biology\n\nNotes'), 'text/plain')
    assert.equal(typeOf('a,b\n1,2\n'), 'text/plain')
    assert.equal(typeOf('From: here to there, a story.'), 'text/plain')
  })
  test('a PDF header is accepted up to byte 1,024', () => {
    assert.equal(kindOf(`${'\0'.repeat(1024)}%PDF-1.4`), 'pdf')
    assert.equal(kindOf(`${'\0'.repeat(1025)}%PDF-1.4`), null)
  })
  test('a page that mentions a PDF header is a page', () => {
    assert.equal(typeOf('<html><body>A PDF begins with %PDF-1.4</body></html>'), 'text/html')
  })
  test('RTF needs no more than {\\rt', () => {
    assert.equal(kindOf('{\\rtf1 Hello}'), 'rtf')
    assert.equal(kindOf('{\\rt Hello}'), 'rtf')
  })
  test('compound files and OneNote', () => {
    assert.equal(kindOf(Buffer.from('d0cf11e0a1b11ae1', 'hex')), 'ole2')
    assert.equal(kindOf(Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex')), 'onenote')
  })
  test('packages are detected by the last name within the limit', () => {
    const of = (before: number): Buffer => {
      const others = Array.from({ length: before }, (_, i) => ({ name: `${i}` }))
      return writeZip([...others, { name: '[Content_Types].xml', data: 'x' }])
    }
    assert.equal(kindOf(of(NAMES_MAX - 1)), 'ooxml')
    assert.equal(kindOf(of(NAMES_MAX)), 'zip')
    // With so many entries the document is too complex anyway.
    assert.equal(NAMES_MAX, LIMITS.entriesMax)
  })
  test('packages are distinguished by their entry names', () => {
    assert.equal(typeOf(docx()), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document')
    assert.equal(
      kindOf(
        writeZip([
          { name: '[Content_Types].xml', data: 'x' },
          { name: 'xl/workbook.xml', data: 'x' },
        ]),
      ),
      'ooxml',
    )
    const odt = { name: 'mimetype', data: 'application/vnd.oasis.opendocument.text', method: 'stored' } as const
    assert.equal(typeOf(writeZip([odt])), 'application/vnd.oasis.opendocument.text')
    assert.equal(typeOf(writeZip([{ ...odt, data: 'application/epub+zip' }])), 'application/epub+zip')
    assert.equal(typeOf(writeZip([{ name: 'a.txt', data: 'x' }])), 'application/zip')
  })
  test('an ARC archive has a length where the description of a terminal has text', () => {
    const arc = (length: Buffer): Buffer =>
      Buffer.concat([Buffer.from('\x1a\x01%\0'.padEnd(15, '\0'), 'latin1'), length, Buffer.alloc(40)])
    assert.equal(typeOf(arc(Buffer.from([10, 0, 0, 0]))), 'application/x-arc')
    assert.equal(typeOf(arc(Buffer.from([0x20, 0x20, 0x20, 0]))), 'application/x-arc')
    assert.notEqual(typeOf(arc(Buffer.from('term'))), 'application/x-arc')
  })
  test('a ZIP archive after a stub or a text is detected', () => {
    assert.equal(kindOf(writeZip([{ name: 'a.txt', data: 'x' }], { before: Buffer.from('\x01\x02stub') })), 'zip')
    assert.equal(kindOf(writeZip([{ name: 'a.txt', data: 'x' }], { before: Buffer.from('#!/bin/sh\n') })), 'zip')
  })
})

suite('rejected types', () => {
  const refused: [string, string | Uint8Array][] = [
    ['application/x-dosexec', program()],
    ['application/x-dosexec', Buffer.concat([program(), writeZip([{ name: 'a', data: 'x' }])])],
    ['application/x-elf', '\x7fELF\x02\x01\x01\0'],
    ['application/x-mach-binary', Buffer.from('cffaedfe07000001', 'hex')],
    ['application/java-vm', Buffer.from('cafebabe00000034', 'hex')],
    ['image/png', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['image/jpeg', Buffer.from('ffd8ffe000104a46', 'hex')],
    ['image/gif', 'GIF89a\x01\0\x01\0'],
    ['application/gzip', Buffer.from('1f8b0800000000000003', 'hex')],
    ['application/x-7z-compressed', Buffer.from('377abcaf271c0004', 'hex')],
    ['application/vnd.rar', Buffer.from('526172211a0700', 'hex')],
    ['application/x-tar', `${'a\0'.padEnd(257, '\0')}ustar\x0000`],
    ['application/vnd.ms-cab-compressed', 'MSCF\0\0\0\0'],
    ['application/x-iso9660-image', `${'\0'.repeat(0x8001)}CD001`],
    ['application/x-ms-shortcut', Buffer.from('4c0000000114020000000000c000000000000046', 'hex')],
    ['application/wasm', '\0asm\x01\0\0\0'],
    ['application/vnd.sqlite3', 'SQLite format 3\0'],
    ['font/woff2', 'wOF2\0\x01\0\0'],
    ['video/mp4', '\0\0\0\x18ftypmp42'],
    ['audio/mpeg', 'ID3\x03\0\0\0\0'],
    ['application/octet-stream', Buffer.from([1, 2, 3, 4])],
    ['application/octet-stream', 'text with a \0 in it'],
  ]
  for (const [type, bytes] of refused) {
    test(type, () => {
      const whole = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)
      assert.deepEqual(sniff(whole.subarray(0, 4096), whole), { kind: null, type })
    })
  }
  test('a sentence that begins like a signature is text', () => {
    for (const text of ['MZ is short for Mark Zbikowski.', 'BZh91AY&SY', 'GIF89a is a format.', 'ID3 tags'])
      assert.equal(kindOf(text), 'text', text)
  })
})

test('many comments before the first element take little CPU time', () => {
  const doctype = '<!DOCTYPE svg [ <!ENTITY a "b"> ]>'
  for (const [part, end, type] of [
    ['<!-- a -->', '<a/>', 'text/plain'],
    ['<!-- a -->', '<html>', 'text/html'],
    ['<!-- a -->', '<svg>', 'image/svg+xml'],
    [doctype, '<svg>', 'image/svg+xml'],
    [doctype, '<a/>', 'text/plain'],
  ] as const)
    assertCheap(() => assert.equal(sniff(Buffer.from(part.repeat(28) + end)).type, type))
})
