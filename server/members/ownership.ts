/** The ownership of an account: offered to a member by the owner, and taken by the member. Both prove that they are there. */
import { AppError } from '#base/errors.ts'
import type { Session } from '#base/principal.ts'
import type { Prove } from '#sessions/proof.ts'
import type { SessionStore } from '#sessions/store.ts'
import type { Trx } from '#storage/database.ts'
import { type ChangeOptions, createOwnChange, sessionEnded } from './change.ts'
import { noMember } from './members.ts'
import type { OwnershipStore } from './ownership-store.ts'

const FRESH_MINUTES = 10

interface OwnershipOptions extends Omit<ChangeOptions, 'sessions'> {
  sessions: Pick<SessionStore, 'isLive' | 'endAll' | 'endOthers' | 'move'>
  ownership: OwnershipStore
  prove: Prove
  /** Erases the account that the new owner had, which must have nothing in it. */
  eraseData(trx: Trx, accountId: string): Promise<void>
  /** Of an account that nobody has paid for. */
  plan: string
  mail: {
    /** Deletes queued mail about the person of the account. */
    forget(trx: Trx, accountId: string): Promise<void>
    ownershipOffered(trx: Trx, offer: { accountId: string; personId: string }): Promise<void>
    ownerChanged(trx: Trx, change: { accountId: string; formerId: string }): Promise<void>
    wake(): void
  }
}

interface Proof {
  password?: string | undefined
  signal?: AbortSignal
}

export type Ownership = ReturnType<typeof createOwnership>

const noOffer = (): AppError =>
  new AppError('not_found', 'Nobody offers you the ownership of an account with this id. An offer holds for 7 days.')

const inUse = (): AppError =>
  new AppError(
    'account_in_use',
    'Your own account has keys, reports, members, callbacks, allowed documents, a subscription or a plan. One person has one account: yours would be deleted. Decline the offer, or delete your account, sign up again, and ask to be invited again.',
  )

export function createOwnership(options: OwnershipOptions) {
  const { transact, accounts, sessions, store, ownership, mail, plan } = options
  const asMember = createOwnChange(options)

  const proven = (session: Session, { password, signal }: Proof) =>
    options.prove(session, { password, minutes: FRESH_MINUTES, ...(signal && { signal }) })

  /** Changes by the owner, one after the other, in a session that has not ended meanwhile. */
  const asOwner = <T>({ accountId, sessionId }: Session, work: (trx: Trx) => Promise<T>): Promise<T> =>
    transact(async (trx) => {
      await accounts.lock(trx, accountId)
      if (!(await sessions.isLive(trx, accountId, sessionId))) throw sessionEnded()
      return await work(trx)
    })

  async function give(trx: Trx, { accountId: personId, sessionId }: Session, accountId: string): Promise<void> {
    // In this order, because two owners may give their accounts to each other.
    for (const id of [accountId, personId].sort()) await accounts.lock(trx, id)
    if (!(await sessions.isLive(trx, personId, sessionId))) throw sessionEnded()
    const account = (await ownership.isOffered(trx, accountId, personId)) && (await accounts.find(accountId, trx))
    if (!account || account.disabledAt !== null) throw noOffer()
    if (await ownership.isInUse(trx, personId, plan)) throw inUse()
    // Sessions must not go on in another account than the one that their browser shows.
    await sessions.endAll(trx, accountId)
    await sessions.endOthers(personId, sessionId, trx)
    await mail.forget(trx, accountId)
    const formerId = await ownership.give(trx, accountId, personId, plan)
    await sessions.move(trx, sessionId, accountId)
    await options.eraseData(trx, personId)
    await mail.ownerChanged(trx, { accountId, formerId })
  }

  return {
    /** Returns when the offer ends. */
    async offer(session: Session, memberId: string, proof: Proof): Promise<number> {
      const { accountId } = session
      await proven(session, proof)
      const expiresAt = await asOwner(session, async (trx) => {
        const member = (await store.roleOf(accountId, memberId, trx)) && (await accounts.find(memberId, trx))
        if (!member || member.disabledAt !== null || member.provenAt === null) throw noMember()
        await mail.ownershipOffered(trx, { accountId, personId: memberId })
        return await ownership.offer(trx, accountId, memberId)
      })
      mail.wake()
      return expiresAt
    },

    withdraw: (session: Session, memberId: string): Promise<void> =>
      asOwner(session, async (trx) => {
        if (!(await ownership.endOffer(trx, session.accountId, memberId, 'withdrawn')))
          throw new AppError('not_found', 'The ownership of this account is not offered to this person.')
      }),

    async accept(session: Session, accountId: string, proof: Proof): Promise<void> {
      await proven(session, proof)
      await asMember(session.accountId, (trx) => give(trx, session, accountId))
      mail.wake()
    },

    decline: ({ accountId: personId }: Session, accountId: string): Promise<void> =>
      asMember(personId, async (trx) => {
        await accounts.lock(trx, accountId)
        if (!(await ownership.endOffer(trx, accountId, personId, 'declined'))) throw noOffer()
      }),
  }
}
