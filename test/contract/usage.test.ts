/** GET /api/v1/usage. */

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { assertFields, createKey, listKeys, signUp, usage, withKey } from '#test/support/client.ts'
import { assertApiHeaders, assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { openDatabaseOf, type Service, startService, temporaryFolder } from '#test/support/service.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

const FRESH = { plan: 'free', period: /^\d{4}-\d\d$/, scansUsed: 0, scansQuota: 500, scansRemaining: 500 }
const thisMonth = (): string => new Date().toISOString().slice(0, 7)

/** Writes usage directly; scans have their own tests. */
function setCounter(keyId: string, period: string, used: number, reserved: number): void {
  const database = openDatabaseOf(service)
  const insert = 'insert into usage_counters (key_id, period, used, reserved) values (?, ?, ?, ?)'
  database.prepare(insert).run(keyId, period, used, reserved)
  database.close()
}

describe('a new key', () => {
  test('200 with the plan, the UTC month and the whole quota; no other fields', async () => {
    const { apiKey } = await signUp(service.port)
    const before = thisMonth()
    const answer = await usage(service.port, withKey(apiKey))
    assert.equal(answer.status, 200)
    assertApiHeaders(answer)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assertFields(answer.json(), FRESH)
    assert.ok([before, thisMonth()].includes((answer.json() as { period: string }).period))
  })

  test('200 with the rate limit headers', async () => {
    const { apiKey } = await signUp(service.port)
    const { headers } = await usage(service.port, withKey(apiKey))
    assert.match(headers['ratelimit-policy'] ?? '', /^"key";q=1200;w=60$/)
    assert.match(headers.ratelimit ?? '', /^"key";r=1199;t=\d+$/)
  })

  test('200 with the quota and the plan of the plans file', async () => {
    const folder = temporaryFolder('plans')
    const file = path.join(folder, 'plans.json')
    const free = { scansPerMonth: 1_000_000_000, keysPerMonth: 2, scansPerSecond: 1, burst: 1 }
    writeFileSync(file, JSON.stringify({ free }))
    try {
      await using custom = await startService({ DOCVET_PLANS_FILE: file })
      const { apiKey } = await signUp(custom.port)
      const { scansPerMonth: quota } = free
      const answer = await usage(custom.port, withKey(apiKey))
      assertFields(answer.json(), { ...FRESH, scansQuota: quota, scansRemaining: quota })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a key that has scanned', () => {
  test('200 with the scans of this month, without reservations, other months or other keys', async () => {
    const { apiKey } = await signUp(service.port)
    const other = await createKey(service.port, apiKey)
    const [own] = await listKeys(service.port, apiKey)
    setCounter(own!.id, thisMonth(), 12, 3)
    setCounter(own!.id, '2020-01', 400, 0)
    setCounter(other.id, thisMonth(), 100, 0)
    const used = { ...FRESH, scansUsed: 12, scansRemaining: 488 }
    assertFields((await usage(service.port, withKey(apiKey))).json(), used)
    const usedByOther = { ...FRESH, scansUsed: 100, scansRemaining: 400 }
    assertFields((await usage(service.port, withKey(other.apiKey))).json(), usedByOther)
  })

  test('200 with zero remaining above the quota', async () => {
    const { apiKey } = await signUp(service.port)
    const [own] = await listKeys(service.port, apiKey)
    setCounter(own!.id, thisMonth(), 501, 0)
    const answer = await usage(service.port, withKey(apiKey))
    assertFields(answer.json(), { ...FRESH, scansUsed: 501, scansRemaining: 0 })
  })
})

describe('errors', () => {
  test('401 without a key', async () => {
    assertProblem(await usage(service.port, {}), 401, 'unauthenticated')
  })

  test('400 for a query', async () => {
    const { apiKey } = await signUp(service.port)
    const answer = await request(service.port, 'GET', '/api/v1/usage?period=2020-01', { headers: withKey(apiKey) })
    assertProblem(answer, 400, 'invalid_request')
  })
})
