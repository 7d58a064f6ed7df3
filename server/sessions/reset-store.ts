/** Reset links in the database. Only the newest link of an account works, once, for ten minutes. */
import type { Transaction } from 'kysely'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'

export const RESET_MINUTES = 10
const RESET_MS = RESET_MINUTES * 60 * 1000
/**
 * Limits mail to the owner. It does not apply while no link works; otherwise an attacker who requests three links could
 * keep the owner from resetting the password for the rest of the hour.
 */
export const RESETS_PER_HOUR_MAX = 3
const HOUR_MS = 60 * 60 * 1000

export type ResetStore = ReturnType<typeof createResetStore>

export function createResetStore({ db, clock }: Database) {
  const live = (on: Database['db'], hash: string) =>
    on
      .selectFrom('password_resets')
      .innerJoin('accounts', 'accounts.id', 'password_resets.account_id')
      .select(['accounts.id as accountId', 'accounts.email', 'accounts.email_key as emailKey'])
      .select('accounts.email_proven_at as provenAt')
      .where('password_resets.hash', '=', hash)
      .where('password_resets.created_at', '>', (eb) => eb(clock.nowMs, '-', RESET_MS))

  return {
    /**
     * Replaces all earlier links of the account. Null if the account does not exist or has reached its limit. A mail that
     * is retried gets a new link in place of its own.
     */
    issue(mailId: string, emailKey: string, hash: string): Promise<{ email: string; isProven: boolean } | null> {
      return db.transaction().execute(async (trx) => {
        // The write locks the account, so that concurrent requests run one after the other.
        const account = await trx
          .updateTable('accounts')
          .set({ email_key: emailKey })
          .where('email_key', '=', emailKey)
          // Before anybody had proven the address, somebody else may have switched passkeys only on.
          .where((eb) => eb.or([eb('passkeys_only_at', 'is', null), eb('email_proven_at', 'is', null)]))
          .returning(['id', 'email', 'email_proven_at as provenAt'])
          .executeTakeFirst()
        if (!account) return null
        const recent = await trx
          .selectFrom('password_resets')
          .select((eb) => ['hash', eb('created_at', '>', eb(clock.nowMs, '-', RESET_MS)).as('young')])
          .where('account_id', '=', account.id)
          .where('id', '!=', mailId)
          .where('created_at', '>', (eb) => eb(clock.nowMs, '-', HOUR_MS))
          .execute()
        const works = recent.some(({ hash, young }) => hash !== null && Boolean(young))
        if (recent.length >= RESETS_PER_HOUR_MAX && works) return null
        await trx.updateTable('password_resets').set({ hash: null }).where('account_id', '=', account.id).execute()
        await trx
          .insertInto('password_resets')
          .values({ id: mailId, account_id: account.id, hash, created_at: clock.nowMs })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ hash, created_at: clock.nowMs }))
          .execute()
        return { email: account.email, isProven: account.provenAt !== null }
      })
    },

    find: (hash: string) => live(db, hash).executeTakeFirst(),

    /** Invalidates the link. Of several concurrent calls, one succeeds. */
    async redeem(trx: Transaction<Tables>, hash: string) {
      const owner = await live(trx, hash).executeTakeFirst()
      if (!owner) return undefined
      const spent = await trx
        .updateTable('password_resets')
        .set({ hash: null })
        .where('hash', '=', hash)
        .returning('id')
        .executeTakeFirst()
      return spent ? owner : undefined
    },

    async erase(trx: Transaction<Tables>, accountId: string): Promise<void> {
      await trx.deleteFrom('password_resets').where('account_id', '=', accountId).execute()
    },

    async sweep(): Promise<void> {
      await db
        .deleteFrom('password_resets')
        .where('created_at', '<', (eb) => eb(clock.nowMs, '-', HOUR_MS))
        .execute()
    },
  }
}
