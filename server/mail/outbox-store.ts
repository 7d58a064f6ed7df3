/** The outbox in the database: mail is written with the change that causes it, and leaves when it was handed over. */
import type { Transaction } from 'kysely'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'

export interface NewMail {
  kind: string
  /** What the message is made from when it is sent; kept as JSON. Never a secret. */
  params: object
  /** While a mail with the same word waits, this one is not written. Afterwards the word is free again. */
  dedupe?: string
}

export interface ClaimedMail {
  id: string
  kind: string
  /** JSON, not read yet: one that cannot be read must not hold up the others. */
  params: string
  createdAt: number
  /** This one included. */
  attempts: number
  claim: string
}

export interface ClaimOptions {
  leaseMs: number
  max: number
}

export type Outbox = ReturnType<typeof createOutboxStore>

type Held = Pick<ClaimedMail, 'id' | 'claim'>

export function createOutboxStore({ db, clock, kind: databaseKind }: Database) {
  const FREE = { claimed_by: null, claimed_until: null }

  /** What still belongs to this claim. A lease that ran out without anyone taking over is still ours to settle. */
  const held = ({ id, claim }: Held) =>
    db.updateTable('mail_outbox').where('id', '=', id).where('claimed_by', '=', claim).where('failed_at', 'is', null)

  return {
    /** As part of a transaction that somebody else leads; false when one with the same `dedupe` waits already. */
    async post(trx: Transaction<Tables>, { kind, params, dedupe }: NewMail): Promise<boolean> {
      const posted = await trx
        .insertInto('mail_outbox')
        .values({
          id: newId(),
          kind,
          params: JSON.stringify(params),
          dedupe: dedupe ?? null,
          created_at: clock.nowMs,
          due_at: clock.nowMs,
          attempts: 0,
          ...FREE,
          failed_at: null,
          last_error: null,
        })
        .onConflict((conflict) => conflict.column('dedupe').doNothing())
        .returning('id')
        .executeTakeFirst()
      return posted !== undefined
    },

    /** Takes mail that is due, the oldest first. Nobody else is given it before the lease ends. */
    async claim({ leaseMs, max }: ClaimOptions): Promise<ClaimedMail[]> {
      const claim = newId()
      const rows = await db
        .with('due', (with_) => {
          const due = with_
            .selectFrom('mail_outbox')
            .select('id')
            .where('failed_at', 'is', null)
            .where('due_at', '<=', clock.nowMs)
            .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', clock.nowMs)]))
            .orderBy('due_at')
            .orderBy('id')
            .limit(max)
          // SQLite has one writer at a time, so there is nothing to skip.
          return databaseKind === 'postgres' ? due.forUpdate().skipLocked() : due
        })
        .updateTable('mail_outbox')
        .set((eb) => ({
          claimed_by: claim,
          claimed_until: eb(clock.nowMs, '+', leaseMs),
          attempts: eb('attempts', '+', 1),
        }))
        .where('id', 'in', (eb) => eb.selectFrom('due').select('id'))
        .returning(['id', 'kind', 'params', 'created_at as createdAt', 'attempts'])
        .execute()
      return rows.map((row) => ({ ...row, claim }))
    },

    /** It was handed over. False when somebody else has taken it over meanwhile. */
    async done({ id, claim }: Held): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('mail_outbox')
        .where('id', '=', id)
        .where('claimed_by', '=', claim)
        .where('failed_at', 'is', null)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async retry(mail: Held, delayMs: number, reason: string): Promise<boolean> {
      const { numUpdatedRows } = await held(mail)
        .set((eb) => ({
          ...FREE,
          due_at: eb(clock.nowMs, '+', delayMs),
          last_error: reason,
        }))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Not tried after all: somebody else may at once, and it does not count. */
    async giveBack(mail: Held): Promise<boolean> {
      const { numUpdatedRows } = await held(mail)
        .set((eb) => ({ ...FREE, attempts: eb('attempts', '-', 1) }))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Kept for a while, so that an operator can see what was lost. Its `dedupe` must not hold up the next one. */
    async giveUp(mail: Held, reason: string): Promise<boolean> {
      const { numUpdatedRows } = await held(mail)
        .set({ ...FREE, dedupe: null, failed_at: clock.nowMs, last_error: reason })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Forgets what was given up longer ago; returns how many. */
    async sweep(keptMs: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('mail_outbox')
        .where('failed_at', '<=', (eb) => eb(clock.nowMs, '-', keptMs))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
