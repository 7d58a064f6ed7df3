/** /openapi.json against the service that runs: its routes, its answers, and every example in a real shell. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type Answer, request } from '#test/support/raw-http.ts'
import { findProgram, type Service, startService } from '#test/support/service.ts'
import { startApp } from './app.ts'
import { createKey, newEmail, signUp, UNKNOWN_ID, withKey } from './client.ts'
import { assertAsDescribed, type Description, type Operation, operationsOf } from './described.ts'

/** Pages and files for people and tools; everything else is the interface and has to be described. */
const NOT_INTERFACE = /^\/($|docs($|\/)|openapi\.json$|problems($|\/))/

const run = promisify(execFile)

let service: Service
let limited: Service
let description: Description
before(async () => {
  // The second one grants everybody a single request.
  const one = { DOCVET_ADDRESS_RATE_PER_MINUTE: '1', DOCVET_KEY_RATE_PER_MINUTE: '1' }
  ;[service, limited] = await Promise.all([startService(), startService(one)])
  const answer = await request(service.port, 'GET', '/openapi.json')
  assert.equal(answer.status, 200)
  description = answer.json() as Description
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await limited[Symbol.asyncDispose]()
})

function operation(id: string): Operation {
  const found = operationsOf(description).find((each) => each.operation.operationId === id)
  assert.ok(found, `no operation ${id}`)
  return found.operation
}

describe('the document', () => {
  test('is OpenAPI 3.1 of this interface at this address', async () => {
    const { headers } = await request(service.port, 'GET', '/openapi.json')
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.match(description.openapi, /^3\.1\.\d+$/)
    assert.deepEqual([description.info.title, description.info.version], ['Docvet', 'v1'])
    assert.deepEqual(description.servers, [{ url: service.url }])
  })

  test('describes every route of the interface and nothing else', async () => {
    await using app = await startApp()
    const running = app.routes
      .filter(({ method, url }) => method !== 'HEAD' && !NOT_INTERFACE.test(url))
      .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
    const described = operationsOf(description).map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(described.sort(), running.sort())
  })

  test('asks for the credential that the route demands', async () => {
    await using app = await startApp()
    for (const {
      method,
      path,
      operation: { security },
    } of operationsOf(description)) {
      const url = path.replace(/\{(\w+)\}/g, ':$1')
      const route = app.routes.find((each) => each.method === method && each.url === url)
      const schemes = security.flatMap((each) => Object.keys(each))
      assert.deepEqual(schemes, route?.credential === 'none' ? [] : ['apiKey', 'bearer'], `${method} ${path}`)
    }
    const { apiKey, bearer } = description.components.securitySchemes
    assert.deepEqual([apiKey?.type, apiKey?.in, apiKey?.name], ['apiKey', 'header', 'X-API-Key'])
    assert.deepEqual([bearer?.type, bearer?.scheme], ['http', 'bearer'])
  })

  test('gives every operation a name of its own, words, and every path parameter', () => {
    const operations = operationsOf(description)
    assert.equal(new Set(operations.map((each) => each.operation.operationId)).size, operations.length)
    for (const {
      path,
      operation: { summary, tags, parameters = [], responses },
    } of operations) {
      assert.ok(summary.length > 5 && tags.length === 1, path)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      assert.deepEqual(
        parameters.map(({ in: place, name, required }) => [place, name, required]),
        inPath.map((name) => ['path', name, true]),
      )
      for (const response of Object.values(responses)) assert.ok(response.description.length > 0)
    }
  })

  test('says which body is required and which is optional', () => {
    assert.equal(operation('signUp').requestBody?.required, true)
    assert.notEqual(operation('createKey').requestBody?.required, true)
    assert.equal(operation('listKeys').requestBody, undefined)
  })
})

describe('real answers are as described', () => {
  type Call = (port: number, key: string) => Promise<Answer>
  const call =
    (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Call =>
    (port, key) =>
      request(port, method, path, { body, headers: { ...(key && withKey(key)), ...headers } })
  const TEXT = { 'content-type': 'text/plain' }
  const JSON_TYPE = { 'content-type': 'application/json' }
  const signup: Call = (port) => request(port, 'POST', '/api/v1/signup', { body: { email: newEmail() } })

  const CALLS: [string, number, Call][] = [
    ['signUp', 201, signup],
    ['signUp', 400, call('POST', '/api/v1/signup', {})],
    ['signUp', 409, async (port) => call('POST', '/api/v1/signup', { email: (await signUp(port)).email })(port, '')],
    ['signUp', 413, call('POST', '/api/v1/signup', ' '.repeat(70_000), JSON_TYPE)],
    ['signUp', 415, call('POST', '/api/v1/signup', 'x', TEXT)],
    ['listKeys', 200, call('GET', '/api/v1/keys')],
    ['listKeys', 400, call('GET', '/api/v1/keys?x=1')],
    ['createKey', 201, call('POST', '/api/v1/keys')],
    ['createKey', 400, call('POST', '/api/v1/keys', { name: '' })],
    ['createKey', 413, call('POST', '/api/v1/keys', ' '.repeat(70_000), JSON_TYPE)],
    ['createKey', 415, call('POST', '/api/v1/keys', 'x', TEXT)],
    [
      'createKey',
      409,
      async (port, key) => {
        for (let i = 0; i < 4; i++) await createKey(port, key)
        return call('POST', '/api/v1/keys')(port, key)
      },
    ],
    [
      'revokeKey',
      204,
      async (port, key) => call('DELETE', `/api/v1/keys/${(await createKey(port, key)).id}`)(port, key),
    ],
    ['revokeKey', 400, call('DELETE', '/api/v1/keys/x')],
    ['revokeKey', 404, call('DELETE', `/api/v1/keys/${UNKNOWN_ID}`)],
    ['getUsage', 200, call('GET', '/api/v1/usage')],
    ['getUsage', 400, call('GET', '/api/v1/usage?x=1')],
    ['getHealth', 503, call('GET', '/api/v1/health')],
    ['getHealth', 400, call('GET', '/api/v1/health?x=1')],
    ['getReadiness', 200, call('GET', '/readyz')],
    ['getLiveness', 200, call('GET', '/livez')],
  ]
  for (const [id, status, ask] of CALLS) {
    test(`${id} ${status}`, async () => {
      const { apiKey } = await signUp(service.port)
      const answer = await ask(service.port, apiKey)
      assert.equal(answer.status, status, answer.body)
      assertAsDescribed(operation(id), answer)
    })
  }

  for (const [id, ask] of Object.entries({
    listKeys: call('GET', '/api/v1/keys'),
    createKey: call('POST', '/api/v1/keys'),
    revokeKey: call('DELETE', `/api/v1/keys/${UNKNOWN_ID}`),
    getUsage: call('GET', '/api/v1/usage'),
  })) {
    test(`${id} 401`, async () => {
      const answer = await ask(service.port, 'dv_live_nonsense')
      assert.equal(answer.status, 401)
      assertAsDescribed(operation(id), answer)
    })
  }

  test('429 of every operation that is limited', async () => {
    const { apiKey } = await signUp(limited.port)
    const asks: Record<string, Call> = {
      getUsage: call('GET', '/api/v1/usage'),
      listKeys: call('GET', '/api/v1/keys'),
      createKey: call('POST', '/api/v1/keys'),
      revokeKey: call('DELETE', `/api/v1/keys/${UNKNOWN_ID}`),
      signUp: signup,
      getHealth: call('GET', '/api/v1/health'),
    }
    for (const id of ['getUsage', 'getHealth']) await asks[id]!(limited.port, apiKey)
    for (const [id, ask] of Object.entries(asks)) {
      const answer = await ask(limited.port, apiKey)
      assert.equal(answer.status, 429, id)
      assertAsDescribed(operation(id), answer)
    }
  })

  test('every operation is among those tried here', () => {
    const tried = new Set(CALLS.map(([id]) => id))
    assert.deepEqual(
      operationsOf(description)
        .map((each) => each.operation.operationId)
        .filter((id) => !tried.has(id)),
      [],
    )
  })
})

describe('every example works as it stands', () => {
  test('in bash, with DOCVET_URL, DOCVET_KEY and KEY_ID set', async (t) => {
    assert.ok(findProgram(['curl']), 'curl is not installed, and the examples are for curl: apt-get install curl')
    assert.ok(findProgram(['bash']), 'bash is not installed, and the examples are for a shell: apt-get install bash')
    for (const { operation: each } of operationsOf(description)) {
      const { operationId, responses, 'x-codeSamples': samples } = each
      assert.ok(samples.length > 0, `${operationId} has no example`)
      for (const { source } of samples) {
        await t.test(operationId, async () => {
          const { apiKey } = await signUp(service.port)
          const { id } = await createKey(service.port, apiKey)
          const variables = { DOCVET_URL: service.url, DOCVET_KEY: apiKey, KEY_ID: id }
          const { status, output } = await runExample(source, variables)
          // Without an engine the honest answer of health is 503; the example itself did what it should.
          const good = operationId === 'getHealth' ? '503' : Object.keys(responses).find((code) => code < '300')
          assert.equal(status, good, output)
        })
      }
    }
  })
})

/** With the strictest reading of the shell: an unset variable is an error. */
async function runExample(source: string, variables: Record<string, string>) {
  const quiet = `curl() { command curl --silent --show-error --max-time 10 --write-out '\\n%{http_code}' "$@"; }`
  const env = { PATH: process.env.PATH, ...variables }
  const { stdout } = await run('bash', ['-euc', `${quiet}\n${source}`], { env })
  const lines = stdout.split('\n')
  return { status: lines.at(-1), output: stdout }
}
