import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { newId } from '#base/ids.ts'
import { createLog } from '#base/log.ts'
import { quietLog } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { parseMail } from '#test/support/smtp.ts'
import { createFolderTransport, deleteMailFiles, FILES_MAX, findMailFiles } from './folder.ts'
import { passwordReset } from './messages.ts'
import { type Mail, RecipientRefused } from './transport.ts'

const LINK = 'http://127.0.0.1:8080/reset-password#token=0123456789012345678901234567890123456789abc'
const never = new AbortController().signal

const mail = (changes: Partial<Mail> = {}): Mail => ({
  from: { name: 'Docvet', address: 'no-reply@localhost' },
  to: 'ada@example.com',
  ...passwordReset({ link: LINK, minutes: 10 }),
  messageId: `<${newId()}@localhost>`,
  date: new Date('2026-11-15T06:30:43.999Z'),
  ...changes,
})

describe('the outbox folder', () => {
  let dataDir: string
  let folder: string
  beforeEach(() => {
    dataDir = temporaryFolder('mail')
    folder = join(dataDir, 'outbox')
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  const files = () => readdirSync(folder).sort()
  const send = (changes: Partial<Mail> = {}) =>
    createFolderTransport({ folder, showLinks: true, log: quietLog }).send(mail(changes), never)

  test('gets one file per mail with the complete message', async () => {
    const id = newId()
    await send({ messageId: `<${id}@localhost>` })
    assert.deepEqual(files(), [`20261115T063043Z-${id}.eml`])
    const { headers, parts } = parseMail(readFileSync(join(folder, files()[0]!), 'utf8'))
    assert.equal(headers.from, 'Docvet <no-reply@localhost>')
    assert.equal(headers.to, 'ada@example.com')
    assert.equal(headers['message-id'], `<${id}@localhost>`)
    assert.equal(parts['text/plain']?.trimEnd(), mail().text.trimEnd())
    assert.equal(parts['text/html']?.trimEnd(), mail().html.trimEnd())
  })

  test('and its files are readable by the owner only, whatever the umask', async () => {
    const before = process.umask(0)
    await send().finally(() => process.umask(before))
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.equal(statSync(join(folder, files()[0]!)).mode & 0o777, 0o600)
  })

  test('loses the mail to one address, however long, and nothing else', async () => {
    const long = `${'a+'.repeat(32)}@${'example.'.repeat(23)}com`
    await send({ to: long.toUpperCase() })
    await send({ to: `x${long.slice(1)}` })
    await send()
    writeFileSync(join(folder, '20261115T063043Z-1.tmp'), `To: ${long}\r\n\r\nText`)
    assert.equal((await findMailFiles(folder, long)).length, 2)
    await deleteMailFiles(folder, long)
    assert.deepEqual([(await findMailFiles(folder, long)).length, files().length], [0, 2])
    assert.deepEqual(await findMailFiles(join(folder, 'missing'), long), [])
  })

  test('cannot be left through the Message-ID', async () => {
    await send({ messageId: '<../../etc/x\0y@localhost>' })
    assert.deepEqual(files(), ['20261115T063043Z-etcxy.eml'])
  })

  test('gets one file for mail that is sent twice in the same second', async () => {
    const messageId = `<${newId()}@localhost>`
    const date = new Date('2026-01-01T00:00:00Z')
    await Promise.all([send({ messageId, date }), send({ messageId, date })])
    assert.equal(files().length, 1)
  })

  test('gets nothing if the recipient is not one address or the signal has aborted', async () => {
    await assert.rejects(send({ to: 'ada@example.com, eve@example.com' }), RecipientRefused)
    const transport = createFolderTransport({ folder, showLinks: true, log: quietLog })
    await assert.rejects(transport.send(mail(), AbortSignal.abort(new Error('too late'))), /too late/)
    assert.equal(existsSync(folder), false)
  })

  test('fails if it cannot be written to, and leaves no partial file', async () => {
    writeFileSync(folder, 'a file in the way')
    await assert.rejects(send(), /EEXIST|ENOTDIR/)
    rmSync(folder)
    const messageId = '<in-the-way@localhost>'
    mkdirSync(join(folder, '20261115T063043Z-in-the-way.eml'), { recursive: true })
    await assert.rejects(send({ messageId }), /EISDIR|EEXIST|ENOTEMPTY/)
    assert.deepEqual(files(), ['20261115T063043Z-in-the-way.eml'])
  })

  test(`keeps the newest ${FILES_MAX} files and deletes old temporary files`, async () => {
    mkdirSync(folder, { recursive: true })
    const old = (n: number) => `20260101T000000Z-${String(n).padStart(4, '0')}.eml`
    for (let n = 1; n < FILES_MAX; n++) writeFileSync(join(folder, old(n)), '')
    await send()
    assert.equal(files().length, FILES_MAX)
    assert.equal(files()[0], old(1))

    const nowStamp = `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
    for (const name of ['20260101T000000Z-x.eml.y.tmp', `${nowStamp}-x.eml.y.tmp`, 'notes.txt']) {
      writeFileSync(join(folder, name), '')
    }
    await send()
    assert.equal(files().filter((name) => name.endsWith('.eml')).length, FILES_MAX)
    assert.equal(files()[0], old(2))
    assert.deepEqual(
      files().filter((name) => !name.endsWith('.eml')),
      [`${nowStamp}-x.eml.y.tmp`, 'notes.txt'],
    )
  })

  test('logs each file with subject and links', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'info', stream: { write: (line: string) => lines.push(line) } })
    await createFolderTransport({ folder, showLinks: true, log }).send(mail(), never)
    assert.equal(lines.length, 1)
    const { level, file, subject, links } = JSON.parse(lines[0]!)
    assert.equal(level, 'info')
    assert.equal(file, join(folder, files()[0]!))
    assert.equal(subject, mail().subject)
    assert.deepEqual(links, [LINK])
  })

  test('logs no links unless the service is local', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const log = createLog({ level: 'info', stream })
    await createFolderTransport({ folder, showLinks: false, log }).send(mail(), never)
    assert.equal(lines.length, 1)
    assert.ok(!lines[0]?.includes('token'), lines[0])
  })
})
