/** Updates a subscription from the state that the marketplace reports. */
import type { Log } from '#base/log.ts'
import type { Provider } from './ports.ts'
import type { ChoosePlan, PlanChoice, Subscription } from './state.ts'
import type { SubscriptionStore } from './store.ts'
import { changeFromRemote } from './subscription.ts'

export interface Deps {
  store: SubscriptionStore
  provider: Provider
  choosePlan: ChoosePlan
  log: Log
}

type Bought = Pick<Subscription, 'externalId' | 'offerId' | 'planId'>

/** Looks the plan up again each time, since the plan map may have changed since the purchase. */
export function findPlan({ choosePlan, log }: Deps, { externalId, offerId, planId }: Bought): PlanChoice | null {
  const plan = choosePlan(offerId, planId)
  if (plan === null) logUnmapped(log, { offerId, planId, subscriptionId: externalId })
  return plan
}

export function logUnmapped(log: Log, fields: object): void {
  log.error(fields, 'Subscription is on an unmapped plan: add it to DOCVET_MARKETPLACE_PLANS')
}

/** Null if we or the marketplace do not know the subscription. */
export async function refresh(deps: Deps, externalId: string, deadline: AbortSignal): Promise<Subscription | null> {
  const remote = await deps.provider.fetch(externalId, deadline)
  if (remote === null) {
    deps.log.error({ subscriptionId: externalId }, 'Subscription is unknown to the marketplace')
    return null
  }
  const plan = findPlan(deps, remote)
  return await deps.store.change(externalId, (known, nowMs) => changeFromRemote(known, remote, plan, nowMs))
}
