/** The reconciliation: compares subscriptions with the marketplace and repairs drift, each on one replica at a time. */
import { isStorageUnavailable } from '#base/errors.ts'
import { NOTICE_MS, type ReceiveEvent } from './events.ts'
import type { createAnswers } from './operations.ts'
import type { Recheck, ReconcileStore } from './reconcile-store.ts'
import { type Deps, refresh } from './refresh.ts'
import { isUnavailable } from './refusals.ts'
import { isAnswered, isLive, RECHECK_MS, SETTLING_MS, type Subscription } from './state.ts'

const EVERY_MS = 6 * 60 * 60 * 1000
/** After a pass that stopped early or failed for every subscription. */
const RETRY_MS = 10 * 60 * 1000
const POLL_MS = 60_000
/** How often due rechecks and answers are looked for. */
const FOLLOW_UP_MS = 15_000
/** Subscriptions rechecked at once; the others keep their place. */
export const RECHECKS_MAX = 50
const CALL_MS = 15_000
const LEASE_MS = 2 * 60 * 1000
/** After this many failures in a row the marketplace is considered unavailable, and the pass stops. */
export const UNAVAILABLE_MAX = 3

export interface ReconcileOptions extends Deps {
  lease: ReconcileStore
  receive: ReceiveEvent
  answers: ReturnType<typeof createAnswers>
  replicaId: string
}

/** Mutable, so that the position is known even if the pass throws. */
interface Pass {
  /** The last subscription checked; empty after a complete pass. */
  afterId: string
  readonly count: { checked: number; repaired: number; failed: number }
  readonly isClosing: () => boolean
}

/** Processes the waiting operations whose notice never arrived. */
async function catchUp(options: ReconcileOptions, { externalId }: Subscription): Promise<void> {
  const { provider, receive, answers, log } = options
  const waiting = await provider.operations(externalId, AbortSignal.timeout(CALL_MS))
  for (const { kind, operationId, planId, atMs, isByPublisher } of waiting) {
    // Whether the others took effect shows in the subscription, which is fetched next.
    if (kind !== 'unknown' && !isAnswered(kind)) continue
    try {
      const action = `${kind} (found by asking)`
      const notice = { operationId, externalId, kind, planId, atMs, isByPublisher, action }
      await receive(notice, AbortSignal.timeout(NOTICE_MS))
      await answers.sendFirst(operationId)
    } catch (error) {
      // One operation that cannot be processed must not keep the subscription from being compared.
      if (isUnavailable(error) || isStorageUnavailable(error)) throw error
      log.error({ err: error, operationId, subscriptionId: externalId }, 'Failed to apply a waiting operation')
    }
  }
}

async function repair(options: ReconcileOptions, known: Subscription) {
  const { externalId } = known
  await catchUp(options, known)
  const after = await refresh(options, externalId, AbortSignal.timeout(CALL_MS))
  const hasDrifted = after !== null && (after.status !== known.status || after.planKey !== known.planKey)
  if (hasDrifted)
    options.log.warn({ subscriptionId: externalId, from: known.status, to: after.status }, 'Drift repaired')
  return { hasDrifted, status: after?.status ?? known.status }
}

/** Returns a failure instead of throwing it, so that the pass continues with the next subscription. */
async function compare(options: ReconcileOptions, known: Subscription, { count }: Pass): Promise<unknown> {
  count.checked++
  try {
    if ((await repair(options, known)).hasDrifted) count.repaired++
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

/** An activation in doubt is rechecked until it is reported, or has been pending for longer than reports lag. */
async function recheckOne(options: ReconcileOptions, recheck: Recheck): Promise<unknown> {
  const { store, lease, log } = options
  const { known, doubt } = recheck
  try {
    const { status } = await repair(options, known)
    const isDoubtful = doubt !== null && status === 'PendingFulfillmentStart' && doubt.ageMs < SETTLING_MS
    if (doubt !== null && !isDoubtful) await store.release(known.externalId, doubt.by)
    await lease.endRecheck(recheck, isDoubtful ? RECHECK_MS : null)
    return null
  } catch (error) {
    if (isStorageUnavailable(error)) throw error
    log.error({ err: error, subscriptionId: known.externalId }, 'Failed to recheck a subscription')
    await lease.endRecheck(recheck, isUnavailable(error) ? RECHECK_MS : RETRY_MS)
    return error
  }
}

async function recheckDue(options: ReconcileOptions, isClosing: () => boolean): Promise<void> {
  let unavailableInRow = 0
  for (let count = 0; count < RECHECKS_MAX && unavailableInRow < UNAVAILABLE_MAX && !isClosing(); count++) {
    const recheck = await options.lease.takeRecheck(LEASE_MS)
    if (recheck === null) return
    unavailableInRow = isUnavailable(await recheckOne(options, recheck)) ? unavailableInRow + 1 : 0
  }
}

/** Runs the work periodically, never twice at the same time. */
function repeat(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void) {
  let running: Promise<unknown> | null = null
  const timer = setInterval(() => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = null
      })
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

export function createReconcile(options: ReconcileOptions) {
  const { answers, log } = options
  let closing = false
  const isClosing = () => closing
  const pass = () => runPass(options, isClosing)
  /** Work that single changes leave, between two passes. */
  const followUp = async () => {
    await answers.sendDue()
    await recheckDue(options, isClosing)
  }

  return {
    pass,
    followUp,
    start(): { close(): Promise<void> } {
      const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message)
      const stops = [
        repeat(POLL_MS, pass, warn('Reconciliation stopped early; it will be retried')),
        repeat(FOLLOW_UP_MS, followUp, warn('Recheck stopped early; it will be retried')),
      ]
      return {
        async close() {
          closing = true
          await Promise.all([...stops.map((stop) => stop()), answers.close()])
        },
      }
    },
  }
}
