/** The marketplace service: the operations behind its routes, wired to one marketplace. */
import { createActivate } from './activate.ts'
import { type PlanMap, planKeyOf } from './choice.ts'
import { createReceiveEvent, NOTICE_MS } from './events.ts'
import type { Marketplace } from './ports.ts'
import { createReconcile, type ReconcileOptions } from './reconcile.ts'
import type { Deps } from './refresh.ts'
import { marketplaceOff, noLiveSubscription } from './refusals.ts'
import { resolve } from './resolve.ts'
import type { SubscriptionStore } from './store.ts'
import { viewOf } from './subscription.ts'

export type MarketplaceService = ReturnType<typeof createMarketplaceService>['service']

export interface ServiceOptions extends Pick<ReconcileOptions, 'store' | 'lease' | 'replicaId' | 'log'> {
  marketplace: Marketplace
  plans: PlanMap
}

const createLive = (store: SubscriptionStore) => async (accountId: string) => {
  const subscription = await store.findLive(accountId)
  if (subscription === null) throw noLiveSubscription()
  return viewOf(subscription)
}

export function createMarketplaceService({ marketplace, plans, ...options }: ServiceOptions) {
  const deps: Deps = {
    ...options,
    provider: marketplace.provider,
    choosePlan(offerId, planId) {
      const planKey = planKeyOf(plans, offerId, planId)
      return planKey === null ? null : { planId, planKey }
    },
  }
  const receive = createReceiveEvent(deps)
  const service = {
    resolve: (accountId: string, token: string) => resolve(deps, accountId, token),
    activate: createActivate(deps),
    live: createLive(options.store),
    async receive(authorization: string | undefined, body: unknown) {
      // One deadline for everything, since fetching the signing keys may be slow too.
      const deadline = AbortSignal.timeout(NOTICE_MS)
      return await receive(await marketplace.verifyAndParse(authorization, body, deadline), deadline)
    },
  }
  return { service, reconcile: createReconcile({ ...options, ...deps, receive }) }
}

/** Without a marketplace, existing subscriptions can still be read. */
export function createDisabledService(store: SubscriptionStore): MarketplaceService {
  const off = async () => {
    throw marketplaceOff()
  }
  return { resolve: off, activate: off, receive: off, live: createLive(store) }
}
