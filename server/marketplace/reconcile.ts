/** Reads the truth of every live subscription from time to time and repairs what drifted. One process at a time. */
import { AppError, type ErrorCode } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { type Events, NOTICE_MS } from './events.ts'
import type { Provider } from './ports.ts'
import type { Refresh } from './refresh.ts'
import type { RoundStore } from './round-store.ts'
import type { SubscriptionStore } from './store.ts'
import type { Subscription } from './subscription.ts'

const EVERY_MS = 6 * 60 * 60 * 1000
/** After a round that failed: the marketplace was away. */
const AGAIN_MS = 10 * 60 * 1000
const LOOK_EVERY_MS = 60_000
const CALL_MS = 15_000
const LEASE_MS = 2 * 60 * 1000
const PAGE = 100
/** With these, the rest of the round would fail too. */
const AWAY: ErrorCode[] = ['marketplace_unavailable', 'storage_unavailable']

const isAway = (error: unknown): boolean => error instanceof AppError && AWAY.includes(error.code)

export interface ReconcileOptions {
  store: SubscriptionStore
  rounds: RoundStore
  provider: Provider
  events: Events
  refresh: Refresh
  replicaId: string
  log: Log
}

export type Reconcile = ReturnType<typeof createReconcile>

export function createReconcile(options: ReconcileOptions) {
  const { store, rounds, provider, events, refresh, replicaId, log } = options
  let closing = false

  /** Operations whose notice never reached us. */
  async function catchUp({ externalId }: Subscription): Promise<void> {
    const waiting = await provider.operations(externalId, AbortSignal.timeout(CALL_MS))
    for (const { kind, operationId, planId } of waiting) {
      try {
        const notice = { operationId, externalId, kind, planId, action: `${kind} (found by asking)` }
        await events.receive(notice, AbortSignal.timeout(NOTICE_MS))
      } catch (error) {
        // One operation that nobody can make sense of must not keep the truth from being asked for.
        if (isAway(error)) throw error
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

  /** One subscription about which the marketplace talks nonsense must not keep the others from being looked at. */
  async function attempt(known: Subscription): Promise<boolean> {
    try {
      return await repair(known)
    } catch (error) {
      if (isAway(error)) throw error
      log.error({ err: error, subscriptionId: known.externalId }, 'A subscription could not be compared')
      return false
    }
  }

  /** Every live one, as long as it is ours to do. */
  async function* all(): AsyncGenerator<Subscription> {
    for (let page = await store.pageOfLive('', PAGE); page.length > 0; ) {
      for (const known of page) {
        if (closing || !(await rounds.renew(replicaId, LEASE_MS))) return
        yield known
      }
      page = await store.pageOfLive(page.at(-1)?.id ?? '', PAGE)
    }
  }

  /** Goes through all of them; null when another process does, or when it is not time yet. */
  async function round(): Promise<{ checked: number; repaired: number } | null> {
    if (!(await rounds.take(replicaId, LEASE_MS))) return null
    let nextInMs = AGAIN_MS
    const count = { checked: 0, repaired: 0 }
    try {
      for await (const known of all()) {
        if (await attempt(known)) count.repaired++
        count.checked++
      }
      if (!closing) nextInMs = EVERY_MS
    } finally {
      await rounds.finish(replicaId, nextInMs)
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
