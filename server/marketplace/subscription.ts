/** A subscription as we know it, what changes it, and what of it is shown. Pure. */
import type { Notice, Operation, Purchase } from './ports.ts'
import { isSettling, nextStatus, type Status, statusByTruth } from './state.ts'

export interface Subscription {
  id: string
  externalId: string
  accountId: string
  offerId: string
  planId: string
  planKey: string
  quantity: number | null
  status: Status
  freeTrial: boolean
  autoRenew: boolean
  termStart: number | null
  termEnd: number | null
  beneficiaryEmail: string | null
  settledAt: number | null
  lastEventAt: number | null
}

/** What is to be written; a field that is absent stays as it is. */
export type Change = Partial<
  Pick<
    Subscription,
    | 'status'
    | 'planId'
    | 'planKey'
    | 'quantity'
    | 'freeTrial'
    | 'autoRenew'
    | 'termStart'
    | 'termEnd'
    | 'beneficiaryEmail'
    | 'lastEventAt'
  > & {
    raw: string
    /** An activation or an event did it, so that a stale answer must not undo it. */
    settles: boolean
  }
>

export interface PlanChoice {
  planId: string
  planKey: string
}

/** What the marketplace says of it beside its state and plan. What it leaves out is kept. */
function details(truth: Purchase): Change {
  return {
    freeTrial: truth.freeTrial,
    autoRenew: truth.autoRenew,
    ...(truth.termStart !== null && { termStart: truth.termStart }),
    ...(truth.termEnd !== null && { termEnd: truth.termEnd }),
    ...(truth.beneficiaryEmail !== null && { beneficiaryEmail: truth.beneficiaryEmail }),
    raw: truth.raw,
  }
}

/** After the marketplace was asked how things are. `plan` is null when we do not know the plan that it names. */
export function changeByTruth(known: Subscription, truth: Purchase, plan: PlanChoice | null, nowMs: number): Change {
  const settling = isSettling(known.settledAt, nowMs)
  return {
    ...details(truth),
    status: statusByTruth(known.status, truth.status, settling),
    ...(!settling && plan),
    ...(!settling && truth.quantity !== null && { quantity: truth.quantity }),
  }
}

export interface ConfirmedEvent {
  kind: Exclude<Notice['kind'], 'unknown'>
  atMs: Operation['atMs']
  quantity: Operation['quantity']
  /** For a change of plan. */
  plan: PlanChoice | null
}

export type EventEffect = { outcome: 'applied'; change: Change } | { outcome: 'unchanged' | 'superseded' }

/** After an event that the marketplace confirmed. `truth` is what it says of the subscription besides, if anything. */
export function changeByEvent(known: Subscription, event: ConfirmedEvent, truth: Purchase | null): EventEffect {
  const { kind, atMs } = event
  const late = atMs !== null && known.lastEventAt !== null && atMs < known.lastEventAt
  // Too late to matter, except that a cancellation is final whenever it is heard of.
  if (late && kind !== 'cancelled') return { outcome: 'superseded' }
  const next = nextStatus(known.status, kind)
  if (next === null) return { outcome: 'unchanged' }
  const change: Change = {
    ...(truth && details(truth)),
    status: truth?.status === 'Unsubscribed' ? 'Unsubscribed' : next,
    settles: true,
    lastEventAt: late ? known.lastEventAt : (atMs ?? known.lastEventAt),
    ...(kind === 'plan_changed' && event.plan),
    ...(kind === 'quantity_changed' && event.quantity !== null && { quantity: event.quantity }),
  }
  return { outcome: 'applied', change }
}

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export function viewOf(subscription: Subscription) {
  const { status } = subscription
  // Before it is activated there is no term, whatever the marketplace says.
  const begun = status !== 'PendingFulfillmentStart'
  return {
    subscriptionId: subscription.externalId,
    offerId: subscription.offerId,
    marketplacePlanId: subscription.planId,
    planKey: subscription.planKey,
    status,
    freeTrial: subscription.freeTrial,
    autoRenew: subscription.autoRenew,
    termStart: begun ? time(subscription.termStart) : null,
    termEnd: begun ? time(subscription.termEnd) : null,
    beneficiaryEmail: subscription.beneficiaryEmail,
  }
}

export type SubscriptionView = ReturnType<typeof viewOf>
