/** One clamd: scans a document, and judges by the exchange whether this clamd can still be trusted. */
import { failed } from '#engines/engine.ts'
import { OUT_OF_SPACE } from './canaries.ts'
import { type Chunks, sendDocument } from './client.ts'
import type { ClamdEndpoint } from './endpoint.ts'
import type { Monitor } from './monitor.ts'
import { isOutOfSpace, outcomeOf } from './reply.ts'

const FAILURES_MAX = 5

export type Daemon = ReturnType<typeof createDaemon>

export function createDaemon(endpoint: ClamdEndpoint, monitor: Monitor, now: () => number) {
  /** In a row. */
  let failures = 0
  let failedAt = Number.NEGATIVE_INFINITY
  let outOfSpaceAt = Number.NEGATIVE_INFINITY

  function fail(detail: string, isOutOfSpace: boolean): void {
    failures++
    failedAt = now()
    // At once, because its next OK may be wrong.
    if (isOutOfSpace) {
      outOfSpaceAt = failedAt
      monitor.suspend({ notice: OUT_OF_SPACE, detail: `${OUT_OF_SPACE} (${detail})` })
      return
    }
    // Unlike with a usual circuit breaker, canaries and not documents decide whether the circuit closes again.
    if (failures % FAILURES_MAX === 0) {
      const notice = `failed ${FAILURES_MAX} scans in a row`
      monitor.suspend({ notice, detail: `${notice}, most recently: ${detail}` })
    } else monitor.checkSoon()
  }

  /** Only a deadline counts as a failure of clamd, not a client that disconnects while clamd works. */
  function noteAbort(isWaiting: boolean, signal: AbortSignal): void {
    if (!isWaiting) return
    if (signal.reason instanceof Error && signal.reason.name === 'TimeoutError')
      fail('no answer before the deadline', false)
    else monitor.checkSoon()
  }

  return {
    endpoint,
    monitor,
    /** The number of documents that it is scanning; maintained by the balancer. */
    busy: 0,
    /** It failed and has not passed a check since: others are preferred. */
    get suspect() {
      return failedAt > monitor.passedAt()
    },
    async scan(chunks: Chunks, signal: AbortSignal) {
      const startedAt = now()
      const exchange = await sendDocument(endpoint, chunks, signal)
      const answered = outcomeOf(exchange)
      const isDoubtful = answered.kind === 'clean' && outOfSpaceAt >= startedAt
      const outcome = isDoubtful ? failed('clamd answered OK, but it had no space for temporary files') : answered
      if (exchange.kind === 'aborted') noteAbort(exchange.waiting, signal)
      else if (exchange.kind !== 'withdrawn') {
        if (outcome.kind === 'failed') fail(outcome.detail, isOutOfSpace(outcome))
        else {
          failures = 0
          monitor.noteAnswer()
        }
      }
      return {
        outcome,
        /** Another clamd may succeed. */
        retry: outcome.kind === 'failed' && (exchange.kind === 'answered' || exchange.kind === 'unanswered'),
        /** This clamd received the document, or a part of it. */
        handedOver: exchange.kind !== 'unanswered' || exchange.connected,
      }
    },
  }
}
