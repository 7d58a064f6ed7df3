/** What can be done with keys: issue, list, revoke, and find out whose one is. */
import { coalesce } from '#base/coalesce.ts'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Principal } from '#base/principal.ts'
import { hashKey, isWellFormed, mint } from './key.ts'
import { DASHBOARD_NAME, FIRST_NAME, parseKeyName } from './key-name.ts'
import type { LastUsed } from './last-used.ts'
import type { KeyOwner, KeyRecord, KeyStore, NewKey } from './store.ts'

/** Keys looked up by one query. */
const LOOKUP_BATCH_MAX = 100

export interface IssuedKey {
  id: string
  name: string
  secret: string
  prefix: string
}

export interface KeysOptions {
  store: KeyStore
  lastUsed: LastUsed
  /** How many keys an account on this plan may have in one month. */
  keysPerMonth: (plan: string) => number
  /** Tells the owner of a new key, in the transaction that makes it. */
  announce: (trx: Trx, key: { accountId: string; name: string; lastFour: string }) => Promise<void>
  /** The transaction of an announcement is through. */
  announced: () => void
}

type Trx = Parameters<KeyStore['insert']>[0]

/** Another replica may have written down a later use than ours. */
const later = (ours = 0, stored: number | null): number | null => Math.max(ours, stored ?? 0) || null

export type Keys = ReturnType<typeof createKeys>

export function createKeys({ store, lastUsed, keysPerMonth, announce, announced }: KeysOptions) {
  function prepare(accountId: string, name: string): { issued: IssuedKey; row: NewKey } {
    const { secret, ...kept } = mint()
    const id = newId()
    return { issued: { id, name, secret, prefix: kept.prefix }, row: { id, accountId, name, ...kept } }
  }

  const tooMany = (plan: string): AppError =>
    new AppError(
      'key_limit_reached',
      `The plan "${plan}" allows ${keysPerMonth(plan)} keys in one month, and revoked keys count until the month ends. ` +
        'Use an existing key, wait for the next month (UTC), or move to a larger plan.',
    )

  const findOwner = coalesce<string, KeyOwner | undefined>(async (hashes) => {
    const owners = new Map((await store.findActive([...new Set(hashes)])).map((owner) => [owner.hash, owner]))
    return hashes.map((hash) => owners.get(hash))
  }, LOOKUP_BATCH_MAX)

  return {
    /** The first key of a new account, to be inserted by the transaction that creates the account. */
    prepareFirst(accountId: string) {
      const { issued, row } = prepare(accountId, FIRST_NAME)
      return { issued, insert: (trx: Trx) => store.insert(trx, row) }
    },

    async issue(owner: Principal, givenName: string | undefined): Promise<IssuedKey> {
      const existingMax = keysPerMonth(owner.plan)
      const { issued, row } = prepare(owner.accountId, parseKeyName(givenName))
      if (!(await store.insertBelow(existingMax, row, (trx) => announce(trx, row)))) throw tooMany(owner.plan)
      announced()
      return issued
    },

    /** The key on which scans of a session are metered. */
    async ofSession(owner: Principal): Promise<string> {
      const make = () => store.ensureDashboard(keysPerMonth(owner.plan), prepare(owner.accountId, DASHBOARD_NAME).row)
      const keyId = (await store.findDashboard(owner.accountId)) ?? (await make())
      if (keyId === null) throw tooMany(owner.plan)
      lastUsed.note(keyId)
      return keyId
    },

    async list(accountId: string): Promise<KeyRecord[]> {
      const records = await store.list(accountId)
      return records.map((key) => ({ ...key, lastUsedAt: later(lastUsed.pending(key.id), key.lastUsedAt) }))
    },

    async revoke(accountId: string, keyId: string): Promise<void> {
      if (await store.revoke(accountId, keyId)) return
      throw new AppError('not_found', 'There is no active key with this id in your account.')
    },

    /** Read afresh each time, so that a revoked key is dead at once on every replica. */
    async identify(secret: string): Promise<Principal | null> {
      if (!isWellFormed(secret)) return null
      const owner = await findOwner(hashKey(secret))
      if (!owner) return null
      lastUsed.note(owner.keyId)
      return { kind: 'key', keyId: owner.keyId, accountId: owner.accountId, plan: owner.plan }
    },
  }
}
