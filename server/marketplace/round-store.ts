/** Periodic work that one process does for all: when it is due, and who is at it. */
import type { Database } from '#storage/database.ts'

export type RoundStore = ReturnType<typeof createRoundStore>

export function createRoundStore({ db, clock }: Database, name: string) {
  return {
    /** True for one process, when it is due and nobody else is at it. */
    async take(by: string, leaseMs: number): Promise<boolean> {
      await db
        .insertInto('marketplace_rounds')
        .values({ name, due_at: clock.nowMs, held_by: null, held_until: null })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      const taken = await db
        .updateTable('marketplace_rounds')
        .set((eb) => ({ held_by: by, held_until: eb(clock.nowMs, '+', leaseMs) }))
        .where('name', '=', name)
        .where('due_at', '<=', clock.nowMs)
        .where((eb) => eb.or([eb('held_until', 'is', null), eb('held_until', '<', clock.nowMs)]))
        .returning('name')
        .executeTakeFirst()
      return taken !== undefined
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

    async finish(by: string, nextInMs: number): Promise<void> {
      await db
        .updateTable('marketplace_rounds')
        .set((eb) => ({ due_at: eb(clock.nowMs, '+', nextInMs), held_by: null, held_until: null }))
        .where('name', '=', name)
        .where('held_by', '=', by)
        .execute()
    },
  }
}
