/** What a key may do, for how long and from where; and rolling it. On two replicas. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobStore } from '#jobs/job.ts'
import { MAIL } from '#mail/outbox.ts'
import type { Database } from '#storage/database.ts'
import { startApp } from '#test/support/app.ts'
import { asPage, signUpPerson } from '#test/support/auth-client.ts'
import {
  assertFields,
  createKey,
  KEY,
  listKeys,
  postKey,
  revokeKey,
  signUp,
  UNKNOWN_ID,
  UNKNOWN_KEY,
  UUID,
  usage,
  withKey,
} from '#test/support/client.ts'
import { openTestStore } from '#test/support/jobs.ts'
import { mailTo, untilMail } from '#test/support/outbox.ts'
import { assertProblem, fieldsOf } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { cleanEngine, plansFile, scan, scanned } from '#test/support/scanning.ts'
import { openPlace } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const QUOTA = 6
const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString()

interface Created {
  id: string
  name: string
  apiKey: string
  keyPrefix: string
}

forEachDatabase('limited keys', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let replicas: Awaited<ReturnType<typeof startApp>>[]
  let jobs: JobStore
  let [port, otherPort] = [0, 0]
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    const env = {
      DOCVET_DATABASE_URL: place.url ?? undefined,
      DOCVET_DATA_DIR: place.dataDir,
      DOCVET_PLANS_FILE: plansFile({ scansPerMonth: QUOTA, keysPerMonth: 5 }),
      DOCVET_TRUSTED_PROXIES: '127.0.0.2',
      DOCVET_MCP: 'on',
    }
    const resources = () => ({ engines: [cleanEngine] })
    replicas = [await startApp({}, env, resources()), await startApp({}, env, resources())]
    jobs = await openTestStore(database, [MAIL])
    ;[port = 0, otherPort = 0] = replicas.map((replica) => replica.port)
  })
  after(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]()
    await jobs.close()
    await database.close()
    await place.release()
  })

  async function limited(apiKey: string, body: object): Promise<Created> {
    const answer = await postKey(port, apiKey, body)
    assert.equal(answer.status, 201, answer.body)
    return answer.json() as Created
  }
  const roll = (key: string, id: string, body?: object, at = port) =>
    request(at, 'POST', `/api/v1/keys/${id}/roll`, { headers: withKey(key), body })
  async function rolled(key: string, id: string, body?: object): Promise<Created> {
    const answer = await roll(key, id, body)
    assert.equal(answer.status, 201, answer.body)
    return answer.json() as Created
  }
  const summary = async (apiKey: string, id: string) => (await listKeys(port, apiKey)).find((key) => key.id === id)
  const setKey = (id: string, values: Record<string, number | string | null>) =>
    database.db.updateTable('api_keys').set(values).where('id', '=', id).execute()
  const refusals = async (id: string) =>
    (await database.db.selectFrom('audit_log').select('details').where('subject', '=', id).execute())
      .map(({ details }) => JSON.parse(details ?? 'null')?.reason)
      .filter(Boolean)

  test('201 with the fields of every key, and a list that shows limits only where they are set', async () => {
    const { apiKey } = await signUp(port)
    const expiresAt = inFuture(30 * DAY_MS)
    const key = await limited(apiKey, {
      name: 'Build server',
      scopes: ['scan'],
      expiresAt,
      allowedAddresses: ['127.0.0.0/8', '2001:db8::/32', '198.51.100.7'],
    })
    assertFields(key, { id: UUID, name: 'Build server', apiKey: KEY, keyPrefix: key.apiKey.slice(0, 12) })
    const [first, second] = await listKeys(port, apiKey)
    const plain = ['id', 'name', 'keyPrefix', 'lastFour', 'status', 'createdAt', 'lastUsedAt']
    assert.deepEqual(Object.keys(first ?? {}), plain)
    assert.deepEqual(second, {
      ...{ id: key.id, name: 'Build server', keyPrefix: key.keyPrefix, lastFour: key.apiKey.slice(-4) },
      ...{ status: 'active', createdAt: second?.createdAt, lastUsedAt: null },
      ...{ scopes: ['scan'], expiresAt, allowedAddresses: ['127.0.0.0/8', '2001:db8::/32', '198.51.100.7'] },
    })
    assert.equal((await usage(port, withKey(key.apiKey))).status, 200)
    const used = (await summary(apiKey, key.id)) as unknown as Record<string, unknown>
    assert.deepEqual([typeof used.lastUsedAt, used.lastUsedAddress], ['string', '127.0.0.1'])
  })

  test('201 for all scopes, which is the same as none given', async () => {
    const { apiKey } = await signUp(port)
    const key = await limited(apiKey, { scopes: ['manage', 'read', 'scan'] })
    assert.ok(!('scopes' in ((await summary(apiKey, key.id)) ?? {})))
  })

  const REFUSED: Record<string, [string, () => unknown]> = {
    'no scope': ['scopes', () => []],
    'an unknown scope': ['scopes', () => ['scan', 'everything']],
    'a scope twice': ['scopes', () => ['scan', 'scan']],
    'an expiry in less than an hour': ['expiresAt', () => inFuture(HOUR_MS - 5_000)],
    'an expiry in more than two years': ['expiresAt', () => inFuture(2 * 366 * DAY_MS)],
    'an expiry that is no time': ['expiresAt', () => 'soon'],
    'no address': ['allowedAddresses', () => []],
    'more than 20 addresses': ['allowedAddresses', () => Array.from({ length: 21 }, (_, at) => `192.0.2.${at}`)],
    'a name instead of an address': ['allowedAddresses', () => ['example.com']],
    'a network with 33 bits': ['allowedAddresses', () => ['192.0.2.0/33']],
    'a network with 129 bits': ['allowedAddresses', () => ['2001:db8::/129']],
    'a network without its bits': ['allowedAddresses', () => ['192.0.2.0/']],
    'an address with a zone': ['allowedAddresses', () => ['fe80::1%eth0']],
    'an address with a port': ['allowedAddresses', () => ['192.0.2.1:80']],
  }
  for (const [what, [field, value]] of Object.entries(REFUSED)) {
    test(`400 naming the field, and no key, for ${what}`, async () => {
      const { apiKey } = await signUp(port)
      const problem = assertProblem(await postKey(port, apiKey, { [field]: value() }), 400, 'invalid_request')
      assert.equal(fieldsOf(problem)[0]?.split(/[./[]/)[0], field)
      assert.equal((await listKeys(port, apiKey)).length, 1)
    })
  }

  test('201 at the limits: an hour, two years, 20 addresses', async () => {
    const { apiKey } = await signUp(port)
    await limited(apiKey, { expiresAt: inFuture(HOUR_MS + 2_000) })
    await limited(apiKey, { expiresAt: inFuture(730 * DAY_MS) })
    await limited(apiKey, { allowedAddresses: Array.from({ length: 20 }, (_, at) => `192.0.2.${at}/32`) })
  })

  const SHA = 'a'.repeat(64)
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  /** Of every scope: what it permits. Everything else is refused. */
  const DOORS: [string, string, readonly string[]][] = [
    ['POST', '/api/v1/scan', ['scan']],
    ['POST', '/api/v1/scans', ['scan']],
    ['POST', '/api/v1/text', ['scan']],
    ['POST', '/v2/scan', ['scan']],
    ['POST', '/api/v1/events', ['scan']],
    ['POST', '/mcp', ['scan', 'read']],
    ['GET', '/api/v1/usage', ['scan', 'read']],
    ['GET', '/api/v1/usage/2026-11', ['scan', 'read']],
    ['GET', '/api/v1/scans', ['read']],
    ['GET', '/api/v1/events', ['read']],
    ['GET', `/api/v1/scans/${UNKNOWN_ID}`, ['read']],
    ['GET', `/api/v1/scans/${UNKNOWN_ID}/receipt`, ['read']],
    ['GET', '/api/v1/allowed', ['read', 'manage']],
    ['GET', `/api/v1/allowed/${SHA}`, ['read', 'manage']],
    ['PUT', `/api/v1/allowed/${SHA}`, ['manage']],
    ['DELETE', `/api/v1/allowed/${SHA}`, ['manage']],
    ['GET', '/api/v1/keys', ['manage']],
    ['POST', '/api/v1/keys', ['manage']],
    ['DELETE', `/api/v1/keys/${UNKNOWN_ID}`, ['manage']],
    ['POST', `/api/v1/keys/${UNKNOWN_ID}/roll`, ['manage']],
    ['GET', '/api/v1/webhooks', ['manage']],
    ['POST', '/api/v1/webhooks', ['manage']],
    ['GET', `/api/v1/webhooks/${UNKNOWN_ID}`, ['manage']],
    ['PATCH', `/api/v1/webhooks/${UNKNOWN_ID}`, ['manage']],
    ['DELETE', `/api/v1/webhooks/${UNKNOWN_ID}`, ['manage']],
    ['POST', `/api/v1/webhooks/${UNKNOWN_ID}/rotate`, ['manage']],
    ['POST', `/api/v1/webhooks/${UNKNOWN_ID}/test`, ['manage']],
    ['GET', `/api/v1/webhooks/${UNKNOWN_ID}/deliveries`, ['manage']],
    ['POST', `/api/v1/deliveries/${UNKNOWN_ID}/retry`, ['manage']],
  ]
  test('403 key_scope for everything that the scopes of a key do not include, and nothing is left out', async () => {
    const pattern = (url: string) => new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`)
    const [app] = replicas
    const hasRow = ({ method, url }: { method: string; url: string }) =>
      DOORS.some(([verb, path]) => verb === method && pattern(url).test(path))
    const accepting = (app?.routes ?? []).filter((each) => each.credential.includes('key') && each.method !== 'HEAD')
    assert.deepEqual(
      accepting.filter((each) => !hasRow(each)),
      [],
    )
    for (const scope of ['scan', 'read', 'manage']) {
      const { apiKey } = await signUp(port)
      const key = await limited(apiKey, { scopes: [scope] })
      for (const [method, path, scopes] of DOORS) {
        const answer = await request(port, method, path, { headers: { ...withKey(key.apiKey), ...form } })
        if (!scopes.includes(scope)) {
          const { detail } = assertProblem(answer, 403, 'key_scope')
          assert.ok(detail.includes(`\`${scopes[0]}\``), `${method} ${path}: ${detail}`)
        } else assert.ok(answer.status !== 401 && answer.status !== 403, `${scope} ${method} ${path}: ${answer.body}`)
      }
    }
  })

  test('403 for a key that would create or get a key with more rights than its own', async () => {
    const { apiKey } = await signUp(port)
    const [first] = await listKeys(port, apiKey)
    const manager = await limited(apiKey, { scopes: ['manage'] })
    assertProblem(await postKey(port, manager.apiKey, { scopes: ['scan'] }), 403, 'key_scope')
    assertProblem(await roll(manager.apiKey, first?.id ?? ''), 403, 'key_scope')
    assert.equal((await usage(port, withKey(apiKey))).status, 200)
    // Without scopes, it gets those of the key that creates it.
    const child = await limited(manager.apiKey, {})
    assert.deepEqual((await summary(apiKey, child.id))?.scopes, ['manage'])
    const expiresAt = inFuture(2 * HOUR_MS)
    const bound = await limited(apiKey, { expiresAt, allowedAddresses: ['127.0.0.0/8'] })
    const [free] = await Promise.all([limited(bound.apiKey, {})])
    const { expiresAt: inherited, allowedAddresses } = (await summary(apiKey, free.id)) ?? {}
    assert.deepEqual([inherited, allowedAddresses], [expiresAt, ['127.0.0.0/8']])
    assertProblem(await postKey(port, bound.apiKey, { expiresAt: inFuture(3 * HOUR_MS) }), 403, 'key_scope')
    assertProblem(await postKey(port, bound.apiKey, { allowedAddresses: ['127.0.0.0/7'] }), 403, 'key_scope')
    assertProblem(await roll(bound.apiKey, first?.id ?? ''), 403, 'key_scope')
  })

  test('a key for tests rolls to a key for tests, and gets no other secret; tools are those of the scopes', async () => {
    const { apiKey } = await signUp(port)
    const key = await limited(apiKey, { test: true })
    const fresh = await rolled(key.apiKey, key.id, { graceSeconds: 60 })
    assert.match(fresh.apiKey, /^dv_test_/)
    const [first] = await listKeys(port, apiKey)
    assertProblem(await roll(fresh.apiKey, first?.id ?? ''), 403, 'key_scope')
    const other = await limited(apiKey, { test: true })
    await scan(port, fresh.apiKey, 'text')
    await scan(port, key.apiKey, 'text')
    const { scansUsed } = (await usage(port, withKey(other.apiKey))).json() as { scansUsed: number }
    assert.equal(scansUsed, 2)
    const toolsOf = async (secret: string) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const answer = await request(port, 'POST', '/mcp', { headers: withKey(secret), body })
      return (answer.json() as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name)
    }
    const reader = await limited(apiKey, { scopes: ['read'] })
    assert.equal((await toolsOf(apiKey)).length - 1, (await toolsOf(reader.apiKey)).length)
    assert.ok(!(await toolsOf(reader.apiKey)).some((name) => name.startsWith('scan')))
  })

  /** Without what differs between any two responses. */
  function shape({ status, rawHeaders, body }: Answer): unknown {
    const varying = ['x-request-id', 'date']
    const headers = rawHeaders.filter(([name]) => !varying.includes(name.toLowerCase()))
    return { status, headers, body: body.replace(/"requestId":"[^"]+"/, '') }
  }

  test('401 for an expired key, the same as for an unknown one, on both replicas, and an audit entry', async () => {
    const { apiKey } = await signUp(port)
    const { id, apiKey: doomed } = await limited(apiKey, { expiresAt: inFuture(2 * HOUR_MS) })
    assert.equal((await usage(port, withKey(doomed))).status, 200)
    await setKey(id, { expires_at: Date.now() - 1 })
    for (const at of [port, otherPort])
      assert.deepEqual(shape(await usage(at, withKey(doomed))), shape(await usage(at, withKey(UNKNOWN_KEY))))
    assert.equal((await summary(apiKey, id))?.status, 'expired')
    for (const end = Date.now() + 60_000; (await refusals(id)).length < 2 && Date.now() < end; ) await sleep(10)
    for (let i = 0; i < 5; i++) await usage(port, withKey(doomed))
    // One an hour and process, so that a stolen key cannot fill the log.
    assert.deepEqual(await refusals(id), ['expired', 'expired'])
    assert.equal((await revokeKey(port, apiKey, id)).status, 204)
  })

  test('401 from another address, the same as for an unknown key; a proxy counts only if it is trusted', async () => {
    const { apiKey } = await signUp(port)
    const [here, elsewhere] = [
      await limited(apiKey, { allowedAddresses: ['127.0.0.1'] }),
      await limited(apiKey, { allowedAddresses: ['198.51.100.0/24', '2001:db8::/32'] }),
    ]
    const from = (key: Created, localAddress: string, forwarded?: string) =>
      request(port, 'GET', '/api/v1/usage', {
        headers: { ...withKey(key.apiKey), ...(forwarded && { 'x-forwarded-for': forwarded }) },
        localAddress,
      })
    assert.equal((await from(here, '127.0.0.1')).status, 200)
    const unknown = { ...here, apiKey: UNKNOWN_KEY }
    assert.deepEqual(shape(await from(here, '127.0.0.3')), shape(await from(unknown, '127.0.0.3')))
    const statusOf = async (...given: Parameters<typeof from>) => (await from(...given)).status
    assert.deepEqual(
      {
        'spoofed by the client': await statusOf(elsewhere, '127.0.0.1', '198.51.100.9'),
        'through the proxy': await statusOf(elsewhere, '127.0.0.2', '198.51.100.9'),
        'as a mapped address': await statusOf(elsewhere, '127.0.0.2', '::ffff:198.51.100.9'),
        'with a port': await statusOf(elsewhere, '127.0.0.2', '198.51.100.9:4711'),
        IPv6: await statusOf(elsewhere, '127.0.0.2', '2001:db8:1::1'),
        'from elsewhere through the proxy': await statusOf(elsewhere, '127.0.0.2', '203.0.113.1'),
        'spoofed in front of the proxy': await statusOf(elsewhere, '127.0.0.2', '198.51.100.9, 203.0.113.1'),
        'no address at all': await statusOf(elsewhere, '127.0.0.2', 'unknown'),
      },
      {
        'spoofed by the client': 401,
        'through the proxy': 200,
        'as a mapped address': 200,
        'with a port': 200,
        IPv6: 200,
        'from elsewhere through the proxy': 401,
        'spoofed in front of the proxy': 401,
        'no address at all': 401,
      },
    )
    const everyone = await limited(apiKey, { allowedAddresses: ['::/0'] })
    const mapped = await limited(apiKey, {
      allowedAddresses: ['::ffff:127.0.0.1', '::ffff:7f00:3', '::FFFF:198.51.100.0/120'],
    })
    assert.deepEqual((await summary(apiKey, mapped.id))?.allowedAddresses, [
      '127.0.0.1',
      '127.0.0.3',
      '198.51.100.0/24',
    ])
    assert.deepEqual(
      {
        'both notations of IPv4': [await statusOf(mapped, '127.0.0.1'), await statusOf(mapped, '127.0.0.3')],
        'the edges of their network': [
          await statusOf(mapped, '127.0.0.2', '198.51.100.255'),
          await statusOf(mapped, '127.0.0.2', '198.51.101.0'),
        ],
        'no IPv4 address in all of IPv6': [
          await statusOf(everyone, '127.0.0.1'),
          await statusOf(everyone, '127.0.0.2', '::ffff:198.51.100.9'),
          await statusOf(everyone, '127.0.0.2', '2001:db8::1'),
        ],
      },
      {
        'both notations of IPv4': [200, 200],
        'the edges of their network': [200, 401],
        'no IPv4 address in all of IPv6': [401, 401, 200],
      },
    )
    for (const end = Date.now() + 60_000; (await refusals(here.id)).length < 1 && Date.now() < end; ) await sleep(10)
    assert.deepEqual(await refusals(here.id), ['address'])
  })

  test('rolling: both secrets work during the grace and share one quota, on both replicas', async () => {
    const { apiKey } = await signUp(port)
    const key = await limited(apiKey, { name: 'Shop', scopes: ['scan', 'read'] })
    const fresh = await rolled(apiKey, key.id, { graceSeconds: 604_800 })
    assertFields(fresh, { id: key.id, name: 'Shop', apiKey: KEY, keyPrefix: fresh.apiKey.slice(0, 12) })
    const statuses: number[] = []
    for (let i = 0; i < QUOTA + 2; i++)
      statuses.push((await scan(i % 2 ? port : otherPort, i % 3 ? fresh.apiKey : key.apiKey, 'text')).status)
    assert.deepEqual(statuses, [...Array(QUOTA).fill(200), 402, 402])
    for (const secret of [fresh.apiKey, key.apiKey]) {
      const { scansUsed, scansRemaining } = (await usage(port, withKey(secret))).json() as Record<string, number>
      assert.deepEqual([scansUsed, scansRemaining], [QUOTA, 0])
    }
    const [, old, now] = await listKeys(port, apiKey)
    assert.deepEqual([now?.id, now?.status, now?.lastFour], [key.id, 'active', fresh.apiKey.slice(-4)])
    assert.deepEqual(
      { ...old, id: '', createdAt: '', lastUsedAt: typeof old?.lastUsedAt, expiresAt: '' },
      {
        ...{ id: '', name: 'Shop', keyPrefix: key.keyPrefix, lastFour: key.apiKey.slice(-4), status: 'active' },
        ...{ createdAt: '', lastUsedAt: 'string', scopes: ['scan', 'read'], expiresAt: '', rolledInto: key.id },
        lastUsedAddress: '127.0.0.1',
      },
    )
    const endsIn = Date.parse(old?.expiresAt ?? '') - Date.now()
    assert.ok(endsIn > 604_700_000 && endsIn <= 604_800_000, `${endsIn}`)
    // All scans are those of one key.
    const listed = await request(port, 'GET', `/api/v1/scans?keyId=${key.id}`, { headers: withKey(apiKey) })
    assert.equal((listed.json() as { items: unknown[] }).items.length, QUOTA)
    // The old secret can be revoked alone; the key, only with all of its secrets.
    assert.equal((await revokeKey(port, apiKey, old?.id ?? '')).status, 204)
    assertProblem(await usage(otherPort, withKey(key.apiKey)), 401, 'unauthenticated')
    assert.equal((await usage(otherPort, withKey(fresh.apiKey))).status, 200)
    const again = await rolled(apiKey, key.id, { graceSeconds: 60 })
    assert.equal((await revokeKey(port, apiKey, key.id)).status, 204)
    for (const secret of [fresh.apiKey, again.apiKey])
      assertProblem(await usage(otherPort, withKey(secret)), 401, 'unauthenticated')
  })

  test('rolling without grace ends the old secret at once; a second roll ends the one before', async () => {
    const { apiKey } = await signUp(port)
    const key = await createKey(port, apiKey)
    const second = await rolled(apiKey, key.id)
    assertProblem(await usage(otherPort, withKey(key.apiKey)), 401, 'unauthenticated')
    const third = await rolled(apiKey, key.id, { graceSeconds: 3_600 })
    const fourth = await rolled(apiKey, key.id, { graceSeconds: 3_600 })
    const works = async (secret: string) => (await usage(otherPort, withKey(secret))).status
    assert.deepEqual(
      await Promise.all([second, third, fourth].map(({ apiKey: secret }) => works(secret))),
      [401, 200, 200],
    )
    const short = await rolled(apiKey, key.id, { graceSeconds: 1 })
    assert.equal(await works(fourth.apiKey), 200)
    for (const end = Date.now() + 60_000; (await works(fourth.apiKey)) === 200 && Date.now() < end; ) await sleep(50)
    assert.deepEqual([await works(fourth.apiKey), await works(short.apiKey)], [401, 200])
  })

  test('a key counts once for the monthly limit however often it is rolled, also at the limit', async () => {
    const { apiKey } = await signUp(port)
    const keys = []
    for (let i = 0; i < 4; i++) keys.push(await createKey(port, apiKey))
    for (let i = 0; i < 3; i++) await rolled(apiKey, keys[0]?.id ?? '', { graceSeconds: 3_600 })
    assertProblem(await postKey(port, apiKey), 409, 'key_limit_reached')
    await setKey(keys[1]?.id ?? '', { expires_at: Date.now() - 1 })
    assertProblem(await postKey(port, apiKey), 409, 'key_limit_reached')
    await setKey(keys[1]?.id ?? '', { expires_at: Date.now() - 32 * DAY_MS })
    await createKey(port, apiKey)
    assertProblem(await postKey(port, apiKey), 409, 'key_limit_reached')
  })

  test('rolling keeps the limits, and renews the lifetime for a person but not for a key', async () => {
    const person = await signUpPerson(port)
    const asOwner = (method: string, path: string, body?: unknown) => asPage(port, person.cookie, method, path, body)
    const body = { expiresAt: inFuture(10 * DAY_MS), allowedAddresses: ['127.0.0.1'] }
    const key = (await asOwner('POST', '/api/v1/keys', body)).json() as Created
    const day = Date.now() - 9 * DAY_MS
    await setKey(key.id, { created_at: day, expires_at: day + 10 * DAY_MS })
    const own = await roll(key.apiKey, key.id, { graceSeconds: 60 })
    const { apiKey } = own.json() as Created
    const leftMs = async () => {
      const found = (await summary(apiKey, key.id)) ?? assert.fail()
      assert.deepEqual(found.allowedAddresses, ['127.0.0.1'])
      return Date.parse(found.expiresAt ?? '') - Date.now()
    }
    assert.ok((await leftMs()) <= DAY_MS)
    await setKey(key.id, { created_at: day, expires_at: day + 10 * DAY_MS })
    assert.equal((await asOwner('POST', `/api/v1/keys/${key.id}/roll`, { graceSeconds: 60 })).status, 201)
    const { expiresAt } =
      ((await asOwner('GET', '/api/v1/keys')).json() as { id: string; expiresAt: string }[]).find(
        ({ id }) => id === key.id,
      ) ?? assert.fail()
    assert.ok(Date.parse(expiresAt) - Date.now() > 9.9 * DAY_MS)
  })

  test('404 for rolling a revoked, an expired, an old, an unknown, the dashboard’s and another account’s key', async () => {
    const { apiKey } = await signUp(port)
    const [revoked, expired, rolledKey] = [
      await createKey(port, apiKey),
      await createKey(port, apiKey),
      await createKey(port, apiKey),
    ]
    await revokeKey(port, apiKey, revoked.id)
    await setKey(expired.id, { expires_at: Date.now() - 1 })
    await rolled(apiKey, rolledKey.id, { graceSeconds: 60 })
    const old = (await listKeys(port, apiKey)).find(({ rolledInto }) => rolledInto === rolledKey.id)
    const stranger = await signUp(port)
    const [foreign] = await listKeys(port, stranger.apiKey)
    for (const id of [revoked.id, expired.id, old?.id ?? '', UNKNOWN_ID, foreign?.id ?? ''])
      assertProblem(await roll(apiKey, id), 404, 'not_found')
    const person = await signUpPerson(port)
    const body = Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n--x--\r\n')
    const headers = { cookie: person.cookie, origin: `http://127.0.0.1:${port}`, ...form }
    scanned(await request(port, 'POST', '/api/v1/scan', { headers, body }))
    const [dashboard] = (await asPage(port, person.cookie, 'GET', '/api/v1/keys')).json() as Created[]
    assertProblem(await asPage(port, person.cookie, 'POST', `/api/v1/keys/${dashboard?.id}/roll`), 404, 'not_found')
    for (const graceSeconds of [-1, 604_801, 1.5, '60', null])
      assertProblem(await roll(apiKey, rolledKey.id, { graceSeconds } as object), 400, 'invalid_request')
  })

  test('usage of the account counts a rolled key once and an expired one as ended', async () => {
    const person = await signUpPerson(port)
    const asOwner = (method: string, path: string, body?: unknown) => asPage(port, person.cookie, method, path, body)
    const create = async () => (await asOwner('POST', '/api/v1/keys', {})).json() as Created
    const [key, doomed] = [await create(), await create()]
    await scan(port, key.apiKey, 'text')
    await scan(port, doomed.apiKey, 'text')
    await asOwner('POST', `/api/v1/keys/${key.id}/roll`, { graceSeconds: 600 })
    await setKey(doomed.id, { expires_at: Date.now() - 1 })
    const { period, ...counts } = (await asOwner('GET', '/api/v1/usage')).json() as { period: string }
    assert.deepEqual(counts, { plan: 'free', scansUsed: 2, scansQuota: QUOTA, scansRemaining: QUOTA - 1 })
    const month = (await asOwner('GET', `/api/v1/usage/${period}`)).json() as { keys: Record<string, unknown>[] }
    assert.deepEqual(
      month.keys.map(({ id, status, scansUsed }) => [id, status, scansUsed]).sort(),
      [
        [key.id, 'active', 1],
        [doomed.id, 'expired', 1],
      ].sort(),
    )
  })

  test('mail a week before a key expires, unless it was revoked or its lifetime changed', async () => {
    const account = await signUp(port)
    /** Makes what waits for a key due; the number of jobs. */
    const due = async (id: string) => {
      const waiting = (await jobs.list({ texts: [id] }, 10)).filter(({ dueAt }) => dueAt > Date.now() + HOUR_MS)
      for (const job of waiting) await database.db.transaction().execute((trx) => jobs.rerun(trx, job.id))
      return waiting.length
    }
    const expiresAt = inFuture(8 * DAY_MS)
    const [kept, revoked, short] = [
      await limited(account.apiKey, { name: 'Kept', expiresAt }),
      await limited(account.apiKey, { name: 'Gone', expiresAt }),
      await limited(account.apiKey, { name: 'Short', expiresAt: inFuture(6 * DAY_MS) }),
    ]
    await revokeKey(port, account.apiKey, revoked.id)
    assert.deepEqual([await due(revoked.id), await due(kept.id), await due(short.id)], [1, 1, 0])
    const eml = await untilMail({ dataDir: place.dataDir, output: () => '' }, account.email, /expires/)
    assert.match(eml, /"Kept"/)
    assert.match(eml, new RegExp(`expires on ${expiresAt.slice(0, 10)}`))
    assert.ok(
      !mailTo({ dataDir: place.dataDir, output: () => '' }, account.email).some((mail) =>
        /"Gone".*expires/s.test(mail),
      ),
    )
  })
})
