/** Sign-up with an e-mail address: creates an account and its first API key. */
import type { Static } from 'typebox'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Keys } from '#keys/keys.ts'
import { parseEmail } from './email.ts'
import type { SignupRequest, SignupResponse } from './schema.ts'
import type { SignupPolicy } from './signup-policy.ts'
import type { AccountStore } from './store.ts'

interface SignupOptions {
  store: AccountStore
  policy: SignupPolicy
  plan: string
  prepareFirstKey: Keys['prepareFirst']
}

export type SignUp = (given: Static<typeof SignupRequest>) => Promise<Static<typeof SignupResponse>>

export function createSignup({ store, policy, plan, prepareFirstKey }: SignupOptions): SignUp {
  return async ({ email: givenEmail, inviteCode }) => {
    await policy.check(inviteCode)
    const email = parseEmail(givenEmail)
    const accountId = newId()
    const { issued, insert } = prepareFirstKey(accountId)
    const account = { id: accountId, email: email.address, emailKey: email.key, plan }
    const created = await store.create(account, async (trx) => {
      await policy.admit(trx, accountId, inviteCode)
      await insert(trx)
    })
    if (!created) {
      throw new AppError(
        'email_taken',
        'An account with this e-mail address already exists. Use one of its keys, or sign up with another address.',
        { errors: [{ field: 'email', message: 'is already taken' }] },
      )
    }
    return { accountId, email: email.address, plan, apiKey: issued.secret, keyPrefix: issued.prefix }
  }
}
