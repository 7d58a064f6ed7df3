/** Attempts to get into an account, or to get more rights in it, through invitations. Each was seen to succeed without its check. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#storage/database.ts'
import { GOOD_PASSWORD, me, type Person, postAuth, signIn, signUpPerson } from '#test/support/auth-client.ts'
import { newEmail, signUp, withKey } from '#test/support/client.ts'
import { ACCEPT, INVITATIONS, type MemberRig, memberRig } from '#test/support/members.ts'
import { mailTo, resetLinkIn } from '#test/support/outbox.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { openPlace } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const MEMBERS = '/api/v1/members'
/** Long enough for a request to have been identified. */
const WAITING_MS = 500
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000
/** So much of a token is not there by coincidence. */
const PART = 12

forEachDatabase('takeover by invitation', (openUrl) => {
  let place: DatabasePlace
  let service: Service
  let database: Database
  let rig: MemberRig
  before(async () => {
    place = await openUrl()
    service = await startService({ DOCVET_DATABASE_URL: place.url ?? undefined }, { dataDir: place.dataDir })
    database = await openPlace(place)
    rig = memberRig(service, database)
  })
  after(async () => {
    await database.close()
    await service[Symbol.asyncDispose]()
    await place.release()
  })

  async function outside(who: Pick<Person, 'cookie'>, accountId: string): Promise<void> {
    assertProblem(await rig.act(who, accountId), 404, 'not_found')
  }
  const invited = (answer: Answer) => assertProblem(answer, 400, 'invalid_invitation')

  test('a forwarded link: another address gets nothing, and the invitation stays for its own', async () => {
    const [owner, person, mallory] = [await rig.person(), await rig.person(), await rig.person()]
    const token = await rig.invite(owner, person.email, 'admin')
    assertProblem(await rig.accept(mallory, token), 403, 'invitation_mismatch')
    await outside(mallory, owner.id)
    assert.equal((await rig.accept(person, token)).status, 200)
  })

  test('an account that was made with the address before its owner proved it', async () => {
    const [owner, email] = [await rig.person(), newEmail()]
    const mallory = await signUpPerson(service.port, email)
    const token = await rig.invite(owner, email, 'admin')
    assertProblem(await rig.accept(mallory, token), 403, 'email_unverified')
    await outside(mallory, owner.id)
    assert.equal((await postAuth(service.port, 'forgot-password', { email })).status, 202)
    const reset = await resetLinkInNewest(email)
    const password = 'the owl left the barn'
    assert.equal((await postAuth(service.port, 'reset-password', { token: reset, password })).status, 204)
    assertProblem(await rig.accept(mallory, token), 401, 'unauthenticated')
    const answer = await signIn(service.port, email, password)
    const cookie = answer.headers['set-cookie']?.split(';')[0] ?? ''
    assert.equal((await rig.accept({ cookie }, token)).status, 200)
  })

  /** The mail of the reset, not that of the invitation. */
  async function resetLinkInNewest(email: string): Promise<string> {
    await resetLinkIn(service, email, 2)
    const mail = mailTo(service, email).find((eml) => eml.includes('/reset-password')) ?? ''
    return /\/reset-password[^#]*#token=([\w-]{43})/.exec(mail)?.[1] ?? ''
  }

  test('an account that was made with the address of another invites nobody', async () => {
    const mallory = await signUpPerson(service.port)
    const answer = await rig.ask(mallory, 'POST', INVITATIONS, { email: newEmail(), role: 'admin' })
    assertProblem(answer, 403, 'email_unverified')
  })

  test('a link twice, also after the person was removed', async () => {
    const [owner, person] = [await rig.person(), await rig.person()]
    const token = await rig.invite(owner, person.email)
    assert.equal((await rig.accept(person, token)).status, 200)
    invited(await rig.accept(person, token))
    assert.equal((await rig.ask(owner, 'DELETE', `${MEMBERS}/${person.id}`)).status, 204)
    invited(await rig.accept(person, token))
    await outside(person, owner.id)
  })

  test('a link that has expired, at the end of its time and not before', async () => {
    const [owner, person] = [await rig.person(), await rig.person()]
    const token = await rig.invite(owner, person.email)
    const age = (ms: number) =>
      database.db
        .updateTable('member_invitations')
        .set((eb) => ({ expires_at: eb('expires_at', '-', ms) }))
        .where('account_id', '=', owner.id)
        .execute()
    await age(WEEK_MS)
    invited(await rig.accept(person, token))
    await outside(person, owner.id)
    await age(-60_000)
    assert.equal((await rig.accept(person, token)).status, 200)
  })

  test('a link that was revoked, and one whose mail was replaced', async () => {
    const [owner, person] = [await rig.person(), await rig.person()]
    const token = await rig.invite(owner, person.email)
    const [open] = ((await rig.ask(owner, 'GET', INVITATIONS)).json() as { items: { id: string }[] }).items
    assert.equal((await rig.ask(owner, 'DELETE', `${INVITATIONS}/${open?.id}`)).status, 204)
    invited(await rig.accept(person, token))
    await outside(person, owner.id)
  })

  test('an invitation by an admin who was removed, or is admin no longer', async () => {
    const owner = await rig.person()
    const [removed, lowered] = [await rig.colleague(owner, 'admin'), await rig.colleague(owner, 'admin')]
    const [first, second] = [await rig.person(), await rig.person()]
    const tokens = [await rig.invite(removed, first.email, 'admin'), await rig.invite(lowered, second.email)] as const
    assert.equal((await rig.ask(owner, 'DELETE', `${MEMBERS}/${removed.id}`)).status, 204)
    assert.equal((await rig.ask(owner, 'PATCH', `${MEMBERS}/${lowered.id}`, { role: 'member' })).status, 204)
    invited(await rig.accept(first, tokens[0]))
    invited(await rig.accept(second, tokens[1]))
    for (const person of [first, second]) await outside(person, owner.id)
    const { items } = (await rig.ask(owner, 'GET', INVITATIONS)).json() as { items: [] }
    assert.deepEqual(items, [])
  })

  test('a role that nobody may give: owner, and any by a member or a viewer', async () => {
    const owner = await rig.person()
    const give = (who: Pick<Person, 'cookie'>, role: string) =>
      rig.ask(who, 'POST', INVITATIONS, { email: newEmail(), role })
    const admin = await rig.colleague(owner, 'admin')
    for (const who of [owner, admin])
      for (const role of ['owner', 'OWNER', 'root', '']) assertProblem(await give(who, role), 400, 'invalid_request')
    for (const role of ['member', 'viewer'] as const) {
      const someone = await rig.colleague(owner, role)
      assertProblem(await give(someone, 'viewer'), 403, 'role_forbidden')
      const self = `${MEMBERS}/${someone.id}`
      assertProblem(await rig.ask(someone, 'PATCH', self, { role: 'admin' }), 403, 'role_forbidden')
    }
  })

  test('a field in the request that changes the role, the address or the account', async () => {
    const [owner, person] = [await rig.person(), await rig.person()]
    const token = await rig.invite(owner, person.email, 'viewer')
    for (const more of [{ role: 'admin' }, { email: person.email }, { accountId: owner.id }])
      assertProblem(await rig.ask(person, 'POST', ACCEPT, { token, ...more }), 400, 'invalid_request')
    assert.equal(((await rig.accept(person, token)).json() as { role: string }).role, 'viewer')
  })

  test('a race: of many acceptances at once one succeeds, and none after the revocation', async () => {
    const [owner, person] = [await rig.person(), await rig.person()]
    const token = await rig.invite(owner, person.email)
    const answers = await Promise.all(Array.from({ length: 8 }, () => rig.accept(person, token)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) invited(answer)
    const joined = await database.db
      .selectFrom('audit_log')
      .select('seq')
      .where('account_id', '=', owner.id)
      .where('event', '=', 'member.joined')
      .execute()
    assert.equal(joined.length, 1)
  })

  test('a race: who accepts while the inviter is removed is a member before, or not at all', async () => {
    const owner = await rig.person()
    for (let i = 0; i < 5; i++) {
      const [admin, person] = [await rig.colleague(owner, 'admin'), await rig.person()]
      const token = await rig.invite(admin, person.email, 'admin')
      const [accepted, removal] = await Promise.all([
        rig.accept(person, token),
        rig.ask(owner, 'DELETE', `${MEMBERS}/${admin.id}`),
      ])
      assert.equal(removal.status, 204)
      const events = await database.db
        .selectFrom('audit_log')
        .select(['event', 'subject'])
        .where('account_id', '=', owner.id)
        .where('subject', 'in', [admin.id, person.id])
        .orderBy('seq')
        .execute()
      const order = events.map(({ event, subject }) => `${event} ${subject === admin.id ? 'admin' : 'person'}`)
      const late = [...order].reverse()[0] === 'member.joined person'
      assert.ok(!(late && accepted.status === 200), order.join(', '))
    }
  })

  test('a request of an admin whose session or role has just ended', async () => {
    const owner = await rig.person()
    const admin = await rig.colleague(owner, 'admin')
    const asked = Array.from({ length: 8 }, () =>
      rig.ask(admin, 'POST', INVITATIONS, { email: newEmail(), role: 'admin' }),
    )
    assert.equal((await rig.ask(owner, 'DELETE', `${MEMBERS}/${admin.id}`)).status, 204)
    await Promise.all(asked)
    const events = await database.db
      .selectFrom('audit_log')
      .select('event')
      .where('account_id', '=', owner.id)
      .orderBy('seq')
      .execute()
    const names = events.map(({ event }) => event)
    assert.deepEqual(
      names.slice(names.indexOf('member.removed')).filter((name) => name === 'member.invited'),
      [],
    )
  })

  test('a request of an admin whose role or session ends while it waits for the account', async () => {
    for (const ends of ['members', 'sessions'] as const) {
      const owner = await rig.person()
      const admin = await rig.colleague(owner, 'admin')
      const asked = await database.db.transaction().execute(async (trx) => {
        await trx.updateTable('accounts').set({ id: owner.id }).where('id', '=', owner.id).execute()
        const asking = rig.ask(admin, 'POST', INVITATIONS, { email: newEmail(), role: 'admin' })
        await sleep(WAITING_MS)
        await (ends === 'members'
          ? trx.updateTable('members').set({ role: 'member' }).where('member_account_id', '=', admin.id)
          : trx.deleteFrom('sessions').where('account_id', '=', admin.id)
        ).execute()
        return [asking]
      })
      const [answer] = (await Promise.all(asked)) as [Answer]
      const [status, code] =
        ends === 'members' ? ([403, 'role_forbidden'] as const) : ([401, 'unauthenticated'] as const)
      assertProblem(answer, status, code)
      const { items } = (await rig.ask(owner, 'GET', INVITATIONS)).json() as { items: [] }
      assert.deepEqual(items, [])
    }
  })

  test('a guess, a hash, or a token of another kind', async () => {
    const [owner, person] = [await rig.person(), await rig.person()]
    const token = await rig.invite(owner, person.email)
    const { hash } = await database.db
      .selectFrom('member_invitations')
      .select('hash')
      .where('account_id', '=', owner.id)
      .executeTakeFirstOrThrow()
    const session = person.cookie.split('=')[1] ?? ''
    for (const guess of ['A'.repeat(43), hash ?? '', session, `${token}A`, token.toLowerCase(), 'x'])
      invited(await rig.accept(person, guess))
    await outside(person, owner.id)
    assert.equal((await rig.accept(person, token)).status, 200)
  })

  test('from a page of another site, and with an API key', async () => {
    const [owner, person] = [await rig.person(), await rig.person()]
    const token = await rig.invite(owner, person.email)
    const headers = { cookie: person.cookie, origin: 'https://evil.invalid' }
    const path = ACCEPT
    assertProblem(await request(service.port, 'POST', path, { headers, body: { token } }), 403, 'cross_site')
    const { apiKey } = await signUp(service.port)
    for (const [method, url] of [
      ['POST', path],
      ['POST', INVITATIONS],
      ['GET', MEMBERS],
    ] as const)
      assertProblem(
        await request(service.port, method, url, {
          headers: withKey(apiKey),
          body: method === 'POST' ? {} : undefined,
        }),
        401,
        'unauthenticated',
      )
    await outside(person, owner.id)
  })

  test('the account in which a session works: none of which the person is no member', async () => {
    const [owner, mallory] = [await rig.person(), await rig.person()]
    await outside(mallory, owner.id)
    await database.db
      .updateTable('sessions')
      .set({ acting_account_id: owner.id })
      .where('account_id', '=', mallory.id)
      .execute()
    assertProblem(await me(service.port, mallory.cookie), 401, 'unauthenticated')
    assertProblem(await rig.ask(mallory, 'GET', '/api/v1/keys'), 401, 'unauthenticated')
  })

  test('the password, ways to sign in and sessions of the owner stay out of reach of an admin', async () => {
    const owner = await rig.person()
    const admin = await rig.colleague(owner, 'admin')
    const sessions = async (who: Pick<Person, 'cookie'>) =>
      ((await rig.ask(who, 'GET', '/api/v1/auth/sessions')).json() as { items: { id: string }[] }).items
    const [own] = await sessions(owner)
    assertProblem(await rig.ask(admin, 'DELETE', `/api/v1/auth/sessions/${own?.id}`), 404, 'not_found')
    assert.equal((await rig.ask(admin, 'DELETE', '/api/v1/auth/sessions')).status, 204)
    assert.equal((await me(service.port, owner.cookie)).status, 200)
    assertProblem(await rig.ask(admin, 'DELETE', '/api/v1/auth/me', { password: GOOD_PASSWORD }), 403, 'role_forbidden')
  })

  test('no token is in the log, the audit log, a job or a table', async () => {
    const [owner, person] = [await rig.person(), await rig.person()]
    const token = await rig.invite(owner, person.email)
    await rig.accept(person, token.replace(/^./, 'x'))
    assert.equal((await rig.accept(person, token)).status, 200)
    // A client may put it into the URL by mistake.
    await rig.ask(person, 'GET', `/join?token=${token}`)
    await rig.ask(person, 'DELETE', `${INVITATIONS}/${token}`)
    await service.logged(/"path":"\/api\/v1\/invitations\/\[redacted\]"/)
    const rows = []
    for (const table of ['audit_log', 'jobs', 'member_invitations', 'members', 'sessions'] as const)
      rows.push(await database.db.selectFrom(table).selectAll().execute())
    // On a loopback address alone, links of mail in files are shown there.
    const log = service.output().replace(/^.*Mail written to a file.*$/gm, '')
    for (const text of [log, JSON.stringify(rows)]) {
      assert.ok(!text.includes(token))
      for (let at = 0; at + PART <= token.length; at++) assert.ok(!text.includes(token.slice(at, at + PART)))
    }
  })
})
