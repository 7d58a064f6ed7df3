/** The room put together: from a choice of marketplace to what its routes offer. */
import type { Log } from '#base/log.ts'
import { createEvents } from './events.ts'
import { type PlanMap, planKeyOf } from './plan-map.ts'
import type { Marketplace } from './ports.ts'
import { createReconcile, type Reconcile } from './reconcile.ts'
import { marketplaceOff, noLiveSubscription } from './refusals.ts'
import type { RoundStore } from './round-store.ts'
import type { SubscriptionStore } from './store.ts'
import { viewOf } from './subscription.ts'
import { createSubscriptions } from './subscriptions.ts'

export interface DeskOptions {
  marketplace: Marketplace
  plans: PlanMap
  store: SubscriptionStore
  rounds: RoundStore
  replicaId: string
  log: Log
}

export function createDesk({ marketplace: { provider, inbound }, plans, store, rounds, replicaId, log }: DeskOptions) {
  const common = {
    store,
    provider,
    log,
    planKeyOf: (offerId: string, planId: string) => planKeyOf(plans, offerId, planId),
  }
  const subscriptions = createSubscriptions(common)
  const events = createEvents(common)
  const reconcile: Reconcile = createReconcile({ ...common, events, rounds, replicaId })
  return {
    desk: {
      ...subscriptions,
      async receive(authorization: string | undefined, body: unknown) {
        return await events.receive(await inbound.verifyAndParse(authorization, body))
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
    async live(accountId: string) {
      const subscription = await store.findLive(accountId)
      if (subscription === null) throw noLiveSubscription()
      return viewOf(subscription)
    },
  }
}
