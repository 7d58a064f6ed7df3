/** How many questions a day go to the language model: of one caller, and from everybody over all replicas. */
import { AppError } from '#base/errors.ts'

export interface Counts {
  countBelow(max: number): Promise<boolean>
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

/** All at once if one likes; after that they come back evenly over the day. */
export function shareOf(perDay: number): Rate {
  const share = Math.ceil(perDay * CALLER_SHARE)
  return { name: 'chat-day', perSecond: share / DAY_SECONDS, burst: share }
}

export interface BudgetOptions {
  counts: Counts
  perDay: number
  throttle: (caller: string, rate: Rate) => Promise<{ allowed: boolean; retryAfterSeconds: number }>
}

/** Takes one from what each of the names may ask and from today's budget, or refuses. */
export function createBudget({ counts, perDay, throttle }: BudgetOptions) {
  const share = shareOf(perDay)
  return async (callers: readonly string[]): Promise<void> => {
    for (const caller of callers) {
      const { allowed, retryAfterSeconds } = await throttle(caller, share)
      if (allowed) continue
      const detail = 'You have asked the assistant as much today as one caller may.'
      throw new AppError('rate_limited', detail, { retryAfterSeconds })
    }
    if (await counts.countBelow(perDay)) return
    throw new AppError('chat_unavailable', 'The assistant has answered as many questions today as it may.', {
      retryAfterSeconds: secondsToMidnight(await counts.nowMs()),
    })
  }
}
