/** Decision tables: does an event count, given the events applied so far and the state the marketplace reports? Pure. */
import type { Operation } from './ports.ts'
import {
  EVENT_RULES,
  type EventKind,
  isAnswered,
  nextStatus,
  type PlanChoice,
  type Purchase,
  type Subscription,
} from './state.ts'

export interface ConfirmedEvent {
  kind: EventKind
  /** The marketplace's timestamp. */
  atMs: Operation['atMs']
  quantity: Operation['quantity']
  /** For a change of plan. */
  plan: PlanChoice | null
  /** The marketplace waits for our acknowledgement, so the subscription does not show the event yet. */
  isOpen: boolean
}

/** The event compared with the newest one applied to the same concern. */
type Age = 'newest' | 'older' | 'undated'
/** The state that the marketplace reports, compared with the state after the event. */
type Agreement = 'agrees' | 'differs' | 'silent'

/** An older event counts only if it is still true; an undated one unless the marketplace says otherwise. */
const LATE: Readonly<Record<Age, Readonly<Record<Agreement, boolean>>>> = {
  newest: { agrees: false, differs: false, silent: false },
  older: { agrees: false, differs: true, silent: true },
  undated: { agrees: false, differs: true, silent: false },
}

function ageOf({ atMs }: ConfirmedEvent, newestMs: number | null): Age {
  if (atMs === null) return 'undated'
  return newestMs !== null && atMs < newestMs ? 'older' : 'newest'
}

function reportOn(known: Subscription, event: ConfirmedEvent, remote: Purchase | null): Agreement {
  const pairs = {
    plan: [remote?.planId, event.plan?.planId],
    quantity: [remote?.quantity, event.quantity],
    status: [remote?.status, nextStatus(known.status, event.kind)],
  }
  const [reported = null, expected] = pairs[EVENT_RULES[event.kind].concern ?? 'status']
  if (reported === null) return 'silent'
  if (reported === expected) return 'agrees'
  return event.isOpen ? 'silent' : 'differs'
}

/** A newer event of the same concern was applied, and the marketplace does not report this one as current. */
export function isLate(known: Subscription, event: ConfirmedEvent, remote: Purchase | null): boolean {
  const { concern, canBeLate } = EVENT_RULES[event.kind]
  if (concern === null || !canBeLate) return false
  return LATE[ageOf(event, known.eventAt[concern])][reportOn(known, event, remote)]
}

/** The subscription already shows the effect of an operation that the marketplace has not finished. */
function hasTakenEffect(kind: EventKind, known: Subscription | null, remote: Purchase | null): boolean {
  const { evidence } = EVENT_RULES[kind]
  if (remote === null || evidence === null) return false
  if (evidence === 'new term') return known !== null && remote.termEnd !== null && remote.termEnd !== known.termEnd
  return remote.status === evidence
}

/** An activation of a pending subscription counts only once the marketplace reports the subscription as active. */
const isActivationOf = (known: Subscription | null, kind: EventKind): boolean =>
  kind === 'activated' && known?.status === 'PendingFulfillmentStart'

/** The operation may still come to nothing, so the marketplace has to notify us again later. */
export function isUnfinished(
  { kind, stage }: { kind: EventKind; stage: Operation['stage'] },
  known: Subscription | null,
  remote: Purchase | null,
): boolean {
  const remoteStatus = remote?.status ?? 'PendingFulfillmentStart'
  if (isActivationOf(known, kind) && remoteStatus === 'PendingFulfillmentStart') return true
  return stage === 'waiting' && !isAnswered(kind) && !hasTakenEffect(kind, known, remote)
}

/** The activation was followed by a suspension or cancellation, or the marketplace does not report it: nothing is paid. */
export const isUnpaidActivation = (known: Subscription, { kind }: ConfirmedEvent, remote: Purchase | null): boolean =>
  isActivationOf(known, kind) && remote?.status !== 'Subscribed'
