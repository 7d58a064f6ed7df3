/** The order of refusals of a scan (401, 429, 402, 415, 413, 400), and its limits. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { EICAR, nested } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { createKey, rawRequest, sendOne, UNKNOWN_KEY } from '#test/support/client.ts'
import { assertProblem, fieldsOf } from '#test/support/problem.ts'
import type { RawResponse } from '#test/support/raw-http.ts'
import {
  assertClean,
  assertInfected,
  FILE_BYTES_MAX,
  FORM_TYPE,
  filePart,
  form,
  type ScanService,
  startScanService,
} from '#test/support/scanning.ts'

const QUOTA = 2
/** The quota, one request past it, and one more. */
const BURST = 4

let tight: ScanService
before(async () => {
  tight = await startScanService({ plan: { scansPerMonth: QUOTA, scansPerSecond: 0.001, burst: BURST } })
})
after(() => tight[Symbol.asyncDispose]())

interface Faults {
  key?: string
  type?: string
  length?: number
  body?: Buffer
  query?: string
}

/** With a `length` no body is sent, because the headers are refused. */
async function post(faults: Faults): Promise<RawResponse> {
  const { key, type = FORM_TYPE, length, body = form(filePart('x')), query = '' } = faults
  const lines = [`Content-Type: ${type}`, `Content-Length: ${length ?? body.length}`]
  if (key) lines.push(`X-API-Key: ${key}`)
  const bytes = rawRequest(`POST /api/v1/scan${query}`, lines, length === undefined ? body : '')
  return (await sendOne(tight.port, bytes, 10_000)) as RawResponse
}

const BAD_TYPE = { type: 'application/json' }
/** Requests that Fastify's own parsers would reject. */
const NO_TYPE = { type: 'foo' }
const TWO_TYPES = { type: `${FORM_TYPE}, text/plain` }
const QUERY = { query: '?a=1' }
const TOO_LONG = { length: FILE_BYTES_MAX + 1_000_000 }
const NO_FILE = { body: form() }
const NO_BOUNDARY = { type: 'multipart/form-data' }

const FAULTS: Record<string, Faults> = { BAD_TYPE, NO_TYPE, TWO_TYPES, TOO_LONG, NO_FILE, NO_BOUNDARY, QUERY }

/** A key with an exhausted quota, within its rate limit. */
async function exhausted(): Promise<string> {
  const key = await tight.newKey()
  for (let i = 0; i < QUOTA; i++) assertClean(await tight.scan(key, 'Good morning'))
  return key
}

/** A key past its rate limit and its quota. */
async function throttled(): Promise<string> {
  const key = await exhausted()
  for (let i = QUOTA; i < BURST; i++) assertProblem(await tight.scan(key, 'x'), 402, 'quota_exhausted')
  return key
}

describe('order of refusal', () => {
  for (const [what, fault] of Object.entries(FAULTS)) {
    test(`401 before ${what}`, async () => {
      for (const key of [undefined, 'dv_live_nonsense', UNKNOWN_KEY]) {
        assertProblem(await post({ ...fault, ...(key && { key }) }), 401, 'unauthenticated')
      }
    })
    test(`402 before ${what}`, async () => {
      const key = await exhausted()
      assertProblem(await post({ ...fault, key }), 402, 'quota_exhausted')
    })
  }
  test('429 before 402 and everything after it', async () => {
    const key = await throttled()
    for (const fault of [{}, ...Object.values(FAULTS)]) {
      assertProblem(await post({ ...fault, key }), 429, 'rate_limited')
    }
  })
  test('415 before 413', async () => {
    const key = await tight.newKey()
    assertProblem(await post({ ...BAD_TYPE, ...TOO_LONG, key }), 415, 'unsupported_content_type')
  })
  test('415 before 400', async () => {
    const key = await tight.newKey()
    for (const fault of [NO_FILE, QUERY]) {
      assertProblem(await post({ ...BAD_TYPE, ...fault, key }), 415, 'unsupported_content_type')
    }
  })
  test('415 names the accepted type for any other Content-Type', async () => {
    const key = await tight.newKey()
    for (const fault of [BAD_TYPE, NO_TYPE, { type: 'text/plain, text/plain' }]) {
      const { detail } = assertProblem(await post({ ...fault, key }), 415, 'unsupported_content_type')
      assert.match(detail, /multipart\/form-data/)
    }
    assertProblem(await post({ ...TWO_TYPES, key: await tight.newKey() }), 400, 'malformed_multipart')
  })
  test('400 for a query names it, after 413', async () => {
    const key = await tight.newKey()
    assert.deepEqual(fieldsOf(assertProblem(await post({ ...QUERY, key }), 400, 'invalid_request')), ['a'])
    assertProblem(await post({ ...QUERY, ...TOO_LONG, key }), 413, 'file_too_large')
    assert.equal(await tight.used(key), 0)
  })
  test('413 before 400', async () => {
    const key = await tight.newKey()
    assertProblem(await post({ ...NO_BOUNDARY, ...TOO_LONG, key }), 413, 'file_too_large')
  })
  test('400 before the 415 of the document', async () => {
    const key = await tight.newKey()
    const body = filePart('', { type: 'video/mp4', name: 'wrong' })
    assertProblem(await post({ body: form(body), key }), 400, 'missing_file')
  })
  test('402, 415, 413 and 400 before the refusal of an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'not good' }
    assertProblem(await tight.scan(await exhausted(), 'x', { headers }), 402, 'quota_exhausted')
    const key = await tight.newKey()
    const wrong = { headers: { ...headers, 'content-type': 'application/json' } }
    assertProblem(await tight.scan(key, 'x', wrong), 415, 'unsupported_content_type')
  })
})

describe('limits', () => {
  test('200 carries RateLimit and RateLimit-Policy, which count down', async () => {
    const key = await tight.newKey()
    const first = await tight.scan(key, 'one')
    const second = await tight.scan(key, 'two')
    for (const [answer, left] of [[first, BURST - 1] as const, [second, BURST - 2] as const]) {
      assertClean(answer)
      assert.match(answer.headers['ratelimit-policy'] ?? '', new RegExp(`^"scan";q=${BURST};w=\\d+$`))
      assert.match(answer.headers.ratelimit ?? '', new RegExp(`^"scan";r=${left};t=\\d+$`))
    }
  })

  test('402 at the quota, with Retry-After to the end of the month, and RateLimit', async () => {
    const key = await exhausted()
    const now = new Date()
    const answer = await tight.scan(key, 'x')
    assertProblem(answer, 402, 'quota_exhausted')
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
    const seconds = Number(answer.headers['retry-after'])
    const secondsTo = (at: number) => (end - at) / 1_000
    assert.ok(seconds >= secondsTo(Date.now()) - 1 && seconds <= secondsTo(now.getTime()) + 1, `${seconds}`)
    assert.ok(answer.headers.ratelimit && answer.headers['ratelimit-policy'])
    assert.equal(await tight.used(key), QUOTA)
  })

  test('another key of the account has its own quota and rate', async () => {
    const { apiKey } = await createKey(tight.port, await throttled())
    assertClean(await tight.scan(apiKey, 'x'))
    assert.equal(await tight.used(apiKey), 1)
  })

  test('429 with Retry-After, RateLimit and RateLimit-Policy; nothing is charged', async () => {
    const key = await throttled()
    const answer = await tight.scan(key, 'x')
    assertProblem(answer, 429, 'rate_limited')
    assert.match(answer.headers.ratelimit ?? '', /^"scan";r=0;t=\d+$/)
    assert.equal(await tight.used(key), QUOTA)
  })

  test('429 when the keys of an account together sent as many refused documents as one key may send', async () => {
    const first = await tight.newKey()
    const [second, third] = [await createKey(tight.port, first), await createKey(tight.port, first)]
    const encrypted = writeZip([{ ...TEXT, local: { flags: 1 }, central: { flags: 1 } }])
    for (const key of [first, second.apiKey]) {
      assertProblem(await tight.scan(key, encrypted), 422, 'encrypted_document')
      assertProblem(await tight.scan(key, 'x', { type: 'image/png' }), 415, 'unsupported_content_type')
    }
    const answer = await tight.scan(third.apiKey, 'Good morning')
    assert.match(assertProblem(answer, 429, 'rate_limited').detail, /^Too many refused documents of this account/)
    assert.match(answer.headers['ratelimit-policy'] ?? '', new RegExp(`^"refused";q=${BURST};`))
    assert.ok(Number(answer.headers['retry-after']) >= 1)
    assertClean(await tight.scan(await tight.newKey(), 'Good morning'))
    assert.equal(await tight.used(first), 0)
  })

  test('concurrent requests never get more verdicts than the quota', async () => {
    const key = await tight.newKey()
    const answers = await Promise.all(Array.from({ length: BURST }, (_, i) => tight.scan(key, `number ${i}`)))
    assert.equal(answers.filter(({ status }) => status === 200).length, QUOTA)
    for (const answer of answers.filter(({ status }) => status !== 200)) assertProblem(answer, 402, 'quota_exhausted')
    assert.equal(await tight.used(key), QUOTA)
  })
})

const TEXT = { name: 'a.txt', data: 'Good morning' }
const UNSCANNABLE: [string, Buffer, string][] = [
  ['encrypted', writeZip([{ ...TEXT, local: { flags: 1 }, central: { flags: 1 } }]), 'Docvet.Unscannable.Encrypted'],
  ['too complex', nested('Good morning', 17), 'Docvet.Unscannable.TooComplex'],
  ['damaged', writeZip([TEXT], { withoutEnd: true }), 'Docvet.Unscannable.Damaged'],
]

for (const policy of ['infected', 'clean'] as const) {
  test(`DOCVET_UNSCANNABLE=${policy}, and strict: a charged verdict instead of 422`, async () => {
    const env = { DOCVET_UNSCANNABLE: policy, DOCVET_SENSITIVITY: 'strict' }
    await using service = await startScanService({ ...env, plan: {} })
    const key = await service.newKey()
    for (const [what, content, threat] of UNSCANNABLE) {
      const answer = await service.scan(key, content)
      if (policy === 'infected') assertInfected(answer, threat)
      else assert.equal(assertClean(answer).status, 'clean', what)
    }
    assert.equal(await service.used(key), UNSCANNABLE.length)
    assertClean(await service.scan(key, 'Good morning'))
    assertInfected(await service.scan(key, EICAR), 'Docvet.Test.Eicar')
    const warned = service.stdoutLines().some((line) => line.includes('DOCVET_UNSCANNABLE'))
    assert.equal(warned, policy === 'clean')
  })
}
