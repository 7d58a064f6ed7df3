/** Events of the marketplace: each is confirmed with the marketplace, applied once, and recorded with its outcome. */
import { AppError } from '#base/errors.ts'
import { type ConfirmedEvent, isLate, isUnfinished } from './lateness.ts'
import {
  acknowledge,
  confirmOperation,
  isDone,
  type KnownOperation,
  type NoticeContext,
  refusePlan,
} from './operations.ts'
import type { Notice } from './ports.ts'
import { type Deps, logUnmapped, refresh } from './refresh.ts'
import { marketplacePending } from './refusals.ts'
import type { Outcome } from './schema.ts'
import { isRefusable, nextStatus, type Purchase, type Subscription } from './state.ts'
import { changeFromEvent } from './subscription.ts'

/** The marketplace waits 10 seconds; the rest is for the response. */
export const NOTICE_MS = 8_000

export type ReceiveEvent = ReturnType<typeof createReceiveEvent>

const recordOutcome = ({ store }: Deps, notice: Notice, outcome: Outcome): Promise<Outcome> =>
  store.changeOnce(notice, () => ({ outcome }))

function eventOf(deps: Deps, notice: Notice, operation: KnownOperation, offerId = ''): ConfirmedEvent {
  const { kind, planId, quantity, stage } = operation
  const plan = kind === 'plan_changed' ? deps.choosePlan(offerId, planId ?? '') : null
  return { kind, plan, quantity, atMs: operation.atMs ?? notice.atMs, isOpen: stage === 'waiting' }
}

/** Refuses a change that we shall not apply, so that both sides stay the same. Null if it is to be applied. */
async function decline(
  context: NoticeContext,
  operation: KnownOperation,
  event: ConfirmedEvent,
  { known, remote }: { known: Subscription | null; remote: Purchase | null },
): Promise<Outcome | null> {
  const { kind, plan } = event
  const hasNoEffect = known !== null && isRefusable(kind) && nextStatus(known.status, kind) === null
  if (!hasNoEffect && kind === 'plan_changed' && plan === null) return await refusePlan(context, operation)
  if (known === null || !(hasNoEffect || isLate(known, event, remote))) return null
  await acknowledge(context, operation, false)
  return hasNoEffect ? 'unchanged' : 'superseded'
}

async function applyOnce(
  { store, choosePlan, log }: Deps,
  notice: Notice,
  event: ConfirmedEvent,
  remote: Purchase | null,
): Promise<Outcome> {
  let isUnmapped = false
  const outcome = await store.changeOnce(notice, (known, nowMs) => {
    if (known === null) return { outcome: 'unknown_subscription' }
    const effect = changeFromEvent(known, event, remote, nowMs, choosePlan)
    isUnmapped = effect.outcome === 'applied' && effect.change.planKey === null
    return effect
  })
  if (isUnmapped) logUnmapped(log, { subscriptionId: notice.externalId })
  return outcome
}

/** A buyer may have linked the purchase meanwhile, without seeing this event. */
async function refreshIfLinked(context: NoticeContext, externalId: string): Promise<void> {
  if ((await context.store.find(externalId)) === null) return
  await refresh(context, externalId, context.deadline).catch((error) =>
    context.log.warn({ err: error, subscriptionId: externalId }, 'Event deferred to the next reconciliation'),
  )
}

async function applyOperation(context: NoticeContext, notice: Notice, operation: KnownOperation): Promise<Outcome> {
  const { externalId, operationId, kind } = operation
  const remote = await context.provider.fetch(externalId, context.deadline)
  const known = await context.store.find(externalId)
  if (isUnfinished(operation, known, remote))
    throw marketplacePending(new Error(`Operation ${operationId} (${kind}) is not finished`))
  const event = eventOf(context, notice, operation, known?.offerId ?? remote?.offerId)
  const declined = await decline(context, operation, event, { known, remote })
  if (declined !== null) return await recordOutcome(context, notice, declined)
  if ((await acknowledge(context, operation, true)) === 'conflict' && !(await isDone(context, notice)))
    return await recordOutcome(context, notice, 'superseded')
  const outcome = await applyOnce(context, notice, event, remote)
  if (outcome === 'unknown_subscription') await refreshIfLinked(context, externalId)
  return outcome
}

async function rejectIncomplete({ store }: Deps, notice: Notice): Promise<never> {
  await store.record(notice, 'unconfirmed')
  throw new AppError('invalid_request', 'Send the operation in "id" and the subscription in "subscriptionId".')
}

async function recordUnknownAction({ store, log }: Deps, notice: Notice): Promise<Outcome> {
  const { operationId, externalId, action } = notice
  log.warn({ action, operationId, subscriptionId: externalId }, 'Event with unknown action ignored')
  await store.record(notice, 'unknown_action')
  return 'unknown_action'
}

async function processNotice(context: NoticeContext, notice: Notice): Promise<Outcome> {
  const { kind, operationId, externalId } = notice
  if (operationId === '' || externalId === '') return await rejectIncomplete(context, notice)
  if (kind === 'unknown') return await recordUnknownAction(context, notice)
  if ((await context.store.outcomeOf(notice)) !== null) return 'repeated'
  const operation = await confirmOperation(context, notice)
  if (operation.stage === 'void') return await recordOutcome(context, notice, 'void')
  return await applyOperation(context, notice, { ...operation, kind })
}

export function createReceiveEvent(deps: Deps) {
  /** Identical notices that arrive at the same time are processed once. */
  const inProgress = new Map<string, Promise<Outcome>>()

  return async (notice: Notice, deadline: AbortSignal): Promise<Outcome> => {
    const { operationId, externalId, kind, planId, action } = notice
    const name = `${externalId} ${operationId} ${kind} ${planId}`
    const running = inProgress.get(name)
    if (running) return await running
    const processing = processNotice({ ...deps, deadline }, notice).finally(() => inProgress.delete(name))
    inProgress.set(name, processing)
    const outcome = await processing
    deps.log.info({ operationId, subscriptionId: externalId, action, outcome }, 'Marketplace event handled')
    return outcome
  }
}
