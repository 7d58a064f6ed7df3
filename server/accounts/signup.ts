/** Sign-up by address alone: an account on the free plan and its first key. */
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import { parseEmail } from './email.ts'
import type { AccountStore } from './store.ts'

type Alongside = Parameters<AccountStore['create']>[1]

export interface SignupOptions {
  store: AccountStore
  plan: string
  prepareFirstKey: (accountId: string) => { issued: { secret: string; prefix: string }; insert: Alongside }
}

export interface SignedUp {
  accountId: string
  email: string
  plan: string
  apiKey: string
  keyPrefix: string
}

export type SignUp = (givenEmail: string) => Promise<SignedUp>

export function createSignup({ store, plan, prepareFirstKey }: SignupOptions): SignUp {
  return async (givenEmail) => {
    const email = parseEmail(givenEmail)
    const accountId = newId()
    const { issued, insert } = prepareFirstKey(accountId)
    const created = await store.create({ id: accountId, email: email.address, emailKey: email.key, plan }, insert)
    if (!created) {
      throw new AppError(
        'email_taken',
        'There is already an account with this e-mail address. Use one of its keys, or another address.',
        { errors: [{ field: 'email', message: 'is already taken' }] },
      )
    }
    return { accountId, email: email.address, plan, apiKey: issued.secret, keyPrefix: issued.prefix }
  }
}
