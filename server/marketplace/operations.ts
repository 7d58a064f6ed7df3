/** Operations of the marketplace: confirming that one exists, and sending our answer to it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#base/errors.ts'
import type { DueAnswer } from './event-store.ts'
import type { Notice, Operation } from './ports.ts'
import { type Deps, findPlan } from './refresh.ts'
import { invalidResponse, isUnavailable, marketplaceUnavailable } from './refusals.ts'
import { changeFromRemote } from './subscription.ts'

/** An operation may be announced before it can be read. The pauses leave time to process it before the deadline. */
export const RECHECK_PAUSES_MS: readonly number[] = [700, 1_400, 2_700]
const CALL_MS = 15_000
/** The marketplace itself gives up after 8 hours. */
export const ANSWER_MS_MAX = 8 * 60 * 60 * 1000
/** Answers sent at once, so that an outage does not leave work for hours. */
export const ANSWERS_MAX = 20

/** The deadline of the whole notice applies to every call. */
export interface NoticeContext extends Deps {
  deadline: AbortSignal
}

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

/** The marketplace decided otherwise: the subscription is what it reports, even right after an event. */
async function correct(deps: Deps, { externalId, planId, answer }: DueAnswer, deadline: AbortSignal): Promise<void> {
  const remote = await deps.provider.fetch(externalId, deadline)
  if (remote === null) return
  const plan = findPlan(deps, remote)
  await deps.store.change(externalId, (known, nowMs) => {
    // A newer event keeps its precedence over a report that may be older.
    const isOurs = (answer === 'accept' ? known.planId : remote.planId) === planId
    const eventAt = isOurs ? { ...known.eventAt, plan: null, quantity: null } : known.eventAt
    return changeFromRemote({ ...known, eventAt }, remote, plan, nowMs)
  })
}

/** Ends an answer that the marketplace no longer waits for. */
async function conclude(deps: Deps, due: DueAnswer, isDone: boolean, deadline: AbortSignal): Promise<void> {
  const { operationId, externalId, planId, answer } = due
  const isAccepted = answer === 'accept'
  if (isDone === isAccepted) return await deps.store.endAnswer(operationId)
  await correct(deps, due, deadline)
  const isUnmapped = due.outcome === 'refused'
  await deps.store.endAnswer(operationId, isAccepted ? 'void' : isUnmapped ? 'unmapped' : undefined)
  const fields = { planId, operationId, subscriptionId: externalId }
  if (isUnmapped) deps.log.error(fields, 'Plan changed to an unmapped plan: add it to DOCVET_MARKETPLACE_PLANS')
  else deps.log.warn({ ...fields, answer }, 'Operation ended against our answer')
}

async function send(deps: Deps, due: DueAnswer): Promise<void> {
  const { provider, store } = deps
  const { externalId, operationId, answer } = due
  const deadline = AbortSignal.timeout(CALL_MS)
  const read = () => provider.operation(externalId, operationId, deadline)
  // A repeated attempt may be refused because the first one, or the marketplace itself, has completed the operation.
  const before = due.attempts > 1 ? await read() : null
  if (before !== null && before.stage !== 'waiting') return await conclude(deps, due, before.stage === 'done', deadline)
  if ((await provider.acknowledge(due, answer === 'accept', deadline)) === 'done')
    return await store.endAnswer(operationId)
  const after = await read()
  if (after?.stage === 'waiting')
    throw invalidResponse(new Error(`Operation ${operationId} is waiting, but rejects our answer`))
  await conclude(deps, due, after?.stage === 'done', deadline)
}

/** Sends the answers that follow our response to a webhook call, and repeats those that failed. */
export function createAnswers(deps: Deps) {
  const { store, log } = deps
  const running = new Set<Promise<unknown>>()

  /** Returns the failure, after which the answer is due again. */
  async function attempt(due: DueAnswer): Promise<unknown> {
    const fields = { operationId: due.operationId, subscriptionId: due.externalId }
    if (due.ageMs > ANSWER_MS_MAX) {
      log.error(fields, 'Answer given up: the marketplace did not accept it for 8 hours')
      return await store.endAnswer(due.operationId)
    }
    try {
      await send(deps, due)
      return null
    } catch (error) {
      log.warn({ err: error, ...fields }, 'Answer not accepted by the marketplace; it will be repeated')
      return error
    }
  }

  return {
    /** Never rejects: a failed attempt is repeated later, if necessary by another process. */
    sendFirst(operationId: string): Promise<void> {
      const work = store.takeNewAnswer(operationId).then((due) => (due ? attempt(due) : null))
      const sent = work.then(
        () => {},
        (error) => log.warn({ err: error, operationId }, 'Answer not sent; it will be repeated'),
      )
      running.add(sent)
      return sent.finally(() => running.delete(sent))
    },

    async sendDue(): Promise<void> {
      for (let sent = 0; sent < ANSWERS_MAX; sent++) {
        const due = await store.takeDueAnswer()
        // During an outage the rest would only fail one after the other.
        if (!due || isUnavailable(await attempt(due))) return
      }
    },

    async close(): Promise<void> {
      await Promise.all(running)
    },
  }
}
