/** Confirms a purchase with the marketplace, exactly once across all replicas. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import { createSemaphore } from '#base/semaphore.ts'
import { type Deps, findPlan, refresh } from './refresh.ts'
import * as refusals from './refusals.ts'
import type { PlanChoice, Subscription } from './state.ts'
import { changeFromRemote, type SubscriptionView, viewOf } from './subscription.ts'

const CALL_MS = 20_000
/** Short, because an activation succeeds without its term. */
const TERM_MS = 4_000
/** Renewed while the activation runs, so that the claim of a process that died expires soon. */
const CLAIM_MS = 6_000
const RENEW_MS = 2_000
/** How long a request waits for another activation of the same purchase. */
const BUSY_MS = 25_000
const POLL_MS = 150
/** Waiting requests poll the database, so each process limits them per account. */
export const WAITING_MAX = 5

function planOf(deps: Deps, bought: Pick<Subscription, 'externalId' | 'offerId' | 'planId'>): PlanChoice {
  const plan = findPlan(deps, bought)
  if (plan === null) throw refusals.unmappedPlan(bought.offerId, bought.planId, true)
  return plan
}

/** The view of an active subscription, null for a pending one; throws for one that cannot become active. */
function viewIfActive(subscription: Subscription): SubscriptionView | null {
  if (subscription.status === 'Suspended') throw refusals.suspended()
  if (subscription.status === 'Unsubscribed') throw refusals.cancelled()
  return subscription.status === 'Subscribed' ? viewOf(subscription) : null
}

/** An event applied in between wins. */
async function changePending({ store }: Deps, externalId: string, decide: Parameters<Deps['store']['change']>[1]) {
  const changed = await store.change(externalId, (known, nowMs) =>
    known.status === 'PendingFulfillmentStart' ? decide(known, nowMs) : null,
  )
  if (changed === null) throw refusals.noSuchSubscription()
  return changed
}

/** Fetches the reason why the marketplace did not confirm, and completes the activation if it happened before. */
async function recover(deps: Deps, answer: 'refused' | 'gone', externalId: string, deadline: AbortSignal) {
  const remote = await deps.provider.fetch(externalId, deadline)
  const status = remote?.status ?? null
  const reason = new Error(`The marketplace did not confirm subscription ${externalId}, which is ${status}`)
  // A single 404 may come from a gateway or be premature: only a reported status ends the purchase.
  if (!remote || status === null)
    throw answer === 'gone' ? refusals.marketplaceUnavailable(reason) : refusals.invalidResponse(reason)
  const isPending = status === 'PendingFulfillmentStart'
  const plan = isPending ? planOf(deps, remote) : findPlan(deps, remote)
  // Not a stale report, since it explains the refusal.
  const known = await changePending(deps, externalId, (row, nowMs) => ({
    ...changeFromRemote({ ...row, settledAt: null }, remote, plan, nowMs),
    settles: !isPending,
  }))
  // Either the response to an earlier confirmation was lost and the status lags, or plan or quantity were outdated here.
  if (known.status === 'PendingFulfillmentStart') throw refusals.marketplacePending(reason)
  return known
}

async function confirm(deps: Deps, subscription: Subscription): Promise<Subscription> {
  const { provider, choosePlan } = deps
  const { externalId, planId, quantity } = subscription
  // Throws before anything is billed.
  planOf(deps, subscription)
  const deadline = AbortSignal.timeout(CALL_MS)
  const answer = await provider.confirm({ externalId, planId, quantity }, deadline)
  if (answer !== 'confirmed') return await recover(deps, answer, externalId, deadline)
  return await changePending(deps, externalId, (known) => ({
    status: 'Subscribed',
    ...choosePlan(known.offerId, known.planId),
    settles: true,
  }))
}

/** The term begins with the activation, which does not depend on fetching it. */
async function withTerm(deps: Deps, subscription: Subscription): Promise<Subscription> {
  const { externalId } = subscription
  try {
    return (await refresh(deps, externalId, AbortSignal.timeout(TERM_MS))) ?? subscription
  } catch (error) {
    deps.log.warn({ err: error, subscriptionId: externalId }, 'Subscription activated, but its term could not be read')
    return subscription
  }
}

/** A conflict is thrown before the confirmation is sent. After any other failure the purchase may be billed. */
const isUnbilled = (error: unknown): boolean => error instanceof AppError && error.code === 'subscription_conflict'

async function activateClaimed(deps: Deps, subscription: Subscription, claim: string): Promise<SubscriptionView> {
  const { store, log } = deps
  const { externalId } = subscription
  const warn = (message: string) => (error: unknown) => log.warn({ err: error, subscriptionId: externalId }, message)
  // If it is lost to another request, the marketplace refuses the second confirmation, and the state is fetched.
  let renewed: Promise<unknown> = Promise.resolve()
  const renewing = setInterval(() => {
    renewed = renewed.then(() => store.renewClaim(externalId, claim, CLAIM_MS)).catch(warn('Failed to renew claim'))
  }, RENEW_MS)
  let isCertain = false
  try {
    const confirmed = await confirm(deps, subscription).catch((error) => {
      isCertain = isUnbilled(error)
      throw error
    })
    isCertain = true
    const view = viewIfActive(confirmed)
    if (view === null) throw refusals.invalidResponse(new Error(`Subscription ${externalId} did not become active`))
    log.info({ subscriptionId: externalId, plan: confirmed.planKey }, 'Subscription activated')
    return viewIfActive(await withTerm(deps, confirmed)) ?? view
  } finally {
    clearInterval(renewing)
    await renewed
    const end = isCertain ? store.release : store.leaveInDoubt
    await end(externalId, claim).catch(warn('Failed to release claim; it will expire'))
  }
}

/** Two purchases of an account must not both be billed, so one left in doubt is checked with the marketplace first. */
async function claimExclusively(deps: Deps, externalId: string, accountId: string, claim: string) {
  for (;;) {
    const claimed = await deps.store.claim(externalId, accountId, claim, CLAIM_MS)
    if (typeof claimed === 'string' || !('doubtful' in claimed)) return claimed
    await refresh(deps, claimed.doubtful, AbortSignal.timeout(CALL_MS))
    await deps.store.release(claimed.doubtful, claimed.by)
  }
}

/** Null while another request activates the same purchase, perhaps on another replica. */
async function tryToActivate(deps: Deps, accountId: string, externalId: string): Promise<SubscriptionView | null> {
  const found = await deps.store.find(externalId)
  // The same answer for another account's purchase, so that ids cannot be probed.
  if (found?.accountId !== accountId) throw refusals.noSuchSubscription()
  const view = viewIfActive(found)
  if (view !== null) return view
  const claim = newId()
  const claimed = await claimExclusively(deps, externalId, accountId, claim)
  if (claimed === 'occupied') throw refusals.alreadySubscribed()
  return claimed === 'busy' ? null : await activateClaimed(deps, claimed, claim)
}

export function createActivate(deps: Deps) {
  const waiting = createSemaphore({
    runningMax: Infinity,
    perKeyMax: WAITING_MAX,
    refusal: refusals.tooManyActivations,
  })

  return async (accountId: string, subscriptionId: string): Promise<SubscriptionView> => {
    const externalId = subscriptionId.toLowerCase()
    const giveUpAt = Date.now() + BUSY_MS
    const view = await tryToActivate(deps, accountId, externalId)
    if (view !== null) return view
    const waitForOther = async () => {
      while (Date.now() <= giveUpAt) {
        await sleep(POLL_MS)
        const result = await tryToActivate(deps, accountId, externalId)
        if (result !== null) return result
      }
      throw refusals.activationRunning()
    }
    return await waiting.run(waitForOther, { keys: [accountId] })
  }
}
