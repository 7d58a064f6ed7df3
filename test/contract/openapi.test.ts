/** /openapi.json against the running service: routes and responses. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { PROBLEMS } from '#base/errors.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { startApp } from '#test/support/app.ts'
import { ask } from '#test/support/chat-client.ts'
import { type ChatServer, chatSettings, startChatServer } from '#test/support/chat-server.ts'
import { createKey, newEmail, signUp, UNKNOWN_ID, withKey } from '#test/support/client.ts'
import {
  assertAsDescribed,
  type Description,
  dereferenced,
  faultOf,
  type Operation,
  operationsOf,
} from '#test/support/described.ts'
import { renderOpenApi } from '#test/support/openapi-document.ts'
import { MARKETPLACE_CALLS } from '#test/support/openapi-marketplace.ts'
import { MEMBER_CALLS } from '#test/support/openapi-members.ts'
import { SESSION_CALLS } from '#test/support/openapi-sessions.ts'
import { type Answer, request, send } from '#test/support/raw-http.ts'
import {
  FILE_BYTES_MAX,
  FORM_TYPE,
  filePart,
  form,
  type ScanOptions,
  scan,
  scanned,
  startScanService,
  textOf,
} from '#test/support/scanning.ts'
import { type Service, startService } from '#test/support/service.ts'
import { PATHS } from '#web/src/paths.ts'

/** Pages and files, and the interface of another product. All other routes must be documented. */
const NOT_INTERFACE =
  /^\/(assets\/|dashboard\/|docs($|\/)|favicon\.svg$|openapi\.json$|samples($|\/)|receipt\/v1$|(problems|findings)($|\/)|sandbox($|\/)|theme\.js$|v2\/scan$)/
const isPage = (url: string): boolean => NOT_INTERFACE.test(url) || PATHS.some((path) => path === url)

interface ScanExample {
  status: string
  threat: string | null
}

let peer: ChatServer
let service: Service
let limited: Service
let served: Description
let description: Description
before(async () => {
  peer = await startChatServer()
  // The second one allows a single request per caller.
  const one = { DOCVET_ADDRESS_RATE_PER_MINUTE: '1', DOCVET_KEY_RATE_PER_MINUTE: '1' }
  const plan = { scansPerSecond: 0.01, burst: 1 }
  ;[service, limited] = await Promise.all([
    startService({ ...chatSettings(peer), DOCVET_OUTBOUND_ALLOW: '127.0.0.1' }),
    startScanService({ ...one, plan }),
  ])
  const answer = await request(service.port, 'GET', '/openapi.json')
  assert.equal(answer.status, 200)
  served = answer.json() as Description
  description = dereferenced(served)
})
after(async () => {
  await peer[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await limited[Symbol.asyncDispose]()
})

function operation(id: string): Operation {
  const found = operationsOf(description).find((each) => each.operation.operationId === id)
  assert.ok(found, `no operation ${id}`)
  return found.operation
}

function examplesOf({ requestBody, responses }: Operation) {
  const media = [requestBody, ...Object.values(responses)].flatMap((body) => Object.values(body?.content ?? {}))
  return media.map(({ schema, example, examples = {} }) => {
    const named = Object.entries(examples).map(([name, { value }]) => [name, value] as const)
    return { schema, examples: example === undefined ? named : [...named, ['', example] as const] }
  })
}

describe('the document', () => {
  test('is the committed openapi.json, apart from the URL', () => {
    const committed = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
    const current = { ...served, servers: committed.servers }
    assert.ok(isDeepStrictEqual(current, committed), 'openapi.json is out of date: run `npm run generate`')
  })

  test('depends on the installation only by the URL and the name of the cookie', async () => {
    const own = { DOCVET_PUBLIC_URL: 'https://scan.example.org' }
    const expected = JSON.stringify({ ...served, servers: [{ ...served.servers[0], url: own.DOCVET_PUBLIC_URL }] })
    const rendered = JSON.stringify(JSON.parse(await renderOpenApi(own)))
    assert.equal(rendered.replace('"name":"__Host-docvet_session"', '"name":"docvet_session"'), expected)
  })

  test('names every object schema, and refers to it', () => {
    const { ScanResult, ScanStatus, Problem, ErrorCode, ApiKeySummary } = served.components.schemas
    for (const schema of [ScanResult, Problem, ApiKeySummary]) assert.equal(schema?.type, 'object')
    assert.deepEqual(ScanStatus?.enum, ['clean', 'infected'])
    assert.deepEqual(ErrorCode?.enum, Object.keys(PROBLEMS))
    assert.doesNotMatch(JSON.stringify(served.paths), /"type":"object"|"properties"/)
    for (const { properties = {} } of Object.values(served.components.schemas)) {
      for (const property of Object.values(properties)) assert.notEqual(property.type, 'object')
    }
  })

  test('has examples that conform to their schemas, and one for each error code', () => {
    const codes = new Set<string>()
    for (const { operation: each } of operationsOf(description)) {
      for (const { schema, examples } of examplesOf(each)) {
        for (const [name, value] of examples) {
          assert.equal(faultOf(schema, value, each.operationId), null)
          if (name in PROBLEMS) codes.add(name)
        }
      }
    }
    // No operation answers with these, the second one only a proxy.
    const elsewhere = ['method_not_allowed', 'service_unavailable']
    const possible = Object.keys(PROBLEMS).filter((code) => !elsewhere.includes(code))
    assert.deepEqual([...codes].sort(), possible.sort())
  })

  test('shows a clean and an infected verdict', () => {
    const { content } = operation('scanDocument').responses[200]!
    const { clean, infected } = content!['application/json']!.examples as Record<string, { value: ScanExample }>
    assert.deepEqual([clean?.value.status, clean?.value.threat], ['clean', null])
    assert.deepEqual([infected?.value.status, infected?.value.threat], ['infected', 'Docvet.Test.Eicar'])
  })

  test('is OpenAPI 3.1 and names the URL of this installation', async () => {
    const { headers } = await request(service.port, 'GET', '/openapi.json')
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.match(description.openapi, /^3\.1\.\d+$/)
    assert.deepEqual([description.info.title, description.info.version], ['Docvet', 'v1'])
    assert.deepEqual(
      description.servers.map(({ url }) => url),
      [service.url],
    )
  })

  test('describes every API route and no page', async () => {
    await using app = await startApp()
    const running = app.routes
      // OPTIONS is a handshake that senders of events know.
      .filter(({ method, url }) => method !== 'HEAD' && method !== 'OPTIONS' && !isPage(url))
      .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
    const described = operationsOf(description).map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(described.sort(), running.sort())
  })

  test('requires the credential of the route', async () => {
    await using app = await startApp()
    for (const {
      method,
      path,
      operation: { security },
    } of operationsOf(description)) {
      const url = path.replace(/\{(\w+)\}/g, ':$1')
      const route = app.routes.find((each) => each.method === method && each.url === url)
      const schemes = security.flatMap((each) => Object.keys(each))
      const expected = [
        ...(/key/.test(route?.credential ?? '') ? ['apiKey', 'bearer'] : []),
        ...(/session/.test(route?.credential ?? '') ? ['session'] : []),
      ]
      assert.deepEqual(schemes, expected, `${method} ${path}`)
    }
    const { apiKey, bearer, session } = description.components.securitySchemes
    assert.deepEqual([session?.type, session?.in, session?.name], ['apiKey', 'cookie', 'docvet_session'])
    assert.deepEqual([apiKey?.type, apiKey?.in, apiKey?.name], ['apiKey', 'header', 'X-API-Key'])
    assert.deepEqual([bearer?.type, bearer?.scheme], ['http', 'bearer'])
  })

  test('has a unique id, a summary, a description and all path parameters for every operation', () => {
    const operations = operationsOf(description)
    assert.equal(new Set(operations.map((each) => each.operation.operationId)).size, operations.length)
    for (const {
      path,
      operation: { summary, description: words, tags, parameters = [], responses },
    } of operations) {
      assert.ok(summary.length > 5 && words.length > 20 && tags.length === 1, path)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      assert.deepEqual(
        parameters
          .filter(({ in: place }) => place === 'path')
          .map(({ in: place, name, required }) => [place, name, required]),
        inPath.map((name) => ['path', name, true]),
      )
      for (const response of Object.values(responses)) {
        assert.ok(response.description.length > 10 && response.headers['X-Request-Id'], path)
      }
    }
  })

  test('distinguishes required and optional bodies', () => {
    assert.equal(operation('signUp').requestBody?.required, true)
    assert.notEqual(operation('createKey').requestBody?.required, true)
    assert.equal(operation('listKeys').requestBody, undefined)
  })

  test('describes the form of a scan: one required file', () => {
    const { requestBody } = operation('scanDocument')
    assert.equal(requestBody?.required, true)
    assert.deepEqual(Object.keys(requestBody.content), ['multipart/form-data'])
    const { schema } = requestBody.content['multipart/form-data']!
    assert.deepEqual(
      [schema.type, schema.required, Object.keys(schema.properties ?? {})],
      ['object', ['file'], ['file', 'password', 'reference']],
    )
    const { type, format } = schema.properties!.file!
    assert.deepEqual([type, format], ['string', 'binary'])
  })

  test('describes Idempotency-Key and Prefer, the only header parameters, with their limits', () => {
    const headers = operationsOf(description).flatMap(({ operation: { operationId, parameters = [] } }) =>
      parameters.filter(({ in: place }) => place === 'header').map((each) => ({ operationId, ...each })),
    )
    assert.deepEqual(
      headers.map(({ operationId, name, required }) => [operationId, name, required ?? false]),
      [
        ['scanDocument', 'Idempotency-Key', false],
        ['scanDocument', 'Prefer', false],
        ['scanUrl', 'Idempotency-Key', false],
        ['scanUrl', 'Prefer', false],
      ],
    )
    const { type, minLength, maxLength, pattern } = headers[0]!.schema
    assert.deepEqual([type, minLength, maxLength], ['string', 1, 255])
    const form = new RegExp(pattern ?? '')
    for (const good of ['a', '"8e03978e-40d5-43dd-bc93-6894a57f9324"', '!~']) assert.match(good, form)
    for (const bad of ['two words', 'caf\xe9', 'a\tb', '\x7f']) assert.doesNotMatch(bad, form)
  })

  test('lists every error of a scan under its status', () => {
    const { responses } = operation('scanDocument')
    const codes = {
      400: 'invalid_request missing_file empty_file too_many_files malformed_multipart',
      401: 'unauthenticated',
      403: 'cross_site',
      408: 'request_timeout',
      417: 'expectation_failed',
      431: 'headers_too_large',
      402: 'quota_exhausted',
      409: 'request_in_progress',
      413: 'file_too_large',
      415: 'unsupported_content_type',
      422: 'encrypted_document document_too_complex damaged_document idempotency_key_reused',
      429: 'rate_limited',
      503: 'engine_unavailable scan_timeout scan_lost busy storage_unavailable',
    }
    for (const [status, names] of Object.entries(codes)) {
      for (const name of names.split(' ')) assert.match(responses[status]?.description ?? '', new RegExp(`\`${name}\``))
    }
  })
})

describe('real responses conform to the document', () => {
  type Call = (port: number, key: string) => Promise<Answer>
  const call =
    (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Call =>
    (port, key) =>
      request(port, method, path, { body, headers: { ...(key && withKey(key)), ...headers } })
  const TEXT = { 'content-type': 'text/plain' }
  const TOKEN = { authorization: 'Bearer x.y.z' }
  const JSON_TYPE = { 'content-type': 'application/json' }
  const signup: Call = (port) => request(port, 'POST', '/api/v1/signup', { body: { email: newEmail() } })

  const upload =
    (content: string | Buffer, file: ScanOptions = {}): Call =>
    (port, key) =>
      scan(port, key, content, file)
  const uploadTo =
    (path: string, content: string | Buffer): Call =>
    (port, key) =>
      request(port, 'POST', path, {
        headers: { ...withKey(key), 'content-type': FORM_TYPE, accept: 'application/json' },
        body: form(filePart(content)),
      })
  const readText = (content: string | Buffer): Call => uploadTo('/api/v1/text', content)
  const hiddenText = uploadTo('/api/v1/scan?include=hiddenText', '<html><p hidden>Good morning</p></html>')
  const twice = { headers: { 'idempotency-key': 'one' } }

  const ALLOWED = `/api/v1/allowed/${'a'.repeat(64)}`
  const allowed =
    (method: string): Call =>
    async (port, key) => {
      await call('PUT', ALLOWED, {})(port, key)
      return call(method, ALLOWED)(port, key)
    }
  const ALLOWED_CALLS: [string, number, Call][] = [
    ['listAllowed', 200, call('GET', '/api/v1/allowed')],
    ['listAllowed', 400, call('GET', '/api/v1/allowed?limit=101')],
    ['getAllowed', 200, allowed('GET')],
    ['getAllowed', 400, call('GET', '/api/v1/allowed/x')],
    ['getAllowed', 404, call('GET', ALLOWED)],
    ['allowDocument', 200, allowed('PUT')],
    ['allowDocument', 400, call('PUT', ALLOWED, { x: 1 })],
    ['allowDocument', 413, call('PUT', ALLOWED, ' '.repeat(70_000), JSON_TYPE)],
    ['allowDocument', 415, call('PUT', ALLOWED, 'x', TEXT)],
    ['disallowDocument', 204, allowed('DELETE')],
    ['disallowDocument', 400, call('DELETE', '/api/v1/allowed/x')],
    ['disallowDocument', 404, call('DELETE', ALLOWED)],
  ]

  const HOOK = `/api/v1/webhooks/${UNKNOWN_ID}`
  const hooked =
    (method: string, path = '', body?: object): Call =>
    async (port, key) => {
      const made = await call('POST', '/api/v1/webhooks', { url: `http://127.0.0.1:${port}/docs` })(port, key)
      return call(method, `/api/v1/webhooks/${(made.json() as { id: string }).id}${path}`, body)(port, key)
    }
  const retried: Call = async (port, key) => {
    const sent = (await hooked('POST', '/test')(port, key)).json() as { id: string }
    return call('POST', `/api/v1/deliveries/${sent.id}/retry`)(port, key)
  }
  const CALLBACK_CALLS: [string, number, Call][] = [
    ['listWebhooks', 200, call('GET', '/api/v1/webhooks')],
    [
      'createWebhook',
      201,
      (port, key) => call('POST', '/api/v1/webhooks', { url: `http://127.0.0.1:${port}/` })(port, key),
    ],
    ['createWebhook', 400, call('POST', '/api/v1/webhooks', { url: 'https://10.0.0.1/' })],
    ['createWebhook', 413, call('POST', '/api/v1/webhooks', ' '.repeat(70_000), JSON_TYPE)],
    ['createWebhook', 415, call('POST', '/api/v1/webhooks', 'x', TEXT)],
    ['getWebhook', 200, hooked('GET')],
    ['getWebhook', 404, call('GET', HOOK)],
    ['changeWebhook', 200, hooked('PATCH', '', { enabled: false })],
    ['changeWebhook', 400, hooked('PATCH', '', { url: 'x' })],
    ['changeWebhook', 404, call('PATCH', HOOK, {})],
    ['deleteWebhook', 204, hooked('DELETE')],
    ['deleteWebhook', 404, call('DELETE', HOOK)],
    ['rotateWebhook', 200, hooked('POST', '/rotate')],
    ['rotateWebhook', 404, call('POST', `${HOOK}/rotate`)],
    ['testWebhook', 202, hooked('POST', '/test')],
    ['testWebhook', 404, call('POST', `${HOOK}/test`)],
    ['listDeliveries', 200, hooked('GET', '/deliveries')],
    ['listDeliveries', 404, call('GET', `${HOOK}/deliveries`)],
    ['retryDelivery', 202, retried],
    ['retryDelivery', 404, call('POST', `/api/v1/deliveries/${UNKNOWN_ID}/retry`)],
  ]

  const CALLS: [string, number, Call][] = [
    ...CALLBACK_CALLS,
    ['scanDocument', 200, upload('Good morning')],
    ['scanDocument', 200, upload(EICAR, { type: null })],
    ['scanDocument', 400, upload('')],
    ['scanDocument', 413, upload(textOf(FILE_BYTES_MAX + 1))],
    ['scanDocument', 415, upload('x', { type: 'video/mp4' })],
    [
      'scanDocument',
      422,
      async (port, key) => {
        scanned(await scan(port, key, 'one', twice))
        return scan(port, key, 'another', twice)
      },
    ],
    ['scanDocument', 200, hiddenText],
    ['readText', 200, readText('Good morning')],
    ['readText', 400, readText('')],
    ['readText', 422, readText(EICAR)],
    ['scanUrl', 200, (port, key) => call('POST', '/api/v1/scans', { url: `http://127.0.0.1:${port}/docs` })(port, key)],
    ['receiveObjectEvents', 200, call('POST', '/api/v1/events', { Records: [] })],
    ['receiveObjectEvents', 400, call('POST', '/api/v1/events', {})],
    ['receiveObjectEvents', 413, call('POST', '/api/v1/events', ' '.repeat(1_048_577), JSON_TYPE)],
    ['receiveObjectEvents', 415, call('POST', '/api/v1/events', 'x', TEXT)],
    ['scanUrl', 400, call('POST', '/api/v1/scans', { url: 'x' })],
    ['scanUrl', 403, call('POST', '/api/v1/scans', { url: 'https://10.0.0.1/' })],
    ['scanUrl', 413, call('POST', '/api/v1/scans', ' '.repeat(70_000), JSON_TYPE)],
    ['scanUrl', 415, call('POST', '/api/v1/scans', 'x', TEXT)],
    ['scanUrl', 424, (port, key) => call('POST', '/api/v1/scans', { url: `http://127.0.0.1:${port}/no` })(port, key)],
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
      'rollKey',
      201,
      async (port, key) =>
        call('POST', `/api/v1/keys/${(await createKey(port, key)).id}/roll`, { graceSeconds: 60 })(port, key),
    ],
    ['rollKey', 404, call('POST', `/api/v1/keys/${UNKNOWN_ID}/roll`)],
    ['rollKey', 400, call('POST', `/api/v1/keys/${UNKNOWN_ID}/roll`, { graceSeconds: -1 })],
    [
      'createKey',
      403,
      async (port, key) => {
        const limited = await call('POST', '/api/v1/keys', { scopes: ['scan'] })(port, key)
        return call('POST', '/api/v1/keys')(port, (limited.json() as { apiKey: string }).apiKey)
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
    ['getMonthUsage', 200, call('GET', '/api/v1/usage/2026-11')],
    ['getMonthUsage', 400, call('GET', '/api/v1/usage/2026-13')],
    [
      'listScans',
      200,
      async (port, key) => {
        scanned(await scan(port, key, EICAR))
        return call('GET', '/api/v1/scans?limit=1&status=infected')(port, key)
      },
    ],
    ['listScans', 400, call('GET', '/api/v1/scans?limit=101')],
    [
      'getScan',
      200,
      async (port, key) => call('GET', `/api/v1/scans/${scanned(await scan(port, key, 'Hi')).scanId}`)(port, key),
    ],
    ['getScan', 400, call('GET', '/api/v1/scans/x')],
    [
      'getReceipt',
      200,
      async (port, key) =>
        call('GET', `/api/v1/scans/${scanned(await scan(port, key, 'Hi')).scanId}/receipt`)(port, key),
    ],
    ['getReceipt', 400, call('GET', '/api/v1/scans/x/receipt')],
    ['getReceipt', 404, call('GET', `/api/v1/scans/${UNKNOWN_ID}/receipt`)],
    ['getReceiptKeys', 200, call('GET', '/.well-known/jwks.json')],
    ['listEvents', 400, call('GET', '/api/v1/events?limit=1001')],
    ['listEvents', 400, call('GET', '/api/v1/events?cursor=x')],
    ['listEvents', 401, (port) => request(port, 'GET', '/api/v1/events')],
    ['getScan', 404, call('GET', `/api/v1/scans/${UNKNOWN_ID}`)],
    ...ALLOWED_CALLS,
    ['listFindings', 200, call('GET', '/api/v1/findings')],
    ['listFindings', 400, call('GET', '/api/v1/findings?x=1')],
    ['getFinding', 200, call('GET', '/api/v1/findings/Docvet.Test.Eicar')],
    ['getFinding', 400, call('GET', `/api/v1/findings/${'x'.repeat(101)}`)],
    ['getFinding', 404, call('GET', `/api/v1/findings/${'x'.repeat(100)}`)],
    ['askAssistant', 200, (port) => ask(port, 'How is my quota counted?')],
    ['askAssistant', 400, call('POST', '/api/v1/chat', { messages: [] })],
    ['askAssistant', 413, call('POST', '/api/v1/chat', ' '.repeat(70_000), JSON_TYPE)],
    ['askAssistant', 415, call('POST', '/api/v1/chat', 'x', TEXT)],
    [
      'askAssistant',
      502,
      async (port) => {
        await peer.behave({ kind: 'status', status: 500 })
        const answer = await ask(port, 'How is my quota counted?')
        await peer.behave('faithful')
        return answer
      },
    ],
    ['askAssistant', 503, () => ask(limited.port, 'How is my quota counted?')],
    ['listSuggestions', 200, call('GET', '/api/v1/chat/suggestions')],
    ['listSuggestions', 400, call('GET', '/api/v1/chat/suggestions?x=1')],
    ['getChatHealth', 200, call('GET', '/api/v1/chat/health')],
    ['getChatHealth', 400, call('GET', '/api/v1/chat/health?x=1')],
    ['getHealth', 200, call('GET', '/api/v1/health')],
    ['getHealth', 400, call('GET', '/api/v1/health?x=1')],
    ['getReadiness', 200, call('GET', '/readyz')],
    ['getLiveness', 200, call('GET', '/livez')],
    ...SESSION_CALLS,
    ...MEMBER_CALLS,
    ...MARKETPLACE_CALLS,
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
    getMonthUsage: call('GET', '/api/v1/usage/2026-11'),
    listScans: call('GET', '/api/v1/scans'),
    getScan: call('GET', `/api/v1/scans/${UNKNOWN_ID}`),
    listAllowed: call('GET', '/api/v1/allowed'),
    getAllowed: call('GET', ALLOWED),
    allowDocument: call('PUT', ALLOWED, {}),
    disallowDocument: call('DELETE', ALLOWED),
    scanDocument: upload('x'),
    readText: readText('x'),
    scanUrl: call('POST', '/api/v1/scans', { url: 'https://example.com/' }),
    receiveObjectEvents: call('POST', '/api/v1/events', { Records: [] }),
  })) {
    test(`${id} 401`, async () => {
      const answer = await ask(service.port, 'dv_live_nonsense')
      assert.equal(answer.status, 401)
      assertAsDescribed(operation(id), answer)
    })
  }

  test('429 of every operation with a rate limit', async () => {
    const { apiKey } = await signUp(limited.port)
    const asks: Record<string, Call> = {
      getUsage: call('GET', '/api/v1/usage'),
      listKeys: call('GET', '/api/v1/keys'),
      createKey: call('POST', '/api/v1/keys'),
      revokeKey: call('DELETE', `/api/v1/keys/${UNKNOWN_ID}`),
      scanDocument: upload('x'),
      signUp: signup,
      getHealth: call('GET', '/api/v1/health'),
      askAssistant: call('POST', '/api/v1/chat', {}),
      listSuggestions: call('GET', '/api/v1/chat/suggestions'),
      getChatHealth: call('GET', '/api/v1/chat/health'),
    }
    for (const id of ['getUsage', 'scanDocument', 'getHealth', 'askAssistant', 'listSuggestions', 'getChatHealth'])
      await asks[id]!(limited.port, apiKey)
    for (const [id, ask] of Object.entries(asks)) {
      const answer = await ask(limited.port, apiKey)
      assert.equal(answer.status, 429, id)
      assertAsDescribed(operation(id), answer)
    }
  })

  const filled = (path: string) => path.replace(/\{\w+\}/g, UNKNOWN_ID)
  for (const [status, lines] of [
    [400, ['Host: a', 'Host: b']],
    [417, ['Host: a', 'Expect: 200-ok']],
    [431, ['Host: a', `X-Long: ${'x'.repeat(20_000)}`]],
  ] as const) {
    test(`${status} of every operation for an invalid request head`, async () => {
      for (const { method, path, operation: each } of operationsOf(description)) {
        const { responses } = await send(
          service.port,
          `${[`${method} ${filled(path)} HTTP/1.1`, ...lines, '', ''].join('\r\n')}`,
        )
        assert.equal(responses[0]?.status, status, path)
        assertAsDescribed(each, responses[0])
      }
    })
  }

  test('408 of every operation for a request that does not arrive', async () => {
    await using app = await startApp({ headersTimeoutMs: 200, requestTimeoutMs: 400, checkTimeoutsEveryMs: 50 })
    for (const { method, path, operation: each } of operationsOf(description)) {
      const { responses } = await send(app.port, `${method} ${filled(path)} HTTP/1.1\r\nHost: a\r\n`)
      assert.equal(responses[0]?.status, 408, path)
      assertAsDescribed(each, responses[0])
    }
  })

  test('413 and 415 of every operation for a body that is announced', async () => {
    for (const { method, path, operation: each } of operationsOf(description)) {
      if (each.operationId === 'scanDocument' || each.security.length > 0) continue
      const { status } = await request(service.port, method, filled(path), {
        headers: { 'content-encoding': 'gzip', ...TOKEN },
      })
      assert.equal(status, 415, path)
      assert.ok(each.responses[413] && each.responses[415], path)
    }
  })

  test('every operation is called by a test above', () => {
    const tried = new Set(CALLS.map(([id]) => id))
    assert.deepEqual(
      operationsOf(description)
        .map((each) => each.operation.operationId)
        .filter((id) => !tried.has(id)),
      [],
    )
  })
})
