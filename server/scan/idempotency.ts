/** Idempotency-Key: a request that is sent again within a day gets the same answer and is charged once. */
import { hash } from 'node:crypto'
import { AppError, invalidField } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { openAnswerOf, openResponse } from './open-scans.ts'
import { IDEMPOTENCY_KEY_EXAMPLE, IDEMPOTENCY_KEY_FORM, IDEMPOTENCY_KEY_LENGTH_MAX, type ScanResult } from './schema.ts'
import type { Claim, ScanStore } from './store.ts'

export const REMEMBERED_MS = 24 * 60 * 60 * 1000
/** Longer than any upload and scan: an older claim is abandoned, even if its process is alive. */
const STALE_MS = 10 * 60 * 1000
const EXPIRE_EVERY_MS = 10 * 60 * 1000
const RETRY_SECONDS = 2
/** A scan that ended between two looks is found by the second. */
const CLAIMS_MAX = 3

type Header = string | string[] | undefined

/** A request under its Idempotency-Key. Disposed without `keep`, it gives the key up, so that a retry can use it. */
export interface IdempotentRequest extends AsyncDisposable {
  /** To be stored with the answer; null when the client sent no key. */
  claim: Claim | null
  /** The answer of an earlier request. Throws when that was for another document, or `StillOpen`. */
  replay: ((sha256: string) => ScanResult) | null
  /** The client was answered before the verdict. */
  accepted(answer: Parameters<typeof openResponse>[0]): void
  keep(): void
}

export type Idempotency = ReturnType<typeof createIdempotency>

const WITHOUT_KEY: IdempotentRequest = {
  claim: null,
  replay: null,
  accepted() {},
  keep() {},
  async [Symbol.asyncDispose]() {},
}

/** Of a scan whose client was answered, and whose answer the key has. */
export const acceptedRequest = (claim: Claim | null): IdempotentRequest => ({ ...WITHOUT_KEY, claim })

/** The document of an earlier request with this key was accepted, and its scan has not ended. */
export class StillOpen extends Error {
  readonly accepted: NonNullable<ReturnType<typeof openAnswerOf>>

  constructor(accepted: StillOpen['accepted']) {
    super('The scan has not ended')
    this.accepted = accepted
  }
}

const isValid = (header: Header): header is string =>
  typeof header === 'string' && header.length <= IDEMPOTENCY_KEY_LENGTH_MAX && IDEMPOTENCY_KEY_FORM.test(header)

/** Throws 400 for a malformed header. */
export function checkIdempotencyKey(header: Header): void {
  if (header === undefined || isValid(header)) return
  throw invalidField(
    'Idempotency-Key',
    `must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters without spaces, for example "${IDEMPOTENCY_KEY_EXAMPLE}"`,
  )
}

function replayOf(sha256: string, response: string): IdempotentRequest['replay'] {
  return (given) => {
    const open = openAnswerOf(response)
    if (given === sha256 && open !== null) throw new StillOpen(open)
    if (given === sha256) return JSON.parse(response) as ScanResult
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another document. Use a new one for each document.',
    )
  }
}

export function createIdempotency(store: ScanStore, log: Log) {
  const timer = setInterval(() => {
    store
      .deleteClaims(REMEMBERED_MS)
      .catch((error) => log.warn({ err: error }, 'Failed to delete expired idempotency keys'))
  }, EXPIRE_EVERY_MS)
  timer.unref()

  function hold(claim: Claim): IdempotentRequest {
    let kept = false
    let openAs: string | null = null
    return {
      claim,
      replay: null,
      accepted(answer) {
        openAs = openResponse(answer)
      },
      keep() {
        kept = true
      },
      async [Symbol.asyncDispose]() {
        if (kept) return
        await store
          .abandon(claim, openAs)
          .catch((error) => log.warn({ err: error }, 'Failed to release an idempotency key'))
      },
    }
  }

  /** Null if it names a scan that ended without a verdict; then the key can be claimed again. */
  async function standingAnswer(claim: Claim, found: Awaited<ReturnType<ScanStore['claim']>>) {
    if (found.state !== 'answered') return null
    const { sha256, response } = found
    const open = openAnswerOf(response)
    if (open === null || (await store.isUnfinished(open.scanId))) return replayOf(sha256, response)
    // If the answer was replaced meanwhile, nothing is forgotten.
    await store.forget(claim, response)
    return null
  }

  return {
    /** A malformed header claims nothing: other refusals come before the one of `checkIdempotencyKey`. */
    async begin(keyId: string, header: Header, identity?: string): Promise<IdempotentRequest> {
      if (!isValid(header)) return WITHOUT_KEY
      const claim = { keyId, hash: hash('sha256', header, 'hex'), id: newId(), identity }
      for (let tries = 0; tries < CLAIMS_MAX; tries++) {
        const found = await store.claim(claim, STALE_MS)
        if (found.state === 'ours') return hold(claim)
        if (found.state === 'running') break
        const replay = await standingAnswer(claim, found)
        if (replay) return { ...WITHOUT_KEY, replay }
      }
      throw new AppError(
        'request_in_progress',
        'A request with this Idempotency-Key is still in progress. Retry after the interval in `Retry-After`.',
        { retryAfterSeconds: RETRY_SECONDS },
      )
    },
    close: () => clearInterval(timer),
  }
}
