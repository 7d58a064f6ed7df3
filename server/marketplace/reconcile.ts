/** Reads the truth of every live subscription from time to time and repairs what drifted. One process at a time. */
import { AppError, type ErrorCode } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { type Events, NOTICE_MS } from './events.ts'
import type { Provider } from './ports.ts'
import type { Refresh } from './refresh.ts'
import type { RoundStore } from './round-store.ts'
import { isAnswered } from './state.ts'
import type { SubscriptionStore } from './store.ts'
import type { Subscription } from './subscription.ts'

const EVERY_MS = 6 * 60 * 60 * 1000
/** After a round that had to stop, or could compare nothing: the marketplace was away. */
const AGAIN_MS = 10 * 60 * 1000
const LOOK_EVERY_MS = 60_000
const CALL_MS = 15_000
const LEASE_MS = 2 * 60 * 1000
const PAGE = 100
/** So many in a row without an answer, and the rest of the round would have none either. A breaker that is open soon makes as many. */
export const AWAY_MAX = 3

const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof AppError && error.code === code

export interface ReconcileOptions {
  store: SubscriptionStore
  rounds: RoundStore
  provider: Provider
  events: Events
  refresh: Refresh
  replicaId: string
  log: Log
}

interface Comparison {
  drifted: boolean
  /** Why there was none. */
  failed?: unknown
}

interface Count {
  checked: number
  repaired: number
  failed: number
}

interface Course {
  /** What it came to; empty after all of them. */
  afterId: string
  count: Count
}

export type Reconcile = ReturnType<typeof createReconcile>

export function createReconcile(options: ReconcileOptions) {
  const { store, rounds, provider, events, refresh, replicaId, log } = options
  let closing = false

  /** Operations whose notice never reached us. */
  async function catchUp({ externalId }: Subscription): Promise<void> {
    const waiting = await provider.operations(externalId, AbortSignal.timeout(CALL_MS))
    for (const { kind, operationId, planId, atMs } of waiting) {
      // The truth, which is asked for next, tells whether such a one is a fact.
      if (kind !== 'unknown' && !isAnswered(kind)) continue
      try {
        const notice = { operationId, externalId, kind, planId, atMs, action: `${kind} (found by asking)` }
        await events.receive(notice, AbortSignal.timeout(NOTICE_MS))
      } catch (error) {
        // One operation that nobody can make sense of must not keep the truth from being asked for.
        if (hasCode(error, 'marketplace_unavailable') || hasCode(error, 'storage_unavailable')) throw error
        log.error({ err: error, operationId, subscriptionId: externalId }, 'A waiting operation could not be applied')
      }
    }
  }

  async function repair(known: Subscription): Promise<boolean> {
    const { externalId } = known
    await catchUp(known)
    const after = await refresh(externalId, AbortSignal.timeout(CALL_MS))
    const drifted = after !== null && (after.status !== known.status || after.planKey !== known.planKey)
    if (drifted) log.warn({ subscriptionId: externalId, from: known.status, to: after.status }, 'Drift repaired')
    return drifted
  }

  /** One subscription that cannot be compared must not keep the others from being looked at. */
  async function attempt(known: Subscription): Promise<Comparison> {
    try {
      return { drifted: await repair(known) }
    } catch (error) {
      if (hasCode(error, 'storage_unavailable')) throw error
      log.error({ err: error, subscriptionId: known.externalId }, 'A subscription could not be compared')
      return { drifted: false, failed: error }
    }
  }

  /** Live ones, as long as it is ours to do. */
  async function* between(afterId: string, lastId: string | null): AsyncGenerator<Subscription> {
    for (let page = await store.pageOfLive(afterId, lastId, PAGE); page.length > 0; ) {
      for (const known of page) {
        if (closing || !(await rounds.renew(replicaId, LEASE_MS))) return
        yield known
      }
      page = await store.pageOfLive(page.at(-1)?.id ?? '', lastId, PAGE)
    }
  }

  /** From behind the given one to the end, and then up to it. */
  async function* all(afterId: string): AsyncGenerator<Subscription> {
    yield* between(afterId, null)
    if (afterId !== '') yield* between('', afterId)
  }

  /** Writes down in `course` how far it came, also when it has to stop. */
  async function compareAll(course: Course): Promise<void> {
    const { count } = course
    let awayInRow = 0
    for await (const known of all(course.afterId)) {
      course.afterId = known.id
      const { drifted, failed } = await attempt(known)
      count.checked++
      count.repaired += Number(drifted)
      count.failed += Number(failed !== undefined)
      awayInRow = hasCode(failed, 'marketplace_unavailable') ? awayInRow + 1 : 0
      if (awayInRow === AWAY_MAX) throw failed
    }
    if (!closing) course.afterId = ''
  }

  /** Goes through all of them; null when another process does, or when it is not time yet. */
  async function round(): Promise<Count | null> {
    const begun = await rounds.take(replicaId, LEASE_MS)
    if (begun === null) return null
    const count: Count = { checked: 0, repaired: 0, failed: 0 }
    const course = { afterId: begun.afterId, count }
    let nextInMs = AGAIN_MS
    try {
      await compareAll(course)
      const isUseful = count.checked === 0 || count.failed < count.checked
      if (!closing && isUseful) nextInMs = EVERY_MS
    } finally {
      await rounds.finish(replicaId, nextInMs, course.afterId)
    }
    return count
  }

  async function quietly(): Promise<void> {
    try {
      await round()
    } catch (error) {
      log.warn({ err: error }, 'Subscriptions could not all be compared with the marketplace; it will be tried again')
    }
  }

  return {
    round,
    /** From now on. */
    start(): { close(): Promise<void> } {
      let running = Promise.resolve()
      const timer = setInterval(() => {
        running = running.then(quietly)
      }, LOOK_EVERY_MS)
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
