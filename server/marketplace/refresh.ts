/** Asks the marketplace how things are with a subscription, and brings what we know up to date. */
import type { Log } from '#base/log.ts'
import type { Provider } from './ports.ts'
import type { SubscriptionStore } from './store.ts'
import { type ChoosePlan, changeByTruth, type Subscription } from './subscription.ts'

export interface RefreshOptions {
  store: SubscriptionStore
  provider: Provider
  choosePlan: ChoosePlan
  log: Log
}

/** Null: we do not have it, or the marketplace does not. */
export type Refresh = (externalId: string, deadline: AbortSignal) => Promise<Subscription | null>

export function createRefresh({ store, provider, choosePlan, log }: RefreshOptions): Refresh {
  return async (externalId, deadline) => {
    const truth = await provider.fetch(externalId, deadline)
    if (truth === null) {
      log.error({ subscriptionId: externalId }, 'The marketplace does not know a subscription that we know')
      return null
    }
    const plan = choosePlan(truth.offerId, truth.planId)
    if (plan === null) {
      log.error({ subscriptionId: externalId, planId: truth.planId }, 'A subscription is on a plan that we do not know')
    }
    return await store.change(externalId, (known, nowMs) => changeByTruth(known, truth, plan, nowMs))
  }
}
