/** How many questions a day go to the language model, from everybody and over all replicas. */
import { AppError } from '#base/errors.ts'

export interface Counts {
  countBelow(max: number): Promise<boolean>
  nowMs(): Promise<number>
}

const DAY_SECONDS = 86_400

/** At least 1. */
export const secondsToMidnight = (nowMs: number): number => DAY_SECONDS - (Math.floor(nowMs / 1000) % DAY_SECONDS)

/** Takes one from today's budget, or refuses until tomorrow. */
export function createBudget(counts: Counts, perDay: number): () => Promise<void> {
  return async () => {
    if (await counts.countBelow(perDay)) return
    throw new AppError('chat_unavailable', 'The assistant has answered as many questions today as it may.', {
      retryAfterSeconds: secondsToMidnight(await counts.nowMs()),
    })
  }
}
