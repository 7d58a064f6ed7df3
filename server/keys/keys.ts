/** Issues, lists, revokes and identifies API keys. */
import { coalesce } from '#base/coalesce.ts'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Principal } from '#base/principal.ts'
import type { Trx } from '#storage/database.ts'
import { hashKey, isWellFormed, mint } from './key.ts'
import { DASHBOARD_NAME, FIRST_NAME, parseKeyName } from './key-name.ts'
import type { LastUsed } from './last-used.ts'
import type { KeyOwner, KeyStore } from './store.ts'

/** Keys per query. */
const LOOKUP_BATCH_MAX = 100

interface KeysOptions {
  store: KeyStore
  lastUsed: LastUsed
  keysPerMonth: (plan: string) => number
  /** Notifies the account's owner, in the transaction that creates the key. */
  announce: (trx: Trx, key: { id: string }) => Promise<void>
  /** Called after that transaction is committed. */
  announced: () => void
}

type KeyPrincipal = Extract<Principal, { kind: 'key' }>

/** Another replica may have stored a later use. */
const later = (ours = 0, stored: number | null): number | null => Math.max(ours, stored ?? 0) || null

export type Keys = ReturnType<typeof createKeys>

export function createKeys({ store, lastUsed, keysPerMonth, announce, announced }: KeysOptions) {
  function prepare(accountId: string, name: string) {
    const { secret, ...kept } = mint()
    const id = newId()
    return { issued: { id, name, secret, prefix: kept.prefix }, row: { id, accountId, name, ...kept } }
  }

  const tooMany = (plan: string): AppError =>
    new AppError(
      'key_limit_reached',
      `The plan "${plan}" allows ${keysPerMonth(plan)} keys per month, including keys revoked this month. ` +
        'Use an existing key, wait for the next month (UTC), or choose a larger plan.',
    )

  const findOwner = coalesce<string, KeyOwner | undefined>(async (hashes) => {
    const owners = new Map((await store.findActive([...new Set(hashes)])).map((owner) => [owner.hash, owner]))
    return hashes.map((hash) => owners.get(hash))
  }, LOOKUP_BATCH_MAX)

  /** Mostly of one id: every scan of a listener asks for its own. */
  const findOwnerById = coalesce<string, KeyOwner | undefined>(async (ids) => {
    const owners = new Map<string, KeyOwner | undefined>()
    for (const id of new Set(ids)) owners.set(id, await store.findActiveById(id))
    return ids.map((id) => owners.get(id))
  }, LOOKUP_BATCH_MAX)

  function used(owner: KeyOwner | undefined): KeyPrincipal | null {
    if (!owner) return null
    const { keyId, accountId, plan } = owner
    lastUsed.record(keyId)
    return { kind: 'key', keyId, accountId, plan }
  }

  return {
    /** The first key of a new account, inserted by the transaction that creates the account. */
    prepareFirst(accountId: string) {
      const { issued, row } = prepare(accountId, FIRST_NAME)
      return { issued, insert: (trx: Trx) => store.insert(trx, row) }
    },

    /** A key that the operator adds to an account, inserted by the caller; no limit applies. */
    prepareFor(accountId: string, givenName: string | undefined) {
      const { issued, row } = prepare(accountId, parseKeyName(givenName))
      const insert = async (trx: Trx) => {
        await store.insert(trx, row)
        await announce(trx, row)
      }
      return { issued, insert }
    },

    async issue(owner: Principal, givenName: string | undefined) {
      const existingMax = keysPerMonth(owner.plan)
      const { issued, row } = prepare(owner.accountId, parseKeyName(givenName))
      const inserted = await store.insertBelow(existingMax, row, async (trx) => {
        // A password change may have ended this credential meanwhile; a key created with it must not survive.
        if (!(await store.isLive(trx, owner))) throw new AppError('unauthenticated', 'The credential has been revoked.')
        await announce(trx, row)
      })
      if (!inserted) throw tooMany(owner.plan)
      announced()
      return issued
    },

    /** The key that meters scans of this session's account. */
    async ofSession(owner: Principal): Promise<string> {
      const make = () => store.ensureDashboard(keysPerMonth(owner.plan), prepare(owner.accountId, DASHBOARD_NAME).row)
      const keyId = (await store.findDashboard(owner.accountId)) ?? (await make())
      if (keyId === null) throw tooMany(owner.plan)
      lastUsed.record(keyId)
      return keyId
    },

    async list(accountId: string) {
      const records = await store.list(accountId)
      return records.map((key) => ({ ...key, lastUsedAt: later(lastUsed.pending(key.id), key.lastUsedAt) }))
    },

    async revoke(accountId: string, keyId: string): Promise<void> {
      if (await store.revoke(accountId, keyId)) return
      throw new AppError('not_found', 'Your account has no active key with this id.')
    },

    /** Not cached, so that a revoked key is rejected at once on every replica. */
    async identify(secret: string): Promise<KeyPrincipal | null> {
      return isWellFormed(secret) ? used(await findOwner(hashKey(secret))) : null
    },

    /** The same for a listener, which names its key by id. */
    identifyById: async (keyId: string): Promise<KeyPrincipal | null> => used(await findOwnerById(keyId)),
  }
}
