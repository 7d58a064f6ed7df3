/** Failed sign-ins in the database, counted across all replicas. */
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'
import { type Attempts, advance, attemptKey, type Decision, decide, FORGOTTEN_MS } from './attempts.ts'

export type AttemptStore = ReturnType<typeof createAttemptStore>

export function createAttemptStore({ db, clock, relaxedTransaction }: Database) {
  const columns = ['count', 'last_at as lastAt', clock.nowMs.as('nowMs')] as const

  /** The write locks the row, so that concurrent attempts run one after the other. */
  function lock(trx: Transaction<Tables>, hash: string): Promise<Attempts & { nowMs: number }> {
    return trx
      .insertInto('sign_in_attempts')
      .values({ email_hash: hash, count: 0, last_at: clock.nowMs })
      .onConflict((conflict) => conflict.column('email_hash').doUpdateSet({ email_hash: hash }))
      .returning(columns)
      .executeTakeFirstOrThrow()
  }

  return {
    /** Counts an attempt before the password is verified, so that no guess goes uncounted. */
    async begin(emailKey: string): Promise<Decision> {
      const hash = attemptKey(emailKey)
      // Only time or a success ends a wait, so refusals need no lock and write nothing.
      const seen = await db
        .selectFrom('sign_in_attempts')
        .select(columns)
        .where('email_hash', '=', hash)
        .executeTakeFirst()
      const early: Decision = seen ? decide(seen, seen.nowMs) : { allowed: true }
      if (!early.allowed) return early
      // Losing the last attempts in a power failure is acceptable: attackers cannot cause one.
      return await relaxedTransaction(async (trx) => {
        const { nowMs, ...attempts } = await lock(trx, hash)
        const decision = decide(attempts, nowMs)
        if (!decision.allowed) return decision
        const { count, lastAt } = advance(attempts, nowMs)
        await trx
          .updateTable('sign_in_attempts')
          .set({ count, last_at: lastAt })
          .where('email_hash', '=', hash)
          .execute()
        return decision
      })
    },

    /** Uncounts an attempt whose password was not verified because the service was busy. */
    async untried(emailKey: string): Promise<void> {
      await db
        .updateTable('sign_in_attempts')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('email_hash', '=', attemptKey(emailKey))
        .where('count', '>', 0)
        .execute()
    },

    /** After a success or a password reset. */
    async clear(emailKey: string, on: Kysely<Tables> = db): Promise<void> {
      await on.deleteFrom('sign_in_attempts').where('email_hash', '=', attemptKey(emailKey)).execute()
    },

    /** Returns the number of deleted rows. */
    async sweep(olderThanMs = FORGOTTEN_MS): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('sign_in_attempts')
        .where('last_at', '<', (eb) => eb(clock.nowMs, '-', olderThanMs))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
