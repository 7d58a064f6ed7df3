/** Links the purchase behind a landing-page token to the buyer's account. */
import { invalidField } from '#base/errors.ts'
import { type Deps, findPlan, refresh } from './refresh.ts'
import { alreadySubscribed, invalidResponse, ofAnotherAccount, unknownPurchase, unmappedPlan } from './refusals.ts'
import { isLive, type PlanChoice, type Purchase, type Subscription } from './state.ts'
import type { Linked } from './store.ts'
import { type SubscriptionView, viewOf } from './subscription.ts'

const CALL_MS = 20_000
/** Longer than it takes to resolve and link a purchase. */
const EARLY_EVENTS_MS = 60_000
/** The token goes into a header: visible ASCII only. */
const VISIBLE = /^[\x21-\x7e]+$/

/** Decodes the token exactly once: it arrives encoded, half decoded or plain. A space is a `+` decoded as form data. */
export function readLandingToken(given: string): string {
  // Spaces stay, because a token may begin or end with a plus sign.
  const trimmed = given.replace(/(?<![\r\n\t])[\r\n\t]+$/, '')
  let token = ''
  try {
    token = decodeURIComponent(trimmed).replaceAll(' ', '+')
  } catch {
    // Rejected below.
  }
  // Tokens are base64, so a remaining percent sign means that the token was encoded twice.
  if (VISIBLE.test(token) && !token.includes('%')) return token
  throw invalidField('token', 'is not a marketplace token: send the value of "token" in the landing page URL')
}

function assertLinked(linked: Linked, { offerId, planId, status }: Purchase, plan: PlanChoice | null): Subscription {
  if (linked === 'taken') throw ofAnotherAccount()
  if (linked === 'occupied') throw alreadySubscribed()
  if (linked === 'unmapped' || (plan === null && isLive(linked.status)))
    throw unmappedPlan(offerId, planId, status === 'PendingFulfillmentStart')
  return linked
}

export async function resolve(deps: Deps, accountId: string, givenToken: string): Promise<SubscriptionView> {
  const { store, provider } = deps
  const deadline = AbortSignal.timeout(CALL_MS)
  const found = await provider.resolve(readLandingToken(givenToken), deadline)
  if (found === null) throw unknownPurchase()
  const { externalId } = found
  // Events received before the link could not be applied, and may be newer than this response.
  const earlyEvents = await store.countEarly(externalId, EARLY_EVENTS_MS)
  const purchase = (earlyEvents > 0 ? await provider.fetch(externalId, deadline) : null) ?? found
  const { status } = purchase
  if (status === null) throw invalidResponse(new Error(`Subscription ${externalId} is in an unknown state`))
  const plan = findPlan(deps, purchase)
  const subscription = assertLinked(await store.link(accountId, { ...purchase, status }, plan), purchase, plan)
  const hasNewEvents = (await store.countEarly(externalId, EARLY_EVENTS_MS)) > earlyEvents
  return viewOf((hasNewEvents ? await refresh(deps, externalId, deadline) : null) ?? subscription)
}
