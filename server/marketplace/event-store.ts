/** What the marketplace told us, kept with what was done about it. */
import type { Kysely } from 'kysely'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'
import type { Outcome } from './outcome.ts'
import type { Notice } from './ports.ts'

export interface EventRecord {
  notice: Notice
  outcome: Outcome
  /** The operation's id once it is confirmed; only one event can have it. */
  dedupe: string
}

export type EventStore = ReturnType<typeof createEventStore>

export function createEventStore({ db, clock }: Database, provider: string) {
  return {
    /** False: there is one like it already. */
    async insert(event: EventRecord, trx: Kysely<Tables> = db): Promise<boolean> {
      const { notice, outcome, dedupe } = event
      const inserted = await trx
        .insertInto('marketplace_events')
        .values({
          id: newId(),
          provider,
          dedupe,
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

    /** How often we were told, within the last so many milliseconds, of this subscription before we had it. */
    async toldEarly(externalId: string, ms: number): Promise<number> {
      const outcome: Outcome = 'unknown_subscription'
      const row = await db
        .selectFrom('marketplace_events')
        .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('times'))
        .where('provider', '=', provider)
        .where('external_id', '=', externalId)
        .where('outcome', '=', outcome)
        .where((eb) => eb('received_at', '>', eb(clock.nowMs, '-', ms)))
        .executeTakeFirstOrThrow()
      return row.times
    },

    /** What was done about a confirmed operation of this subscription; null when it is new. */
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
