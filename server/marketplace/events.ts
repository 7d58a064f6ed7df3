/** Events of the marketplace: each is confirmed with the marketplace, applied once, and recorded with its outcome. */
import { AppError } from '#base/errors.ts'
import type { Answer } from './event-store.ts'
import { type ConfirmedEvent, isUnfinished } from './lateness.ts'
import { confirmOperation, type NoticeContext } from './operations.ts'
import type { Notice, Operation } from './ports.ts'
import { type Deps, logUnmapped, refresh } from './refresh.ts'
import { marketplacePending } from './refusals.ts'
import type { Outcome } from './schema.ts'
import { isAnswered, isRefusable, nextStatus, type Purchase, type Subscription } from './state.ts'
import { type Change, changeFromEvent } from './subscription.ts'

/** The marketplace waits 10 seconds; the rest is for the response. */
export const NOTICE_MS = 8_000

export type ReceiveEvent = ReturnType<typeof createReceiveEvent>

type KnownOperation = Operation & Pick<ConfirmedEvent, 'kind'>

function eventOf(deps: Deps, notice: Notice, operation: KnownOperation, offerId = ''): ConfirmedEvent {
  const { kind, planId, quantity, stage } = operation
  const plan = kind === 'plan_changed' ? deps.choosePlan(offerId, planId ?? '') : null
  return { kind, plan, quantity, atMs: operation.atMs ?? notice.atMs, isOpen: stage === 'waiting' }
}

/** Refuses a change that we do not apply, so that both sides stay the same. */
function answerTo(kind: ConfirmedEvent['kind'], outcome: Outcome): Answer | null {
  const isAccepted = outcome === 'applied' || outcome === 'unknown_subscription'
  if (isAccepted || (outcome === 'unchanged' && !isRefusable(kind))) return 'accept'
  return isRefusable(kind) ? 'refuse' : null
}

function effectOf(
  { choosePlan }: Deps,
  event: ConfirmedEvent,
  { known, remote, nowMs }: { known: Subscription | null; remote: Purchase | null; nowMs: number },
  canAnswer: boolean,
): { outcome: Outcome; change?: Change } {
  const { kind, plan } = event
  if (known !== null && isRefusable(kind) && nextStatus(known.status, kind) === null) return { outcome: 'unchanged' }
  if (kind === 'plan_changed' && plan === null) return { outcome: canAnswer ? 'refused' : 'unmapped' }
  if (known === null) return { outcome: 'unknown_subscription' }
  return changeFromEvent(known, event, remote, nowMs, choosePlan)
}

/** A buyer may have linked the purchase meanwhile, without seeing this event. */
async function refreshIfLinked(context: NoticeContext, externalId: string): Promise<void> {
  if ((await context.store.find(externalId)) === null) return
  await refresh(context, externalId, context.deadline).catch((error) =>
    context.log.warn({ err: error, subscriptionId: externalId }, 'Event deferred to the next reconciliation'),
  )
}

function logPlanProblem({ log }: Deps, { operationId, externalId, planId }: Operation, outcome: Outcome): void {
  const fields = { planId, operationId, subscriptionId: externalId }
  if (outcome === 'refused') log.error(fields, 'Plan change refused: the plan is not in DOCVET_MARKETPLACE_PLANS')
  if (outcome === 'unmapped') log.error(fields, 'Plan changed to an unmapped plan: add it to DOCVET_MARKETPLACE_PLANS')
}

/** Our answer is stored with the event, and sent after our response. */
async function applyOperation(context: NoticeContext, notice: Notice, operation: KnownOperation): Promise<Outcome> {
  const { externalId, operationId, kind } = operation
  const remote = await context.provider.fetch(externalId, context.deadline)
  const found = await context.store.find(externalId)
  if (isUnfinished(operation, found, remote))
    throw marketplacePending(new Error(`Operation ${operationId} (${kind}) is not finished`))
  const event = eventOf(context, notice, operation, found?.offerId ?? remote?.offerId)
  const isByPublisher = operation.isByPublisher || notice.isByPublisher
  const canAnswer = event.isOpen && isAnswered(kind) && !isByPublisher
  let isUnmapped = false
  const outcome = await context.store.changeOnce(notice, (known, nowMs) => {
    const effect = effectOf(context, event, { known, remote, nowMs }, canAnswer)
    isUnmapped = effect.change?.planKey === null
    return { ...effect, answer: canAnswer ? answerTo(kind, effect.outcome) : null }
  })
  if (isUnmapped) logUnmapped(context.log, { subscriptionId: externalId })
  logPlanProblem(context, operation, outcome)
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
  if (operation.stage === 'void') return await context.store.changeOnce(notice, () => ({ outcome: 'void' }))
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
