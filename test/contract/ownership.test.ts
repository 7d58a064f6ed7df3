/** The ownership of an account goes to a member: who may do what then, on both replicas, and what becomes of keys, data and mail. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#base/ids.ts'
import { createIdentityStore } from '#oidc/store.ts'
import type { Database } from '#storage/database.ts'
import { asPage, GOOD_PASSWORD, me, type Person, signIn } from '#test/support/auth-client.ts'
import { newEmail, UNKNOWN_ID, usage, withKey } from '#test/support/client.ts'
import { type Colleague, INVITATIONS, type MemberRig, memberRig } from '#test/support/members.ts'
import { untilMail } from '#test/support/outbox.ts'
import { assertProblem } from '#test/support/problem.ts'
import { openPlace } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const MEMBERS = '/api/v1/members'
const KEYS = '/api/v1/keys'

interface Key {
  id: string
  apiKey: string
  createdBy?: string
}

forEachDatabase('ownership', (openUrl) => {
  let place: DatabasePlace
  let replicas: Service[]
  let database: Database
  let rig: MemberRig
  before(async () => {
    place = await openUrl()
    const env = {
      DOCVET_DATABASE_URL: place.url ?? undefined,
      DOCVET_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    const start = () => startService(env, { dataDir: place.dataDir })
    replicas = [await start(), await start()]
    database = await openPlace(place)
    rig = memberRig(replicas[0] as Service, database)
  })
  after(async () => {
    await database.close()
    for (const replica of replicas) await replica[Symbol.asyncDispose]()
    await place.release()
  })

  const onOther = (who: Pick<Person, 'cookie'>, path: string) =>
    asPage((replicas[1] as Service).port, who.cookie, 'GET', path)
  const transfer = (who: Pick<Person, 'cookie'>, to: string, body?: object) =>
    rig.ask(who, 'POST', `${MEMBERS}/${to}/transfer`, body)
  const newKey = async (who: Pick<Person, 'cookie'>) => (await rig.ask(who, 'POST', KEYS, {})).json() as Key
  const works = async ({ apiKey }: Key) => (await usage((replicas[1] as Service).port, withKey(apiKey))).status === 200
  const signedIn = async (email: string) => {
    const answer = await signIn((replicas[1] as Service).port, email, GOOD_PASSWORD)
    assert.equal(answer.status, 200, answer.body)
    return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' }
  }
  const actingOf = async (who: Pick<Person, 'cookie'>) =>
    ((await me((replicas[1] as Service).port, who.cookie)).json() as { actingAs?: { role: string; email: string } })
      .actingAs
  const setFresh = (id: string, at: number) =>
    database.db.updateTable('sessions').set({ created_at: at }).where('account_id', '=', id).execute()

  test('the member is the owner, the former owner an admin, with all data in its place', async () => {
    const owner = await rig.person()
    await database.db.updateTable('accounts').set({ plan: 'pro' }).where('id', '=', owner.id).execute()
    const member = await rig.colleague(owner, 'member')
    const viewer = await rig.colleague(owner, 'viewer')
    const elsewhere = await rig.person()
    // Both also work in the account of somebody else.
    const row = { account_id: elsewhere.id, role: 'viewer', invited_by: null, created_at: 1, removed_at: null }
    await database.db
      .insertInto('members')
      .values([owner, member].map(({ id }) => ({ ...row, member_account_id: id })))
      .execute()
    const [ownersKey, membersKey] = [await newKey(owner), await newKey(member)]
    const open = (await rig.ask(owner, 'POST', INVITATIONS, { email: newEmail(), role: 'viewer' })).json() as Key
    const identity = {
      id: newId(),
      account_id: owner.id,
      provider: 'x',
      issuer: 'https://id.example',
      subject: newId(),
    }
    await database.db
      .insertInto('identities')
      .values({ ...identity, created_at: 1, used_at: 1, removed_at: null })
      .execute()
    const [otherOfOwner, otherOfMember] = [await rig.anotherSession(owner.id), await rig.anotherSession(member.id)]

    const answer = await transfer(owner, member.id)
    assert.equal(answer.status, 204, answer.body)

    // The session of the former owner goes on as that of an admin; all others of both end.
    assert.deepEqual(await actingOf(owner), { accountId: owner.id, role: 'admin', email: member.email })
    assertProblem(await onOther(owner, '/api/v1/marketplace/subscriptions'), 403, 'role_forbidden')
    assert.equal((await onOther(owner, MEMBERS)).status, 200)
    for (const ended of [otherOfOwner, otherOfMember, member])
      assertProblem(await onOther(ended, '/api/v1/auth/me'), 401, 'unauthenticated')
    assert.equal((await onOther(viewer, '/api/v1/usage')).status, 200)

    // Each signs in with the own address and password.
    const newOwner = await signedIn(member.email)
    assert.deepEqual((await me((replicas[1] as Service).port, newOwner.cookie)).json(), {
      ...{ email: member.email, plan: 'pro', authProvider: 'password' },
    })
    assert.equal((await onOther(newOwner, '/api/v1/marketplace/subscriptions')).status, 200)
    const former = await signedIn(owner.email)
    const formerId = await rig.idOf(owner.email)
    assert.deepEqual((await me((replicas[0] as Service).port, former.cookie)).json(), {
      ...{ email: owner.email, plan: 'free', authProvider: 'password' },
    })
    assert.ok(formerId !== owner.id && formerId !== member.id)
    const { items } = (await onOther(newOwner, MEMBERS)).json() as {
      items: { id: string; email: string; role: string }[]
    }
    assert.deepEqual(
      items.map(({ id, email, role }) => [id, email, role]).sort(),
      [
        [owner.id, member.email, 'owner'],
        [formerId, owner.email, 'admin'],
        [viewer.id, viewer.email, 'viewer'],
      ].sort(),
    )

    // Keys, the open invitation and memberships elsewhere stay with those they belong to.
    assert.deepEqual([await works(ownersKey), await works(membersKey)], [true, true])
    const keys = (await onOther(newOwner, KEYS)).json() as Key[]
    assert.deepEqual(
      keys.map(({ id, createdBy }) => [id, createdBy ?? null]).sort(),
      [
        [ownersKey.id, formerId],
        [membersKey.id, null],
      ].sort(),
    )
    assert.equal(((await onOther(newOwner, INVITATIONS)).json() as { items: Key[] }).items[0]?.id, open.id)
    for (const each of [former, newOwner]) {
      const { items: accounts } = (await onOther(each, '/api/v1/auth/act')).json() as { items: { accountId: string }[] }
      assert.ok(accounts.some(({ accountId }) => accountId === elsewhere.id))
    }
    const moved = database.db.selectFrom('identities').select('account_id').where('id', '=', identity.id)
    assert.equal((await moved.executeTakeFirst())?.account_id, formerId)
    // A sign-in of the former owner that had found this account before must not end in it.
    const stale = { id: identity.id, accountId: owner.id }
    const use = (which: typeof stale) => database.audit.change((trx) => createIdentityStore(database).use(trx, which))
    assert.deepEqual([await use(stale), await use({ ...stale, accountId: formerId })], [false, true])

    const [log] = await database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', owner.id)
      .where('event', '=', 'account.transferred')
      .execute()
    assert.deepEqual([log?.actor, log?.details], ['owner', JSON.stringify({ from: formerId, to: member.id })])
    await untilMail(replicas[0] as Service, owner.email, /is the owner of your former Docvet account/)
    await untilMail(replicas[0] as Service, member.email, /made you the owner of/)

    // The former owner is removed like any admin, with the keys.
    assert.equal((await rig.ask(newOwner, 'DELETE', `${MEMBERS}/${formerId}`)).status, 204)
    assertProblem(await onOther(owner, '/api/v1/usage'), 401, 'unauthenticated')
    assert.deepEqual([await works(ownersKey), await works(membersKey)], [false, true])
    assert.equal((await onOther(former, '/api/v1/usage')).status, 200)
  })

  test('back again, and twice at the same time', async () => {
    const owner = await rig.person()
    const [one, other] = [await rig.colleague(owner, 'admin'), await rig.colleague(owner, 'admin')]
    const answers = await Promise.all([transfer(owner, one.id), transfer(owner, other.id)])
    assert.deepEqual(answers.map(({ status }) => status).filter((status) => status === 204).length, 1)
    const taker = answers[0]?.status === 204 ? one : other
    const newOwner = await signedIn(taker.email)
    const formerId = await rig.idOf(owner.email)
    assert.equal((await transfer(newOwner, formerId)).status, 204)
    assert.deepEqual(await actingOf(await signedIn(owner.email)), undefined)
    assert.equal(await rig.idOf(owner.email), owner.id)
  })

  test('only the owner, with a recent sign-in or the password, to a member of this account', async () => {
    const [owner, stranger] = [await rig.person(), await rig.person()]
    const admin = await rig.colleague(owner, 'admin')
    for (const to of [admin.id, owner.id]) assertProblem(await transfer(admin, to), 403, 'role_forbidden')
    for (const to of [stranger.id, UNKNOWN_ID]) assertProblem(await transfer(owner, to), 404, 'not_found')
    assertProblem(await transfer(owner, owner.id), 404, 'not_found')
    await setFresh(owner.id, Date.now() - 11 * 60_000)
    assertProblem(await transfer(owner, admin.id), 401, 'invalid_credentials')
    assertProblem(await transfer(owner, admin.id, { password: 'wrong password' }), 401, 'invalid_credentials')
    await database.db.updateTable('accounts').set({ disabled_at: 1 }).where('id', '=', admin.id).execute()
    assertProblem(await transfer(owner, admin.id, { password: GOOD_PASSWORD }), 404, 'not_found')
    await database.db.updateTable('accounts').set({ disabled_at: null }).where('id', '=', admin.id).execute()
    assert.equal((await transfer(owner, admin.id, { password: GOOD_PASSWORD })).status, 204)
  })

  test('not to a person who has data in the own account, which would be lost or become visible to others', async () => {
    const owner = await rig.person()
    const give = async (person: Colleague) => assertProblem(await transfer(owner, person.id), 409, 'account_in_use')
    const hasKey = await rig.colleague(owner, 'admin')
    await rig.act(hasKey, hasKey.id)
    const key = await newKey(hasKey)
    await give(hasKey)
    assert.ok(await works(key))
    const hasPlan = await rig.colleague(owner, 'admin')
    await database.db.updateTable('accounts').set({ plan: 'pro' }).where('id', '=', hasPlan.id).execute()
    await give(hasPlan)
    const hasMember = await rig.colleague(owner, 'admin')
    await rig.act(hasMember, hasMember.id)
    const friend = await rig.person()
    assert.equal((await rig.accept(friend, await rig.invite(hasMember, friend.email))).status, 200)
    await give(hasMember)
    const allows = await rig.colleague(owner, 'admin')
    await rig.act(allows, allows.id)
    assert.equal((await rig.ask(allows, 'PUT', `/api/v1/allowed/${'a'.repeat(64)}`, {})).status, 200)
    await give(allows)
    // A revoked key is no data.
    assert.equal((await rig.ask(hasKey, 'DELETE', `${KEYS}/${key.id}`)).status, 204)
    assert.equal((await transfer(owner, hasKey.id)).status, 204)
  })
})
