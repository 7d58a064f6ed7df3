/** What sign-in with passkeys and their owner's page share. */
import type { AccountStore } from '#accounts/store.ts'
import { AppError } from '#base/errors.ts'
import type { Session } from '#base/principal.ts'
import type { Seal } from '#base/seal.ts'
import type { SessionStore } from '#sessions/store.ts'
import type { Database, Trx } from '#storage/database.ts'
import { createChallenges } from './challenges.ts'
import type { Site } from './library.ts'
import type { PasskeyStore } from './store.ts'

export interface SharedOptions {
  transact: Database['audit']['change']
  accounts: AccountStore
  store: PasskeyStore
  sessions: SessionStore
  mail: {
    signInAdded(trx: Trx, way: { accountId: string; identityId: string }): Promise<void>
    signInChanged(trx: Trx, accountId: string, what: 'passkeys_only' | 'recovery_used'): Promise<void>
    wake(): void
  }
  seal: Seal
  publicUrl: string
}

export type Shared = ReturnType<typeof share>

export const notAccepted = (): AppError =>
  new AppError(
    'invalid_credentials',
    'This passkey is not accepted: it is unknown here, was removed, or the request is older than 5 minutes. Try again, or sign in another way.',
  )

const ended = (): AppError => new AppError('unauthenticated', 'The session has ended. Sign in again.')

/** Browsers have passkeys only for names of hosts, and only where nobody can listen. */
export function siteOf(publicUrl: string): Site | null {
  const { hostname, protocol, origin } = new URL(publicUrl)
  const isName = !/^[\d.]+$|:/.test(hostname)
  const isSafe = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isName && isSafe ? { rpId: hostname, origin } : null
}

export function share(options: SharedOptions) {
  const { transact, accounts, sessions, seal, publicUrl } = options
  const site = siteOf(publicUrl)

  function siteHere(): Site {
    if (site !== null) return site
    throw new AppError(
      'not_found',
      'This installation has no passkeys: its public URL is not https with the name of a host.',
    )
  }

  /** In a transaction that only the owner of a live session can finish. */
  const changing = <T>({ accountId, sessionId }: Session, work: (trx: Trx) => Promise<T>): Promise<T> =>
    transact(async (trx) => {
      await accounts.lock(trx, accountId)
      if (!(await sessions.isLive(trx, accountId, sessionId))) throw ended()
      return await work(trx)
    })

  return { ...options, challenges: createChallenges(seal), siteHere, changing }
}
