/** The job that calls an endpoint, repeated for more than a day, and endpoints that are switched off. */
import { coalesce, coalesceWrites } from '#base/coalesce.ts'
import type { Log } from '#base/log.ts'
import { NotOpened, type Seal } from '#base/seal.ts'
import type { Handler, Job, JobKind } from '#jobs/job.ts'
import type { Trx } from '#storage/database.ts'
import type { Answer, Callback, createCall } from './call.ts'
import { placesOf } from './endpoints.ts'
import type { SigningKeys } from './signature.ts'
import type { DeliveryRow, Due, EndpointRow, WebhookStore } from './store.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** After each attempt but the last one. */
export const PAUSES_MS = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS],
]
/** Spreads calls that failed together. */
const SPREAD = 0.1
/** An endpoint that only failed for so long is switched off. */
export const FAILING_MS_MAX = 5 * 24 * HOUR_MS

export const CALLBACK = {
  name: 'callback',
  // Longer than one call.
  deadlineMs: 20 * SECOND_MS,
  attemptsMax: PAUSES_MS.length + 1,
  delayMs: (attempts: number) => (PAUSES_MS[attempts - 1] ?? 0) * (1 - SPREAD + 2 * SPREAD * Math.random()),
  // Receivers that answer, as most do in a fraction of this time, never wait for those that hang: these have sockets of their own.
  parallelMax: 128,
  patience: { promptMs: SECOND_MS, lateMax: 512 },
  // For one endpoint and one account, in all processes. With ten endpoints, each can always be called.
  perGroupMax: 2,
  perOwner: { max: 12, free: 4 },
} satisfies JobKind<{ deliveryId: string; endpointId: string }>

/** Endpoints share what their account may have at once. */
export const groupOf = (accountId: string, endpointId: string): string => `${accountId}/${endpointId}`

interface DeliveryOptions {
  store: WebhookStore
  seal: Seal
  call: ReturnType<typeof createCall>
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /** Queues a mail to the owner. */
  announceDisabled: (trx: Trx, endpoint: { accountId: string; url: string }) => Promise<void>
  /** A mail was queued. */
  wakeMail: () => void
  log: Log
  /** Shorter in tests. */
  failingMsMax?: number
  kind?: Pick<typeof CALLBACK, 'attemptsMax' | 'delayMs'>
}

/** Of calls that begin or end at once: they wait for no other one to be read or stored, and leave the database for requests. */
const BATCH_MAX = 32

interface Attempted {
  job: Pick<Job, 'finish'>
  delivery: DeliveryRow
  answer: Answer
  state: DeliveryRow['state']
}

export function createDelivery(options: DeliveryOptions): Handler<{ deliveryId: string; endpointId: string }> {
  const { store, seal, call, log, failingMsMax = FAILING_MS_MAX, kind = CALLBACK } = options
  const dueOf = coalesce(store.due, BATCH_MAX)

  function callbackOf({ id, body }: DeliveryRow, endpoint: EndpointRow): Callback {
    const places = placesOf(endpoint.id)
    const isRotating = endpoint.old_keys !== null && (endpoint.old_keys_until ?? 0) > Date.now()
    const keys = [endpoint.keys, ...(isRotating && endpoint.old_keys !== null ? [endpoint.old_keys] : [])]
    return {
      ...{ id, body, url: seal.open(endpoint.url, places.url) },
      keys: keys.map((each) => JSON.parse(seal.open(each, places.keys)) as SigningKeys),
    }
  }

  /** Why the endpoint is switched off, if it is. */
  function reasonToDisable(answer: Answer, since: { failingSince: number | null; nowMs: number } | undefined) {
    if (answer.kind === 'gone') return 'gone'
    const failingMs = since && since.failingSince !== null ? since.nowMs - since.failingSince : 0
    return answer.kind === 'failed' && failingMs >= failingMsMax ? 'failing' : null
  }

  async function record(trx: Trx, { job, delivery, answer, state }: Attempted) {
    const since = await store.record(trx, delivery, answer, state)
    if (state === 'delivered') await job.finish(trx)
    const by = reasonToDisable(answer, since)
    const found = by && (await store.disable(trx, delivery.endpoint_id, by))
    if (!by || !found) return null
    await options.announceDisabled(trx, found)
    return { accountId: found.accountId, by }
  }

  const recorded = coalesceWrites(options.transaction, record, {
    batchMax: BATCH_MAX,
    order: ({ delivery }) => delivery.endpoint_id,
  })

  /** True if the endpoint is switched off now. */
  async function settle(job: Job, delivery: DeliveryRow, answer: Answer, isLast: boolean): Promise<boolean> {
    const ended = isLast || answer.kind === 'gone' ? 'failed' : 'waiting'
    const disabled = await recorded({ job, delivery, answer, state: answer.kind === 'delivered' ? 'delivered' : ended })
    if (disabled === null) return false
    log.warn({ ...disabled, endpointId: delivery.endpoint_id }, 'Callback endpoint switched off')
    options.wakeMail()
    return true
  }

  async function giveUp(delivery: DeliveryRow, reason: string) {
    await store.fail(delivery.id, reason)
    return { giveUp: reason }
  }

  async function attempt({ delivery, endpoint }: Due, job: Job, signal: AbortSignal) {
    const { attempts, hurry, waitFor } = job
    const isLast = attempts >= kind.attemptsMax
    const callback = callbackOf(delivery, endpoint)
    const answer = await waitFor(() => call(callback, AbortSignal.any([signal, hurry])))
    // A call that was cut off by the end of this process does not count.
    if (signal.aborted && answer.kind !== 'delivered') throw new Error('the process stopped')
    const isDisabled = await settle(job, delivery, answer, isLast)
    const { status, error, durationMs: ms } = answer
    log.info({ deliveryId: delivery.id, endpointId: endpoint.id, status, error, ms }, 'Callback attempted')
    if (answer.kind === 'delivered') return undefined
    const reason = error ?? 'failed'
    if (isDisabled || answer.kind === 'gone') return await giveUp(delivery, reason)
    return { retryInMs: Math.max(kind.delayMs(attempts), answer.retryAfterMs ?? 0), reason }
  }

  /** The error for the job. */
  async function notAttempted(error: unknown, delivery: DeliveryRow, isLast: boolean): Promise<unknown> {
    const isSealed = error instanceof NotOpened
    if (isSealed) log.error({ err: error, endpointId: delivery.endpoint_id }, 'Callback not sent')
    const reason = isSealed ? 'the secret of the endpoint cannot be decrypted' : 'not attempted'
    if (isLast) await store.fail(delivery.id, reason)
    return isSealed ? new Error(reason) : error
  }

  return async (job, signal) => {
    const due = await dueOf(job.data.deliveryId)
    // Deleted, or delivered by an attempt whose process died before its job ended.
    if (due === null) return undefined
    const { delivery, endpoint } = due
    if (endpoint.disabled_at !== null) return await giveUp(delivery, 'the endpoint is switched off')
    try {
      return await attempt(due, job, signal)
    } catch (error) {
      throw await notAttempted(error, delivery, job.attempts >= kind.attemptsMax)
    }
  }
}
