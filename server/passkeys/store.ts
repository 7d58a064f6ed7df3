/** Passkeys and recovery codes in the database. */
import { newId } from '#base/ids.ts'
import type { Database, Trx } from '#storage/database.ts'

interface NewPasskey {
  accountId: string
  credentialId: string
  publicKey: string
  handle: string
  counter: number
  transports: readonly string[]
  isBackedUp: boolean
  name: string
}

interface Owned {
  id: string
  accountId: string
}

export type PasskeyStore = ReturnType<typeof createPasskeyStore>

const ofRow = <T extends { transports: string; isBackedUp: number }>({ transports, isBackedUp, ...row }: T) => ({
  ...row,
  transports: transports === '' ? [] : transports.split(' '),
  isBackedUp: isBackedUp === 1,
})

export function createPasskeyStore({ db, clock, audit }: Database) {
  const rows = (on: Database['db']) =>
    on
      .selectFrom('passkeys')
      .select(['id', 'account_id as accountId', 'credential_id as credentialId', 'public_key as publicKey'])
      .select(['handle', 'counter', 'transports', 'backed_up as isBackedUp', 'name'])
      .select(['created_at as createdAt', 'used_at as usedAt'])

  return {
    async findByCredential(credentialId: string) {
      const row = await rows(db).where('credential_id', '=', credentialId).executeTakeFirst()
      return row && ofRow(row)
    },

    async findById(id: string) {
      const row = await rows(db).where('id', '=', id).executeTakeFirst()
      return row && ofRow(row)
    },

    /** The oldest first. */
    async list(accountId: string, on: Database['db'] = db) {
      const found = await rows(on).where('account_id', '=', accountId).orderBy('created_at').orderBy('id').execute()
      return found.map(ofRow)
    },

    /** Null if a passkey with this credential exists. */
    async add(trx: Trx, { accountId, credentialId, publicKey, transports, ...given }: NewPasskey) {
      const { handle, counter, isBackedUp, name } = given
      const added = await trx
        .insertInto('passkeys')
        .values({
          ...{
            id: newId(),
            account_id: accountId,
            credential_id: credentialId,
            public_key: publicKey,
            handle,
            counter,
          },
          ...{ transports: transports.join(' '), backed_up: isBackedUp ? 1 : 0, name },
          ...{ created_at: clock.nowMs, used_at: null },
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning(['id', 'created_at as createdAt'])
        .executeTakeFirst()
      if (added) audit.note(trx, { event: 'passkey.added', accountId, subject: added.id })
      return added ?? null
    },

    /** False if it was removed or its person got another account meanwhile, or if it has counted as many signatures already: then a copy of it exists. */
    async use(trx: Trx, { id, accountId }: Owned, counter: number, isBackedUp: boolean): Promise<boolean> {
      const used = await trx
        .updateTable('passkeys')
        .set({ backed_up: isBackedUp ? 1 : 0, used_at: clock.nowMs })
        .$if(counter > 0, (update) =>
          update.set({ counter }).where((eb) => eb.or([eb('counter', '=', 0), eb('counter', '<', counter)])),
        )
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .executeTakeFirst()
      return used !== undefined
    },

    /** False if the account has no such one. */
    async rename(accountId: string, id: string, name: string): Promise<boolean> {
      const own = db.updateTable('passkeys').set({ name }).where('id', '=', id).where('account_id', '=', accountId)
      return (await own.returning('id').executeTakeFirst()) !== undefined
    },

    /** Returns its account, or null if there is no such one. */
    async remove(trx: Trx, id: string): Promise<string | null> {
      const removed = await trx
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .returning('account_id as accountId')
        .executeTakeFirst()
      if (!removed) return null
      audit.note(trx, { event: 'passkey.removed', accountId: removed.accountId, subject: id })
      return removed.accountId
    },

    /** False if it was answered before. */
    async spend(trx: Trx, hash: string): Promise<boolean> {
      const spent = await trx
        .insertInto('spent_challenges')
        .values({ hash, spent_at: clock.nowMs })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .returning('hash')
        .executeTakeFirst()
      return spent !== undefined
    },

    /** In place of all earlier ones. */
    async replaceCodes(trx: Trx, accountId: string, hashes: readonly string[]): Promise<void> {
      await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
      if (hashes.length === 0) return
      const codes = hashes.map((hash) => ({ hash, account_id: accountId, created_at: clock.nowMs }))
      await trx.insertInto('recovery_codes').values(codes).execute()
    },

    async countCodes(accountId: string): Promise<number> {
      const codes = db.selectFrom('recovery_codes').select((eb) => eb.fn.countAll().as('count'))
      return Number((await codes.where('account_id', '=', accountId).executeTakeFirstOrThrow()).count)
    },

    /** Of several concurrent calls with the same code, one succeeds. */
    async redeemCode(trx: Trx, accountId: string, hash: string): Promise<boolean> {
      const code = trx.deleteFrom('recovery_codes').where('hash', '=', hash).where('account_id', '=', accountId)
      const redeemed = await code.returning('hash').executeTakeFirst()
      if (redeemed) audit.note(trx, { event: 'recovery_code.used', accountId })
      return redeemed !== undefined
    },

    async erase(trx: Trx, accountId: string): Promise<void> {
      await trx.deleteFrom('passkeys').where('account_id', '=', accountId).execute()
      await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
    },

    async sweep(olderThanMs: number): Promise<void> {
      await db
        .deleteFrom('spent_challenges')
        .where('spent_at', '<', (eb) => eb(clock.nowMs, '-', olderThanMs))
        .execute()
    },
  }
}
