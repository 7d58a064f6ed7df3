/** How the owner of an account adds and removes passkeys, and lets nothing else sign in. */
import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { AppError } from '#base/errors.ts'
import type { Session } from '#base/principal.ts'
import type { Prove } from '#sessions/proof.ts'
import type { Database, Trx } from '#storage/database.ts'
import { spentHash } from './challenges.ts'
import { askForPasskey, verifyNew } from './library.ts'
import { newCodes } from './recovery-codes.ts'
import type { AddPasskeyRequest } from './schema.ts'
import { notAccepted, type Shared } from './shared.ts'

const PASSKEYS_MAX = 10
const FRESH_MINUTES = 5
const HANDLE_BYTES = 16

interface PasskeysOptions extends Shared {
  note: Database['audit']['note']
  prove: Prove
  /** The number of ways to sign in besides passkeys. */
  otherWays(trx: Trx, accountId: string): Promise<number>
  /** Links that were mailed to choose a password. */
  eraseResets(trx: Trx, accountId: string): Promise<void>
}

interface Confirmation {
  password?: string | undefined
  signal?: AbortSignal
}

export type Passkeys = ReturnType<typeof createPasskeys>

const noPasskey = (): AppError => new AppError('not_found', 'Your account has no passkey with this id.')

export function createPasskeys(options: PasskeysOptions) {
  const { accounts, store, sessions, mail, challenges, siteHere, changing } = options

  const proven = (session: Session, { password, signal }: Confirmation) =>
    options.prove(session, { password, minutes: FRESH_MINUTES, ...(signal && { signal }) })

  return {
    async startAdd(session: Session, confirmation: Confirmation) {
      const site = siteHere()
      await proven(session, confirmation)
      const { accountId, sessionId } = session
      const [account, existing] = [await accounts.find(accountId), await store.list(accountId)]
      // The same for all of an account, so that an authenticator has one passkey of it.
      const handle = existing[0]?.handle ?? randomBytes(HANDLE_BYTES).toString('base64url')
      const { challenge, state } = challenges.begin('add', { sessionId, handle })
      return { state, options: await askForPasskey(site, { challenge, handle, email: account?.email ?? '', existing }) }
    },

    async add(session: Session, { state, credential, name }: Static<typeof AddPasskeyRequest>) {
      const site = siteHere()
      const challenge = challenges.open('add', state)
      const { handle = '' } = challenge ?? {}
      const verified =
        challenge?.sessionId === session.sessionId ? await verifyNew(site, challenge.challenge, credential) : null
      if (challenge === null || verified === null) throw notAccepted()
      const { accountId } = session
      const added = await changing(session, async (trx) => {
        if (!(await store.spend(trx, spentHash(challenge)))) throw notAccepted()
        if ((await store.list(accountId, trx)).length >= PASSKEYS_MAX)
          throw new AppError(
            'passkey_limit_reached',
            `An account has at most ${PASSKEYS_MAX} passkeys. Remove one first.`,
          )
        const { transports } = credential
        const row = await store.add(trx, { ...verified, accountId, handle, transports, name })
        if (row === null) throw notAccepted()
        await mail.signInAdded(trx, { accountId, identityId: row.id })
        return row
      })
      mail.wake()
      return { ...added, name, usedAt: null, isBackedUp: verified.isBackedUp }
    },

    async list(accountId: string) {
      const account = await accounts.find(accountId)
      return {
        items: await store.list(accountId),
        only: account?.passkeysOnlyAt != null,
        recoveryCodesLeft: await store.countCodes(accountId),
      }
    },

    /** Only a note of its owner, which proves nothing. */
    async rename({ accountId }: Session, id: string, name: string): Promise<void> {
      if (!(await store.rename(accountId, id, name))) throw noPasskey()
    },

    /** Ends all other sessions. The last way to sign in cannot be removed. */
    async remove(session: Session, id: string, confirmation: Confirmation): Promise<void> {
      await proven(session, confirmation)
      const { accountId, sessionId } = session
      await changing(session, async (trx) => {
        const own = await store.list(accountId, trx)
        if (!own.some((each) => each.id === id)) throw noPasskey()
        if (own.length === 1 && (await options.otherWays(trx, accountId)) === 0)
          throw new AppError('last_sign_in', 'This is the only way to sign in to your account. Add another one first.')
        await store.remove(trx, id)
        await sessions.endOthers(accountId, sessionId, trx)
      })
    },

    /** On: returns new recovery codes, and ends all other sessions and every link that was mailed. */
    async setOnly(session: Session, isOn: boolean, confirmation: Confirmation): Promise<string[]> {
      await proven(session, confirmation)
      const { accountId, sessionId } = session
      const codes = isOn ? newCodes() : []
      await changing(session, async (trx) => {
        if (isOn && (await store.list(accountId, trx)).length === 0)
          throw new AppError('last_sign_in', 'Your account has no passkey. Add one first.')
        await accounts.setPasskeysOnly(trx, accountId, isOn)
        const hashes = codes.map(({ hash }) => hash)
        await store.replaceCodes(trx, accountId, hashes)
        options.note(trx, { event: isOn ? 'passkeys_only.on' : 'passkeys_only.off', accountId })
        if (!isOn) return
        await options.eraseResets(trx, accountId)
        await sessions.endOthers(accountId, sessionId, trx)
        await mail.signInChanged(trx, accountId, 'passkeys_only')
      })
      mail.wake()
      return codes.map(({ code }) => code)
    },
  }
}
