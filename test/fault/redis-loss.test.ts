/** Redis is lost and restored: requests keep working and stay limited. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RedisServer, startRedis } from '#test/support/redis.ts'
import { type Service, startService } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

const LIMIT = 30

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

  /** Sends requests to the replicas in turn, and counts the responses by status. */
  async function ask(count: number, path: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (let i = 0; i < count; i++) {
      const { status } = await fetch(`${replicas[i % 2]?.url}${path}`)
      counts[status] = (counts[status] ?? 0) + 1
    }
    return counts
  }

  test('two replicas share one limit', async () => {
    const counts = await ask(LIMIT + 10, '/openapi.json')
    // A few more pass as the bucket drains, one every two seconds.
    assert.ok((counts[200] ?? 0) >= LIMIT && (counts[200] ?? 0) <= LIMIT + 3, JSON.stringify(counts))
    assert.ok((counts[429] ?? 0) >= 7, JSON.stringify(counts))
  })

  for (const [how, lose, regain] of [
    ['stopped', () => redis.stop(), () => redis.start()],
    ['frozen', async () => redis.freeze(), async () => redis.thaw()],
  ] as const) {
    test(`${how}: each replica applies its own limits`, async () => {
      await lose()
      const path = how === 'stopped' ? '/docs' : '/problems'
      const counts = await ask(2 * LIMIT + 10, path)
      assert.deepEqual(Object.keys(counts).sort(), ['200', '429'], JSON.stringify(counts))
      assert.ok((counts[200] ?? 0) >= 2 * LIMIT && (counts[200] ?? 0) <= 2 * LIMIT + 6, JSON.stringify(counts))
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
