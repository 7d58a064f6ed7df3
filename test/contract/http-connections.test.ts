/** Several requests on one connection, Expect, Accept and HEAD. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newEmail, rawRequest, sendOne, signUp, UNKNOWN_KEY } from '#test/support/client.ts'
import { assertApiHeaders, assertBodilessProblem, assertProblem } from '#test/support/problem.ts'
import { request, send } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let key: string
before(async () => {
  service = await startService()
  key = (await signUp(service.port)).apiKey
})
after(() => service[Symbol.asyncDispose]())

const HOST = 'Host: docvet.test\r\n'
const POST = `POST /api/v1/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`

describe('connections', () => {
  test('three pipelined requests get three responses in order', async () => {
    const body = JSON.stringify({ email: newEmail() })
    const bytes =
      `GET /livez HTTP/1.1\r\n${HOST}\r\n` +
      `${POST}Content-Length: ${body.length}\r\n\r\n${body}` +
      `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`
    const { responses, closed } = await send(service.port, bytes, { expect: 3 })
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 201, 404],
    )
    assert.equal(new Set(responses.map(({ headers }) => headers['x-request-id'])).size, 3)
    assert.equal(closed, false)
  })

  test('a valid request followed by garbage gets its response, then 400 and close', async () => {
    const body = JSON.stringify({ email: newEmail() })
    const bytes = `${POST}Content-Length: ${body.length}\r\n\r\n${body}GARBAGE\r\n\r\n`
    const { responses, closed } = await send(service.port, bytes, { expect: 2 })
    assert.equal(responses.length, 2)
    assert.equal(responses[0]!.status, 201)
    assertProblem(responses[1], 400, 'invalid_request')
    assert.equal(closed, true)
  })

  test('a connection is reused after a refusal if the body was read', async () => {
    const bytes = `GET /nowhere HTTP/1.1\r\n${HOST}\r\nGET /livez HTTP/1.1\r\n${HOST}\r\n`
    const { responses } = await send(service.port, bytes, { expect: 2 })
    assert.deepEqual(
      responses.map(({ status }) => status),
      [404, 200],
    )
  })

  test('an unread body closes its connection, so that it is never parsed as a request', async () => {
    const inner = `GET /livez HTTP/1.1\r\n${HOST}\r\n`
    const head = `POST /api/v1/keys HTTP/1.1\r\n${HOST}Content-Length: 60000\r\n\r\n`
    const { responses, closed } = await send(service.port, head + inner)
    assert.equal(responses.length, 1)
    assertProblem(responses[0], 401, 'unauthenticated')
    assert.equal(closed, true)
  })
})

describe('Accept', () => {
  for (const accept of ['application/xml', 'text/html', 'application/json;q=0', '*/*', 'nonsense']) {
    test(`JSON regardless of Accept: ${accept}`, async () => {
      const lines = [`Accept: ${accept}`, 'Accept-Encoding: gzip, br', 'Accept-Charset: utf-16']
      const good = await sendOne(service.port, rawRequest('GET /livez', lines))
      assert.equal(good.status, 200)
      assertApiHeaders(good)
      assert.deepEqual(good.json(), { status: 'UP' })
      assertProblem(await sendOne(service.port, rawRequest('GET /nowhere', lines)), 404, 'not_found')
    })
  }
})

describe('HEAD', () => {
  test('the status and headers of GET, without a body', async () => {
    const get = await request(service.port, 'GET', '/livez')
    const head = await request(service.port, 'HEAD', '/livez')
    assert.deepEqual([head.status, head.body], [200, ''])
    assert.equal(head.headers['content-length'], get.headers['content-length'])
    assertApiHeaders(head)
    for (const [path, status] of [
      ['/nowhere', 404],
      ['/api/v1/usage', 401],
      ['/api/v1/signup', 405],
    ] as const) {
      assertBodilessProblem(await request(service.port, 'HEAD', path), status)
    }
  })
})

describe('Expect', () => {
  const JSON_TYPE = 'Content-Type: application/json'
  const EXPECT = 'Expect: 100-continue'

  test('100, then 201, if the body is accepted', async () => {
    const head = rawRequest('POST /api/v1/keys', [`X-API-Key: ${key}`, JSON_TYPE, EXPECT, 'Content-Length: 2'])
    const { responses } = await send(service.port, [head, Buffer.from('{}')], { pauseMsBetweenChunks: 100 })
    assert.deepEqual(
      responses.map(({ status }) => status),
      [100, 201],
    )
  })

  test('100 once, then 400, if the body is invalid', async () => {
    const head = rawRequest('POST /api/v1/signup', [JSON_TYPE, EXPECT, 'Content-Length: 2'])
    const { responses } = await send(service.port, [head, Buffer.from('{}')], { pauseMsBetweenChunks: 100 })
    assert.equal(responses.length, 2)
    assert.equal(responses[0]!.status, 100)
    assertProblem(responses[1], 400, 'invalid_request')
  })

  const REFUSED: [number, string, string, string[]][] = [
    [401, 'unauthenticated', 'POST /api/v1/keys', [JSON_TYPE, 'Content-Length: 100']],
    [401, 'unauthenticated', 'POST /api/v1/keys', [`X-API-Key: ${UNKNOWN_KEY}`, JSON_TYPE, 'Content-Length: 100']],
    [413, 'body_too_large', 'POST /api/v1/signup', [JSON_TYPE, 'Content-Length: 65537']],
    [415, 'unsupported_content_type', 'POST /api/v1/signup', ['Content-Type: text/plain', 'Content-Length: 100']],
    [
      415,
      'unsupported_content_type',
      'POST /api/v1/signup',
      [JSON_TYPE, 'Content-Encoding: gzip', 'Content-Length: 9'],
    ],
    [404, 'not_found', 'POST /nowhere', [JSON_TYPE, 'Content-Length: 100']],
    [405, 'method_not_allowed', 'PUT /api/v1/keys', [JSON_TYPE, 'Content-Length: 100']],
    [400, 'invalid_request', 'POST /%zz', [JSON_TYPE, 'Content-Length: 100']],
    [400, 'invalid_request', 'POST /api/v1/signup', [JSON_TYPE, JSON_TYPE, 'Content-Length: 100']],
  ]
  for (const [status, code, line, lines] of REFUSED) {
    test(`${status} and no 100 for ${line} with ${lines.join(', ')}`, async () => {
      const { responses, closed } = await send(service.port, rawRequest(line, [...lines, EXPECT]))
      assert.equal(responses.length, 1)
      assertProblem(responses[0], status, code)
      assert.equal(closed, true)
    })
  }

  for (const expectation of ['foo', '200-ok']) {
    test(`417 and close for ${expectation}`, async () => {
      const lines = [JSON_TYPE, `Expect: ${expectation}`, 'Content-Length: 100']
      const { responses, closed } = await send(service.port, rawRequest('POST /api/v1/signup', lines))
      assert.equal(responses.length, 1)
      assertProblem(responses[0], 417, 'expectation_failed')
      assert.equal(closed, true)
    })
  }
})
