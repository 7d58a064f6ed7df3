/** Signing up, in and out, and getting a new password: the rules, top to bottom. */
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { ResetStore } from './reset-store.ts'
import type { Sessions } from './sessions.ts'
import type { Trx } from './store.ts'
import { hashToken, isToken } from './token.ts'

export interface Me {
  email: string
  plan: string
  authProvider: string
}

interface Account extends Me {
  id: string
  passwordHash: string | null
}

/** What this room needs of the others. */
export interface AuthOptions {
  transact<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  parseEmail(given: string): { address: string; key: string }
  checkPassword(password: string, email: string): void
  accounts: {
    findByEmail(emailKey: string): Promise<Account | undefined>
    find(accountId: string): Promise<Account | undefined>
    /** False when the address is taken. */
    insert(trx: Trx, account: NewAccount): Promise<boolean>
    setPassword(trx: Trx, accountId: string, passwordHash: string): Promise<void>
    /** False when the hash is another one by now. */
    replaceHash(trx: Trx, accountId: string, from: string, to: string): Promise<boolean>
    lock(trx: Trx, accountId: string): Promise<void>
  }
  hasher: {
    hash(password: string, signal?: AbortSignal): Promise<string>
    verify(stored: string | null, password: string, signal?: AbortSignal): Promise<{ ok: boolean; rehash: boolean }>
  }
  attempts: {
    begin(emailKey: string): Promise<{ allowed: true } | { allowed: false; retryAfterSeconds: number }>
    succeeded(emailKey: string): Promise<void>
    /** The password was not looked at after all. */
    untried(emailKey: string): Promise<void>
    clear(trx: Trx, emailKey: string): Promise<void>
  }
  sessions: Sessions
  resets: ResetStore
  mail: {
    askForReset(trx: Trx, emailKey: string): Promise<void>
    tellOfChange(trx: Trx, accountId: string): Promise<void>
    /** There is something to send. */
    wake(): void
  }
  plan: string
  log: Log
}

export interface NewAccount {
  id: string
  email: string
  emailKey: string
  plan: string
  passwordHash: string
  attribution: string | null
}

export interface SignedIn {
  me: Me
  /** For the cookie. */
  token: string
}

export type Auth = ReturnType<typeof createAuth>

const emailTaken = (): AppError =>
  new AppError(
    'email_taken',
    'There is already an account with this e-mail address. Sign in, or ask for a link to set a new password.',
    { errors: [{ field: 'email', message: 'is already taken' }] },
  )

const invalidToken = (): AppError =>
  new AppError(
    'invalid_token',
    'This link is not valid: it was used, has expired, or a newer one was sent. Ask for a new one.',
  )

const invalidCredentials = (): AppError =>
  new AppError('invalid_credentials', 'The e-mail address or the password is wrong.')

const meOf = ({ email, plan, authProvider }: Me): Me => ({ email, plan, authProvider })

export function createAuth(options: AuthOptions) {
  const { transact, accounts, hasher, attempts, sessions, resets, mail, log } = options

  /** The address as accounts have it, or null for what cannot be one. */
  function keyOf(given: string): string | null {
    try {
      return options.parseEmail(given).key
    } catch {
      return null
    }
  }

  /** The account with this address and password, if there is one: the same work if not. */
  async function verified(emailKey: string | null, password: string, signal: AbortSignal | undefined) {
    const account = emailKey === null ? undefined : await accounts.findByEmail(emailKey)
    const stored = account?.passwordHash ?? null
    const { ok, rehash } = await hasher.verify(stored, password, signal)
    return account && stored !== null && ok ? { account, stored, rehash } : null
  }

  /** A failure here keeps nobody out: the old hash still works. */
  async function renewed(stored: string, password: string): Promise<string> {
    try {
      return await hasher.hash(password)
    } catch (error) {
      log.warn({ err: error }, 'Could not renew the hash of a password')
      return stored
    }
  }

  return {
    async signUp(
      given: { email: string; password: string; attribution?: object | undefined },
      presented: string | null,
      signal?: AbortSignal,
    ): Promise<SignedIn> {
      const email = options.parseEmail(given.email)
      options.checkPassword(given.password, email.address)
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
        return await sessions.start(trx, account.id, presented)
      })
      return { me: { email: account.email, plan: account.plan, authProvider: 'password' }, token }
    },

    /** The same work, and the same refusal, for an unknown address and for a wrong password. */
    async signIn(
      given: { email: string; password: string },
      presented: string | null,
      signal?: AbortSignal,
    ): Promise<SignedIn> {
      const emailKey = keyOf(given.email)
      const attemptKey = emailKey ?? given.email.trim().toLowerCase()
      const attempt = await attempts.begin(attemptKey)
      if (!attempt.allowed) {
        const { retryAfterSeconds } = attempt
        throw new AppError(
          'rate_limited',
          `Too many attempts for this address. Try again in ${retryAfterSeconds} s, or ask for a link to set a new password.`,
          { retryAfterSeconds },
        )
      }
      const found = await verified(emailKey, given.password, signal).catch(async (error) => {
        // Nobody has looked at the password, so it was no attempt.
        await attempts.untried(attemptKey)
        throw error
      })
      if (found === null) throw invalidCredentials()
      const { account, stored, rehash } = found
      const hash = rehash ? await renewed(stored, given.password) : stored
      const token = await transact(async (trx) => {
        // A reset may have come in between: then this password is the old one, and gets neither in nor back.
        if (!(await accounts.replaceHash(trx, account.id, stored, hash))) throw invalidCredentials()
        return await sessions.start(trx, account.id, presented)
      })
      await attempts.succeeded(attemptKey)
      return { me: meOf(account), token }
    },

    signOut: sessions.end,

    async me(accountId: string): Promise<Me> {
      const account = await accounts.find(accountId)
      if (!account) throw new Error('The account of this session is gone')
      return meOf(account)
    },

    /** Writes the same down whether or not there is such an account; only the sender of mail looks. */
    async forgot(givenEmail: string): Promise<void> {
      const email = options.parseEmail(givenEmail)
      await transact((trx) => mail.askForReset(trx, email.key))
      mail.wake()
    },

    async reset(given: { token: string; password: string }, signal?: AbortSignal): Promise<void> {
      if (!isToken(given.token)) throw invalidToken()
      const hash = hashToken(given.token)
      const owner = await resets.find(hash)
      if (!owner) throw invalidToken()
      options.checkPassword(given.password, owner.email)
      const passwordHash = await hasher.hash(given.password, signal)
      await transact(async (trx) => {
        // The account before its links, as whoever makes a link does: otherwise the two could wait for each other.
        await accounts.lock(trx, owner.accountId)
        const redeemed = await resets.redeem(trx, hash)
        if (!redeemed) throw invalidToken()
        await accounts.setPassword(trx, redeemed.accountId, passwordHash)
        await sessions.endAll(trx, redeemed.accountId)
        await attempts.clear(trx, redeemed.emailKey)
        await mail.tellOfChange(trx, redeemed.accountId)
      })
      mail.wake()
    },
  }
}
