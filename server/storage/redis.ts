/** Rate-limit buckets in Redis or Valkey, shared by all replicas. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Log } from '#base/log.ts'
import type { Buckets } from '#http/throttle.ts'

const CONNECT_TIMEOUT_MS = 2_000
/** A slower response is worse than a local limit. */
const COMMAND_TIMEOUT_MS = 500
const RECONNECT_MS_MAX = 1_000

/** Daily buckets have the day in their name, so that two days are enough. */
export const KEPT_MS_MAX = 172_800_000

/** Uses the server's clock, so that replicas with different clocks agree. Times in milliseconds. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2])
local ahead = math.max(0, tonumber(redis.call('GET', KEYS[1]) or '0') - now)
if ahead + interval > tolerance then return { 0, string.format('%.3f', ahead) } end
ahead = math.max(0, ahead + interval)
local kept = math.max(1, math.min(math.ceil(ahead), ${KEPT_MS_MAX}))
redis.call('SET', KEYS[1], string.format('%.3f', now + ahead), 'PX', kept)
return { 1, string.format('%.3f', ahead) }
`

interface WithTake {
  docvetTake(key: string, intervalMs: number, toleranceMs: number): Promise<unknown>
}

export interface SharedBuckets extends Buckets {
  close(): void
}

/** Resolves when the server responds, or after a timeout: the service works without it. */
export async function openRedis(url: string, log: Log): Promise<SharedBuckets> {
  const client = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    // While disconnected, commands fail at once instead of queueing.
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MS_MAX),
  })
  // Without a listener a lost connection would end the process. `withFallback` logs the outage once.
  client.on('error', (error) => log.debug({ err: error }, 'Redis connection error'))
  await Promise.race([once(client, 'ready').catch(() => {}), sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })])
  client.defineCommand('docvetTake', { numberOfKeys: 1, lua: TAKE })
  return {
    async take(bucket, intervalMs, toleranceMs) {
      const reply = await (client as unknown as WithTake).docvetTake(`docvet:rate:${bucket}`, intervalMs, toleranceMs)
      const [allowed, ahead] = Array.isArray(reply) ? reply : []
      const aheadMs = Number.parseFloat(String(ahead))
      if ((allowed !== 0 && allowed !== 1) || !Number.isFinite(aheadMs)) {
        throw new Error('Invalid response from Redis')
      }
      return { allowed: allowed === 1, aheadMs }
    },
    close: () => client.disconnect(),
  }
}
