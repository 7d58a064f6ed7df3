/** Every event of the marketplace with its outcome, and the answers that the marketplace does not have yet. */
import type { Kysely } from 'kysely'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'
import type { Notice } from './ports.ts'
import type { Outcome } from './schema.ts'

/** The first attempt follows our response to the webhook call; this is for a process that ends in between. */
const ANSWER_LATEST_MS = 10_000
/** Longer than one attempt takes, so that two replicas never send the same answer at once. */
const ANSWER_RETRY_MS = 60_000

/** Our decision on an operation that waits for it. */
export type Answer = 'accept' | 'refuse'

interface RecordOptions {
  answer?: Answer | null
  trx?: Kysely<Tables>
}

export interface DueAnswer {
  operationId: string
  externalId: string
  planId: string | null
  outcome: string
  answer: Answer
  attempts: number
  ageMs: number
}

/** Unique. A confirmed operation is recorded once, whatever was recorded before it was confirmed. */
function dedupeOf({ operationId, externalId, action }: Notice, outcome: Outcome): string {
  const isConfirmed = outcome !== 'unconfirmed' && outcome !== 'unknown_action'
  return isConfirmed ? operationId : `${outcome}:${operationId}:${externalId}:${action}`
}

function createAnswerStore({ db, clock }: Database, provider: string) {
  const update = () =>
    db.updateTable('marketplace_events').where('provider', '=', provider).where('answer', 'is not', null)

  /** Until the next attempt is due, no other process takes the answer. */
  const take = (query: ReturnType<typeof update>): Promise<DueAnswer | undefined> =>
    query
      .set((eb) => ({
        answer_attempts: eb('answer_attempts', '+', 1),
        answer_at: eb(clock.nowMs, '+', ANSWER_RETRY_MS),
      }))
      .returning((eb) => [
        'operation_id as operationId',
        'external_id as externalId',
        'plan_id as planId',
        'outcome',
        'answer_attempts as attempts',
        eb.ref('answer').$castTo<Answer>().as('answer'),
        eb(clock.nowMs, '-', eb.ref('received_at')).$castTo<number>().as('ageMs'),
      ])
      .executeTakeFirst()

  return {
    /** The answer to an operation, unless an attempt to send it was made before. */
    takeNewAnswer: (operationId: string) =>
      take(update().where('dedupe', '=', operationId).where('answer_attempts', '=', 0)),

    /** The answer that is due first. */
    takeDueAnswer: () =>
      take(
        update()
          .where('answer_at', '<=', clock.nowMs)
          .where('id', '=', (eb) =>
            eb
              .selectFrom('marketplace_events')
              .select('id')
              .where('provider', '=', provider)
              .where('answer_at', '<=', clock.nowMs)
              .orderBy('answer_at')
              .limit(1),
          ),
      ),

    /** The marketplace has the answer, or needs none any more. */
    async endAnswer(operationId: string, outcome?: Outcome): Promise<void> {
      await update()
        .set({ answer: null, answer_at: null, ...(outcome && { outcome }) })
        .where('dedupe', '=', operationId)
        .execute()
    },
  }
}

export function createEventStore(database: Database, provider: string) {
  const { db, clock } = database
  return {
    ...createAnswerStore(database, provider),

    /** False if the same event is recorded already. */
    async record(notice: Notice, outcome: Outcome, { answer = null, trx = db }: RecordOptions = {}): Promise<boolean> {
      const inserted = await trx
        .insertInto('marketplace_events')
        .values((eb) => ({
          id: newId(),
          provider,
          dedupe: dedupeOf(notice, outcome),
          operation_id: notice.operationId,
          external_id: notice.externalId,
          action: notice.action,
          plan_id: notice.planId,
          outcome,
          received_at: clock.nowMs,
          answer,
          answer_at: answer === null ? null : eb(clock.nowMs, '+', ANSWER_LATEST_MS),
          answer_attempts: 0,
        }))
        .onConflict((conflict) => conflict.columns(['provider', 'dedupe']).doNothing())
        .returning('id')
        .executeTakeFirst()
      return inserted !== undefined
    },

    /** Counts the recent events of a subscription that was not linked yet. */
    async countEarly(externalId: string, ms: number): Promise<number> {
      const row = await db
        .selectFrom('marketplace_events')
        .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('times'))
        .where('provider', '=', provider)
        .where('external_id', '=', externalId)
        .where('outcome', '=', 'unknown_subscription' satisfies Outcome)
        .where((eb) => eb('received_at', '>', eb(clock.nowMs, '-', ms)))
        .executeTakeFirstOrThrow()
      return row.times
    },

    /** The outcome of a confirmed operation of this subscription; null if it is new. */
    async outcomeOf({ operationId, externalId }: Notice): Promise<string | null> {
      const row = await db
        .selectFrom('marketplace_events')
        .select('outcome')
        .where('provider', '=', provider)
        .where('dedupe', '=', operationId)
        .where('external_id', '=', externalId)
        .executeTakeFirst()
      return row?.outcome ?? null
    },
  }
}
