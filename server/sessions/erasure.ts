/** Deletes an account at the request of its owner. */
import type { AccountStore } from '#accounts/store.ts'
import { AppError } from '#base/errors.ts'
import type { Principal } from '#base/principal.ts'
import type { Trx } from '#storage/database.ts'
import type { Auth } from './auth.ts'
import type { SessionStore } from './store.ts'

/** A session as young as this proves that its owner has just entered the password. */
const FRESH_MS = 10 * 60 * 1_000

interface ErasureOptions {
  transact<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  accounts: Pick<AccountStore, 'lock'>
  sessions: SessionStore
  confirm: Auth['confirm']
  /** Erases what every folder stores about the account, or throws. */
  eraseData(trx: Trx, accountId: string): Promise<void>
}

type Session = Extract<Principal, { kind: 'session' }>

export type Erase = ReturnType<typeof createErase>

export function createErase({ transact, accounts, sessions, confirm, eraseData }: ErasureOptions) {
  return async ({ accountId, sessionId }: Session, password?: string, signal?: AbortSignal): Promise<void> => {
    if (password !== undefined) await confirm(accountId, password, signal)
    else if (!(await sessions.isYounger(accountId, sessionId, FRESH_MS)))
      throw new AppError(
        'invalid_credentials',
        'This session is older than 10 minutes. Send your password in `password`.',
      )
    await transact(async (trx) => {
      await accounts.lock(trx, accountId)
      // A password reset may have ended this session meanwhile: then somebody else may be its owner.
      if (!(await sessions.isLive(trx, accountId, sessionId)))
        throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
      await eraseData(trx, accountId)
    })
  }
}
