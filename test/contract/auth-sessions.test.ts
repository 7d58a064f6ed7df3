/** Sessions: lifetime, replicas, and protection against cross-site requests. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '#storage/database.ts'
import {
  asPage,
  cookieOf,
  GOOD_PASSWORD,
  me,
  ownPage,
  postAuth,
  signIn,
  signUpPerson,
} from '#test/support/auth-client.ts'
import { newEmail, signUp, withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { openPlace } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60_000

forEachDatabase('the life of a session', (openUrl) => {
  let place: DatabasePlace
  let one: Service
  let other: Service
  let database: Database
  before(async () => {
    place = await openUrl()
    const env = { DOCVET_DATABASE_URL: place.url ?? undefined }
    one = await startService(env, { dataDir: place.dataDir })
    other = await startService(env, { dataDir: place.dataDir })
    database = await openPlace(place)
  })
  after(async () => {
    await database.close()
    await one[Symbol.asyncDispose]()
    await other[Symbol.asyncDispose]()
    await place.release()
  })

  /** As if so much time had passed for the sessions of this person. */
  async function age(email: string, column: 'seen_at' | 'created_at', ms: number): Promise<void> {
    const { id } = await database.db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await database.db
      .updateTable('sessions')
      .set((eb) => ({ [column]: eb(column, '-', ms) }))
      .where('account_id', '=', id)
      .execute()
  }

  test('a session works on every replica and ends on all of them', async () => {
    const { cookie } = await signUpPerson(one.port)
    assert.equal((await me(other.port, cookie)).status, 200)
    assert.equal((await asPage(one.port, cookie, 'POST', '/api/v1/auth/logout')).status, 204)
    assertProblem(await me(other.port, cookie), 401, 'unauthenticated')
  })

  test('a session ends after 7 idle days; any use restarts the period', async () => {
    const { email, cookie } = await signUpPerson(one.port)
    await age(email, 'seen_at', 7 * DAY_MS - MINUTE_MS)
    assert.equal((await me(one.port, cookie)).status, 200)
    await age(email, 'seen_at', 7 * DAY_MS - MINUTE_MS)
    assert.equal((await me(one.port, cookie)).status, 200, 'its use was not noted')
    await age(email, 'seen_at', 7 * DAY_MS)
    assertProblem(await me(one.port, cookie), 401, 'unauthenticated')
  })

  test('a session ends after 30 days even if it is used', async () => {
    const { email, cookie } = await signUpPerson(one.port)
    await age(email, 'created_at', 30 * DAY_MS - MINUTE_MS)
    assert.equal((await me(one.port, cookie)).status, 200)
    await age(email, 'created_at', MINUTE_MS)
    assertProblem(await me(one.port, cookie), 401, 'unauthenticated')
  })

  test('the 51st session of an account ends the oldest', async () => {
    const { email, password, cookie } = await signUpPerson(one.port)
    await age(email, 'created_at', MINUTE_MS)
    const second = cookieOf(await signIn(one.port, email, password))
    await age(email, 'created_at', MINUTE_MS)
    for (let i = 0; i < 49; i++) assert.equal((await signIn(one.port, email, password)).status, 200)
    assertProblem(await me(one.port, cookie), 401, 'unauthenticated')
    assert.equal((await me(one.port, second)).status, 200)
  })

  test('only the hash of its token is stored', async () => {
    const { cookie } = await signUpPerson(one.port)
    const token = cookie.split('=')[1] as string
    const rows = await database.db.selectFrom('sessions').selectAll().execute()
    assert.ok(rows.length > 0)
    assert.ok(!JSON.stringify(rows).includes(token))
  })
})

forEachDatabase('fixation and other sites', (openUrl) => {
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

  test('sign-in and sign-up always set a new token', async () => {
    const preset = `docvet_session=${'B'.repeat(43)}`
    const { email, password } = await signUpPerson(service.port)
    const answers = [
      await signIn(service.port, email, password, { cookie: preset }),
      await postAuth(service.port, 'signup', { email: newEmail(), password: GOOD_PASSWORD }, { cookie: preset }),
    ]
    for (const answer of answers) assert.notEqual(cookieOf(answer), preset)
    assertProblem(await me(service.port, preset), 401, 'unauthenticated')
  })

  test('sign-in ends the session of the cookie that the request carries', async () => {
    const attacker = await signUpPerson(service.port)
    const victim = await signUpPerson(service.port)
    const answer = await signIn(service.port, victim.email, victim.password, { cookie: attacker.cookie })
    assert.equal(answer.status, 200)
    assertProblem(await me(service.port, attacker.cookie), 401, 'unauthenticated')
  })

  const foreign: Record<string, Record<string, string>> = {
    'Sec-Fetch-Site: cross-site': { 'sec-fetch-site': 'cross-site' },
    'Sec-Fetch-Site: same-site': { 'sec-fetch-site': 'same-site' },
    'Sec-Fetch-Site: none': { 'sec-fetch-site': 'none' },
    'Sec-Fetch-Site: cross-site with our own Origin': { 'sec-fetch-site': 'cross-site', origin: 'OWN' },
    'Sec-Fetch-Site: same-origin with a foreign Origin': {
      'sec-fetch-site': 'same-origin',
      origin: 'https://evil.example',
    },
    'Sec-Fetch-Site: same-origin under a name that leads here': {
      'sec-fetch-site': 'same-origin',
      origin: 'http://evil.example',
      host: 'evil.example',
    },
    'Sec-Fetch-Site: same-origin from another server of this machine': {
      'sec-fetch-site': 'same-origin',
      origin: 'http://localhost:1',
    },
    'another name of this machine, without Sec-Fetch-Site': { origin: 'http://localhost', host: 'localhost' },
    'a foreign Origin': { origin: 'https://evil.example' },
    'the Origin null': { origin: 'null' },
    'our host on another port': { origin: 'http://127.0.0.1:1' },
    'our own Origin with more behind it': { origin: 'OWN.evil.example' },
  }
  const written = (headers: Record<string, string>, port: number) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', `http://127.0.0.1:${port}`)]),
    )

  for (const [what, headers] of Object.entries(foreign)) {
    test(`403 with a session for ${what}, without effect`, async () => {
      const { cookie } = await signUpPerson(service.port)
      const sent = { cookie, ...written(headers, service.port) }
      for (const [method, path] of [
        ['POST', '/api/v1/auth/logout'],
        ['POST', '/api/v1/keys'],
        ['DELETE', '/api/v1/keys/019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'],
        ['POST', '/api/v1/scan'],
      ] as const) {
        assertProblem(await request(service.port, method, path, { headers: sent }), 403, 'cross_site')
      }
      assert.equal((await me(service.port, cookie)).status, 200)
      assert.deepEqual((await request(service.port, 'GET', '/api/v1/keys', { headers: sent })).json(), [])
    })

    test(`403 for sign-in, sign-up and resets with ${what}`, async () => {
      const sent = written(headers, service.port)
      const body = { email: newEmail(), password: GOOD_PASSWORD }
      for (const name of ['signup', 'login']) {
        assertProblem(await postAuth(service.port, name, body, sent), 403, 'cross_site')
      }
      assertProblem(await postAuth(service.port, 'forgot-password', { email: newEmail() }, sent), 403, 'cross_site')
      const reset = { token: 'A'.repeat(43), password: GOOD_PASSWORD }
      assertProblem(await postAuth(service.port, 'reset-password', reset, sent), 403, 'cross_site')
    })
  }

  test('403 with a session if no header names the origin; not without a session', async () => {
    const { cookie, email, password } = await signUpPerson(service.port)
    assertProblem(
      await request(service.port, 'POST', '/api/v1/auth/logout', { headers: { cookie } }),
      403,
      'cross_site',
    )
    assert.equal((await signIn(service.port, email, password)).status, 200)
  })

  for (const [what, headers] of Object.entries<Record<string, string>>({
    'Sec-Fetch-Site: same-origin': { 'sec-fetch-site': 'same-origin' },
    'Sec-Fetch-Site: same-origin and our own Origin': { 'sec-fetch-site': 'same-origin', origin: 'OWN' },
    'another name of this machine': { 'sec-fetch-site': 'same-origin', origin: 'http://localhost', host: 'localhost' },
    'our own Origin': { origin: 'OWN' },
  })) {
    test(`204 with a session and ${what}`, async () => {
      const { cookie } = await signUpPerson(service.port)
      const sent = { cookie, ...written(headers, service.port) }
      assert.equal((await request(service.port, 'POST', '/api/v1/auth/logout', { headers: sent })).status, 204)
    })
  }

  test('an API key is accepted from any origin, also with a cookie', async () => {
    const { apiKey } = await signUp(service.port)
    const { cookie } = await signUpPerson(service.port)
    const headers = { ...withKey(apiKey), cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    assert.equal((await request(service.port, 'POST', '/api/v1/keys', { headers })).status, 201)
    const wrong = { ...headers, 'x-api-key': 'nonsense' }
    assertProblem(await request(service.port, 'POST', '/api/v1/keys', { headers: wrong }), 401, 'unauthenticated')
  })

  test('a preflight from another site is not approved', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const answer = await request(service.port, 'OPTIONS', '/api/v1/auth/login', { headers })
    assert.ok(answer.status >= 400)
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
  })
})

test('with an https public URL, the cookie has the prefix __Host- and is Secure', async () => {
  await using service = await startService({ DOCVET_PUBLIC_URL: 'https://docvet.example' })
  const answer = await postAuth(service.port, 'signup', { email: newEmail(), password: GOOD_PASSWORD })
  const set = answer.headers['set-cookie'] ?? ''
  assert.match(
    set,
    /^__Host-docvet_session=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  const cookie = set.split(';')[0] as string
  assert.equal((await me(service.port, cookie)).status, 200)
  assertProblem(await me(service.port, cookie.replace('__Host-', '')), 401, 'unauthenticated')
  const logout = (headers: Record<string, string>) =>
    request(service.port, 'POST', '/api/v1/auth/logout', { headers: { cookie, ...headers } })
  assertProblem(await logout(ownPage(service.port)), 403, 'cross_site')
  const out = await logout({ origin: 'https://docvet.example' })
  assert.equal(out.status, 204)
  assert.equal(out.headers['set-cookie'], '__Host-docvet_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure')
})
