/** Idempotency-Key: the same request sent twice gets the same answer and is charged once, for a day. */
import { hash } from 'node:crypto'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { IDEMPOTENCY_KEY_FORM, IDEMPOTENCY_KEY_LENGTH_MAX, type ScanResult } from './schema.ts'
import type { Claim, ScanStore } from './store.ts'

export const REMEMBERED_MS = 24 * 60 * 60 * 1000
/** Longer than an upload and its scan may take: nobody works on a claim this old, whatever its process does. */
const STALE_MS = 10 * 60 * 1000
const FORGET_EVERY_MS = 10 * 60 * 1000
const RETRY_SECONDS = 2

/** What an earlier request was told; for the same document only. */
export interface Answer {
  for(sha256: string): ScanResult
}

export interface Claimed extends AsyncDisposable {
  /** What must be settled with the charge; null when the client sent no Idempotency-Key. */
  ours: Claim | null
  /** An earlier request was answered. */
  answer: Answer | null
  /** The answer is recorded: the claim stays. */
  keep(): void
}

export interface Claims {
  /** Refuses a header that is not as it must be. A refusal of its own, because others come before it. */
  check(header: string | string[] | undefined): void
  /** One that is not as it must be claims nothing. */
  begin(keyId: string, header: string | string[] | undefined): Promise<Claimed>
  close(): void
}

const NO_CLAIM: Claimed = { ours: null, answer: null, keep() {}, async [Symbol.asyncDispose]() {} }

const isKey = (header: string | string[] | undefined): header is string =>
  typeof header === 'string' && header.length <= IDEMPOTENCY_KEY_LENGTH_MAX && IDEMPOTENCY_KEY_FORM.test(header)

export function createClaims(store: ScanStore, log: Log): Claims {
  const forget = () =>
    store
      .forgetClaims(REMEMBERED_MS)
      .catch((error) => log.warn({ err: error }, 'Could not forget old idempotency keys'))
  const timer = setInterval(forget, FORGET_EVERY_MS)
  timer.unref()

  const answerOf = (answered: { sha256: string; response: string }): Answer => ({
    for(sha256) {
      if (sha256 === answered.sha256) return JSON.parse(answered.response) as ScanResult
      throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used for another document. Use a new one.')
    },
  })

  function hold(claim: Claim): Claimed {
    let kept = false
    return {
      ours: claim,
      answer: null,
      keep() {
        kept = true
      },
      async [Symbol.asyncDispose]() {
        if (kept) return
        await store.abandon(claim).catch((error) => log.warn({ err: error }, 'Could not give an idempotency key up'))
      },
    }
  }

  return {
    check(header) {
      if (header === undefined || isKey(header)) return
      const message = `must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`
      throw new AppError('invalid_request', `The Idempotency-Key ${message}, without spaces.`, {
        errors: [{ field: 'Idempotency-Key', message }],
      })
    },
    async begin(keyId, header) {
      if (!isKey(header)) return NO_CLAIM
      const claim = { keyId, hash: hash('sha256', header, 'hex'), id: newId() }
      const found = await store.claim(claim, STALE_MS)
      if (found.state === 'ours') return hold(claim)
      if (found.state === 'answered') return { ...NO_CLAIM, answer: answerOf(found) }
      throw new AppError('request_in_progress', 'A request with this Idempotency-Key is still under way.', {
        retryAfterSeconds: RETRY_SECONDS,
      })
    },
    close: () => clearInterval(timer),
  }
}
