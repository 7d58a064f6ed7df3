/** What is mailed and to whom: every letter is posted here with the change that causes it, and composed when it is sent. */
import type { AccountStore } from '#accounts/store.ts'
import type { KeyStore } from '#keys/store.ts'
import type { Composers } from '#mail/delivery.ts'
import { keyCreated, passwordChanged, passwordReset, usageReached } from '#mail/messages.ts'
import type { Outbox } from '#mail/outbox-store.ts'
import { RESET_MINUTES, type ResetStore } from '#sessions/reset-store.ts'
import { mintToken } from '#sessions/token.ts'
import type { TellUse } from '#usage/store.ts'

type Trx = Parameters<Outbox['post']>[0]

export interface LettersOptions {
  outbox: Outbox
  accounts: AccountStore
  keys: KeyStore
  resets: ResetStore
  publicUrl: string
}

/** What is known of a letter while it waits. Never a secret: the link of a reset is made when it is sent. */
export interface Letters {
  password_reset: { emailKey: string }
  password_changed: { accountId: string }
  key_created: { accountId: string; name: string; lastFour: string }
  usage_reached: Parameters<TellUse>[1]
}

export function createLetters({ outbox, accounts, keys, resets, publicUrl }: LettersOptions) {
  const post = async <Kind extends keyof Letters>(trx: Trx, kind: Kind, params: Letters[Kind], dedupe?: string) => {
    await outbox.post(trx, { kind, params, ...(dedupe !== undefined && { dedupe }) })
  }
  const addressOf = async (accountId: string) => (await accounts.find(accountId))?.email

  const compose: Composers<Letters> = {
    async password_reset({ emailKey }, { id }) {
      const { secret, hash } = mintToken()
      const owner = await resets.issue(id, emailKey, hash)
      if (owner === null) return null
      // Behind the `#`, which browsers neither send nor pass on.
      const link = `${publicUrl}/reset-password#token=${secret}`
      return { to: owner.email, message: passwordReset({ link, minutes: RESET_MINUTES }) }
    },

    async password_changed({ accountId }, { createdAt }) {
      const to = await addressOf(accountId)
      return to === undefined ? null : { to, message: passwordChanged({ at: createdAt, publicUrl }) }
    },

    async key_created({ accountId, name, lastFour }, { createdAt }) {
      const to = await addressOf(accountId)
      if (to === undefined) return null
      return { to, message: keyCreated({ name, lastFour, at: createdAt, publicUrl }) }
    },

    async usage_reached({ keyId, ...use }) {
      const key = await keys.describe(keyId)
      if (key === undefined) return null
      const { email, name, lastFour } = key
      return { to: email, message: usageReached({ ...use, keyName: name, lastFour, publicUrl }) }
    },
  }

  return {
    compose,
    /** One at a time: while a letter waits to be sent, asking again changes nothing. */
    resetAsked: (trx: Trx, emailKey: string) => post(trx, 'password_reset', { emailKey }, `password_reset ${emailKey}`),
    passwordChanged: (trx: Trx, accountId: string) => post(trx, 'password_changed', { accountId }),
    keyCreated: (trx: Trx, { accountId, name, lastFour }: Letters['key_created']) =>
      post(trx, 'key_created', { accountId, name, lastFour }),
    usageReached: (trx: Trx, use: Letters['usage_reached']) => post(trx, 'usage_reached', use),
  }
}
