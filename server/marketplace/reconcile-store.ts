/** The lease for the reconciliation: when the next pass is due, and which replica runs it. */
import type { Database } from '#storage/database.ts'

export type ReconcileStore = ReturnType<typeof createReconcileStore>

const NAME = 'reconcile'

export function createReconcileStore({ db, clock }: Database) {
  return {
    /** The id to continue after, if a pass is due and no other replica holds the lease. */
    async acquire(by: string, leaseMs: number): Promise<{ afterId: string } | null> {
      await db
        .insertInto('marketplace_rounds')
        .values({ name: NAME, due_at: clock.nowMs, held_by: null, held_until: null, after_id: null })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      const taken = await db
        .updateTable('marketplace_rounds')
        .set((eb) => ({ held_by: by, held_until: eb(clock.nowMs, '+', leaseMs) }))
        .where('name', '=', NAME)
        .where('due_at', '<=', clock.nowMs)
        .where((eb) => eb.or([eb('held_until', 'is', null), eb('held_until', '<', clock.nowMs)]))
        .returning('after_id')
        .executeTakeFirst()
      return taken ? { afterId: taken.after_id ?? '' } : null
    },

    /** False if the lease expired and another replica took it. */
    async renew(by: string, leaseMs: number): Promise<boolean> {
      const renewed = await db
        .updateTable('marketplace_rounds')
        .set((eb) => ({ held_until: eb(clock.nowMs, '+', leaseMs) }))
        .where('name', '=', NAME)
        .where('held_by', '=', by)
        .returning('name')
        .executeTakeFirst()
      return renewed !== undefined
    },

    /** `afterId` is the last id checked; empty after a complete pass. */
    async finish(by: string, nextInMs: number, afterId: string): Promise<void> {
      await db
        .updateTable('marketplace_rounds')
        .set((eb) => ({
          due_at: eb(clock.nowMs, '+', nextInMs),
          held_by: null,
          held_until: null,
          after_id: afterId === '' ? null : afterId,
        }))
        .where('name', '=', NAME)
        .where('held_by', '=', by)
        .execute()
    },
  }
}
