/** Ways to send an API key. All keys that are not accepted are rejected alike; the other details depend on the form of the request only. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createKey, rawRequest, revokeKey, sendOne, signUp, UNKNOWN_KEY } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { openDatabaseOf, type Service, startService } from '#test/support/service.ts'

let service: Service
let key: string
let revoked: string
before(async () => {
  service = await startService()
  key = (await signUp(service.port)).apiKey
  const doomed = await createKey(service.port, key)
  await revokeKey(service.port, key, doomed.id)
  revoked = doomed.apiKey
})
after(() => service[Symbol.asyncDispose]())

/** The sixth character from the end is the first of the checksum. */
const wrongChecksum = (good: string): string => good.slice(0, -6) + (good.at(-6) === '0' ? '1' : '0') + good.slice(-5)

const ask = (headerLines: string[], target = '/api/v1/usage'): Promise<Answer> =>
  sendOne(service.port, rawRequest(`GET ${target}`, headerLines))

describe('a valid key', () => {
  const accepted: Record<string, () => string[]> = {
    'in X-API-Key': () => [`X-API-Key: ${key}`],
    'in x-api-key, in small letters': () => [`x-api-key: ${key}`],
    'as a Bearer token': () => [`Authorization: Bearer ${key}`],
    'as a Bearer token, the scheme in small letters': () => [`Authorization: bearer ${key}`],
    'in both headers, when it is the same': () => [`X-API-Key: ${key}`, `Authorization: Bearer ${key}`],
    'beside a session cookie, which is ignored': () => [`X-API-Key: ${key}`, 'Cookie: docvet_session=nonsense'],
  }
  for (const [how, lines] of Object.entries(accepted)) {
    test(`200 ${how}`, async () => {
      const answer = await ask(lines())
      assert.equal(answer.status, 200, answer.body)
    })
  }
})

const SEND = 'Send it in the header `X-API-Key`, or as `Authorization: Bearer` with the key.'
const NO_KEY = `No API key was sent. ${SEND}`
const NOT_ACCEPTED = `This API key is not accepted. Check that it is complete and was not revoked. ${SEND}`
const BASIC = `Basic authentication is not supported. Send the API key in the header \`X-API-Key\`, or as \`Authorization: Bearer\` with the key.`
const IN_URL = `An API key in the URL is not accepted, because URLs are logged. Revoke the key if it is real. ${SEND}`

async function detailOf(headerLines: string[], target?: string): Promise<string> {
  const answer = await ask(headerLines, target)
  const { detail } = assertProblem(answer, 401, 'unauthenticated')
  assert.doesNotMatch(answer.body, /dv_live_/)
  return detail
}

describe('an invalid key', () => {
  const refused: Record<string, () => string[]> = {
    'a word': () => ['X-API-Key: secret'],
    'a key with a wrong checksum': () => [`X-API-Key: ${wrongChecksum(key)}`],
    'a key with a wrong prefix': () => [`X-API-Key: ${key.replace('dv_live_', 'dv_test_')}`],
    'a key in capitals': () => [`X-API-Key: ${key.toUpperCase()}`],
    'a key that is cut': () => [`X-API-Key: ${key.slice(0, -1)}`],
    'a key with more behind it': () => [`X-API-Key: ${key}0`],
    'two keys in one header': () => [`X-API-Key: ${key}, ${key}`],
    'a well-formed key that nobody has': () => [`X-API-Key: ${UNKNOWN_KEY}`],
    'a revoked key': () => [`X-API-Key: ${revoked}`],
    'a revoked key as a Bearer token': () => [`Authorization: Bearer ${revoked}`],
    'a key without a scheme': () => [`Authorization: ${key}`],
    'two different keys': () => [`X-API-Key: ${key}`, `Authorization: Bearer ${revoked}`],
    'two different keys, the other way round': () => [`X-API-Key: ${revoked}`, `Authorization: Bearer ${key}`],
    'a key of 10,000 characters': () => [`X-API-Key: dv_live_${'a'.repeat(10_000)}`],
    'bytes that are not ASCII': () => ['X-API-Key: dv_live_\xe4\xf6\xfc'],
    'a revoked key beside a session cookie': () => [`X-API-Key: ${revoked}`, 'Cookie: docvet_session=nonsense'],
  }
  for (const [what, lines] of Object.entries(refused)) {
    test(`401 for ${what}, the same as for any other`, async () => {
      const model = await ask([`X-API-Key: ${UNKNOWN_KEY}`])
      const answer = await ask(lines())
      const { requestId: _one, ...problem } = assertProblem(answer, 401, 'unauthenticated')
      const { requestId: _other, ...expected } = assertProblem(model, 401, 'unauthenticated')
      assert.deepEqual(problem, expected)
      assert.equal(problem.detail, NOT_ACCEPTED)
      const unvarying = ({ rawHeaders }: Answer) => rawHeaders.filter(([name]) => !/^(x-request-id|date)$/i.test(name))
      assert.deepEqual(unvarying(answer), unvarying(model))
    })
  }

  const missing: Record<string, () => string[]> = {
    'no key': () => [],
    'an empty key': () => ['X-API-Key:'],
    'the empty Bearer token': () => ['Authorization: Bearer'],
    'an empty Authorization': () => ['Authorization:'],
    'a key under another name': () => [`API-Key: ${key}`, `X-Api_Key: ${key}`],
  }
  for (const [what, lines] of Object.entries(missing))
    test(`401 for ${what}: none was sent`, async () => assert.equal(await detailOf(lines()), NO_KEY))

  const basic = (text: string) => `Authorization: Basic ${Buffer.from(text).toString('base64')}`
  test('401 for a key under the Basic scheme, valid or not, names the scheme', async () => {
    for (const text of [`${key}:`, `:${key}`, `${revoked}:`, 'ada:secret', ''])
      assert.equal(await detailOf([basic(text)]), BASIC)
    assert.equal(await detailOf([basic(key).replace('Basic', 'bASIC')]), BASIC)
  })

  test('401 for a key under a scheme of other APIs names the scheme and what to send', async () => {
    for (const scheme of ['Token', 'ApiKey', 'Api-Key', 'Key', 'Digest'])
      for (const each of [key, revoked, 'x'])
        assert.equal(
          await detailOf([`Authorization: ${scheme} ${each}`]),
          `\`Authorization: ${scheme}\` is not supported. Send the API key in the header \`X-API-Key\`, or as \`Authorization: Bearer\` with the key.`,
        )
    for (const text of ['secret', `${'a'.repeat(16)} x`, 'T0ken x', 'Token'])
      assert.equal(await detailOf([`Authorization: ${text}`]), NOT_ACCEPTED)
  })

  test('401 for a cookie that is no session says that none is active', async () => {
    const ended = 'The session has ended or is not known. Sign in again, or send an API key.'
    assert.equal(await detailOf([`Cookie: docvet_session=${key}`]), ended)
  })

  test('401 for a key where only a session is accepted says so, whatever the key', async () => {
    const detail = 'This endpoint accepts no API key, only the cookie of a session. Sign in first.'
    for (const each of [key, revoked, 'x'])
      assert.equal(await detailOf([`X-API-Key: ${each}`], '/api/v1/auth/me'), detail)
    assert.equal(
      await detailOf([], '/api/v1/auth/me'),
      'No session cookie was sent. Sign in first: this endpoint requires a session.',
    )
    assert.equal(
      await detailOf(['Cookie: docvet_session=nonsense'], '/api/v1/auth/me'),
      'The session has ended or is not known. Sign in again.',
    )
  })

  for (const name of ['api_key', 'apiKey', 'key', 'x-api-key', 'X-API-Key', 'access_token', 'token', 'authorization']) {
    test(`401 for a key in the query as ${name} says that URLs are no place for it`, async () => {
      assert.equal(await detailOf([], `/api/v1/usage?${name}=${key}`), IN_URL)
      assert.equal(await detailOf([], `/api/v1/usage?a=b&${name}=secret`), IN_URL)
    })
  }

  test('401 for a key under any name in the query, in the path or as user information', async () => {
    for (const target of [`/api/v1/usage?whatever=${key}`, `/api/v1/keys/${key}`, `/api/v1/usage?${key}`])
      assert.equal(
        assertProblem(
          await sendOne(service.port, rawRequest(`${target.includes('keys') ? 'DELETE' : 'GET'} ${target}`)),
          401,
          'unauthenticated',
        ).detail,
        IN_URL,
      )
    assert.equal(await detailOf([], '/api/v1/usage?page=2'), NO_KEY)
  })

  test('401 for a key in the body', async () => {
    const answer = await request(service.port, 'POST', '/api/v1/keys', { body: { name: 'a', apiKey: key, key } })
    assertProblem(answer, 401, 'unauthenticated')
  })

  test('401 before a byte of the body is read', async () => {
    const head = rawRequest('POST /api/v1/keys', ['Content-Type: application/json', 'Content-Length: 60000'])
    assertProblem(await sendOne(service.port, head, 3_000), 401, 'unauthenticated')
  })

  test('401 without a database query for a key with a wrong checksum', async () => {
    const database = openDatabaseOf(service)
    database.exec('alter table api_keys rename to api_keys_away')
    const impossible = [wrongChecksum(key), key.slice(0, -1), `${key}0`, 'secret', key.replace('live', 'test')]
    const answers = await Promise.all(impossible.map((text) => ask([`X-API-Key: ${text}`])))
    const possible = await ask([`X-API-Key: ${UNKNOWN_KEY}`])
    database.exec('alter table api_keys_away rename to api_keys')
    database.close()
    for (const answer of answers) assertProblem(answer, 401, 'unauthenticated')
    assertProblem(possible, 500, 'internal_error')
  })

  test('401 takes precedence over every other error', async () => {
    const lines = ['Content-Type: text/plain', 'Content-Encoding: gzip', 'Content-Length: 70000']
    assertProblem(await sendOne(service.port, rawRequest('POST /api/v1/keys?x=1', lines)), 401, 'unauthenticated')
    assertProblem(await sendOne(service.port, rawRequest('DELETE /api/v1/keys/x')), 401, 'unauthenticated')
    const longId = rawRequest(`DELETE /api/v1/keys/${'a'.repeat(5_000)}`)
    assertProblem(await sendOne(service.port, longId), 401, 'unauthenticated')
  })
})
