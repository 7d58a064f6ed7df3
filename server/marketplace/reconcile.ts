/** The reconciliation: compares every live subscription with the marketplace and repairs drift, on one replica at a time. */
import { AppError, isStorageUnavailable } from '#base/errors.ts'
import { NOTICE_MS, type ReceiveEvent } from './events.ts'
import type { ReconcileStore } from './reconcile-store.ts'
import { type Deps, refresh } from './refresh.ts'
import { isAnswered, isLive, type Subscription } from './state.ts'

const EVERY_MS = 6 * 60 * 60 * 1000
/** After a pass that stopped early or failed for every subscription. */
const RETRY_MS = 10 * 60 * 1000
const POLL_MS = 60_000
const CALL_MS = 15_000
const LEASE_MS = 2 * 60 * 1000
/** After this many failures in a row the marketplace is considered unavailable, and the pass stops. */
export const UNAVAILABLE_MAX = 3

export interface ReconcileOptions extends Deps {
  lease: ReconcileStore
  receive: ReceiveEvent
  replicaId: string
}

/** Mutable, so that the position is known even if the pass throws. */
interface Pass {
  /** The last subscription checked; empty after a complete pass. */
  afterId: string
  readonly count: { checked: number; repaired: number; failed: number }
  readonly isClosing: () => boolean
}

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === 'marketplace_unavailable'

/** Processes the waiting operations whose notice never arrived. */
async function catchUp({ provider, receive, log }: ReconcileOptions, { externalId }: Subscription): Promise<void> {
  const waiting = await provider.operations(externalId, AbortSignal.timeout(CALL_MS))
  for (const { kind, operationId, planId, atMs } of waiting) {
    // Whether the others took effect shows in the subscription, which is fetched next.
    if (kind !== 'unknown' && !isAnswered(kind)) continue
    try {
      const notice = { operationId, externalId, kind, planId, atMs, action: `${kind} (found by asking)` }
      await receive(notice, AbortSignal.timeout(NOTICE_MS))
    } catch (error) {
      // One operation that cannot be processed must not keep the subscription from being compared.
      if (isUnavailable(error) || isStorageUnavailable(error)) throw error
      log.error({ err: error, operationId, subscriptionId: externalId }, 'Failed to apply a waiting operation')
    }
  }
}

async function repair(options: ReconcileOptions, known: Subscription): Promise<boolean> {
  const { externalId } = known
  await catchUp(options, known)
  const after = await refresh(options, externalId, AbortSignal.timeout(CALL_MS))
  const hasDrifted = after !== null && (after.status !== known.status || after.planKey !== known.planKey)
  if (hasDrifted)
    options.log.warn({ subscriptionId: externalId, from: known.status, to: after.status }, 'Drift repaired')
  return hasDrifted
}

/** Returns a failure instead of throwing it, so that the pass continues with the next subscription. */
async function compare(options: ReconcileOptions, known: Subscription, { count }: Pass): Promise<unknown> {
  count.checked++
  try {
    if (await repair(options, known)) count.repaired++
    return null
  } catch (error) {
    if (isStorageUnavailable(error)) throw error
    count.failed++
    options.log.error({ err: error, subscriptionId: known.externalId }, 'Failed to compare a subscription')
    return error
  }
}

/** Begins after the position where the previous pass stopped. Ends if another replica takes the lease. */
async function compareAll(options: ReconcileOptions, pass: Pass): Promise<void> {
  const { store, lease, replicaId } = options
  const { afterId } = pass
  const live = await store.idsOfLive()
  const [done, due] = [live.filter(({ id }) => id <= afterId), live.filter(({ id }) => id > afterId)]
  let unavailableInRow = 0
  for (const { id, externalId } of [...due, ...done]) {
    if (pass.isClosing() || !(await lease.renew(replicaId, LEASE_MS))) return
    const known = await store.find(externalId)
    if (known === null || !isLive(known.status)) continue
    pass.afterId = id
    const error = await compare(options, known, pass)
    unavailableInRow = isUnavailable(error) ? unavailableInRow + 1 : 0
    if (unavailableInRow === UNAVAILABLE_MAX) throw error
  }
  pass.afterId = ''
}

/** Null if no pass is due, or another replica runs it. */
async function runPass(options: ReconcileOptions, isClosing: () => boolean): Promise<Pass['count'] | null> {
  const { lease, replicaId } = options
  const acquired = await lease.acquire(replicaId, LEASE_MS)
  if (acquired === null) return null
  const count = { checked: 0, repaired: 0, failed: 0 }
  const pass: Pass = { ...acquired, count, isClosing }
  let nextInMs = RETRY_MS
  try {
    await compareAll(options, pass)
    const isUseful = count.checked === 0 || count.failed < count.checked
    if (!isClosing() && isUseful) nextInMs = EVERY_MS
  } finally {
    await lease.finish(replicaId, nextInMs, pass.afterId)
  }
  return count
}

export function createReconcile(options: ReconcileOptions) {
  let closing = false
  const pass = () => runPass(options, () => closing)
  const passQuietly = () =>
    pass().catch((error) => options.log.warn({ err: error }, 'Reconciliation stopped early; it will be retried'))

  return {
    pass,
    start(): { close(): Promise<void> } {
      let running: Promise<unknown> = Promise.resolve()
      const timer = setInterval(() => {
        running = running.then(passQuietly)
      }, POLL_MS)
      timer.unref()
      return {
        async close() {
          clearInterval(timer)
          closing = true
          await running
        },
      }
    },
  }
}
