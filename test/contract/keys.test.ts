/** /api/v1/keys. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertFields,
  createKey,
  KEY,
  listKeys,
  postKey,
  rawRequest,
  revokeKey,
  sendOne,
  signUp,
  TIME,
  UNKNOWN_ID,
  UUID,
  usage,
  withKey,
} from '#test/support/client.ts'
import { assertApiHeaders, assertProblem, fieldsOf } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

describe('creating', () => {
  test('201 with id, name, the key and its prefix; no other fields', async () => {
    const { apiKey } = await signUp(service.port)
    const answer = await postKey(service.port, apiKey, { name: 'Build server' })
    assert.equal(answer.status, 201)
    assertApiHeaders(answer)
    const created = answer.json() as { apiKey: string }
    assertFields(created, {
      id: UUID,
      name: 'Build server',
      apiKey: KEY,
      keyPrefix: created.apiKey.slice(0, 12),
    })
    assert.notEqual(created.apiKey, apiKey)
    assert.equal((await usage(service.port, withKey(created.apiKey))).status, 200)
  })

  const NAMELESS: Record<string, [string[], string]> = {
    'without a body': [[], ''],
    'with Content-Length: 0': [['Content-Length: 0'], ''],
    'with an empty body that is announced as JSON': [['Content-Type: application/json', 'Content-Length: 0'], ''],
    'with the type of JSON and nothing else': [['Content-Type: application/json'], ''],
    'with an empty chunked body': [['Content-Type: application/json', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    'with {}': [['Content-Type: application/json', 'Content-Length: 2'], '{}'],
  }
  for (const [how, [headerLines, body]] of Object.entries(NAMELESS)) {
    test(`201 and a default name ${how}`, async () => {
      const { apiKey } = await signUp(service.port)
      const bytes = rawRequest('POST /api/v1/keys', [`X-API-Key: ${apiKey}`, ...headerLines], body)
      const answer = await sendOne(service.port, bytes)
      assert.equal(answer.status, 201, answer.body)
      assert.equal((answer.json() as { name: string }).name, 'API key')
    })
  }

  const NAMES: Record<string, string> = {
    'one character': 'x',
    '100 characters': 'n'.repeat(100),
    '100 emoji': '🔑'.repeat(100),
    'a spreadsheet formula': '=HYPERLINK("http://evil.example","click")',
    'markup and quotes': `<script>alert('1')</script>" & \\`,
    SQL: `'); drop table api_keys; --`,
    'a format string': '%s %n {{7*7}} {0}',
    'other scripts': 'Сервер сборки 构建 سيرفر',
  }
  for (const [what, name] of Object.entries(NAMES)) {
    test(`201 with the name unchanged: ${what}`, async () => {
      const { apiKey } = await signUp(service.port)
      assert.equal((await createKey(service.port, apiKey, name)).name, name)
      assert.equal((await listKeys(service.port, apiKey)).at(-1)?.name, name)
    })
  }

  test('201 with the name trimmed and in NFC', async () => {
    const { apiKey } = await signUp(service.port)
    assert.equal((await createKey(service.port, apiKey, '  Cafe\u0301 ')).name, 'Café')
  })

  const REFUSED: Record<string, unknown> = {
    'the empty text': '',
    'only spaces': '   ',
    '101 characters': 'n'.repeat(101),
    '101 emoji': '🔑'.repeat(101),
    '10,000 characters': 'n'.repeat(10_000),
    'a line break': 'a\nb',
    'a zero byte': 'a\0b',
    'an escape sequence': '\u001b[31mred',
    'a C1 control': 'a\u009bb',
    'a right-to-left override': 'a\u202eb',
    'a bidirectional isolate': 'a\u2067b',
    'a right-to-left mark': 'a\u200fb',
    'a zero-width joiner': 'a\u200db',
    'a byte order mark': 'a\ufeffb',
    'a line separator': 'a\u2028b',
    'half of a surrogate pair': 'a\ud83db',
    'a number': 7,
    null: null,
    'a list': ['a'],
    'an object': { $ne: 1 },
  }
  for (const [what, name] of Object.entries(REFUSED)) {
    test(`400 naming the field, and no key, for a name that is ${what}`, async () => {
      const { apiKey } = await signUp(service.port)
      const problem = assertProblem(await postKey(service.port, apiKey, { name }), 400, 'invalid_request')
      assert.deepEqual([...new Set(fieldsOf(problem))], ['name'])
      assert.equal((await listKeys(service.port, apiKey)).length, 1)
    })
  }
})

describe('listing', () => {
  test('200 with exactly the documented fields, oldest first, without secrets', async () => {
    const { apiKey } = await signUp(service.port)
    const second = await createKey(service.port, apiKey, 'second')
    const answer = await request(service.port, 'GET', '/api/v1/keys', { headers: withKey(apiKey) })
    assert.equal(answer.status, 200)
    assertApiHeaders(answer)
    const shape = { id: UUID, status: 'active', createdAt: TIME }
    const shown = (key: string) => ({ keyPrefix: key.slice(0, 12), lastFour: key.slice(-4) })
    const [first, other, ...more] = answer.json() as unknown[]
    assert.deepEqual(more, [])
    assertFields(first, { ...shape, ...shown(apiKey), name: 'Default', lastUsedAt: TIME })
    assertFields(other, { ...shape, ...shown(second.apiKey), id: second.id, name: 'second', lastUsedAt: null })
    for (const secret of [apiKey, second.apiKey]) {
      assert.ok(!answer.body.includes(secret.slice(12, -4)), 'the secret part of a key is listed')
    }
  })

  test('200 with lastUsedAt null until a key is used, then the time of its last use', async () => {
    const { apiKey } = await signUp(service.port)
    const other = await createKey(service.port, apiKey)
    const lastUsedAt = async () => (await listKeys(service.port, apiKey)).at(-1)?.lastUsedAt
    assert.equal(await lastUsedAt(), null)
    const before = Date.now()
    await usage(service.port, withKey(other.apiKey))
    const used = await lastUsedAt()
    assert.ok(used && Date.parse(used) >= before && Date.parse(used) <= Date.now(), `${used}`)
    await sleep(5)
    await usage(service.port, withKey(other.apiKey))
    assert.ok((await lastUsedAt())! > used)
  })

  test('200 with the time of creation', async () => {
    const before = Date.now()
    const { apiKey } = await signUp(service.port)
    const [key] = await listKeys(service.port, apiKey)
    assert.ok(Date.parse(key!.createdAt) >= before - 1 && Date.parse(key!.createdAt) <= Date.now() + 1)
  })

  test('200 with the keys of this account only', async () => {
    const [ada, eve] = [await signUp(service.port), await signUp(service.port)]
    await createKey(service.port, eve.apiKey, 'of somebody else')
    assert.deepEqual(
      (await listKeys(service.port, ada.apiKey)).map(({ name }) => name),
      ['Default'],
    )
  })

  for (const query of ['limit=1000000000', 'page=-1', 'size=1e400', 'limit=1;drop', 'x', '__proto__=1']) {
    test(`400 for the query ${query}`, async () => {
      const { apiKey } = await signUp(service.port)
      const answer = await request(service.port, 'GET', `/api/v1/keys?${query}`, { headers: withKey(apiKey) })
      assertProblem(answer, 400, 'invalid_request')
    })
  }
})

describe('revoking', () => {
  test('204 without a body, then 401 for the key, which stays listed as revoked', async () => {
    const { apiKey } = await signUp(service.port)
    const doomed = await createKey(service.port, apiKey)
    const answer = await revokeKey(service.port, apiKey, doomed.id)
    assert.deepEqual([answer.status, answer.body], [204, ''])
    assertApiHeaders(answer)
    assertProblem(await usage(service.port, withKey(doomed.apiKey)), 401, 'unauthenticated')
    assert.deepEqual(
      (await listKeys(service.port, apiKey)).map(({ status }) => status),
      ['active', 'revoked'],
    )
  })

  test('204 once, then 404', async () => {
    const { apiKey } = await signUp(service.port)
    const { id } = await createKey(service.port, apiKey)
    const answers = await Promise.all(Array.from({ length: 10 }, () => revokeKey(service.port, apiKey, id)))
    assert.equal(answers.filter(({ status }) => status === 204).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 204)) assertProblem(answer, 404, 'not_found')
  })

  test('204 for the key of the request itself, which is then rejected', async () => {
    const { apiKey } = await signUp(service.port)
    const [own] = await listKeys(service.port, apiKey)
    assert.equal((await revokeKey(service.port, apiKey, own!.id)).status, 204)
    assertProblem(await revokeKey(service.port, apiKey, own!.id), 401, 'unauthenticated')
  })

  test('204 for an upper-case id', async () => {
    const { apiKey } = await signUp(service.port)
    const { id } = await createKey(service.port, apiKey)
    assert.equal((await revokeKey(service.port, apiKey, id.toUpperCase())).status, 204)
  })

  test("404 for another account's key, the same as for an unknown one; the key still works", async () => {
    const [ada, eve] = [await signUp(service.port), await signUp(service.port)]
    const [foreign] = await listKeys(service.port, eve.apiKey)
    const answers = [
      await revokeKey(service.port, ada.apiKey, foreign!.id),
      await revokeKey(service.port, ada.apiKey, UNKNOWN_ID),
    ]
    const [one, other] = answers.map((answer) => {
      const { requestId: _, ...rest } = assertProblem(answer, 404, 'not_found')
      return rest
    })
    assert.deepEqual(one, other)
    assert.deepEqual(Object.keys(answers[0]!.headers), Object.keys(answers[1]!.headers))
    assert.equal((await usage(service.port, withKey(eve.apiKey))).status, 200)
  })

  for (const id of [
    '7',
    'x'.repeat(36),
    `${UNKNOWN_ID}0`,
    `urn:uuid:${UNKNOWN_ID}`,
    'a'.repeat(5_000),
    '%00',
    'a%2Fb',
  ]) {
    test(`400 naming the field for the id ${id.slice(0, 50)}`, async () => {
      const { apiKey } = await signUp(service.port)
      const problem = assertProblem(await revokeKey(service.port, apiKey, id), 400, 'invalid_request')
      assert.deepEqual([...new Set(fieldsOf(problem))], ['id'])
    })
  }
})
