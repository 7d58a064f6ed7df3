/** People who work in the account of another: their roles, and the account that a session works in. */
import { AppError } from '#base/errors.ts'
import type { MemberRole, Session } from '#base/principal.ts'
import type { Trx } from '#storage/database.ts'
import { type ChangeOptions, createChange, createOwnChange, forbidden, sessionEnded } from './change.ts'

interface MembersOptions extends ChangeOptions {
  /** Revokes the keys that a member has created in an account, as far as the role does not allow them; all without one. */
  revokeKeys(trx: Trx, accountId: string, personId: string, role: MemberRole | null): Promise<void>
}

export type Members = ReturnType<typeof createMembers>

export const noMember = (): AppError => new AppError('not_found', 'This account has no member with this id.')
const noAccount = (): AppError => new AppError('not_found', 'You are not a member of an account with this id.')

function refuseOwner(accountId: string, personId: string): void {
  if (personId === accountId)
    throw forbidden(
      'The owner of an account cannot be changed or removed, and can only offer the ownership to a member.',
    )
}

export function createMembers(options: MembersOptions) {
  const { accounts, sessions, store, revokeKeys } = options
  const [change, asMember] = [createChange(options), createOwnChange(options)]

  return {
    /** The owner first. */
    async list(accountId: string) {
      const owner = await accounts.find(accountId)
      const members = await store.list(accountId)
      const first = owner
        ? [{ id: accountId, email: owner.email, role: 'owner', createdAt: owner.createdAt, offerExpiresAt: null }]
        : []
      return [...first, ...members]
    },

    changeRole: (actor: Session, personId: string, role: MemberRole, keepKeys = false): Promise<void> =>
      change(actor, async (trx) => {
        refuseOwner(actor.accountId, personId)
        if (!(await store.setRole(trx, actor.accountId, personId, role))) throw noMember()
        if (!keepKeys) await revokeKeys(trx, actor.accountId, personId, role)
      }),

    remove: (actor: Session, personId: string, keepKeys = false): Promise<void> =>
      change(actor, async (trx) => {
        refuseOwner(actor.accountId, personId)
        if (!(await store.remove(trx, actor.accountId, personId, 'removed'))) throw noMember()
        await sessions.endIn(trx, personId, actor.accountId)
        if (!keepKeys) await revokeKeys(trx, actor.accountId, personId, null)
      }),

    /** The own account first. */
    async accountsOf({ accountId, acting }: Session) {
      const own = {
        accountId,
        email: (await accounts.find(accountId))?.email ?? '',
        role: 'owner',
        offerExpiresAt: null,
      }
      const all = [own, ...(await store.accountsOf(accountId))]
      return all.map((each) => ({ ...each, current: each.accountId === (acting?.accountId ?? accountId) }))
    },

    /** No lock: a session in an account without its owner as a member is refused with every request. */
    enter: ({ accountId: personId, sessionId }: Session, accountId: string): Promise<void> =>
      asMember(personId, async (trx) => {
        const isOwn = accountId === personId
        if (!isOwn && (await store.roleOf(accountId, personId, trx)) === null) throw noAccount()
        await sessions.enter(trx, personId, sessionId, isOwn ? null : accountId)
        if (!isOwn) store.noteEntered(trx, accountId, sessionId)
      }),

    leave: ({ accountId: personId, sessionId, acting }: Session, accountId: string): Promise<void> =>
      asMember(personId, async (trx) => {
        // As the acceptance of its ownership does: who leaves must not be its owner as well.
        for (const id of [accountId, personId].sort()) await accounts.lock(trx, id)
        if (!(await sessions.isLive(trx, personId, sessionId))) throw sessionEnded()
        if (!(await store.remove(trx, accountId, personId, 'left'))) throw noAccount()
        if (acting?.accountId === accountId) await sessions.enter(trx, personId, sessionId, null)
        await sessions.endIn(trx, personId, accountId)
        await revokeKeys(trx, accountId, personId, null)
      }),

    /** Refuses to delete an account in which others work. */
    async refuseMembers(trx: Trx, accountId: string): Promise<void> {
      if ((await store.countIn(trx, accountId)) === 0) return
      throw new AppError(
        'account_has_members',
        'Others are members of this account. Remove them, or offer the ownership to one of them.',
      )
    },
  }
}
