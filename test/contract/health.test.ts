import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startApp } from '#test/support/app.ts'
import { assertFields, rawRequest, sendOne, signUp, TIME, usage, withKey } from '#test/support/client.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { assertApiHeaders, assertNothingInternal, assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

const WHOLE_SECONDS = /^[1-9]\d*$/

const BAD_RULE = 'rule Bad {\n strings: $a = "inner-word"\n condition: $a and $inner }'

let service: Service
const rules = mkdtempSync(path.join(tmpdir(), 'docvet-rules-'))
before(async () => {
  writeFileSync(path.join(rules, 'bad.yar'), BAD_RULE)
  symlinkSync('/nowhere/at-all', path.join(rules, 'gone.yar'))
  service = await startService({ DOCVET_ADDRESS_RATE_PER_MINUTE: '5', DOCVET_RULES_DIR: rules })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(rules, { recursive: true })
})

const get = (route: string) => request(service.port, 'GET', route)

describe('GET /livez', () => {
  test('200 with the status and nothing else', async () => {
    const answer = await get('/livez')
    assert.equal(answer.status, 200)
    assertApiHeaders(answer)
    assert.deepEqual(answer.json(), { status: 'UP' })
  })
})

describe('GET /readyz', () => {
  test('200 with the status of the service, its storage and its engines, nothing else', async () => {
    const answer = await get('/readyz')
    assert.equal(answer.status, 200)
    assertApiHeaders(answer)
    assert.deepEqual(answer.json(), { status: 'UP', storage: 'UP', engine: 'UP' })
  })

  test('503 without an engine, so that no traffic is routed here', async () => {
    await using app = await startApp()
    const answer = await request(app.port, 'GET', '/readyz')
    assert.equal(answer.status, 503)
    assertApiHeaders(answer)
    assert.match(answer.headers['retry-after'] ?? '', WHOLE_SECONDS)
    assert.deepEqual(answer.json(), { status: 'DOWN', storage: 'UP', engine: 'DOWN', detail: 'There is no engine.' })
  })
})

describe('GET /api/v1/health', () => {
  test('200 UP with version and signatures of every engine, no other fields', async () => {
    const answer = await get('/api/v1/health')
    assert.equal(answer.status, 200, answer.body)
    assertApiHeaders(answer)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(answer.headers['retry-after'], undefined)
    const { engines, ...rest } = answer.json() as { engines: { signaturesAt: string }[] }
    assert.deepEqual(rest, { status: 'UP', engine: 'UP' })
    assert.equal(engines.length, 1)
    const [embedded] = engines
    const words = /\S/
    const seen = { version: words, signatures: words, signaturesAt: TIME, detail: words }
    assertFields(embedded, { name: 'embedded', status: 'UP', ...seen })
    assert.ok(Date.parse(embedded!.signaturesAt) <= Date.now())
    assertNothingInternal(answer.body)
  })

  test('503 DOWN without engines', async () => {
    await using app = await startApp()
    const answer = await request(app.port, 'GET', '/api/v1/health')
    assert.equal(answer.status, 503)
    assertApiHeaders(answer)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.match(answer.headers['retry-after'] ?? '', WHOLE_SECONDS)
    assert.deepEqual(answer.json(), { status: 'DOWN', engine: 'DOWN', engines: [], detail: 'There is no engine.' })
  })

  test('200 and the names of rule files that are not in use, without internals', async () => {
    const { status, body } = await get('/api/v1/health')
    assert.equal(status, 200)
    const said = 'gone.yar cannot be read, bad.yar does not compile, line 3'
    assert.ok(body.includes(`; rules not in use: ${said}"`), body)
    assertNothingInternal(body)
    assert.doesNotMatch(body, /inner|nowhere|ENOENT|E\d{3}/)
  })

  test('400 for a query', async () => {
    assertProblem(await get('/api/v1/health?deep=1'), 400, 'invalid_request')
  })

  test('429 past the rate limit of the address', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => get('/api/v1/health')))
    assertProblem(
      answers.find(({ status }) => status === 429),
      429,
      'rate_limited',
    )
  })
})

for (const probe of ['/livez', '/readyz']) {
  test(`200 from ${probe} without a rate limit`, async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(probe)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    for (const { headers } of answers) assert.equal(headers.ratelimit, undefined)
  })

  test(`200 from ${probe} to HEAD, without a body`, async () => {
    const { status, body, headers } = await request(service.port, 'HEAD', probe)
    assert.deepEqual([status, body], [200, ''])
    assert.ok(Number(headers['content-length']) > 0)
  })

  test(`200 from ${probe} with an invalid credential`, async () => {
    assert.equal((await sendOne(service.port, rawRequest(`GET ${probe}`, ['X-API-Key: x']))).status, 200)
  })
}

describe('without the database', needs('postgres'), () => {
  test('livez 200, readyz 503, everything else 503 storage_unavailable; 200 after recovery', async () => {
    await using postgres = await startPostgres()
    await using dependent = await startService({ DOCVET_DATABASE_URL: postgres.url })
    const { apiKey } = await signUp(dependent.port)
    await postgres.stop()

    assert.equal((await request(dependent.port, 'GET', '/livez')).status, 200)
    const ready = await request(dependent.port, 'GET', '/readyz')
    assert.equal(ready.status, 503)
    assertApiHeaders(ready)
    assert.match(ready.headers['retry-after'] ?? '', WHOLE_SECONDS)
    const detail = 'The database is not available.'
    assert.deepEqual(ready.json(), { status: 'DOWN', storage: 'DOWN', engine: 'UP', detail })
    const health = await request(dependent.port, 'GET', '/api/v1/health')
    assert.equal(health.status, 503)
    const { status, engine } = health.json() as Record<string, string>
    assert.deepEqual([status, engine], ['DOWN', 'UP'])
    assertProblem(await usage(dependent.port, withKey(apiKey)), 503, 'storage_unavailable')
    const signup = await request(dependent.port, 'POST', '/api/v1/signup', { body: { email: 'late@example.com' } })
    assertProblem(signup, 503, 'storage_unavailable')

    await postgres.start()
    const deadline = Date.now() + 30_000
    while ((await request(dependent.port, 'GET', '/readyz')).status !== 200) assert.ok(Date.now() < deadline)
    assert.equal((await usage(dependent.port, withKey(apiKey))).status, 200)
  })
})

describe('the log', () => {
  const PROBES = ['/livez', '/readyz', '/api/v1/health']
  const LAST = '/openapi.json'

  async function pathsLogged(level: string): Promise<unknown[]> {
    await using quiet = await startService({ DOCVET_LOG_LEVEL: level })
    for (const route of [...PROBES, LAST]) await request(quiet.port, 'GET', route)
    await quiet.stop('SIGTERM')
    const lines = quiet.stdoutLines().map((line) => JSON.parse(line) as Record<string, unknown>)
    return [...new Set(lines.filter(({ msg }) => msg === 'Request completed').map((line) => line.path))]
  }

  test('has no probes at info, and all of them at debug', async () => {
    assert.deepEqual(await pathsLogged('info'), [LAST])
    assert.deepEqual((await pathsLogged('debug')).toSorted(), [...PROBES, LAST].toSorted())
  })
})
