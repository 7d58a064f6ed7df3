/** Password change under a session, and revocation of API keys with a new password. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
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
import { createKey, type KeySummary, listKeys, postKey, signUp, usage, withKey } from '#test/support/client.ts'
import { resetLinkIn, untilMail } from '#test/support/outbox.ts'
import { assertProblem, fieldsOf } from '#test/support/problem.ts'
import { openPlace } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const NEW_PASSWORD = 'the owl left the barn'
const FREE_FAILURES = 5

forEachDatabase('a new password', (openUrl) => {
  let place: DatabasePlace
  let service: Service
  let database: Database
  before(async () => {
    place = await openUrl()
    service = await startService({ DOCVET_DATABASE_URL: place.url ?? undefined }, { dataDir: place.dataDir })
    database = await openPlace(place)
  })
  after(async () => {
    await database.close()
    await service[Symbol.asyncDispose]()
    await place.release()
  })

  const change = (cookie: string, body: unknown) =>
    asPage(service.port, cookie, 'POST', '/api/v1/auth/change-password', body)
  const good = (more = {}) => ({ currentPassword: GOOD_PASSWORD, newPassword: NEW_PASSWORD, ...more })
  const newKey = async (cookie: string, name: string) => {
    const answer = await asPage(service.port, cookie, 'POST', '/api/v1/keys', { name })
    assert.equal(answer.status, 201, answer.body)
    return (answer.json() as { apiKey: string }).apiKey
  }
  const works = async (key: string) => (await usage(service.port, withKey(key))).status === 200
  const resetTokenFor = async (email: string) => {
    assert.equal((await postAuth(service.port, 'forgot-password', { email })).status, 202)
    return resetLinkIn(service, email)
  }
  const reset = (token: string, more = {}) =>
    postAuth(service.port, 'reset-password', { token, password: NEW_PASSWORD, ...more })
  const shown = ({ name, keyPrefix, lastFour }: KeySummary) => `"${name}" (${keyPrefix}…${lastFour})`
  const notice = (email: string) => untilMail(service, email, /password was changed/)

  describe('by POST /api/v1/auth/change-password', () => {
    test('204 with a new session; the old one, the other sessions and the old password end; keys stay', async () => {
      const { email, password, cookie } = await signUpPerson(service.port)
      const other = cookieOf(await signIn(service.port, email, password))
      const key = await newKey(cookie, 'Build server')
      const answer = await change(cookie, good())
      assert.equal(answer.status, 204, answer.body)
      assert.equal(answer.body, '')
      const renewed = cookieOf(answer)
      assert.notEqual(renewed, cookie)
      assert.equal((await me(service.port, renewed)).status, 200)
      for (const ended of [cookie, other]) assertProblem(await me(service.port, ended), 401, 'unauthenticated')
      assertProblem(await signIn(service.port, email, password), 401, 'invalid_credentials')
      assert.equal((await signIn(service.port, email, NEW_PASSWORD)).status, 200)
      assert.ok(await works(key))
      await notice(email)
    })

    test('with revokeKeys, no key works any more', async () => {
      const { email, cookie } = await signUpPerson(service.port)
      const keys = [await newKey(cookie, 'One'), await newKey(cookie, 'Two')]
      const bystander = await signUp(service.port)
      assert.equal((await change(cookie, good({ revokeKeys: true }))).status, 204)
      for (const key of keys) assert.equal(await works(key), false)
      assert.ok(await works(bystander.apiKey))
      assert.doesNotMatch(await notice(email), /"One"/)
    })

    test('400 for wrong fields and for a password that is not allowed, without counting an attempt', async () => {
      const { email, cookie } = await signUpPerson(service.port)
      for (const [body, field] of [
        [{ newPassword: NEW_PASSWORD }, 'currentPassword'],
        [{ currentPassword: GOOD_PASSWORD }, 'newPassword'],
        [good({ revokeKeys: 'true' }), 'revokeKeys'],
        [good({ revokeKeys: 1 }), 'revokeKeys'],
        [good({ revokeKeys: null }), 'revokeKeys'],
        [good({ revoke: true }), 'revoke'],
        [good({ currentPassword: '' }), 'currentPassword'],
        [good({ currentPassword: 'x'.repeat(257) }), 'currentPassword'],
        [good({ newPassword: 'short' }), 'newPassword'],
        [good({ newPassword: 'password1' }), 'newPassword'],
        [good({ newPassword: email }), 'newPassword'],
        [good({ newPassword: `${NEW_PASSWORD}\ud800` }), 'newPassword'],
      ] as [unknown, string][]) {
        const problem = assertProblem(await change(cookie, body), 400, 'invalid_request')
        assert.deepEqual(fieldsOf(problem), [field], JSON.stringify(body))
      }
      assert.equal((await change(cookie, good())).status, 204)
    })

    test('401 invalid_credentials for a wrong current password, then 429 as at sign-in; nothing changes', async () => {
      const { email, password, cookie } = await signUpPerson(service.port)
      const key = await newKey(cookie, 'Build server')
      const wrong = () => change(cookie, good({ currentPassword: 'not the password', revokeKeys: true }))
      for (let i = 0; i < FREE_FAILURES; i++) {
        const answer = await wrong()
        assertProblem(answer, 401, 'invalid_credentials')
        assert.equal(answer.headers['set-cookie'], undefined)
      }
      let limited = await wrong()
      // The wait begins with the last attempt, and may be over; the next are longer.
      for (let i = 0; i < 4 && limited.status === 401; i++) limited = await wrong()
      assertProblem(limited, 429, 'rate_limited')
      assert.ok(Number(limited.headers['retry-after']) >= 1)
      assertProblem(await signIn(service.port, email, password), 429, 'rate_limited')
      assert.equal((await me(service.port, cookie)).status, 200)
      assert.ok(await works(key))
    })

    test('401 without a session or with an API key, 403 from another site', async () => {
      const { cookie } = await signUpPerson(service.port)
      const { apiKey } = await signUp(service.port)
      const send = (headers: Record<string, string>) => postAuth(service.port, 'change-password', good(), headers)
      assertProblem(await send(ownPage(service.port)), 401, 'unauthenticated')
      assertProblem(await send(withKey(apiKey)), 401, 'unauthenticated')
      assertProblem(await send({ cookie }), 403, 'cross_site')
      assertProblem(await send({ cookie, origin: 'https://evil.example' }), 403, 'cross_site')
      assertProblem(await send({ cookie, 'sec-fetch-site': 'cross-site' }), 403, 'cross_site')
      assert.equal((await me(service.port, cookie)).status, 200)
    })

    test('of ten concurrent changes from one session, one sets the password', async () => {
      const { email, cookie } = await signUpPerson(service.port)
      const passwords = Array.from({ length: 10 }, (_, i) => `my new password ${i}`)
      const answers = await Promise.all(passwords.map((newPassword) => change(cookie, good({ newPassword }))))
      const winners = passwords.filter((_, i) => answers[i]?.status === 204)
      assert.equal(winners.length, 1, answers.map(({ status }) => status).join())
      for (const { status } of answers) assert.ok([204, 401, 429, 503].includes(status), `${status}`)
      const { count } = await database.db
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
        .where('accounts.email', '=', email)
        .executeTakeFirstOrThrow()
      assert.equal(count, 1)
    })
  })

  describe('by reset', () => {
    test('without revokeKeys, keys keep working, and the notice lists them with a link to revoke them', async () => {
      const { email, apiKey } = await signUp(service.port)
      const revoked = await createKey(service.port, apiKey, 'Revoked before')
      await createKey(service.port, apiKey, 'CI see https://evil.example')
      await postKey(service.port, apiKey, { name: 'Nightly' })
      await database.db.updateTable('api_keys').set({ revoked_at: 1 }).where('id', '=', revoked.id).execute()
      assert.equal((await reset(await resetTokenFor(email), { revokeKeys: false })).status, 204)
      assert.ok(await works(apiKey))
      const mail = await notice(email)
      const keys = await listKeys(service.port, apiKey)
      for (const key of keys.filter(({ name }) => name === 'Nightly')) assert.ok(mail.includes(shown(key)), mail)
      for (const { keyPrefix, lastFour, status } of keys) {
        assert.equal(mail.includes(`${keyPrefix}…${lastFour}`), status === 'active', keyPrefix)
      }
      assert.ok(mail.includes(`${service.url}/keys`))
      assert.doesNotMatch(mail, /Revoked before|https:\/\/evil/)
    })

    test('with revokeKeys, keys from an earlier sign-up with the address stop working', async () => {
      const { email, apiKey } = await signUp(service.port)
      const second = await createKey(service.port, apiKey, 'Second')
      assert.equal((await reset(await resetTokenFor(email), { revokeKeys: true })).status, 204)
      for (const key of [apiKey, second.apiKey])
        assertProblem(await usage(service.port, withKey(key)), 401, 'unauthenticated')
      assert.equal((await signIn(service.port, email, NEW_PASSWORD)).status, 200)
      assert.doesNotMatch(await notice(email), /Second|dv_live_/)
    })

    test('an invalid link or field revokes nothing', async () => {
      const { email, apiKey } = await signUp(service.port)
      const token = await resetTokenFor(email)
      assertProblem(await reset('A'.repeat(43), { revokeKeys: true }), 400, 'invalid_token')
      for (const revokeKeys of ['true', 1, null, [], {}]) {
        const problem = assertProblem(await reset(token, { revokeKeys }), 400, 'invalid_request')
        assert.deepEqual(fieldsOf(problem), ['revokeKeys'])
      }
      assert.ok(await works(apiKey))
      assert.equal((await reset(token, { revokeKeys: true })).status, 204)
      assert.equal(await works(apiKey), false)
    })

    test('a key that was being created with a revoked key or an ended session is not created', async () => {
      const { email, apiKey } = await signUp(service.port)
      assert.equal((await reset(await resetTokenFor(email))).status, 204)
      const cookie = cookieOf(await signIn(service.port, email, NEW_PASSWORD))
      const { accountId } = await database.db
        .selectFrom('accounts')
        .select('id as accountId')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      const creating = await database.db.transaction().execute(async (trx) => {
        await trx.updateTable('accounts').set({ email }).where('id', '=', accountId).execute()
        const waiting = [postKey(service.port, apiKey), asPage(service.port, cookie, 'POST', '/api/v1/keys', {})]
        // Both are identified by then, and wait for the lock of the account.
        await sleep(500)
        await trx.updateTable('api_keys').set({ revoked_at: 1 }).where('account_id', '=', accountId).execute()
        await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute()
        return { waiting }
      })
      for (const answer of await Promise.all(creating.waiting)) assertProblem(answer, 401, 'unauthenticated')
    })
  })
})
