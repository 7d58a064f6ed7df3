/** The buyer's story: resolve a purchase, activate it, see what is live. */
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { readLandingToken } from './landing-token.ts'
import type { Provider, Purchase } from './ports.ts'
import {
  alreadySubscribed,
  cancelled,
  marketplaceAway,
  marketplaceNonsense,
  noLiveSubscription,
  noSuchSubscription,
  ofAnotherAccount,
  suspended,
  unknownPurchase,
  unmappedPlan,
} from './refusals.ts'
import { statusByTruth } from './state.ts'
import type { SubscriptionStore } from './store.ts'
import { changeByTruth, type PlanChoice, type Subscription, type SubscriptionView, viewOf } from './subscription.ts'

/** How long a buyer waits for the marketplace. */
const CALL_MS = 20_000
/** The term of a new subscription is nice to have at once, but not worth a long wait. */
const LOOK_MS = 4_000
/** Longer than a confirmation takes: after it, the one who had the claim is taken for dead. */
const CLAIM_MS = 60_000
/** Who comes second waits for the first this long. */
const BUSY_MS = 25_000
const BUSY_LOOK_EVERY_MS = 150

export interface SubscriptionsOptions {
  store: SubscriptionStore
  provider: Provider
  /** Null for what is not on the map. */
  planKeyOf: (offerId: string, planId: string) => string | null
  log: Log
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

export function createSubscriptions({ store, provider, planKeyOf, log }: SubscriptionsOptions) {
  const choiceOf = ({ offerId, planId }: Pick<Purchase, 'offerId' | 'planId'>): PlanChoice | null => {
    const planKey = planKeyOf(offerId, planId)
    return planKey === null ? null : { planId, planKey }
  }

  async function resolve(accountId: string, givenToken: string): Promise<SubscriptionView> {
    const purchase = await provider.resolve(readLandingToken(givenToken), AbortSignal.timeout(CALL_MS))
    if (purchase === null) throw unknownPurchase()
    const { externalId, offerId, planId, status } = purchase
    if (status === null)
      throw marketplaceNonsense(new Error(`Subscription ${externalId} is in a state that we do not know`))
    const plan = choiceOf(purchase)
    if (plan === null) {
      log.error(
        { offerId, planId, subscriptionId: externalId },
        'A plan was bought that DOCVET_MARKETPLACE_PLANS lacks',
      )
      throw unmappedPlan(offerId, planId)
    }
    const refresh = (known: Subscription, nowMs: number) => changeByTruth(known, purchase, plan, nowMs)
    const linked = await store.link(accountId, purchase, { status, plan }, refresh)
    if (linked.outcome === 'taken') throw ofAnotherAccount()
    if (linked.outcome === 'occupied') throw alreadySubscribed()
    return viewOf(linked.subscription)
  }

  /** Its own purchase, as far as this account may know; what belongs to another is not there. */
  async function own(accountId: string, externalId: string): Promise<Subscription> {
    const found = await store.find(externalId)
    if (found?.accountId !== accountId) throw noSuchSubscription()
    return found
  }

  /** Active, or a reason why it will not be; null while it waits to be activated. */
  function settled(subscription: Subscription): SubscriptionView | null {
    if (subscription.status === 'Suspended') throw suspended()
    if (subscription.status === 'Unsubscribed') throw cancelled()
    return subscription.status === 'Subscribed' ? viewOf(subscription) : null
  }

  /** What the marketplace says after it refused to confirm: it may be active already, after a reply that was lost. */
  async function learnWhy(externalId: string, deadline: AbortSignal): Promise<Subscription> {
    const truth = await provider.fetch(externalId, deadline)
    const { status = null } = truth ?? {}
    if (!truth || status === null || status === 'PendingFulfillmentStart') {
      throw marketplaceNonsense(
        new Error(`The marketplace does not confirm subscription ${externalId}, and says it is ${status}`),
      )
    }
    // Not stale: it is the reason of the refusal that was given just now.
    const known = await store.change(externalId, (row, nowMs) => ({
      ...changeByTruth(row, truth, null, nowMs),
      status: statusByTruth(row.status, status, false),
      settles: true,
    }))
    return known ?? Promise.reject(noSuchSubscription())
  }

  /** One answer that it is not there may be a gateway's, or too early: only what it says of the purchase ends it. */
  async function learnWhether(externalId: string, deadline: AbortSignal): Promise<Subscription> {
    const truth = await provider.fetch(externalId, deadline)
    if (truth?.status === 'PendingFulfillmentStart' || !truth?.status)
      throw marketplaceAway(new Error(`The marketplace does not find subscription ${externalId} to confirm it`))
    return await learnWhy(externalId, deadline)
  }

  async function confirm(subscription: Subscription): Promise<Subscription> {
    const { externalId, planId, quantity } = subscription
    const deadline = AbortSignal.timeout(CALL_MS)
    const answer = await provider.confirm({ externalId, planId, quantity }, deadline)
    if (answer === 'refused') return await learnWhy(externalId, deadline)
    if (answer === 'gone') return await learnWhether(externalId, deadline)
    // An event may have come in between, and then it counts.
    const changed = await store.change(externalId, (known) =>
      known.status === 'PendingFulfillmentStart' ? { status: 'Subscribed', settles: true } : null,
    )
    return changed ?? Promise.reject(noSuchSubscription())
  }

  /** The term begins with the activation. The activation does not depend on hearing of it. */
  async function withTerm(subscription: Subscription): Promise<Subscription> {
    try {
      const truth = await provider.fetch(subscription.externalId, AbortSignal.timeout(LOOK_MS))
      if (truth === null) return subscription
      const changed = await store.change(subscription.externalId, (known, nowMs) =>
        changeByTruth(known, truth, null, nowMs),
      )
      return changed ?? subscription
    } catch (error) {
      log.warn({ err: error, subscriptionId: subscription.externalId }, 'Activated, but the term is not known yet')
      return subscription
    }
  }

  async function activateClaimed(subscription: Subscription, claim: string): Promise<SubscriptionView> {
    const { externalId } = subscription
    try {
      const confirmed = await confirm(subscription)
      const view = settled(confirmed)
      if (view === null) throw marketplaceNonsense(new Error(`Subscription ${externalId} did not become active`))
      log.info({ subscriptionId: externalId, plan: confirmed.planKey }, 'Subscription activated')
      return viewOf(await withTerm(confirmed))
    } finally {
      await store.release(externalId, claim).catch((error) => log.warn({ err: error }, 'A claim was left to expire'))
    }
  }

  async function activate(accountId: string, subscriptionId: string): Promise<SubscriptionView> {
    const externalId = subscriptionId.toLowerCase()
    const giveUpAt = Date.now() + BUSY_MS
    const claim = newId()
    for (;;) {
      const subscription = await own(accountId, externalId)
      const view = settled(subscription)
      if (view !== null) return view
      const claimed = await store.claim(externalId, accountId, claim, CLAIM_MS)
      if (claimed === 'occupied') throw alreadySubscribed()
      if (claimed === 'claimed') return await activateClaimed(subscription, claim)
      // Somebody else is at it, perhaps on another replica: his answer is ours.
      if (Date.now() > giveUpAt)
        throw marketplaceAway(new Error('Another activation of the same subscription does not end'))
      await sleep(BUSY_LOOK_EVERY_MS)
    }
  }

  return {
    resolve,
    activate,

    async live(accountId: string): Promise<SubscriptionView> {
      const subscription = await store.findLive(accountId)
      if (subscription === null) throw noLiveSubscription()
      return viewOf(subscription)
    },
  }
}
