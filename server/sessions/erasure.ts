/** Deletes an account at the request of its owner. */
import type { AccountStore } from '#accounts/store.ts'
import { AppError } from '#base/errors.ts'
import type { Session } from '#base/principal.ts'
import type { Trx } from '#storage/database.ts'
import type { Prove } from './proof.ts'
import type { SessionStore } from './store.ts'

const FRESH_MINUTES = 10

interface ErasureOptions {
  transact<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  accounts: Pick<AccountStore, 'lock'>
  sessions: SessionStore
  prove: Prove
  /** Throws if others work in the account. */
  refuseMembers(trx: Trx, accountId: string): Promise<void>
  /** Erases what every folder stores about the account, or throws. */
  eraseData(trx: Trx, accountId: string): Promise<void>
}

export type Erase = ReturnType<typeof createErase>

export function createErase({ transact, accounts, sessions, prove, refuseMembers, eraseData }: ErasureOptions) {
  return async (session: Session, password?: string, signal?: AbortSignal): Promise<void> => {
    const { accountId, sessionId } = session
    await prove(session, { password, minutes: FRESH_MINUTES, ...(signal && { signal }) })
    await transact(async (trx) => {
      await accounts.lock(trx, accountId)
      // A password reset may have ended this session meanwhile: then somebody else may be its owner.
      if (!(await sessions.isLive(trx, accountId, sessionId)))
        throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
      await refuseMembers(trx, accountId)
      await eraseData(trx, accountId)
    })
  }
}
