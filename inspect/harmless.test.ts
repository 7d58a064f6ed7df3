/** Harmless documents that resemble hostile ones are neither refused nor infected, and their hostile twins are. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { useInspector } from './testing/inspector.ts'
import { docx, EICAR, pdf } from './testing/samples.ts'
import { writeZip } from './testing/zip-writer.ts'

const { outcome } = useInspector()

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
    assert.equal(outcome(withDrawing(EICAR, '" + "')), 'damaged')
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
  const undecodable = ['/Filter /FooDecode', '/Filter [/A85]', '/Filter [/AHx]', '/Filter 99 0 R']
  test('need not be decodable if it is a picture or metadata', () => {
    for (const kind of [image, metadata])
      for (const filter of undecodable)
        assert.equal(outcome(pdf([stream(`${kind} ${filter}`, 'a\xffb\xfe')])), undefined, `${kind} ${filter}`)
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
      for (const kind of [image, metadata]) {
        refused(kind, '<< /EF << /F 1 0 R >> >>')
        refused(kind, '<< /JS 1 0 R >>')
        refused(kind, '<< /XFA [(a) 1 0 R] >>')
        refused(kind, '<< /Type /Page /Contents 1 0 R >>')
        refused(kind, '<< /Type /Page /Contents [9 0 R 1 0 R] >>')
      }
    }
  })
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
