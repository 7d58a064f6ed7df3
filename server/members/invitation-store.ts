/** Invitations to accounts in the database. */
import type { ExpressionBuilder } from 'kysely'
import { newId } from '#base/ids.ts'
import type { MemberRole } from '#base/principal.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'

export const INVITATION_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1_000
const INVITATION_MS = INVITATION_DAYS * DAY_MS

interface NewInvitation {
  accountId: string
  email: { address: string; key: string }
  role: MemberRole
  invitedBy: string
}

export type InvitationStore = ReturnType<typeof createInvitationStore>

export function createInvitationStore({ db, clock, audit }: Database) {
  /** One by a person who may no longer invite is void. */
  const mayInvite = (eb: ExpressionBuilder<Tables, 'member_invitations'>) =>
    eb.or([
      eb('member_invitations.invited_by', '=', eb.ref('member_invitations.account_id')),
      eb.exists(
        eb
          .selectFrom('members')
          .select('members.role')
          .whereRef('members.account_id', '=', 'member_invitations.account_id')
          .whereRef('members.member_account_id', '=', 'member_invitations.invited_by')
          .where('members.role', '=', 'admin')
          .where('members.removed_at', 'is', null),
      ),
    ])

  const open = (on: Database['db']) =>
    on
      .selectFrom('member_invitations')
      .where('member_invitations.ended_at', 'is', null)
      .where('member_invitations.expires_at', '>', clock.nowMs)
      .where(mayInvite)

  const countOf = async (rows: Promise<unknown[]>): Promise<number> => (await rows).length

  return {
    /** The oldest first. */
    list: (accountId: string) =>
      open(db)
        .select(['id', 'email', 'role', 'created_at as createdAt', 'expires_at as expiresAt'])
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    /** How many there are, for the limits. */
    async counts(trx: Trx, accountId: string, emailKey: string) {
      const ofDay = trx
        .selectFrom('member_invitations')
        .select('id')
        .where('created_at', '>', (eb) => eb(clock.nowMs, '-', DAY_MS))
      const others = open(trx).select('id').where('account_id', '=', accountId).where('email_key', '!=', emailKey)
      return {
        /** Without those that the new one replaces. */
        open: await countOf(others.execute()),
        today: await countOf(ofDay.where('account_id', '=', accountId).execute()),
        /** Of all accounts, because each is a mail to the same person; and of this one. */
        toAddress: await countOf(ofDay.where('email_key', '=', emailKey).execute()),
        ownToAddress: await countOf(
          ofDay.where('email_key', '=', emailKey).where('account_id', '=', accountId).execute(),
        ),
      }
    },

    /** Replaces an open one to the same address. */
    async create(trx: Trx, { accountId, email, role, invitedBy }: NewInvitation) {
      await trx
        .updateTable('member_invitations')
        .set({ ended_at: clock.nowMs })
        .where('account_id', '=', accountId)
        .where('email_key', '=', email.key)
        .where('ended_at', 'is', null)
        .execute()
      const created = await trx
        .insertInto('member_invitations')
        .values((eb) => ({
          ...{ id: newId(), account_id: accountId, email: email.address, email_key: email.key, role },
          ...{ invited_by: invitedBy, hash: null, created_at: clock.nowMs, ended_at: null },
          expires_at: eb(clock.nowMs, '+', INVITATION_MS),
        }))
        .returning(['id', 'email', 'role', 'created_at as createdAt', 'expires_at as expiresAt'])
        .executeTakeFirstOrThrow()
      audit.note(trx, { event: 'member.invited', accountId, subject: created.id, details: { role } })
      return created
    },

    /** False if the account has no such one. */
    async revoke(trx: Trx, accountId: string, id: string): Promise<boolean> {
      const ended = await trx
        .updateTable('member_invitations')
        .set({ ended_at: clock.nowMs })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', clock.nowMs)
        .returning('id')
        .executeTakeFirst()
      if (ended) audit.note(trx, { event: 'member.uninvited', accountId, subject: id })
      return ended !== undefined
    },

    /** Gives it the token of a mail that is being sent; a mail that is retried gets a new one. Null if it is not open any more. */
    async issue(id: string, hash: string) {
      const found = await open(db)
        .innerJoin('accounts as owners', 'owners.id', 'member_invitations.account_id')
        .innerJoin('accounts as inviters', 'inviters.id', 'member_invitations.invited_by')
        .select(['member_invitations.email', 'member_invitations.role'])
        .select(['owners.email as account', 'inviters.email as inviter'])
        .where('member_invitations.id', '=', id)
        .executeTakeFirst()
      if (!found) return null
      await db.updateTable('member_invitations').set({ hash }).where('id', '=', id).execute()
      return found
    },

    find: (hash: string, on: Database['db'] = db) =>
      open(on)
        .select(['id', 'account_id as accountId', 'email_key as emailKey', 'role', 'invited_by as invitedBy'])
        .where('hash', '=', hash)
        .executeTakeFirst(),

    /** Of several concurrent calls, one succeeds. */
    async redeem(trx: Trx, hash: string): Promise<boolean> {
      const used = await trx
        .updateTable('member_invitations')
        .set({ ended_at: clock.nowMs })
        .where('hash', '=', hash)
        .where('ended_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return used !== undefined
    },

    /** To an account, by its owner, and to its owner. */
    async erase(trx: Trx, accountId: string, emailKey: string): Promise<void> {
      await trx
        .deleteFrom('member_invitations')
        .where((eb) =>
          eb.or([eb('account_id', '=', accountId), eb('invited_by', '=', accountId), eb('email_key', '=', emailKey)]),
        )
        .execute()
    },

    async sweep(): Promise<void> {
      await db.deleteFrom('member_invitations').where('expires_at', '<', clock.nowMs).execute()
    },
  }
}
