/** People who work in the account of another: invitations, roles, the acting account, and their end. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#base/ids.ts'
import { MEMBERS_MAX, MEMBERSHIPS_MAX } from '#members/change.ts'
import { INVITATIONS_OPEN_MAX, INVITATIONS_PER_ADDRESS_MAX, INVITATIONS_PER_DAY_MAX } from '#members/invitations.ts'
import type { Database } from '#storage/database.ts'
import { GOOD_PASSWORD, me, type Person, signIn, signUpPerson } from '#test/support/auth-client.ts'
import { assertFields, newEmail, TIME, UNKNOWN_ID, UUID, usage, withKey } from '#test/support/client.ts'
import { type Colleague, INVITATIONS, type MemberRig, memberRig } from '#test/support/members.ts'
import { mailTo, untilMail } from '#test/support/outbox.ts'
import { assertProblem } from '#test/support/problem.ts'
import { openPlace, seedAccount } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const MEMBERS = '/api/v1/members'
const KEYS = '/api/v1/keys'
const ACT = '/api/v1/auth/act'
const DAY_MS = 24 * 60 * 60 * 1_000

interface Key {
  id: string
  apiKey: string
  scopes?: string[]
  createdBy?: string
}

forEachDatabase('members', (openUrl) => {
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

  const itemsOf = async (who: Pick<Person, 'cookie'>, path: string) => {
    const answer = await rig.ask(who, 'GET', path)
    assert.equal(answer.status, 200, answer.body)
    return (answer.json() as { items: Record<string, string>[] }).items
  }
  const keysOf = async (who: Pick<Person, 'cookie'>) => (await rig.ask(who, 'GET', KEYS)).json() as Key[]
  const newKey = async (who: Pick<Person, 'cookie'>, body: object = {}) => {
    const answer = await rig.ask(who, 'POST', KEYS, body)
    assert.equal(answer.status, 201, answer.body)
    return answer.json() as Key
  }
  const works = async ({ apiKey }: Key) => (await usage(service.port, withKey(apiKey))).status === 200
  const eventsOf = async (accountId: string) =>
    (await database.db.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).orderBy('seq').execute())
      .map(({ actor, event, details }) => `${actor} ${event}${details ? ` ${details}` : ''}`)
      .filter((line) => !line.includes('session.'))

  describe('an account without members', () => {
    test('is as before: the same bytes of /auth/me, and no field more in the list of keys', async () => {
      const person = await signUpPerson(service.port)
      await newKey(person)
      const { body } = await me(service.port, person.cookie)
      assert.equal(body, `{"email":"${person.email}","plan":"free","authProvider":"password"}`)
      const [key] = await keysOf(person)
      assert.deepEqual(Object.keys(key ?? {}), [
        ...['id', 'name', 'keyPrefix', 'lastFour', 'status', 'createdAt', 'lastUsedAt'],
      ])
    })
  })

  describe('an invitation', () => {
    test('from mail to role: what each sees, the mails, and the audit log', async () => {
      const [owner, email] = [await rig.person(), newEmail()]
      const invited = await rig.ask(owner, 'POST', INVITATIONS, { email: ` ${email} `, role: 'member' })
      assert.equal(invited.status, 202, invited.body)
      assertFields(invited.json(), { id: UUID, email, role: 'member', createdAt: TIME, expiresAt: TIME })
      assert.deepEqual(await itemsOf(owner, INVITATIONS), [invited.json()])
      const mail = await untilMail(service, email, /\/join#token=/)
      assert.match(mail, new RegExp(`"${owner.email.replaceAll('.', '\\[?\\.\\]?')}" invites you`))
      const person = await rig.person(email)
      const answer = await rig.accept(person, await rig.tokenFor(email))
      assert.equal(answer.status, 200, answer.body)
      assert.deepEqual(answer.json(), { accountId: owner.id, email: owner.email, role: 'member' })
      assert.deepEqual(await itemsOf(owner, INVITATIONS), [])
      const members = await itemsOf(owner, MEMBERS)
      assert.deepEqual(
        members.map(({ id, email: address, role }) => [id, address, role]),
        [
          [owner.id, owner.email, 'owner'],
          [person.id, email, 'member'],
        ],
      )
      await untilMail(service, owner.email, /has joined your Docvet account/)
      assert.deepEqual(await eventsOf(owner.id), [
        'owner account.created {"plan":"free"}',
        'owner member.invited {"role":"member"}',
        `member:${person.id} member.joined {"role":"member"}`,
      ])
    })

    test('to an address with an account and to one without: the same response', async () => {
      const [owner, known] = [await rig.person(), await rig.person()]
      const bodies = []
      for (const email of [known.email, newEmail()]) {
        const { status, body } = await rig.ask(owner, 'POST', INVITATIONS, { email, role: 'viewer' })
        bodies.push([status, body.replace(email, '').replace(/"(?:id|createdAt|expiresAt)":"[^"]*"/g, '')])
      }
      assert.deepEqual(bodies[0], bodies[1])
    })

    test('to a member, or to an address that is none', async () => {
      const owner = await rig.person()
      const member = await rig.colleague(owner, 'viewer')
      for (const email of [owner.email, member.email.toUpperCase(), 'nobody', 'a@b.example\r\nBcc: x@y.example'])
        assertProblem(await rig.ask(owner, 'POST', INVITATIONS, { email, role: 'viewer' }), 400, 'invalid_request')
    })

    test('a newer one to the same address replaces it, with its role', async () => {
      const [owner, person] = [await rig.person(), await rig.person()]
      const first = await rig.invite(owner, person.email, 'admin')
      assert.equal((await rig.ask(owner, 'POST', INVITATIONS, { email: person.email, role: 'viewer' })).status, 202)
      const second = await rig.tokenFor(person.email, 2)
      assert.equal((await itemsOf(owner, INVITATIONS)).length, 1)
      assertProblem(await rig.accept(person, first), 400, 'invalid_invitation')
      assert.equal(((await rig.accept(person, second)).json() as { role: string }).role, 'viewer')
    })

    test('limits: at most so many are open, in a day, and to one address', async () => {
      const owner = await rig.person()
      const row = (email: string, createdAt: number, endedAt: number | null) => ({
        ...{ id: newId(), account_id: owner.id, email, email_key: email, role: 'viewer', invited_by: owner.id },
        ...{ hash: null, created_at: createdAt, expires_at: Date.now() + DAY_MS, ended_at: endedAt },
      })
      const put = (count: number, createdAt: number, endedAt: number | null, email?: string) =>
        database.db
          .insertInto('member_invitations')
          .values(Array.from({ length: count }, () => row(email ?? newEmail(), createdAt, endedAt)))
          .execute()
      const old = Date.now() - DAY_MS - 60_000
      await put(INVITATIONS_OPEN_MAX - 1, old, null)
      const invite = (email = newEmail()) => rig.ask(owner, 'POST', INVITATIONS, { email, role: 'viewer' })
      const last = newEmail()
      assert.equal((await invite(last)).status, 202)
      assertProblem(await invite(), 409, 'member_limit_reached')
      // It replaces its own.
      assert.equal((await invite(last)).status, 202)
      await database.db.deleteFrom('member_invitations').where('account_id', '=', owner.id).execute()
      await put(INVITATIONS_PER_DAY_MAX - 1, Date.now(), Date.now())
      assert.equal((await invite()).status, 202)
      assertProblem(await invite(), 409, 'member_limit_reached')
      await database.db.deleteFrom('member_invitations').where('account_id', '=', owner.id).execute()
      const victim = newEmail()
      await put(INVITATIONS_PER_ADDRESS_MAX - 1, Date.now(), Date.now(), victim)
      assert.equal((await invite(victim)).status, 202)
      const other = await rig.person()
      assertProblem(await invite(victim), 409, 'member_limit_reached')
      // Others can invite the person nevertheless, once.
      const byOther = () => rig.ask(other, 'POST', INVITATIONS, { email: victim, role: 'viewer' })
      assert.equal((await byOther()).status, 202)
      assertProblem(await byOther(), 409, 'member_limit_reached')
    })

    test('limits: at most so many members, and accounts of one person', async () => {
      const [owner, person] = [await rig.person(), await rig.person()]
      const seed = async (count: number, row: (id: string) => { account_id: string; member_account_id: string }) => {
        const ids = []
        for (let i = 0; i < count; i++) ids.push(await seedAccount(database))
        const more = { role: 'viewer', invited_by: null, created_at: Date.now(), removed_at: null }
        await database.db
          .insertInto('members')
          .values(ids.map((id) => ({ ...row(id), ...more })))
          .execute()
      }
      await seed(MEMBERS_MAX - 1, (id) => ({ account_id: owner.id, member_account_id: id }))
      const [first, second] = [await rig.person(), await rig.person()]
      const tokens = [await rig.invite(owner, first.email), await rig.invite(owner, second.email)] as const
      assert.equal((await rig.accept(first, tokens[0])).status, 200)
      assertProblem(await rig.accept(second, tokens[1]), 409, 'member_limit_reached')
      const late = { email: newEmail(), role: 'viewer' }
      assertProblem(await rig.ask(owner, 'POST', INVITATIONS, late), 409, 'member_limit_reached')

      await seed(MEMBERSHIPS_MAX - 1, (id) => ({ account_id: id, member_account_id: person.id }))
      const [one, another] = [await rig.person(), await rig.person()]
      assert.equal((await rig.accept(person, await rig.invite(one, person.email))).status, 200)
      assert.equal((await rig.ask(another, 'POST', INVITATIONS, { email: person.email, role: 'viewer' })).status, 202)
      assertProblem(await rig.accept(person, await rig.tokenFor(person.email, 2)), 409, 'member_limit_reached')
    })
  })

  describe('the acting account', () => {
    test('a person works in an account of another, and returns; other sessions are not affected', async () => {
      const owner = await rig.person()
      await database.db.updateTable('accounts').set({ plan: 'pro' }).where('id', '=', owner.id).execute()
      const member = await rig.colleague(owner, 'member')
      const other = await rig.anotherSession(member.id)
      const acting = (await me(service.port, member.cookie)).json()
      assert.deepEqual(acting, {
        ...{ email: member.email, plan: 'pro', authProvider: 'password' },
        actingAs: { accountId: owner.id, role: 'member', email: owner.email },
      })
      assert.deepEqual(Object.keys((await me(service.port, other.cookie)).json() as object).length, 3)
      const choices = await itemsOf(member, ACT)
      assert.deepEqual(choices, [
        { accountId: member.id, email: member.email, role: 'owner', current: false },
        { accountId: owner.id, email: owner.email, role: 'member', current: true },
      ])
      const key = await newKey(member)
      assert.deepEqual(await keysOf(other), [])
      assert.ok((await keysOf(owner)).some(({ id, createdBy }) => id === key.id && createdBy === member.id))
      assert.equal((await rig.act(member, member.id)).status, 204)
      assert.deepEqual(await keysOf(member), [])
      assertProblem(await rig.act(member, UNKNOWN_ID), 404, 'not_found')
      assert.ok((await eventsOf(owner.id)).includes(`member:${member.id} key.created`))
    })

    test('what is about the person stays with the person', async () => {
      const owner = await rig.person()
      const member = await rig.colleague(owner, 'admin')
      const change = { currentPassword: GOOD_PASSWORD, newPassword: 'the owl left the barn' }
      assert.equal((await rig.ask(member, 'POST', '/api/v1/auth/change-password', change)).status, 204)
      assert.equal((await signIn(service.port, owner.email, GOOD_PASSWORD)).status, 200)
      assert.equal((await signIn(service.port, member.email, 'the owl left the barn')).status, 200)
    })

    test('of a disabled account is refused, and works again when it is enabled', async () => {
      const owner = await rig.person()
      const member = await rig.colleague(owner, 'viewer')
      const disable = (at: number | null) =>
        database.db.updateTable('accounts').set({ disabled_at: at }).where('id', '=', owner.id).execute()
      await disable(Date.now())
      assertProblem(await rig.ask(member, 'GET', '/api/v1/usage'), 401, 'unauthenticated')
      await disable(null)
      assert.equal((await rig.ask(member, 'GET', '/api/v1/usage')).status, 200)
    })
  })

  describe('keys of members', () => {
    test('a member has keys that scan and read, sees only those, and gives no key more', async () => {
      const owner = await rig.person()
      const foreign = await newKey(owner)
      const member = await rig.colleague(owner, 'member')
      await newKey(member)
      const [own, ...others] = await keysOf(member)
      assert.deepEqual([own?.scopes, own?.createdBy, others], [['scan', 'read'], member.id, []])
      for (const scopes of [['manage'], ['scan', 'read', 'manage']])
        assertProblem(await rig.ask(member, 'POST', KEYS, { scopes }), 403, 'role_forbidden')
      assertProblem(await rig.ask(member, 'DELETE', `${KEYS}/${foreign.id}`), 404, 'not_found')
      assertProblem(await rig.ask(member, 'POST', `${KEYS}/${foreign.id}/roll`), 404, 'not_found')
      assert.ok(await works(foreign))
    })

    test('whom a key belongs to follows its newest secret, also through another key', async () => {
      const owner = await rig.person()
      const admin = await rig.colleague(owner, 'admin')
      const [first, rolled] = [await newKey(admin), await newKey(owner)]
      const viaKey = (await (
        await fetch(`${service.url}${KEYS}`, { method: 'POST', headers: withKey(first.apiKey) })
      ).json()) as Key
      const secret = (await rig.ask(admin, 'POST', `${KEYS}/${rolled.id}/roll`)).json() as Key
      const kept = await newKey(owner)
      assert.equal((await rig.ask(owner, 'DELETE', `${MEMBERS}/${admin.id}`)).status, 204)
      for (const each of [first, viaKey, secret]) assert.equal(await works(each), false)
      assert.ok(await works(kept))
    })

    test('a lower role ends the keys that may do more than it', async () => {
      const owner = await rig.person()
      const admin = await rig.colleague(owner, 'admin')
      const [all, scan] = [await newKey(admin), await newKey(admin, { scopes: ['scan'] })]
      const setRole = (role: string, keepKeys?: boolean) =>
        rig.ask(owner, 'PATCH', `${MEMBERS}/${admin.id}`, { role, ...(keepKeys && { keepKeys }) })
      assert.equal((await setRole('member', true)).status, 204)
      assert.ok(await works(all))
      assertProblem(await rig.ask(admin, 'POST', `${KEYS}/${all.id}/roll`), 403, 'role_forbidden')
      assert.equal((await setRole('member')).status, 204)
      assert.deepEqual([await works(all), await works(scan)], [false, true])
      assert.equal((await setRole('viewer')).status, 204)
      assert.equal(await works(scan), false)
    })
  })

  describe('the end of a membership', () => {
    test('removed: the session ends, keys are revoked unless they are to stay, and an invitation adds again', async () => {
      const owner = await rig.person()
      for (const keepKeys of [false, true]) {
        const member = await rig.colleague(owner, 'member')
        const home = await rig.anotherSession(member.id)
        const key = await newKey(member)
        assert.equal((await rig.ask(owner, 'DELETE', `${MEMBERS}/${member.id}`, { keepKeys })).status, 204)
        assertProblem(await me(service.port, member.cookie), 401, 'unauthenticated')
        assert.equal((await me(service.port, home.cookie)).status, 200)
        assert.equal(await works(key), keepKeys)
        assertProblem(await rig.act(home, owner.id), 404, 'not_found')
        assertProblem(await rig.ask(owner, 'DELETE', `${MEMBERS}/${member.id}`), 404, 'not_found')
        assert.equal((await rig.ask(owner, 'POST', INVITATIONS, { email: member.email, role: 'viewer' })).status, 202)
        assert.equal((await rig.accept(home, await rig.tokenFor(member.email, 2))).status, 200)
        assert.equal((await rig.act(home, owner.id)).status, 204)
      }
    })

    test('left: the person is in the own account then', async () => {
      const owner = await rig.person()
      const member = await rig.colleague(owner, 'member')
      const key = await newKey(member)
      assert.equal((await rig.ask(member, 'DELETE', `${ACT}/${owner.id}`)).status, 204)
      assert.equal(((await me(service.port, member.cookie)).json() as { actingAs?: object }).actingAs, undefined)
      assert.equal(await works(key), false)
      for (const id of [owner.id, member.id])
        assertProblem(await rig.ask(member, 'DELETE', `${ACT}/${id}`), 404, 'not_found')
      assert.ok((await eventsOf(owner.id)).includes(`member:${member.id} member.left`))
    })

    test('the owner stays, and an admin cannot become one', async () => {
      const owner = await rig.person()
      const admin = await rig.colleague(owner, 'admin')
      assertProblem(await rig.ask(admin, 'DELETE', `${MEMBERS}/${owner.id}`), 403, 'role_forbidden')
      assertProblem(await rig.ask(admin, 'PATCH', `${MEMBERS}/${owner.id}`, { role: 'viewer' }), 403, 'role_forbidden')
      assertProblem(await rig.ask(admin, 'PATCH', `${MEMBERS}/${admin.id}`, { role: 'owner' }), 400, 'invalid_request')
    })

    test('an account with members cannot be deleted; without them everything about them is gone', async () => {
      const owner = await rig.person()
      const member = await rig.colleague(owner, 'member')
      await rig.ask(owner, 'POST', INVITATIONS, { email: newEmail(), role: 'viewer' })
      assertProblem(await rig.ask(owner, 'DELETE', '/api/v1/auth/me'), 409, 'account_has_members')
      assert.equal((await rig.ask(owner, 'DELETE', `${MEMBERS}/${member.id}`)).status, 204)
      assert.equal((await rig.ask(owner, 'DELETE', '/api/v1/auth/me')).status, 204)
      for (const table of ['members', 'member_invitations'] as const)
        assert.deepEqual(
          await database.db.selectFrom(table).selectAll().where('account_id', '=', owner.id).execute(),
          [],
        )
    })

    test('a member who deletes the own account leaves the rows of the account, without the person', async () => {
      const owner = await rig.person()
      const admin = await rig.colleague(owner, 'admin')
      const key = await newKey(admin)
      const sha256 = 'a'.repeat(64)
      const allowed = (who: Colleague) => rig.ask(who, 'GET', `/api/v1/allowed/${sha256}`)
      assert.equal((await rig.ask(admin, 'PUT', `/api/v1/allowed/${sha256}`, {})).status, 200)
      assert.equal(((await allowed(owner)).json() as { allowedBy: string }).allowedBy, admin.email)
      assertProblem(await rig.ask(admin, 'DELETE', '/api/v1/auth/me'), 403, 'role_forbidden')
      await rig.act(admin, admin.id)
      assert.equal((await rig.ask(admin, 'DELETE', '/api/v1/auth/me')).status, 204)
      assert.equal(((await allowed(owner)).json() as { allowedBy: null }).allowedBy, null)
      assert.deepEqual([await works(key), (await itemsOf(owner, MEMBERS)).length], [false, 1])
      assert.ok((await keysOf(owner)).some(({ id }) => id === key.id))
    })
  })

  test('no mail has the address of a member in its subject', async () => {
    const owner = await rig.person()
    const member = await rig.colleague(owner, 'viewer')
    await untilMail(service, owner.email, /has joined/)
    for (const eml of [...mailTo(service, owner.email), ...mailTo(service, member.email)])
      assert.doesNotMatch(/^Subject: (.*)$/m.exec(eml)?.[1] ?? '', /@/)
  })
})
