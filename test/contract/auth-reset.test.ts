/** Password reset over a real mail server. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#storage/database.ts'
import { asPage, cookieOf, GOOD_PASSWORD, me, postAuth, signIn, signUpPerson } from '#test/support/auth-client.ts'
import { newEmail, signUp } from '#test/support/client.ts'
import { outboxRows } from '#test/support/mail.ts'
import { assertApiHeaders, assertProblem, fieldsOf } from '#test/support/problem.ts'
import { openPlace } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type MailServer, parseMail, startMailServer } from '#test/support/smtp.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const NEW_PASSWORD = 'the owl left the barn'
const MINUTE_MS = 60_000

forEachDatabase('a new password', (openUrl) => {
  let place: DatabasePlace
  let mail: MailServer
  let service: Service
  let database: Database
  before(async () => {
    place = await openUrl()
    mail = await startMailServer()
    const env = {
      DOCVET_DATABASE_URL: place.url ?? undefined,
      DOCVET_SMTP_URL: mail.url,
      DOCVET_MAIL_FROM: 'Docvet <vet@docvet.example>',
    }
    service = await startService(env, { dataDir: place.dataDir })
    database = await openPlace(place)
  })
  after(async () => {
    await database.close()
    await service[Symbol.asyncDispose]()
    await mail[Symbol.asyncDispose]()
    await place.release()
  })

  const mailsTo = (email: string) =>
    mail.received.filter(({ to }) => to.includes(email)).map(({ raw }) => parseMail(raw))
  async function untilMails(email: string, count: number) {
    const deadline = Date.now() + 45_000
    while (mailsTo(email).length < count) {
      assert.ok(Date.now() < deadline, `${mailsTo(email).length} of ${count} mails to ${email}`)
      await sleep(20)
    }
    return mailsTo(email)
  }
  const forgot = (email: string, headers = {}) => postAuth(service.port, 'forgot-password', { email }, headers)
  const reset = (token: string, password = NEW_PASSWORD) =>
    postAuth(service.port, 'reset-password', { token, password })
  const linkIn = (parsed: { parts: Record<string, string> } | undefined): URL =>
    new URL(/https?:\/\/\S+/.exec(parsed?.parts['text/plain'] ?? '')?.[0] ?? 'none:')
  const tokenOf = (link: URL): string => link.hash.replace('#token=', '')
  async function askedFor(email: string, count = 1): Promise<string> {
    assert.equal((await forgot(email)).status, 202)
    const mails = await untilMails(email, count)
    // While a sent mail is still in the outbox, a second request for a link adds none.
    while ((await outboxRows(database)).length > 0) await sleep(20)
    return tokenOf(linkIn(mails.at(-1)))
  }
  async function age(email: string, ms: number): Promise<void> {
    await database.db
      .updateTable('password_resets')
      .set((eb) => ({ created_at: eb('created_at', '-', ms) }))
      .where('account_id', 'in', (eb) => eb.selectFrom('accounts').select('id').where('email', '=', email))
      .execute()
  }

  test('202, mail with a link, 204; then only the new password works, all sessions have ended, and a notification is sent', async () => {
    const person = await signUpPerson(service.port)
    const other = cookieOf(await signIn(service.port, person.email, person.password))
    const asked = await forgot(person.email)
    assert.equal(asked.status, 202)
    assert.equal(asked.body, '')
    assertApiHeaders(asked)

    const [eml] = await untilMails(person.email, 1)
    assert.equal(eml?.headers.from, 'Docvet <vet@docvet.example>')
    assert.equal(eml?.headers.to, person.email)
    const link = linkIn(eml)
    assert.equal(link.origin + link.pathname, `${service.url}/reset-password`)
    assert.equal(link.search, '?first')
    const token = tokenOf(link)
    assert.match(token, /^[A-Za-z0-9_-]{43}$/)
    assert.ok(eml?.parts['text/html']?.includes(link.href))

    const answer = await reset(token)
    assert.equal(answer.status, 204, answer.body)
    assert.equal(answer.body, '')
    assertApiHeaders(answer)
    for (const cookie of [person.cookie, other]) assertProblem(await me(service.port, cookie), 401, 'unauthenticated')
    assertProblem(await signIn(service.port, person.email, person.password), 401, 'invalid_credentials')
    assert.equal((await signIn(service.port, person.email, NEW_PASSWORD)).status, 200)
    const [, notice] = await untilMails(person.email, 2)
    assert.match(notice?.headers.subject ?? '', /password was changed/)
    assertProblem(await reset(token), 400, 'invalid_token')
    assert.ok(!JSON.stringify(await outboxRows(database)).includes(token))
  })

  test('an account without a password gets its first one by reset', async () => {
    const { email } = await signUp(service.port)
    assert.equal((await reset(await askedFor(email))).status, 204)
    assert.equal((await signIn(service.port, email, NEW_PASSWORD)).status, 200)
  })

  test('a link says that nobody has proven the address yet, until one is used', async () => {
    const { email } = await signUp(service.port)
    const token = await askedFor(email)
    assert.equal(linkIn(mailsTo(email).at(-1)).search, '?first')
    assert.equal((await reset(token)).status, 204)
    // The second mail reports the changed password.
    await untilMails(email, 2)
    await askedFor(email, 3)
    assert.equal(linkIn(mailsTo(email).at(-1)).search, '')
  })

  test('wrong, cut, extended, used, expired, replaced and malformed tokens: the same 400', async () => {
    const { email } = await signUpPerson(service.port)
    const first = await askedFor(email)
    const second = await askedFor(email, 2)
    const expired = await (async () => {
      const late = (await signUpPerson(service.port)).email
      const token = await askedFor(late)
      await age(late, 10 * MINUTE_MS)
      return token
    })()
    const bodies = []
    for (const token of [
      first,
      expired,
      second.slice(0, -1),
      `${second}A`,
      'A'.repeat(43),
      'x',
      '../..',
      '💥',
      `${second} `,
    ]) {
      const { requestId: _own, ...problem } = assertProblem(await reset(token), 400, 'invalid_token')
      bodies.push(problem)
    }
    for (const body of bodies) assert.deepEqual(body, bodies[0])
    assert.equal((await reset(second)).status, 204)
    assertProblem(await reset(second), 400, 'invalid_token')
  })

  test('a link works for 10 minutes', async () => {
    const { email } = await signUpPerson(service.port)
    const token = await askedFor(email)
    await age(email, 10 * MINUTE_MS - 5_000)
    assert.equal((await reset(token)).status, 204)
  })

  test('of twenty concurrent resets with one link, one succeeds and sets the password', async () => {
    const { email } = await signUpPerson(service.port)
    const token = await askedFor(email)
    const passwords = Array.from({ length: 20 }, (_, i) => `my new password ${i}`)
    const answers = await Promise.all(passwords.map((password) => reset(token, password)))
    const winners = passwords.filter((_, i) => answers[i]?.status === 204)
    assert.equal(winners.length, 1)
    for (const answer of answers) if (answer.status !== 204) assertProblem(answer, 400, 'invalid_token')
    assert.equal((await signIn(service.port, email, winners[0] ?? '')).status, 200)
    await untilMails(email, 2)
    await sleep(300)
    assert.equal(mailsTo(email).length, 2, 'one notice, not more')
  })

  test('a sign-in with the old password during a reset leaves no session', async () => {
    const alive: number[] = []
    for (let round = 0; round < 8; round++) {
      const { email, password } = await signUpPerson(service.port)
      const token = await askedFor(email)
      const resetting = reset(token)
      await sleep(round * 2)
      const signedIn = await signIn(service.port, email, password)
      assert.equal((await resetting).status, 204)
      if (signedIn.status === 200 && (await me(service.port, cookieOf(signedIn))).status === 200) alive.push(round)
      assertProblem(await signIn(service.port, email, password), 401, 'invalid_credentials')
    }
    assert.deepEqual(alive, [])
  })

  test('concurrent links and resets of one account do not deadlock', async () => {
    const { email } = await signUpPerson(service.port)
    const token = await askedFor(email)
    const answers = await Promise.all([reset(token), ...Array.from({ length: 10 }, () => forgot(email)), reset(token)])
    assert.ok(
      answers.every(({ status }) => [202, 204, 400].includes(status)),
      answers.map(({ status }) => status).join(),
    )
  })

  test('the limit of three links per hour does not apply while none of them works', async () => {
    const { email } = await signUpPerson(service.port)
    for (let count = 1; count <= 3; count++) await askedFor(email, count)
    await age(email, 10 * MINUTE_MS)
    assert.equal((await reset(await askedFor(email, 4))).status, 204)
  })

  test('400 for a password that is not allowed, and the link stays valid', async () => {
    const { email } = await signUpPerson(service.port)
    const token = await askedFor(email)
    for (const password of ['short', 'password1', email]) {
      assert.deepEqual(fieldsOf(assertProblem(await reset(token, password), 400, 'invalid_request')), ['password'])
    }
    assert.equal((await reset(token)).status, 204)
  })

  test('202 and no mail for an unknown address; three mails for 50 requests for a known one, and the last link works', async () => {
    const unknown = newEmail()
    assert.equal((await forgot(unknown)).status, 202)
    const { email } = await signUpPerson(service.port)
    for (let i = 0; i < 50; i++) {
      assert.equal((await forgot(i % 2 ? email : email.toUpperCase())).status, 202)
      await sleep(10)
    }
    await untilMails(email, 3)
    await sleep(500)
    const letters = mailsTo(email)
    assert.equal(letters.length, 3)
    assert.equal(mailsTo(unknown).length, 0)
    assert.equal((await reset(tokenOf(linkIn(letters.at(-1))))).status, 204)
  })

  test('400 for an invalid address and for missing, unknown and wrong fields', async () => {
    for (const [name, body, fields] of [
      ['forgot-password', { email: 'nobody' }, ['email']],
      ['forgot-password', { email: 'a@example.com\r\nBcc: b@example.com' }, ['email']],
      ['forgot-password', {}, ['email']],
      ['forgot-password', { email: 'a@example.com', x: 1 }, ['x']],
      ['reset-password', { password: NEW_PASSWORD }, ['token']],
      ['reset-password', { token: 'A'.repeat(43) }, ['password']],
      ['reset-password', { token: 'A'.repeat(201), password: NEW_PASSWORD }, ['token']],
      ['reset-password', { token: 1, password: NEW_PASSWORD }, ['token']],
    ] as [string, unknown, string[]][]) {
      const problem = assertProblem(await postAuth(service.port, name, body), 400, 'invalid_request')
      assert.deepEqual(fieldsOf(problem), fields, JSON.stringify(body))
    }
  })

  test('the link uses the public URL whatever Host or X-Forwarded-Host says', async () => {
    const { email } = await signUpPerson(service.port)
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    }
    assert.equal((await forgot(email, headers)).status, 202)
    const [eml] = await untilMails(email, 1)
    assert.equal(linkIn(eml).origin, service.url)
    assert.ok(!JSON.stringify(eml).includes('evil.example'))
  })

  test('a new key causes a notification that its name cannot forge', async () => {
    const { email, cookie } = await signUpPerson(service.port)
    const name = 'CI <b>x</b> see https://evil.example'
    assert.equal((await asPage(service.port, cookie, 'POST', '/api/v1/keys', { name })).status, 201)
    const [eml] = await untilMails(email, 1)
    assert.match(eml?.headers.subject ?? '', /key/i)
    assert.ok(!eml?.parts['text/html']?.includes('<b>x</b>'))
    assert.ok(!/https?:\/\/evil/.test(JSON.stringify(eml?.parts)))
  })

  describe('while the mail server is down', () => {
    beforeEach(() => mail.stop())

    test('202 at once; the mail arrives once when the server is back, with a working link', async () => {
      const { email } = await signUpPerson(service.port)
      assert.equal((await forgot(email)).status, 202)
      await sleep(1_500)
      await mail.start()
      const [eml] = await untilMails(email, 1)
      assert.equal((await reset(tokenOf(linkIn(eml)))).status, 204)
      await untilMails(email, 2)
      await sleep(500)
      assert.equal(mailsTo(email).length, 2, 'the link and the notice')
    })

    test('the mail arrives even if the process is killed meanwhile', async () => {
      const { email } = await signUpPerson(service.port)
      assert.equal((await forgot(email)).status, 202)
      // Lets the first attempt fail; an interrupted attempt would be retried only after its lease.
      await sleep(1_000)
      await service.kill()
      const env = { DOCVET_DATABASE_URL: place.url ?? undefined, DOCVET_SMTP_URL: mail.url }
      service = await startService(env, { dataDir: place.dataDir })
      await mail.start()
      const deadline = Date.now() + 90_000
      while (mailsTo(email).length === 0) {
        assert.ok(Date.now() < deadline, 'the mail is lost')
        await sleep(100)
      }
      assert.ok(mailsTo(email).length <= 2)
    })
  })
})

test('the log contains no passwords, session tokens or reset tokens', async () => {
  await using mail = await startMailServer()
  await using service = await startService({ DOCVET_SMTP_URL: mail.url, DOCVET_LOG_LEVEL: 'trace' })
  const { email, cookie } = await signUpPerson(service.port)
  await signIn(service.port, email, 'a wrong password')
  await postAuth(service.port, 'forgot-password', { email })
  await mail.until(1)
  const token =
    /#token=([A-Za-z0-9_-]{43})/.exec(parseMail(mail.received[0]?.raw ?? '').parts['text/plain'] ?? '')?.[1] ?? ''
  assert.equal((await postAuth(service.port, 'reset-password', { token, password: NEW_PASSWORD })).status, 204)
  await service.stop()
  for (const secret of [GOOD_PASSWORD, 'a wrong password', NEW_PASSWORD, cookie.split('=')[1] as string, token]) {
    assert.ok(!service.output().includes(secret), 'a secret is in the log')
  }
})
