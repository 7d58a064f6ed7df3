/** Keys in the database. */
import type { ExpressionBuilder } from 'kysely'
import { type Principal, SCOPES, type Scope } from '#base/principal.ts'
import type { Database, Trx } from '#storage/database.ts'
import { prepare } from '#storage/prepared.ts'
import type { Tables } from '#storage/tables.ts'
import type { MintedKey } from './key.ts'
import type { StoredLimits } from './key-limits.ts'
import type { KeyUse } from './last-used.ts'

interface NewKey extends Omit<MintedKey, 'secret'> {
  id: string
  accountId: string
  name: string
  /** Meters scans of dashboard sessions. */
  dashboard?: boolean
  /** Its scans are not charged. */
  test?: boolean
  limits?: StoredLimits
  /** The member who creates it; null for the owner. */
  createdBy?: string | null
}

export interface KeyOwner extends StoredLimits {
  hash: string
  keyId: string
  /** Of the secret; another one than that of the key for an old secret. */
  secretId: string
  isExpired: number
  accountId: string
  plan: string
  meterId: string | null
  test: number
  createdBy: string | null
}

export type KeyStore = ReturnType<typeof createKeyStore>

/** A transaction that takes a key and gives it a new secret. */
export interface Rolling {
  keyId: string
  accountId: string
  /** Only a key that this member has created. */
  of?: string | undefined
  /** The member who learns the new secret; null for the owner. */
  createdBy: string | null
  /** Of the row with the old secret. */
  oldId: string
  graceMs: number
  /** The new secret. Throws if the key must not be rolled. */
  renew: (key: StoredLimits & { createdAt: number; nowMs: number; isTest: boolean }) => {
    fresh: Omit<MintedKey, 'secret'>
    expiresAt: number | null
  }
  alongside: (trx: Trx, expiresAt: number | null) => Promise<void>
}

export function createKeyStore({ db, clock, audit, readNow }: Database) {
  const isExpired = (eb: ExpressionBuilder<Tables, 'api_keys'>) =>
    eb.case().when('api_keys.expires_at', '<=', clock.nowMs).then(eb.lit(1)).else(eb.lit(0)).end()
  const owners = db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.hash', 'api_keys.id as secretId', 'accounts.id as accountId', 'accounts.plan'])
    .select(['api_keys.scopes', 'expires_at as expiresAt', 'allowed_addresses as allowedAddresses'])
    .select((eb) => [eb.fn.coalesce('rolled_into', 'api_keys.id').as('keyId'), isExpired(eb).as('isExpired')])
    .select(['api_keys.meter_id as meterId', 'api_keys.test', 'api_keys.created_by as createdBy'])
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
        'test',
        'scopes',
        'expires_at as expiresAt',
        'allowed_addresses as allowedAddresses',
        'last_used_address as lastUsedAddress',
        'rolled_into as rolledInto',
        'created_by as createdBy',
      ])
      .select((eb) => isExpired(eb).as('isExpired'))
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id')
  const usable = (on: Database['db'], accountId: string) =>
    records(on, accountId).where('revoked_at', 'is', null).where('dashboard', '=', 0)

  /** Revoked ones too, so that a new key does not reset the count. */
  const oldestTest = (trx: Trx, accountId: string) =>
    trx
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', accountId)
      .where('test', '=', 1)
      .where('meter_id', 'is', null)
      .where('rolled_into', 'is', null)
      .executeTakeFirst()

  /** Inserts a key in the transaction of the caller. */
  async function insert(trx: Trx, key: NewKey): Promise<void> {
    const meter = key.test ? await oldestTest(trx, key.accountId) : undefined
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
        meter_id: meter?.id ?? null,
        test: key.test ? 1 : 0,
        scopes: key.limits?.scopes ?? null,
        expires_at: key.limits?.expiresAt ?? null,
        allowed_addresses: key.limits?.allowedAddresses ?? null,
        last_used_address: null,
        rolled_into: null,
        created_by: key.createdBy ?? null,
      })
      .execute()
    audit.note(trx, { event: 'key.created', accountId: key.accountId, subject: key.id })
  }

  /** A transaction in which a write that changes nothing serialises parallel creations for one account. */
  function withAccount<T>(accountId: string, work: (trx: Trx) => Promise<T>, outer?: Trx): Promise<T> {
    return audit.change(async (trx) => {
      await trx.updateTable('accounts').set({ id: accountId }).where('id', '=', accountId).execute()
      return await work(trx)
    }, outer)
  }

  /** Keys that were active this month, however many secrets they had. The dashboard key counts only once it is revoked. */
  async function countThisMonth(trx: Trx, accountId: string): Promise<number> {
    const { existing } = await trx
      .selectFrom('api_keys')
      .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('existing'))
      .where('account_id', '=', accountId)
      .where('rolled_into', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>=', clock.periodStartMs)]))
      .where((eb) =>
        eb.or([
          eb.and([eb('revoked_at', 'is', null), eb('dashboard', '=', 0)]),
          eb('revoked_at', '>=', clock.periodStartMs),
        ]),
      )
      .executeTakeFirstOrThrow()
    return existing
  }

  async function hasRole(trx: Trx, accountId: string, { id, role }: { id: string; role: string }): Promise<boolean> {
    const member = trx.selectFrom('members').select('role').where('account_id', '=', accountId)
    const found = await member.where('member_account_id', '=', id).where('removed_at', 'is', null).executeTakeFirst()
    return found?.role === role
  }

  /** Revokes an active key of this account; false when there is none. With `of`, only one that this member has created. */
  const revoke = (accountId: string, keyId: string, on?: Trx, of?: string): Promise<boolean> =>
    audit.change(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('api_keys')
        .set({ revoked_at: clock.nowMs })
        .where('id', '=', keyId)
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .$if(of !== undefined, (own) => own.where('created_by', '=', of as string))
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      audit.note(trx, { event: 'key.revoked', accountId, subject: keyId })
      // Its old secrets end with it.
      await trx
        .updateTable('api_keys')
        .set({ revoked_at: clock.nowMs })
        .where('rolled_into', '=', keyId)
        .where('revoked_at', 'is', null)
        .execute()
      return true
    }, on)

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

    /**
     * Gives a key a new secret. The old one gets a row of its own and works for some more time; one that is even older
     * ends now, so that at most two secrets of a key work. False if the account has no such key.
     */
    roll(
      { keyId, accountId, of, createdBy, oldId, graceMs, renew, alongside }: Rolling,
      outer?: Trx,
    ): Promise<{ name: string } | null> {
      const work = async (trx: Trx) => {
        const old = await trx
          .selectFrom('api_keys')
          .selectAll()
          .select((eb) => [isExpired(eb).as('isExpired'), clock.nowMs.as('nowMs')])
          .where('id', '=', keyId)
          .where('account_id', '=', accountId)
          .where('revoked_at', 'is', null)
          .where('rolled_into', 'is', null)
          .where('dashboard', '=', 0)
          .$if(of !== undefined, (own) => own.where('created_by', '=', of as string))
          .executeTakeFirst()
        if (!old || old.isExpired) return null
        const { isExpired: _isExpired, nowMs, ...row } = old
        const limits = { scopes: old.scopes, expiresAt: old.expires_at, allowedAddresses: old.allowed_addresses }
        const isTest = old.test === 1
        const { fresh, expiresAt } = renew({ ...limits, createdAt: old.created_at, nowMs, isTest })
        await trx
          .updateTable('api_keys')
          .set({ expires_at: nowMs })
          .where('rolled_into', '=', keyId)
          .where('expires_at', '>', nowMs)
          .execute()
        await trx
          .updateTable('api_keys')
          .set({ ...{ hash: fresh.hash, prefix: fresh.prefix, last_four: fresh.lastFour, created_at: nowMs } })
          .set({ expires_at: expiresAt, last_used_at: null, last_used_address: null, created_by: createdBy })
          .where('id', '=', keyId)
          .execute()
        const until = Math.min(nowMs + graceMs, old.expires_at ?? Number.POSITIVE_INFINITY)
        await trx
          .insertInto('api_keys')
          .values({ ...row, id: oldId, expires_at: until, rolled_into: keyId })
          .execute()
        audit.note(trx, { event: 'key.rolled', accountId, subject: keyId, details: { graceMs } })
        await alongside(trx, expiresAt)
        return { name: old.name }
      }
      return withAccount(accountId, work, outer)
    },

    /** Someone used a key that was not accepted. */
    noteRefused: ({ secretId, accountId }: KeyOwner, reason: string): Promise<void> =>
      audit.change(async (trx) => {
        audit.note(trx, { event: 'key.refused', accountId, subject: secretId, details: { reason }, actor: 'system' })
      }),

    /** The owners of keys that are not revoked among these hashes. */
    async findActive(hashes: readonly string[]): Promise<KeyOwner[]> {
      const [hash] = hashes
      if (hashes.length === 1 && hash !== undefined) return readNow(findOne.bind({ hash })) ?? findOne(db, { hash })
      return owners.where('api_keys.hash', 'in', hashes).execute()
    },

    /** The owner of an active key that may scan. */
    async findActiveById(id: string): Promise<KeyOwner | undefined> {
      const [owner] = await (readNow(findById.bind({ id })) ?? findById(db, { id }))
      return owner?.isExpired || owner?.scopes?.split(' ').includes('scan') === false ? undefined : owner
    },

    /** For a notification about the key. */
    describe(keyId: string) {
      return db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select(['accounts.email', 'api_keys.name', 'api_keys.last_four as lastFour', 'api_keys.test'])
        .select(['api_keys.revoked_at as revokedAt', 'api_keys.expires_at as expiresAt'])
        .where('api_keys.id', '=', keyId)
        .executeTakeFirst()
    },

    /** All, or those of one member. */
    list: (accountId: string, of?: string) =>
      records(db, accountId)
        .$if(of !== undefined, (all) => all.where('created_by', '=', of as string))
        .execute(),

    /** Active keys with a known secret: that of the dashboard key was never shown. */
    listUsable: (accountId: string) =>
      usable(db, accountId)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.nowMs)]))
        .execute(),

    /** Revokes all keys with a known secret, in the order of `touch` to avoid a deadlock. */
    async revokeAll(trx: Trx, accountId: string): Promise<void> {
      const ids = (await usable(trx, accountId).execute()).map(({ id }) => id)
      for (const id of ids.sort()) {
        await trx.updateTable('api_keys').set({ revoked_at: clock.nowMs }).where('id', '=', id).execute()
        audit.note(trx, { event: 'key.revoked', accountId, subject: id })
      }
    },

    /** Revokes the secrets that a member has created; with `kept`, only those that may do more than that. */
    async revokeOf(trx: Trx, accountId: string, personId: string, kept: readonly Scope[] = []): Promise<void> {
      const own = usable(trx, accountId).where('created_by', '=', personId)
      const ids = (await own.execute())
        .filter(({ scopes }) => !(scopes?.split(' ') ?? SCOPES).every((scope) => kept.some((each) => each === scope)))
        .map(({ id }) => id)
      for (const id of ids.sort()) await revoke(accountId, id, trx)
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
            ...{ allowed_addresses: null, last_used_address: null },
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
      if ((await query.executeTakeFirst()) === undefined) return false
      const member = principal.kind === 'session' ? principal.member : undefined
      return member === undefined || (await hasRole(trx, principal.accountId, member))
    },

    revoke,

    /** Only moves forward, because replicas write in any order. */
    async touch(uses: ReadonlyMap<string, KeyUse>): Promise<void> {
      await db.transaction().execute(async (trx) => {
        for (const [id, { at: usedAt, address }] of [...uses].sort(([one], [other]) => (one < other ? -1 : 1))) {
          await trx
            .updateTable('api_keys')
            .set({ last_used_at: usedAt, last_used_address: address })
            .where('id', '=', id)
            .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', usedAt)]))
            .execute()
        }
      })
    },
  }
}
