/** Keys in the database. */
import type { Transaction } from 'kysely'
import type { Database } from '#storage/database.ts'
import { prepare } from '#storage/prepared.ts'
import type { Tables } from '#storage/tables.ts'
import type { MintedKey } from './key.ts'

export interface NewKey extends Omit<MintedKey, 'secret'> {
  id: string
  accountId: string
  name: string
  /** What sessions of the account scan with. */
  dashboard?: boolean
}

export interface KeyRecord {
  id: string
  name: string
  prefix: string
  lastFour: string
  createdAt: number
  revokedAt: number | null
  lastUsedAt: number | null
}

export interface KeyOwner {
  hash: string
  keyId: string
  accountId: string
  plan: string
}

export type KeyStore = ReturnType<typeof createKeyStore>

export function createKeyStore({ db, clock }: Database) {
  const owners = db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.hash', 'api_keys.id as keyId', 'accounts.id as accountId', 'accounts.plan'])
    .where('api_keys.revoked_at', 'is', null)
  const findOne = prepare<{ hash: string }, KeyOwner>((place) => owners.where('api_keys.hash', '=', place('hash')))

  const activeDashboard = (on: Database['db'], accountId: string) =>
    on
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', accountId)
      .where('dashboard', '=', 1)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()

  /** Adds a key as part of a transaction that somebody else leads. */
  async function insert(trx: Transaction<Tables>, key: NewKey): Promise<void> {
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
  }

  /** Writing the row, although nothing changes, makes parallel creations of one account take turns. */
  async function lockAccount(trx: Transaction<Tables>, accountId: string): Promise<void> {
    await trx.updateTable('accounts').set({ id: accountId }).where('id', '=', accountId).execute()
  }

  /** Keys that lived in this month. The one that sessions scan with counts only when it was revoked. */
  async function countThisMonth(trx: Transaction<Tables>, accountId: string): Promise<number> {
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

    /** Adds a key unless the account already has `existingMax` that lived in this month; tells whether it did. */
    insertBelow(
      existingMax: number,
      key: NewKey,
      alongside: (trx: Transaction<Tables>) => Promise<void> = async () => {},
    ): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        await lockAccount(trx, key.accountId)
        if ((await countThisMonth(trx, key.accountId)) >= existingMax) return false
        await insert(trx, key)
        await alongside(trx)
        return true
      })
    },

    async findDashboard(accountId: string): Promise<string | undefined> {
      return (await activeDashboard(db, accountId))?.id
    },

    /**
     * The key that sessions of this account scan with, made if there is none. It does not count against the cap on
     * keys, but one that was revoked does: otherwise revoking it would be a way to a fresh quota. Null past the cap.
     */
    ensureDashboard(existingMax: number, key: NewKey): Promise<string | null> {
      return db.transaction().execute(async (trx) => {
        await lockAccount(trx, key.accountId)
        const found = await activeDashboard(trx, key.accountId)
        if (found) return found.id
        const revoked = await trx
          .selectFrom('api_keys')
          .select('id')
          .where('account_id', '=', key.accountId)
          .where('dashboard', '=', 1)
          .where('revoked_at', '>=', clock.periodStartMs)
          .limit(1)
          .executeTakeFirst()
        if (revoked && (await countThisMonth(trx, key.accountId)) >= existingMax) return null
        await insert(trx, { ...key, dashboard: true })
        return key.id
      })
    },

    /** The owners of active keys among these hashes. */
    findActive(hashes: readonly string[]): Promise<KeyOwner[]> {
      const [hash] = hashes
      if (hashes.length === 1 && hash !== undefined) return findOne(db, { hash })
      return owners.where('api_keys.hash', 'in', hashes).execute()
    },

    /** By which its owner recognises a key, and where he is reached. */
    describe(keyId: string): Promise<{ email: string; name: string; lastFour: string } | undefined> {
      return db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select(['accounts.email', 'api_keys.name', 'api_keys.last_four as lastFour'])
        .where('api_keys.id', '=', keyId)
        .executeTakeFirst()
    },

    list(accountId: string): Promise<KeyRecord[]> {
      return db
        .selectFrom('api_keys')
        .select([
          'id',
          'name',
          'prefix',
          'last_four as lastFour',
          'created_at as createdAt',
          'revoked_at as revokedAt',
          'last_used_at as lastUsedAt',
        ])
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
    },

    /** Revokes an active key of this account; false when there is none. */
    async revoke(accountId: string, keyId: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set({ revoked_at: clock.nowMs })
        .where('id', '=', keyId)
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Moves "last used" forward, never back: replicas report in any order. */
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
