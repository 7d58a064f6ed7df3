/** The outbox in the database: mail is added in the transaction that causes it and deleted once it is sent. */
import { sql, type Transaction, type UpdateObject } from 'kysely'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'

export interface NewMail {
  kind: string
  /** Stored as JSON, so it must not contain secrets. */
  params: object
  /** Skips this mail while another one with the same value is queued. */
  dedupe?: string
}

export interface ClaimedMail {
  id: string
  kind: string
  /** Unparsed JSON, so that one invalid row does not block the others. */
  params: string
  createdAt: number
  /** Including the current one. */
  attempts: number
  claim: string
}

export type Outbox = ReturnType<typeof createOutboxStore>

type Held = Pick<ClaimedMail, 'id' | 'claim'>

export function createOutboxStore({ db, clock, audit, kind: databaseKind }: Database) {
  const FREE = { claimed_by: null, claimed_until: null }

  /** Updates mail that this claim still holds, even after its lease ended; false if another process took it over. */
  async function update({ id, claim }: Held, columns: UpdateObject<Tables, 'mail_outbox'>): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('mail_outbox')
      .set({ ...FREE, ...columns })
      .where('id', '=', id)
      .where('claimed_by', '=', claim)
      .where('failed_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  return {
    async depth(): Promise<{ queued: number; failed: number }> {
      const { all, failed } = await db
        .selectFrom('mail_outbox')
        .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('failed_at').as('failed')])
        .executeTakeFirstOrThrow()
      return { queued: Number(all) - Number(failed), failed: Number(failed) }
    },

    /** False if mail with the same `dedupe` is already queued. */
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

    /** Deletes mail with one of these ids in its parameters, or with exactly these parameters. */
    async erase(trx: Transaction<Tables>, ids: readonly string[], params: object): Promise<void> {
      await trx
        .deleteFrom('mail_outbox')
        .where((eb) =>
          eb.or([eb('params', '=', JSON.stringify(params)), ...ids.map((id) => eb('params', 'like', `%"${id}"%`))]),
        )
        .execute()
    },

    /** Claims due mail, oldest first. No other process gets it before the lease ends. */
    async claim({ leaseMs, max }: { leaseMs: number; max: number }): Promise<ClaimedMail[]> {
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
          // SQLite has one writer at a time, so there are no locked rows.
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

    /** Deletes mail that was sent; false if another process took it over. */
    async done({ id, claim }: Held): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('mail_outbox')
        .where('id', '=', id)
        .where('claimed_by', '=', claim)
        .where('failed_at', 'is', null)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    retry: (mail: Held, delayMs: number, reason: string) =>
      update(mail, { due_at: sql<number>`${clock.nowMs} + ${delayMs}`, last_error: reason }),

    /** Returns mail that was not tried; the attempt does not count. */
    giveBack: (mail: Held) => update(mail, { attempts: sql<number>`attempts - 1` }),

    /** Keeps abandoned mail for inspection, and frees its `dedupe`. */
    giveUp: (mail: Held, reason: string) => update(mail, { dedupe: null, failed_at: clock.nowMs, last_error: reason }),

    /** Oldest first. */
    list: () =>
      db
        .selectFrom('mail_outbox')
        .select(['id', 'kind', 'created_at as createdAt', 'attempts', 'due_at as dueAt'])
        .select(['failed_at as failedAt', 'last_error as lastError'])
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    /** Queues abandoned or waiting mail for an attempt at once. False if there is no such mail, or it is being sent. */
    async resend(trx: Transaction<Tables>, id: string): Promise<boolean> {
      const queued = await trx
        .updateTable('mail_outbox')
        .set({ ...FREE, due_at: clock.nowMs, attempts: 0, failed_at: null, last_error: null })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', clock.nowMs)]))
        .returning('id')
        .executeTakeFirst()
      if (queued) audit.note(trx, { event: 'mail.resent', accountId: null, subject: id })
      return queued !== undefined
    },

    /** Deletes mail abandoned longer ago than this. Returns the number. */
    async sweep(keptMs: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('mail_outbox')
        .where('failed_at', '<=', (eb) => eb(clock.nowMs, '-', keptMs))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
