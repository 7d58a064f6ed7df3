/** A subscription, its states, and the transition that each event causes. Pure. */

export const STATUSES = ['PendingFulfillmentStart', 'Subscribed', 'Suspended', 'Unsubscribed'] as const
export type Status = (typeof STATUSES)[number]

export const EVENT_KINDS = [
  'activated',
  'plan_changed',
  'quantity_changed',
  'renewed',
  'suspended',
  'reinstated',
  'cancelled',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Each concern is ordered on its own, so that a newer renewal does not make a suspension late. */
export type Concern = 'status' | 'plan' | 'quantity'

export interface PlanChoice {
  /** The marketplace's plan. */
  planId: string
  /** Our plan for it. */
  planKey: string
}

/** Null for a plan that is not in the plan map. */
export type ChoosePlan = (offerId: string, planId: string) => PlanChoice | null

export interface Subscription extends PlanChoice {
  id: string
  externalId: string
  accountId: string
  offerId: string
  quantity: number | null
  status: Status
  freeTrial: boolean
  autoRenew: boolean
  termStart: number | null
  termEnd: number | null
  beneficiaryEmail: string | null
  /** The time of the last activation or event that changed it. */
  settledAt: number | null
  /** The marketplace's timestamp of the newest event applied. */
  eventAt: Readonly<Record<Concern, number | null>>
}

/** Kinds that the marketplace may hold until we acknowledge them. */
const ANSWERED: ReadonlySet<EventKind> = new Set(['plan_changed', 'quantity_changed', 'reinstated'])

export const isAnswered = (kind: EventKind): boolean => ANSWERED.has(kind)

/** Null: the event has no effect in this state. */
const NEXT: Record<Status, Record<EventKind, Status | null>> = {
  PendingFulfillmentStart: {
    activated: 'Subscribed',
    plan_changed: 'PendingFulfillmentStart',
    quantity_changed: 'PendingFulfillmentStart',
    renewed: null,
    suspended: 'Suspended',
    // Only an active subscription can be reinstated, so we missed its activation.
    reinstated: 'Subscribed',
    cancelled: 'Unsubscribed',
  },
  Subscribed: {
    activated: 'Subscribed',
    plan_changed: 'Subscribed',
    quantity_changed: 'Subscribed',
    renewed: 'Subscribed',
    suspended: 'Suspended',
    reinstated: 'Subscribed',
    cancelled: 'Unsubscribed',
  },
  Suspended: {
    // A late activation event does not settle the missing payment.
    activated: null,
    plan_changed: 'Suspended',
    quantity_changed: 'Suspended',
    renewed: 'Suspended',
    suspended: 'Suspended',
    reinstated: 'Subscribed',
    cancelled: 'Unsubscribed',
  },
  // Final: the customer has to buy again.
  Unsubscribed: {
    activated: null,
    plan_changed: null,
    quantity_changed: null,
    renewed: null,
    suspended: null,
    reinstated: null,
    cancelled: null,
  },
}

export const nextStatus = (status: Status, event: EventKind): Status | null => NEXT[status][event]

export const isLive = (status: Status): boolean => status !== 'Unsubscribed'

/** The plan applies only while the subscription is Subscribed. */
export const planInForce = <T extends string | null>(status: Status, planKey: string, otherwise: T): string | T =>
  status === 'Subscribed' ? planKey : otherwise

/** After a change, the marketplace may keep reporting the old state for minutes. */
export const SETTLING_MS = 15 * 60 * 1000

export const isSettling = (settledAt: number | null, nowMs: number): boolean =>
  settledAt !== null && nowMs - settledAt < SETTLING_MS

/** The state to keep when the marketplace reports `remote` for a subscription that we hold as `known`. */
export function statusFromRemote(known: Status, remote: Status | null, settling: boolean): Status {
  // An unknown state neither grants nor revokes access.
  if (remote === null || known === 'Unsubscribed') return known
  if (remote === 'Unsubscribed') return remote
  if (settling) return known
  // A suspended subscription cannot become a new purchase again.
  return remote === 'PendingFulfillmentStart' && known === 'Suspended' ? known : remote
}
