/** Answers a scan before its verdict if the client prefers that and the verdict takes longer than it wants to wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, isStorageUnavailable } from '#base/errors.ts'
import { StillOpen } from './idempotency.ts'
import type { preferenceOf } from './preference.ts'
import type { Accepted } from './scan.ts'
import type { ScanResult } from './schema.ts'

type StartScan = (gone: AbortSignal, onAccepted?: (accepted: Accepted) => void) => Promise<ScanResult>

/** `ended` rejects if there is no verdict; it is null if the scan belongs to another request. */
export type Answered =
  | { kind: 'result'; result: ScanResult }
  | { kind: 'accepted'; accepted: Accepted; ended: Promise<ScanResult> | null }

const IN_PROGRESS_RETRY_SECONDS = 2

/** A repeated request whose first one is still being scanned. */
export function acceptedBefore(error: unknown, isAsync: boolean): Answered {
  if (!(error instanceof StillOpen)) throw error
  if (isAsync) return { kind: 'accepted', accepted: error.accepted, ended: null }
  throw new AppError(
    'request_in_progress',
    'A request with this Idempotency-Key is still in progress. Retry after the interval in `Retry-After`.',
    { retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS },
  )
}

const answeredBy = (scanning: Promise<ScanResult>, isAsync: boolean): Promise<Answered> =>
  scanning.then(
    (result) => ({ kind: 'result', result }),
    (error) => acceptedBefore(error, isAsync),
  )

export async function answerEarly(
  preference: ReturnType<typeof preferenceOf>,
  connected: AbortSignal,
  start: StartScan,
): Promise<Answered> {
  if (preference === null) return await answeredBy(start(connected), false)
  const gone = new AbortController()
  const leave = () => gone.abort()
  connected.addEventListener('abort', leave, { once: true })
  if (connected.aborted) leave()
  const arrived = Promise.withResolvers<Accepted>()
  let known: Accepted | null = null
  const scanning = start(gone.signal, (accepted) => {
    // The client may leave now.
    connected.removeEventListener('abort', leave)
    known = accepted
    arrived.resolve(accepted)
  })
  const ended = answeredBy(scanning, true).catch((error): Answered => {
    // Its verdict may have been stored and charged although no response arrived: the client asks for it.
    if (known !== null && isStorageUnavailable(error)) return { kind: 'accepted', accepted: known, ended: scanning }
    throw error
  })
  // It may fail after the answer.
  ended.catch(() => {})
  const waited = arrived.promise.then(async (accepted): Promise<Answered> => {
    await sleep(preference.waitMs, undefined, { ref: false })
    return { kind: 'accepted', accepted, ended: scanning }
  })
  return await Promise.race([ended, waited])
}
