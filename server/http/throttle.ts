/** Rate limits: one leaky bucket per caller, in memory or in a store shared by the replicas. */
import type { Log } from '#base/log.ts'

export interface Rate {
  /** The policy name in the response headers. */
  name: string
  perSecond: number
  burst: number
}

/**
 * The generic cell rate algorithm. A bucket is one number: how far its next free time is ahead of now. Each request adds
 * `intervalMs`; one that would exceed `toleranceMs` is refused and adds nothing. A negative interval refunds a request.
 */
export interface Buckets {
  take(bucket: string, intervalMs: number, toleranceMs: number): Promise<{ allowed: boolean; aheadMs: number }>
}

/** Bounds memory against an attacker with many IP addresses. */
const BUCKETS_MAX = 100_000

export function memoryBuckets(now: () => number = () => performance.now()): Buckets {
  // Two generations: a full recent map replaces the older one, which drops buckets not used since.
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

const SHARED_PAUSE_MS = 1_000

/** Falls back to local buckets, so that an outage of the shared store does not lift the limits. */
export function withFallback(shared: Buckets, local: Buckets, log: Log, onFallback = () => {}): Buckets {
  let pausedUntil = 0
  let lost = false
  return {
    async take(bucket, intervalMs, toleranceMs) {
      if (performance.now() < pausedUntil) {
        onFallback()
        return local.take(bucket, intervalMs, toleranceMs)
      }
      try {
        const taken = await shared.take(bucket, intervalMs, toleranceMs)
        if (lost) log.info('Shared rate limits restored')
        lost = false
        return taken
      } catch (error) {
        if (!lost) log.warn({ err: error }, 'Shared rate limits unavailable; each replica limits on its own')
        lost = true
        onFallback()
        pausedUntil = performance.now() + SHARED_PAUSE_MS
        return local.take(bucket, intervalMs, toleranceMs)
      }
    },
  }
}

export type Throttle = ReturnType<typeof createThrottle>

/** Takes from the caller's bucket, or with `peek` only tells whether it could. */
export function createThrottle(buckets: Buckets) {
  return async (caller: string, { name, perSecond, burst }: Rate, peek = false) => {
    const intervalMs = 1000 / perSecond
    const toleranceMs = intervalMs * burst
    const bucket = `${name}:${caller}`
    const { allowed, aheadMs } = peek
      ? await buckets.take(bucket, 0, toleranceMs - intervalMs)
      : await buckets.take(bucket, intervalMs, toleranceMs)
    const retryAfterSeconds = Math.max(1, Math.ceil((aheadMs + intervalMs - toleranceMs) / 1000))
    const remaining = Math.max(0, Math.floor((toleranceMs - aheadMs) / intervalMs + 1e-9))
    return {
      allowed,
      remaining,
      retryAfterSeconds,
      headers: {
        'ratelimit-policy': `"${name}";q=${burst};w=${Math.ceil(toleranceMs / 1000)}`,
        // Seconds until retry when refused, otherwise until the bucket is full.
        ratelimit: `"${name}";r=${remaining};t=${allowed ? Math.ceil(aheadMs / 1000) : retryAfterSeconds}`,
      },
    }
  }
}

/** Takes from the bucket even if it is exhausted, or gives back: for what is known only after the request. */
function createCorrection(buckets: Buckets, sign: 1 | -1) {
  return async (caller: string, { name, perSecond }: Rate, count = 1): Promise<void> => {
    await buckets.take(`${name}:${caller}`, (sign * count * 1000) / perSecond, Number.MAX_SAFE_INTEGER)
  }
}

export const createGiveBack = (buckets: Buckets) => createCorrection(buckets, -1)
export const createTakeLater = (buckets: Buckets) => createCorrection(buckets, 1)
