/** Wires the sessions module and periodically deletes expired rows. */
import type { Database, Trx } from '#storage/database.ts'
import { createAttemptStore } from './attempt-store.ts'
import { type AuthOptions, createAuth } from './auth.ts'
import { createErase } from './erasure.ts'
import { createHasher } from './password-hasher.ts'
import { createProof } from './proof.ts'
import { createSessionStore } from './store.ts'

const SWEEP_EVERY_MS = 10 * 60 * 1000

interface SessionsOptions
  extends Pick<
    AuthOptions,
    | 'parseEmail'
    | 'accounts'
    | 'resets'
    | 'revokeKeys'
    | 'eraseWays'
    | 'withdrawOffers'
    | 'mail'
    | 'signupPolicy'
    | 'isOperator'
    | 'plan'
    | 'log'
  > {
  database: Database
  /** Throws if others work in the account. */
  refuseMembers(trx: Trx, accountId: string): Promise<void>
  /** Deletes expired rows of another folder. */
  swept: readonly { sweep(): Promise<unknown> }[]
  /** Erases what every folder stores about the account, or throws. */
  eraseData(trx: Trx, accountId: string): Promise<void>
}

export function setUpSessions({ database, eraseData, refuseMembers, swept, ...options }: SessionsOptions) {
  const { accounts, resets, log } = options
  const sessions = createSessionStore(database, log)
  const attempts = createAttemptStore(database)
  const { change: transact, note } = database.audit

  function sweep(): void {
    for (const store of [sessions, resets, attempts, ...swept])
      store.sweep().catch((error) => log.warn({ err: error }, 'Failed to delete expired rows; it will be retried'))
  }
  const timer = setInterval(sweep, SWEEP_EVERY_MS)
  timer.unref()

  const auth = createAuth({ ...options, transact, note, hasher: createHasher({ log }), attempts, sessions })
  const prove = createProof({ sessions, confirm: auth.confirm })

  return {
    auth,
    prove,
    erase: createErase({ transact, accounts, sessions, prove, refuseMembers, eraseData }),
    sessions,
    sweeper: { close: () => clearInterval(timer) },
  }
}
