/** The job that calls the operator about an infected document. */
import { isoTime } from '#base/iso-time.ts'
import type { Log } from '#base/log.ts'
import type { Handler, JobKind } from '#jobs/job.ts'
import type { Answer, Callback } from '#webhooks/call.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** Attempts for about a day. */
const DELAY_MS_MAX = 60 * MINUTE_MS

type Data = ReturnType<typeof operatorAlert>

export const OPERATOR_CALLBACK = {
  name: 'operator-callback',
  // Longer than one call.
  deadlineMs: 20 * SECOND_MS,
  attemptsMax: 32,
  delayMs: (attempts) => Math.min(5 * SECOND_MS * 2 ** (attempts - 1), DELAY_MS_MAX),
  parallelMax: 4,
} satisfies JobKind<Data>

export interface OperatorAlert {
  id: string
  account_id: string | null
  threat: string | null
  sha256: string
  size: number
}

/** Names of files belong to the account. */
export const operatorAlert = ({ id, account_id: accountId, threat, sha256, size }: OperatorAlert) => ({
  ...{ scanId: id, accountId, threat, sha256, size, at: Date.now() },
})

interface OperatorCallbackOptions {
  url: string
  /** In Base64. */
  secret: string
  call(callback: Callback, stop: AbortSignal): Promise<Answer>
  log: Log
}

export function createOperatorCallback({ url, secret, call, log }: OperatorCallbackOptions): Handler<Data> {
  return async ({ id, data: { at, scanId, accountId, threat, sha256, size }, attempts }, signal) => {
    // A database does not keep the order of fields, and every attempt has the same body.
    const data = { scanId, accountId, threat, sha256, size }
    const body = JSON.stringify({ type: 'scan.infected', timestamp: isoTime(at), data })
    const answer = await call({ id, url, body, keys: [{ secret }] }, signal)
    const { status, error, durationMs: ms } = answer
    log.info({ scanId, status, error, ms }, 'Callback of the operator attempted')
    if (answer.kind === 'delivered') return undefined
    const retryInMs = Math.max(OPERATOR_CALLBACK.delayMs(attempts), answer.retryAfterMs ?? 0)
    return { retryInMs, reason: error ?? 'failed' }
  }
}
