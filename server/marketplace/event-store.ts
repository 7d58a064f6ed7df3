/** Every event of the marketplace, recorded with its outcome. */
import type { Kysely } from 'kysely'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'
import type { Notice } from './ports.ts'
import type { Outcome } from './schema.ts'

/** Unique. A confirmed operation is recorded once, whatever was recorded before it was confirmed. */
function dedupeOf({ operationId, externalId, action }: Notice, outcome: Outcome): string {
  const isConfirmed = outcome !== 'unconfirmed' && outcome !== 'unknown_action'
  return isConfirmed ? operationId : `${outcome}:${operationId}:${externalId}:${action}`
}

export function createEventStore({ db, clock }: Database, provider: string) {
  return {
    /** False if the same event is recorded already. */
    async record(notice: Notice, outcome: Outcome, trx: Kysely<Tables> = db): Promise<boolean> {
      const inserted = await trx
        .insertInto('marketplace_events')
        .values({
          id: newId(),
          provider,
          dedupe: dedupeOf(notice, outcome),
          operation_id: notice.operationId,
          external_id: notice.externalId,
          action: notice.action,
          plan_id: notice.planId,
          outcome,
          received_at: clock.nowMs,
        })
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
