/** The marketplace's story: what it tells us is confirmed with it, applied once, and kept with what was done. */
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { lookUntilFound } from './look-again.ts'
import type { Outcome } from './outcome.ts'
import type { Notice, Operation, Provider, Purchase } from './ports.ts'
import type { Refresh } from './refresh.ts'
import { marketplaceNonsense, marketplaceSlow } from './refusals.ts'
import { type EventKind, isAnswered } from './state.ts'
import type { SubscriptionStore } from './store.ts'
import {
  type ChoosePlan,
  type ConfirmedEvent,
  changeByEvent,
  isBorneOut,
  isLate,
  type PlanChoice,
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
    const isSame =
      operation !== null &&
      operation.kind === notice.kind &&
      (notice.planId === null || operation.planId === null || notice.planId === operation.planId)
    if (isSame) return operation
    await store.record({ notice, outcome: 'unconfirmed', dedupe: `unconfirmed:${operationId}:${externalId}` })
    log.warn(
      { operationId, subscriptionId: externalId },
      'The marketplace does not confirm an operation that we were told of',
    )
    throw refused('The marketplace does not confirm this operation. Nothing was changed.')
  }

  /** The plan that is asked for. Null: we do not sell it. */
  function planFor(notice: Notice, operation: Operation, offerId: string | undefined): PlanChoice | null {
    const planId = operation.planId ?? notice.planId
    if (planId === null) throw refused('A change of plan must name the plan.')
    return offerId === undefined ? null : choosePlan(offerId, planId)
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

  async function apply(notice: Notice, operation: KnownOperation, deadline: AbortSignal): Promise<Outcome> {
    const { externalId, kind } = operation
    const truth = await provider.fetch(externalId, deadline)
    const known = await store.find(externalId)
    assertFact(operation, known, truth)
    const plan = kind === 'plan_changed' ? planFor(notice, operation, known?.offerId ?? truth?.offerId) : null
    if (kind === 'plan_changed' && plan === null) return await settle(notice, await refuse(operation, deadline))
    const { quantity, stage } = operation
    const atMs = operation.atMs ?? notice.atMs
    const event: ConfirmedEvent = { kind, plan, atMs, quantity, isOpen: stage === 'waiting' }
    // Before it is answered: a change that we shall not follow must not happen there either.
    if (known && isLate(known, event, truth)) {
      await answer(operation, false, deadline)
      return await settle(notice, 'superseded')
    }
    if ((await answer(operation, true, deadline)) === 'conflict' && !(await isDone(notice, deadline)))
      return await settle(notice, 'superseded')
    const outcome = await follow(notice, event, truth)
    if (outcome === 'unknown_subscription') await lookAgain(externalId, deadline)
    return outcome
  }

  async function work(notice: Notice, deadline: AbortSignal): Promise<Outcome> {
    const { kind, operationId, externalId, action } = notice
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
