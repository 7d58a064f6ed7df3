/** The ownership of an account is offered to a member, who accepts: who may do what then, on both replicas, and what becomes of keys, data and mail. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
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
const ACT = '/api/v1/auth/act'
const DAY_MS = 24 * 60 * 60 * 1_000

interface Key {
  id: string
  apiKey: string
  createdBy?: string
}

/** Until a statement waits for a lock. */
async function untilWaiting({ db }: Database): Promise<void> {
  const waiting = sql`select 1 from pg_locks where not granted and locktype in ('transactionid', 'tuple')`
  while ((await waiting.execute(db)).rows.length === 0) await sleep(20)
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
  type Who = Pick<Person, 'cookie'>
  const offer = (who: Who, to: string, body?: object) => rig.ask(who, 'POST', `${MEMBERS}/${to}/transfer`, body)
  const withdraw = (who: Who, to: string) => rig.ask(who, 'DELETE', `${MEMBERS}/${to}/transfer`)
  const take = (who: Who, accountId: string, body?: object) =>
    rig.ask(who, 'POST', `${ACT}/${accountId}/transfer`, body)
  const decline = (who: Who, accountId: string) => rig.ask(who, 'DELETE', `${ACT}/${accountId}/transfer`)
  async function offered(owner: Colleague, to: Colleague): Promise<void> {
    const answer = await offer(owner, to.id)
    assert.equal(answer.status, 202, answer.body)
  }
  async function transfer(owner: Colleague, to: Colleague) {
    await offered(owner, to)
    return await take(to, owner.id)
  }
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

    await offered(owner, member)
    // It is written when it is sent, and not about an offer that has ended.
    await untilMail(replicas[0] as Service, member.email, /offers you the ownership of/)
    const answer = await take(member, owner.id)
    assert.equal(answer.status, 204, answer.body)

    // The session that accepted goes on as that of the owner; all others of both end.
    for (const ended of [otherOfOwner, otherOfMember, owner])
      assertProblem(await onOther(ended, '/api/v1/auth/me'), 401, 'unauthenticated')
    assert.equal((await onOther(viewer, '/api/v1/usage')).status, 200)
    const ownersMe = { email: member.email, plan: 'pro', authProvider: 'password' }
    assert.deepEqual((await me((replicas[1] as Service).port, member.cookie)).json(), ownersMe)
    assert.equal((await onOther(member, '/api/v1/marketplace/subscriptions')).status, 200)

    // Each signs in with the own address and password.
    const newOwner = await signedIn(member.email)
    assert.deepEqual((await me((replicas[1] as Service).port, newOwner.cookie)).json(), ownersMe)
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
    assert.deepEqual(
      [log?.actor, log?.details],
      [`member:${member.id}`, JSON.stringify({ from: formerId, to: member.id })],
    )
    await untilMail(replicas[0] as Service, owner.email, /is the owner of your former Docvet account/)

    // The former owner works in it as an admin.
    assert.equal((await rig.act(former, owner.id)).status, 204)
    assert.deepEqual(await actingOf(former), { accountId: owner.id, role: 'admin', email: member.email })
    assertProblem(await onOther(former, '/api/v1/marketplace/subscriptions'), 403, 'role_forbidden')
    assert.equal((await onOther(former, MEMBERS)).status, 200)
    await rig.act(former, formerId)

    // And is removed like any admin, with the keys.
    assert.equal((await rig.ask(newOwner, 'DELETE', `${MEMBERS}/${formerId}`)).status, 204)
    assert.deepEqual([await works(ownersKey), await works(membersKey)], [false, true])
    assert.equal((await onOther(former, '/api/v1/usage')).status, 200)
  })

  test('back again, and by two at the same time', async () => {
    const owner = await rig.person()
    const [one, other] = [await rig.colleague(owner, 'admin'), await rig.colleague(owner, 'admin')]
    await Promise.all([offer(owner, one.id), offer(owner, other.id)])
    const answers = await Promise.all([take(one, owner.id), take(other, owner.id)])
    // Only the newer offer is open.
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404])
    const taker = answers[0]?.status === 204 ? one : other
    const formerId = await rig.idOf(owner.email)
    const former = { ...owner, ...(await signedIn(owner.email)), id: formerId }
    assert.equal((await transfer({ ...taker, id: owner.id }, former)).status, 204)
    assert.deepEqual(await actingOf(await signedIn(owner.email)), undefined)
    assert.equal(await rig.idOf(owner.email), owner.id)
  })

  test('accepted twice at the same time: once', async () => {
    const owner = await rig.person()
    const member = await rig.colleague(owner, 'admin')
    await offered(owner, member)
    const answers = await Promise.all([take(member, owner.id), take(member, owner.id)])
    assert.deepEqual(answers.map(({ status }) => status === 204).sort(), [false, true])
  })

  test('only the owner offers it, with a recent sign-in or the password, to a member of this account', async () => {
    const [owner, stranger] = [await rig.person(), await rig.person()]
    const admin = await rig.colleague(owner, 'admin')
    for (const to of [admin.id, owner.id]) {
      assertProblem(await offer(admin, to), 403, 'role_forbidden')
      assertProblem(await withdraw(admin, to), 403, 'role_forbidden')
    }
    for (const to of [stranger.id, UNKNOWN_ID, owner.id]) assertProblem(await offer(owner, to), 404, 'not_found')
    assertProblem(await withdraw(owner, admin.id), 404, 'not_found')
    await setFresh(owner.id, Date.now() - 11 * 60_000)
    assertProblem(await offer(owner, admin.id), 401, 'invalid_credentials')
    assertProblem(await offer(owner, admin.id, { password: 'wrong password' }), 401, 'invalid_credentials')
    await database.db.updateTable('accounts').set({ disabled_at: 1 }).where('id', '=', admin.id).execute()
    assertProblem(await offer(owner, admin.id, { password: GOOD_PASSWORD }), 404, 'not_found')
    await database.db.updateTable('accounts').set({ disabled_at: null }).where('id', '=', admin.id).execute()
    assert.equal((await offer(owner, admin.id, { password: GOOD_PASSWORD })).status, 202)
  })

  test('only the member to whom it is offered accepts it, with a recent sign-in or the password', async () => {
    const owner = await rig.person()
    const [admin, member] = [await rig.colleague(owner, 'admin'), await rig.colleague(owner, 'member')]
    assertProblem(await take(member, owner.id), 404, 'not_found')
    await offered(owner, member)
    for (const who of [admin, owner]) assertProblem(await take(who, owner.id), 404, 'not_found')
    assertProblem(await take(member, UNKNOWN_ID), 404, 'not_found')
    await setFresh(member.id, Date.now() - 11 * 60_000)
    assertProblem(await take(member, owner.id), 401, 'invalid_credentials')
    assertProblem(await take(member, owner.id, { password: 'wrong password' }), 401, 'invalid_credentials')
    assert.equal(await rig.idOf(owner.email), owner.id)
    await database.db.updateTable('accounts').set({ disabled_at: 1 }).where('id', '=', owner.id).execute()
    assertProblem(await take(await rig.anotherSession(member.id), owner.id), 404, 'not_found')
    await database.db.updateTable('accounts').set({ disabled_at: null }).where('id', '=', owner.id).execute()
    assert.equal((await take(member, owner.id, { password: GOOD_PASSWORD })).status, 204)
  })

  test('both see an open offer, and each ends it', async () => {
    const owner = await rig.person()
    const [one, other] = [await rig.colleague(owner, 'viewer'), await rig.colleague(owner, 'member')]
    const untilOf = async (who: Who, path: string, id: string) => {
      const { items } = (await onOther(who, path)).json() as { items: Record<string, string>[] }
      const until = items.find((each) => each.id === id || each.accountId === id)?.offerExpiresAt
      return until === undefined ? null : Date.parse(until)
    }
    const answer = await offer(owner, one.id)
    const until = Date.parse((answer.json() as { offerExpiresAt: string }).offerExpiresAt)
    assert.ok(Math.abs(until - Date.now() - 7 * DAY_MS) < 60_000)
    assert.deepEqual([await untilOf(owner, MEMBERS, one.id), await untilOf(one, ACT, owner.id)], [until, until])
    assert.deepEqual([await untilOf(owner, MEMBERS, other.id), await untilOf(other, ACT, owner.id)], [null, null])
    await untilMail(replicas[0] as Service, owner.email, /You offer the ownership/)
    // A newer one replaces it.
    await offered(owner, other)
    assert.equal(await untilOf(one, ACT, owner.id), null)
    assertProblem(await take(one, owner.id), 404, 'not_found')
    assertProblem(await decline(one, owner.id), 404, 'not_found')
    assert.equal((await decline(other, owner.id)).status, 204)
    assertProblem(await take(other, owner.id), 404, 'not_found')
    await offered(owner, one)
    assert.equal((await withdraw(owner, one.id)).status, 204)
    assertProblem(await take(one, owner.id), 404, 'not_found')
    const noted = await database.db
      .selectFrom('audit_log')
      .select(['actor', 'event'])
      .where('account_id', '=', owner.id)
      .where('event', 'like', 'ownership.%')
      .orderBy('seq')
      .execute()
    assert.deepEqual(
      noted.map(({ actor, event }) => `${actor} ${event}`),
      [
        ...['owner ownership.offered', 'owner ownership.offered', `member:${other.id} ownership.declined`],
        ...['owner ownership.offered', 'owner ownership.withdrawn'],
      ],
    )
  })

  test('an offer ends by its time, with the membership, and with a password reset of the owner', async () => {
    const owner = await rig.person()
    const member = await rig.colleague(owner, 'admin')
    const setUntil = (at: number) =>
      database.db
        .updateTable('members')
        .set({ offer_expires_at: at })
        .where('member_account_id', '=', member.id)
        .execute()
    await offered(owner, member)
    await setUntil(Date.now() - 1)
    assertProblem(await take(member, owner.id), 404, 'not_found')
    assertProblem(await decline(member, owner.id), 404, 'not_found')

    await offered(owner, member)
    assert.equal((await rig.ask(owner, 'DELETE', `${MEMBERS}/${member.id}`)).status, 204)
    const again = { ...member, ...(await rig.anotherSession(member.id)) }
    assertProblem(await take(again, owner.id), 404, 'not_found')
    await rig.invite(owner, member.email, 'admin')
    assert.equal((await rig.accept(again, await rig.tokenFor(member.email, 2))).status, 200)
    assertProblem(await take(again, owner.id), 404, 'not_found')

    // Somebody else may have made the offer.
    await offered(owner, again)
    const changed = await rig.ask(owner, 'POST', '/api/v1/auth/change-password', {
      ...{ currentPassword: GOOD_PASSWORD, newPassword: GOOD_PASSWORD },
    })
    assert.equal(changed.status, 204, changed.body)
    assertProblem(await take(again, owner.id), 404, 'not_found')
  })

  test('who leaves or is removed while accepting is not the owner as well', async () => {
    const [end, ask] = [
      async (who: Colleague, owner: Colleague) => rig.ask(who, 'DELETE', `${ACT}/${owner.id}`),
      async (who: Colleague, owner: Colleague) => rig.ask(owner, 'DELETE', `${MEMBERS}/${who.id}`),
    ]
    for (const race of [end, ask]) {
      const owner = await rig.person()
      const member = await rig.colleague(owner, 'admin')
      await offered(owner, member)
      // Acceptance waits for the sessions of the owner, after it has read the offer.
      const both = await database.db.transaction().execute(async (trx) => {
        await trx.updateTable('sessions').set({ seen_at: Date.now() }).where('account_id', '=', owner.id).execute()
        const taking = take(member, owner.id)
        if (place.url !== null) await untilWaiting(database)
        const ending = race(member, owner)
        await Promise.race([ending, sleep(500)])
        return [taking, ending]
      })
      const answers = await Promise.all(both)
      const done = answers.filter(({ status }) => status === 204)
      assert.equal(done.length, 1, answers.map(({ body }) => body).join())
    }
  })

  test('not by a person who has data in the own account, which would be lost or become visible to others', async () => {
    const owner = await rig.person()
    const give = async (person: Colleague) => assertProblem(await transfer(owner, person), 409, 'account_in_use')
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
    assert.equal((await transfer(owner, hasKey)).status, 204)
  })
})
