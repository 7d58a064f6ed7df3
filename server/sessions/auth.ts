/** Sign-up, sign-in, sign-out, and password change and reset. */
import type { Static } from 'typebox'
import type { parseEmail } from '#accounts/email.ts'
import type { SignupPolicy } from '#accounts/signup-policy.ts'
import type { AccountStore } from '#accounts/store.ts'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { Session } from '#base/principal.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { AttemptStore } from './attempt-store.ts'
import type { Hasher } from './password-hasher.ts'
import { checkPassword } from './password-rules.ts'
import type { ResetStore } from './reset-store.ts'
import type {
  ChangePasswordRequest,
  LoginRequest,
  MeResponse,
  ResetPasswordRequest,
  SignupPasswordRequest,
} from './schema.ts'
import type { Browser, SessionStore } from './store.ts'
import { hashToken, isToken } from './token.ts'

type Me = Static<typeof MeResponse>

const PASSWORD = 'password'

export interface AuthOptions {
  /** A transaction whose noted events go to the audit log. */
  transact: Database['audit']['change']
  note: Database['audit']['note']
  parseEmail: typeof parseEmail
  accounts: AccountStore
  hasher: Hasher
  attempts: AttemptStore
  sessions: SessionStore
  resets: ResetStore
  revokeKeys(trx: Trx, accountId: string): Promise<void>
  /** Ways to sign in without a password. */
  eraseWays(trx: Trx, accountId: string): Promise<void>
  /** Offers of the ownership of an account. */
  withdrawOffers(trx: Trx, accountId: string): Promise<void>
  mail: {
    resetRequested(trx: Trx, emailKey: string): Promise<void>
    passwordChanged(trx: Trx, accountId: string): Promise<void>
    wake(): void
  }
  signupPolicy: SignupPolicy
  isOperator(person: { email: string; provenAt: number | null }): boolean
  plan: string
  log: Log
}

export type Auth = ReturnType<typeof createAuth>

const emailTaken = (): AppError =>
  new AppError(
    'email_taken',
    'An account with this e-mail address already exists. Sign in, or request a link to reset the password.',
    { errors: [{ field: 'email', message: 'is already taken' }] },
  )

const invalidToken = (): AppError =>
  new AppError(
    'invalid_token',
    'This link is not valid: it was already used, has expired, or was replaced by a newer one. Request a new link.',
  )

const invalidCredentials = (detail = 'The e-mail address or the password is wrong.'): AppError =>
  new AppError('invalid_credentials', detail)

const tooManyAttempts = (retryAfterSeconds: number): AppError =>
  new AppError(
    'rate_limited',
    `Too many attempts for this e-mail address. Try again in ${retryAfterSeconds} s, or request a link to reset the password.`,
    { retryAfterSeconds },
  )

const meOf = ({ email, plan, authProvider }: Me): Me => ({ email, plan, authProvider })

export function createAuth(options: AuthOptions) {
  const { transact, parseEmail, accounts, hasher, attempts, sessions, resets, mail, log } = options

  /** Null if this cannot be the address of an account. */
  function emailKeyOf(given: string): string | null {
    try {
      return parseEmail(given).key
    } catch {
      return null
    }
  }

  /** Does the same work for an unknown address, so that response times do not reveal accounts. */
  async function verify(emailKey: string | null, password: string, signal: AbortSignal | undefined) {
    const account = emailKey === null ? undefined : await accounts.findByEmail(emailKey)
    const stored = account?.passkeysOnlyAt == null ? (account?.passwordHash ?? null) : null
    const { ok, rehash } = await hasher.verify(stored, password, signal)
    return account && account.disabledAt === null && stored !== null && ok ? { account, stored, rehash } : null
  }

  /** Counts the attempt before it is verified. An attempt that fails for another reason than the password is uncounted. */
  async function limited<T>(attemptKey: string, attempt: () => Promise<T>): Promise<T> {
    const decision = await attempts.begin(attemptKey)
    if (!decision.allowed) throw tooManyAttempts(decision.retryAfterSeconds)
    return await attempt().catch(async (error) => {
      await attempts.untried(attemptKey)
      throw error
    })
  }

  interface Owner {
    accountId: string
    emailKey: string
  }

  async function passwordReplaced(
    trx: Trx,
    event: 'password.changed' | 'password.reset',
    owner: Owner,
    revokeKeys = false,
  ) {
    options.note(trx, { event, accountId: owner.accountId })
    await sessions.endAll(trx, owner.accountId)
    await options.withdrawOffers(trx, owner.accountId)
    if (revokeKeys) await options.revokeKeys(trx, owner.accountId)
    await attempts.clear(owner.emailKey, trx)
    await mail.passwordChanged(trx, owner.accountId)
  }

  async function accountOf(accountId: string) {
    const account = await accounts.find(accountId)
    if (!account) throw new Error('The account of this session does not exist')
    return account
  }

  /** On failure returns the old hash, which stays valid. */
  async function rehashed(stored: string, password: string): Promise<string> {
    try {
      return await hasher.hash(password)
    } catch (error) {
      log.warn({ err: error }, 'Failed to rehash a password')
      return stored
    }
  }

  return {
    /** The result has the token of the new session. */
    async signUp(given: Static<typeof SignupPasswordRequest>, browser: Browser | null, signal?: AbortSignal) {
      await options.signupPolicy.check(given.inviteCode)
      const email = parseEmail(given.email)
      checkPassword(given.password, email.address)
      if (await accounts.findByEmail(email.key)) throw emailTaken()
      const account = {
        id: newId(),
        email: email.address,
        emailKey: email.key,
        plan: options.plan,
        passwordHash: await hasher.hash(given.password, signal),
        attribution: given.attribution === undefined ? null : JSON.stringify(given.attribution),
      }
      const token = await transact(async (trx) => {
        if (!(await accounts.insert(trx, account))) throw emailTaken()
        await options.signupPolicy.admit(trx, account.id, given.inviteCode)
        return await sessions.start(trx, account.id, browser)
      })
      return { me: meOf({ ...account, authProvider: PASSWORD }), token }
    },

    /** The same work and the same error for an unknown address and for a wrong password. */
    async signIn(given: Static<typeof LoginRequest>, browser: Browser | null, signal?: AbortSignal) {
      const emailKey = emailKeyOf(given.email)
      const attemptKey = emailKey ?? given.email.trim().toLowerCase()
      const found = await limited(attemptKey, () => verify(emailKey, given.password, signal))
      if (found === null) throw invalidCredentials()
      const { account, stored, rehash } = found
      const hash = rehash ? await rehashed(stored, given.password) : stored
      const token = await transact(async (trx) => {
        // After a concurrent reset this password is the old one, and must neither sign in nor be stored again.
        if (!(await accounts.replaceHash(trx, account.id, stored, hash))) throw invalidCredentials()
        return await sessions.start(trx, account.id, browser)
      })
      await attempts.clear(attemptKey)
      return { me: meOf({ ...account, authProvider: PASSWORD }), token }
    },

    signOut: (accountId: string, sessionId: string): Promise<boolean> => sessions.endOf(accountId, sessionId),

    /** The person, with the plan of the account that the session works in. */
    async me({ accountId, sessionId, acting }: Session): Promise<Me> {
      const [account, provider] = [await accountOf(accountId), await sessions.providerOf(sessionId)]
      const operator = options.isOperator(account) && { operator: true }
      const own = { ...meOf({ ...account, authProvider: provider ?? PASSWORD }), ...operator }
      if (!acting) return own
      const { email, plan } = await accountOf(acting.accountId)
      return { ...own, plan, actingAs: { ...acting, email } }
    },

    /** Ends all sessions, as OWASP recommends, and returns the token of a new one for the caller. */
    async change(
      accountId: string,
      { currentPassword, newPassword, revokeKeys }: Static<typeof ChangePasswordRequest>,
      browser: Browser | null,
      signal?: AbortSignal,
    ): Promise<string> {
      const wrong = () => invalidCredentials('The current password is wrong.')
      const { email } = await accountOf(accountId)
      checkPassword(newPassword, email, 'newPassword')
      const { key } = parseEmail(email)
      const change = await limited(key, async () => {
        const found = await verify(key, currentPassword, signal)
        return found && { from: found.stored, to: await hasher.hash(newPassword, signal) }
      })
      if (change === null) throw wrong()
      const token = await transact(async (trx) => {
        if (!(await accounts.replaceHash(trx, accountId, change.from, change.to))) throw wrong()
        await passwordReplaced(trx, 'password.changed', { accountId, emailKey: key }, revokeKeys)
        return await sessions.start(trx, accountId, browser)
      })
      mail.wake()
      return token
    },

    /** Throws if this is not the password of the account. A wrong one counts as a failed sign-in. */
    async confirm(accountId: string, password: string, signal?: AbortSignal): Promise<void> {
      const { key } = parseEmail((await accountOf(accountId)).email)
      const found = await limited(key, () => verify(key, password, signal))
      if (found === null) throw invalidCredentials('The password is wrong.')
      await attempts.clear(key)
    },

    /** Queues the same mail for unknown addresses; the mailer drops it later. */
    async forgot(givenEmail: string): Promise<void> {
      const email = parseEmail(givenEmail)
      await transact((trx) => mail.resetRequested(trx, email.key))
      mail.wake()
    },

    async reset(given: Static<typeof ResetPasswordRequest>, signal?: AbortSignal): Promise<void> {
      if (!isToken(given.token)) throw invalidToken()
      const hash = hashToken(given.token)
      const owner = await resets.find(hash)
      if (!owner) throw invalidToken()
      checkPassword(given.password, owner.email)
      const passwordHash = await hasher.hash(given.password, signal)
      await transact(async (trx) => {
        // Locks the account before its links, in the same order as issuing a link, to avoid a deadlock.
        await accounts.lock(trx, owner.accountId)
        const redeemed = await resets.redeem(trx, hash)
        if (!redeemed) throw invalidToken()
        await accounts.setPassword(trx, redeemed.accountId, passwordHash)
        // Somebody else may have signed up with this address, and added a way to sign in.
        if (redeemed.provenAt === null) await options.eraseWays(trx, redeemed.accountId)
        await passwordReplaced(trx, 'password.reset', redeemed, given.revokeKeys)
      })
      mail.wake()
    },
  }
}
