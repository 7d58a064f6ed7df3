/** The operator's page: who may use it, and that everything goes through the commands of `docvet admin` and into the audit log. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { startApp } from '#test/support/app.ts'
import { asPage, type Person, signUpPerson } from '#test/support/auth-client.ts'
import { createKey, KEY, newEmail, signUp, usage, withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { openPlace, seedKey } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const PATH = '/api/v1/operator/commands'
const HALF_AN_HOUR_MS = 30 * 60 * 1_000
const OPERATOR = 'Root@example.com'

interface Result<T> {
  data: T
  message: string | null
}

forEachDatabase("the operator's page", (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let app: Awaited<ReturnType<typeof startApp>>
  let root: Person
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    const operators = { DOCVET_OPERATORS: `someone@example.com, ${OPERATOR.toLowerCase()}` }
    app = await startApp(
      {},
      { DOCVET_DATABASE_URL: place.url ?? undefined, DOCVET_DATA_DIR: place.dataDir, ...operators },
    )
    root = await signUpPerson(app.port, OPERATOR)
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await database.close()
    await place.release()
  })

  const update = (email: string) => database.db.updateTable('accounts').where('email', '=', email)
  const ask = (person: Person, body?: object): Promise<Answer> =>
    asPage(app.port, person.cookie, body === undefined ? 'GET' : 'POST', PATH, body)
  async function run<T = Record<string, unknown>[]>(
    command: string,
    args: string[] = [],
    options = {},
  ): Promise<Result<T>> {
    const answer = await ask(root, { command, args, options })
    assert.equal(answer.status, 200, answer.body)
    return answer.json() as Result<T>
  }

  test('it does not exist for other people, and for an operator whose address nobody has proven', async () => {
    const other = await signUpPerson(app.port)
    for (const person of [other, root])
      for (const body of [undefined, { command: 'accounts list' }, { command: 'nonsense' }])
        assertProblem(await ask(person, body), 404, 'not_found')
    await update(other.email).set({ email_proven_at: 1 }).execute()
    assertProblem(await ask(other), 404, 'not_found')
    assertProblem(await request(app.port, 'GET', PATH), 401, 'unauthenticated')
    const { apiKey } = await signUp(app.port)
    assertProblem(await request(app.port, 'GET', PATH, { headers: withKey(apiKey) }), 401, 'unauthenticated')
    const foreign = { cookie: root.cookie, 'sec-fetch-site': 'cross-site' }
    const posted = await request(app.port, 'POST', PATH, { headers: foreign, body: { command: 'accounts list' } })
    assertProblem(posted, 403, 'cross_site')
    await update(OPERATOR).set({ email_proven_at: 1 }).execute()
    assert.equal((await ask(root)).status, 200)
  })

  test('the sign-in must be at most 30 minutes old', async () => {
    const sessions = database.db
      .updateTable('sessions')
      .where('account_id', '=', (eb) => eb.selectFrom('accounts').select('id').where('email', '=', OPERATOR))
    const signedIn = async (ms: number) => {
      await sessions.set({ created_at: Date.now() - ms }).execute()
      return await ask(root, { command: 'accounts list' })
    }
    assertProblem(await signedIn(HALF_AN_HOUR_MS + 1_000), 401, 'invalid_credentials')
    assert.equal((await signedIn(HALF_AN_HOUR_MS - 20_000)).status, 200)
    await sessions.set({ created_at: Date.now() }).execute()
  })

  test('commands do what they do in a shell, and the audit log names the operator for each', async () => {
    const { apiKey, email } = await signUp(app.port)
    const found = await run<{ id: string; email: string }[]>('accounts list', [], { search: email })
    assert.deepEqual(
      found.data.map((each) => each.email),
      [email],
    )
    const [{ id } = { id: '' }] = found.data
    assert.match((await run('accounts set-plan', [id, 'pro'])).message ?? '', /is on the plan pro/)
    const shown = (await run<{ plan: string; createdAt: string }>('accounts show', [email])).data
    assert.equal(shown.plan, 'pro')
    assert.equal(new Date(shown.createdAt).toISOString(), shown.createdAt)
    await run('accounts disable', [id])
    assert.equal((await usage(app.port, withKey(apiKey))).status, 401)
    await run('accounts enable', [id])
    const issued = (await run<{ apiKey: string }>('keys issue', [id], { name: 'By the operator' })).data.apiKey
    assert.match(issued, KEY)
    const { id: keyId } = await createKey(app.port, issued)
    await run('keys revoke', [keyId])
    assertProblem(await ask(root, { command: 'keys revoke', args: [keyId] }), 400, 'invalid_request')
    assertProblem(await ask(root, { command: 'accounts delete', args: [id] }), 400, 'invalid_request')
    await run('accounts delete', [id], { confirm: email })
    assertProblem(await ask(root, { command: 'accounts show', args: [id] }), 400, 'invalid_request')

    const log = (
      await run<{ actor: string; event: string; accountId: string | null; details: object | null }[]>('audit list')
    ).data
    const [operator] = (await run<{ id: string }[]>('accounts list', [], { search: OPERATOR })).data
    const own = log.filter(({ actor }) => actor === `operator:${operator?.id}`)
    for (const event of [
      'account.plan_changed',
      'account.disabled',
      'account.enabled',
      'key.created',
      'key.revoked',
      'account.deleted',
    ])
      assert.ok(
        own.some((each) => each.event === event && each.accountId === id),
        event,
      )
    const commands = own
      .filter(({ event }) => event === 'operator.command')
      .map(({ details }) => JSON.stringify(details))
    for (const command of ['accounts show', 'accounts delete', 'keys issue', 'audit list'])
      assert.ok(
        commands.some((each) => each.includes(`"${command}"`)),
        command,
      )
    const all = JSON.stringify(log)
    for (const secret of [email, issued, issued.slice(12, 24)]) assert.ok(!all.includes(secret), secret)
    assert.equal((await run<{ problem: string | null }>('audit verify')).data.problem, null)
  })

  test('scans of all accounts have no names of files unless asked for, which the audit log says', async () => {
    const { apiKey } = await signUp(app.port)
    const accountId = (
      await database.db
        .selectFrom('api_keys')
        .select('account_id as id')
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow()
    ).id
    assert.ok(apiKey)
    const keyId = await seedKey(database, accountId)
    const row = {
      ...{
        id: newId(),
        key_id: keyId,
        account_id: accountId,
        verdict: 'infected' as const,
        obstacle: null,
        file_name: 'diagnosis of Ada.pdf',
      },
      ...{
        content_type: null,
        threat: 'Docvet.Test.Eicar',
        engine: null,
        path: null,
        sha256: 'a'.repeat(64),
        size: 68,
        type: 'text/plain',
      },
      ...{ engines: '[]', findings: null, started_at: Date.now(), finished_at: Date.now(), reference: null },
      ...{ problem: null, problem_detail: null, state: null, lease_until: null },
    }
    await database.db.insertInto('scans').values(row).execute()
    const plain = JSON.stringify(await run('scans list', [], { verdict: 'infected' }))
    assert.ok(plain.includes(row.id) && !plain.includes('diagnosis'))
    assert.deepEqual((await run('scans list', [], { verdict: 'clean' })).data, [])
    assert.ok(JSON.stringify(await run('scans list', [], { names: 'on', account: accountId })).includes('diagnosis'))
    const [_itself, newest] = (
      await run<{ details: object }[]>('audit list', [], { event: 'operator.command', account: accountId })
    ).data
    assert.deepEqual(newest?.details, { command: 'scans list', options: 'account names' })
  })

  test('commands of the machine, wrong options and wrong arguments are refused', async () => {
    const { items } = (await ask(root)).json() as { items: { name: string }[] }
    assert.ok(items.some(({ name }) => name === 'jobs drop'))
    for (const command of ['backup', 'restore', 'check', 'audit export', 'receipts rotate'])
      assert.ok(!items.some(({ name }) => name === command), command)
    const wrong = [
      { command: 'backup', args: ['/tmp/x'] },
      { command: 'accounts list', options: { 'env-file': '/etc/passwd' } },
      { command: 'accounts list', options: { limit: '0' } },
      { command: 'accounts list', args: ['x'] },
      { command: 'accounts show' },
      { command: 'accounts list', args: [], more: 1 },
      { command: 'accounts show', args: ['x'.repeat(1_001)] },
      { command: 'scans list', options: { names: 'yes' } },
    ]
    for (const body of wrong) assertProblem(await ask(root, body), 400, 'invalid_request')
    const longest = { command: 'accounts show', args: ['x'.repeat(1_000)] }
    assert.match(assertProblem(await ask(root, longest), 400, 'invalid_request').detail ?? '', /No account/)
  })

  test('a removed operator is refused with the next request', async () => {
    const gone = await signUpPerson(app.port, newEmail())
    await update(gone.email)
      .set({ email: 'someone@example.com', email_key: 'someone@example.com', email_proven_at: 1 })
      .execute()
    assert.equal((await ask(gone)).status, 200)
    await update('someone@example.com').set({ disabled_at: 1 }).execute()
    assertProblem(await ask(gone), 401, 'unauthenticated')
  })
})

test('without DOCVET_OPERATORS nobody is an operator', async () => {
  await using app = await startApp()
  const person = await signUpPerson(app.port)
  assertProblem(await asPage(app.port, person.cookie, 'GET', PATH), 404, 'not_found')
})
