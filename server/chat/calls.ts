/** How many questions wait for the language model at once, in this process: of everybody, and of one caller. */
import { AppError } from '#base/errors.ts'

export const CALLS_MAX = 16
/** So that it takes several to keep everybody else out. */
export const CALLS_OF_ONE_MAX = 3
const RETRY_SECONDS = 5

/** `callers` are the names under which one and the same is counted: an address, and an account if it shows one. */
export function createCalls() {
  const counts = new Map<string, number>()
  let all = 0

  return {
    /** Counts one more, or refuses. To be called again at its end, once. */
    begin(callers: readonly string[]): () => void {
      if (callers.some((caller) => (counts.get(caller) ?? 0) >= CALLS_OF_ONE_MAX)) {
        const detail = `You have ${CALLS_OF_ONE_MAX} questions under way. Wait for one of the answers.`
        throw new AppError('rate_limited', detail, { retryAfterSeconds: RETRY_SECONDS })
      }
      if (all >= CALLS_MAX) {
        const detail = 'The assistant is answering many questions already.'
        throw new AppError('chat_unavailable', detail, { retryAfterSeconds: RETRY_SECONDS, isExpected: true })
      }
      all++
      for (const caller of callers) counts.set(caller, (counts.get(caller) ?? 0) + 1)
      return () => {
        all--
        for (const caller of callers) {
          const left = (counts.get(caller) ?? 1) - 1
          if (left > 0) counts.set(caller, left)
          else counts.delete(caller)
        }
      }
    },
  }
}
