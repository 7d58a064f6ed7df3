/** Messages about invalid fields: what is allowed, with an example, and never a pattern. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asPage, signUpPerson } from '#test/support/auth-client.ts'
import { signUp, UNKNOWN_ID, withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form } from '#test/support/scanning.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let headers: Record<string, string>
before(async () => {
  service = await startService()
  headers = withKey((await signUp(service.port)).apiKey)
})
after(() => service[Symbol.asyncDispose]())

const SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f'
const ID = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'
const MONTH = 'must be a month, for example "2026-11"'
const HASH = `must be a SHA-256 in hexadecimal, for example "${SHA256}"`
const TIME = 'must be a date or date-time, for example'

const CASES: [line: string, field: string, message: string][] = [
  ['GET /api/v1/usage/november', 'period', MONTH],
  ['GET /api/v1/usage/2026-13', 'period', MONTH],
  ['GET /api/v1/allowed/abc', 'sha256', HASH],
  ['GET /api/v1/scans?sha256=abc', 'sha256', HASH],
  ['GET /api/v1/scans/1', 'scanId', `must be a UUID, for example "${ID}"`],
  ['DELETE /api/v1/keys/1', 'id', `must be a UUID, for example "${ID}"`],
  ['GET /api/v1/scans?keyId=1', 'keyId', `must be a UUID, for example "${ID}"`],
  ['GET /api/v1/scans?from=yesterday', 'from', `${TIME} "2026-11-01T00:00:00Z"`],
  ['GET /api/v1/scans?from=2026-02-30', 'from', `${TIME} "2026-11-01T00:00:00Z"`],
  ['GET /api/v1/scans?to=1.12.2026', 'to', `${TIME} "2026-12-01T00:00:00Z"`],
  ['GET /api/v1/scans?limit=many', 'limit', 'must be an integer, for example 20'],
  ['GET /api/v1/scans?limit=0', 'limit', 'must be at least 1'],
  ['GET /api/v1/scans?limit=101', 'limit', 'must be at most 100'],
  ['GET /api/v1/scans?limit=1&limit=2', 'limit', 'must be an integer, for example 20'],
  ['GET /api/v1/scans?status=bad', 'status', 'must be "clean", "infected" or "refused"'],
  [
    'GET /api/v1/scans?page=2',
    'page',
    'is not a recognised field; allowed: `limit`, `cursor`, `status`, `state`, `keyId`, `from`, `to`, `threat`, `name`, `sha256`',
  ],
  ['GET /api/v1/usage?page=2', 'page', 'is not a recognised field'],
  ['GET /api/v1/scans?cursor=x', 'cursor', 'must be the `nextCursor` of an earlier response'],
  // PostgreSQL cannot store or search such a text.
  ['GET /api/v1/scans?threat=a%00', 'threat', 'must be text without null characters, for example "Docvet.Test.Eicar"'],
  ['GET /api/v1/scans?name=a%00', 'name', 'must be text without null characters, for example "invoice"'],
]
for (const [line, field, message] of CASES) {
  test(`400 for ${line}`, async () => {
    const [method = '', target = ''] = line.split(' ')
    const answer = await request(service.port, method, target, { headers })
    const { detail, errors } = assertProblem(answer, 400, 'invalid_request')
    assert.deepEqual(errors, [{ field, message }])
    assert.equal(detail, `Invalid request: \`${field}\` ${message}.`)
  })
}

test('400 for fields of a body, a header and a form in the same style', async () => {
  const { cookie } = await signUpPerson(service.port)
  const cases: [Promise<Parameters<typeof assertProblem>[0]>, string][] = [
    [
      request(service.port, 'POST', '/api/v1/signup', { body: { email: 'ada' } }),
      '`email` must be an e-mail address, for example "ada@example.com"',
    ],
    [request(service.port, 'POST', '/api/v1/signup', { body: {} }), '`email` is required'],
    [
      request(service.port, 'POST', '/api/v1/keys', { headers, body: { name: '' } }),
      '`name` must have at least 1 character',
    ],
    [
      request(service.port, 'PUT', `/api/v1/allowed/${SHA256}`, { headers, body: { note: 'a\0' } }),
      '`note` must be text without null characters, for example "Template of the accounting department"',
    ],
    [
      request(service.port, 'POST', '/api/v1/webhooks', {
        headers,
        body: { url: 'https://hooks.example.com/', description: 'a\0' },
      }),
      '`description` must be text without null characters, for example "Upload service"',
    ],
    [
      asPage(service.port, cookie, 'PATCH', `/api/v1/auth/passkeys/items/${UNKNOWN_ID}`, { name: 'a\0' }),
      '`name` must be text without null characters, for example "Laptop"',
    ],
    [
      request(service.port, 'POST', '/api/v1/scan', {
        headers: { ...headers, 'content-type': FORM_TYPE, 'idempotency-key': 'a b' },
        body: form(filePart('x')),
      }),
      '`Idempotency-Key` must be 1 to 255 visible ASCII characters without spaces, for example "8e03978e-40d5-43dd-bc93-6894a57f9324"',
    ],
  ]
  for (const [answer, expected] of cases)
    assert.equal(assertProblem(await answer, 400, 'invalid_request').detail, `Invalid request: ${expected}.`)
})

const today = (): string => new Date().toISOString().slice(0, 10)

test('200 for a date where a date-time is allowed', async () => {
  for (const [query, count] of [
    ['from=2026-01-01', 1],
    ['to=2026-01-01', 0],
    ['from=2026-01-01&to=2999-12-31', 1],
    // A day as the end is included, a moment is not.
    [`to=${today()}`, 1],
    [`to=${today()}T00:00:00Z`, 0],
    ['from=2026-01-01T00:00:00Z', 1],
    ['from=2026-01-01T00:00:00.5%2B01:00', 1],
    ['from=2999-12-31', 0],
  ] as const) {
    if (count === 1 && query === 'from=2026-01-01')
      await request(service.port, 'POST', '/api/v1/scan', {
        headers: { ...headers, 'content-type': FORM_TYPE },
        body: form(filePart('Dear reader')),
      })
    const answer = await request(service.port, 'GET', `/api/v1/scans?${query}`, { headers })
    assert.equal(answer.status, 200, answer.body)
    assert.equal((answer.json() as { items: object[] }).items.length, count, query)
  }
  assert.equal((await request(service.port, 'GET', `/api/v1/scans?keyId=${UNKNOWN_ID}`, { headers })).status, 200)
})
