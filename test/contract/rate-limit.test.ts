/** Rate limits per client address and per key, also behind proxies. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey, rawRequest, sendOne, signUp, usage, withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { startRedis } from '#test/support/redis.ts'
import { type Service, startService } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

/** Always 400 within the limit, so that no request creates anything. */
const knock = (port: number, forwarded?: string): Promise<Answer> => {
  const lines = ['Content-Type: application/json', 'Content-Length: 2']
  if (forwarded !== undefined) lines.push(`X-Forwarded-For: ${forwarded}`, 'X-Forwarded-Proto: https')
  return sendOne(port, rawRequest('POST /api/v1/signup', lines, '{}'))
}

async function statuses(asked: Promise<Answer>[]): Promise<number[]> {
  return (await Promise.all(asked)).map(({ status }) => status)
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

async function knockOneByOne(port: number, addresses: (string | undefined)[]): Promise<number[]> {
  const found: number[] = []
  for (const address of addresses) found.push((await knock(port, address)).status)
  return found
}

describe('one address with five requests per minute', () => {
  let service: Service
  before(async () => {
    service = await startService({ DOCVET_ADDRESS_RATE_PER_MINUTE: '5' })
  })
  after(() => service[Symbol.asyncDispose]())

  test('429 for the sixth, with Retry-After and the limit', async () => {
    for (let left = 4; left >= 0; left--) {
      const { status, headers } = await knock(service.port)
      assert.equal(status, 400)
      assert.equal(headers['ratelimit-policy'], '"address";q=5;w=60')
      assert.match(headers.ratelimit ?? '', new RegExp(`^"address";r=${left};t=\\d+$`))
      assert.equal(headers['retry-after'], undefined)
    }
    const refused = await knock(service.port)
    const { detail } = assertProblem(refused, 429, 'rate_limited')
    const seconds = Number(refused.headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 12, `${seconds}`)
    assert.match(detail, new RegExp(`\\b${seconds} s\\b`))
    assert.match(refused.headers.ratelimit ?? '', /^"address";r=0;t=\d+$/)
  })

  test('429 before the body is read', async () => {
    await Promise.all(times(6, () => knock(service.port)))
    const lines = ['Content-Type: text/plain', 'Content-Length: 70000']
    assertProblem(await sendOne(service.port, rawRequest('POST /api/v1/signup', lines)), 429, 'rate_limited')
  })

  test('429 regardless of X-Forwarded-For without trusted proxies', async () => {
    await Promise.all(times(6, () => knock(service.port)))
    for (const forwarded of ['203.0.113.7', '203.0.113.8, 127.0.0.1', '::1', 'nonsense']) {
      assertProblem(await knock(service.port, forwarded), 429, 'rate_limited')
    }
  })

  test('each endpoint has its own limit, which does not apply to keys and probes', async () => {
    await Promise.all(times(6, () => knock(service.port)))
    assert.equal((await request(service.port, 'GET', '/docs')).status, 200)
    assert.deepEqual([...new Set(await statuses(times(20, () => request(service.port, 'GET', '/livez'))))], [200])
    assertProblem(await usage(service.port, {}), 401, 'unauthenticated')
  })
})

test('a request passes after Retry-After', async () => {
  await using service = await startService({ DOCVET_ADDRESS_RATE_PER_MINUTE: '120' })
  const answers = await Promise.all(times(200, () => knock(service.port)))
  const refused = answers.find(({ status }) => status === 429)
  assertProblem(refused, 429, 'rate_limited')
  assert.equal(refused?.headers['retry-after'], '1')
  await sleep(1_000)
  assert.equal((await knock(service.port)).status, 400)
})

describe('behind a trusted proxy', () => {
  let service: Service
  before(async () => {
    service = await startService({
      DOCVET_ADDRESS_RATE_PER_MINUTE: '2',
      DOCVET_TRUSTED_PROXIES: '127.0.0.1, 198.51.100.0/24',
    })
  })
  after(() => service[Symbol.asyncDispose]())

  test('each client has its own limit', async () => {
    const addresses = ['203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.2', '203.0.113.2', '203.0.113.2']
    assert.deepEqual(await knockOneByOne(service.port, addresses), [400, 400, 429, 400, 400, 429])
  })

  test('only entries of trusted proxies count, so that a client cannot choose its address', async () => {
    const addresses = ['1.1.1.1, 203.0.113.3', '2.2.2.2, 203.0.113.3', '203.0.113.4, 203.0.113.3']
    assert.deepEqual(await knockOneByOne(service.port, addresses), [400, 400, 429])
  })

  test('a chain of trusted proxies is followed to the client', async () => {
    const addresses = ['203.0.113.5, 198.51.100.1', '203.0.113.5, 198.51.100.2', '203.0.113.5', '203.0.113.6']
    assert.deepEqual(await knockOneByOne(service.port, addresses), [400, 400, 429, 400])
  })

  test('an IPv6 client has one limit for its /64', async () => {
    const addresses = ['2001:db8::1', '2001:db8::2:3', '2001:db8:0:0:9::', '2001:db8:0:1::1']
    assert.deepEqual(await knockOneByOne(service.port, addresses), [400, 400, 429, 400])
  })

  test('an IPv4-mapped address is the same client', async () => {
    const addresses = ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:203.0.113.9', '::ffff:203.0.113.10']
    assert.deepEqual(await knockOneByOne(service.port, addresses), [400, 400, 429, 400])
  })

  test('forwarded host and scheme are ignored', async () => {
    const lines = ['X-Forwarded-For: 203.0.113.11', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: gopher']
    const answer = await sendOne(service.port, rawRequest('GET /nowhere', lines))
    assert.equal(assertProblem(answer, 404, 'not_found').type, `${service.url}/problems/not_found`)
  })
})

describe('one key with five requests per minute', () => {
  let service: Service
  before(async () => {
    service = await startService({ DOCVET_KEY_RATE_PER_MINUTE: '5' })
  })
  after(() => service[Symbol.asyncDispose]())

  test('429 for the sixth, with Retry-After and the limit', async () => {
    const { apiKey } = await signUp(service.port)
    for (let left = 4; left >= 0; left--) {
      const { status, headers } = await usage(service.port, withKey(apiKey))
      assert.equal(status, 200)
      assert.equal(headers['ratelimit-policy'], '"key";q=5;w=60')
      assert.match(headers.ratelimit ?? '', new RegExp(`^"key";r=${left};t=\\d+$`))
    }
    const refused = await usage(service.port, withKey(apiKey))
    assertProblem(refused, 429, 'rate_limited')
    const seconds = Number(refused.headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 12, `${seconds}`)
  })

  test('endpoints and credential headers share the limit of a key; another key has its own', async () => {
    const { apiKey } = await signUp(service.port)
    const other = await createKey(service.port, apiKey)
    const list = (headers: Record<string, string>) => request(service.port, 'GET', '/api/v1/keys', { headers })
    const asked = [usage(service.port, withKey(apiKey)), list(withKey(apiKey)), list(withKey(apiKey))]
    asked.push(usage(service.port, { authorization: `Bearer ${apiKey}` }))
    assert.deepEqual(await statuses(asked), [200, 200, 200, 200])
    assertProblem(await list({ authorization: `Bearer ${apiKey}` }), 429, 'rate_limited')
    assert.equal((await usage(service.port, withKey(other.apiKey))).status, 200)
  })

  test('401 instead of 429 for an invalid key', async () => {
    const asked = times(20, () => usage(service.port, withKey('dv_live_nonsense')))
    assert.deepEqual([...new Set(await statuses(asked))], [401])
  })
})

describe('two processes', needs('redis'), () => {
  test('share one limit through Redis', async () => {
    await using redis = await startRedis()
    const env = { DOCVET_REDIS_URL: redis.url, DOCVET_ADDRESS_RATE_PER_MINUTE: '6' }
    await using one = await startService(env)
    await using other = await startService(env)
    const answers = await statuses(times(20, (i) => knock(i % 2 ? one.port : other.port)))
    assert.equal(answers.filter((status) => status === 400).length, 6)
    assert.equal(answers.filter((status) => status === 429).length, 14)
  })

  test('have separate limits without Redis', async () => {
    const env = { DOCVET_ADDRESS_RATE_PER_MINUTE: '6' }
    await using one = await startService(env)
    await using other = await startService(env)
    const answers = await statuses(times(20, (i) => knock(i % 2 ? one.port : other.port)))
    assert.equal(answers.filter((status) => status === 400).length, 12)
  })
})
