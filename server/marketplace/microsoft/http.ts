/** HTTP calls to Microsoft with retries and a circuit breaker. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilAborted } from '#base/abort.ts'
import { createBreaker } from '#base/breaker.ts'
import type { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createConfiguredHttp, type OutboundRequest, type OutboundResponse } from '#base/outbound-http.ts'
import { invalidResponse, marketplaceUnavailable, RETRY_SECONDS } from '#marketplace/refusals.ts'

export const ATTEMPTS_MAX = 3
/** A longer `Retry-After` is passed on to our client instead of being waited for. */
export const RETRY_AFTER_MS_MAX = 3_000
const RETRY_AFTER_SECONDS_MAX = 3_600
/** Consecutive failures that open the breaker. A call makes up to three attempts. */
export const FAILURES_MAX = 10
export const RESPONSE_BYTES_MAX = 1_048_576

/** Tests that wait for outages use shorter times. */
export const TIMING = {
  attemptMs: 5_000,
  firstDelayMs: 300,
  /** Short, because a buyer is waiting. */
  breakerPauseMs: 5_000,
  /** For fetching the signing keys. */
  keysMs: 4_000,
}

export type Timing = typeof TIMING

export interface Call extends Omit<OutboundRequest, 'responseBytesMax'> {
  /** Names the step in the log. */
  name: string
}

export type HttpResponse = Pick<OutboundResponse, 'status' | 'headers' | 'body'>

export type Send = (call: Call) => Promise<HttpResponse>

/** Rejects at the deadline, while the shared work continues for other callers. */
export async function withinDeadline<T>(work: Promise<T>, deadline: AbortSignal, name: string): Promise<T> {
  return await untilAborted(deadline, work).catch((error) => {
    throw error === deadline.reason ? marketplaceUnavailable(new Error(`${name}: deadline exceeded`)) : error
  })
}

/** Parses `Retry-After`, which is a number of seconds or a date. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

/** The pause before the next attempt; null to give up. `random` (0 to 1) spreads clients that failed together. */
export function delayAfter(
  attempts: number,
  askedMs: number | null,
  random: number,
  firstDelayMs = TIMING.firstDelayMs,
): number | null {
  if (attempts >= ATTEMPTS_MAX) return null
  const delayMs = firstDelayMs * 2 ** (attempts - 1) * (0.5 + random / 2)
  if (askedMs === null) return delayMs
  return askedMs > RETRY_AFTER_MS_MAX ? null : Math.max(delayMs, askedMs)
}

const isRetryable = (status: number): boolean => status === 429 || status >= 500

function gaveUp(reason: string, askedMs: number | null): AppError {
  const seconds = Math.max(RETRY_SECONDS, Math.ceil((askedMs ?? 0) / 1000))
  return marketplaceUnavailable(new Error(reason), Math.min(seconds, RETRY_AFTER_SECONDS_MAX))
}

type Pause = (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>

export function createSend(url: string, log: Log, timing = TIMING, pause: Pause = sleep): Send {
  const http = createConfiguredHttp(url)
  const breaker = createBreaker({ failuresMax: FAILURES_MAX, pauseMs: timing.breakerPauseMs })

  /** Null if no usable response arrived. */
  async function attempt({ name, deadline: callDeadline, ...request }: Call): Promise<HttpResponse | null> {
    const { method, headers } = request
    const started = Date.now()
    const deadline = AbortSignal.any([callDeadline, AbortSignal.timeout(timing.attemptMs)])
    const outcome = await http.send({ ...request, deadline, responseBytesMax: RESPONSE_BYTES_MAX })
    const ids = { marketplaceRequestId: headers['x-ms-requestid'], correlationId: headers['x-ms-correlationid'] }
    const fields = { call: name, method, ms: Date.now() - started, ...ids }
    if (outcome.kind === 'answered') {
      log.info({ ...fields, status: outcome.status }, 'Called the marketplace')
      if (outcome.status >= 500) breaker.failed()
      else breaker.succeeded()
      return outcome
    }
    if (outcome.kind === 'invalid' && outcome.why !== 'not HTTP') {
      // The marketplace did respond, and a retry would not change the response.
      breaker.succeeded()
      throw invalidResponse(new Error(`The response is ${outcome.why}`))
    }
    breaker.failed()
    const reason = outcome.kind === 'late' ? 'No response in time' : `No response: ${outcome.why}`
    log.warn({ ...fields, err: new Error(reason) }, 'No response from the marketplace')
    return null
  }

  return async (call) => {
    for (let attempts = 1; ; attempts++) {
      if (breaker.waitMs() > 0) throw marketplaceUnavailable(new Error('The circuit breaker is open'))
      breaker.begin()
      const response = await attempt({ ...call, headers: { ...call.headers, 'x-ms-requestid': randomUUID() } })
      if (response !== null && !isRetryable(response.status)) return response
      const askedMs = retryAfterMs(response?.headers['retry-after'] ?? null, Date.now())
      const delayMs = delayAfter(attempts, askedMs, Math.random(), timing.firstDelayMs)
      if (delayMs === null || call.deadline.aborted)
        throw gaveUp(`${call.name}: ${response?.status ?? 'no response'} after ${attempts} attempts`, askedMs)
      await pause(delayMs, undefined, { signal: call.deadline }).catch((error) => {
        throw marketplaceUnavailable(error)
      })
    }
  }
}
