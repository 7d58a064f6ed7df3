/** Calls over HTTP that end in time: bounded, without redirects, tried again when that may help. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createBreaker } from '#base/breaker.ts'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createOutboundHttp, type OutboundRequest, type OutboundResponse } from '#base/outbound-http.ts'
import { AWAY_RETRY_SECONDS, marketplaceAway, marketplaceNonsense } from '#marketplace/refusals.ts'
import { delayAfter, retryAfterMs } from './backoff.ts'

const ATTEMPT_MS = 5_000
/** In a row, before it is left alone. A call makes up to three attempts. */
export const FAILURES_MAX = 10
/** Short, for a buyer waits. */
const PAUSE_MS = 5_000
/** Nobody is told to come back later than in an hour. */
const RETRY_SECONDS_MAX = 3_600
export const RESPONSE_BYTES_MAX = 1_048_576

export interface Call extends Omit<OutboundRequest, 'responseBytesMax'> {
  /** Names the step in the log. */
  name: string
}

export type WireAnswer = Pick<OutboundResponse, 'status' | 'headers' | 'body'>

export type Wire = (call: Call, perAttempt?: () => Record<string, string>) => Promise<WireAnswer>

/** Whoever waits for something that others wait for too gives up when his own time is over. */
export async function inTime<T>(work: Promise<T>, deadline: AbortSignal, name: string): Promise<T> {
  const over = Promise.withResolvers<never>()
  const end = () => over.reject(marketplaceAway(new Error(`${name}: it did not come in time`)))
  if (deadline.aborted) end()
  else deadline.addEventListener('abort', end, { once: true })
  return await Promise.race([work, over.promise])
}

const mayPass = (status: number): boolean => status === 429 || status >= 500

export function createWire(log: Log): Wire {
  const http = createOutboundHttp()
  const breaker = createBreaker({ failuresMax: FAILURES_MAX, pauseMs: PAUSE_MS })

  async function once({ name: _name, deadline, ...request }: Call): Promise<WireAnswer> {
    const attemptDeadline = AbortSignal.any([deadline, AbortSignal.timeout(ATTEMPT_MS)])
    const outcome = await http.send({ ...request, deadline: attemptDeadline, responseBytesMax: RESPONSE_BYTES_MAX })
    if (outcome.kind === 'answered') return outcome
    if (outcome.kind === 'late') throw new Error('No response in time')
    if (outcome.kind === 'broken' || outcome.why === 'not HTTP') throw new Error(`No response: ${outcome.why}`)
    // The marketplace did respond, and a retry would not change the response.
    throw marketplaceNonsense(new Error(`The response is ${outcome.why}`))
  }

  /** Null: it did not answer, or not in a way that counts. */
  async function attempt(call: Call, headers: Record<string, string>): Promise<WireAnswer | null> {
    const { name, method } = call
    const started = Date.now()
    const ids = { marketplaceRequestId: headers['x-ms-requestid'], correlationId: headers['x-ms-correlationid'] }
    try {
      const answer = await once({ ...call, headers })
      log.info(
        { call: name, method, status: answer.status, ms: Date.now() - started, ...ids },
        'Called the marketplace',
      )
      if (answer.status >= 500) breaker.failed()
      else breaker.succeeded()
      return answer
    } catch (error) {
      // It did answer, with something that asking again will not make better.
      if (error instanceof AppError) {
        breaker.succeeded()
        throw error
      }
      breaker.failed()
      log.warn({ call: name, method, err: error, ms: Date.now() - started, ...ids }, 'The marketplace did not answer')
      return null
    }
  }

  function giveUp({ name }: Call, attempts: number, answer: WireAnswer | null, askedMs: number | null): AppError {
    const seconds = Math.min(Math.max(AWAY_RETRY_SECONDS, Math.ceil((askedMs ?? 0) / 1000)), RETRY_SECONDS_MAX)
    return marketplaceAway(new Error(`${name}: ${answer?.status ?? 'no answer'} after ${attempts} attempts`), seconds)
  }

  function enter(): void {
    if (breaker.waitMs() > 0)
      throw marketplaceAway(new Error('It failed many times in a row and is left alone for a while'))
    breaker.begin()
  }

  return async (call, perAttempt = () => ({})) => {
    for (let attempts = 1; ; attempts++) {
      enter()
      const answer = await attempt(call, { ...call.headers, ...perAttempt() })
      if (answer !== null && !mayPass(answer.status)) return answer
      const askedMs = retryAfterMs(answer?.headers['retry-after'] ?? null, Date.now())
      const delayMs = delayAfter(attempts, askedMs, Math.random())
      if (delayMs === null || call.deadline.aborted) throw giveUp(call, attempts, answer, askedMs)
      await sleep(delayMs, undefined, { signal: call.deadline }).catch((error) => {
        throw marketplaceAway(error)
      })
    }
  }
}
