/**
 * Every role, and an API key, on every endpoint that accepts a session, with resources of the account and of another one. The endpoints
 * are those of openapi.json and of the running service: one without a row fails.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { newId } from '#base/ids.ts'
import { isAtLeast, ROLES, type Role } from '#base/principal.ts'
import type { Database } from '#storage/database.ts'
import { startApp } from '#test/support/app.ts'
import { GOOD_PASSWORD, ownPage } from '#test/support/auth-client.ts'
import { newEmail, UNKNOWN_ID, withKey } from '#test/support/client.ts'
import { type Description, operationsOf } from '#test/support/described.ts'
import { type Colleague, type MemberRig, memberRig } from '#test/support/members.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form } from '#test/support/scanning.ts'
import { openPlace } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let database: Database
let rig: MemberRig

/** An account with one session per role, and what it has. */
interface Team {
  owner: Colleague
  people: Record<Role, Colleague>
  scanId: string
  sha256: string
  endpointId: string
  deliveryId: string
  /** Without limits. */
  apiKey: string
}

/** Creates the resource of a path in the account, for a person of the account. */
type Make = (team: Team, role: Role) => Promise<string> | string

interface Row {
  /** The least role; `person`: about the person alone, whatever the role is. */
  needs: Role | 'person'
  /** The status with the role. */
  ok: number
  /** Its code, where it is a refusal that only comes after the check of the role. */
  code?: string
  body?: (team: Team, role: Role) => unknown
  /** Of the parameter in the path. */
  make?: Make
  /** The name in the path stands for nothing of an account: with that of another, the status is the same. */
  isShared?: boolean
  /** Its body is a form with a document. */
  isUpload?: boolean
  /** It ends the session, or all of them. */
  endsSession?: boolean
}

const idOf = (answer: Answer): string => {
  assert.ok(answer.status < 300, answer.body)
  return (answer.json() as { id: string }).id
}
const URL_BODY = () => ({ url: `${service.url}/docs` })
const KEYS = '/api/v1/keys'
const HOOKS = '/api/v1/webhooks'
const none = () => ({})
const CLIENT = { id: 'x', clientDataJSON: 'x' }

/** Those of a member belong to the person. */
const key: Make = async ({ owner, people }, role) =>
  idOf(await rig.ask(role === 'viewer' ? owner : people[role], 'POST', KEYS, {}))
const endpoint: Make = async ({ owner }) => idOf(await rig.ask(owner, 'POST', HOOKS, URL_BODY()))
const theEndpoint: Make = ({ endpointId }) => endpointId
const invitation: Make = async ({ owner }) => {
  const row = {
    ...{ id: newId(), account_id: owner.id, email: newEmail(), email_key: newEmail(), role: 'viewer' },
    ...{ invited_by: owner.id, hash: null, created_at: 0, expires_at: Date.now() + 60_000, ended_at: null },
  }
  await database.db.insertInto('member_invitations').values(row).execute()
  return row.id
}
const member: Make = async ({ owner }) => {
  const someone = await rig.person()
  await join(owner.id, someone.id, 'viewer')
  return someone.id
}
const offer = (accountId: string, personId: string) =>
  database.db
    .updateTable('members')
    .set({ offer_expires_at: Date.now() + 60_000 })
    .where('account_id', '=', accountId)
    .where('member_account_id', '=', personId)
    .execute()
const offered: Make = async (team, role) => {
  const id = await member(team, role)
  await offer(team.owner.id, id)
  return id
}
/** Somebody else's, for the account of another. */
const session: Make = async ({ people }, role) => {
  const { cookie } = await rig.anotherSession(people[role].id)
  const { items } = (await rig.ask({ cookie }, 'GET', '/api/v1/auth/sessions')).json() as {
    items: { id: string; current: boolean }[]
  }
  return items.find(({ current }) => current)?.id ?? ''
}
const identity: Make = async ({ people }, role) => {
  const at = Date.now()
  const row = {
    id: newId(),
    account_id: people[role].id,
    provider: 'x',
    issuer: 'https://id.example',
    subject: newId(),
  }
  await database.db
    .insertInto('identities')
    .values({ ...row, created_at: at, used_at: at, removed_at: null })
    .execute()
  return row.id
}
const passkey: Make = async ({ people }, role) => {
  const row = { id: newId(), account_id: people[role].id, credential_id: newId(), public_key: 'x', handle: newId() }
  const more = { counter: 0, transports: '', backed_up: 0, name: 'x', created_at: Date.now(), used_at: null }
  await database.db
    .insertInto('passkeys')
    .values({ ...row, ...more })
    .execute()
  return row.id
}
const ownAccount: Make = async ({ people }, role) => {
  const account = await rig.person()
  await join(account.id, people[role].id, 'viewer')
  return account.id
}
/** Offered to the person if it is the account of one of us. */
const offeredAccount: Make = async (team, role) => {
  const id = await ownAccount(team, role)
  await offer(id, team.people[role].id)
  return id
}
const allowed: Make = async ({ owner, sha256 }) => {
  assert.equal((await rig.ask(owner, 'PUT', `/api/v1/allowed/${sha256}`, {})).status, 200)
  return sha256
}

const ROWS: Readonly<Record<string, Row>> = {
  'POST /api/v1/scan': { needs: 'member', ok: 200, isUpload: true },
  'POST /api/v1/text': { needs: 'member', ok: 200, isUpload: true },
  'POST /api/v1/scans': { needs: 'member', ok: 400, code: 'invalid_url', body: () => ({ url: 'x' }) },
  'GET /api/v1/scans': { needs: 'viewer', ok: 200 },
  'GET /api/v1/scans/{scanId}': { needs: 'viewer', ok: 200, make: ({ scanId }) => scanId },
  'GET /api/v1/scans/{scanId}/receipt': { needs: 'viewer', ok: 200, make: ({ scanId }) => scanId },
  'GET /api/v1/events': { needs: 'viewer', ok: 200 },
  'POST /dashboard/too-large': {
    ...{ needs: 'member', ok: 204 },
    body: () => ({ fileName: 'a.zip', fileSize: 30_000_000 }),
  },
  'GET /api/v1/allowed': { needs: 'viewer', ok: 200 },
  'GET /api/v1/allowed/{sha256}': { needs: 'viewer', ok: 200, make: allowed },
  'PUT /api/v1/allowed/{sha256}': { needs: 'admin', ok: 200, make: () => 'c'.repeat(64), body: none, isShared: true },
  'DELETE /api/v1/allowed/{sha256}': { needs: 'admin', ok: 204, make: allowed },
  'GET /api/v1/webhooks': { needs: 'admin', ok: 200 },
  'POST /api/v1/webhooks': { needs: 'admin', ok: 201, body: URL_BODY },
  'GET /api/v1/webhooks/{id}': { needs: 'admin', ok: 200, make: theEndpoint },
  'PATCH /api/v1/webhooks/{id}': { needs: 'admin', ok: 200, make: theEndpoint, body: none },
  'DELETE /api/v1/webhooks/{id}': { needs: 'admin', ok: 204, make: endpoint },
  'POST /api/v1/webhooks/{id}/rotate': { needs: 'admin', ok: 200, make: theEndpoint },
  'POST /api/v1/webhooks/{id}/test': { needs: 'admin', ok: 202, make: theEndpoint },
  'GET /api/v1/webhooks/{id}/deliveries': { needs: 'admin', ok: 200, make: theEndpoint },
  'POST /api/v1/deliveries/{deliveryId}/retry': { needs: 'admin', ok: 202, make: ({ deliveryId }) => deliveryId },
  'GET /api/v1/keys': { needs: 'member', ok: 200 },
  'POST /api/v1/keys': { needs: 'member', ok: 201, body: none },
  'POST /api/v1/keys/{id}/roll': { needs: 'member', ok: 201, make: key, body: none },
  'DELETE /api/v1/keys/{id}': { needs: 'member', ok: 204, make: key },
  'GET /api/v1/usage': { needs: 'viewer', ok: 200 },
  'GET /api/v1/usage/{period}': { needs: 'viewer', ok: 200, make: () => '2026-11', isShared: true },
  'GET /api/v1/alerts': { needs: 'admin', ok: 200 },
  'PUT /api/v1/alerts': { needs: 'admin', ok: 200, body: () => ({ mail: false }) },
  'GET /api/v1/members': { needs: 'admin', ok: 200 },
  'PATCH /api/v1/members/{memberId}': { needs: 'admin', ok: 204, make: member, body: () => ({ role: 'member' }) },
  'DELETE /api/v1/members/{memberId}': { needs: 'admin', ok: 204, make: member },
  'POST /api/v1/members/{memberId}/transfer': { needs: 'owner', ok: 202, make: member, body: none },
  'DELETE /api/v1/members/{memberId}/transfer': { needs: 'owner', ok: 204, make: offered },
  'GET /api/v1/invitations': { needs: 'admin', ok: 200 },
  'POST /api/v1/invitations': {
    ...{ needs: 'admin', ok: 202 },
    body: () => ({ email: newEmail(), role: 'viewer' }),
  },
  'DELETE /api/v1/invitations/{invitationId}': { needs: 'admin', ok: 204, make: invitation },
  'POST /api/v1/auth/accept-invitation': {
    ...{ needs: 'person', ok: 400, code: 'invalid_invitation' },
    body: () => ({ token: 'A'.repeat(43) }),
  },
  'GET /api/v1/auth/act': { needs: 'person', ok: 200 },
  'POST /api/v1/auth/act': { needs: 'person', ok: 204, body: ({ owner }) => ({ accountId: owner.id }) },
  'DELETE /api/v1/auth/act/{accountId}': { needs: 'person', ok: 204, make: ownAccount },
  // Everybody here has a plan.
  'POST /api/v1/auth/act/{accountId}/transfer': {
    ...{ needs: 'person', ok: 409, code: 'account_in_use', make: offeredAccount, body: none },
  },
  'DELETE /api/v1/auth/act/{accountId}/transfer': { needs: 'person', ok: 204, make: offeredAccount },
  'GET /api/v1/auth/me': { needs: 'person', ok: 200 },
  'DELETE /api/v1/auth/me': { needs: 'owner', ok: 409, code: 'account_has_members', body: none },
  'GET /api/v1/auth/sessions': { needs: 'person', ok: 200 },
  'DELETE /api/v1/auth/sessions': { needs: 'person', ok: 204 },
  'DELETE /api/v1/auth/sessions/{id}': { needs: 'person', ok: 204, make: session },
  'POST /api/v1/auth/change-password': {
    ...{ needs: 'person', ok: 204, endsSession: true },
    body: () => ({ currentPassword: GOOD_PASSWORD, newPassword: GOOD_PASSWORD }),
  },
  'POST /api/v1/auth/logout': { needs: 'person', ok: 204, endsSession: true },
  'GET /api/v1/auth/identities': { needs: 'person', ok: 200 },
  'DELETE /api/v1/auth/identities/{identityId}': { needs: 'person', ok: 204, make: identity, body: none },
  'GET /api/v1/auth/passkeys': { needs: 'person', ok: 200 },
  'GET /api/v1/operator/commands': { needs: 'person', ok: 404, code: 'not_found' },
  'POST /api/v1/operator/commands': {
    ...{ needs: 'person', ok: 404, code: 'not_found', body: () => ({ command: 'accounts list' }) },
  },
  // There are none without https.
  'POST /api/v1/auth/passkeys/options': { needs: 'person', ok: 404, code: 'not_found', body: none },
  'POST /api/v1/auth/passkeys': {
    ...{ needs: 'person', ok: 404, code: 'not_found' },
    body: () => ({ state: 'x', name: 'x', credential: { ...CLIENT, attestationObject: 'x', transports: [] } }),
  },
  'POST /api/v1/auth/passkeys/confirm': {
    ...{ needs: 'person', ok: 404, code: 'not_found' },
    body: () => ({ state: 'x', credential: { ...CLIENT, authenticatorData: 'x', signature: 'x', userHandle: 'x' } }),
  },
  'DELETE /api/v1/auth/passkeys/items/{passkeyId}': { needs: 'person', ok: 204, make: passkey, body: none },
  'POST /api/v1/auth/passkeys/only': {
    ...{ needs: 'person', ok: 409, code: 'last_sign_in' },
    body: () => ({ only: true }),
  },
  // Last, because its passkey stays.
  'PATCH /api/v1/auth/passkeys/items/{passkeyId}': {
    ...{ needs: 'person', ok: 204, make: passkey, body: () => ({ name: 'y' }) },
  },
  'POST /api/v1/auth/oidc/{provider}/link': {
    ...{ needs: 'person', ok: 404, code: 'not_found', make: () => 'unknown', body: none, isShared: true },
  },
  'POST /api/v1/auth/oidc/{provider}/confirm': {
    ...{ needs: 'person', ok: 404, code: 'not_found', make: () => 'unknown', body: none, isShared: true },
  },
  'POST /api/v1/marketplace/resolve': {
    ...{ needs: 'owner', ok: 400, code: 'invalid_request' },
    body: () => ({ token: 'unknown' }),
  },
  'POST /api/v1/marketplace/activate': {
    ...{ needs: 'owner', ok: 404, code: 'no_live_subscription' },
    body: () => ({ subscriptionId: UNKNOWN_ID }),
  },
  'GET /api/v1/marketplace/subscription': { needs: 'owner', ok: 404, code: 'no_live_subscription' },
  'GET /api/v1/marketplace/subscriptions': { needs: 'owner', ok: 200 },
}

async function join(accountId: string, personId: string, role: string): Promise<void> {
  const row = { role, invited_by: null, created_at: Date.now(), removed_at: null }
  await database.db
    .insertInto('members')
    .values({ account_id: accountId, member_account_id: personId, ...row })
    .execute()
}

const upload = (credential: Record<string, string>, path = '/api/v1/scan'): Promise<Answer> =>
  request(service.port, 'POST', path, {
    headers: { ...credential, 'content-type': FORM_TYPE, ...ownPage(service.port) },
    body: form(filePart('Good morning', { fileName: 'a.txt' })),
  })

async function newTeam(sha256: string): Promise<Team> {
  const owner = await rig.person()
  await database.db.updateTable('accounts').set({ plan: 'enterprise' }).where('id', '=', owner.id).execute()
  const people = { owner } as Record<Role, Colleague>
  for (const role of ['admin', 'member', 'viewer'] as const) {
    people[role] = await rig.person()
    await database.db.updateTable('accounts').set({ plan: 'pro' }).where('id', '=', people[role].id).execute()
    await join(owner.id, people[role].id, role)
    assert.equal((await rig.act(people[role], owner.id)).status, 204)
  }
  const endpointId = idOf(await rig.ask(owner, 'POST', HOOKS, URL_BODY()))
  const deliveryId = idOf(await rig.ask(owner, 'POST', `${HOOKS}/${endpointId}/test`))
  const scanId = ((await upload({ cookie: owner.cookie })).json() as { scanId: string }).scanId
  const { apiKey } = (await rig.ask(owner, 'POST', KEYS, {})).json() as { apiKey: string }
  return { owner, people, scanId, sha256, endpointId, deliveryId, apiKey }
}

let ours: Team
let theirs: Team
before(async () => {
  const wide = { DOCVET_KEY_RATE_PER_MINUTE: '100000', DOCVET_OUTBOUND_ALLOW: '127.0.0.1' }
  service = await startService(wide)
  database = await openPlace({ url: null, dataDir: service.dataDir })
  rig = memberRig(service, database)
  ours = await newTeam('a'.repeat(64))
  theirs = await newTeam('b'.repeat(64))
})
after(async () => {
  await database.close()
  await service[Symbol.asyncDispose]()
})

const codeOf = (answer: Answer): string | undefined =>
  answer.status < 400 ? undefined : (answer.json() as { code: string }).code

async function renew(role: Role): Promise<void> {
  const person = ours.people[role]
  Object.assign(person, await rig.anotherSession(person.id))
  assert.equal((await rig.act(person, ours.owner.id)).status, 204)
}

/** The request of a row, with what `from` has. */
async function requestOf(name: string, row: Row, role: Role, from: Team) {
  const [method = '', template = ''] = name.split(' ')
  const parameter = row.make ? await row.make(from, role) : ''
  return { method, path: template.replace(/\{\w+\}/, parameter), body: row.body?.(ours, role) }
}

async function send(name: string, row: Row, role: Role, from: Team): Promise<Answer> {
  const { method, path, body } = await requestOf(name, row, role, from)
  const { cookie } = ours.people[role]
  const answer = await (row.isUpload ? upload({ cookie }, path) : rig.ask({ cookie }, method, path, body))
  if (row.endsSession) await renew(role)
  return answer
}

async function sendWithKey(name: string, row: Row, from: Team): Promise<Answer> {
  const { method, path, body } = await requestOf(name, row, 'owner', from)
  const headers = withKey(ours.apiKey)
  return await (row.isUpload ? upload(headers, path) : request(service.port, method, path, { headers, body }))
}

const description = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Description
const accepting = (credential: string): string[] =>
  operationsOf(description)
    .filter(({ operation }) => operation.security.some((each) => credential in each))
    .map(({ method, path }) => `${method} ${path}`)
const WITH_KEY = accepting('apiKey')

describe('every endpoint has a row', () => {
  test('of openapi.json', () => {
    const found = accepting('session')
    const outside = Object.keys(ROWS).filter((name) => !name.includes('/api/'))
    assert.deepEqual([...found, ...outside].sort(), Object.keys(ROWS).sort())
  })

  test('of the running service, with the role that it declares', async () => {
    await using app = await startApp()
    const found = app.routes
      .filter(({ method, role }) => method !== 'HEAD' && role !== undefined)
      .map(({ method, url, role }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')} ${role}`)
    assert.deepEqual(
      found.sort(),
      Object.entries(ROWS)
        .map(([name, { needs }]) => `${name} ${needs}`)
        .sort(),
    )
  })
})

for (const [name, row] of Object.entries(ROWS)) {
  describe(name, () => {
    for (const role of ROLES) {
      const mayDo = row.needs === 'person' || isAtLeast(role, row.needs)
      const expected = mayDo ? [row.ok, row.code] : [403, 'role_forbidden']

      test(`${role}: ${expected.filter(Boolean).join(' ')}`, async () => {
        const answer = await send(name, row, role, ours)
        assert.deepEqual([answer.status, codeOf(answer)], expected, answer.body)
      })

      // About a resource of another account.
      if (row.make) {
        const elsewhere = mayDo && !row.isShared ? [404, 'not_found'] : expected
        test(`${role}, of another account: ${elsewhere.filter(Boolean).join(' ')}`, async () => {
          const answer = await send(name, row, role, theirs)
          assert.deepEqual([answer.status, codeOf(answer)], elsewhere, answer.body)
        })
      }
    }
  })
}

for (const [name, row] of Object.entries(ROWS)) {
  const isOpen = WITH_KEY.includes(name)
  const expected = isOpen ? [row.ok, row.code] : [401, 'unauthenticated']
  test(`${name} with a key: ${expected.filter(Boolean).join(' ')}`, async () => {
    const answer = await sendWithKey(name, row, ours)
    assert.deepEqual([answer.status, codeOf(answer)], expected, answer.body)
  })
  if (!row.make || !isOpen || row.isShared) continue
  test(`${name} with a key, of another account: 404 not_found`, async () => {
    const answer = await sendWithKey(name, row, theirs)
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'not_found'], answer.body)
  })
}

test('no list of an account has anything of another', async () => {
  const foreign = [theirs.owner, ...Object.values(theirs.people)].flatMap(({ id, email }) => [id, email])
  const names = [...foreign, theirs.scanId, theirs.endpointId, theirs.deliveryId, theirs.sha256]
  for (const name of Object.keys(ROWS).filter((each) => each.startsWith('GET ') && !each.includes('{'))) {
    const { body } = await rig.ask(ours.people.owner, 'GET', name.slice(4))
    for (const each of names) assert.ok(!body.includes(each), `${name}: ${each}`)
  }
})
