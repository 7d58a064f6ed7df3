/** Invalid JSON bodies, on two endpoints. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { listKeys, newEmail, rawRequest, sendOne, signUp } from '#test/support/client.ts'
import { assertProblem, fieldsOf, type Problem } from '#test/support/problem.ts'
import type { Answer } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'

const LIMIT_BYTES = 65_536

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

interface Endpoint {
  path: string
  field: 'email' | 'name'
  /** A valid value of the field. */
  good(): string
  headerLines: string[]
}

const signup: Endpoint = { path: '/api/v1/signup', field: 'email', good: newEmail, headerLines: [] }
const keys: Endpoint = { path: '/api/v1/keys', field: 'name', good: () => 'Build server', headerLines: [] }

interface Sending {
  type?: string | null
  headerLines?: string[]
}

function post(endpoint: Endpoint, body: string | Buffer, { type, headerLines = [] }: Sending = {}): Promise<Answer> {
  const lines = [...endpoint.headerLines, `Content-Length: ${Buffer.byteLength(body)}`, ...headerLines]
  if (type !== null) lines.push(`Content-Type: ${type ?? 'application/json'}`)
  return sendOne(service.port, rawRequest(`POST ${endpoint.path}`, lines, body))
}

const KEY_FIELDS = '`name`, `test`, `scopes`, `expiresAt`, `allowedAddresses`'

for (const endpoint of [signup, keys]) {
  describe(`POST ${endpoint.path}`, () => {
    let owner: string
    beforeEach(async () => {
      owner = (await signUp(service.port)).apiKey
      if (endpoint === keys) endpoint.headerLines = [`X-API-Key: ${owner}`]
    })

    const { field, good } = endpoint
    const send = (body: string | Buffer, sending?: Sending) => post(endpoint, body, sending)
    const json = (value: unknown) => send(JSON.stringify(value))

    const keyCount = async () => (await listKeys(service.port, owner)).length

    async function refused(ask: () => Promise<Answer>, status = 400, code = 'invalid_request'): Promise<Problem> {
      const before = await keyCount()
      const problem = assertProblem(await ask(), status, code)
      assert.equal(await keyCount(), before, 'a rejected request created a key')
      return problem
    }
    function testRefused(name: string, ask: () => Promise<Answer>, status = 400, code = 'invalid_request'): void {
      test(name, async () => {
        await refused(ask, status, code)
      })
    }
    async function accepted(answer: Promise<Answer>): Promise<Record<string, unknown>> {
      const { status, body, json: parsed } = await answer
      assert.equal(status, 201, body)
      return parsed() as Record<string, unknown>
    }

    if (endpoint === signup) {
      testRefused('400 for an empty body', () => send(''))
      testRefused('400 for no body and no type', () => send('', { type: null }))
    }

    const SYNTAX: Record<string, string | Buffer> = {
      'an incomplete object': `{"${field}":`,
      'a word': 'hello',
      'only white space': ' \n\t ',
      'single quotes': `{'${field}':'a'}`,
      'a trailing comma': `{"${field}":"a@example.com",}`,
      'a comment': `{"${field}":"a@example.com"} // x`,
      'two objects': '{}{}',
      'a raw line break in a text': `{"${field}":"a\nb@example.com"}`,
      'a raw zero byte in a text': `{"${field}":"a\0b@example.com"}`,
      'a zero byte at the end': `{"${field}":"ab@example.com"}\0`,
      NaN: `{"${field}":NaN}`,
      'UTF-16': Buffer.from(`{"${field}":"a@example.com"}`, 'utf16le'),
      'UTF-16 with a byte order mark': Buffer.from(`\ufeff{"${field}":"a@example.com"}`, 'utf16le'),
      'bytes that are not UTF-8': Buffer.from(`{"${field}":"a\xff\xfe@example.com"}`, 'latin1'),
      'an overlong encoding': Buffer.from(`{"${field}":"a\xc0\xafb@example.com"}`, 'latin1'),
      'a surrogate in UTF-8': Buffer.from(`{"${field}":"a\xed\xa0\x80@example.com"}`, 'latin1'),
    }
    for (const [what, body] of Object.entries(SYNTAX)) {
      test(`400 for ${what}`, async () => {
        const { detail } = await refused(() => send(body))
        assert.doesNotMatch(detail, /example\.com|position|token/i)
      })
    }

    for (const body of ['[]', '[{}]', 'null', '7', '1e400', '-0', 'true', '"text"', '""']) {
      testRefused(`400 for the body ${body}`, () => send(body))
    }

    const POISON: Record<string, string> = {
      __proto__: `{"__proto__":{"${field}":"a@example.com"}}`,
      '__proto__ next to a valid field': `{"${field}":${JSON.stringify(good())},"__proto__":{"x":1}}`,
      'an escaped __proto__': `{"\\u005f_proto__":{"${field}":"a@example.com"}}`,
      '__proto__ deep inside': `{"${field}":{"a":[{"__proto__":{}}]}}`,
      'constructor.prototype': `{"${field}":"a@example.com","constructor":{"prototype":{"admin":true}}}`,
      constructor: `{"${field}":"a@example.com","constructor":"x"}`,
      'toString and hasOwnProperty': `{"${field}":"a@example.com","toString":1,"hasOwnProperty":1}`,
    }
    for (const [what, body] of Object.entries(POISON)) testRefused(`400 for ${what}`, () => send(body))

    for (const extra of ['role', 'quota', 'tenant_id', 'plan', 'accountId', 'id', 'status', field.toUpperCase()]) {
      test(`400 naming the unknown property ${extra}`, async () => {
        const { errors } = await refused(() => json({ [field]: good(), [extra]: 'admin' }))
        const allowed = endpoint === signup ? '`email`, `inviteCode`' : KEY_FIELDS
        assert.deepEqual(errors, [{ field: extra, message: `is not a recognised field; allowed: ${allowed}` }])
      })
    }

    test('400 for thousands of unknown properties lists at most 20 of them', async () => {
      const names = Array.from({ length: 7_500 }, (_, i) => `"${i.toString(36)}":1`)
      const problem = await refused(() => send(`{${names.join(',')}}`))
      assert.ok(fieldsOf(problem).length <= 20)
    })

    test('400 for an unknown property with a name of 60 kB does not repeat the whole name', async () => {
      const answer = await send(JSON.stringify({ ['x'.repeat(60_000)]: 1 }))
      assertProblem(answer, 400, 'invalid_request')
      assert.ok(answer.body.length < 1_000)
    })

    for (const value of [123, true, null, ['a'], [], {}, { $ne: 1 }, { toString: 'a' }]) {
      test(`400 naming the field for ${JSON.stringify(value)} instead of a string`, async () => {
        const { errors } = await refused(() => json({ [field]: value }))
        const example = endpoint === signup ? 'ada@example.com' : 'Build server'
        assert.deepEqual(errors, [{ field, message: `must be a string, for example "${example}"` }])
      })
    }

    test('201 for a repeated name, with the last value', async () => {
      const value = good()
      const created = await accepted(send(`{"${field}":123,"${field}":${JSON.stringify(value)}}`))
      assert.equal(created[field], value)
    })

    test('201 at the limit of 65,536 bytes, 413 above it', async () => {
      const padded = (bytes: number) => JSON.stringify({ [field]: good() }).padEnd(bytes, ' ')
      await accepted(send(padded(LIMIT_BYTES)))
      assertProblem(await send(padded(LIMIT_BYTES + 1)), 413, 'body_too_large')
    })

    test('413 for the announced length alone, before the body is sent', async () => {
      const lines = [...endpoint.headerLines, 'Content-Type: application/json', `Content-Length: ${LIMIT_BYTES + 1}`]
      const answer = await sendOne(service.port, rawRequest(`POST ${endpoint.path}`, lines))
      assertProblem(answer, 413, 'body_too_large')
      assert.equal(answer.headers.connection, 'close')
    })

    test('413 for chunks above the limit in total', async () => {
      const lines = [...endpoint.headerLines, 'Content-Type: application/json', 'Transfer-Encoding: chunked']
      const chunk = `8000\r\n${' '.repeat(0x8000)}\r\n`
      const bytes = rawRequest(`POST ${endpoint.path}`, lines, `${chunk.repeat(3)}0\r\n\r\n`)
      await refused(() => sendOne(service.port, bytes), 413, 'body_too_large')
    })

    const DEEP: Record<string, string> = {
      'lists, 30,000 deep': '['.repeat(30_000) + ']'.repeat(30_000),
      'lists in the field, 30,000 deep': `{"${field}":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      'objects, 9,000 deep': `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`,
      'lists that never close, 60,000 deep': '['.repeat(60_000),
      '__proto__, 9,000 deep': `${'{"a":'.repeat(9_000)}{"__proto__":1}${'}'.repeat(9_000)}`,
    }
    for (const [what, body] of Object.entries(DEEP)) {
      testRefused(`400 for ${what}`, () => send(body))
    }

    const OTHER_TYPES = [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
      'application/json\ta',
      'application/jsonx',
      'application/json-patch+json',
      'application/vnd.api+json',
      'application/json, text/plain',
      'application/json; charset=utf-16',
      'application/json; charset=latin1',
      'json',
      '*/*',
      '',
    ]
    const unsupported = (what: string, ask: () => Promise<Answer>) =>
      testRefused(`415 for ${what}`, ask, 415, 'unsupported_content_type')
    const body = () => JSON.stringify({ [field]: good() })
    for (const type of OTHER_TYPES) unsupported(`the type ${JSON.stringify(type)}`, () => send(body(), { type }))
    unsupported('a body without a type', () => send(body(), { type: null }))
    for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'x']) {
      const headerLines = [`Content-Encoding: ${encoding}`]
      unsupported(`the encoding ${encoding}`, () => send(body(), { headerLines }))
    }

    for (const type of [
      'application/json;',
      ' application/json',
      'application/json ; charset=utf-8',
      'application/json;charset="UTF-8"',
      'APPLICATION/JSON',
      'application/json; profile="x"',
    ]) {
      test(`parsed as JSON with the type ${JSON.stringify(type)}`, async () => {
        await accepted(send(body(), { type }))
        await refused(() => send('{"x":1}', { type }))
      })
    }

    test('SQL in the field is stored as text', async () => {
      const value = endpoint === signup ? `x'or'1'='1${newEmail()}` : `'; drop table api_keys; -- " \\`
      assert.equal((await accepted(json({ [field]: value })))[field], value)
      assert.ok((await listKeys(service.port, owner)).length >= 1)
    })
  })
}
