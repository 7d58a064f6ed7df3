/** DOCVET_SIGNUP and DOCVET_DEFAULT_PLAN, for sign-up with and without a password. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createInviteStore } from '#accounts/invite-store.ts'
import type { Database } from '#storage/database.ts'
import { startApp } from '#test/support/app.ts'
import { GOOD_PASSWORD } from '#test/support/auth-client.ts'
import { newEmail } from '#test/support/client.ts'
import { assertProblem, fieldsOf } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { type DatabasePlace, forEachDatabase, useDatabase } from '#test/support/suite.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const KINDS = [
  { path: '/api/v1/signup', body: () => ({ email: newEmail() }) },
  { path: '/api/v1/auth/signup', body: () => ({ email: newEmail(), password: GOOD_PASSWORD }) },
]

forEachDatabase('sign-up', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  useDatabase(openUrl, (opened, at) => {
    database = opened
    place = at
  })

  const start = (env: Record<string, string>) =>
    startApp({}, { DOCVET_DATABASE_URL: place.url ?? undefined, ...env }, { database })
  const invite = () => database.audit.change((trx) => createInviteStore(database).create(trx))
  const isAccount = async (email: string) =>
    (await database.db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst()) !== undefined

  test('new accounts get the default plan', async () => {
    await using app = await start({ DOCVET_DEFAULT_PLAN: 'starter' })
    for (const { path, body } of KINDS) {
      const answer = await request(app.port, 'POST', path, { body: body() })
      assert.deepEqual([answer.status, (answer.json() as { plan: string }).plan], [201, 'starter'])
    }
  })

  test('is refused with 403 signup_closed if it is closed, also for a taken address', async () => {
    await using open = await start({})
    const taken = newEmail()
    assert.equal((await request(open.port, 'POST', '/api/v1/signup', { body: { email: taken } })).status, 201)
    await using app = await start({ DOCVET_SIGNUP: 'closed' })
    const { code } = await invite()
    for (const { path, body } of KINDS) {
      const sent = { ...body(), inviteCode: code }
      assertProblem(await request(app.port, 'POST', path, { body: sent }), 403, 'signup_closed')
      assertProblem(await request(app.port, 'POST', path, { body: { ...sent, email: taken } }), 403, 'signup_closed')
      assert.equal(await isAccount(sent.email), false)
    }
  })

  test('ignores a code if it is open', async () => {
    await using app = await start({})
    for (const { path, body } of KINDS) {
      const answer = await request(app.port, 'POST', path, { body: { ...body(), inviteCode: 'anything' } })
      assert.equal(answer.status, 201, answer.body)
    }
  })

  describe('by invitation', () => {
    let app: Awaited<ReturnType<typeof startApp>>
    before(async () => {
      app = await start({ DOCVET_SIGNUP: 'invite' })
    })
    after(() => app[Symbol.asyncDispose]())
    const post = (path: string, body: object) => request(app.port, 'POST', path, { body })

    for (const { path, body } of KINDS) {
      test(`${path} needs a code, which works once`, async () => {
        assert.deepEqual(fieldsOf(assertProblem(await post(path, body()), 403, 'invite_required')), ['inviteCode'])
        const { code } = await invite()
        for (const wrong of [code.toLowerCase().padEnd(23, 'x'), 'x', '\0', 'x'.repeat(200)]) {
          assertProblem(await post(path, { ...body(), inviteCode: wrong }), 403, 'invite_required')
        }
        assert.equal((await post(path, { ...body(), inviteCode: code })).status, 201)
        const second = body()
        assertProblem(await post(path, { ...second, inviteCode: code }), 403, 'invite_required')
        assert.equal(await isAccount(second.email), false)
      })

      test(`${path} refuses a code of more than 200 characters`, async () => {
        const answer = await post(path, { ...body(), inviteCode: 'x'.repeat(201) })
        assert.deepEqual(fieldsOf(assertProblem(answer, 400, 'invalid_request')), ['inviteCode'])
      })

      test(`${path} with a taken address does not use the code`, async () => {
        const first = { ...body(), inviteCode: (await invite()).code }
        assert.equal((await post(path, first)).status, 201)
        const { code } = await invite()
        assertProblem(await post(path, { ...first, inviteCode: code }), 409, 'email_taken')
        assert.equal((await post(path, { ...body(), inviteCode: code })).status, 201)
      })

      test(`${path} refuses a code that is 14 days old`, async () => {
        const [old, young] = [await invite(), await invite()]
        const move = (id: string, expiresAt: number) =>
          database.db.updateTable('invites').set({ expires_at: expiresAt }).where('id', '=', id).execute()
        await move(old.id, old.expiresAt - 14 * DAY_MS)
        await move(young.id, young.expiresAt - 14 * DAY_MS + 60_000)
        assertProblem(await post(path, { ...body(), inviteCode: old.code }), 403, 'invite_required')
        assert.equal((await post(path, { ...body(), inviteCode: young.code })).status, 201)
      })

      test(`${path} creates one account for ten concurrent uses of a code`, async () => {
        const { code } = await invite()
        const answers = await Promise.all(Array.from({ length: 10 }, () => post(path, { ...body(), inviteCode: code })))
        assert.equal(answers.filter(({ status }) => status === 201).length, 1)
        const refused = answers.filter(({ status }) => status !== 201)
        for (const answer of refused) assertProblem(answer, 403, 'invite_required')
      })
    }

    test('only the hash of a code is stored, with the account it created', async () => {
      const { id, code } = await invite()
      const answer = await post('/api/v1/signup', { email: newEmail(), inviteCode: code })
      const { accountId } = answer.json() as { accountId: string }
      const row = await database.db.selectFrom('invites').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      assert.equal(row.account_id, accountId)
      assert.doesNotMatch(JSON.stringify(row), new RegExp(code))
    })
  })
})
