/** Counts questions per day in the database. */
import type { Database } from '#storage/database.ts'

export type ChatStore = ReturnType<typeof createChatStore>

export function createChatStore({ db, clock }: Database) {
  return {
    /** Counts one question of today unless `max` is reached. One statement, so that replicas cannot exceed it. */
    async countBelow(max: number): Promise<{ day: string; requests: number } | null> {
      const counted = await db
        .insertInto('chat_days')
        .values({ day: clock.day, requests: 1 })
        .onConflict((conflict) =>
          conflict
            .column('day')
            .doUpdateSet((eb) => ({ requests: eb('chat_days.requests', '+', 1) }))
            .where('chat_days.requests', '<', max),
        )
        .returning(['day', 'requests'])
        .executeTakeFirst()
      return counted ? { day: counted.day, requests: Number(counted.requests) } : null
    },

    /** Undoes one count of that day. */
    async giveBack(day: string): Promise<void> {
      await db
        .updateTable('chat_days')
        .set((eb) => ({ requests: eb('requests', '-', 1) }))
        .where('day', '=', day)
        .where('requests', '>', 0)
        .execute()
    },

    async nowMs(): Promise<number> {
      const { now } = await db.selectNoFrom(clock.nowMs.as('now')).executeTakeFirstOrThrow()
      return Number(now)
    },
  }
}
