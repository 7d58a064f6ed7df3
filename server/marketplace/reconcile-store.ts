/** The lease for the reconciliation of all subscriptions, and the single subscriptions to recheck. */
import type { Database } from '#storage/database.ts'
import { SETTLING_MS, type Subscription } from './state.ts'
import { toSubscription } from './subscription-row.ts'

export type ReconcileStore = ReturnType<typeof createReconcileStore>

const NAME = 'reconcile'

/** A subscription to compare with the marketplace. */
export interface Recheck {
  known: Subscription
  /** The claim of an activation that may have succeeded. */
  doubt: { by: string; ageMs: number } | null
  /** Identifies this recheck: a change in between schedules another one. */
  heldUntil: number
}

function createRecheckStore({ db, clock }: Database, provider: string) {
  return {
    /** The subscription that is due first. Until the lease ends, no other process takes it. */
    async takeRecheck(leaseMs: number): Promise<Recheck | null> {
      const row = await db
        .updateTable('subscriptions')
        .set((eb) => ({ recheck_at: eb(clock.nowMs, '+', leaseMs) }))
        .where('recheck_at', '<=', clock.nowMs)
        .where('id', '=', (eb) =>
          eb
            .selectFrom('subscriptions')
            .select('id')
            .where('provider', '=', provider)
            .where('recheck_at', '<=', clock.nowMs)
            .orderBy('recheck_at')
            .limit(1),
        )
        .returningAll()
        .returning((eb) => eb(clock.nowMs, '-', eb.ref('activating_until')).$castTo<number | null>().as('doubtMs'))
        .executeTakeFirst()
      if (!row) return null
      const doubt = row.activating_by === null ? null : { by: row.activating_by, ageMs: row.doubtMs ?? 0 }
      return { known: toSubscription(row), doubt, heldUntil: row.recheck_at ?? 0 }
    },

    /** Schedules the next recheck. If `nextInMs` is null: when the last change has settled, or none. */
    async endRecheck({ known, heldUntil }: Recheck, nextInMs: number | null): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set((eb) => ({
          recheck_at:
            nextInMs !== null
              ? eb(clock.nowMs, '+', nextInMs)
              : eb
                  .case()
                  .when(eb(eb('settled_at', '+', SETTLING_MS), '>', clock.nowMs))
                  .then(eb('settled_at', '+', SETTLING_MS))
                  .end(),
        }))
        .where('id', '=', known.id)
        .where('recheck_at', '=', heldUntil)
        .execute()
    },
  }
}

export function createReconcileStore(database: Database, provider: string) {
  const { db, clock } = database
  const update = () => db.updateTable('marketplace_rounds').where('name', '=', NAME)
  const heldBy = (replicaId: string) => update().where('held_by', '=', replicaId)

  return {
    ...createRecheckStore(database, provider),

    /** The id to continue after, if a pass is due and no other replica holds the lease. */
    async acquire(by: string, leaseMs: number): Promise<{ afterId: string } | null> {
      await db
        .insertInto('marketplace_rounds')
        .values({ name: NAME, due_at: clock.nowMs, held_by: null, held_until: null, after_id: null })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      const taken = await update()
        .set((eb) => ({ held_by: by, held_until: eb(clock.nowMs, '+', leaseMs) }))
        .where('due_at', '<=', clock.nowMs)
        .where((eb) => eb.or([eb('held_until', 'is', null), eb('held_until', '<', clock.nowMs)]))
        .returning('after_id')
        .executeTakeFirst()
      return taken ? { afterId: taken.after_id ?? '' } : null
    },

    /** False if the lease expired and another replica took it. */
    async renew(by: string, leaseMs: number): Promise<boolean> {
      const renewed = heldBy(by).set((eb) => ({ held_until: eb(clock.nowMs, '+', leaseMs) }))
      return (await renewed.returning('name').executeTakeFirst()) !== undefined
    },

    /** `afterId` is the last id checked; empty after a complete pass. */
    async finish(by: string, nextInMs: number, afterId: string): Promise<void> {
      const free = { held_by: null, held_until: null, after_id: afterId || null }
      await heldBy(by)
        .set((eb) => ({ ...free, due_at: eb(clock.nowMs, '+', nextInMs) }))
        .execute()
    },
  }
}
