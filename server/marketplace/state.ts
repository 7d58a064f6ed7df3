/** The states of a subscription, and what each event makes of each state. Pure. */

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

/** Kinds that the marketplace may hold until we answer. */
const ANSWERED: ReadonlySet<EventKind> = new Set(['plan_changed', 'quantity_changed', 'reinstated'])

export const isAnswered = (kind: EventKind): boolean => ANSWERED.has(kind)

/** Null: the event means nothing in this state, and changes nothing. */
const NEXT: Record<Status, Record<EventKind, Status | null>> = {
  PendingFulfillmentStart: {
    activated: 'Subscribed',
    plan_changed: 'PendingFulfillmentStart',
    quantity_changed: 'PendingFulfillmentStart',
    renewed: null,
    suspended: 'Suspended',
    // Only what was active can be reinstated: we missed that it was.
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
    // A late notice of the first activation pays no bill.
    activated: null,
    plan_changed: 'Suspended',
    quantity_changed: 'Suspended',
    renewed: 'Suspended',
    suspended: 'Suspended',
    reinstated: 'Subscribed',
    cancelled: 'Unsubscribed',
  },
  // Final: the marketplace sells anew instead.
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

/** The first three: there is something to activate, to use or to pay. */
export const isLive = (status: Status): boolean => status !== 'Unsubscribed'

/** The plan applies only while it is Subscribed. */
export const planInForce = <T extends string | null>(status: Status, planKey: string, otherwise: T): string | T =>
  status === 'Subscribed' ? planKey : otherwise

/** After a change, the marketplace may go on telling the old state for minutes. */
export const SETTLING_MS = 15 * 60 * 1000

export const isSettling = (settledAt: number | null, nowMs: number): boolean =>
  settledAt !== null && nowMs - settledAt < SETTLING_MS

/** What an answer of the marketplace about the present makes of the state that we know. */
export function statusByTruth(known: Status, truth: Status | null, settling: boolean): Status {
  // A word that we do not know neither gives access nor takes it away.
  if (truth === null || known === 'Unsubscribed') return known
  if (truth === 'Unsubscribed') return truth
  if (settling) return known
  // What was suspended is not for sale again.
  return truth === 'PendingFulfillmentStart' && known === 'Suspended' ? known : truth
}
