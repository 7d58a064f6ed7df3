/** Harmless documents that resemble hostile ones are neither refused nor infected, and their hostile twins are. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
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
