/** The ways to sign in to an account, and how its owner removes one. */
import type { AccountStore } from '#accounts/store.ts'
import { AppError } from '#base/errors.ts'
import type { Session } from '#base/principal.ts'
import { NotOpened, type Seal } from '#base/seal.ts'
import type { PasskeyStore } from '#passkeys/store.ts'
import type { Prove } from '#sessions/proof.ts'
import type { SessionStore } from '#sessions/store.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { Provider } from './providers.ts'
import type { IdentityStore } from './store.ts'

export const FRESH_MINUTES = 5
export const UNDO_DAYS = 7
const UNDO_MS = UNDO_DAYS * 24 * 60 * 60 * 1_000
const UNDO_PLACE = 'link that removes a way to sign in'

interface WaysOptions {
  transact: Database['audit']['change']
  accounts: AccountStore
  identities: IdentityStore
  passkeys: Pick<PasskeyStore, 'list' | 'remove'>
  sessions: SessionStore
  prove: Prove
  providers: readonly Provider[]
  hasPasswords: boolean
  /** Offers of the ownership of an account. */
  withdrawOffers(trx: Trx, accountId: string): Promise<void>
  seal: Seal
}

/** The token of a mailed link. It needs no row: the identity can be removed once. */
export const undoToken = (seal: Seal, identityId: string, at: number): string =>
  Buffer.from(seal.close(JSON.stringify({ identityId, at }), UNDO_PLACE)).toString('base64url')

function identityIn(seal: Seal, token: string): string | null {
  try {
    const { identityId, at } = JSON.parse(seal.open(Buffer.from(token, 'base64url').toString(), UNDO_PLACE))
    return Date.now() - at <= UNDO_MS ? identityId : null
  } catch (error) {
    if (error instanceof NotOpened) return null
    throw error
  }
}

const invalidLink = (): AppError =>
  new AppError('invalid_token', 'This link is not valid: it was already used, or it has expired.')

export type Ways = ReturnType<typeof createWays>

export function createWays(options: WaysOptions) {
  const { transact, accounts, identities, passkeys, sessions, seal } = options

  type Account = Awaited<ReturnType<AccountStore['find']>>
  const hasPasswordIn = (account: Account): boolean =>
    options.hasPasswords && account?.passwordHash != null && account.passkeysOnlyAt === null

  return {
    async list(accountId: string) {
      const [account, items] = [await accounts.find(accountId), await identities.list(accountId)]
      const nameOf = (id: string) => options.providers.find((each) => each.id === id)?.name ?? id
      return {
        hasPassword: hasPasswordIn(account),
        items: items.map((each) => ({ ...each, name: nameOf(each.provider) })),
      }
    },

    /** Ends all other sessions. The last way to sign in cannot be removed. */
    async remove(session: Session, id: string, password: string | undefined, signal?: AbortSignal): Promise<void> {
      await options.prove(session, { password, minutes: FRESH_MINUTES, ...(signal && { signal }) })
      const { accountId, sessionId } = session
      await transact(async (trx) => {
        await accounts.lock(trx, accountId)
        if (!(await sessions.isLive(trx, accountId, sessionId)))
          throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
        const all = await identities.list(accountId, trx)
        if (!all.some((each) => each.id === id))
          throw new AppError('not_found', 'Your account has no way to sign in with this id.')
        const others = [
          hasPasswordIn(await accounts.find(accountId, trx)),
          (await passkeys.list(accountId, trx)).length > 0,
        ]
        if (all.length === 1 && !others.some(Boolean))
          throw new AppError('last_sign_in', 'This is the only way to sign in to your account. Add another one first.')
        await identities.remove(trx, id)
        await sessions.endOthers(accountId, sessionId, trx)
      })
    },

    /** The number of ways besides passkeys; none where nothing but passkeys signs in. */
    async countOthers(trx: Trx, accountId: string): Promise<number> {
      const account = await accounts.find(accountId, trx)
      if (account?.passkeysOnlyAt !== null) return 0
      return (await identities.list(accountId, trx)).length + (hasPasswordIn(account) ? 1 : 0)
    },

    /** By the link in the mail about a new way to sign in. Ends all sessions. */
    async undo(token: string): Promise<void> {
      const id = identityIn(seal, token)
      if (id === null) throw invalidLink()
      await transact(async (trx) => {
        const accountId = (await identities.remove(trx, id)) ?? (await passkeys.remove(trx, id))
        if (accountId === null) throw invalidLink()
        await sessions.endAll(trx, accountId)
        await options.withdrawOffers(trx, accountId)
      })
    },
  }
}
