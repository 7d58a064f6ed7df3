/** Who wants mail about infected documents, and how many it has to report. */
import type { Database, Trx } from '#storage/database.ts'
import { type Procedure, query } from '#storage/prepared.ts'

/** The operator has no account. */
export const OPERATOR = 'operator'

/** Between two mails, so that ten thousand infected documents are not ten thousand mails. */
export const PAUSE_MS = 60 * 60 * 1_000

/** The start of a period whose documents one mail reports. */
interface Due {
  since: number
  delayMs: number
}

export type AlertStore = ReturnType<typeof createAlertStore>

export function createAlertStore({ db, clock, audit }: Database) {
  const set = (on: Database['db'], id: string, mail: 0 | 1) =>
    on
      .insertInto('alerts')
      .values({ account_id: id, mail, since: 0, found: 0, due_at: 0 })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ mail }))

  return {
    async isOn(accountId: string): Promise<boolean> {
      const row = db.selectFrom('alerts').select('mail').where('account_id', '=', accountId)
      return (await row.executeTakeFirst())?.mail === 1
    },

    change: (accountId: string, isOn: boolean): Promise<void> =>
      audit.change(async (trx) => {
        await set(trx, accountId, isOn ? 1 : 0).execute()
        audit.note(trx, { event: isOn ? 'alerts.on' : 'alerts.off', accountId })
      }),

    async setOperator(): Promise<void> {
      await set(db, OPERATOR, 1).execute()
    },

    /**
     * Counts an infected document in the transaction that stores its verdict. Returns a mail to post for the first one of a
     * period: at once, or a pause after the last mail. The lock of the row makes others of the account wait, not miss it.
     */
    *found(id: string): Procedure<Due | null> {
      const [row] = yield* query(
        db
          .updateTable('alerts')
          .set((eb) => {
            const isWaiting = eb('due_at', '>', clock.nowMs)
            const next = eb('due_at', '+', PAUSE_MS)
            return {
              since: eb.case().when(isWaiting).then(eb.ref('since')).else(clock.nowMs).end(),
              found: eb
                .case()
                .when(isWaiting)
                .then(eb('found', '+', 1))
                .else(1)
                .end(),
              due_at: eb
                .case()
                .when(isWaiting)
                .then(eb.ref('due_at'))
                .when(eb(next, '>', clock.nowMs))
                .then(next)
                .else(clock.nowMs)
                .end(),
            }
          })
          .where('account_id', '=', id)
          .where('mail', '=', 1)
          .returning(['since', 'found', 'due_at as dueAt', clock.nowMs.as('nowMs')]),
      )
      if (row === undefined || row.found !== 1) return null
      return { since: row.since, delayMs: Math.max(0, row.dueAt - row.nowMs) }
    },

    /** The mail of a period that has not ended; null if none waits. */
    async waiting(trx: Trx, id: string): Promise<Due | null> {
      const row = await trx
        .selectFrom('alerts')
        .select((eb) => ['since', eb('due_at', '-', clock.nowMs).$castTo<number>().as('delayMs')])
        .where('account_id', '=', id)
        .where('mail', '=', 1)
        .where('due_at', '>', clock.nowMs)
        .executeTakeFirst()
      return row ?? null
    },

    /** How many documents a mail reports: null if a later one counts already, and undefined if nobody wants it any more. */
    async countSince(id: string, since: number): Promise<number | null | undefined> {
      const row = await db
        .selectFrom('alerts')
        .select(['since', 'found', 'mail'])
        .where('account_id', '=', id)
        .executeTakeFirst()
      if (row?.mail !== 1) return undefined
      return row.since === since ? row.found : null
    },

    async erase(trx: Trx, accountId: string): Promise<void> {
      await trx.deleteFrom('alerts').where('account_id', '=', accountId).execute()
    },
  }
}
