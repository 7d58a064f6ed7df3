/** Accounts in the database. */
import type { Transaction } from 'kysely'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'

export interface NewAccount {
  id: string
  email: string
  emailKey: string
  plan: string
}

export type AccountStore = ReturnType<typeof createAccountStore>

export function createAccountStore({ db, clock }: Database) {
  return {
    /** Creates the account and what belongs to it, or nothing; false when the address is taken. */
    create(account: NewAccount, alongside: (trx: Transaction<Tables>) => Promise<void>): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const inserted = await trx
          .insertInto('accounts')
          .values({
            id: account.id,
            email: account.email,
            email_key: account.emailKey,
            plan: account.plan,
            created_at: clock.nowMs,
          })
          .onConflict((conflict) => conflict.column('email_key').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!inserted) return false
        await alongside(trx)
        return true
      })
    },

    async plansInUse(): Promise<string[]> {
      const rows = await db.selectFrom('accounts').select('plan').distinct().execute()
      return rows.map((row) => row.plan)
    },
  }
}
