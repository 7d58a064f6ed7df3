/** Secrets appear in no log line and no error, at the most verbose level. */

import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { describe, test } from 'node:test'
import { createKey, listKeys, newEmail, rawRequest, revokeKey, signUp, usage, withKey } from '#test/support/client.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { assertNothingInternal, assertProblem } from '#test/support/problem.ts'
import { request, send } from '#test/support/raw-http.ts'
import { startRedis } from '#test/support/redis.ts'
import { freePort, openDatabaseOf, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

const TRACE = { DOCVET_LOG_LEVEL: 'trace' }
const PASSWORD = 'correct-horse-battery'
const SESSION = 'c2Vzc2lvbi1zZWNyZXQtdG9rZW4'
/** The visible part of a key. */
const SHOWN_LENGTH = 12

/** Searches for every run of eight characters, because a part of a secret is a leak too. */
function assertNowhere(text: string, secrets: string[]): void {
  for (const secret of secrets) {
    const hidden = secret.startsWith('dv_live_') ? secret.slice(SHOWN_LENGTH) : secret
    for (let i = 0; i + 8 <= hidden.length; i++) {
      const at = text.indexOf(hidden.slice(i, i + 8))
      assert.ok(at < 0, `part of a secret in: ${text.slice(Math.max(0, at - 200), at + 100)}`)
    }
  }
}

function assertLogLines(service: Service): void {
  const lines = service.stdoutLines()
  assert.ok(lines.length > 0)
  for (const line of lines) {
    const entry = JSON.parse(line) as Record<string, unknown>
    for (const field of ['level', 'time', 'msg']) assert.equal(typeof entry[field], 'string', line)
    assert.doesNotMatch(line, /\p{Cc}/u)
  }
}

/** In every place of a request line and its headers, valid or not. */
const HEADS: ((key: string) => string | Buffer)[] = [
  ...[
    (key: string) => `/api/v1/usage?api_key=${key}`,
    (key: string) => `/api/v1/usage?${key}`,
    (key: string) => `/${key}`,
    (key: string) => `/api/v1/keys/${key}`,
    (key: string) => `/api/v1/keys/${key.replaceAll('_', '%5F')}`,
    (key: string) => `/%zz/${key}`,
    (key: string) => `/${'a/'.repeat(90)}${key}`,
    (key: string) => `/api/v1/keys/${key.repeat(50)}`,
    (key: string) => `/nowhere#${key}`,
    (key: string) => `http://${key}@evil.example/${key}`,
    () => `http://user:${PASSWORD}@evil.example/`,
  ].flatMap((target) =>
    ['GET', 'DELETE', 'PUT'].map((method) => (key: string) => rawRequest(`${method} ${target(key)}`, withKeyLine(key))),
  ),
  (key) => `${key} / HTTP/1.1\r\nHost: x\r\n\r\n`,
  (key) => `GET /${key} ${PASSWORD} HTTP/1.1\r\nHost: x\r\n\r\n`,
  (key) => rawRequest('GET /livez', [...withKeyLine(key), ...withKeyLine(key)]),
  (key) => rawRequest('GET /livez', [`${key} : ${key}`]),
  (key) => rawRequest('GET /livez', [`Expect: ${key}`]),
  (key) => rawRequest('GET /livez', [`X-Request-Id: ${key}`, `User-Agent: ${key}`, `Referer: http://x/${key}`]),
  (key) => rawRequest('GET /livez', [`X-A: ${key.repeat(500)}`]),
  (key) => rawRequest('POST /api/v1/signup', [`Content-Type: ${key}`, 'Content-Length: 2'], '{}'),
  (key) => rawRequest(`CONNECT ${key}:443`),
]

/** In every place of a body, valid or not. */
const BODIES: ((key: string) => string)[] = [
  (key) => `{"email":"${key}`,
  (key) => key,
  () => PASSWORD,
  () => SESSION,
  (key) => `{"name":"${key}","email":"${key}","password":"${PASSWORD}","token":"${SESSION}"}`,
  (key) => `{"email":"${key}@example.com"}`,
  (key) => `{"${key}":1}`,
  (key) => `{"name":["${key}"],"email":{"password":"${PASSWORD}"}}`,
  (key) => `{"__proto__":"${key}"}`,
  (key) => `{"name":"${key}\\u202e"}`,
]

const basic = (key: string): string => Buffer.from(`${key}:`).toString('base64')
const withKeyLine = (key: string): string[] => [`X-API-Key: ${key}`]

async function tryEverywhere(port: number, key: string, goodKey: string): Promise<void> {
  await usage(port, withKey(key))
  await usage(port, { authorization: `Bearer ${key}` })
  await usage(port, { authorization: `Basic ${basic(key)}` })
  await usage(port, { ...withKey(key), authorization: `Bearer ${goodKey}`, cookie: `docvet_session=${SESSION}` })
  for (const head of HEADS) await send(port, head(key))
  for (const address of ['/api/v1/signup', '/api/v1/keys']) {
    const headers = { ...withKey(goodKey), 'content-type': 'application/json' }
    for (const body of BODIES) await request(port, 'POST', address, { headers, body: body(key) })
  }
}

describe('from clients', () => {
  test('no part of a key, cookie, password or token is logged', async () => {
    await using service = await startService(TRACE)
    const { apiKey } = await signUp(service.port)
    const doomed = await createKey(service.port, apiKey, 'doomed')
    await revokeKey(service.port, apiKey, doomed.id)
    const other = await signUp(service.port)
    const keys = [apiKey, doomed.apiKey, other.apiKey]
    for (const key of keys) await tryEverywhere(service.port, key, apiKey)
    await listKeys(service.port, apiKey)
    await service.stop()
    assert.ok(service.output().includes('/api/v1/keys/'), 'requests are not logged at all')
    assertNowhere(service.output(), [...keys, ...keys.map(basic), PASSWORD, SESSION])
    assertLogLines(service)
  })

  test('500 shows no cause to the client, and the log shows it without the key', async () => {
    await using service = await startService(TRACE)
    const { apiKey } = await signUp(service.port)
    const database = openDatabaseOf(service)
    for (const table of ['usage_counters', 'api_keys', 'accounts']) {
      database.exec(`alter table ${table} rename to ${table}_gone`)
      const answers = [
        await usage(service.port, withKey(apiKey)),
        await request(service.port, 'POST', '/api/v1/keys', { headers: withKey(apiKey), body: { name: PASSWORD } }),
        await request(service.port, 'POST', '/api/v1/signup', { body: { email: newEmail() } }),
      ]
      const failed = answers.filter(({ status }) => status === 500)
      assert.ok(failed.length > 0)
      for (const answer of failed) assertProblem(answer, 500, 'internal_error')
      for (const { body } of answers.filter(({ status }) => status > 201)) assertNothingInternal(body)
      database.exec(`alter table ${table}_gone rename to ${table}`)
    }
    database.close()
    await service.stop()
    assert.match(service.output(), /no such table/)
    assertNowhere(service.output(), [apiKey, PASSWORD])
    assertLogLines(service)
  })
})

describe('from the operator', () => {
  test('the password of an unavailable database', async () => {
    const url = `postgres://docvet:${PASSWORD}@127.0.0.1:${await freePort()}/docvet`
    await using service = await startService({ ...TRACE, DOCVET_DATABASE_URL: url }, { ready: false })
    await service.logged(/Database is not available yet/)
    await service.kill()
    assertNowhere(service.output(), [PASSWORD])
    assertLogLines(service)
  })

  test('the password of an unavailable Redis', async () => {
    const url = `redis://limits:${PASSWORD}@127.0.0.1:${await freePort()}/0`
    await using service = await startService({ ...TRACE, DOCVET_REDIS_URL: url })
    assert.equal((await signUp(service.port)).plan, 'free')
    await service.stop()
    assert.match(service.output(), /Redis|shared/)
    assertNowhere(service.output(), [PASSWORD])
    assertLogLines(service)
  })

  test('a password that Redis rejects', needs('redis'), async () => {
    await using redis = await startRedis()
    const { port } = new URL(redis.url)
    const admin = net.connect(Number(port), '127.0.0.1')
    admin.write('CONFIG SET requirepass something-else\r\n')
    await new Promise((resolve) => admin.once('data', resolve))
    admin.destroy()
    const url = `redis://:${PASSWORD}@127.0.0.1:${port}/0`
    await using service = await startService({ ...TRACE, DOCVET_REDIS_URL: url })
    assert.equal((await signUp(service.port)).plan, 'free')
    await service.stop()
    assertNowhere(service.output(), [PASSWORD])
    assertLogLines(service)
  })

  test('a secret in a rejected setting, in a file or in the wrong variable', async () => {
    const folder = temporaryFolder('secret')
    const file = path.join(folder, 'url')
    writeFileSync(file, `mysql://docvet:${PASSWORD}@host/db`)
    const wrong: Record<string, string>[] = [
      { DOCVET_DATABASE_URL: PASSWORD, DOCVET_REDIS_URL: `redis://:${PASSWORD}@host/not-a-number` },
      { DOCVET_DATABASE_URL: `mysql://docvet:${PASSWORD}@host/db`, DOCVET_REDIS_URL: PASSWORD },
      { DOCVET_DATABASE_URL_FILE: file, DOCVET_PUBLIC_URL: `https://admin:${PASSWORD}@docvet.example` },
      { DOCVET_DATABASE_URL_FILE: `/nowhere/${PASSWORD}`, DOCVET_REDIS_URL_FILE: file },
    ]
    for (const env of wrong) {
      await using service = await startService({ ...TRACE, ...env }, { ready: false })
      assert.equal((await service.exited).code, 1)
      for (const name of Object.keys(env)) assert.ok(service.output().includes(name), service.output())
      assertNowhere(service.output(), [PASSWORD])
    }
    rmSync(folder, { recursive: true })
  })
})

test('a second user of the database replaces the first as docs/secrets.md says', needs('postgres'), async () => {
  await using postgres = await startPostgres()
  await postgres.administer("create role owner_so_far login password 'old'")
  const url = new URL(await postgres.createDatabase('rotated'))
  await postgres.administer('alter database rotated owner to owner_so_far')
  const as = (user: string) => ({ DOCVET_DATABASE_URL: Object.assign(new URL(url), { username: user }).href })
  const { apiKey } = await (async () => {
    await using before = await startService(as('owner_so_far'))
    return signUp(before.port)
  })()
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/secrets.md'), 'utf8')
  const [, sql = ''] = /```sql\n([^`]+)```/.exec(page) ?? []
  const statements = sql
    .replace(/\bdocvet\b/g, 'owner_so_far')
    .replaceAll('docvet_2', 'second')
    .trim()
    .split('\n')
  assert.equal(statements.length, 2)
  for (const statement of statements) await postgres.administer(statement)
  await postgres.administer('alter role owner_so_far nologin')
  await using now = await startService(as('second'))
  assert.equal((await usage(now.port, withKey(apiKey))).status, 200)
  assert.match((await signUp(now.port)).apiKey, /^dv_live_/)
})
