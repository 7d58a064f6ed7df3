/** Subscriptions in the database. Every change sets the account's plan in the same transaction. */
import { newId } from '#base/ids.ts'
import type { Database, Trx } from '#storage/database.ts'
import { type AccountOptions, type AccountStore, createAccountStore, createClaims } from './account-store.ts'
import { type Answer, createEventStore } from './event-store.ts'
import type { Notice } from './ports.ts'
import type { Outcome } from './schema.ts'
import {
  isLive,
  type PlanChoice,
  type Purchase,
  planInForce,
  RECHECK_MS,
  type Status,
  type Subscription,
} from './state.ts'
import { type Change, changeFromRemote } from './subscription.ts'
import { toColumns, toSubscription } from './subscription-row.ts'

export type Linked = Subscription | 'taken' | 'occupied' | 'unmapped'

/** A purchase in a known state. */
type Linkable = Purchase & { status: Status }

function createReads({ db }: Database, provider: string, accounts: AccountStore) {
  const live = () => db.selectFrom('subscriptions').where('status', '!=', 'Unsubscribed')

  return {
    async find(externalId: string, trx: Trx | Database['db'] = db, of = provider): Promise<Subscription | null> {
      const all = trx.selectFrom('subscriptions').selectAll()
      const row = await all.where('provider', '=', of).where('external_id', '=', externalId).executeTakeFirst()
      return row ? toSubscription(row) : null
    },

    /** The paid subscription with the largest quota, else the newest suspended one, else the newest pending one. */
    async findLive(accountId: string): Promise<Subscription | null> {
      const newestFirst = live().selectAll().where('account_id', '=', accountId).orderBy('created_at', 'desc')
      const rows = await newestFirst.execute()
      const first = (status: Status) => rows.find((row) => row.status === status)
      const paid = accounts.best(rows.filter((row) => row.status === 'Subscribed'))
      const row = paid ?? first('Suspended') ?? first('PendingFulfillmentStart')
      return row ? toSubscription(row) : null
    },

    /** The newest purchases of an account, ended ones too. */
    async list(accountId: string, count: number): Promise<Subscription[]> {
      const all = db.selectFrom('subscriptions').selectAll().where('account_id', '=', accountId)
      const rows = await all.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(count).execute()
      return rows.map(toSubscription)
    },

    /** All live subscriptions in the order of their ids. */
    async idsOfLive(of = provider): Promise<Pick<Subscription, 'id' | 'externalId'>[]> {
      return await live().select(['id', 'external_id as externalId']).where('provider', '=', of).orderBy('id').execute()
    },

    async plansOfLive(): Promise<string[]> {
      return (await live().select('plan_key').distinct().execute()).map((row) => row.plan_key)
    },
  }
}

function createWrites({ clock, audit }: Database, { provider, freePlan }: AccountOptions, accounts: AccountStore) {
  function note(trx: Trx, kind: 'linked' | 'changed', { id, accountId, status, planKey }: Subscription): void {
    const event = { event: `subscription.${kind}`, accountId, subject: id, actor: 'marketplace' } as const
    audit.note(trx, { ...event, details: { status, plan: planKey } })
  }

  return {
    async nowMs(trx: Trx): Promise<number> {
      return (await trx.selectNoFrom(clock.nowMs.as('now')).executeTakeFirstOrThrow()).now
    },

    /** Requires the account's lock, since it writes every field. */
    async write(trx: Trx, known: Subscription, { settles, ...change }: Change): Promise<Subscription> {
      const next = { ...known, ...change, eventAt: { ...known.eventAt, ...change.eventAt } }
      const isChanged = settles || next.status !== known.status || next.planKey !== known.planKey
      const row = await trx
        .updateTable('subscriptions')
        .set((eb) => ({
          ...toColumns({ ...next, planKey: next.planKey ?? freePlan }),
          ...(settles && { settled_at: clock.nowMs }),
          // Reports may have arrived out of order, and an event may have been missed.
          ...(isChanged && { recheck_at: isLive(next.status) ? eb(clock.nowMs, '+', RECHECK_MS) : null }),
        }))
        .where('id', '=', known.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      const written = toSubscription(row)
      if (written.status !== known.status || written.planKey !== known.planKey) note(trx, 'changed', written)
      // A plan set by hand stays unless the subscription starts to give another one, or none.
      if (planInForce(written) !== planInForce(known)) await accounts.applyPlan(trx, known.accountId)
      return written
    },

    /** Null if another process has just inserted the purchase. */
    async add(trx: Trx, accountId: string, purchase: Linkable, plan: PlanChoice | null): Promise<Linked | null> {
      const { status, externalId } = purchase
      if (plan === null) return 'unmapped'
      if (isLive(status) && (await accounts.isOccupied(trx, accountId, externalId))) return 'occupied'
      const eventAt = { status: null, plan: null, quantity: null }
      const row = await trx
        .insertInto('subscriptions')
        .values({
          ...toColumns({ ...purchase, ...plan, id: newId(), accountId, settledAt: null, eventAt }),
          provider,
          created_at: clock.nowMs,
        })
        .onConflict((conflict) => conflict.columns(['provider', 'external_id']).doNothing())
        .returningAll()
        .executeTakeFirst()
      if (!row) return null
      note(trx, 'linked', toSubscription(row))
      // Already paid when it was first seen.
      if (status === 'Subscribed') await accounts.applyPlan(trx, accountId)
      return toSubscription(row)
    },
  }
}

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>

export function createSubscriptionStore(database: Database, options: AccountOptions) {
  const { audit } = database
  const { provider } = options
  const accounts = createAccountStore(database, options)
  const events = createEventStore(database, provider)
  const reads = createReads(database, provider, accounts)
  const { nowMs, write, add } = createWrites(database, options, accounts)

  /** Locks the account before it reads the row that counts. */
  async function findLocked(trx: Trx, externalId: string, of = provider): Promise<Subscription | null> {
    const found = await reads.find(externalId, trx, of)
    if (found === null) return null
    await accounts.lock(trx, found.accountId)
    return await reads.find(externalId, trx, of)
  }

  /** Applies the change that `decide` derives from the locked row. Null if the subscription does not exist. */
  function change(
    externalId: string,
    decide: (known: Subscription, nowMs: number) => Change | null,
    of = provider,
  ): Promise<Subscription | null> {
    return audit.change(async (trx) => {
      const known = await findLocked(trx, externalId, of)
      const wanted = known && decide(known, await nowMs(trx))
      return known && wanted ? await write(trx, known, wanted) : known
    })
  }

  return {
    ...createClaims(database, provider, accounts),
    ...events,
    ...reads,
    change,

    /** Links a purchase to the first account that brings it. For that account, later calls only update it. */
    link(accountId: string, purchase: Linkable, plan: PlanChoice | null): Promise<Linked> {
      const { externalId } = purchase
      return audit.change(async (trx): Promise<Linked> => {
        await accounts.lock(trx, accountId)
        const existing = await reads.find(externalId, trx)
        const added = existing ? null : await add(trx, accountId, purchase, plan)
        if (added) return added
        const known = existing ?? (await reads.find(externalId, trx))
        if (known?.accountId !== accountId) return 'taken'
        return await write(trx, known, changeFromRemote(known, purchase, plan, await nowMs(trx)))
      })
    },

    /** Like `change`, but records the event with it: a repeated event has no effect. */
    async changeOnce(
      notice: Notice,
      decide: (
        known: Subscription | null,
        nowMs: number,
      ) => { outcome: Outcome; change?: Change; answer?: Answer | null },
    ): Promise<Outcome> {
      return await audit.change(async (trx) => {
        const known = await findLocked(trx, notice.externalId)
        const { outcome, change: wanted, answer = null } = decide(known, await nowMs(trx))
        if (!(await events.record(notice, outcome, { answer, trx }))) return 'repeated'
        if (known && wanted) await write(trx, known, wanted)
        return outcome
      })
    },

    /**
     * Forgets the purchases of an account that is deleted. False if one is paid or may be: it would be billed on. An ended
     * purchase is over, and one that was never activated is not billed.
     */
    async erase(trx: Trx, accountId: string): Promise<boolean> {
      const purchases = trx.selectFrom('subscriptions').where('account_id', '=', accountId)
      const billed = purchases
        .select('id')
        .where((eb) =>
          eb.or([
            eb('status', 'in', ['Subscribed', 'Suspended']),
            eb.and([eb('status', '=', 'PendingFulfillmentStart'), eb('activating_by', 'is not', null)]),
          ]),
        )
      if ((await billed.executeTakeFirst()) !== undefined) return false
      const sold = purchases.select('external_id').where('provider', '=', 'sandbox')
      await trx.deleteFrom('sandbox_purchases').where('id', 'in', sold).execute()
      await trx.deleteFrom('subscriptions').where('account_id', '=', accountId).execute()
      return true
    },

    /** Gives a purchase to another account; plans follow it. */
    async relink(trx: Trx, externalId: string, accountId: string): Promise<Subscription | 'missing' | 'occupied'> {
      const found = await reads.find(externalId, trx)
      if (found === null) return 'missing'
      // In a fixed order, to avoid a deadlock.
      for (const id of [found.accountId, accountId].sort()) await accounts.lock(trx, id)
      const known = await reads.find(externalId, trx)
      if (known?.accountId !== found.accountId) return 'missing'
      if (isLive(known.status) && (await accounts.isOccupied(trx, accountId, externalId))) return 'occupied'
      await trx.updateTable('subscriptions').set({ account_id: accountId }).where('id', '=', known.id).execute()
      const details = { from: found.accountId }
      audit.note(trx, { event: 'subscription.relinked', accountId, subject: known.id, details })
      if (planInForce(known) !== null) {
        for (const id of [found.accountId, accountId]) await accounts.applyPlan(trx, id)
      }
      return { ...known, accountId }
    },

    /** Ends all subscriptions of another provider. */
    async endAllOf(other: string): Promise<number> {
      const live = await reads.idsOfLive(other)
      for (const { externalId } of live)
        await change(externalId, () => ({ status: 'Unsubscribed', settles: true }), other)
      return live.length
    },
  }
}
