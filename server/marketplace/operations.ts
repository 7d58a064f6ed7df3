/** Operations of the marketplace: confirming that one exists, and accepting or refusing it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#base/errors.ts'
import type { ConfirmedEvent } from './lateness.ts'
import type { Notice, Operation } from './ports.ts'
import type { Deps } from './refresh.ts'
import { invalidResponse, marketplacePending, marketplaceUnavailable } from './refusals.ts'
import type { Outcome } from './schema.ts'
import { isAnswered, isRefusable } from './state.ts'

/** An operation may be announced before it can be read. The pauses leave time to process it before the deadline. */
export const RECHECK_PAUSES_MS: readonly number[] = [700, 1_400, 2_700]

/** The deadline of the whole notice applies to every call. */
export interface NoticeContext extends Deps {
  deadline: AbortSignal
}

export type KnownOperation = Operation & Pick<ConfirmedEvent, 'kind'>

/** Null if the last recheck found nothing either. */
export async function recheckUntilFound<T>(
  find: () => Promise<T | null>,
  deadline: AbortSignal,
  pausesMs = RECHECK_PAUSES_MS,
): Promise<T | null> {
  for (const pauseMs of pausesMs) {
    const found = await find()
    if (found !== null) return found
    await sleep(pauseMs, undefined, { signal: deadline }).catch((error) => {
      throw marketplaceUnavailable(error)
    })
  }
  return await find()
}

/** The operation must say what the call says, above all about the plan. */
function isSame(notice: Notice, { kind, planId }: Operation): boolean {
  if (kind !== notice.kind || (kind === 'plan_changed' && planId === null)) return false
  return notice.planId === null || planId === null || notice.planId === planId
}

/** The operation as the marketplace reports it. Throws if it does not match the notice. */
export async function confirmOperation(context: NoticeContext, notice: Notice): Promise<Operation> {
  const { store, provider, log, deadline } = context
  const { operationId, externalId } = notice
  const operation = await recheckUntilFound(() => provider.operation(externalId, operationId, deadline), deadline)
  if (operation !== null && isSame(notice, operation)) return operation
  await store.record(notice, 'unconfirmed')
  log.warn({ operationId, subscriptionId: externalId }, 'Operation not confirmed by the marketplace')
  throw new AppError('invalid_request', 'The marketplace does not confirm this operation. Nothing was changed.')
}

/** Sends our decision, if the marketplace waits for one. */
export async function acknowledge({ provider, deadline }: NoticeContext, operation: KnownOperation, accept: boolean) {
  const { kind, stage } = operation
  if (!(accept ? isAnswered(kind) : isRefusable(kind)) || stage !== 'waiting') return 'done'
  return await provider.acknowledge(operation, accept, deadline)
}

/** After a conflict: the marketplace may have our decision already. False if it moved on to something newer. */
export async function isDone({ provider, deadline }: NoticeContext, notice: Notice): Promise<boolean> {
  const { externalId, operationId } = notice
  const now = await provider.operation(externalId, operationId, deadline)
  if (now?.stage === 'waiting')
    throw invalidResponse(new Error(`Operation ${operationId} is waiting, but rejects our acknowledgement`))
  return now?.stage === 'done'
}

/** Refuses a change to an unmapped plan. The outcome is `refused` only if the marketplace accepted the refusal. */
export async function refusePlan(context: NoticeContext, operation: KnownOperation): Promise<Outcome> {
  const { provider, log, deadline } = context
  const { externalId, operationId, planId } = operation
  const fields = { planId, operationId, subscriptionId: externalId }
  if (operation.stage === 'waiting' && (await acknowledge(context, operation, false)) === 'done') {
    log.error(fields, 'Plan change refused: the plan is not in DOCVET_MARKETPLACE_PLANS')
    return 'refused'
  }
  const now = await provider.operation(externalId, operationId, deadline)
  if (now?.stage === 'waiting') throw marketplacePending(new Error(`Operation ${operationId} rejects our refusal`))
  if (now?.stage !== 'done') return 'void'
  log.error(fields, 'Plan changed to an unmapped plan: add it to DOCVET_MARKETPLACE_PLANS')
  return 'unmapped'
}
