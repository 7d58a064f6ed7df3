/** Calls the language model within its limits: circuit breaker, concurrent calls, daily limit. */
import type { Breaker } from '#base/breaker.ts'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createSemaphore } from '#base/semaphore.ts'
import type { DailyLimit } from './daily-limit.ts'
import type { Prompt } from './prompt.ts'
import type { Completion, Upstream } from './upstream.ts'

/** Concurrent calls of this process to the language model. */
const CALLS_MAX = 16
/** Lower than the total, so that one caller cannot block all others. */
export const CALLS_PER_CALLER_MAX = 3
const CALLS_RETRY_SECONDS = 5
const UNREACHABLE_RETRY_SECONDS = 10
const ABANDONED_RETRY_SECONDS = 5
/** A client that disconnects after a longer wait counts as a failure of the model. */
export const PATIENCE_MS = 5_000

const UNREACHABLE = 'The language model of the assistant cannot be reached. Retry later.'

export interface Asking {
  requestId: string
  /** Names that the limits count under: an address, and an account if the request has a credential. */
  callers: readonly string[]
  /** Aborted when the client disconnects. */
  gone?: AbortSignal
}

export const unusable = (why: string): AppError =>
  new AppError('upstream_error', 'The assistant returned no usable answer. Retry, or rephrase the question.', {
    cause: new Error(`Invalid response of the language model: ${why}`),
  })

/** With a cause it is logged as an error for the operator. */
export const unavailable = (detail: string, retryAfterSeconds: number, cause?: Error): AppError =>
  new AppError('chat_unavailable', detail, { retryAfterSeconds, cause, isExpected: cause === undefined })

function tooManyCalls(by: 'total' | 'key'): AppError {
  if (by === 'total') return unavailable('The assistant is at capacity. Retry shortly.', CALLS_RETRY_SECONDS)
  const detail = `You have ${CALLS_PER_CALLER_MAX} questions in progress. Wait for one of the answers.`
  return new AppError('rate_limited', detail, { retryAfterSeconds: CALLS_RETRY_SECONDS })
}

/** The upstream rejects our credential or is broken, so the next call would fail too. */
const isDown = (status: number | null): boolean =>
  status !== null && (status === 401 || status === 403 || status >= 500)

/** Whether the model may have worked on the question, which then counts toward the daily limit. */
function mayHaveWorked(completion: Completion): boolean {
  if (completion.kind === 'failed') return completion.status === null || completion.status < 400
  return completion.kind !== 'unreachable' || completion.didWork
}

function report(breaker: Breaker, completion: Completion): void {
  if (completion.kind === 'unreachable' || (completion.kind === 'failed' && isDown(completion.status))) {
    breaker.failed()
  } else if (completion.kind !== 'abandoned') breaker.succeeded()
  else if (completion.silentMs > PATIENCE_MS) breaker.failed()
}

type Answered = Extract<Completion, { kind: 'answered' }>

function answeredOf(completion: Completion): Answered {
  switch (completion.kind) {
    case 'abandoned':
      throw unavailable('The client disconnected before the answer was ready.', ABANDONED_RETRY_SECONDS)
    case 'unreachable': {
      const cause = new Error(`The language model cannot be reached: ${completion.why}`)
      throw unavailable(UNREACHABLE, UNREACHABLE_RETRY_SECONDS, cause)
    }
    case 'failed':
      throw unusable(completion.why)
    case 'answered':
      return completion
  }
}

export function createModelCall({ breaker, dailyLimit, log }: { breaker: Breaker; dailyLimit: DailyLimit; log: Log }) {
  const calls = createSemaphore({ runningMax: CALLS_MAX, perKeyMax: CALLS_PER_CALLER_MAX, refusal: tooManyCalls })

  async function call(upstream: Upstream, prompt: Prompt, { requestId, callers, gone }: Asking): Promise<Answered> {
    const isProbe = breaker.open
    breaker.begin()
    try {
      const giveBack = await dailyLimit.take(callers)
      const completion = await upstream.complete(prompt.messages, { log: log.child({ requestId }), gone })
      report(breaker, completion)
      if (completion.kind === 'abandoned') log.info({ requestId, outcome: 'abandoned' }, 'Chat client disconnected')
      if (!mayHaveWorked(completion))
        await giveBack().catch((err) => log.warn({ requestId, err }, 'Failed to return a question to the daily limit'))
      return answeredOf(completion)
    } finally {
      // A probe without a result must not keep the next one from trying.
      if (isProbe) breaker.cancelled()
    }
  }

  return async (upstream: Upstream, prompt: Prompt, asking: Asking): Promise<Answered> => {
    const waitMs = breaker.waitMs()
    if (waitMs > 0) throw unavailable(UNREACHABLE, Math.ceil(waitMs / 1000))
    // Starts synchronously, so that only one call probes an open breaker.
    return await calls.run(() => call(upstream, prompt, asking), { keys: asking.callers })
  }
}
