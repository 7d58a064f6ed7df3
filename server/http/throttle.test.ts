/** Rate limits: the same arithmetic in memory and in a real shared store. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createLog } from '#base/log.ts'
import { KEPT_MS_MAX, openRedis, type SharedBuckets } from '#storage/redis.ts'
import { type RedisServer, startRedis } from '#test/support/redis.ts'
import { needs } from '#test/support/suite.ts'
import { addressBlock } from './address.ts'
import {
  type Buckets,
  createGiveBack,
  createTakeLater,
  createThrottle,
  memoryBuckets,
  withFallback,
} from './throttle.ts'

const quiet = createLog({ level: 'silent' })
const rate = { name: 'scan', perSecond: 1, burst: 10 }
/** Long enough to be asked for on a busy machine. */
const REFILL_MS = 2_000

describe('in memory, with a fake clock', () => {
  let nowMs = 1_000
  const fresh = () => createThrottle(memoryBuckets(() => nowMs))

  test('a full burst passes, one more is refused with the time to wait', async () => {
    const take = fresh()
    for (let left = 9; left >= 0; left--) {
      const taken = await take('a', rate)
      assert.deepEqual([taken.allowed, taken.remaining], [true, left])
    }
    const refused = await take('a', rate)
    assert.deepEqual([refused.allowed, refused.remaining, refused.retryAfterSeconds], [false, 0, 1])
    assert.deepEqual(refused.headers, { 'ratelimit-policy': '"scan";q=10;w=10', ratelimit: '"scan";r=0;t=1' })
  })

  test('the next request passes exactly after the announced wait', async () => {
    const take = fresh()
    for (let i = 0; i < 10; i++) await take('a', rate)
    nowMs += 999
    assert.equal((await take('a', rate)).allowed, false)
    nowMs += 1
    assert.equal((await take('a', rate)).allowed, true)
    assert.equal((await take('a', rate)).allowed, false)
  })

  test('a refusal costs nothing, and a long pause restores the burst and no more', async () => {
    const take = fresh()
    for (let i = 0; i < 50; i++) await take('a', rate)
    nowMs += 3_600_000
    const passed = []
    for (let i = 0; i < 12; i++) passed.push((await take('a', rate)).allowed)
    assert.equal(passed.filter(Boolean).length, 10)
  })

  test('callers and policies have separate buckets', async () => {
    const take = fresh()
    for (let i = 0; i < 10; i++) await take('a', rate)
    assert.equal((await take('b', rate)).allowed, true)
    assert.equal((await take('a', { ...rate, name: 'other' })).allowed, true)
  })

  test('a slow rate announces a long wait', async () => {
    const take = fresh()
    const slow = { name: 'slow', perSecond: 1 / 60, burst: 1 }
    await take('a', slow)
    assert.equal((await take('a', slow)).retryAfterSeconds, 60)
  })

  test('memory is bounded: the least recently used callers are dropped', async () => {
    const buckets = memoryBuckets(() => nowMs)
    const allowed = async (caller: number) => (await buckets.take(`caller ${caller}`, 1_000, 1_000)).allowed
    for (let i = 0; i < 100_000; i++) assert.equal(await allowed(i), true)
    assert.equal(await allowed(99_999), false)
    assert.equal(await allowed(50_000), false)
    assert.equal(await allowed(49_999), true)
  })
})

describe('in a shared store', needs('redis'), () => {
  let redis: RedisServer
  let store: SharedBuckets
  before(async () => {
    redis = await startRedis()
    store = await openRedis(redis.url, quiet)
  })
  after(async () => {
    store.close()
    await redis.close()
  })

  test('gives the same results as memory', async () => {
    const [shared, local] = [createThrottle(store), createThrottle(memoryBuckets())]
    for (let i = 0; i < 12; i++) {
      const [one, other] = await Promise.all([shared('same', rate), local('same', rate)])
      assert.deepEqual([one.allowed, one.remaining], [other.allowed, other.remaining])
      assert.equal(one.headers['ratelimit-policy'], other.headers['ratelimit-policy'])
    }
  })

  test('admits exactly the burst when two clients race', async () => {
    const second = await openRedis(redis.url, quiet)
    const takes = [createThrottle(store), createThrottle(second)]
    const slow = { name: 'race', perSecond: 0.01, burst: 25 }
    const results = await Promise.all(Array.from({ length: 100 }, (_, i) => takes[i % 2]!('caller', slow)))
    assert.equal(results.filter((taken) => taken.allowed).length, 25)
    second.close()
  })

  test('a refund restores exactly one request, shared and in memory', async () => {
    const once = { name: 'once', perSecond: 0.001, burst: 1 }
    for (const buckets of [store, memoryBuckets()]) {
      const [take, giveBack] = [createThrottle(buckets), createGiveBack(buckets)]
      assert.equal((await take('caller', once)).allowed, true)
      assert.equal((await take('caller', once)).allowed, false)
      await giveBack('caller', once)
      await giveBack('caller', once)
      assert.equal((await take('caller', once)).allowed, true)
      assert.equal((await take('caller', once)).allowed, false)
    }
  })

  test('takes later even past the limit, and a peek takes nothing, shared and in memory', async () => {
    const slow = { name: 'later', perSecond: 0.001, burst: 2 }
    for (const buckets of [store, memoryBuckets()]) {
      const [take, takeLater] = [createThrottle(buckets), createTakeLater(buckets)]
      for (let i = 0; i < 5; i++) assert.equal((await take('caller', slow, true)).allowed, true)
      await takeLater('caller', slow)
      assert.equal((await take('caller', slow, true)).allowed, true, 'one is left')
      await takeLater('caller', slow, 2)
      const { allowed, remaining, retryAfterSeconds } = await take('caller', slow, true)
      assert.deepEqual([allowed, remaining, retryAfterSeconds], [false, 0, 2_000])
    }
  })

  test('expires a bucket after the maximum lifetime', async () => {
    const client = new Redis(redis.url)
    for (const ms of [KEPT_MS_MAX, KEPT_MS_MAX + 60_000]) {
      await store.take(`long ${ms}`, ms, ms)
      const leftMs = await client.pttl(`docvet:rate:long ${ms}`)
      assert.ok(leftMs > KEPT_MS_MAX - 30_000 && leftMs <= KEPT_MS_MAX, `kept for ${leftMs} ms`)
    }
    client.disconnect()
  })

  test('expires a bucket once it is full again', async () => {
    const client = new Redis(redis.url)
    await client.ping()
    await store.take('short', REFILL_MS, REFILL_MS * 20)
    const leftMs = await client.pttl('docvet:rate:short')
    assert.ok(leftMs > 0 && leftMs <= REFILL_MS, `kept for ${leftMs} ms`)
    while ((await client.exists('docvet:rate:short')) === 1) await sleep(50)
    client.disconnect()
  })
})

test('local limits apply while the shared store fails, and retries to it pause', async () => {
  let asked = 0
  const broken: Buckets = {
    take: async () => {
      asked++
      throw new Error('away')
    },
  }
  const take = createThrottle(withFallback(broken, memoryBuckets(), quiet))
  const passed = []
  for (let i = 0; i < 15; i++) passed.push((await take('a', rate)).allowed)
  assert.equal(passed.filter(Boolean).length, 10)
  assert.equal(asked, 1)
})

test('IP addresses: IPv4 as is, IPv6 by its /64, mapped IPv4 as IPv4', () => {
  assert.equal(addressBlock('192.0.2.7'), '192.0.2.7')
  assert.equal(addressBlock('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(addressBlock('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(addressBlock('2001:DB8:1:2::9'), '2001:db8:1:2::/64')
  assert.equal(addressBlock('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(addressBlock('::1'), '0:0:0:0::/64')
  assert.equal(addressBlock('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(addressBlock('::ffff:c000:207'), '192.0.2.7')
})

test('IP addresses from a proxy: the port is ignored, and an invalid address counts as the proxy', () => {
  assert.equal(addressBlock('192.0.2.7:50001', '10.0.0.1'), '192.0.2.7')
  assert.equal(addressBlock('[2001:db8:1:2::9]:50001', '10.0.0.1'), '2001:db8:1:2::/64')
  for (const odd of ['unknown', '_hidden1', '192.0.2.7.8', '192.0.2.7:x', '', undefined]) {
    assert.equal(addressBlock(odd, '10.0.0.1'), '10.0.0.1')
  }
  assert.equal(addressBlock(undefined), 'unknown')
})
