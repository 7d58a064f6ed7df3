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

/** A subscription as the marketplace reports it. */
export interface Purchase {
  externalId: string
  offerId: string
  planId: string
  /** Null for plans without seats. */
  quantity: number | null
  /** Null for an unknown state. */
  status: Status | null
  freeTrial: boolean
  autoRenew: boolean
  /** Milliseconds since 1970. The end is the last paid day. */
  termStart: number | null
  termEnd: number | null
  beneficiaryEmail: string | null
}

/** A subscription as we hold it. */
export interface Subscription extends Purchase, PlanChoice {
  id: string
  accountId: string
  status: Status
  /** The time of the last activation or event that changed it. */
  settledAt: number | null
  /** The marketplace's timestamp of the newest event applied. */
  eventAt: Readonly<Record<Concern, number | null>>
}

/** Kinds that the marketplace may hold until we acknowledge them. */
const ANSWERED: ReadonlySet<EventKind> = new Set(['plan_changed', 'quantity_changed', 'reinstated'])

export const isAnswered = (kind: EventKind): boolean => ANSWERED.has(kind)

const [P, S, U, X] = STATUSES

/** The next status, by the current one: pending, Subscribed, Suspended. Null: the event has no effect. */
const NEXT: Readonly<Record<EventKind, readonly (Status | null)[]>> = {
  // A late activation event does not settle the missing payment of a suspended subscription.
  activated: [S, S, null],
  plan_changed: [P, S, U],
  quantity_changed: [P, S, U],
  renewed: [null, S, U],
  suspended: [U, U, U],
  // Only an active subscription can be reinstated: we missed the activation of a pending one.
  reinstated: [S, S, S],
  cancelled: [X, X, X],
}

/** Unsubscribed is final: the customer has to buy again. */
export const nextStatus = (status: Status, event: EventKind): Status | null =>
  NEXT[event][STATUSES.indexOf(status)] ?? null

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
