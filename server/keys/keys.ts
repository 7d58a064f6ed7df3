/** Issues, lists, rolls, revokes and identifies API keys. */
import { coalesce } from '#base/coalesce.ts'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { type KeyLimits, type Principal, TEST_PLAN } from '#base/principal.ts'
import type { Trx } from '#storage/database.ts'
import { hashKey, isWellFormed, mint } from './key.ts'
import {
  type GivenLimits,
  isAllowedFrom,
  limitsFor,
  parseLimits,
  readLimits,
  refuseMore,
  renewedExpiry,
  storedLimits,
} from './key-limits.ts'
import { DASHBOARD_NAME, FIRST_NAME, parseKeyName } from './key-name.ts'
import type { KeyUse, LastUsed } from './last-used.ts'
import { createRefusals } from './refusals.ts'
import type { KeyOwner, KeyStore, Rolling } from './store.ts'

/** Keys per query. */
const LOOKUP_BATCH_MAX = 100

interface KeysOptions {
  store: KeyStore
  lastUsed: LastUsed
  keysPerMonth: (plan: string) => number
  /** Notifies the account's owner, in the transaction that creates the key. */
  announce: (trx: Trx, key: { id: string }) => Promise<void>
  /** Reminds the owner before this key expires, in the same transaction. */
  remind: (trx: Trx, key: { id: string; expiresAt: number }) => Promise<void>
  /** Called after that transaction is committed. */
  announced: () => void
  log: Log
}

interface NewKeyOptions extends GivenLimits {
  name?: string
}

type KeyPrincipal = Extract<Principal, { kind: 'key' }>

/** The member who learns a new secret; null for the owner. A key creates keys for the one who created it. */
const creatorOf = (principal: Principal | null): string | null =>
  (principal?.kind === 'key' ? principal.createdBy : principal?.member?.id) ?? null

/** Set if the caller sees the own keys only. */
const onlyOf = (principal: Principal | null): string | undefined =>
  principal?.kind === 'session' && principal.member?.role === 'member' ? principal.member.id : undefined

/** Another replica may have stored a later use. */
function lastUse(ours: KeyUse | undefined, stored: { lastUsedAt: number | null; lastUsedAddress: string | null }) {
  const isOurs = ours !== undefined && ours.at >= (stored.lastUsedAt ?? 0)
  return isOurs
    ? { lastUsedAt: ours.at, lastUsedAddress: ours.address }
    : { lastUsedAt: stored.lastUsedAt, lastUsedAddress: stored.lastUsedAddress }
}

export type Keys = ReturnType<typeof createKeys>

export function createKeys({ store, lastUsed, keysPerMonth, announce, remind, announced, log }: KeysOptions) {
  const refusals = createRefusals(store.noteRefused, log)

  function prepare(
    accountId: string,
    name: string,
    limits: KeyLimits = {},
    { test = false, createdBy = null }: { test?: boolean; createdBy?: string | null } = {},
  ) {
    const { secret, ...kept } = mint(test ? 'test' : 'live')
    const id = newId()
    return {
      issued: { id, name, secret, prefix: kept.prefix },
      row: { id, accountId, name, test, ...kept, limits: storedLimits(limits), createdBy },
    }
  }

  /** In the transaction that creates a secret. */
  async function announceSecret(trx: Trx, id: string, expiresAt: number | null | undefined): Promise<void> {
    await announce(trx, { id })
    if (typeof expiresAt === 'number') await remind(trx, { id, expiresAt })
  }

  const tooMany = (plan: string): AppError =>
    new AppError(
      'key_limit_reached',
      `The plan "${plan}" allows ${keysPerMonth(plan)} keys per month, including keys revoked this month. ` +
        'Use an existing key, wait for the next month (UTC), or choose a larger plan.',
    )

  const tooMuchForTest = () =>
    new AppError('key_scope', 'A key for tests can roll only keys for tests. Sign in to do this.')

  const noSuchKey = () => new AppError('not_found', 'Your account has no active key with this id.')

  /** A password change may have ended this credential meanwhile; a secret created with it must not survive. */
  async function requireLive(trx: Trx, owner: Principal): Promise<void> {
    if (!(await store.isLive(trx, owner))) throw new AppError('unauthenticated', 'The credential has been revoked.')
  }

  /** By the operator if there is no principal. */
  async function rollSecret(
    { id, accountId }: { id: string; accountId: string },
    graceSeconds: number,
    principal: Principal | null,
    outer?: Trx,
  ) {
    let [secret, prefix] = ['', '']
    const rolling: Rolling = {
      ...{ keyId: id, accountId, oldId: newId(), graceMs: graceSeconds * 1_000 },
      ...{ of: onlyOf(principal), createdBy: creatorOf(principal) },
      renew({ createdAt, nowMs, isTest, ...stored }) {
        const limits = readLimits(stored) ?? {}
        const expiresAt = renewedExpiry(principal, { ...limits, createdAt }, nowMs)
        // The secret gives all rights of the key.
        if (principal) refuseMore(principal, { ...limits, ...(expiresAt !== undefined && { expiresAt }) })
        if (principal?.plan === TEST_PLAN && !isTest) throw tooMuchForTest()
        const { secret: minted, ...fresh } = mint(isTest ? 'test' : 'live')
        ;[secret, prefix] = [minted, fresh.prefix]
        return { fresh, expiresAt: expiresAt ?? null }
      },
      async alongside(trx, expiresAt) {
        if (principal) await requireLive(trx, principal)
        await announceSecret(trx, id, expiresAt)
      },
    }
    const rolled = await store.roll(rolling, outer)
    return rolled && { id, name: rolled.name, secret, prefix }
  }

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

  function used(owner: KeyOwner | undefined, address: string | null): KeyPrincipal | null {
    if (!owner) return null
    const { keyId, accountId, meterId, createdBy } = owner
    const plan = owner.test === 1 ? TEST_PLAN : owner.plan
    const limits = readLimits(owner)
    lastUsed.record(owner.secretId, limits ? address : null)
    return {
      ...{ kind: 'key', keyId, accountId, plan, ...(meterId !== null && { meterId }), ...(limits && { limits }) },
      ...(createdBy !== null && { createdBy }),
    }
  }

  /** Why a key that is not revoked is refused. */
  function refusalOf(owner: KeyOwner, address: string | null): string | null {
    if (owner.isExpired) return 'expired'
    return isAllowedFrom(readLimits(owner) ?? {}, address) ? null : 'address'
  }

  return {
    /** The first key of a new account, inserted by the transaction that creates the account. */
    prepareFirst(accountId: string) {
      const { issued, row } = prepare(accountId, FIRST_NAME)
      return { issued, insert: (trx: Trx) => store.insert(trx, row) }
    },

    /** A key that the operator adds to an account, inserted by the caller; no limit applies. */
    prepareFor(accountId: string, { name, ...given }: NewKeyOptions) {
      const limits = parseLimits(given)
      const { issued, row } = prepare(accountId, parseKeyName(name), limits)
      const insert = async (trx: Trx) => {
        await store.insert(trx, row)
        await announceSecret(trx, row.id, limits.expiresAt)
      }
      return { issued, insert }
    },

    /** A key for tests makes only such keys. */
    async issue(owner: Principal, { name, test = false, ...given }: NewKeyOptions & { test?: boolean }) {
      const existingMax = keysPerMonth(owner.plan)
      const limits = limitsFor(owner, given)
      const isTest = test || owner.plan === TEST_PLAN
      const { issued, row } = prepare(owner.accountId, parseKeyName(name), limits, {
        test: isTest,
        createdBy: creatorOf(owner),
      })
      const inserted = await store.insertBelow(existingMax, row, async (trx) => {
        await requireLive(trx, owner)
        await announceSecret(trx, row.id, limits.expiresAt)
      })
      if (!inserted) throw tooMany(owner.plan)
      announced()
      return issued
    },

    /** Gives a key a new secret. For the scans, reports and listeners of the key nothing changes. */
    async roll(owner: Principal, keyId: string, graceSeconds: number) {
      const rolled = await rollSecret({ id: keyId, accountId: owner.accountId }, graceSeconds, owner)
      if (!rolled) throw noSuchKey()
      announced()
      return rolled
    },

    /** The same by the operator, in the transaction of the caller. */
    rollFor: (trx: Trx, key: { id: string; accountId: string }, graceSeconds: number) =>
      rollSecret(key, graceSeconds, null, trx),

    /** The key that meters scans of this session's account. */
    async ofSession(owner: Principal): Promise<string> {
      const make = () => store.ensureDashboard(keysPerMonth(owner.plan), prepare(owner.accountId, DASHBOARD_NAME).row)
      const keyId = (await store.findDashboard(owner.accountId)) ?? (await make())
      if (keyId === null) throw tooMany(owner.plan)
      lastUsed.record(keyId)
      return keyId
    },

    async list(owner: Principal) {
      const records = await store.list(owner.accountId, onlyOf(owner))
      return records.map((key) => ({ ...key, ...lastUse(lastUsed.pending(key.id), key), limits: readLimits(key) }))
    },

    async revoke(owner: Principal, keyId: string): Promise<void> {
      if (await store.revoke(owner.accountId, keyId, undefined, onlyOf(owner))) return
      throw noSuchKey()
    },

    /** Not cached, so that a revoked key is rejected at once on every replica. */
    async identify(secret: string, address: string | null): Promise<KeyPrincipal | null> {
      const owner = isWellFormed(secret) ? await findOwner(hashKey(secret)) : undefined
      const refusal = owner && refusalOf(owner, address)
      if (!refusal) return used(owner, address)
      refusals.note(owner, refusal)
      return null
    },

    /** The same for a listener, which names its key by id and has its own list of addresses. */
    identifyById: async (keyId: string): Promise<KeyPrincipal | null> => used(await findOwnerById(keyId), null),
  }
}
