/** One clamd: what an exchange with it means for the document, and what it says about this clamd. */
import type { Outcome } from '#engines/engine.ts'
import type { ClamdAddress } from './address.ts'
import { type Document, sendDocument } from './client.ts'
import { outcomeOf } from './outcome.ts'
import type { Proof } from './proof.ts'

const FAILURES_MAX = 5

export interface Attempt {
  outcome: Outcome
  /** Another clamd may do better. */
  retry: boolean
  /** This clamd had the document, or a part of it. */
  handedOver: boolean
}

/** A document on its way to us. */
export interface Upload {
  /** Nothing more will come. */
  isWhole: boolean
}

export interface Daemon {
  address: ClamdAddress
  proof: Proof
  /** Documents that it is scanning for us; kept by whoever hands out its slots. */
  holders: Set<Upload>
  /** It failed and has not been proven since: others are preferred. */
  readonly suspect: boolean
  scan(document: Document, signal: AbortSignal): Promise<Attempt>
}

export function createDaemon(address: ClamdAddress, proof: Proof, now: () => number): Daemon {
  /** In a row. */
  let failures = 0
  let failedAt = Number.NEGATIVE_INFINITY

  function fail(detail: string): void {
    failures++
    failedAt = now()
    // The circuit opens; test files, not documents, find out whether it may close again.
    if (failures % FAILURES_MAX === 0) {
      const notice = `failed ${FAILURES_MAX} scans in a row`
      proof.revoke({ notice, detail: `${notice}, at last: ${detail}` })
    } else proof.doubt()
  }

  /** Someone who hangs up while clamd works must not count as its failure, only a deadline does. */
  function late(waiting: boolean, signal: AbortSignal): void {
    if (!waiting) return
    if (isTimeout(signal.reason)) fail('no answer before the deadline')
    else proof.doubt()
  }

  return {
    address,
    proof,
    holders: new Set(),
    get suspect() {
      return failedAt > proof.provenAt
    },
    async scan(document, signal) {
      const exchange = await sendDocument(address, document, signal)
      const outcome = outcomeOf(exchange)
      if (exchange.kind === 'aborted') late(exchange.waiting, signal)
      else if (exchange.kind !== 'withdrawn') {
        if (outcome.kind === 'failed') fail(outcome.detail)
        else {
          failures = 0
          proof.noteAnswer()
        }
      }
      const retry = outcome.kind === 'failed' && (exchange.kind === 'answered' || exchange.kind === 'unanswered')
      return { outcome, retry, handedOver: exchange.kind !== 'unanswered' || exchange.connected }
    },
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}
