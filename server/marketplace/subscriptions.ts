/** The buyer's story: resolve a purchase, activate it, see what is live. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { readLandingToken } from './landing-token.ts'
import type { Provider, Purchase } from './ports.ts'
import type { Refresh } from './refresh.ts'
import {
  alreadySubscribed,
  cancelled,
  marketplaceAway,
  marketplaceNonsense,
  marketplaceSlow,
  noLiveSubscription,
  noSuchSubscription,
  ofAnotherAccount,
  suspended,
  tooManyActivations,
  unknownPurchase,
  unmappedPlan,
} from './refusals.ts'
import { isLive } from './state.ts'
import type { Linked, SubscriptionStore, Terms } from './store.ts'
import {
  type ChoosePlan,
  changeByTruth,
  type PlanChoice,
  type Subscription,
  type SubscriptionView,
  viewOf,
} from './subscription.ts'

/** How long a buyer waits for the marketplace. */
const CALL_MS = 20_000
/** The term of a new subscription is nice to have at once, but not worth a long wait. */
const LOOK_MS = 4_000
/** Longer than a confirmation takes: after it, the one who had the claim is taken for dead. */
const CLAIM_MS = 60_000
/** Who comes second waits for the first this long. */
const BUSY_MS = 25_000
const BUSY_LOOK_EVERY_MS = 150
/** Of one account, in one process. */
export const WAITING_MAX = 5
/** Longer than it takes to resolve and link a purchase. */
const TOLD_EARLY_MS = 60_000

export interface SubscriptionsOptions {
  store: SubscriptionStore
  provider: Provider
  choosePlan: ChoosePlan
  refresh: Refresh
  log: Log
}

type Bought = Pick<Purchase, 'externalId' | 'offerId' | 'planId'>

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** We did not ask for it. After any other failure it may be billed all the same. */
const isRefusal = (error: unknown): boolean => error instanceof AppError && error.code === 'subscription_conflict'

/** What is live can be seen also where nothing can be bought. */
export function createLive(store: SubscriptionStore) {
  return async (accountId: string): Promise<SubscriptionView> => {
    const subscription = await store.findLive(accountId)
    if (subscription === null) throw noLiveSubscription()
    return viewOf(subscription)
  }
}

/** Who waits asks the database again and again: of one account only a few may. */
function createLine() {
  const waiting = new Map<string, number>()
  const count = (accountId: string, by: 1 | -1) => {
    const now = (waiting.get(accountId) ?? 0) + by
    if (now === 0) waiting.delete(accountId)
    else waiting.set(accountId, now)
  }
  return {
    enter(accountId: string): () => void {
      if ((waiting.get(accountId) ?? 0) >= WAITING_MAX) throw tooManyActivations()
      count(accountId, 1)
      return () => count(accountId, -1)
    },
  }
}

export function createSubscriptions({ store, provider, choosePlan, refresh, log }: SubscriptionsOptions) {
  const line = createLine()

  /** The plan that it stands for now: the map may have changed since the purchase was linked. */
  function mapped({ externalId, offerId, planId }: Bought): PlanChoice | null {
    const plan = choosePlan(offerId, planId)
    if (plan === null)
      log.error(
        { offerId, planId, subscriptionId: externalId },
        'A subscription is on a plan that we do not know: DOCVET_MARKETPLACE_PLANS lacks it',
      )
    return plan
  }

  function planOf(bought: Bought): PlanChoice {
    const plan = mapped(bought)
    if (plan === null) throw unmappedPlan(bought.offerId, bought.planId, true)
    return plan
  }

  /** Only what is in a state that we know can be linked. */
  function termsOf(purchase: Purchase): Terms {
    const { externalId, status } = purchase
    if (status !== null) return { status, plan: mapped(purchase) }
    throw marketplaceNonsense(new Error(`Subscription ${externalId} is in a state that we do not know`))
  }

  /** What was linked, or why it was not. */
  function linkedTo(linked: Linked, { offerId, planId }: Purchase, { status, plan }: Terms): Subscription {
    if (linked.outcome === 'taken') throw ofAnotherAccount()
    if (linked.outcome === 'occupied') throw alreadySubscribed()
    if (linked.outcome === 'unmapped' || (plan === null && isLive(linked.subscription.status)))
      throw unmappedPlan(offerId, planId, status === 'PendingFulfillmentStart')
    return linked.subscription
  }

  async function resolve(accountId: string, givenToken: string): Promise<SubscriptionView> {
    const deadline = AbortSignal.timeout(CALL_MS)
    const found = await provider.resolve(readLandingToken(givenToken), deadline)
    if (found === null) throw unknownPurchase()
    const { externalId } = found
    // What happens to it before it is linked can be applied to nothing, and may be newer than this answer.
    const told = await store.toldEarly(externalId, TOLD_EARLY_MS)
    const purchase = (told > 0 ? await provider.fetch(externalId, deadline) : null) ?? found
    const terms = termsOf(purchase)
    const update = (known: Subscription, nowMs: number) => changeByTruth(known, purchase, terms.plan, nowMs)
    const linked = await store.link(accountId, purchase, terms, update)
    const subscription = linkedTo(linked, purchase, terms)
    const isTold = (await store.toldEarly(externalId, TOLD_EARLY_MS)) > told
    const fresher = isTold ? await refresh(externalId, deadline) : null
    return viewOf(fresher ?? subscription)
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

  /** What the marketplace says after it did not confirm. Whatever can be completed, the same call completes. */
  async function learnWhy(answer: 'refused' | 'gone', externalId: string, deadline: AbortSignal) {
    const truth = await provider.fetch(externalId, deadline)
    const status = truth?.status ?? null
    const why = new Error(`The marketplace does not confirm subscription ${externalId}, and says it is ${status}`)
    // One answer that it is not there may be a gateway's, or too early: only what it says of the purchase ends it.
    if (!truth || status === null) throw answer === 'gone' ? marketplaceAway(why) : marketplaceNonsense(why)
    const waits = status === 'PendingFulfillmentStart'
    const plan = waits ? planOf(truth) : mapped(truth)
    // Not stale: it is the reason of the refusal that was given just now. But an event in between counts.
    const known = await store.change(externalId, (row, nowMs) =>
      row.status === 'PendingFulfillmentStart'
        ? { ...changeByTruth({ ...row, settledAt: null }, truth, plan, nowMs), settles: !waits }
        : null,
    )
    if (known === null) throw noSuchSubscription()
    // Active after a reply that was lost, which it does not tell yet; or bought otherwise than we knew until now.
    if (known.status === 'PendingFulfillmentStart') throw marketplaceSlow(why)
    return known
  }

  async function confirm(subscription: Subscription): Promise<Subscription> {
    const { externalId, planId, quantity } = subscription
    // Before it is billed.
    planOf(subscription)
    const deadline = AbortSignal.timeout(CALL_MS)
    const answer = await provider.confirm({ externalId, planId, quantity }, deadline)
    if (answer !== 'confirmed') return await learnWhy(answer, externalId, deadline)
    // An event may have come in between, and then it counts.
    const changed = await store.change(externalId, (known) =>
      known.status === 'PendingFulfillmentStart'
        ? { status: 'Subscribed', ...choosePlan(known.offerId, known.planId), settles: true }
        : null,
    )
    return changed ?? Promise.reject(noSuchSubscription())
  }

  /** The term begins with the activation. The activation does not depend on hearing of it. */
  async function withTerm(subscription: Subscription): Promise<Subscription> {
    try {
      return (await refresh(subscription.externalId, AbortSignal.timeout(LOOK_MS))) ?? subscription
    } catch (error) {
      log.warn({ err: error, subscriptionId: subscription.externalId }, 'Activated, but the term is not known yet')
      return subscription
    }
  }

  async function activateClaimed(subscription: Subscription, claim: string): Promise<SubscriptionView> {
    const { externalId } = subscription
    let isCertain = false
    try {
      const confirmed = await confirm(subscription).catch((error) => {
        isCertain = isRefusal(error)
        throw error
      })
      isCertain = true
      const view = settled(confirmed)
      if (view === null) throw marketplaceNonsense(new Error(`Subscription ${externalId} did not become active`))
      log.info({ subscriptionId: externalId, plan: confirmed.planKey }, 'Subscription activated')
      // What happened meanwhile counts here too.
      return settled(await withTerm(confirmed)) ?? view
    } finally {
      const end = isCertain ? store.release : store.leaveInDoubt
      await end(externalId, claim).catch((error) => log.warn({ err: error }, 'A claim was left to expire'))
    }
  }

  /** Two must not be billed. Of one that was left in doubt, only the marketplace knows whether it is. */
  async function claimAlone(externalId: string, accountId: string, claim: string) {
    for (;;) {
      const claimed = await store.claim(externalId, accountId, claim, CLAIM_MS)
      if (typeof claimed === 'string' || !('doubtful' in claimed)) return claimed
      await refresh(claimed.doubtful, AbortSignal.timeout(CALL_MS))
      await store.release(claimed.doubtful, claimed.by)
    }
  }

  /** Null: somebody else is at it, perhaps on another replica, and his answer will be ours. */
  async function tryToActivate(accountId: string, externalId: string): Promise<SubscriptionView | null> {
    const view = settled(await own(accountId, externalId))
    if (view !== null) return view
    const claim = newId()
    const claimed = await claimAlone(externalId, accountId, claim)
    if (claimed === 'occupied') throw alreadySubscribed()
    return claimed === 'busy' ? null : await activateClaimed(claimed, claim)
  }

  async function activate(accountId: string, subscriptionId: string): Promise<SubscriptionView> {
    const externalId = subscriptionId.toLowerCase()
    const giveUpAt = Date.now() + BUSY_MS
    let view = await tryToActivate(accountId, externalId)
    if (view !== null) return view
    const leave = line.enter(accountId)
    try {
      while (view === null) {
        if (Date.now() > giveUpAt)
          throw marketplaceAway(new Error('Another activation of the same subscription does not end'))
        await sleep(BUSY_LOOK_EVERY_MS)
        view = await tryToActivate(accountId, externalId)
      }
      return view
    } finally {
      leave()
    }
  }

  return {
    resolve,
    activate,
    live: createLive(store),
  }
}
