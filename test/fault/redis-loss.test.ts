/** Redis is lost and restored: requests keep working and stay limited. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RedisServer, startRedis } from '#test/support/redis.ts'
import { type Service, startService } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

const LIMIT = 30
const DRAIN_MS = 60_000 / LIMIT

describe('shared rate limits', needs('redis'), () => {
  let redis: RedisServer
  let replicas: [Service, Service]

  before(async () => {
    redis = await startRedis()
    const env = { DOCVET_REDIS_URL: redis.url, DOCVET_ADDRESS_RATE_PER_MINUTE: String(LIMIT) }
    replicas = await Promise.all([startService(env), startService(env)])
  })
  after(async () => {
    for (const replica of replicas) {
      assert.equal((await replica.stop()).code, 0, replica.output())
      await replica[Symbol.asyncDispose]()
    }
    await redis.close()
  })

  /** Sends requests to the replicas in turn, and counts the responses by status. A few more pass as a bucket drains meanwhile. */
  async function ask(count: number, path: string): Promise<{ counts: Record<string, number>; drained: number }> {
    const counts: Record<string, number> = {}
    const startedAt = performance.now()
    for (let i = 0; i < count; i++) {
      const { status } = await fetch(`${replicas[i % 2]?.url}${path}`)
      counts[status] = (counts[status] ?? 0) + 1
    }
    return { counts, drained: Math.ceil((performance.now() - startedAt) / DRAIN_MS) }
  }

  test('two replicas share one limit', async () => {
    const { counts, drained } = await ask(LIMIT + 10, '/openapi.json')
    assert.deepEqual(Object.keys(counts).sort(), ['200', '429'], JSON.stringify(counts))
    assert.ok((counts[200] ?? 0) >= LIMIT && (counts[200] ?? 0) <= LIMIT + drained, JSON.stringify(counts))
  })

  for (const [how, lose, regain] of [
    ['stopped', () => redis.stop(), () => redis.start()],
    ['frozen', async () => redis.freeze(), async () => redis.thaw()],
  ] as const) {
    test(`${how}: each replica applies its own limits`, async () => {
      await lose()
      const path = how === 'stopped' ? '/docs' : '/problems'
      const { counts, drained } = await ask(2 * LIMIT + 10, path)
      assert.deepEqual(Object.keys(counts).sort(), ['200', '429'], JSON.stringify(counts))
      assert.ok((counts[200] ?? 0) >= 2 * LIMIT && (counts[200] ?? 0) <= 2 * (LIMIT + drained), JSON.stringify(counts))
      await regain()
      await sleep(2_500)
      for (const replica of replicas) {
        await fetch(`${replica.url}/openapi.json`)
        await sleep(300)
        assert.match(replica.output(), /Shared rate limits unavailable/)
        assert.match(replica.output(), /Shared rate limits restored/)
      }
    })
  }
})
