/** Invalid HTTP, sent as raw bytes. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { rawRequest, sendOne, signUp } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { send } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

const HOST = 'Host: docvet.test\r\n'
const POST = `POST /api/v1/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Rejected by the parser: one problem, then the connection is closed. */
async function assertRefused(bytes: string | Buffer, status = 400, code = 'invalid_request'): Promise<void> {
  const { responses, closed, rest } = await send(service.port, bytes)
  assert.equal(responses.length, 1)
  assertProblem(responses[0], status, code)
  assert.equal(responses[0]!.headers.connection, 'close')
  assert.deepEqual([closed, rest], [true, ''])
}

describe('framing', () => {
  const BODY = '{"email":"smuggled@example.com"}'
  const FRAMES: Record<string, string> = {
    'Content-Length and Transfer-Encoding': `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'Transfer-Encoding and Content-Length': `${POST}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    'two lengths': `${POST}Content-Length: 32\r\nContent-Length: 5\r\n\r\n${BODY}`,
    'the same length twice': `${POST}Content-Length: 32\r\nContent-Length: 32\r\n\r\n${BODY}`,
    'a list of lengths': `${POST}Content-Length: 32, 32\r\n\r\n${BODY}`,
    'the length +32': `${POST}Content-Length: +32\r\n\r\n${BODY}`,
    'the length -1': `${POST}Content-Length: -1\r\n\r\n${BODY}`,
    'the length 0x20': `${POST}Content-Length: 0x20\r\n\r\n${BODY}`,
    'a length of 30 digits': `${POST}Content-Length: ${'9'.repeat(30)}\r\n\r\n${BODY}`,
    'an empty length': `${POST}Content-Length: \r\n\r\n${BODY}`,
    'the coding xchunked': `${POST}Transfer-Encoding: xchunked\r\n\r\n${BODY}`,
    'the coding "chunked, identity"': `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    'a folded header': `${POST}X-A: b\r\n c\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`,
    'the chunk size ZZ': `${CHUNKED}ZZ\r\n{}\r\n0\r\n\r\n`,
    'a chunk size of 17 F': `${CHUNKED}${'F'.repeat(17)}\r\n{}\r\n0\r\n\r\n`,
    'a negative chunk size': `${CHUNKED}-2\r\n{}\r\n0\r\n\r\n`,
    'a chunk longer than its size': `${CHUNKED}2\r\n{}{}\r\n0\r\n\r\n`,
    'a chunk extension of 20 kB': `${CHUNKED}2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    'chunks that end in bare LF': `${CHUNKED}2\n{}\n0\n\n`,
  }
  for (const [what, bytes] of Object.entries(FRAMES)) {
    test(`400 and close for ${what}`, () => assertRefused(bytes))
  }

  test('none of them created an account', async () => {
    assert.equal((await signUp(service.port, 'smuggled@example.com')).plan, 'free')
  })
})

describe('header lines', () => {
  const LINES: Record<string, string | Buffer> = {
    'bare LF as line ends': `GET /livez HTTP/1.1\n${HOST.trim()}\n\n`,
    'a bare CR': `GET /livez HTTP/1.1\r\n${HOST}X-A: b\rX-C: d\r\n\r\n`,
    'a space before the colon': `GET /livez HTTP/1.1\r\n${HOST}X-A : b\r\n\r\n`,
    'a zero byte in a value': `GET /livez HTTP/1.1\r\n${HOST}X-A: b\0c\r\n\r\n`,
    'a zero byte in a name': `GET /livez HTTP/1.1\r\n${HOST}X\0A: b\r\n\r\n`,
    'a line without a colon': `GET /livez HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`,
    'an empty name': `GET /livez HTTP/1.1\r\n${HOST}: b\r\n\r\n`,
    'a name that is not ASCII': latin1(`GET /livez HTTP/1.1\r\n${HOST}X-\xe4: b\r\n\r\n`),
  }
  for (const [what, bytes] of Object.entries(LINES)) {
    test(`400 and close for ${what}`, () => assertRefused(bytes))
  }

  test('200 for headers named __proto__ and constructor', async () => {
    const lines = ['__proto__: x', 'constructor: y', 'hasOwnProperty: z']
    assert.equal((await sendOne(service.port, rawRequest('GET /livez', lines))).status, 200)
  })
})

describe('repeated headers', () => {
  for (const name of ['Host', 'Authorization', 'X-API-Key', 'Content-Type', 'Cookie']) {
    test(`400 for two ${name} headers, even if they are equal`, async () => {
      const lines = name === 'Host' ? [`${name}: docvet.test`] : [`${name}: a`, `${name.toLowerCase()}: a`]
      const { detail } = assertProblem(
        await sendOne(service.port, rawRequest('GET /livez', lines)),
        400,
        'invalid_request',
      )
      assert.match(detail, new RegExp(name, 'i'))
    })
  }

  test('400 without Host', async () => {
    assertProblem(
      await sendOne(service.port, 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'),
      400,
      'invalid_request',
    )
  })

  test('200 without Host in HTTP/1.0', async () => {
    assert.equal((await sendOne(service.port, 'GET /livez HTTP/1.0\r\n\r\n')).status, 200)
  })
})

describe('request targets', () => {
  for (const [target, status, code] of [
    ['http://evil.example/livez', 400, 'invalid_request'],
    ['http://evil.example/problems/x', 400, 'invalid_request'],
    ['https://docvet.test/api/v1/health', 400, 'invalid_request'],
    ['*', 400, 'invalid_request'],
    ['/%zz', 400, 'invalid_request'],
    ['/%ff', 400, 'invalid_request'],
    ['/api/v1/keys/%zz', 400, 'invalid_request'],
    ['/%00', 404, 'not_found'],
    ['/../../etc/passwd', 404, 'not_found'],
    ['/..%2f..%2fetc%2fpasswd', 404, 'not_found'],
    ['/docs/../../../etc/passwd', 404, 'not_found'],
    ['//livez', 404, 'not_found'],
    ['/livez//', 404, 'not_found'],
    ['/LIVEZ', 404, 'not_found'],
    ['/livez;x=1', 404, 'not_found'],
    ['/api/v1', 404, 'not_found'],
    ['/api/v2/usage', 404, 'not_found'],
    ['/nothing#%zz', 404, 'not_found'],
    [`/${'a'.repeat(5_000)}`, 404, 'not_found'],
  ] as const) {
    test(`${status} for ${target.slice(0, 60)}`, async () => {
      const answer = await sendOne(service.port, rawRequest(`GET ${target}`))
      const problem = assertProblem(answer, status, code)
      assert.equal(problem.type, `${service.url}/problems/${code}`)
      assert.doesNotMatch(answer.body + JSON.stringify(answer.headers), /evil|passwd/)
    })
  }

  for (const byte of [0x01, 0x1b, 0x7f, 0x80, 0x9b, 0xff]) {
    test(`400 for a target with the byte 0x${byte.toString(16)}`, () =>
      assertRefused(latin1(`GET /a${String.fromCharCode(byte)}b HTTP/1.1\r\n${HOST}\r\n`)))
  }

  const TOO_LARGE: Record<string, string> = {
    'a header of 20 kB': `GET /livez HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(20_000)}\r\n\r\n`,
    'a URL of 20 kB': `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
    'a header name of 20 kB': `GET /livez HTTP/1.1\r\n${HOST}${'a'.repeat(20_000)}: b\r\n\r\n`,
    '1,500 headers': `GET /livez HTTP/1.1\r\n${HOST}${'x-abcdef: 12\r\n'.repeat(1_500)}\r\n`,
  }
  for (const [what, bytes] of Object.entries(TOO_LARGE)) {
    test(`431 and close for ${what}`, () => assertRefused(bytes, 431, 'headers_too_large'))
  }

  test('431 for 101 small headers, 200 for 100', async () => {
    const lines = (total: number) => Array.from({ length: total - 2 }, (_, i) => `x-${i}: 1`)
    const refused = await sendOne(service.port, rawRequest('GET /livez', lines(101)))
    assertProblem(refused, 431, 'headers_too_large')
    assert.equal((await sendOne(service.port, rawRequest('GET /livez', lines(100)))).status, 200)
  })
})

describe('other protocols', () => {
  const OTHER: Record<string, string | Buffer> = {
    'a method that does not exist': `FOO /livez HTTP/1.1\r\n${HOST}\r\n`,
    'a method in small letters': `get /livez HTTP/1.1\r\n${HOST}\r\n`,
    'HTTP/9.9': `GET /livez HTTP/9.9\r\n${HOST}\r\n`,
    'the start of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a TLS hello': Buffer.from('1603010200010001fc0303', 'hex'),
    SSH: 'SSH-2.0-OpenSSH_9.2\r\n',
    'zero bytes': Buffer.alloc(64),
    'a URL with a space': `GET /li vez HTTP/1.1\r\n${HOST}\r\n`,
  }
  for (const [what, bytes] of Object.entries(OTHER)) {
    test(`400 and close for ${what}`, () => assertRefused(bytes))
  }

  test('an upgrade request is the last of its connection: one that follows is not lost without a word', async () => {
    const next = `GET /readyz HTTP/1.1\r\n${HOST}\r\n`
    const upgrade = `Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n`
    const body = 'Content-Type: application/json\r\nContent-Length: 2\r\n'
    for (const first of [
      `GET /livez HTTP/1.1\r\n${HOST}${upgrade}`,
      `GET /nothing HTTP/1.1\r\n${HOST}${upgrade}`,
      `POST /api/v1/signup HTTP/1.1\r\n${HOST}${body}${upgrade}{}`,
    ]) {
      const { responses, closed } = await send(service.port, first + next, { expect: 2 })
      assert.deepEqual([responses.length, responses[0]?.headers.connection, closed], [1, 'close', true])
    }
  })

  test('200 for an upgrade request: the upgrade is ignored', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const lines = [`Upgrade: ${protocol}`, 'HTTP2-Settings: AAMAAABk']
      const head = `GET /livez HTTP/1.1\r\n${HOST}Connection: Upgrade\r\n${lines.join('\r\n')}\r\n\r\n`
      const { responses } = await send(service.port, head)
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200],
      )
    }
  })
})
