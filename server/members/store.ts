/** Members of accounts in the database. */
import type { ExpressionBuilder } from 'kysely'
import { memberActor } from '#base/actor.ts'
import type { MemberRole } from '#base/principal.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'

interface Membership {
  accountId: string
  personId: string
  role: MemberRole
  /** Null for a person whom a provider of sign-in or the operator adds. */
  invitedBy: string | null
}

export type MemberStore = ReturnType<typeof createMemberStore>

export function createMemberStore({ db, clock, audit }: Database) {
  const live = (on: Database['db']) => on.selectFrom('members').where('members.removed_at', 'is', null)

  /** Until when the person can become the owner; null where that is not offered. */
  const openOffer = (eb: ExpressionBuilder<Tables, 'members'>) =>
    eb
      .case()
      .when('members.offer_expires_at', '>', clock.nowMs)
      .then(eb.ref('members.offer_expires_at'))
      .end()
      .as('offerExpiresAt')

  async function countWhere(trx: Trx, column: 'account_id' | 'member_account_id', id: string): Promise<number> {
    return (await live(trx).select('role').where(column, '=', id).execute()).length
  }

  return {
    /** The oldest first. */
    list: (accountId: string) =>
      live(db)
        .innerJoin('accounts', 'accounts.id', 'members.member_account_id')
        .select(['accounts.id', 'accounts.email', 'members.role', 'members.created_at as createdAt'])
        .select(openOffer)
        .where('members.account_id', '=', accountId)
        .orderBy('members.created_at')
        .orderBy('accounts.id')
        .execute(),

    /** The accounts of others that a person can work in, by the address of their owner. */
    accountsOf: (personId: string) =>
      live(db)
        .innerJoin('accounts', 'accounts.id', 'members.account_id')
        .select(['accounts.id as accountId', 'accounts.email', 'members.role'])
        .select(openOffer)
        .where('members.member_account_id', '=', personId)
        .where('accounts.disabled_at', 'is', null)
        .orderBy('accounts.email_key')
        .execute(),

    async roleOf(accountId: string, personId: string, on: Database['db'] = db): Promise<MemberRole | null> {
      const one = live(on).select('role').where('account_id', '=', accountId).where('member_account_id', '=', personId)
      return ((await one.executeTakeFirst())?.role ?? null) as MemberRole | null
    },

    /** Also one that was removed. */
    async wasMember(accountId: string, personId: string): Promise<boolean> {
      const one = db.selectFrom('members').select('role').where('account_id', '=', accountId)
      return (await one.where('member_account_id', '=', personId).executeTakeFirst()) !== undefined
    },

    countIn: (trx: Trx, accountId: string) => countWhere(trx, 'account_id', accountId),
    countOf: (trx: Trx, personId: string) => countWhere(trx, 'member_account_id', personId),

    /** False if the person was a member before; one that was removed is so only by `isAsked`. */
    async add(trx: Trx, { accountId, personId, role, invitedBy }: Membership, isAsked: boolean): Promise<boolean> {
      const again = { role, invited_by: invitedBy, created_at: clock.nowMs, removed_at: null }
      const added = await trx
        .insertInto('members')
        .values({ account_id: accountId, member_account_id: personId, ...again })
        .onConflict((conflict) => {
          const same = conflict.columns(['account_id', 'member_account_id'])
          return isAsked ? same.doUpdateSet(again) : same.doNothing()
        })
        .returning('role')
        .executeTakeFirst()
      if (added) audit.note(trx, { event: 'member.joined', accountId, subject: personId, details: { role } })
      return added !== undefined
    },

    /** False if there is no such member. */
    async setRole(trx: Trx, accountId: string, personId: string, role: MemberRole): Promise<boolean> {
      const changed = await trx
        .updateTable('members')
        .set({ role })
        .where('account_id', '=', accountId)
        .where('member_account_id', '=', personId)
        .where('removed_at', 'is', null)
        .returning('role')
        .executeTakeFirst()
      if (changed) audit.note(trx, { event: 'member.changed', accountId, subject: personId, details: { role } })
      return changed !== undefined
    },

    /** False if there is no such member. */
    async remove(trx: Trx, accountId: string, personId: string, event: 'removed' | 'left'): Promise<boolean> {
      const removed = await trx
        .updateTable('members')
        .set({ removed_at: clock.nowMs, offer_expires_at: null })
        .where('account_id', '=', accountId)
        .where('member_account_id', '=', personId)
        .where('removed_at', 'is', null)
        .returning('role')
        .executeTakeFirst()
      if (removed) audit.note(trx, { event: `member.${event}`, accountId, subject: personId })
      return removed !== undefined
    },

    noteEntered: (trx: Trx, accountId: string, sessionId: string) =>
      audit.note(trx, { event: 'member.entered', accountId, subject: sessionId }),

    /** The members of an account, and what its owner was in those of others. Returns these accounts. */
    async erase(trx: Trx, accountId: string): Promise<string[]> {
      await trx.deleteFrom('members').where('account_id', '=', accountId).execute()
      const own = trx.deleteFrom('members').where('member_account_id', '=', accountId)
      const left = await own.returning(['account_id as id', 'removed_at as removedAt']).execute()
      const ids = left.filter(({ removedAt }) => removedAt === null).map(({ id }) => id)
      const actor = memberActor(accountId)
      for (const id of ids.sort()) audit.note(trx, { event: 'member.left', accountId: id, subject: accountId, actor })
      return ids
    },
  }
}
