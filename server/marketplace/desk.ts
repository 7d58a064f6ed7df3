/** The room put together: from a choice of marketplace to what its routes offer. */
import type { Log } from '#base/log.ts'
import { createEvents, NOTICE_MS } from './events.ts'
import { type PlanMap, planKeyOf } from './plan-map.ts'
import type { Marketplace } from './ports.ts'
import { createReconcile, type Reconcile } from './reconcile.ts'
import { createRefresh } from './refresh.ts'
import { marketplaceOff } from './refusals.ts'
import type { RoundStore } from './round-store.ts'
import type { SubscriptionStore } from './store.ts'
import type { ChoosePlan } from './subscription.ts'
import { createLive, createSubscriptions } from './subscriptions.ts'

export interface DeskOptions {
  marketplace: Marketplace
  plans: PlanMap
  store: SubscriptionStore
  rounds: RoundStore
  replicaId: string
  log: Log
}

export function createDesk({ marketplace: { provider, inbound }, plans, store, rounds, replicaId, log }: DeskOptions) {
  const choosePlan: ChoosePlan = (offerId, planId) => {
    const planKey = planKeyOf(plans, offerId, planId)
    return planKey === null ? null : { planId, planKey }
  }
  const refresh = createRefresh({ store, provider, choosePlan, log })
  const common = { store, provider, choosePlan, refresh, log }
  const subscriptions = createSubscriptions(common)
  const events = createEvents(common)
  const reconcile: Reconcile = createReconcile({ ...common, events, rounds, replicaId })
  return {
    desk: {
      ...subscriptions,
      async receive(authorization: string | undefined, body: unknown) {
        // One for all of it: also the keys of the marketplace may be slow to come.
        const deadline = AbortSignal.timeout(NOTICE_MS)
        return await events.receive(await inbound.verifyAndParse(authorization, body, deadline), deadline)
      },
    },
    reconcile,
  }
}

/** Without a marketplace nothing can be bought, but what was bought can still be seen. */
export function createClosedDesk(store: SubscriptionStore) {
  const off = async () => {
    throw marketplaceOff()
  }
  return {
    resolve: off,
    activate: off,
    receive: off,
    live: createLive(store),
  }
}
