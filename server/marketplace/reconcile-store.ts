/** The lease for the reconciliation: when the next pass is due, and which replica runs it. */
import type { Database } from '#storage/database.ts'

export type ReconcileStore = ReturnType<typeof createReconcileStore>

const NAME = 'reconcile'

export function createReconcileStore({ db, clock }: Database) {
  const update = () => db.updateTable('marketplace_rounds').where('name', '=', NAME)
  const heldBy = (replicaId: string) => update().where('held_by', '=', replicaId)

  return {
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
