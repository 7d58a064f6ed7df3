/** Sign-in with a passkey, or with a recovery code where all passkeys are lost. */
import type { Static } from 'typebox'
import type { parseEmail } from '#accounts/email.ts'
import { AppError } from '#base/errors.ts'
import type { Session } from '#base/principal.ts'
import type { Browser } from '#sessions/store.ts'
import type { Trx } from '#storage/database.ts'
import { spentHash } from './challenges.ts'
import { askForSignIn, verifySignature } from './library.ts'
import { codeHash } from './recovery-codes.ts'
import type { PasskeySignInRequest } from './schema.ts'
import { notAccepted, type Shared } from './shared.ts'

/** The kinds of provider of such sessions. Both have proven that the owner is there. */
const PASSKEY = { provider: 'passkey', isConfirmed: true } as const
const RECOVERY = { provider: 'recovery_code', isConfirmed: true } as const

type Given = Static<typeof PasskeySignInRequest>

export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>

export function createPasskeySignIn(options: Shared & { parseEmail: typeof parseEmail }) {
  const { transact, accounts, store, sessions, mail, challenges, siteHere, changing } = options

  /** The passkey that has signed, once its challenge is spent and its use is stored. */
  async function signed({ state, credential }: Given) {
    const site = siteHere()
    const challenge = challenges.open('sign-in', state)
    const found = challenge && (await store.findByCredential(credential.id))
    if (!found || found.handle !== credential.userHandle) throw notAccepted()
    const verified = await verifySignature(site, challenge.challenge, credential, found)
    if (verified === null) throw notAccepted()
    return {
      accountId: found.accountId,
      async use(trx: Trx): Promise<void> {
        const isNew = await store.spend(trx, spentHash(challenge))
        if (!isNew || !(await store.use(trx, found, verified.counter, verified.isBackedUp))) throw notAccepted()
      },
    }
  }

  return {
    async startSignIn() {
      const site = siteHere()
      const { challenge, state } = challenges.begin('sign-in')
      return { state, options: await askForSignIn(site, challenge) }
    },

    /** Returns the token of a session. */
    async signIn(given: Given, browser: Browser): Promise<string> {
      const { accountId, use } = await signed(given)
      const account = await accounts.find(accountId)
      if (!account || account.disabledAt !== null) throw notAccepted()
      return await transact(async (trx) => {
        await use(trx)
        return await sessions.start(trx, accountId, browser, PASSKEY)
      })
    },

    /** A new session in place of this one, which counts as fresh. */
    async confirm(session: Session, given: Given, browser: Browser): Promise<string> {
      const { accountId, use } = await signed(given)
      if (accountId !== session.accountId) throw notAccepted()
      return await changing(session, async (trx) => {
        await use(trx)
        return await sessions.start(trx, accountId, browser, PASSKEY)
      })
    },

    /** With a recovery code, which works once. Returns the token of a session, which counts as fresh. */
    async recover(given: { email: string; code: string }, browser: Browser): Promise<string> {
      const wrong = () => new AppError('invalid_credentials', 'The e-mail address or the recovery code is wrong.')
      const hash = codeHash(given.code)
      const account = await accounts.findByEmail(options.parseEmail(given.email).key)
      if (hash === null || !account || account.disabledAt !== null) throw wrong()
      const token = await transact(async (trx) => {
        if (!(await store.redeemCode(trx, account.id, hash))) throw wrong()
        await mail.signInChanged(trx, account.id, 'recovery_used')
        return await sessions.start(trx, account.id, browser, RECOVERY)
      })
      mail.wake()
      return token
    },
  }
}
