/** Hands the ownership of an account over to one of its members. */
import { AppError } from '#base/errors.ts'
import type { Session } from '#base/principal.ts'
import type { Prove } from '#sessions/proof.ts'
import type { SessionStore } from '#sessions/store.ts'
import type { Trx } from '#storage/database.ts'
import type { ChangeOptions } from './change.ts'
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
    ownerChanged(trx: Trx, change: { accountId: string; formerId: string }): Promise<void>
    wake(): void
  }
}

interface Proof {
  password?: string | undefined
  signal?: AbortSignal
}

export type Transfer = ReturnType<typeof createTransfer>

const inUse = (): AppError =>
  new AppError(
    'account_in_use',
    'This person has keys, reports, members or a plan in an account of their own, and one person has one account. Choose another member, or let the person delete that account and invite them again.',
  )

export function createTransfer(options: OwnershipOptions) {
  const { transact, accounts, sessions, store, ownership, mail, plan } = options

  async function give(trx: Trx, { accountId, sessionId }: Session, memberId: string): Promise<void> {
    // In this order, because two owners may give their accounts to each other.
    for (const id of [accountId, memberId].sort()) await accounts.lock(trx, id)
    if (!(await sessions.isLive(trx, accountId, sessionId)))
      throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
    const member = (await store.roleOf(accountId, memberId, trx)) && (await accounts.find(memberId, trx))
    if (!member || member.disabledAt !== null || member.provenAt === null) throw noMember()
    if (await ownership.isInUse(trx, memberId, plan)) throw inUse()
    // Sessions must not go on in another account than the one that their browser shows.
    await sessions.endAll(trx, memberId)
    await sessions.endOthers(accountId, sessionId, trx)
    await mail.forget(trx, accountId)
    const formerId = await ownership.give(trx, accountId, memberId, plan)
    await sessions.move(trx, sessionId, formerId, accountId)
    await options.eraseData(trx, memberId)
    await mail.ownerChanged(trx, { accountId, formerId })
  }

  return async (session: Session, memberId: string, { password, signal }: Proof): Promise<void> => {
    await options.prove(session, { password, minutes: FRESH_MINUTES, ...(signal && { signal }) })
    await transact((trx) => give(trx, session, memberId))
    mail.wake()
  }
}
