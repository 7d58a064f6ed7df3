/** Redis or Valkey: the buckets that replicas share. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Log } from '#base/log.ts'

const CONNECT_TIMEOUT_MS = 2_000
/** A limiter that is slower than this is worse than a local one. */
const COMMAND_TIMEOUT_MS = 500
const RECONNECT_MS_MAX = 1_000

/** What counts by day has the day in its name, and nobody asks for it after two. */
export const KEPT_MS_MAX = 172_800_000

/** One round trip, on the clock of the store, so that replicas with different clocks agree. Times in milliseconds. */
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

export interface SharedStore {
  take(bucket: string, intervalMs: number, toleranceMs: number): Promise<{ allowed: boolean; aheadMs: number }>
  close(): void
}

/** Resolves when the store answers, or after a while without it: the service can do without. */
export async function openRedis(url: string, log: Log): Promise<SharedStore> {
  const client = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    // While it is away, a command fails at once instead of waiting in line.
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MS_MAX),
  })
  // Without a listener a lost connection would end the process. The limiter tells of the loss once; this is detail.
  client.on('error', (error) => log.debug({ err: error }, 'Redis connection error'))
  await Promise.race([once(client, 'ready').catch(() => {}), sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })])
  client.defineCommand('docvetTake', { numberOfKeys: 1, lua: TAKE })
  return {
    async take(bucket, intervalMs, toleranceMs) {
      const reply = await (client as unknown as WithTake).docvetTake(`docvet:rate:${bucket}`, intervalMs, toleranceMs)
      const [allowed, ahead] = Array.isArray(reply) ? reply : []
      const aheadMs = Number.parseFloat(String(ahead))
      if ((allowed !== 0 && allowed !== 1) || !Number.isFinite(aheadMs)) {
        throw new Error('The shared store gave an answer that is not ours')
      }
      return { allowed: allowed === 1, aheadMs }
    },
    close: () => client.disconnect(),
  }
}
