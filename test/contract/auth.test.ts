/** The session endpoints: every field and status, on both databases. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  asPage,
  COOKIE,
  cookieOf,
  GOOD_PASSWORD,
  me,
  postAuth,
  signIn,
  signUpPerson,
} from '#test/support/auth-client.ts'
import { assertFields, newEmail, signUp, withKey } from '#test/support/client.ts'
import { assertApiHeaders, assertProblem, fieldsOf } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { openPlace } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

/** All other headers are those of any API response. */
function assertSetsCookie(answer: Answer): void {
  const { 'set-cookie': cookie, ...headers } = answer.headers
  assert.match(cookie ?? '', COOKIE)
  const rawHeaders = answer.rawHeaders.filter(([name]) => name.toLowerCase() !== 'set-cookie')
  assert.equal(answer.rawHeaders.length - rawHeaders.length, 1)
  assertApiHeaders({ ...answer, headers, rawHeaders })
}

forEachDatabase('sessions', (openUrl) => {
  let place: DatabasePlace
  let service: Service
  before(async () => {
    place = await openUrl()
    service = await startService({ DOCVET_DATABASE_URL: place.url ?? undefined }, { dataDir: place.dataDir })
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await place.release()
  })
  const post = (name: string, body?: unknown, headers = {}) => postAuth(service.port, name, body, headers)

  describe('POST auth/signup', () => {
    test('201 with e-mail, plan and provider, and a working session cookie', async () => {
      const answer = await post('signup', { email: ' Grace@Example.com ', password: GOOD_PASSWORD })
      assert.equal(answer.status, 201, answer.body)
      assertSetsCookie(answer)
      const expected = { email: 'Grace@Example.com', plan: 'free', authProvider: 'password' }
      assertFields(answer.json(), expected)
      assertFields((await me(service.port, cookieOf(answer))).json(), expected)
    })

    test('201 with an attribution, which is stored with the account', async () => {
      const attribution = {
        utmSource: 'newsletter',
        utmMedium: 'e-mail',
        utmCampaign: 'launch',
        utmTerm: 'scan',
        utmContent: 'button',
        referrer: 'https://example.com/?q=1',
        landingPath: '/pricing',
      }
      const email = newEmail()
      assert.equal((await post('signup', { email, password: GOOD_PASSWORD, attribution })).status, 201)
      const database = await openPlace(place)
      const row = await database.db
        .selectFrom('accounts')
        .select('attribution')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      await database.close()
      assert.deepEqual(JSON.parse(row.attribution ?? ''), attribution)
    })

    for (const [field, max] of [
      ['utmSource', 255],
      ['utmMedium', 255],
      ['utmCampaign', 255],
      ['utmTerm', 255],
      ['utmContent', 255],
      ['referrer', 2_048],
      ['landingPath', 2_048],
    ] as const) {
      test(`201 with ${field} of ${max} characters, 400 with one more`, async () => {
        const attempt = (length: number) =>
          post('signup', {
            email: newEmail(),
            password: GOOD_PASSWORD,
            attribution: { [field]: 'x'.repeat(length) },
          })
        assert.equal((await attempt(max)).status, 201)
        const problem = assertProblem(await attempt(max + 1), 400, 'invalid_request')
        assert.deepEqual(fieldsOf(problem), [`attribution.${field}`])
      })
    }

    const wrong: [string, unknown, string[]][] = [
      ['no e-mail', { password: GOOD_PASSWORD }, ['email']],
      ['no password', { email: 'new1@example.com' }, ['password']],
      ['an unknown field', { email: 'new1@example.com', password: GOOD_PASSWORD, plan: 'pro' }, ['plan']],
      ['a number for a password', { email: 'new1@example.com', password: 12_345_678 }, ['password']],
      [
        'an attribution that is a text',
        { email: 'new1@example.com', password: GOOD_PASSWORD, attribution: 'x' },
        ['attribution'],
      ],
      [
        'an unknown attribution',
        { email: 'new1@example.com', password: GOOD_PASSWORD, attribution: { utmX: 'x' } },
        ['attribution.utmX'],
      ],
      [
        'a line end in the e-mail',
        { email: 'a@example.com\r\nBcc: b@example.com', password: GOOD_PASSWORD },
        ['email'],
      ],
      ['an e-mail of 300 characters', { email: `${'a'.repeat(288)}@example.com`, password: GOOD_PASSWORD }, ['email']],
      ['a quoted local part', { email: '"a b"@example.com', password: GOOD_PASSWORD }, ['email']],
      ['a look-alike domain', { email: 'a@ex\u0430mple.com', password: GOOD_PASSWORD }, ['email']],
      ['a password of 7 characters', { email: 'new1@example.com', password: 'sEv3n!!' }, ['password']],
      ['a common password', { email: 'new1@example.com', password: 'password1' }, ['password']],
      ['a common password in capitals', { email: 'new1@example.com', password: 'PASSWORD1' }, ['password']],
      ['the name of the product', { email: 'new1@example.com', password: 'docvet2026' }, ['password']],
      ['the e-mail address as the password', { email: 'new1@example.com', password: 'New1@example.com' }, ['password']],
      ['a password of 257 characters', { email: 'new1@example.com', password: 'x'.repeat(257) }, ['password']],
      ['a password of 10 kB', { email: 'new1@example.com', password: 'x'.repeat(10_000) }, ['password']],
    ]
    for (const [what, body, fields] of wrong) {
      test(`400 for ${what}, naming the field`, async () => {
        const problem = assertProblem(await post('signup', body), 400, 'invalid_request')
        assert.deepEqual(fieldsOf(problem), fields)
      })
    }

    test('413 for a password of 1 MB', async () => {
      assertProblem(await post('signup', { email: newEmail(), password: 'x'.repeat(1_000_000) }), 413, 'body_too_large')
    })

    for (const [what, password] of [
      ['256 characters', 'é'.repeat(256)],
      ['256 emoji, each two units of UTF-16', '🦗'.repeat(256)],
      ['spaces around it', '  spaces around  '],
      ['8 characters', 'ünÏcødé!'],
      ['what another form of Unicode would join', 'e\u0301e\u0301e\u0301e\u0301'],
    ] as const) {
      test(`201 and then 200 with a password of ${what}, and 401 for a variant of it`, async () => {
        const { email } = await signUpPerson(service.port, newEmail(), password)
        assert.equal((await signIn(service.port, email, password)).status, 200)
        for (const other of [password.trim(), password.normalize('NFC'), password.slice(0, -1)]) {
          if (other !== password) assertProblem(await signIn(service.port, email, other), 401, 'invalid_credentials')
        }
      })
    }

    test('409 for an address that has an account, with or without password, ignoring letter case', async () => {
      const { email } = await signUpPerson(service.port)
      for (const taken of [email, email.toUpperCase(), (await signUp(service.port)).email]) {
        const problem = assertProblem(
          await post('signup', { email: taken, password: GOOD_PASSWORD }),
          409,
          'email_taken',
        )
        assert.deepEqual(fieldsOf(problem), ['email'])
      }
      assertProblem(await request(service.port, 'POST', '/api/v1/signup', { body: { email } }), 409, 'email_taken')
    })

    test('of twenty concurrent sign-ups with one address, one succeeds', async () => {
      const email = newEmail()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => post('signup', { email, password: GOOD_PASSWORD })),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 19 }, () => 409)])
    })
  })

  describe('POST auth/login', () => {
    test('200 with e-mail, plan and provider, ignoring letter case, and a new cookie each time', async () => {
      const { email, password, cookie } = await signUpPerson(service.port)
      const [one, two] = [
        await signIn(service.port, email, password),
        await signIn(service.port, ` ${email.toUpperCase()}`, password),
      ]
      for (const answer of [one, two]) {
        assert.equal(answer.status, 200, answer.body)
        assertSetsCookie(answer)
        assertFields(answer.json(), { email, plan: 'free', authProvider: 'password' })
      }
      assert.equal(new Set([cookie, cookieOf(one), cookieOf(two)]).size, 3)
    })

    test('the same 401 for a wrong password, an unknown address and an account without password', async () => {
      const { email } = await signUpPerson(service.port)
      const withoutPassword = await signUp(service.port)
      const refusals = [
        await signIn(service.port, email, 'something else entirely'),
        await signIn(service.port, newEmail(), GOOD_PASSWORD),
        await signIn(service.port, withoutPassword.email, GOOD_PASSWORD),
        await signIn(service.port, 'not an address', GOOD_PASSWORD),
        await signIn(service.port, 'a\u0000@example.com', GOOD_PASSWORD),
        await signIn(service.port, 'a\ud800@example.com', GOOD_PASSWORD),
      ]
      const bodies = refusals.map((answer) => {
        const { requestId: _own, ...problem } = assertProblem(answer, 401, 'invalid_credentials')
        return problem
      })
      for (const body of bodies) assert.deepEqual(body, bodies[0])
    })

    for (const [what, body, fields] of [
      ['no body fields', {}, ['email', 'password']],
      ['an empty password', { email: 'a@example.com', password: '' }, ['password']],
      ['a password of 257 characters', { email: 'a@example.com', password: 'x'.repeat(257) }, ['password']],
      ['an unknown field', { email: 'a@example.com', password: 'x', remember: true }, ['remember']],
    ] as [string, unknown, string[]][]) {
      test(`400 for ${what}`, async () => {
        assert.deepEqual(fieldsOf(assertProblem(await post('login', body), 400, 'invalid_request')).sort(), fields)
      })
    }
  })

  describe('GET auth/me', () => {
    test('401 without a session, with an invalid cookie, and with an API key instead', async () => {
      const { apiKey } = await signUp(service.port)
      const unknown = `docvet_session=${'A'.repeat(43)}`
      for (const headers of [
        {},
        { cookie: 'docvet_session=' },
        { cookie: unknown },
        { cookie: `docvet_session=${'A'.repeat(5_000)}` },
        { cookie: `__Host-${unknown}` },
        withKey(apiKey),
      ]) {
        assertProblem(await request(service.port, 'GET', '/api/v1/auth/me', { headers }), 401, 'unauthenticated')
      }
    })

    test('401 for two different session cookies', async () => {
      const [one, two] = [await signUpPerson(service.port), await signUpPerson(service.port)]
      assertProblem(await me(service.port, `${one.cookie}; ${two.cookie}`), 401, 'unauthenticated')
      assert.equal((await me(service.port, `other=1; ${one.cookie}; theme=dark`)).status, 200)
    })
  })

  describe('POST auth/logout', () => {
    test('204, clears the cookie, and the session ends at once', async () => {
      const { cookie } = await signUpPerson(service.port)
      const answer = await asPage(service.port, cookie, 'POST', '/api/v1/auth/logout')
      assert.equal(answer.status, 204)
      assert.equal(answer.body, '')
      assert.equal(answer.headers['set-cookie'], 'docvet_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
      assert.equal(answer.headers['clear-site-data'], '"cache", "storage"')
      assertProblem(await me(service.port, cookie), 401, 'unauthenticated')
      assertProblem(await asPage(service.port, cookie, 'POST', '/api/v1/auth/logout'), 401, 'unauthenticated')
    })

    test('ends only this session', async () => {
      const { email, password, cookie } = await signUpPerson(service.port)
      const other = cookieOf(await signIn(service.port, email, password))
      assert.equal((await asPage(service.port, cookie, 'POST', '/api/v1/auth/logout')).status, 204)
      assert.equal((await me(service.port, other)).status, 200)
    })
  })

  test('405 for GET on every POST endpoint', async () => {
    for (const name of ['signup', 'login', 'logout', 'forgot-password', 'reset-password']) {
      assertProblem(await request(service.port, 'GET', `/api/v1/auth/${name}`), 405, 'method_not_allowed')
    }
  })

  describe('keys and usage with a session', () => {
    test('are those of the account; others are 404', async () => {
      const { cookie } = await signUpPerson(service.port)
      assert.deepEqual((await asPage(service.port, cookie, 'GET', '/api/v1/keys')).json(), [])
      const created = await asPage(service.port, cookie, 'POST', '/api/v1/keys', { name: 'Build server' })
      assert.equal(created.status, 201, created.body)
      const { id, apiKey } = created.json() as { id: string; apiKey: string }
      assert.equal((await request(service.port, 'GET', '/api/v1/usage', { headers: withKey(apiKey) })).status, 200)
      const usage = await asPage(service.port, cookie, 'GET', '/api/v1/usage')
      assertFields(usage.json(), {
        plan: 'free',
        period: /^\d{4}-\d\d$/,
        scansUsed: 0,
        scansQuota: 500,
        scansRemaining: 500,
      })
      const stranger = await signUpPerson(service.port)
      assertProblem(await asPage(service.port, stranger.cookie, 'DELETE', `/api/v1/keys/${id}`), 404, 'not_found')
      assert.equal((await asPage(service.port, cookie, 'DELETE', `/api/v1/keys/${id}`)).status, 204)
    })
  })
})
