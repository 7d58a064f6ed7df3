/** A subscription, its states, and the transition that each event causes. Pure. */

export const STATUSES = ['PendingFulfillmentStart', 'Subscribed', 'Suspended', 'Unsubscribed'] as const
export type Status = (typeof STATUSES)[number]

const [P, S, U, X] = STATUSES

/** Each concern is ordered on its own, so that a newer renewal does not make a suspension late. */
export type Concern = 'status' | 'plan' | 'quantity'

interface EventRule {
  /** The next status, by the current one: pending, Subscribed, Suspended. Null: the event has no effect. */
  next: readonly (Status | null)[]
  /** Orders the event among earlier ones; null for events without an order. */
  concern: Concern | null
  canBeLate: boolean
  /** The state of the subscription that shows the effect of the event, where it is independent of the event's data. */
  evidence: Status | 'new term' | null
  /** The answers that the marketplace may wait for: our consent, or any decision. Null if it never waits. */
  answer: 'accept' | 'any' | null
}

export const EVENT_RULES = {
  // A late activation event does not settle the missing payment of a suspended subscription.
  activated: { next: [S, S, null], concern: 'status', canBeLate: true, evidence: S, answer: null },
  plan_changed: { next: [P, S, U], concern: 'plan', canBeLate: true, evidence: null, answer: 'any' },
  quantity_changed: { next: [P, S, U], concern: 'quantity', canBeLate: true, evidence: null, answer: 'any' },
  renewed: { next: [null, S, U], concern: null, canBeLate: false, evidence: 'new term', answer: null },
  suspended: { next: [U, U, U], concern: 'status', canBeLate: true, evidence: U, answer: null },
  // Only an active subscription can be reinstated: we missed the activation of a pending one.
  reinstated: { next: [S, S, S], concern: 'status', canBeLate: true, evidence: S, answer: 'accept' },
  // Final, whenever the notification arrives.
  cancelled: { next: [X, X, X], concern: 'status', canBeLate: false, evidence: X, answer: null },
} satisfies Readonly<Record<string, EventRule>>

export type EventKind = keyof typeof EVENT_RULES

/** A plan of the marketplace, and our plan for it. */
export interface PlanChoice {
  planId: string
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
  /** The marketplace's timestamp of the newest event applied; 0 if no event had one, null without events. */
  eventAt: Readonly<Record<Concern, number | null>>
}

export const isAnswered = (kind: EventKind): boolean => EVENT_RULES[kind].answer !== null
export const isRefusable = (kind: EventKind): boolean => EVENT_RULES[kind].answer === 'any'

/** Unsubscribed is final: the customer has to buy again. */
export const nextStatus = (status: Status, event: EventKind): Status | null =>
  EVENT_RULES[event].next[STATUSES.indexOf(status)] ?? null

export const isLive = (status: Status): boolean => status !== 'Unsubscribed'

/** The plan applies only while the subscription is Subscribed. */
export const planInForce = ({ status, planKey }: Pick<Subscription, 'status' | 'planKey'>): string | null =>
  status === 'Subscribed' ? planKey : null

/** After a change, the marketplace may keep reporting the old state for minutes. */
export const SETTLING_MS = 15 * 60 * 1000

/** How soon the marketplace is asked again about a subscription whose state is new or in doubt. */
export const RECHECK_MS = 60_000

export const isSettling = (settledAt: number | null, nowMs: number): boolean =>
  settledAt !== null && nowMs - settledAt < SETTLING_MS

/** The state to keep when the marketplace reports `remote` for a subscription that we hold as `known`. */
export function statusFromRemote(
  { status: known, eventAt }: Pick<Subscription, 'status' | 'eventAt'>,
  remote: Status | null,
  settling: boolean,
): Status {
  // An unknown state neither grants nor revokes access.
  if (remote === null || known === 'Unsubscribed') return known
  if (remote === 'Unsubscribed') return remote
  // Without a status event the subscription was pending before, so a reported suspension cannot be an old state.
  const isNew = known === 'Subscribed' && remote === 'Suspended' && eventAt.status === null
  if (settling && !isNew) return known
  // A suspended subscription cannot become a new purchase again.
  return remote === 'PendingFulfillmentStart' && known === 'Suspended' ? known : remote
}
