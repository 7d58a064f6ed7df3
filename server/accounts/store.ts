/** Accounts in the database. */
import type { Database, Trx } from '#storage/database.ts'

interface NewAccount {
  id: string
  email: string
  emailKey: string
  plan: string
  /** Without one, a password is set through the reset link. */
  passwordHash?: string
  /** JSON. */
  attribution?: string | null
  /** Of the sign-in that created it, which has proven its address; a password by default, which has not. */
  authProvider?: string
}

export type AccountStore = ReturnType<typeof createAccountStore>

const PASSWORD = 'password'

export function createAccountStore({ db, clock, audit }: Database) {
  const records = (on: Database['db']) =>
    on
      .selectFrom('accounts')
      .select([
        'id',
        'email',
        'plan',
        'created_at as createdAt',
        'auth_provider as authProvider',
        'password_hash as passwordHash',
        'disabled_at as disabledAt',
        'email_proven_at as provenAt',
        'passkeys_only_at as passkeysOnlyAt',
        'email_proven_at as provenAt',
      ])

  /** In the transaction of the caller. False when the address is taken. */
  async function insert(trx: Trx, account: NewAccount): Promise<boolean> {
    const inserted = await trx
      .insertInto('accounts')
      .values({
        id: account.id,
        email: account.email,
        email_key: account.emailKey,
        plan: account.plan,
        created_at: clock.nowMs,
        password_hash: account.passwordHash ?? null,
        auth_provider: account.authProvider ?? PASSWORD,
        attribution: account.attribution ?? null,
        email_proven_at: account.authProvider === undefined ? null : clock.nowMs,
        erased_at: null,
        ...{ disabled_at: null, passkeys_only_at: null },
      })
      .onConflict((conflict) => conflict.column('email_key').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted) audit.note(trx, { event: 'account.created', accountId: account.id, details: { plan: account.plan } })
    return inserted !== undefined
  }

  return {
    insert,

    /** Creates the account and runs `alongside` in one transaction. False when the address is taken. */
    create(account: NewAccount, alongside: (trx: Trx) => Promise<void>): Promise<boolean> {
      return audit.change(async (trx) => {
        if (!(await insert(trx, account))) return false
        await alongside(trx)
        return true
      })
    },

    find: (accountId: string, on: Database['db'] = db) => records(on).where('id', '=', accountId).executeTakeFirst(),
    findByEmail: (emailKey: string) => records(db).where('email_key', '=', emailKey).executeTakeFirst(),

    /** `provenAt` is null while nobody has proven that the address is theirs. */
    addressOf: (trx: Trx, accountId: string) =>
      trx
        .selectFrom('accounts')
        .select(['email_key as emailKey', 'email_proven_at as provenAt'])
        .where('id', '=', accountId)
        .executeTakeFirst(),

    /** Through a mailed link, which proves that the address belongs to the caller. */
    async setPassword(trx: Trx, accountId: string, passwordHash: string): Promise<void> {
      await trx
        .updateTable('accounts')
        .set((eb) => ({
          password_hash: passwordHash,
          email_proven_at: eb.fn.coalesce('email_proven_at', clock.nowMs),
        }))
        .where('id', '=', accountId)
        .execute()
    },

    /** The owner of an address that a provider has verified; locked until the transaction ends. */
    lockByEmail: (trx: Trx, emailKey: string) =>
      trx
        .updateTable('accounts')
        .set({ email_key: emailKey })
        .where('email_key', '=', emailKey)
        .returning([
          'id',
          'email_proven_at as provenAt',
          'disabled_at as disabledAt',
          'passkeys_only_at as passkeysOnlyAt',
        ])
        .executeTakeFirst(),

    /** Through a provider that has verified the address. Without the password, if somebody else may have chosen it. */
    async prove(trx: Trx, accountId: string, dropsPassword: boolean): Promise<void> {
      await trx
        .updateTable('accounts')
        .set((eb) => ({ email_proven_at: eb.fn.coalesce('email_proven_at', clock.nowMs) }))
        .$if(dropsPassword, (update) => update.set({ password_hash: null }))
        .where('id', '=', accountId)
        .execute()
    },

    /** Replaces the hash and locks the account until the transaction ends. False when `from` is not current. */
    async replaceHash(trx: Trx, accountId: string, from: string, to: string): Promise<boolean> {
      const replaced = await trx
        .updateTable('accounts')
        .set({ password_hash: to })
        .where('id', '=', accountId)
        .where('password_hash', '=', from)
        .where('passkeys_only_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return replaced !== undefined
    },

    async setPasskeysOnly(trx: Trx, accountId: string, isOn: boolean): Promise<void> {
      await trx
        .updateTable('accounts')
        .set({ passkeys_only_at: isOn ? clock.nowMs : null })
        .where('id', '=', accountId)
        .execute()
    },

    /** Other changes of this account wait until the transaction ends. */
    async lock(trx: Trx, accountId: string): Promise<void> {
      await trx.updateTable('accounts').set({ id: accountId }).where('id', '=', accountId).execute()
    },

    /** Removes everything personal. The id stays for the ledger of its keys. Returns the former address and its key. */
    async erase(trx: Trx, accountId: string): Promise<{ email: string; emailKey: string }> {
      const account = trx.selectFrom('accounts').select(['email', 'email_key as emailKey']).where('id', '=', accountId)
      const former = await account.executeTakeFirstOrThrow()
      await trx
        .updateTable('accounts')
        .set({
          ...{ email: '', email_key: `erased ${accountId}`, password_hash: null, attribution: null },
          ...{ email_proven_at: null, passkeys_only_at: null, erased_at: clock.nowMs },
        })
        .where('id', '=', accountId)
        .execute()
      audit.note(trx, { event: 'account.deleted', accountId })
      return former
    },

    /** Takes effect with the next request on every replica. False when the account is in that state already. */
    async setDisabled(trx: Trx, accountId: string, isDisabled: boolean): Promise<boolean> {
      const changed = await trx
        .updateTable('accounts')
        .set({ disabled_at: isDisabled ? clock.nowMs : null })
        .where('id', '=', accountId)
        .where('disabled_at', isDisabled ? 'is' : 'is not', null)
        .returning('id')
        .executeTakeFirst()
      if (changed) audit.note(trx, { event: isDisabled ? 'account.disabled' : 'account.enabled', accountId })
      return changed !== undefined
    },

    async setPlan(trx: Trx, accountId: string, plan: string): Promise<void> {
      const account = trx.selectFrom('accounts').select('plan as from').where('id', '=', accountId)
      const { from } = await account.executeTakeFirstOrThrow()
      if (from === plan) return
      await trx.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute()
      audit.note(trx, { event: 'account.plan_changed', accountId, details: { from, to: plan } })
    },

    async plansInUse(): Promise<string[]> {
      const rows = await db.selectFrom('accounts').select('plan').distinct().execute()
      return rows.map((row) => row.plan)
    },
  }
}
