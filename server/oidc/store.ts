/** Ways to sign in without a password, in the database. */
import { newId } from '#base/ids.ts'
import type { Database, Trx } from '#storage/database.ts'

/** Who somebody is at a provider. */
interface Subject {
  issuer: string
  subject: string
}

interface NewIdentity extends Subject {
  accountId: string
  /** The id in the settings. */
  provider: string
}

export type IdentityStore = ReturnType<typeof createIdentityStore>

export function createIdentityStore({ db, clock, audit }: Database) {
  const live = (on: Database['db'], accountId: string) =>
    on
      .selectFrom('identities')
      .select(['id', 'provider', 'created_at as createdAt', 'used_at as usedAt'])
      .where('account_id', '=', accountId)
      .where('removed_at', 'is', null)

  return {
    /** Also a removed one. */
    find: ({ issuer, subject }: Subject, on: Database['db'] = db) =>
      on
        .selectFrom('identities')
        .select(['id', 'account_id as accountId', 'provider', 'removed_at as removedAt'])
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst(),

    findById: (id: string) =>
      db
        .selectFrom('identities')
        .select(['account_id as accountId', 'provider', 'removed_at as removedAt'])
        .where('id', '=', id)
        .executeTakeFirst(),

    /** The oldest first. */
    list: (accountId: string, on: Database['db'] = db) =>
      live(on, accountId).orderBy('created_at').orderBy('id').execute(),

    /** Null if it belongs to an account already; one that was removed does so unless its owner asks for it. */
    async add(
      trx: Trx,
      { accountId, provider, issuer, subject }: NewIdentity,
      isAsked: boolean,
    ): Promise<string | null> {
      const again = { account_id: accountId, provider, created_at: clock.nowMs, used_at: clock.nowMs, removed_at: null }
      const added = await trx
        .insertInto('identities')
        .values({ id: newId(), issuer, subject, ...again })
        .onConflict((conflict) => {
          const same = conflict.columns(['issuer', 'subject'])
          return isAsked ? same.doUpdateSet(again).where('identities.removed_at', 'is not', null) : same.doNothing()
        })
        .returning('id')
        .executeTakeFirst()
      if (added) audit.note(trx, { event: 'identity.added', accountId, subject: added.id, details: { provider } })
      return added?.id ?? null
    },

    /** False if it was removed, or its person got another account meanwhile. */
    async use(trx: Trx, { id, accountId }: { id: string; accountId: string }): Promise<boolean> {
      const used = await trx
        .updateTable('identities')
        .set({ used_at: clock.nowMs })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('removed_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return used !== undefined
    },

    /** Returns its account, or null if there is no such one. */
    async remove(trx: Trx, id: string, ofAccount?: string): Promise<string | null> {
      const all = trx.updateTable('identities').set({ removed_at: clock.nowMs }).where('id', '=', id)
      const wanted = ofAccount === undefined ? all : all.where('account_id', '=', ofAccount)
      const removed = await wanted
        .where('removed_at', 'is', null)
        .returning('account_id as accountId')
        .executeTakeFirst()
      if (!removed) return null
      audit.note(trx, { event: 'identity.removed', accountId: removed.accountId, subject: id })
      return removed.accountId
    },

    /** With what was removed, so that each can be added to another account. */
    async erase(trx: Trx, accountId: string): Promise<void> {
      await trx.deleteFrom('identities').where('account_id', '=', accountId).execute()
    },
  }
}
