/** Rate limits: one leaky bucket per caller, kept in memory, or in a store that the replicas share. */
import type { Log } from '#base/log.ts'

export interface Rate {
  /** The name of the policy, as the client sees it. */
  name: string
  perSecond: number
  burst: number
}

export interface Taken {
  allowed: boolean
  /** How many more requests could follow at once. */
  remaining: number
  retryAfterSeconds: number
  headers: { 'ratelimit-policy': string; ratelimit: string }
}

/**
 * The generic cell rate algorithm. A bucket is one number: how far ahead of now the next free moment lies. Each request
 * moves it `intervalMs` further; one that would move it past `toleranceMs` is refused and moves nothing. A negative
 * interval moves it back.
 */
export interface Buckets {
  take(bucket: string, intervalMs: number, toleranceMs: number): Promise<{ allowed: boolean; aheadMs: number }>
}

/** An attacker with many addresses must not fill the memory. */
const BUCKETS_MAX = 100_000

export function memoryBuckets(now: () => number = () => performance.now()): Buckets {
  // Two generations: when the recent one is full it becomes the older, and what was older and unused goes.
  let recent = new Map<string, number>()
  let older = new Map<string, number>()

  return {
    async take(bucket, intervalMs, toleranceMs) {
      const nowMs = now()
      const freeAt = recent.get(bucket) ?? older.get(bucket) ?? 0
      const aheadMs = Math.max(0, freeAt - nowMs)
      if (aheadMs + intervalMs > toleranceMs) return { allowed: false, aheadMs }
      recent.set(bucket, nowMs + Math.max(0, aheadMs + intervalMs))
      if (recent.size >= BUCKETS_MAX / 2) {
        older = recent
        recent = new Map()
      }
      return { allowed: true, aheadMs: Math.max(0, aheadMs + intervalMs) }
    },
  }
}

/** After a failure of the shared store, how long to leave it alone. */
const SHARED_PAUSE_MS = 1_000

/** The shared buckets while they answer, and local ones otherwise: a lost store must not mean no limit. */
export function withFallback(shared: Buckets, local: Buckets, log: Log): Buckets {
  let pausedUntil = 0
  let lost = false
  return {
    async take(bucket, intervalMs, toleranceMs) {
      if (performance.now() < pausedUntil) return local.take(bucket, intervalMs, toleranceMs)
      try {
        const taken = await shared.take(bucket, intervalMs, toleranceMs)
        if (lost) log.info('The shared rate limits are back')
        lost = false
        return taken
      } catch (error) {
        if (!lost) log.warn({ err: error }, 'The shared rate limits are lost; each replica limits by itself meanwhile')
        lost = true
        pausedUntil = performance.now() + SHARED_PAUSE_MS
        return local.take(bucket, intervalMs, toleranceMs)
      }
    },
  }
}

export type Throttle = (caller: string, rate: Rate) => Promise<Taken>

export function createThrottle(buckets: Buckets): Throttle {
  return async (caller, { name, perSecond, burst }) => {
    const intervalMs = 1000 / perSecond
    const toleranceMs = intervalMs * burst
    const { allowed, aheadMs } = await buckets.take(`${name}:${caller}`, intervalMs, toleranceMs)
    const retryAfterSeconds = Math.max(1, Math.ceil((aheadMs + intervalMs - toleranceMs) / 1000))
    const remaining = Math.max(0, Math.floor((toleranceMs - aheadMs) / intervalMs + 1e-9))
    return {
      allowed,
      remaining,
      retryAfterSeconds,
      headers: {
        'ratelimit-policy': `"${name}";q=${burst};w=${Math.ceil(toleranceMs / 1000)}`,
        // When all of it is back; for who was refused, when he may come again: two answers to that would be one too many.
        ratelimit: `"${name}";r=${remaining};t=${allowed ? Math.ceil(aheadMs / 1000) : retryAfterSeconds}`,
      },
    }
  }
}

/** Gives back one that was taken, as if it had never been asked for. */
export function createGiveBack(buckets: Buckets): (caller: string, rate: Rate) => Promise<void> {
  return async (caller, { name, perSecond }) => {
    await buckets.take(`${name}:${caller}`, -1000 / perSecond, Number.MAX_SAFE_INTEGER)
  }
}
