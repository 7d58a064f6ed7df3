/** A subscription as we know it, what changes it, and what of it is shown. Pure. */
import type { Notice, Operation, Purchase } from './ports.ts'
import { type EventKind, isSettling, nextStatus, type Status, statusByTruth } from './state.ts'

/** What an event is about. Each has an order of its own: a renewal that is heard of first makes no suspension old. */
export type Concern = 'status' | 'plan' | 'quantity'

const CONCERN: Readonly<Record<EventKind, Concern | null>> = {
  activated: 'status',
  plan_changed: 'plan',
  quantity_changed: 'quantity',
  renewed: null,
  suspended: 'status',
  reinstated: 'status',
  cancelled: 'status',
}

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
  /** The marketplace's own time of the newest event that was applied. */
  eventAt: Readonly<Record<Concern, number | null>>
}

/** What is to be written; a field that is absent stays as it is. */
export type Change = Partial<
  Pick<
    Subscription,
    'status' | 'planId' | 'quantity' | 'freeTrial' | 'autoRenew' | 'termStart' | 'termEnd' | 'beneficiaryEmail'
  > & {
    /** Null: none that we know, so that it gives no plan. */
    planKey: string | null
    eventAt: Partial<Record<Concern, number>>
    /** An activation or an event did it, so that a stale answer must not undo it. */
    settles: boolean
  }
>

export interface PlanChoice {
  planId: string
  planKey: string
}

/** Null for what is not on the map. */
export type ChoosePlan = (offerId: string, planId: string) => PlanChoice | null

/** What the marketplace says of it beside its state and plan. What it leaves out is kept. */
function details(truth: Purchase): Change {
  return {
    freeTrial: truth.freeTrial,
    autoRenew: truth.autoRenew,
    ...(truth.termStart !== null && { termStart: truth.termStart }),
    ...(truth.termEnd !== null && { termEnd: truth.termEnd }),
    ...(truth.beneficiaryEmail !== null && { beneficiaryEmail: truth.beneficiaryEmail }),
  }
}

/** Nobody is given a plan anew that is not on the map now; who has it keeps it, for the map may be what is wrong. */
function planWith(known: Subscription, status: Status, plan: PlanChoice | null): Change {
  if (plan !== null) return plan
  return status === 'Subscribed' && known.status !== 'Subscribed' ? { planKey: null } : {}
}

/** After the marketplace was asked how things are. `plan` is null when we do not know the plan that it names. */
export function changeByTruth(known: Subscription, truth: Purchase, plan: PlanChoice | null, nowMs: number): Change {
  const settling = isSettling(known.settledAt, nowMs)
  const status = statusByTruth(known.status, truth.status, settling)
  return {
    ...details(truth),
    status,
    // An activation that we hear of in this way is as new as one of our own, and other answers may lag behind it.
    ...(known.status === 'PendingFulfillmentStart' && status === 'Subscribed' && { settles: true }),
    ...(!settling && planWith(known, status, plan)),
    ...(!settling && truth.quantity !== null && { quantity: truth.quantity }),
  }
}

export interface ConfirmedEvent {
  kind: Exclude<Notice['kind'], 'unknown'>
  atMs: Operation['atMs']
  quantity: Operation['quantity']
  /** For a change of plan. */
  plan: PlanChoice | null
  /** Until we answer, the subscription is not yet as the event says. */
  isOpen: boolean
}

export type EventEffect = { outcome: 'applied'; change: Change } | { outcome: 'unchanged' | 'superseded' }

/** Whether the subscription is now as the event says, whatever else happened since. */
function isStillTrue(known: Subscription, { kind, plan, quantity }: ConfirmedEvent, truth: Purchase | null): boolean {
  if (truth === null) return false
  if (kind === 'plan_changed') return truth.planId === plan?.planId
  if (kind === 'quantity_changed') return quantity !== null && truth.quantity === quantity
  return truth.status !== null && truth.status === nextStatus(known.status, kind)
}

const STATUS_AFTER: Readonly<Partial<Record<EventKind, Status>>> = {
  activated: 'Subscribed',
  suspended: 'Suspended',
  reinstated: 'Subscribed',
  cancelled: 'Unsubscribed',
}

/** Whether the subscription itself is as it would be after something that the marketplace is still about to do. */
export function isBorneOut(kind: EventKind, known: Subscription | null, truth: Purchase | null): boolean {
  if (truth === null) return false
  if (kind === 'renewed') return known !== null && truth.termEnd !== null && truth.termEnd !== known.termEnd
  return truth.status !== null && truth.status === STATUS_AFTER[kind]
}

/** Whether the marketplace says that the subscription is otherwise. */
function isContradicted(known: Subscription, event: ConfirmedEvent, truth: Purchase | null): boolean {
  const { kind, plan, quantity, isOpen } = event
  if (truth === null || isOpen) return false
  if (kind === 'plan_changed') return truth.planId !== plan?.planId
  if (kind === 'quantity_changed') return truth.quantity !== null && truth.quantity !== quantity
  return truth.status !== null && truth.status !== nextStatus(known.status, kind)
}

/**
 * Something newer about the same was applied already, and the marketplace does not say that this one counts. When it
 * happened may not be known: then what the marketplace says is taken for the newer.
 */
export function isLate(known: Subscription, event: ConfirmedEvent, truth: Purchase | null): boolean {
  const concern = CONCERN[event.kind]
  // A cancellation is final whenever it is heard of.
  if (concern === null || event.kind === 'cancelled') return false
  if (event.atMs === null) return isContradicted(known, event, truth)
  const newest = known.eventAt[concern]
  const isOlder = newest !== null && event.atMs < newest
  return isOlder && !isStillTrue(known, event, truth)
}

/** It was activated, and is not active: nothing is paid for. */
const isEmptyPromise = (known: Subscription, { kind }: ConfirmedEvent, truth: Purchase | null): boolean =>
  kind === 'activated' && known.status === 'PendingFulfillmentStart' && truth?.status !== 'Subscribed'

/** A time that is yet to come would make everything until then look old. */
function newestAt(known: Subscription, concern: Concern, atMs: number | null, nowMs: number): Change {
  return atMs === null ? {} : { eventAt: { [concern]: Math.max(known.eventAt[concern] ?? 0, Math.min(atMs, nowMs)) } }
}

/** After an event that the marketplace confirmed. `truth` is what it says of the subscription besides, if anything. */
export function changeByEvent(
  known: Subscription,
  event: ConfirmedEvent,
  truth: Purchase | null,
  nowMs: number,
  choosePlan: ChoosePlan,
): EventEffect {
  const { kind } = event
  if (isLate(known, event, truth) || isEmptyPromise(known, event, truth)) return { outcome: 'superseded' }
  const next = nextStatus(known.status, kind)
  if (next === null) return { outcome: 'unchanged' }
  const concern = CONCERN[kind]
  const status = truth?.status === 'Unsubscribed' ? 'Unsubscribed' : next
  const change: Change = {
    ...(truth && details(truth)),
    status,
    ...(status === 'Subscribed' && planWith(known, status, choosePlan(known.offerId, known.planId))),
    ...(concern !== null && { settles: true, ...newestAt(known, concern, event.atMs, nowMs) }),
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
