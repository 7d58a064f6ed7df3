/** Fields and links that start programs, however they are written. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx } from '#inspect/testing/samples.ts'

const inspector = useInspector()

const inspect = (body: string) =>
  inspector.inspect(docx({ 'word/document.xml': `<?xml version="1.0"?><w:document>${body}</w:document>` }))

const obstacle = (body: string): string | undefined => inspect(body).obstacle?.reason

function found(body: string): string | undefined {
  const { findings } = inspect(body)
  return findings.find(({ severity }) => severity === 'malicious')?.id
}

const field = (inside: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r>${inside}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
const run = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`

suite('a field that starts a program is found', () => {
  for (const [name, inside] of [
    ['unpacked', run('DDEAUTO c:\\a b')],
    ['in two runs', run('DD') + run('EAUTO c:\\a b')],
    ['in a run for each letter', [...'DDE c:\\a b'].map(run).join('')],
    ['in Base64 with character references', run('&#68;&#x44;E c:\\a b')],
    ['around a comment', run('DD<!-- x -->E c:\\a b')],
    ['in a section', run('<![CDATA[DDE c:\\a b]]>')],
    ['after an attribute', '<w:instrText w:rsid="1>2">DDE c:\\a</w:instrText>'],
    ['after many spaces', run('    \n DDE\tc:\\a')],
    ['after a CDATA section with a comment start', `<w:t><![CDATA[<!--]]></w:t>${run('DDE')}${run('AUTO c:\\a')}`],
    ['after a CDATA section with an instruction start', `<w:t><![CDATA[<?]]></w:t>${run('DDE')}${run('AUTO c:\\a')}`],
    ['around a section with a field', `${run('DDE')}<w:t><![CDATA[<w:fldChar>]]></w:t>${run('AUTO c:\\a')}`],
    ['around a section with text of one', `${run('DDE')}<w:t><![CDATA[<w:instrText>z]]></w:t>${run('AUTO c:\\a')}`],
    ['around an instruction', run('DD<?x <w:fldChar> ?>E c:\\a b')],
    ['in front of a tab', `${run('DDE')}${run('AUTO')}<w:r><w:tab/></w:r>${run('c:\\a')}`],
    ['in front of a line end', `${run('DDE')}${run('AUTO')}<w:r><w:br/></w:r>${run('c:\\a')}`],
    ['in front of a paragraph', `${run('DDE')}${run('AUTO')}</w:p><w:p>${run('c:\\a')}`],
    ['around a tab of a format', `${run('DDE')}<w:tabs><w:tab/></w:tabs>${run('AUTO c:\\a')}`],
    ['in front of another space', run('DDEAUTO\xa0c:\\a')],
    ['after another space', run('&#8195;DDEAUTO c:\\a')],
    ['in front of a quote', run('DDEAUTO"c:\\a"')],
    ['in front of another field', run('DDEAUTO') + field(run(' QUOTE 32'))],
    ['under another prefix', '<instrText >DDE c:\\a</instrText>'],
  ] as const)
    test(name, () => assert.equal(found(field(inside)), 'Docvet.Ooxml.DdeField'))
  test('in an attribute', () => {
    for (const attribute of ['w:instr = "DDE a b"', 'w:instr="&#68;DEAUTO a b"', "w:instr='\n DDE a b'"])
      assert.equal(found(`<w:fldSimple ${attribute}/>`), 'Docvet.Ooxml.DdeField')
  })
  test('in a link of a workbook', () => {
    for (const attribute of ['ddeService = "cmd"', 'ddeService="&#99;md"', "ddeService='cmd'"])
      assert.equal(found(`<ddeLink ${attribute} ddeTopic="/c calc"/>`), 'Docvet.Sheet.DdeCommand')
    for (const service of ['C:\\Windows\\System32\\cmd.exe', '..\\cmd', '/a/mshta.exe'])
      assert.equal(found(`<ddeLink ddeService="${service}" ddeTopic="a"/>`), 'Docvet.Sheet.DdeCommand')
  })
})

test('a name that another field completes is too complex', () => {
  const quote = field(run('QUOTE 68 68 69'))
  const simple = '<w:fldSimple w:instr="QUOTE 68 68 69"/>'
  const result = field(`${run('REF a')}<w:fldChar w:fldCharType="separate"/><w:t>DDE</w:t>`)
  for (const inside of [
    quote + run(' c:\\a'),
    run(' \n') + quote + run(' c:\\a'),
    run('D') + run('D') + field(run('QUOTE 69')) + run(' c:\\a'),
    run('&#100;d') + field('') + run('E c:\\a'),
    simple + run(' c:\\a'),
    result + run(' c:\\a'),
    field(quote) + run(' c:\\a'),
  ])
    assert.equal(obstacle(field(inside)), 'too_complex', inside)
})

test('other nested fields are clean', () => {
  for (const inside of [
    run('IF ') + field(run('MERGEFIELD a')) + field(run('MERGEFIELD b')) + run(' = 1'),
    run('REF D') + field(run('PAGE')),
    run('=') + field(run('PAGE')) + run('-1'),
    `${run('TOC')}<w:fldChar w:fldCharType="separate"/>${field(run('PAGEREF a'))}${field(run('PAGEREF b'))}`,
    `<w:fldChar w:fldCharType="separate"/>${field(run('PAGE'))}`,
  ])
    assert.equal(obstacle(field(inside)), undefined, inside)
  assert.equal(obstacle(field(run('PAGE')) + field(run('PAGE'))), undefined)
})

test('custom entities are too complex', () => {
  const of = (start: string) =>
    inspector.inspect(
      docx({ 'word/document.xml': `<?xml version="1.0"?>${start}<w:document>${run('&d; c:\\a')}</w:document>` }),
    )
  assert.equal(of('<!DOCTYPE w [<!ENTITY d "DDE">]>').obstacle?.reason, 'too_complex')
  assert.equal(of('').obstacle, null)
})

test('a CDATA section is literal', () => {
  assert.equal(found(field(run('<![CDATA[&#68;DE a]]>'))), undefined)
})

test('other fields are clean', () => {
  for (const inside of [
    run('PAGEREF _Toc1 \\h'),
    run('DDEX a'),
    run('REF D') + run('DE a'),
    run('A') + field(run('B')),
  ])
    assert.equal(found(field(inside)), undefined)
  assert.equal(found('<w:fldSimple w:instr="PAGE DDE "/><ddeLink ddeService="Quotes" ddeTopic="a"/>'), undefined)
})

test('hostile repetition takes little CPU time', () => {
  for (const pattern of [
    '<w:instrText>',
    '<w:instrText a="',
    'instr="',
    'instrText <!--',
    '<instrText/><p>',
    'instrText<![CDATA[<',
    '<instrText/><![CDATA[<]]>',
    '<instrText>&#68;</instrText>',
  ]) {
    const bytes = Buffer.alloc(8_000_000, pattern)
    bytes.write('<?xml?>')
    assertCheap(() => inspector.inspect(bytes), pattern)
  }
})
