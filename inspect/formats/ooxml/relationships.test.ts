/** Relationships in every notation, in linear time. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx } from '#inspect/testing/samples.ts'

const inspector = useInspector()

const TYPE = 'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate"'
const TARGET = 'Target="http://192.0.2.1/a.dotm"'

function idsOf(part: string | Uint8Array): string[] {
  return inspector.inspect(docx({ 'word/_rels/settings.xml.rels': part })).findings.map(({ id }) => id)
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

suite('a remote template is found', () => {
  const plain = `<?xml version="1.0"?><Relationships><Relationship Id="r" ${TYPE} ${TARGET}/></Relationships>`
  const ways: [string, string | Uint8Array][] = [
    ['plain', plain],
    ['with > in a value', plain.replace('"r"', '"r>1"')],
    ['with / in a value', plain.replace('"r"', '"r/"')],
    ['under a prefix', plain.replace('<Relationship ', '<r:Relationship ')],
    ['under a prefix with a hyphen', plain.replace('<Relationship ', '<a-b.c:Relationship ')],
    ['under a prefix beyond ASCII', plain.replace('<Relationship ', '<größe:Relationship ')],
    ['with spaces and single quotes', plain.replaceAll('="', " =\n'").replaceAll('"', "'")],
    ['in UTF-16', Buffer.from(`\ufeff${plain}`, 'utf16le')],
    ['in UTF-16 big-endian', utf16be(`\ufeff${plain}`)],
    ['in UTF-16 without a BOM', utf16be(plain)],
    ['after a broken tag', plain.replace('<Relationship ', '<Relationship Id="x <Relationship ')],
  ]
  for (const [name, part] of ways)
    test(name, () => assert.deepEqual(idsOf(part), ['Docvet.Ooxml.RemoteTemplate'], name))
})

const chinese = `<!--${'\u4e2d'.repeat(3000)}-->`
for (const [name, bytesOf] of [
  ['little end first', (text: string): Buffer => Buffer.from(text, 'utf16le')],
  ['big end first', utf16be],
] as const)
  test(`a template after Chinese text in UTF-16 without a BOM is found, ${name}`, () => {
    const part = `<?xml version="1.0"?>${chinese}<Relationships><Relationship ${TYPE} ${TARGET}/></Relationships>`
    assert.deepEqual(idsOf(bytesOf(part)), ['Docvet.Ooxml.RemoteTemplate'])
    const field = `<?xml version="1.0"?>${chinese}<w:fldSimple w:instr=" DDEAUTO x y "/>`
    const { findings } = inspector.inspect(docx({ 'word/document.xml': bytesOf(field) }))
    assert.deepEqual(
      findings.map(({ id }) => id),
      ['Docvet.Ooxml.DdeField'],
    )
  })

test('a template in a flat document is found', () => {
  const part = `<pkg:xmlData><Relationships><Relationship Id="r" ${TYPE} ${TARGET}/></Relationships></pkg:xmlData>`
  const text = `<?xml version="1.0"?><pkg:package><pkg:part pkg:name="/_rels/.rels">${part}</pkg:part></pkg:package>`
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`, 'utf16le')])
    assert.deepEqual(
      inspector.inspect(bytes).findings.map(({ id }) => id),
      ['Docvet.Ooxml.RemoteTemplate'],
    )
})

test('a workbook in the cloud storage of Office is suspicious, other web objects are malicious', () => {
  const type = 'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/oleObject"'
  const found = (target: string): string[] => idsOf(`<Relationship Id="r" ${type} Target="${target}"/>`)
  for (const target of [
    'https://d.docs.live.net/4a1cedd3ea7844e7/Documents/Date-categories.xlsx',
    'https://contoso-my.sharepoint.com/personal/a/Documents/Budget%202024.xlsm!Sheet1!R1C1:R9C9',
  ])
    assert.deepEqual(found(target), ['Docvet.Ooxml.FileServerObject'], target)
  for (const target of [
    'http://d.docs.live.net/4a1cedd3ea7844e7/a.xlsx',
    'https://d.docs.live.net.example/a.xlsx',
    'https://example.com/d.docs.live.net/a.xlsx',
    'https://d.docs.live.net@example.com/a.xlsx',
    'https://a.b.sharepoint.com.example/a.xlsx',
    'https://contoso.sharepoint.com/a.hta',
    'https://contoso.sharepoint.com/a?b=.xlsx',
    'mhtml:https://contoso.sharepoint.com/a.xlsx',
  ])
    assert.deepEqual(found(target), ['Docvet.Ooxml.RemoteObject'], target)
})

suite('hostile repetition takes little CPU time', () => {
  for (const pattern of ['<Relationship ', '<Relationship a="', '<a:', '<Relationship a = ', 'Relationship  ', '<é'])
    test(pattern, () => {
      assertCheap(() => {
        assert.deepEqual(idsOf(pattern.repeat(300_000)), [])
        assert.deepEqual(idsOf(`<Relationship ${pattern.replaceAll('<', '').repeat(300_000)}`), [])
      })
    })
})
