/** `docvet admin`, beside two running replicas. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createInviteStore } from '#accounts/invite-store.ts'
import { COMMANDS, runAdmin } from '#admin/admin.ts'
import { loadConfig } from '#config/config.ts'
import type { Engine } from '#engines/engine.ts'
import type { JobKind } from '#jobs/job.ts'
import { adoptOldMail } from '#mail/old-outbox-store.ts'
import { MAIL } from '#mail/outbox.ts'
import { createSubscriptionStore } from '#marketplace/store.ts'
import type { Database, Trx } from '#storage/database.ts'
import { startApp } from '#test/support/app.ts'
import { asPage, cookieOf, GOOD_PASSWORD, me, signIn, signUpPerson } from '#test/support/auth-client.ts'
import {
  createKey,
  KEY,
  listKeys,
  newEmail,
  postKey,
  revokeKey,
  signUp,
  UNKNOWN_ID,
  usage,
  withKey,
} from '#test/support/client.ts'
import { openTestStore } from '#test/support/jobs.ts'
import { mailTo, untilMail } from '#test/support/outbox.ts'
import { assertProblem } from '#test/support/problem.ts'
import type { Answer } from '#test/support/raw-http.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { BUILT_IN_PLANS } from '#usage/plan.ts'

/** Tables without data about a person, and those of the sandbox, which is not for real customers. */
const NOT_EXPORTED = [
  'spent_challenges',
  ...[
    'audit_head',
    'chat_days',
    'marketplace_rounds',
    'replicas',
    'usage_leases',
    'worker_endings',
    'receipt_keys',
    'secret_keys',
  ],
  ...['sandbox_operations', 'sandbox_purchases', 'mail_outbox', 'object_listings', 'object_counts'],
]
const ROOT = path.join(import.meta.dirname, '../..')
/** Nobody runs it. */
const IDLE: JobKind = { name: 'idle', deadlineMs: 60_000, attemptsMax: 9, delayMs: () => 0, parallelMax: 1 }

const run = (env: Record<string, string | undefined>, args: string[], engines: Engine[] = []) =>
  runAdmin(args, { config: () => loadConfig(env), startEngines: async () => engines, log: quietLog })

forEachDatabase('admin', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let env: Record<string, string | undefined>
  let replicas: Awaited<ReturnType<typeof startApp>>[]
  let port: number
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    env = { DOCVET_DATABASE_URL: place.url ?? undefined, DOCVET_DATA_DIR: place.dataDir }
    replicas = [await startApp({}, env), await startApp({}, env)]
    port = replicas[0]?.port ?? 0
  })
  after(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]()
    await database.close()
    await place.release()
  })

  const prove = (email: string) =>
    database.db.updateTable('accounts').set({ email_proven_at: 1 }).where('email_key', '=', email).execute()

  /** The JSON of a command that succeeds. */
  async function admin<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    const { exitCode, stdout, stderr } = await run(env, [...args, '--json'])
    assert.equal(exitCode, 0, stderr)
    return JSON.parse(stdout)
  }

  async function refused(pattern: RegExp, ...args: string[]): Promise<void> {
    const { exitCode, stdout, stderr } = await run(env, args)
    assert.deepEqual([exitCode, stdout], [1, ''])
    assert.match(stderr, pattern)
  }

  const onBoth = (ask: (port: number) => Promise<Answer>) => Promise.all(replicas.map((each) => ask(each.port)))

  test('the operator limits a key and rolls it; wrong limits are a wrong usage', async () => {
    const { email } = await signUp(port)
    const limits = ['--scopes', 'scan', '--expires', '2028-01-01', '--addresses', '127.0.0.0/8,::1']
    const issued = await admin<{ id: string; apiKey: string }>('keys', 'issue', email, ...limits)
    assertProblem(await postKey(port, issued.apiKey), 403, 'key_scope')
    const rolled = await admin<{ id: string; apiKey: string }>('keys', 'roll', issued.id, '--grace', '60')
    assert.equal(rolled.id, issued.id)
    for (const { apiKey } of [issued, rolled])
      for (const { status } of await onBoth((at) => usage(at, withKey(apiKey)))) assert.equal(status, 200)
    const listed = await admin<{ id: string; scopes: string; rolledInto: string | null }[]>('keys', 'list', email)
    assert.deepEqual(listed.map(({ id, scopes, rolledInto }) => [id === issued.id, scopes, rolledInto]).slice(1), [
      [false, 'scan', issued.id],
      [true, 'scan', null],
    ])
    await refused(/No active key has the id/, 'keys', 'roll', UNKNOWN_ID)
    for (const wrong of [
      ['issue', email, '--scopes', 'scan,all'],
      ['issue', email, '--expires', 'soon'],
      ['roll', issued.id, '--grace', '604801'],
    ])
      assert.equal((await run(env, ['keys', ...wrong])).exitCode, 2, wrong.join(' '))
    await refused(/allowedAddresses/, 'keys', 'issue', email, '--addresses', 'nowhere')
  })

  test('a disabled account is rejected like a revoked key by every replica, and works again when enabled', async () => {
    const person = await signUpPerson(port)
    const { apiKey } = await admin<{ apiKey: string }>('keys', 'issue', person.email)
    const other = await signUp(port)
    const spare = await createKey(port, other.apiKey)
    assert.equal((await revokeKey(port, other.apiKey, spare.id)).status, 204)
    for (const { status } of await onBoth((at) => usage(at, withKey(apiKey)))) assert.equal(status, 200)

    assert.equal((await admin('accounts', 'disable', person.email)).status, 'disabled')
    await refused(/is disabled\. To enable it, run:/, 'keys', 'issue', person.email)
    const { requestId: _one, ...revoked } = (await usage(port, withKey(spare.apiKey))).json() as Record<string, unknown>
    for (const answer of await onBoth((at) => usage(at, withKey(apiKey)))) {
      assertProblem(answer, 401, 'unauthenticated')
      const { requestId: _two, ...disabled } = answer.json() as Record<string, unknown>
      assert.deepEqual({ ...disabled, type: '' }, { ...revoked, type: '' })
    }
    for (const answer of await onBoth((at) => me(at, person.cookie))) assertProblem(answer, 401, 'unauthenticated')
    assertProblem(await signIn(port, person.email, GOOD_PASSWORD), 401, 'invalid_credentials')

    assert.equal((await admin('accounts', 'enable', person.email)).status, 'active')
    for (const { status } of await onBoth((at) => usage(at, withKey(apiKey)))) assert.equal(status, 200)
    assertProblem(await me(port, person.cookie), 401, 'unauthenticated')
    const cookie = cookieOf(await signIn(port, person.email, GOOD_PASSWORD))
    assert.equal((await me(port, cookie)).status, 200)
    // A sign-in that ran at the same time may have started a session after all others ended.
    await database.db.updateTable('accounts').set({ disabled_at: 1 }).where('email', '=', person.email).execute()
    for (const answer of await onBoth((at) => me(at, cookie))) assertProblem(answer, 401, 'unauthenticated')
  })

  test('accounts: create, list, show and set-plan', async () => {
    const email = newEmail()
    const created = await admin<{ id: string; apiKey: string }>('accounts', 'create', email, '--plan', 'starter')
    assert.match(created.apiKey, KEY)
    const planOf = async () => ((await usage(port, withKey(created.apiKey))).json() as { plan: string }).plan
    assert.equal(await planOf(), 'starter')
    await refused(/already exists/, 'accounts', 'create', email.toUpperCase())
    await refused(/e-mail address, for example/, 'accounts', 'create', 'nobody')
    await refused(/"gold" is not a plan\. Plans: free, /, 'accounts', 'set-plan', email, 'gold')
    const set = await admin('accounts', 'set-plan', created.id, 'pro')
    assert.deepEqual([set.plan, set.before, await planOf()], ['pro', 'starter', 'pro'])

    const { id, plan, status, activeKeys } = await admin('accounts', 'show', ` ${email.toUpperCase()}`)
    assert.deepEqual([id, plan, status, activeKeys], [created.id, 'pro', 'active', 1])
    const listed = await admin<{ id: string }[]>('accounts', 'list', '--plan', 'pro', '--search', email.slice(0, 8))
    assert.ok(listed.some((each) => each.id === created.id))
    assert.equal((await admin<unknown[]>('accounts', 'list', '--limit', '1')).length, 1)
    await refused(/No account has the id/, 'accounts', 'show', UNKNOWN_ID)
  })

  test('keys: list, issue past the limit of the plan, and revoke', async () => {
    const { email, apiKey } = await signUp(port)
    for (let i = 0; i < 5; i++) await admin('keys', 'issue', email, '--name', `Key ${i}`)
    const issued = await admin<{ id: string; apiKey: string }>('keys', 'issue', email, '--name', 'Build server')
    assert.equal((await usage(port, withKey(issued.apiKey))).status, 200)
    const names = (await admin<{ name: string }[]>('keys', 'list', email)).map(({ name }) => name)
    assert.deepEqual(names.toSorted(), (await listKeys(port, apiKey)).map(({ name }) => name).toSorted())
    assert.match((await run(env, ['keys', 'list', email])).stdout, /^ID +NAME +PREFIX +LAST FOUR .*\n.*Build server/s)
    await untilMail({ dataDir: place.dataDir, output: () => '' }, email, /Build server/)
    await admin('keys', 'revoke', issued.id)
    for (const answer of await onBoth((at) => usage(at, withKey(issued.apiKey))))
      assertProblem(answer, 401, 'unauthenticated')
    await refused(/No active key/, 'keys', 'revoke', issued.id)
  })

  test('members: add, list and remove', async () => {
    const [owner, person] = [await signUpPerson(port), await signUpPerson(port)]
    const list = () => admin<{ email: string; role: string }[]>('members', 'list', owner.email)
    await refused(/is the owner/, 'members', 'add', owner.email, owner.email)
    const asOwner = await run(env, ['members', 'add', owner.email, person.email, '--role', 'owner'])
    assert.equal(asOwner.exitCode, 2, asOwner.stderr)
    await refused(/Nobody has proven/, 'members', 'add', owner.email, person.email)
    await prove(person.email)
    for (const role of ['admin', 'member']) {
      await admin('members', 'add', owner.email, person.email, '--role', role)
      assert.deepEqual(
        (await list()).map((each) => [each.email, each.role]),
        [[person.email, role]],
      )
    }
    const { id } = await admin<{ id: string }>('accounts', 'show', owner.email)
    const act = () => asPage(port, person.cookie, 'POST', '/api/v1/auth/act', { accountId: id })
    assert.equal((await act()).status, 204)
    const key = (await asPage(port, person.cookie, 'POST', '/api/v1/keys', {})).json() as { apiKey: string }
    await admin('members', 'remove', owner.email, person.email)
    for (const replica of replicas) {
      assertProblem(await me(replica.port, person.cookie), 401, 'unauthenticated')
      assertProblem(await usage(replica.port, withKey(key.apiKey)), 401, 'unauthenticated')
    }
    await refused(/not a member/, 'members', 'remove', owner.email, person.email)
  })

  test('sessions: list and end', async () => {
    const person = await signUpPerson(port)
    const second = cookieOf(await signIn(port, person.email, GOOD_PASSWORD))
    const [newest] = await admin<{ id: string }[]>('sessions', 'list', person.email)
    await refused(/no session with the id/, 'sessions', 'end', person.email, UNKNOWN_ID)
    await admin('sessions', 'end', person.email, newest?.id ?? '')
    assert.equal((await admin<unknown[]>('sessions', 'list', person.email)).length, 1)
    await admin('sessions', 'end', person.email)
    for (const cookie of [person.cookie, second]) assertProblem(await me(port, cookie), 401, 'unauthenticated')
  })

  test('invites: create and list', async () => {
    const { id, code, link } = await admin<{ id: string; code: string; link: string }>('invites', 'create')
    assert.ok(link.endsWith(`/sign-up#invite=${code}`))
    assert.ok(await createInviteStore(database).isValid(code))
    const listed = await admin<{ id: string; status: string }[]>('invites', 'list')
    assert.deepEqual(
      listed.map((each) => [each.id, each.status]),
      [[id, 'open']],
    )
    assert.ok(!JSON.stringify(listed).includes(code))
  })

  test('subscriptions: list, show and relink, which moves the plan', async () => {
    const [buyer, heir, busy] = [await signUp(port), await signUp(port), await signUp(port)]
    const store = createSubscriptionStore(database, {
      ...{ provider: 'sandbox', freePlan: 'free', plans: BUILT_IN_PLANS, log: quietLog },
    })
    const buy = (accountId: string) => {
      const externalId = randomUUID()
      const purchase = {
        ...{ externalId, offerId: 'docvet', planId: 'pro', quantity: null, status: 'Subscribed' as const },
        ...{ freeTrial: false, autoRenew: true, termStart: null, termEnd: null, beneficiaryEmail: null },
      }
      return store.link(accountId, purchase, { planId: 'pro', planKey: 'pro' }).then(() => externalId)
    }
    const sold = await buy(buyer.accountId)
    await buy(busy.accountId)
    await refused(/has another live subscription/, 'subscriptions', 'relink', sold, busy.email)
    await admin('accounts', 'disable', heir.email)
    await refused(/is disabled\. To enable it, run:/, 'subscriptions', 'relink', sold, heir.email)
    await admin('accounts', 'enable', heir.email)
    assert.equal((await admin('subscriptions', 'relink', sold, heir.email)).email, heir.email)
    const plans = await Promise.all(
      [buyer, heir].map(async ({ email }) => (await admin('accounts', 'show', email)).plan),
    )
    assert.deepEqual(plans, ['free', 'pro'])
    assert.equal((await admin('subscriptions', 'show', sold)).status, 'Subscribed')
    assert.equal((await admin<unknown[]>('subscriptions', 'list', '--status', 'subscribed')).length, 2)
    await refused(/No subscription/, 'subscriptions', 'show', UNKNOWN_ID)
    await refused(/billed on.* or relink it/, 'accounts', 'delete', heir.email, '--confirm', heir.email)
  })

  async function postJob(isFailed: boolean): Promise<string> {
    const store = await openTestStore(database, [IDLE])
    const change = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work)
    const id = randomUUID()
    await change((trx) => store.post(trx, IDLE, [{ id, data: {} }]))
    if (isFailed)
      for (const job of await store.claim(IDLE, 1)) await change((trx) => store.giveUp(trx, IDLE, job, 'refused'))
    await store.close()
    return id
  }

  test('jobs: list failed and waiting ones, run them again and drop them', async () => {
    const [failed, waiting] = [await postJob(true), await postJob(false)]
    const ids = async (...options: string[]) =>
      (await admin<{ id: string }[]>('jobs', 'list', ...options)).map(({ id }) => id)
    assert.deepEqual(await ids('--kind', IDLE.name), [failed, waiting])
    assert.deepEqual(await ids('--state', 'failed'), [failed])
    const [listed] = await admin<Record<string, unknown>[]>('jobs', 'list', '--state', 'failed')
    assert.deepEqual(
      [listed?.kind, listed?.state, listed?.lastError, listed?.data],
      ['idle', 'failed', 'refused', undefined],
    )
    await admin('jobs', 'retry', failed)
    assert.deepEqual(await ids('--state', 'failed'), [])
    assert.deepEqual(await ids('--kind', IDLE.name, '--state', 'waiting'), [failed, waiting])
    for (const id of [failed, waiting]) await admin('jobs', 'drop', id)
    assert.deepEqual(await ids('--kind', IDLE.name), [])
    for (const command of ['retry', 'drop']) await refused(/No job with the id/, 'jobs', command, UNKNOWN_ID)
    assert.equal((await run(env, ['jobs', 'list', '--state', 'lost'])).exitCode, 2)
  })

  test('a key with a link as its name is announced by mail, and the link is in no job', async () => {
    const { email } = await signUp(port)
    const { apiKey } = await admin<{ apiKey: string }>(
      'keys',
      'issue',
      email,
      '--name',
      'https://ci.example.com/?job=1',
    )
    assert.match(apiKey, /^dv_/)
    await untilMail({ dataDir: place.dataDir, output: () => '' }, email, new RegExp(apiKey.slice(-4)))
  })

  test('mail that a version without jobs has queued is sent', async () => {
    const { email } = await signUp(port)
    const { id: accountId } = await admin<{ id: string }>('accounts', 'show', email)
    const mail = { id: randomUUID(), kind: 'key_created', dedupe: null, created_at: 1, due_at: 1, attempts: 3 }
    const params = JSON.stringify({ accountId, name: 'Older version', lastFour: 'abcd' })
    const state = { claimed_by: null, claimed_until: null, failed_at: null, last_error: null }
    await database.db
      .insertInto('mail_outbox')
      .values({ ...mail, params, ...state })
      .execute()
    const store = await openTestStore(database, [MAIL])
    const adoption = adoptOldMail({ database, store, kind: MAIL, log: quietLog })
    await untilMail({ dataDir: place.dataDir, output: () => '' }, email, /Older version/)
    await adoption.close()
    await store.close()
    assert.deepEqual(await database.db.selectFrom('mail_outbox').select('id').execute(), [])
  })

  test('export has every table with personal data, without hashes, and delete removes it', async () => {
    const person = await signUpPerson(port)
    const { apiKey } = await admin<{ apiKey: string }>('keys', 'issue', person.email, '--name', 'Laptop')
    const mail = { dataDir: place.dataDir, output: () => '' }
    await untilMail(mail, person.email, /Laptop/)
    const exported = await admin<Record<string, Record<string, unknown>[]>>('accounts', 'export', person.email)
    const tables = (await database.db.introspection.getTables())
      .filter(({ schema = 'public' }) => schema === 'public')
      .map(({ name }) => name)
    assert.deepEqual(
      [...Object.keys(exported), ...NOT_EXPORTED].sort(),
      [...tables.filter((name) => !name.startsWith('kysely_')), 'mail_files'].sort(),
    )
    assert.deepEqual(
      [exported.accounts?.[0]?.email, exported.api_keys?.[0]?.name, exported.sessions?.length],
      [person.email, 'Laptop', 1],
    )
    assert.equal(exported.mail_files?.length, mailTo(mail, person.email).length)
    const names = Object.values(exported).flatMap((rows) => rows.flatMap((row) => Object.keys(row)))
    assert.deepEqual(
      names.filter((name) => /^(hash|password_hash|email_hash)$/.test(name)),
      [],
    )

    await refused(new RegExp(`--confirm ${person.email}`), 'accounts', 'delete', person.email)
    await refused(/--confirm/, 'accounts', 'delete', person.email, '--confirm', 'other@example.com')
    await admin('accounts', 'delete', person.email, '--confirm', person.email)
    assertProblem(await usage(port, withKey(apiKey)), 401, 'unauthenticated')
    await refused(/No account/, 'accounts', 'export', person.email)
    for (const table of ['accounts', 'api_keys', 'sessions', 'jobs'] as const) {
      const rows = JSON.stringify(await database.db.selectFrom(table).selectAll().execute())
      assert.ok(!rows.includes(person.email) && !rows.includes('Laptop'), table)
    }
    assert.deepEqual(mailTo(mail, person.email), [])
  })

  test('the audit log has the events of an account without personal data, and is verified', async () => {
    const person = await signUpPerson(port)
    const { id } = await admin<{ id: string }>('accounts', 'show', person.email)
    const created = await asPage(port, person.cookie, 'POST', '/api/v1/keys', { name: 'Laptop' })
    const { id: keyId } = created.json() as { id: string }
    const passwords = { currentPassword: person.password, newPassword: `${GOOD_PASSWORD} again` }
    const changed = await asPage(port, person.cookie, 'POST', '/api/v1/auth/change-password', passwords)
    const cookie = cookieOf(changed)
    await asPage(port, cookie, 'DELETE', `/api/v1/keys/${keyId}`)
    await admin('accounts', 'set-plan', id, 'pro')
    await admin('accounts', 'export', id)
    await admin('accounts', 'disable', id)
    await admin('accounts', 'enable', id)
    await admin('accounts', 'delete', id, '--confirm', person.email)

    type Event = { actor: string; event: string; subject: string | null; details: unknown }
    const events = (await admin<Event[]>('audit', 'list', '--account', id)).reverse()
    const operator = `admin:${userInfo().username}`
    assert.deepEqual(
      events.map(({ actor, event }) => `${event} ${actor}`),
      [
        ...['account.created', 'session.started', 'key.created', 'password.changed', 'session.ended'],
        ...['session.started', 'key.revoked'],
      ]
        .map((event) => `${event} owner`)
        .concat(
          ['account.plan_changed', 'account.exported', 'account.disabled', 'session.ended', 'account.enabled'].map(
            (event) => `${event} ${operator}`,
          ),
          `account.deleted ${operator}`,
        ),
    )
    assert.equal(events.find(({ event }) => event === 'key.revoked')?.subject, keyId)
    assert.deepEqual(events.find(({ event }) => event === 'account.plan_changed')?.details, { from: 'free', to: 'pro' })
    const exported = JSON.stringify(await admin('audit', 'export'))
    for (const personal of [person.email, 'Laptop', 'docvet_session']) assert.ok(!exported.includes(personal), personal)
    assert.equal((await admin('audit', 'verify')).problem, null)
    assert.match(
      (await run(env, ['audit', 'verify'])).stdout,
      /^\d+ events are unchanged\. Note this .*: \d+:[0-9a-f]{64}\n$/,
    )
  })

  test('every command that changes something leaves an event of the operator', async () => {
    const { email } = await signUp(port)
    const other = await signUp(port)
    const latest = async () => (await admin<{ event: string; actor: string }[]>('audit', 'list', '--limit', '1'))[0]
    await prove(other.email)
    const jobId = await postJob(true)
    const changes: [string, ...string[]][] = [
      ['key.created', 'accounts', 'create', newEmail()],
      ['key.created', 'keys', 'issue', email],
      ['key.revoked', 'keys', 'revoke', (await createKey(port, other.apiKey)).id],
      ['member.joined', 'members', 'add', email, other.email],
      ['member.removed', 'members', 'remove', email, other.email],
      ['invite.created', 'invites', 'create'],
      ['job.retried', 'jobs', 'retry', jobId],
      ['job.dropped', 'jobs', 'drop', jobId],
    ]
    for (const [event, ...command] of changes) {
      await admin(...command)
      const newest = await latest()
      assert.deepEqual([newest?.event, newest?.actor], [event, `admin:${userInfo().username}`])
    }
  })

  test('check reports configuration, database and engines, and fails with them', async () => {
    const KEY = { DOCVET_SECRET_KEY: Buffer.alloc(32).toString('base64') }
    const engine = (status: 'UP' | 'DOWN', isDegraded?: true): Engine => ({
      name: 'embedded',
      inspect: () => Promise.reject(new Error('not used')),
      health: () => ({
        ...{ name: 'embedded', status, version: '1', signatures: null, signaturesAt: null, detail: null },
        ...(isDegraded && { isDegraded }),
      }),
      version: () => ({ version: '1', signatures: null }),
      close: async () => {},
    })
    const ask = (settings: Record<string, string | undefined>, status: 'UP' | 'DOWN') =>
      run({ ...env, ...KEY, ...settings }, ['check', '--json'], [engine(status)])
    const states = ({ stdout }: { stdout: string }) =>
      (JSON.parse(stdout) as { part: string; status: string }[]).map((each) => `${each.part} ${each.status}`)
    const good = await ask({}, 'UP')
    assert.deepEqual([good.exitCode, states(good)], [0, ['configuration OK', 'database OK', 'engine embedded OK']])
    await database.db.insertInto('secret_keys').values({ name: 'other', seen_at: Date.now() }).execute()
    const other = await ask({}, 'UP')
    await database.db.deleteFrom('secret_keys').execute()
    assert.deepEqual([other.exitCode, states(other)[2]], [1, 'secret key FAILED'])
    const degraded = await run({ ...env, ...KEY }, ['check', '--json'], [engine('UP', true)])
    assert.deepEqual(
      [degraded.exitCode, states(degraded)],
      [0, ['configuration OK', 'database OK', 'engine embedded WARNING']],
    )
    const down = await ask({ DOCVET_SINGUP: 'x' }, 'DOWN')
    assert.equal(down.exitCode, 1)
    assert.deepEqual(states(down), [
      ...['configuration OK', 'configuration WARNING', 'database OK', 'engine embedded FAILED'],
    ])
    const bad = await ask({ DOCVET_PORT: '0' }, 'UP')
    assert.deepEqual([bad.exitCode, states(bad)], [1, ['configuration FAILED']])
  })

  test('backup and restore', async () => {
    const file = path.join(place.dataDir, 'backup.sqlite')
    if (place.url !== null) {
      await refused(/Use pg_dump/, 'backup', file)
      return refused(/Use pg_restore/, 'restore', file)
    }
    const [kept, lost] = [await signUp(port), newEmail()]
    await admin('backup', file)
    await refused(/exists already/, 'backup', file)
    await admin('accounts', 'create', lost)
    await refused(/in use\. Stop the service first/, 'restore', file)
    await refused(/not a usable backup/, 'restore', path.join(ROOT, 'package.json'))
    assert.equal((await usage(port, withKey(kept.apiKey))).status, 200)

    for (const replica of replicas.splice(0)) await replica[Symbol.asyncDispose]()
    await database.close()
    const restored = await admin<{ kept: string }>('restore', file)
    assert.ok(existsSync(restored.kept))
    assert.equal((await admin('accounts', 'show', kept.email)).id, kept.accountId)
    await refused(/No account/, 'accounts', 'show', lost)
    const [restoring] = await admin<{ event: string }[]>('audit', 'list', '--limit', '1')
    assert.deepEqual([restoring?.event, (await admin('audit', 'verify')).problem], ['database.restored', null])
    // On a new machine.
    env = { ...env, DOCVET_DATA_DIR: path.join(place.dataDir, 'new') }
    assert.equal((await admin<{ kept: unknown }>('restore', file)).kept, null)
    assert.equal((await admin('accounts', 'show', kept.email)).id, kept.accountId)
    database = await openPlace(place)
  })
})

describe('the command line', () => {
  test('every command has --help', async () => {
    for (const { name, summary } of COMMANDS) {
      const { exitCode, stdout } = await run({ DOCVET_PORT: '0' }, [...name.split(' '), '--help'])
      assert.deepEqual([exitCode, stdout.startsWith(`Usage: docvet admin ${name}`)], [0, true])
      assert.ok(stdout.includes(summary))
    }
    assert.match((await run({}, ['keys', '--help'])).stdout, /keys issue ACCOUNT/)
  })

  /** A data folder with an empty database. */
  async function newDataDir(): Promise<string> {
    const dataDir = temporaryFolder('admin')
    await (await openPlace({ url: null, dataDir })).close()
    return dataDir
  }

  test('a data folder without a database is refused, and none is created', async () => {
    const dataDir = path.join(temporaryFolder('admin'), 'wrong')
    for (const args of [
      ['accounts', 'list'],
      ['accounts', 'create', newEmail()],
      ['audit', 'verify'],
    ]) {
      const { exitCode, stderr } = await run({ DOCVET_DATA_DIR: dataDir }, args)
      const message = `No database in ${dataDir}: set DOCVET_DATA_DIR, or start the service once.\n`
      assert.deepEqual([exitCode, stderr], [1, `Database: SQLite, ${path.join(dataDir, 'docvet.sqlite')}\n${message}`])
    }
    const checked = await run({ DOCVET_DATA_DIR: dataDir }, ['check'])
    assert.equal(checked.exitCode, 1)
    assert.match(checked.stdout, /database +FAILED +No database in /)
    assert.ok(!existsSync(dataDir))
  })

  test('the exit code is 2 for wrong usage, and 1 for an invalid configuration', async () => {
    const dataDir = await newDataDir()
    for (const args of [
      [],
      ['accounts'],
      ['accounts', 'sho'],
      ['accounts', 'show'],
      ['check', 'x'],
      ['check', '--x'],
      ...['0', '100001', 'x'].map((limit) => ['accounts', 'list', '--limit', limit]),
      ['audit', 'verify', '--anchor', '12'],
      ['subscriptions', 'list', '--status', 'x'],
      ['move'],
      ['move', '--to', 'x'],
    ]) {
      assert.equal((await run({ DOCVET_DATA_DIR: dataDir }, args)).exitCode, 2, args.join(' '))
    }
    const said = async (...args: string[]) => (await run({ DOCVET_DATA_DIR: dataDir }, args)).stderr
    assert.match(
      await said('keys'),
      /^"keys" is not a command\. Commands: keys list, keys issue, keys roll, keys revoke\.\n$/,
    )
    assert.match(await said('check', '--x'), /^Unknown option '--x'\.\nUsage: docvet admin check\n$/)
    assert.match(
      await said('backup', '/nonexistent/a'),
      /^(?:The folder \/nonexistent does|.*docvet\.sqlite does) not exist/m,
    )
    rmSync(dataDir, { recursive: true })
    const { exitCode, stderr } = await run({ DOCVET_PORT: '0' }, ['accounts', 'list'])
    assert.equal(exitCode, 1)
    assert.match(stderr, /^The configuration has 1 problem:\n {2}- DOCVET_PORT/)
    const checked = await run({ DOCVET_PORT: '0', DOCVET_LOG_LEVEL: 'x' }, ['check'])
    assert.match(checked.stdout, /FAILED {2}DOCVET_PORT.*\n.*FAILED {2}DOCVET_LOG_LEVEL/)
  })

  test('runs as a program, with the result on standard output only', async () => {
    const dataDir = await newDataDir()
    const program = path.join(ROOT, 'server/docvet.cjs')
    const options = { env: { PATH: process.env.PATH, DOCVET_DATA_DIR: dataDir } }
    const call = (...args: string[]) =>
      new Promise<[unknown, string, string]>((done) =>
        execFile(program, ['admin', ...args], options, (error, stdout, stderr) =>
          done([error?.code ?? 0, stdout, stderr]),
        ),
      )
    const used = `Database: SQLite, ${path.join(dataDir, 'docvet.sqlite')}\n`
    assert.deepEqual(await call('accounts', 'list', '--json'), [0, '[]\n', used])
    const [code, stdout, stderr] = await call('accounts', 'show', 'nobody@example.com')
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^Database: .*\nNo account/)

    const file = path.join(dataDir, 'docvet.env')
    const other = await newDataDir()
    writeFileSync(file, `# The settings of the service.\nDOCVET_DATA_DIR='${other}'\n`)
    for (const args of [
      ['--env-file', file, 'accounts', 'list', '--json'],
      ['--settings', file, 'accounts', 'list', '--json'],
      ['accounts', 'list', '--json', `--env-file=${file}`],
    ])
      assert.deepEqual(await call(...args), [0, '[]\n', `Database: SQLite, ${path.join(other, 'docvet.sqlite')}\n`])
    writeFileSync(file, 'DOCVET_DATA_DIR=a#b\n')
    assert.match(
      (await call('check', '--env-file', file))[2],
      /docvet\.env, line 1: programs read this value differently/,
    )
    for (const option of ['--settings', '--env-file']) {
      assert.deepEqual(await call('check', option, `${file}x`), [
        1,
        '',
        `${option}: ${file}x does not exist. Give the path of the file with the settings of the service.\n`,
      ])
      assert.match((await call('check', `${option}=${other}`))[2], /^--\S+: \S+ is a folder\. Give the path/)
      assert.match((await call('check', option, `${file}/x`))[2], / a part of its path is a file\. /)
      writeFileSync(file, 'secret\n')
      assert.match((await call('check', option, file))[2], /^--\S+: \S+docvet\.env, line 1 is not NAME=value\.\n$/)
    }
    rmSync(dataDir, { recursive: true })
    rmSync(other, { recursive: true })
  })

  test('the database is named on standard error, without user and password', async () => {
    const used = async (databaseUrl: string) =>
      (await run({ DOCVET_DATABASE_URL: databaseUrl, DOCVET_DATA_DIR: temporaryFolder('admin') }, ['backup', 'x']))
        .stderr
    for (const [url, place] of [
      ['postgres://ada:secret@db.example.com:6432/docs', 'docs on db.example.com:6432'],
      ['postgres://ada:secret@db.example.com', 'default database on db.example.com'],
      ['postgres://ada:secret@/docs?host=/run/postgresql', 'docs on /run/postgresql'],
    ] as const)
      assert.equal(await used(url), `Database: PostgreSQL, ${place}\nThe database is PostgreSQL. Use pg_dump.\n`)
  })
})
