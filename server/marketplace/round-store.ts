/** Periodic work that one process does for all: when it is due, and who is at it. */
import type { Database } from '#storage/database.ts'

export type RoundStore = ReturnType<typeof createRoundStore>

export function createRoundStore({ db, clock }: Database, name: string) {
  return {
    /** For one process, when it is due and nobody else is at it: behind what it begins. Null for all others. */
    async take(by: string, leaseMs: number): Promise<{ afterId: string } | null> {
      await db
        .insertInto('marketplace_rounds')
        .values({ name, due_at: clock.nowMs, held_by: null, held_until: null, after_id: null })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      const taken = await db
        .updateTable('marketplace_rounds')
        .set((eb) => ({ held_by: by, held_until: eb(clock.nowMs, '+', leaseMs) }))
        .where('name', '=', name)
        .where('due_at', '<=', clock.nowMs)
        .where((eb) => eb.or([eb('held_until', 'is', null), eb('held_until', '<', clock.nowMs)]))
        .returning('after_id')
        .executeTakeFirst()
      return taken ? { afterId: taken.after_id ?? '' } : null
    },

    /** False: it took too long, and somebody else has taken over. */
    async renew(by: string, leaseMs: number): Promise<boolean> {
      const renewed = await db
        .updateTable('marketplace_rounds')
        .set((eb) => ({ held_until: eb(clock.nowMs, '+', leaseMs) }))
        .where('name', '=', name)
        .where('held_by', '=', by)
        .returning('name')
        .executeTakeFirst()
      return renewed !== undefined
    },

    /** `afterId` is what it came to when it had to stop; empty after all of them. */
    async finish(by: string, nextInMs: number, afterId: string): Promise<void> {
      await db
        .updateTable('marketplace_rounds')
        .set((eb) => ({
          due_at: eb(clock.nowMs, '+', nextInMs),
          held_by: null,
          held_until: null,
          after_id: afterId === '' ? null : afterId,
        }))
        .where('name', '=', name)
        .where('held_by', '=', by)
        .execute()
    },
  }
}
