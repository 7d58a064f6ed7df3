/** Which account a person at a provider gets, row by row: by identity first, and by a verified address only once. */
import type { parseEmail } from '#accounts/email.ts'
import type { SignupPolicy } from '#accounts/signup-policy.ts'
import type { AccountStore } from '#accounts/store.ts'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Session } from '#base/principal.ts'
import type { Browser, SessionStore } from '#sessions/store.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { Person } from './person.ts'
import type { Provider } from './providers.ts'
import { type Refusal, SignInRefused } from './refusal.ts'
import type { IdentityStore } from './store.ts'

export const IDENTITIES_MAX = 10
const TRIES = 3

/** Another sign-in of the same person was faster: what it has stored is found in the next attempt. */
class Outrun extends Error {}

export interface LinkingOptions {
  transact: Database['audit']['change']
  parseEmail: typeof parseEmail
  accounts: AccountStore
  identities: IdentityStore
  /** Every way to sign in without a password. */
  eraseWays(trx: Trx, accountId: string): Promise<void>
  /** Offers of the ownership of an account. */
  withdrawOffers(trx: Trx, accountId: string): Promise<void>
  sessions: SessionStore
  signupPolicy: SignupPolicy
  plan: string
  /** Makes a person a member of the account with this address or id. */
  joinAccount(personId: string, account: string): Promise<void>
  mail: {
    signInAdded(trx: Trx, identity: { accountId: string; identityId: string }): Promise<void>
    addressProven(trx: Trx, accountId: string): Promise<void>
    wake(): void
  }
}

interface SignedIn {
  accountId: string
  token: string
  /** The account existed before anybody had proven its address: its keys may be those of somebody else. */
  isFirstProof: boolean
}

type Who = Person & { provider: Provider }

/** The codes of the sign-up policy are those of the page. */
const POLICY: readonly Refusal[] = ['signup_closed', 'invite_required']

function asRefusal(error: unknown): unknown {
  const code = error instanceof AppError ? POLICY.find((each) => each === error.code) : undefined
  return code === undefined ? error : new SignInRefused(code)
}

export function createLinking(options: LinkingOptions) {
  const { transact, accounts, identities, sessions, signupPolicy, mail } = options

  const start = (trx: Trx, accountId: string, { provider }: Who, browser: Browser, isConfirmed = false) =>
    sessions.start(trx, accountId, browser, { provider: provider.kind, isConfirmed })

  const add = (trx: Trx, accountId: string, { provider, issuer, subject }: Who, isAsked = false) =>
    identities.add(trx, { accountId, provider: provider.id, issuer, subject }, isAsked)

  /** Null if the address is missing, not verified, or none that an account can have. */
  function addressOf({ email, isVerified }: Who) {
    try {
      return email !== null && isVerified ? options.parseEmail(email) : null
    } catch {
      return null
    }
  }

  /** The address in the token is not looked at: a changed one must not move an account. */
  async function enter(found: NonNullable<Awaited<ReturnType<IdentityStore['find']>>>, who: Who, browser: Browser) {
    if (found.removedAt !== null) throw new SignInRefused('sign_in_removed')
    const account = await accounts.find(found.accountId)
    if (!account || account.disabledAt !== null) throw new SignInRefused('account_disabled')
    if (account.passkeysOnlyAt !== null) throw new SignInRefused('passkeys_only')
    return await transact(async (trx): Promise<SignedIn> => {
      if (!(await identities.use(trx, found))) throw new SignInRefused('sign_in_removed')
      const { accountId } = found
      return { accountId, token: await start(trx, accountId, who, browser), isFirstProof: false }
    })
  }

  function create(email: { address: string; key: string }, who: Who, inviteCode: string | undefined, browser: Browser) {
    return transact(async (trx): Promise<SignedIn> => {
      const account = { id: newId(), email: email.address, emailKey: email.key, plan: options.plan }
      if (!(await accounts.insert(trx, { ...account, authProvider: who.provider.kind }))) throw new Outrun()
      if ((await add(trx, account.id, who)) === null) throw new Outrun()
      await signupPolicy.admit(trx, account.id, inviteCode)
      return { accountId: account.id, token: await start(trx, account.id, who, browser), isFirstProof: false }
    })
  }

  /** Somebody else may have signed up with this address: nothing of theirs may sign in any longer. */
  async function evict(trx: Trx, accountId: string): Promise<void> {
    await options.eraseWays(trx, accountId)
    await sessions.endAll(trx, accountId)
    await options.withdrawOffers(trx, accountId)
    await accounts.prove(trx, accountId, true)
  }

  async function adopt(trx: Trx, emailKey: string, who: Who, browser: Browser): Promise<SignedIn> {
    const account = await accounts.lockByEmail(trx, emailKey)
    if (!account) throw new Outrun()
    if (account.disabledAt !== null) throw new SignInRefused('account_disabled')
    const isFirstProof = account.provenAt === null
    if (isFirstProof) await evict(trx, account.id)
    else if (account.passkeysOnlyAt !== null) throw new SignInRefused('passkeys_only')
    const identityId = await add(trx, account.id, who)
    if (identityId === null) throw new Outrun()
    if (isFirstProof) await mail.addressProven(trx, account.id)
    else await mail.signInAdded(trx, { accountId: account.id, identityId })
    return { accountId: account.id, token: await start(trx, account.id, who, browser), isFirstProof }
  }

  async function admit(who: Who, inviteCode: string | undefined, browser: Browser): Promise<SignedIn> {
    const found = await identities.find(who)
    if (found) return await enter(found, who, browser)
    const email = addressOf(who)
    if (email === null) throw new SignInRefused('email_unverified')
    if (await accounts.findByEmail(email.key)) return await transact((trx) => adopt(trx, email.key, who, browser))
    await signupPolicy.check(inviteCode)
    return await create(email, who, inviteCode, browser)
  }

  async function join(personId: string, { organisation, provider: { joinAccounts } }: Who): Promise<void> {
    const isListed = organisation !== null && Object.hasOwn(joinAccounts, organisation)
    const account = isListed ? joinAccounts[organisation] : undefined
    if (account !== undefined) await options.joinAccount(personId, account)
  }

  async function addAsked(trx: Trx, accountId: string, who: Who): Promise<void> {
    const found = await identities.find(who, trx)
    if (found?.removedAt === null && found.accountId === accountId) return
    const own = await identities.list(accountId, trx)
    if (own.length >= IDENTITIES_MAX) throw new SignInRefused('too_many_identities')
    const identityId = await add(trx, accountId, who, true)
    if (identityId === null) throw new SignInRefused('identity_taken')
    await mail.signInAdded(trx, { accountId, identityId })
  }

  return {
    async signIn(who: Who, inviteCode: string | undefined, browser: Browser): Promise<SignedIn> {
      for (let tries = 1; ; tries++) {
        try {
          const signedIn = await admit(who, inviteCode, browser)
          await join(signedIn.accountId, who)
          mail.wake()
          return signedIn
        } catch (error) {
          if (!(error instanceof Outrun)) throw asRefusal(error)
          if (tries === TRIES) throw new SignInRefused('failed')
        }
      }
    },

    /** At the request of the owner, whatever the address there is. */
    async link(who: Who, { accountId, sessionId }: Pick<Session, 'accountId' | 'sessionId'>): Promise<void> {
      const own = (await accounts.find(accountId))?.email ?? ''
      await transact(async (trx) => {
        await accounts.lock(trx, accountId)
        if (!(await sessions.isLive(trx, accountId, sessionId))) throw new SignInRefused('session_ended')
        await addAsked(trx, accountId, who)
        if (addressOf(who)?.key === own.toLowerCase()) await accounts.prove(trx, accountId, false)
      })
      mail.wake()
    },

    /** A new session in place of this one, which counts as fresh. */
    confirm: (
      who: Who,
      { accountId, sessionId }: Pick<Session, 'accountId' | 'sessionId'>,
      browser: Browser,
    ): Promise<string> =>
      transact(async (trx) => {
        await accounts.lock(trx, accountId)
        const found = await identities.find(who, trx)
        if (!found || found.accountId !== accountId) throw new SignInRefused('other_identity')
        if ((await accounts.find(accountId, trx))?.passkeysOnlyAt !== null) throw new SignInRefused('passkeys_only')
        if (!(await sessions.isLive(trx, accountId, sessionId))) throw new SignInRefused('session_ended')
        if (!(await identities.use(trx, found))) throw new SignInRefused('sign_in_removed')
        return await start(trx, accountId, who, browser, true)
      }),
  }
}
