/** Keys in the database. */
import type { Principal } from '#base/principal.ts'
import type { Database, Trx } from '#storage/database.ts'
import { prepare } from '#storage/prepared.ts'
import type { MintedKey } from './key.ts'

interface NewKey extends Omit<MintedKey, 'secret'> {
  id: string
  accountId: string
  name: string
  /** Meters scans of dashboard sessions. */
  dashboard?: boolean
}

export interface KeyOwner {
  hash: string
  keyId: string
  accountId: string
  plan: string
}

export type KeyStore = ReturnType<typeof createKeyStore>

export function createKeyStore({ db, clock, audit, readNow }: Database) {
  const owners = db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.hash', 'api_keys.id as keyId', 'accounts.id as accountId', 'accounts.plan'])
    .where('api_keys.revoked_at', 'is', null)
    .where('accounts.disabled_at', 'is', null)
  const findOne = prepare<{ hash: string }, KeyOwner>((place) => owners.where('api_keys.hash', '=', place('hash')))
  const findById = prepare<{ id: string }, KeyOwner>((place) => owners.where('api_keys.id', '=', place('id')))

  const dashboardKeys = (on: Database['db'], accountId: string) =>
    on.selectFrom('api_keys').select('id').where('account_id', '=', accountId).where('dashboard', '=', 1)

  async function findDashboard(accountId: string, on: Database['db'] = db): Promise<string | undefined> {
    return (await dashboardKeys(on, accountId).where('revoked_at', 'is', null).executeTakeFirst())?.id
  }

  const records = (on: Database['db'], accountId: string) =>
    on
      .selectFrom('api_keys')
      .select([
        'id',
        'name',
        'prefix',
        'last_four as lastFour',
        'created_at as createdAt',
        'revoked_at as revokedAt',
        'last_used_at as lastUsedAt',
        'dashboard',
      ])
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id')
  const usable = (on: Database['db'], accountId: string) =>
    records(on, accountId).where('revoked_at', 'is', null).where('dashboard', '=', 0)

  /** Inserts a key in the transaction of the caller. */
  async function insert(trx: Trx, key: NewKey): Promise<void> {
    await trx
      .insertInto('api_keys')
      .values({
        id: key.id,
        account_id: key.accountId,
        name: key.name,
        hash: key.hash,
        prefix: key.prefix,
        last_four: key.lastFour,
        created_at: clock.nowMs,
        revoked_at: null,
        last_used_at: null,
        dashboard: key.dashboard ? 1 : 0,
      })
      .execute()
    audit.note(trx, { event: 'key.created', accountId: key.accountId, subject: key.id })
  }

  /** A transaction in which a write that changes nothing serialises parallel creations for one account. */
  function withAccount<T>(accountId: string, work: (trx: Trx) => Promise<T>): Promise<T> {
    return audit.change(async (trx) => {
      await trx.updateTable('accounts').set({ id: accountId }).where('id', '=', accountId).execute()
      return await work(trx)
    })
  }

  /** Keys that were active this month. The dashboard key counts only once it is revoked. */
  async function countThisMonth(trx: Trx, accountId: string): Promise<number> {
    const { existing } = await trx
      .selectFrom('api_keys')
      .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('existing'))
      .where('account_id', '=', accountId)
      .where((eb) =>
        eb.or([
          eb.and([eb('revoked_at', 'is', null), eb('dashboard', '=', 0)]),
          eb('revoked_at', '>=', clock.periodStartMs),
        ]),
      )
      .executeTakeFirstOrThrow()
    return existing
  }

  return {
    insert,
    findDashboard,

    /** Returns false, and inserts nothing, when the account has `existingMax` keys this month. */
    insertBelow(existingMax: number, key: NewKey, alongside?: (trx: Trx) => Promise<void>): Promise<boolean> {
      return withAccount(key.accountId, async (trx) => {
        if ((await countThisMonth(trx, key.accountId)) >= existingMax) return false
        await insert(trx, key)
        await alongside?.(trx)
        return true
      })
    },

    /**
     * Returns the active dashboard key, or creates it. It does not count against the limit of keys, but a revoked one
     * does: otherwise revoking it would reset the quota. Null when the limit is reached.
     */
    ensureDashboard(existingMax: number, key: NewKey): Promise<string | null> {
      return withAccount(key.accountId, async (trx) => {
        const found = await findDashboard(key.accountId, trx)
        if (found) return found
        const revokedKeys = dashboardKeys(trx, key.accountId).where('revoked_at', '>=', clock.periodStartMs)
        const revoked = await revokedKeys.limit(1).executeTakeFirst()
        if (revoked && (await countThisMonth(trx, key.accountId)) >= existingMax) return null
        await insert(trx, { ...key, dashboard: true })
        return key.id
      })
    },

    /** The owners of active keys among these hashes. */
    async findActive(hashes: readonly string[]): Promise<KeyOwner[]> {
      const [hash] = hashes
      if (hashes.length === 1 && hash !== undefined) return readNow(findOne.bind({ hash })) ?? findOne(db, { hash })
      return owners.where('api_keys.hash', 'in', hashes).execute()
    },

    /** The owner of an active key. */
    async findActiveById(id: string): Promise<KeyOwner | undefined> {
      const [owner] = await (readNow(findById.bind({ id })) ?? findById(db, { id }))
      return owner
    },

    /** For a notification about the key. */
    describe(keyId: string): Promise<{ email: string; name: string; lastFour: string } | undefined> {
      return db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select(['accounts.email', 'api_keys.name', 'api_keys.last_four as lastFour'])
        .where('api_keys.id', '=', keyId)
        .executeTakeFirst()
    },

    list: (accountId: string) => records(db, accountId).execute(),

    /** Active keys with a known secret: that of the dashboard key was never shown. */
    listUsable: (accountId: string) => usable(db, accountId).execute(),

    /** Revokes all keys with a known secret, in the order of `touch` to avoid a deadlock. */
    async revokeAll(trx: Trx, accountId: string): Promise<void> {
      const ids = (await usable(trx, accountId).execute()).map(({ id }) => id)
      for (const id of ids.sort()) {
        await trx.updateTable('api_keys').set({ revoked_at: clock.nowMs }).where('id', '=', id).execute()
        audit.note(trx, { event: 'key.revoked', accountId, subject: id })
      }
    },

    /** Revokes all keys and removes everything personal. Returns their ids, which stay for the ledger. */
    async erase(trx: Trx, accountId: string): Promise<string[]> {
      const keys = trx.selectFrom('api_keys').select('id').where('account_id', '=', accountId)
      const ids = (await keys.execute()).map(({ id }) => id)
      for (const id of ids.sort()) {
        await trx
          .updateTable('api_keys')
          .set((eb) => ({
            ...{ name: '', hash: `erased ${id}`, prefix: '', last_four: '', last_used_at: null },
            revoked_at: eb.fn.coalesce('revoked_at', clock.nowMs),
          }))
          .where('id', '=', id)
          .execute()
      }
      return ids
    },

    /** True while the credential of a request works. */
    async isLive(trx: Trx, principal: Principal): Promise<boolean> {
      const query =
        principal.kind === 'key'
          ? trx.selectFrom('api_keys').select('id').where('id', '=', principal.keyId).where('revoked_at', 'is', null)
          : trx.selectFrom('sessions').select('id').where('id', '=', principal.sessionId)
      return (await query.executeTakeFirst()) !== undefined
    },

    /** Revokes an active key of this account; false when there is none. */
    revoke: (accountId: string, keyId: string, on?: Trx): Promise<boolean> =>
      audit.change(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('api_keys')
          .set({ revoked_at: clock.nowMs })
          .where('id', '=', keyId)
          .where('account_id', '=', accountId)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows > 0n) audit.note(trx, { event: 'key.revoked', accountId, subject: keyId })
        return numUpdatedRows > 0n
      }, on),

    /** Only moves forward, because replicas write in any order. */
    async touch(uses: ReadonlyMap<string, number>): Promise<void> {
      await db.transaction().execute(async (trx) => {
        for (const [id, usedAt] of [...uses].sort()) {
          await trx
            .updateTable('api_keys')
            .set({ last_used_at: usedAt })
            .where('id', '=', id)
            .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', usedAt)]))
            .execute()
        }
      })
    },
  }
}
