/** A password in the text of a mail opens the attachments of the same mail. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { lockAgile } from '#inspect/testing/office-lock.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { lockAes, lockTraditional } from '#inspect/testing/zip-lock.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

function outcomeOf(bytes: Uint8Array): string {
  const { findings, obstacle } = inspect(bytes)
  return findings.some(({ severity }) => severity === 'malicious') ? 'infected' : (obstacle?.reason ?? 'clean')
}

const mail = (body: readonly string[], attachment: Uint8Array, name = 'a.zip'): Uint8Array =>
  Buffer.from(
    [
      'From: a@example.com',
      'To: b@example.com',
      'Subject: Invoice',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="x"',
      '',
      '--x',
      ...body,
      '--x',
      `Content-Type: application/octet-stream; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="${name}"`,
      '',
      ...(Buffer.from(attachment)
        .toString('base64')
        .match(/.{1,76}/g) ?? []),
      '--x--',
      '',
    ].join('\r\n'),
  )
const plain = (text: string): string[] => ['Content-Type: text/plain; charset=utf-8', '', text]
const coded = (type: string, text: string): string[] => [
  `Content-Type: ${type}; charset=utf-8`,
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from(text).toString('base64'),
]

const archive = (password: string, content: string | Uint8Array = EICAR): Buffer =>
  writeZip([lockAes('a.txt', content, { password })])
const classic = (password: string): Buffer => writeZip([lockTraditional('a.txt', EICAR, { password })])

suite('an encrypted attachment and its password', () => {
  const cases: Record<string, Uint8Array> = {
    'an archive': mail(plain('Hello,\r\nthe password is 4711.'), archive('4711')),
    'an archive with the old encryption': mail(plain('Archive password: Xk!9'), classic('Xk!9')),
    'the text in Base64': mail(coded('text/plain', 'Пароль к архиву: qwe_123'), archive('qwe_123')),
    'the text in a page': mail(coded('text/html', '<p>Kennwort: <b>Sommer&amp;2026</b></p>'), archive('Sommer&2026')),
    'the text in quoted-printable': mail(
      ['Content-Type: text/plain', 'Content-Transfer-Encoding: quoted-printable', '', 'pass=77ord=3A ab=3D12'],
      archive('ab=12'),
    ),
    'an Office document': mail(
      plain('Password: geheim'),
      lockAgile(docx({ 'word/media/a.bin': EICAR }), { password: 'geheim' }),
      'a.docx',
    ),
    'a message of Outlook': writeOle({
      storages: ['__attach_version1.0__00000000'],
      streams: {
        '__properties_version1.0': Buffer.alloc(64),
        '__substg1.0_1000001F': Buffer.from('The code for the file: 99871', 'utf16le'),
        '__attach_version1.0__00000000/__substg1.0_37010102': archive('99871'),
      },
    }),
  }
  for (const [name, bytes] of Object.entries(cases)) test(name, () => assert.equal(outcomeOf(bytes), 'infected'))

  test('a harmless archive is clean', () =>
    assert.equal(outcomeOf(mail(plain('The password is 4711.'), archive('4711', 'Payslip'))), 'clean'))
})

test('without the right password, or in another mail, the attachment stays encrypted', () => {
  assert.equal(outcomeOf(mail(plain('The password follows by phone.'), archive('4711'))), 'encrypted')
  const inner = Buffer.from(mail(plain('Password: 4711'), Buffer.from('text'), 'a.txt'))
  const both = writeZip([
    { name: 'a.eml', data: inner },
    { name: 'b.eml', data: Buffer.from(mail(plain('See the file.'), archive('4711'))) },
  ])
  assert.equal(outcomeOf(both), 'encrypted')
})
