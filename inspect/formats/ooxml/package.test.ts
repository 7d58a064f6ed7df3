/** Office packages whose content types and parts disagree. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx } from '#inspect/testing/samples.ts'

const inspector = useInspector()

const idsOf = (parts: Record<string, string | Uint8Array>): string[] =>
  inspector.inspect(docx(parts)).findings.map(({ id }) => id)

const types = (type: string): string =>
  `<?xml version="1.0"?><Types><Override PartName="/word/document.xml" ContentType="application/${type}"/></Types>`
const PLAIN = types('vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml')
const MACROS = types('vnd.ms-word.document.macroEnabled.main+xml')
const project = writeOle({ storages: ['VBA'], streams: { 'VBA/dir': Buffer.from('dir') } })

suite('a macro project in a package', () => {
  test('of a type without macros is suspicious, wherever the part is', () => {
    for (const name of ['word/vbaProject.bin', 'word/media/image1.png'])
      assert.ok(idsOf({ '[Content_Types].xml': PLAIN, [name]: project }).includes('Docvet.Ooxml.MacroMismatch'), name)
  })
  test('of a type with macros is not', () => {
    assert.ok(!idsOf({ '[Content_Types].xml': MACROS, 'a.bin': project }).includes('Docvet.Ooxml.MacroMismatch'))
  })
  test('is not assumed for an embedded document with macros of its own', () => {
    const embedded = writeOle({ storages: ['Macros', 'Macros/VBA'], streams: { 'Macros/VBA/dir': Buffer.from('dir') } })
    const ids = idsOf({ '[Content_Types].xml': PLAIN, 'word/embeddings/a.bin': embedded })
    assert.ok(!ids.includes('Docvet.Ooxml.MacroMismatch'))
  })
})

test('a template or add-in with macros is a notice', () => {
  for (const type of ['vnd.ms-excel.addin.macroEnabled.main+xml', 'vnd.ms-word.template.macroEnabledTemplate.main+xml'])
    assert.ok(idsOf({ '[Content_Types].xml': types(type) }).includes('Docvet.Office.AddIn'), type)
  assert.ok(!idsOf({ '[Content_Types].xml': MACROS }).includes('Docvet.Office.AddIn'))
})

suite('a DOCTYPE in a part', () => {
  const part = (text: string): string[] => idsOf({ 'word/document.xml': text })
  test('is suspicious', () => {
    assert.deepEqual(part('<?xml version="1.0"?><!DOCTYPE x><w:document/>'), ['Docvet.Xml.Doctype'])
    assert.deepEqual(part('<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE x [<!ENTITY e "a">]><w:document/>'), [
      'Docvet.Xml.Doctype',
    ])
    assert.deepEqual(part('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:document>&e;</w:document>'), [
      'Docvet.Xml.ExternalEntity',
    ])
  })
  test('is not assumed for text, or for a page brought in as a chunk', () => {
    assert.deepEqual(part('<?xml version="1.0"?><w:document><w:t>&lt;!DOCTYPE x&gt;</w:t></w:document>'), [])
    assert.deepEqual(idsOf({ 'word/afchunk.xml': '<!DOCTYPE html><html></html>' }), [])
  })
})
