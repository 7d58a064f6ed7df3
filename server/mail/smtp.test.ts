/** The transport against a real mail server. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificate } from '#test/support/certificate.ts'
import { type MailServer, parseMail, startMailServer } from '#test/support/smtp.ts'
import { passwordReset } from './messages.ts'
import { createSmtpTransport, parseSmtpUrl } from './smtp.ts'
import { type Mail, RecipientRefused } from './transport.ts'

const LINK = 'https://scan.example.org/reset#token=0123456789012345678901234567890123456789abc'

const mail = (changes: Partial<Mail> = {}): Mail => ({
  from: { name: 'Doc, Vet', address: 'no-reply@scan.example.org' },
  to: 'ada@example.com',
  ...passwordReset({ link: LINK, minutes: 10 }),
  messageId: '<019a8b1c@scan.example.org>',
  date: new Date('2026-11-15T06:30:43Z'),
  ...changes,
})

const soon = () => AbortSignal.timeout(5_000)

async function sent(server: MailServer, changes: Partial<Mail> = {}): Promise<void> {
  const transport = createSmtpTransport(server.url)
  try {
    await transport.send(mail(changes), soon())
  } finally {
    await transport.close()
  }
}

test('the URL gives server and credentials', () => {
  assert.deepEqual(parseSmtpUrl('smtp://mail'), { host: 'mail', port: 587, secure: false })
  assert.deepEqual(parseSmtpUrl('smtps://mail.example/'), { host: 'mail.example', port: 465, secure: true })
  assert.deepEqual(parseSmtpUrl('smtp://a%40b:p%3A%2F@[::1]:25'), {
    host: '::1',
    port: 25,
    secure: false,
    auth: { user: 'a@b', pass: 'p:/' },
  })
})

test('mail arrives with its headers and both parts', async () => {
  await using server = await startMailServer()
  await sent(server)
  const [got] = server.received
  assert.equal(got?.from, 'no-reply@scan.example.org')
  assert.deepEqual(got?.to, ['ada@example.com'])
  const { headers, parts } = parseMail(got!.raw)
  const { subject, text, html } = mail()
  assert.equal(headers.from, '"Doc, Vet" <no-reply@scan.example.org>')
  assert.equal(headers.to, 'ada@example.com')
  assert.equal(headers.subject, subject)
  assert.equal(headers['message-id'], '<019a8b1c@scan.example.org>')
  assert.equal(headers.date, 'Sun, 15 Nov 2026 06:30:43 +0000')
  assert.equal(headers['auto-submitted'], 'auto-generated')
  assert.deepEqual(Object.keys(parts), ['text/plain', 'text/html'])
  assert.equal(parts['text/plain']?.trimEnd(), text.trimEnd())
  assert.equal(parts['text/html']?.trimEnd(), html.trimEnd())
})

test('line breaks in subjects and multiple recipients do not reach the server', async () => {
  await using server = await startMailServer()
  await sent(server, { subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nforged' })
  const { headers } = parseMail(server.received[0]!.raw)
  assert.equal(headers.bcc, undefined)
  assert.match(headers.subject ?? '', /^Hello/)
  for (const to of ['ada@example.com, eve@example.com', 'ada@example.com\r\nBcc: eve@example.com', 'Ada <a@b>', '']) {
    await assert.rejects(sent(server, { to }), RecipientRefused)
  }
  // The server would reject them too, but must not be asked.
  assert.equal(server.connections(), 1)
  assert.deepEqual(server.asked, ['ada@example.com'])
})

test('connections are reused, and concurrent mails use one each', async () => {
  await using server = await startMailServer()
  const transport = createSmtpTransport(server.url)
  for (let i = 0; i < 3; i++) await transport.send(mail(), soon())
  assert.equal(server.connections(), 1)
  await Promise.all([1, 2, 3].map(() => transport.send(mail(), soon())))
  assert.equal(server.connections(), 3)
  assert.equal(server.received.length, 6)
  await transport.close()
  await assert.rejects(transport.send(mail(), soon()), /closed/)
})

test('a server that restarted between two mails gets the second one once', async () => {
  await using server = await startMailServer()
  const transport = createSmtpTransport(server.url)
  await transport.send(mail(), soon())
  await server.stop()
  await assert.rejects(transport.send(mail(), soon()))
  await server.start()
  await transport.send(mail(), soon())
  assert.equal(server.received.length, 2)
  await transport.close()
})

describe('a rejection', () => {
  test('of the recipient is permanent only with a 5xx reply to RCPT TO', async () => {
    await using server = await startMailServer()
    const isFinal = () =>
      sent(server).then(
        () => assert.fail('the mail was accepted'),
        (error) => error instanceof RecipientRefused,
      )
    for (const code of [550, 551, 553, 554]) {
      server.behaviour = { refuse: { code } }
      assert.equal(await isFinal(), true, String(code))
    }
    for (const code of [421, 450, 451, 452]) {
      server.behaviour = { refuse: { code } }
      assert.equal(await isFinal(), false, String(code))
    }
    for (const code of [451, 554]) {
      server.behaviour = { refuseData: { code } }
      assert.equal(await isFinal(), false, String(code))
    }
    server.behaviour = {}
    await sent(server)
    assert.equal(server.received.length, 1)
  })

  test('leaves the transport usable', async () => {
    await using server = await startMailServer()
    const transport = createSmtpTransport(server.url)
    server.behaviour = { refuse: { code: 550, address: 'eve@example.com' } }
    await assert.rejects(transport.send(mail({ to: 'eve@example.com' }), soon()), RecipientRefused)
    await transport.send(mail(), soon())
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [['ada@example.com']],
    )
    await transport.close()
  })
})

describe('mail that takes too long', () => {
  for (const at of ['rcpt', 'data'] as const) {
    test(`is stopped by its signal while the server delays ${at}`, async () => {
      await using server = await startMailServer()
      server.behaviour = { slow: { at, ms: 4_000 } }
      const transport = createSmtpTransport(server.url)
      // A busy machine takes some time to connect.
      await assert.rejects(transport.send(mail(), AbortSignal.timeout(1_500)), { name: 'TimeoutError' })
      server.behaviour = {}
      await transport.send(mail({ to: 'next@example.com' }), soon())
      assert.equal(server.connections(), 2, 'the stuck connection was reused')
      await transport.close()
    })
  }

  test('is not started if its signal has already aborted', async () => {
    await using server = await startMailServer()
    const transport = createSmtpTransport(server.url)
    await assert.rejects(transport.send(mail(), AbortSignal.abort(new Error('too late'))), /too late/)
    assert.equal(server.connections(), 0)
    await transport.close()
  })

  test('is stopped by close()', async () => {
    await using server = await startMailServer()
    server.behaviour = { slow: { at: 'rcpt', ms: 2_000 } }
    const transport = createSmtpTransport(server.url)
    const sending = transport.send(mail(), AbortSignal.timeout(1_500))
    const failed = assert.rejects(sending)
    while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await transport.close()
    await failed
  })
})

describe('credentials', () => {
  const auth = { user: 'docvet', pass: 'p:/@ä' }

  test('are sent to the server', async () => {
    await using server = await startMailServer({ auth })
    await sent(server)
    assert.equal(server.received[0]?.user, 'docvet')
  })

  test('that are wrong fail the attempt but not the recipient', async () => {
    await using server = await startMailServer({ auth })
    const transport = createSmtpTransport(`smtp://docvet:wrong@127.0.0.1:${server.port}`)
    await assert.rejects(transport.send(mail(), soon()), (error) => !(error instanceof RecipientRefused))
    await transport.close()
    assert.equal(server.received.length, 0)
  })
})

describe('TLS', () => {
  const certificate = makeCertificate()
  const usual = getCACertificates()
  after(() => setDefaultCACertificates(usual))

  for (const from of ['start', 'starttls'] as const) {
    describe(`from ${from}`, () => {
      let server: MailServer
      before(async () => {
        server = await startMailServer({ tls: { ...certificate, from } })
      })
      after(() => server.stop())

      test('rejects an untrusted certificate', async () => {
        setDefaultCACertificates(usual)
        await assert.rejects(sent(server), /certificate/)
        assert.deepEqual(server.asked, [])
      })

      test('accepts a trusted certificate', async () => {
        setDefaultCACertificates([...usual, certificate.cert])
        await sent(server)
        assert.equal(server.received[0]?.secure, true)
      })
    })
  }
})
