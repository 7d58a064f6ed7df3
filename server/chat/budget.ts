/** How many questions a day go to the language model: of one caller, and from everybody over all replicas. */
import { createHash } from 'node:crypto'
import { AppError } from '#base/errors.ts'

export interface Counts {
  /** Counts one more question of today, unless there were `max` already. */
  countBelow(max: number): Promise<{ day: string; requests: number } | null>
  giveBack(day: string): Promise<void>
  nowMs(): Promise<number>
}

const DAY_SECONDS = 86_400
/** Of the budget of a day: it takes several callers to use it up. */
export const CALLER_SHARE = 1 / 10

/** At least 1. */
export const secondsToMidnight = (nowMs: number): number => DAY_SECONDS - (Math.floor(nowMs / 1000) % DAY_SECONDS)

export interface Rate {
  name: string
  perSecond: number
  burst: number
}

/** All at once if one likes. None comes back within a day, and the next day has a bucket of its own. */
export function shareOf(perDay: number): Rate {
  return { name: 'chat-day', perSecond: 1 / DAY_SECONDS, burst: Math.ceil(perDay * CALLER_SHARE) }
}

const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10)

/** A bucket that is kept for a day must not tell whose it is. */
const bucketOf = (caller: string, nowMs: number): string =>
  createHash('sha256')
    .update(`${dayOf(nowMs)} ${caller}`)
    .digest('base64url')

export interface BudgetOptions {
  counts: Counts
  perDay: number
  throttle: (bucket: string, rate: Rate) => Promise<{ allowed: boolean }>
  giveBack: (bucket: string, rate: Rate) => Promise<void>
}

export interface Budget {
  /** Takes one from what each of the names may ask and from today's budget, or refuses. The result gives it back. */
  spend(callers: readonly string[]): Promise<() => Promise<void>>
  /** Whether the last question found that there is nothing left today. */
  isSpent(nowMs?: number): boolean
}

export function createBudget({ counts, perDay, throttle, giveBack }: BudgetOptions): Budget {
  const share = shareOf(perDay)
  let spentOn = ''

  /** From all of them, or from none. */
  async function takeShares(buckets: readonly string[]): Promise<boolean> {
    for (const [index, bucket] of buckets.entries()) {
      if ((await throttle(bucket, share)).allowed) continue
      await Promise.all(buckets.slice(0, index).map((taken) => giveBack(taken, share)))
      return false
    }
    return true
  }

  return {
    async spend(callers) {
      const nowMs = await counts.nowMs()
      const retryAfterSeconds = secondsToMidnight(nowMs)
      const buckets = callers.map((caller) => bucketOf(caller, nowMs))
      if (!(await takeShares(buckets))) {
        const detail = 'You have asked the assistant as much today as one caller may.'
        throw new AppError('rate_limited', detail, { retryAfterSeconds })
      }
      const returnShares = () => Promise.all(buckets.map((bucket) => giveBack(bucket, share)))
      const counted = await counts.countBelow(perDay)
      spentOn = counted !== null && counted.requests < perDay ? '' : dayOf(nowMs)
      if (counted !== null) {
        return async () => {
          spentOn = ''
          await Promise.all([returnShares(), counts.giveBack(counted.day)])
        }
      }
      await returnShares()
      const detail = 'The assistant has answered as many questions today as it may.'
      throw new AppError('chat_unavailable', detail, { retryAfterSeconds, isExpected: true })
    },
    isSpent: (nowMs = Date.now()) => spentOn === dayOf(nowMs),
  }
}
