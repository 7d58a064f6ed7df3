/** Files in OLE packages are inspected, and never clean if that fails. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { writeCabinet } from '#inspect/testing/cab-writer.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { nativeStream, ole1Object, packageObject, writePackage } from '#inspect/testing/package-writer.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'

const inspector = useInspector()
const { outcome } = inspector

const inDocx = (object: Uint8Array): string | undefined => outcome(docx({ 'word/embeddings/oleObject1.bin': object }))
const inRtf = (object: Buffer): string | undefined =>
  outcome(Buffer.from(`{\\rtf1{\\object\\objemb{\\*\\objdata ${object.toString('hex')}}}}`))

const FOUND = 'Docvet.Test.Eicar'
const packed = gzipSync(EICAR)

suite('the file in a package is inspected', () => {
  test('in an Office package, with its label as the name', () => {
    const document = docx({ 'word/embeddings/oleObject1.bin': packageObject('e.gz', packed) })
    const [finding] = inspector.inspect(document).findings
    assert.equal(finding?.id, FOUND)
    assert.deepEqual(finding.path, ['word/embeddings/oleObject1.bin', 'Ole10Native', 'e.gz', '(content)'])
  })
  test('in nested compound files', () => {
    assert.equal(outcome(writeOle({ streams: { a: packageObject('e.gz', packed) } })), FOUND)
  })
  test('in RTF, after an object header or only a size', () => {
    assert.equal(inRtf(ole1Object('Package', writePackage('e.gz', packed))), FOUND)
    assert.equal(inRtf(nativeStream(writePackage('e.gz', packed))), FOUND)
  })
  test('as a script in UTF-16', () => {
    const script = '\ufeff<script language="vbscript">CreateObject("WScript.Shell").Run "calc"</script>'
    const object = packageObject('e.txt', Buffer.from(script, 'utf16le'))
    assert.match(inDocx(object) ?? '', /^Docvet\.Script\./)
  })
  test('also other native data', () => {
    assert.equal(inDocx(writeOle({ streams: { '\x01Ole10Native': nativeStream(packed) } })), FOUND)
  })
})

suite('native data that cannot be inspected is never clean', () => {
  test('an archive of an unsupported type', () => {
    const bzip2 = Buffer.from('425a6839314159265359'.padEnd(200, '9e'), 'hex')
    assert.equal(inDocx(packageObject('e.bz2', bzip2)), 'too_complex')
  })
  test('a truncated package', () => {
    const text = Buffer.from('Good morning. ')
    const sized = (size: number): string | undefined =>
      inRtf(ole1Object('Package', writePackage('a.txt', text, { size })))
    assert.equal(sized(text.length), undefined)
    assert.equal(sized(text.length + 1), 'damaged')
  })
  test('a damaged cabinet in a package or as a whole stream', () => {
    const cabinet = writeCabinet([['a.txt', Buffer.alloc(20_000, 65)]], { blockBytes: 10_000 })
    assert.equal(outcome(packageObject('e.cab', cabinet)), 'damaged')
    assert.equal(outcome(writeOle({ streams: { __substg1: cabinet } })), 'damaged')
  })
})

suite('an Equation Editor object in RTF', () => {
  const EQUATION = 'Docvet.Rtf.EquationEditor'
  test('is found by the class name of the object', () => {
    for (const name of ['Equation.3', 'eQuation.2']) assert.equal(inRtf(ole1Object(name, Buffer.alloc(9))), EQUATION)
    // Truncated after the class name.
    assert.equal(inRtf(ole1Object('Equation.3', Buffer.alloc(9)).subarray(0, 23)), EQUATION)
  })
  test('is found by the class id of its compound file', () => {
    const compound = writeOle({ streams: { a: Buffer.from('a') } })
    assert.equal(inRtf(ole1Object('Word.Document.8', compound)), undefined)
    Buffer.from('02ce020000000000c000000000000046', 'hex').copy(compound, 1024 + 80)
    assert.equal(inRtf(ole1Object('Word.Document.8', compound)), EQUATION)
  })
  test('is not assumed for a package, a link or a text that mentions it', () => {
    assert.equal(inRtf(ole1Object('Package', writePackage('Equation', Buffer.from('a')))), undefined)
    assert.equal(inRtf(Buffer.from('0105000001000000', 'hex')), undefined)
    assert.equal(outcome(Buffer.from('{\\rtf1 Equation.3}')), undefined)
  })
})
