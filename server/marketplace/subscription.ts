/** The changes that a report or an event of the marketplace makes to a subscription, and the public view of it. Pure. */
import { type ConfirmedEvent, isLate, isUnpaidActivation } from './lateness.ts'
import {
  type ChoosePlan,
  type Concern,
  EVENT_RULES,
  isSettling,
  nextStatus,
  type PlanChoice,
  type Purchase,
  type Status,
  type Subscription,
  statusFromRemote,
} from './state.ts'

/** The fields to write; an absent one keeps its value. */
export type Change = Partial<
  Omit<Subscription, 'id' | 'externalId' | 'accountId' | 'offerId' | 'planKey' | 'settledAt' | 'eventAt'> & {
    /** Null: not in the plan map, so the account gets no plan. */
    planKey: string | null
    eventAt: Partial<Record<Concern, number>>
    /** Set by activations and events: a stale report must not undo them. */
    settles: boolean
  }
>

/** Everything but state and plan. A field that the marketplace omits keeps its value. */
function detailsOf(remote: Purchase): Change {
  return {
    freeTrial: remote.freeTrial,
    autoRenew: remote.autoRenew,
    ...(remote.termStart !== null && { termStart: remote.termStart }),
    ...(remote.termEnd !== null && { termEnd: remote.termEnd }),
    ...(remote.beneficiaryEmail !== null && { beneficiaryEmail: remote.beneficiaryEmail }),
  }
}

/** An unmapped plan is never newly granted, but not revoked either: the plan map may be what is wrong. */
function planChange(known: Subscription, status: Status, plan: PlanChoice | null): Change {
  if (plan !== null) return plan
  return status === 'Subscribed' && known.status !== 'Subscribed' ? { planKey: null } : {}
}

/** The change after fetching the subscription. `plan` is null if the plan map lacks the reported plan. */
export function changeFromRemote(
  known: Subscription,
  remote: Purchase,
  plan: PlanChoice | null,
  nowMs: number,
): Change {
  const settling = isSettling(known.settledAt, nowMs)
  // Plan and quantity of a report cannot lag behind an event that never happened.
  const mayLag = (concern: Concern) => settling && known.eventAt[concern] !== null
  const status = statusFromRemote(known, remote.status, settling)
  return {
    ...detailsOf(remote),
    status,
    // An activation found this way is as recent as one of our own, and later reports may lag behind it.
    ...(known.status === 'PendingFulfillmentStart' && status === 'Subscribed' && { settles: true }),
    ...(!mayLag('plan') && planChange(known, status, plan)),
    ...(!mayLag('quantity') && remote.quantity !== null && { quantity: remote.quantity }),
  }
}

type EventEffect = { outcome: 'applied'; change: Change } | { outcome: 'unchanged' | 'superseded' }

/** A timestamp in the future counts as now; otherwise it would make every event until then late. */
function newestAt(known: Subscription, concern: Concern, atMs: number | null, nowMs: number): Change {
  return { eventAt: { [concern]: Math.max(known.eventAt[concern] ?? 0, Math.min(atMs ?? 0, nowMs)) } }
}

/** The change after an event that the marketplace confirmed. `remote` is the subscription as it reports it, if it does. */
export function changeFromEvent(
  known: Subscription,
  event: ConfirmedEvent,
  remote: Purchase | null,
  nowMs: number,
  choosePlan: ChoosePlan,
): EventEffect {
  const { kind } = event
  if (isLate(known, event, remote) || isUnpaidActivation(known, event, remote)) return { outcome: 'superseded' }
  const next = nextStatus(known.status, kind)
  if (next === null) return { outcome: 'unchanged' }
  const { concern } = EVENT_RULES[kind]
  const status = remote?.status === 'Unsubscribed' ? 'Unsubscribed' : next
  const change: Change = {
    ...(remote && detailsOf(remote)),
    status,
    ...(status === 'Subscribed' && planChange(known, status, choosePlan(known.offerId, known.planId))),
    ...(concern !== null && { settles: true, ...newestAt(known, concern, event.atMs, nowMs) }),
    ...(kind === 'plan_changed' && event.plan),
    ...(kind === 'quantity_changed' && event.quantity !== null && { quantity: event.quantity }),
  }
  return { outcome: 'applied', change }
}

const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export function viewOf(subscription: Subscription) {
  const { status, offerId, planKey, freeTrial, autoRenew, beneficiaryEmail } = subscription
  // A pending purchase has no term, even if the marketplace reports one.
  const hasTerm = status !== 'PendingFulfillmentStart'
  return {
    subscriptionId: subscription.externalId,
    offerId,
    marketplacePlanId: subscription.planId,
    planKey,
    status,
    freeTrial,
    autoRenew,
    termStart: hasTerm ? isoTime(subscription.termStart) : null,
    termEnd: hasTerm ? isoTime(subscription.termEnd) : null,
    beneficiaryEmail,
  }
}

export type SubscriptionView = ReturnType<typeof viewOf>
