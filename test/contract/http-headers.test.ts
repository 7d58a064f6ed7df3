/** The headers of every kind of response. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createKey, newEmail, rawRequest, sendOne, signUp, withKey } from '#test/support/client.ts'
import { anyAsset, buildDashboard } from '#test/support/dashboard.ts'
import { assertApiHeaders, assertHeaders, assertProblem } from '#test/support/problem.ts'
import { type RawResponse, request, send } from '#test/support/raw-http.ts'
import { openDatabaseOf, type Service, startService } from '#test/support/service.ts'

const HTTPS = 'https://docvet.example'
const HSTS = 'max-age=63072000; includeSubDomains'

let plain: Service
let secure: Service
const key = new Map<number, string>()
before(async () => {
  const env = { DOCVET_KEY_RATE_PER_MINUTE: '8' }
  ;[plain, secure] = await Promise.all([startService(env), startService({ ...env, DOCVET_PUBLIC_URL: HTTPS })])
  for (const { port } of [plain, secure]) key.set(port, (await signUp(port)).apiKey)
})
after(async () => {
  await plain[Symbol.asyncDispose]()
  await secure[Symbol.asyncDispose]()
})

const credential = (port: number): string => `X-API-Key: ${key.get(port)}`
const JSON_TYPE = 'Content-Type: application/json'

async function revokeOne(port: number): Promise<Buffer> {
  const { apiKey } = await signUp(port)
  const { id } = await createKey(port, apiKey)
  return rawRequest(`DELETE /api/v1/keys/${id}`, [`X-API-Key: ${apiKey}`])
}

async function takenEmail(port: number): Promise<Buffer> {
  const body = JSON.stringify({ email: (await signUp(port)).email })
  return rawRequest('POST /api/v1/signup', [JSON_TYPE, `Content-Length: ${body.length}`], body)
}

function freshEmail(): Buffer {
  const body = JSON.stringify({ email: newEmail() })
  return rawRequest('POST /api/v1/signup', [JSON_TYPE, `Content-Length: ${body.length}`], body)
}

/** One request per kind of response. http-limits.test.ts covers 408; 500 and 503 follow below. */
const KINDS: [number, string, (port: number) => Buffer | Promise<Buffer>][] = [
  [200, 'a probe', () => rawRequest('GET /livez')],
  [200, 'an endpoint', (port) => rawRequest('GET /api/v1/usage', [credential(port)])],
  [200, 'the OpenAPI document', () => rawRequest('GET /openapi.json')],
  [201, 'a creation', freshEmail],
  [204, 'a deletion', revokeOne],
  [400, 'the parser', () => Buffer.from('NONSENSE\r\n\r\n')],
  [400, 'the router', () => rawRequest('GET /%zz')],
  [400, 'the check of the headers', () => rawRequest('GET /livez', ['Host: again'])],
  [400, 'the schema', () => rawRequest('POST /api/v1/signup', [JSON_TYPE, 'Content-Length: 2'], '{}')],
  [401, 'the credential', () => rawRequest('GET /api/v1/usage')],
  [404, 'an unknown URL', () => rawRequest('GET /nowhere')],
  [405, 'a method', () => rawRequest('PUT /api/v1/usage')],
  [405, 'CONNECT', () => rawRequest('CONNECT example.com:443')],
  [409, 'a conflict', takenEmail],
  [413, 'a length', () => rawRequest('POST /api/v1/signup', [JSON_TYPE, 'Content-Length: 65537'])],
  [
    415,
    'a content type',
    () => rawRequest('POST /api/v1/signup', ['Content-Type: text/plain', 'Content-Length: 1'], 'x'),
  ],
  [417, 'an expectation', () => rawRequest('GET /livez', ['Expect: more'])],
  [431, 'too many headers', () => rawRequest('GET /livez', Array(120).fill('a: b'))],
  [431, 'too large a header', () => rawRequest('GET /livez', [`a: ${'b'.repeat(20_000)}`])],
  [200, 'health', () => rawRequest('GET /api/v1/health')],
]

async function only(service: Service, bytes: Buffer): Promise<RawResponse> {
  const { responses } = await send(service.port, bytes)
  assert.equal(responses.length, 1)
  return responses[0]!
}

for (const [status, what, make] of KINDS) {
  test(`${status} from ${what}: all headers; HSTS only if the public URL is HTTPS`, async () => {
    const answers = [await only(plain, await make(plain.port)), await only(secure, await make(secure.port))] as const
    for (const answer of answers) {
      assert.equal(answer.status, status, answer.body)
      assertApiHeaders(answer)
    }
    assert.equal(answers[0].headers['strict-transport-security'], undefined)
    assert.equal(answers[1].headers['strict-transport-security'], HSTS)
  })
}

test('429: all headers; HSTS only if the public URL is HTTPS', async () => {
  for (const service of [plain, secure]) {
    const { apiKey } = await signUp(service.port)
    const ask = () => request(service.port, 'GET', '/api/v1/usage', { headers: withKey(apiKey) })
    const answers = await Promise.all(Array.from({ length: 9 }, ask))
    const refused = answers.find(({ status }) => status === 429)
    assertProblem(refused, 429, 'rate_limited')
    assert.equal(refused?.headers['strict-transport-security'], service === secure ? HSTS : undefined)
  }
})

buildDashboard()
const DASHBOARD = ['/', '/sign-in', '/theme.js', `/assets/${anyAsset()}`]
const DOCS = ['/docs', '/docs/docs.css', '/docs/docs.js', '/docs/favicon.svg', '/problems/not_found']
const PAGES = [...DASHBOARD, ...DOCS, '/findings', '/findings/Docvet.Test.Eicar']

describe('pages', () => {
  for (const url of PAGES) {
    test(`${url}: all headers, and a policy without other hosts`, async () => {
      const answer = await request(secure.port, 'GET', url)
      assert.equal(answer.status, 200)
      assertHeaders(answer)
      assert.equal(answer.headers['strict-transport-security'], HSTS)
      const policy = answer.headers['content-security-policy'] ?? ''
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    })
  }

  for (const code of ['nothing', '__proto__', 'constructor', 'toString', 'not_found%2F..', '%3Cscript%3E']) {
    for (const folder of ['/problems', '/findings', '/api/v1/findings'])
      test(`404 for ${folder}/${code}`, async () => {
        assertProblem(await sendOne(plain.port, rawRequest(`GET ${folder}/${code}`)), 404, 'not_found')
      })
  }
})

describe('the request id', () => {
  test('is new for each request, whatever the client sends', async () => {
    const lines = ['X-Request-Id: 00000000-0000-0000-0000-000000000000', 'Request-Id: mine', 'Traceparent: 00-aa-bb-01']
    const answers = [
      await sendOne(plain.port, rawRequest('GET /livez', lines)),
      await sendOne(plain.port, rawRequest('GET /livez', lines)),
    ]
    const ids = answers.map(({ headers }) => headers['x-request-id'])
    assert.notEqual(ids[0], ids[1])
    assert.ok(!ids.includes('00000000-0000-0000-0000-000000000000'))
  })
})

describe('links', () => {
  test('use the public URL, never the Host header', async () => {
    const lines = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: gopher', 'Forwarded: host=evil.example']
    const bytes = rawRequest('GET /nowhere', lines).toString().replace('docvet.test', 'evil.example')
    const answer = await sendOne(secure.port, bytes)
    assert.equal(assertProblem(answer, 404, 'not_found').type, `${HTTPS}/problems/not_found`)
    assert.doesNotMatch(answer.body + JSON.stringify(answer.rawHeaders), /evil|gopher/)
  })
})

describe('internal failures', () => {
  test('503 storage_unavailable without internal details while another process locks the database', async () => {
    const database = openDatabaseOf(plain)
    database.exec('begin immediate')
    const waiting = request(plain.port, 'POST', '/api/v1/signup', { body: { email: newEmail() } })
    const answer = await waiting.finally(() => database.exec('rollback'))
    database.close()
    assertProblem(answer, 503, 'storage_unavailable')
    assert.equal((await signUp(plain.port)).plan, 'free')
  })

  test('500 internal_error without internal details when a table is missing; the process continues', async () => {
    await using broken = await startService()
    const { apiKey } = await signUp(broken.port)
    const database = openDatabaseOf(broken)
    database.exec('alter table usage_counters rename to elsewhere')
    const ask = () => request(broken.port, 'GET', '/api/v1/usage', { headers: withKey(apiKey) })
    assertProblem(await ask(), 500, 'internal_error')
    database.exec('alter table elsewhere rename to usage_counters')
    database.close()
    assert.equal((await ask()).status, 200)
  })
})
