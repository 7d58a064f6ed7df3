/** Which person an account belongs to, and to whom it is offered, in the database. */
import { sql } from 'kysely'
import { newId } from '#base/ids.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'

/** Columns that name a person. All other columns with an id of an account are about its data. */
const PERSON_COLUMNS = [
  ['identities', 'account_id'],
  ['passkeys', 'account_id'],
  ['recovery_codes', 'account_id'],
  ['members', 'member_account_id'],
  ['members', 'invited_by'],
  ['member_invitations', 'invited_by'],
  ['api_keys', 'created_by'],
] as const

/** Tables with data of an account that its owner would miss. */
const DATA = ['subscriptions', 'webhook_endpoints', 'allowed_documents', 'scans'] as const

export const OFFER_DAYS = 7
const OFFER_MS = OFFER_DAYS * 24 * 60 * 60 * 1_000

type Person = Pick<
  Tables['accounts'],
  'email' | 'email_key' | 'password_hash' | 'auth_provider' | 'email_proven_at' | 'passkeys_only_at'
>
const PERSON = ['email', 'email_key', 'password_hash', 'auth_provider', 'email_proven_at', 'passkeys_only_at'] as const

export type OwnershipStore = ReturnType<typeof createOwnershipStore>

export function createOwnershipStore({ clock, audit }: Database) {
  const personOf = (trx: Trx, id: string): Promise<Person> =>
    trx.selectFrom('accounts').select(PERSON).where('id', '=', id).executeTakeFirstOrThrow()

  const setPerson = (trx: Trx, id: string, person: Person) =>
    trx.updateTable('accounts').set(person).where('id', '=', id).execute()

  async function rename(trx: Trx, from: string, to: string): Promise<void> {
    for (const [table, column] of PERSON_COLUMNS)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(column)} = ${from}`.execute(
        trx,
      )
  }

  async function insert(trx: Trx, person: Person, plan: string): Promise<string> {
    const id = newId()
    const empty = { attribution: null, erased_at: null, disabled_at: null }
    await trx
      .insertInto('accounts')
      .values({ ...person, ...empty, id, plan, created_at: clock.nowMs })
      .execute()
    audit.note(trx, { event: 'account.created', accountId: id, details: { plan } })
    return id
  }

  /** The member has no role beside that of the owner; the former owner gets one, and has created what has no other creator. */
  async function exchangeRoles(trx: Trx, accountId: string, memberId: string, formerId: string): Promise<void> {
    await trx
      .deleteFrom('members')
      .where('account_id', '=', accountId)
      .where('member_account_id', '=', memberId)
      .execute()
    // Those of the former owner.
    await trx.updateTable('members').set({ offer_expires_at: null }).where('account_id', '=', accountId).execute()
    const role = { role: 'admin', invited_by: null, created_at: clock.nowMs, removed_at: null }
    await trx
      .insertInto('members')
      .values({ account_id: accountId, member_account_id: formerId, ...role })
      .execute()
    const keys = trx.updateTable('api_keys').where('account_id', '=', accountId)
    await keys.set({ created_by: formerId }).where('created_by', 'is', null).where('dashboard', '=', 0).execute()
    await keys.set({ created_by: null }).where('created_by', '=', memberId).execute()
  }

  const offers = (trx: Trx, accountId: string, end: 'open' | 'any' = 'open') =>
    trx
      .updateTable('members')
      .where('account_id', '=', accountId)
      .where('removed_at', 'is', null)
      .$if(end === 'open', (update) => update.where('offer_expires_at', '>', clock.nowMs))

  return {
    /** In place of an earlier one. Returns when it ends. */
    async offer(trx: Trx, accountId: string, memberId: string): Promise<number> {
      await offers(trx, accountId, 'any').set({ offer_expires_at: null }).execute()
      const { expiresAt } = await offers(trx, accountId, 'any')
        .set((eb) => ({ offer_expires_at: eb(clock.nowMs, '+', OFFER_MS) }))
        .where('member_account_id', '=', memberId)
        .returning('offer_expires_at as expiresAt')
        .executeTakeFirstOrThrow()
      audit.note(trx, { event: 'ownership.offered', accountId, subject: memberId })
      return expiresAt as number
    },

    async isOffered(trx: Trx, accountId: string, personId: string): Promise<boolean> {
      const open = trx.selectFrom('members').select('role').where('account_id', '=', accountId)
      const own = open.where('member_account_id', '=', personId).where('removed_at', 'is', null)
      return (await own.where('offer_expires_at', '>', clock.nowMs).executeTakeFirst()) !== undefined
    },

    /** False if it is not offered to this person. */
    async endOffer(trx: Trx, accountId: string, personId: string, event: 'withdrawn' | 'declined'): Promise<boolean> {
      const ended = await offers(trx, accountId)
        .set({ offer_expires_at: null })
        .where('member_account_id', '=', personId)
        .returning('role')
        .executeTakeFirst()
      if (ended) audit.note(trx, { event: `ownership.${event}`, accountId, subject: personId })
      return ended !== undefined
    },

    /** Of an account that somebody else may have used: an offer would let a stranger take it later. */
    async withdrawOffers(trx: Trx, accountId: string): Promise<void> {
      const ended = offers(trx, accountId).set({ offer_expires_at: null })
      for (const { id } of await ended.returning('member_account_id as id').execute())
        audit.note(trx, { event: 'ownership.withdrawn', accountId, subject: id })
    },

    /** Whether the account of a person has a plan, keys, people, or anything else that its owner would miss. */
    async isInUse(trx: Trx, accountId: string, emptyPlan: string): Promise<boolean> {
      const account = trx.selectFrom('accounts').select('plan').where('id', '=', accountId)
      if ((await account.executeTakeFirstOrThrow()).plan !== emptyPlan) return true
      for (const table of DATA) {
        const rows = trx.selectFrom(table).select('account_id').where('account_id', '=', accountId)
        if (await rows.limit(1).executeTakeFirst()) return true
      }
      const members = trx.selectFrom('members').select('role').where('account_id', '=', accountId)
      if (await members.where('removed_at', 'is', null).limit(1).executeTakeFirst()) return true
      const keys = trx.selectFrom('api_keys').select('id').where('account_id', '=', accountId)
      return (await keys.where('revoked_at', 'is', null).where('dashboard', '=', 0).executeTakeFirst()) !== undefined
    },

    /**
     * Makes a member the person of the account. The former owner gets a new account with the plan; that of the member has no
     * person then. Returns the id of the former owner.
     */
    async give(trx: Trx, accountId: string, memberId: string, plan: string): Promise<string> {
      const [former, member] = [await personOf(trx, accountId), await personOf(trx, memberId)]
      const nobody = {
        ...member,
        email: '',
        email_key: `moved ${memberId}`,
        password_hash: null,
        passkeys_only_at: null,
      }
      await setPerson(trx, memberId, nobody)
      await setPerson(trx, accountId, member)
      const formerId = await insert(trx, former, plan)
      await exchangeRoles(trx, accountId, memberId, formerId)
      await rename(trx, accountId, formerId)
      await rename(trx, memberId, accountId)
      await trx.deleteFrom('password_resets').where('account_id', '=', accountId).execute()
      audit.note(trx, { event: 'account.transferred', accountId, details: { from: formerId, to: memberId } })
      return formerId
    },
  }
}
