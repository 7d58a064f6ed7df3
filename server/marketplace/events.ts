/** The marketplace's story: what it tells us is confirmed with it, applied once, and kept with what was done. */
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { lookUntilFound } from './look-again.ts'
import type { Outcome } from './outcome.ts'
import type { Notice, Operation, Provider, Purchase } from './ports.ts'
import type { Refresh } from './refresh.ts'
import { marketplaceNonsense, marketplaceSlow } from './refusals.ts'
import { type EventKind, isAnswered, nextStatus } from './state.ts'
import type { SubscriptionStore } from './store.ts'
import {
  type ChoosePlan,
  type ConfirmedEvent,
  changeByEvent,
  isBorneOut,
  isLate,
  type Subscription,
} from './subscription.ts'

/** The marketplace waits 10 seconds. What is left is for the way back. */
export const NOTICE_MS = 8_000

/** Of those that it holds until we answer, the ones that it lets us refuse. */
const REFUSABLE: ReadonlySet<EventKind> = new Set(['plan_changed', 'quantity_changed'])

export interface EventsOptions {
  store: SubscriptionStore
  provider: Provider
  choosePlan: ChoosePlan
  refresh: Refresh
  log: Log
}

type KnownOperation = Operation & Pick<ConfirmedEvent, 'kind'>

export type Events = ReturnType<typeof createEvents>

const refused = (detail: string): AppError => new AppError('invalid_request', detail)

/** Of what the call says, only what the operation says too can be believed: above all the plan. */
function isSame(notice: Notice, { kind, planId }: Operation): boolean {
  if (kind !== notice.kind || (kind === 'plan_changed' && planId === null)) return false
  return notice.planId === null || planId === null || notice.planId === planId
}

/** It is still to be activated, as far as the marketplace says anything. */
const waits = (truth: Purchase | null): boolean =>
  (truth?.status ?? 'PendingFulfillmentStart') === 'PendingFulfillmentStart'

export function createEvents({ store, provider, choosePlan, refresh, log }: EventsOptions) {
  /** The same notice many times at once is worked on once. */
  const underway = new Map<string, Promise<Outcome>>()

  /** What the marketplace itself says about the operation, if that is what the notice says. */
  async function confirmed(notice: Notice, deadline: AbortSignal): Promise<Operation> {
    const { operationId, externalId } = notice
    const operation = await lookUntilFound(() => provider.operation(externalId, operationId, deadline), deadline)
    if (operation !== null && isSame(notice, operation)) return operation
    await store.record({ notice, outcome: 'unconfirmed', dedupe: `unconfirmed:${operationId}:${externalId}` })
    log.warn(
      { operationId, subscriptionId: externalId },
      'The marketplace does not confirm an operation that we were told of',
    )
    throw refused('The marketplace does not confirm this operation. Nothing was changed.')
  }

  async function answer(operation: KnownOperation, accept: boolean, deadline: AbortSignal) {
    const { kind } = operation
    if (!(accept ? isAnswered(kind) : REFUSABLE.has(kind)) || operation.stage !== 'waiting') return 'done'
    return await provider.acknowledge(operation, accept, deadline)
  }

  /**
   * After the marketplace did not take our word: it may have it already, from an answer of ours that was lost, or from
   * another replica. False when it went on to something newer, of which we shall hear too.
   */
  async function isDone({ externalId, operationId }: Notice, deadline: AbortSignal): Promise<boolean> {
    const now = await provider.operation(externalId, operationId, deadline)
    if (now?.stage === 'waiting')
      throw marketplaceNonsense(new Error(`Operation ${operationId} waits for an answer, and does not take ours`))
    return now?.stage === 'done'
  }

  /** A change to a plan that we do not sell. It counts as refused only when the marketplace has taken our word. */
  async function refuse(operation: KnownOperation, deadline: AbortSignal): Promise<Outcome> {
    const { externalId, operationId, planId } = operation
    const isTaken = operation.stage === 'waiting' && (await answer(operation, false, deadline)) === 'done'
    const now = isTaken ? null : await provider.operation(externalId, operationId, deadline)
    if (now?.stage === 'waiting') throw marketplaceSlow(new Error(`Operation ${operationId} does not take our refusal`))
    const details = { planId, operationId, subscriptionId: externalId }
    if (now?.stage === 'done') {
      log.error(details, 'A subscription went on to a plan that we do not sell: DOCVET_MARKETPLACE_PLANS lacks it')
      return 'unmapped'
    }
    if (isTaken) log.error(details, 'A change to a plan that we do not sell is refused')
    return isTaken ? 'refused' : 'void'
  }

  const settle = (notice: Notice, outcome: Outcome): Promise<Outcome> => store.changeOnce(notice, () => ({ outcome }))

  /** A buyer may have brought it while we looked in vain, too early to see that we were told. */
  async function lookAgain(externalId: string, deadline: AbortSignal): Promise<void> {
    if ((await store.find(externalId)) === null) return
    await refresh(externalId, deadline).catch((error) =>
      log.warn({ err: error, subscriptionId: externalId }, 'An event is left to the next comparison of all'),
    )
  }

  /** What is only under way, and not for us to decide, may still come to nothing: it is to be told again. */
  function assertFact(operation: KnownOperation, known: Subscription | null, truth: Purchase | null): void {
    const { kind, stage, operationId } = operation
    const isOpen = stage === 'waiting' && !isAnswered(kind)
    // Whoever is given a plan by us pays for it: that it was activated, the subscription must say too.
    const isPromise = kind === 'activated' && known?.status === 'PendingFulfillmentStart' && waits(truth)
    if ((!isOpen || isBorneOut(kind, known, truth)) && !isPromise) return
    throw marketplaceSlow(new Error(`Operation ${operationId} (${kind}) is not finished`))
  }

  /** What it changes here, once. */
  async function follow(notice: Notice, event: ConfirmedEvent, truth: Purchase | null): Promise<Outcome> {
    let givesNone = false
    const outcome = await store.changeOnce(notice, (now, nowMs) => {
      if (now === null) return { outcome: 'unknown_subscription' }
      const effect = changeByEvent(now, event, truth, nowMs, choosePlan)
      givesNone = effect.outcome === 'applied' && effect.change.planKey === null
      return effect
    })
    if (givesNone) log.error({ subscriptionId: notice.externalId }, 'A subscription is on a plan that we do not know')
    return outcome
  }

  function eventOf(notice: Notice, operation: KnownOperation, offerId = ''): ConfirmedEvent {
    const { kind, planId, quantity, stage } = operation
    const plan = kind === 'plan_changed' ? choosePlan(offerId, planId ?? '') : null
    return { kind, plan, quantity, atMs: operation.atMs ?? notice.atMs, isOpen: stage === 'waiting' }
  }

  /** A change that we shall not follow must not happen there either. Null: it can be followed. */
  async function decline(
    operation: KnownOperation,
    event: ConfirmedEvent,
    { known, truth }: { known: Subscription | null; truth: Purchase | null },
    deadline: AbortSignal,
  ): Promise<Outcome | null> {
    // What cannot be refused is answered as ever, and changes nothing here.
    const isOver = known !== null && REFUSABLE.has(event.kind) && nextStatus(known.status, event.kind) === null
    if (!isOver && event.kind === 'plan_changed' && event.plan === null) return await refuse(operation, deadline)
    if (known === null || !(isOver || isLate(known, event, truth))) return null
    await answer(operation, false, deadline)
    return isOver ? 'unchanged' : 'superseded'
  }

  async function apply(notice: Notice, operation: KnownOperation, deadline: AbortSignal): Promise<Outcome> {
    const { externalId } = operation
    const truth = await provider.fetch(externalId, deadline)
    const known = await store.find(externalId)
    assertFact(operation, known, truth)
    const event = eventOf(notice, operation, known?.offerId ?? truth?.offerId)
    const declined = await decline(operation, event, { known, truth }, deadline)
    if (declined !== null) return await settle(notice, declined)
    if ((await answer(operation, true, deadline)) === 'conflict' && !(await isDone(notice, deadline)))
      return await settle(notice, 'superseded')
    const outcome = await follow(notice, event, truth)
    if (outcome === 'unknown_subscription') await lookAgain(externalId, deadline)
    return outcome
  }

  /** Of a genuine call that does not say what it is about, at least that it came. */
  async function refuseNameless(notice: Notice): Promise<never> {
    const { operationId, externalId, action } = notice
    const dedupe = `nameless:${operationId}:${externalId}:${action}`
    await store.record({ notice, outcome: 'unconfirmed', dedupe })
    throw refused('The call names no operation and subscription: "id" and "subscriptionId".')
  }

  async function work(notice: Notice, deadline: AbortSignal): Promise<Outcome> {
    const { kind, operationId, externalId, action } = notice
    if (operationId === '' || externalId === '') return await refuseNameless(notice)
    if (kind === 'unknown') {
      log.warn(
        { action, operationId, subscriptionId: externalId },
        'The marketplace told of something that we do not know',
      )
      await store.record({ notice, outcome: 'unknown_action', dedupe: `unknown:${operationId}:${externalId}` })
      return 'unknown_action'
    }
    if ((await store.outcomeOf(notice)) !== null) return 'repeated'
    const operation = await confirmed(notice, deadline)
    if (operation.stage === 'void') return await settle(notice, 'void')
    return await apply(notice, { ...operation, kind }, deadline)
  }

  return {
    async receive(notice: Notice, deadline: AbortSignal): Promise<Outcome> {
      const name = `${notice.externalId} ${notice.operationId} ${notice.kind} ${notice.planId}`
      const running = underway.get(name)
      if (running) return await running
      const mine = work(notice, deadline).finally(() => underway.delete(name))
      underway.set(name, mine)
      const outcome = await mine
      const { operationId, externalId: subscriptionId, action } = notice
      log.info({ operationId, subscriptionId, action, outcome }, 'Marketplace event')
      return outcome
    },
  }
}
