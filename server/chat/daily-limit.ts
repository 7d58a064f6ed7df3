/** Limits the questions a day that are sent to the language model: in total over all replicas, and per caller. */
import { hash } from 'node:crypto'
import { AppError } from '#base/errors.ts'
import type { ChatStore } from './store.ts'

const DAY_SECONDS = 86_400
/** Share of the daily limit for one caller, so that one cannot use up all of it. */
export const CALLER_SHARE = 1 / 10

/** At least 1. */
export const secondsToMidnight = (nowMs: number): number => DAY_SECONDS - (Math.floor(nowMs / 1000) % DAY_SECONDS)

/** A bucket that practically does not refill; each day has its own. */
export function shareOf(perDay: number) {
  return { name: 'chat-day', perSecond: 1 / DAY_SECONDS, burst: Math.ceil(perDay * CALLER_SHARE) }
}

type Rate = ReturnType<typeof shareOf>

const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10)

/** Hashed, because a bucket that lives for a day must not identify the caller. */
const bucketOf = (caller: string, nowMs: number): string => hash('sha256', `${dayOf(nowMs)} ${caller}`, 'base64url')

interface DailyLimitOptions {
  counts: ChatStore
  perDay: number
  throttle: (bucket: string, rate: Rate) => Promise<{ allowed: boolean }>
  giveBack: (bucket: string, rate: Rate) => Promise<void>
}

export type DailyLimit = ReturnType<typeof createDailyLimit>

export function createDailyLimit({ counts, perDay, throttle, giveBack }: DailyLimitOptions) {
  const share = shareOf(perDay)
  let reachedOn = ''

  /** Takes from all buckets or from none. */
  async function takeShares(buckets: readonly string[]): Promise<boolean> {
    for (const [index, bucket] of buckets.entries()) {
      if ((await throttle(bucket, share)).allowed) continue
      await Promise.all(buckets.slice(0, index).map((taken) => giveBack(taken, share)))
      return false
    }
    return true
  }

  return {
    /** Counts one question for every caller name and for the day, or throws. The result undoes the count. */
    async take(callers: readonly string[]): Promise<() => Promise<void>> {
      const nowMs = await counts.nowMs()
      const retryAfterSeconds = secondsToMidnight(nowMs)
      const buckets = callers.map((caller) => bucketOf(caller, nowMs))
      if (!(await takeShares(buckets))) {
        const detail = `You have reached the daily limit of ${share.burst} questions to the assistant. Try again tomorrow (UTC).`
        throw new AppError('rate_limited', detail, { retryAfterSeconds })
      }
      const returnShares = () => Promise.all(buckets.map((bucket) => giveBack(bucket, share)))
      const counted = await counts.countBelow(perDay)
      reachedOn = counted !== null && counted.requests < perDay ? '' : dayOf(nowMs)
      if (counted !== null) {
        return async () => {
          reachedOn = ''
          await Promise.all([returnShares(), counts.giveBack(counted.day)])
        }
      }
      await returnShares()
      const detail = 'The assistant has reached its daily limit of questions. Try again tomorrow (UTC).'
      throw new AppError('chat_unavailable', detail, { retryAfterSeconds, isExpected: true })
    },
    /** Whether the last question used up or exceeded the limit of the day. */
    isReached: (nowMs = Date.now()): boolean => reachedOn === dayOf(nowMs),
  }
}
