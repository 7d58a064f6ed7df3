/** Subscriptions in the database. Every change sets the account's plan in the same transaction. */
import type { Kysely, Updateable } from 'kysely'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'
import {
  type AccountOptions,
  type AccountStore,
  createAccountStore,
  createClaimStore,
  type Trx,
} from './account-store.ts'
import { createEventStore } from './event-store.ts'
import type { Notice } from './ports.ts'
import type { Outcome } from './schema.ts'
import { isLive, type PlanChoice, type Purchase, planInForce, type Status, type Subscription } from './state.ts'
import type { Change } from './subscription.ts'

type Row = Tables['subscriptions']

export type Linked =
  | { outcome: 'linked'; subscription: Subscription }
  | { outcome: 'taken' }
  | { outcome: 'occupied' }
  | { outcome: 'unmapped' }

export interface Terms {
  status: Status
  /** Null: the plan map lacks it, so that a new purchase is not linked. */
  plan: PlanChoice | null
}

const toSubscription = (row: Row): Subscription => ({
  id: row.id,
  externalId: row.external_id,
  accountId: row.account_id,
  offerId: row.offer_id,
  planId: row.plan_id,
  planKey: row.plan_key,
  quantity: row.quantity,
  status: row.status as Status,
  freeTrial: row.free_trial === 1,
  autoRenew: row.auto_renew === 1,
  termStart: row.term_start,
  termEnd: row.term_end,
  beneficiaryEmail: row.beneficiary_email,
  settledAt: row.settled_at,
  eventAt: { status: row.status_event_at, plan: row.plan_event_at, quantity: row.quantity_event_at },
})

const flag = (value: boolean): number => (value ? 1 : 0)

/** Kysely skips columns that are undefined. */
const toColumns = (change: Change): Updateable<Row> => ({
  status: change.status,
  plan_id: change.planId,
  plan_key: change.planKey ?? undefined,
  quantity: change.quantity,
  free_trial: change.freeTrial === undefined ? undefined : flag(change.freeTrial),
  auto_renew: change.autoRenew === undefined ? undefined : flag(change.autoRenew),
  term_start: change.termStart,
  term_end: change.termEnd,
  beneficiary_email: change.beneficiaryEmail,
  status_event_at: change.eventAt?.status,
  plan_event_at: change.eventAt?.plan,
  quantity_event_at: change.eventAt?.quantity,
})

const planGivenBy = ({ status, plan_key }: Row): string | null => planInForce(status as Status, plan_key, null)

type Rows = ReturnType<typeof createRows>

function createRows({ db, clock }: Database, { provider, freePlan }: AccountOptions, accounts: AccountStore) {
  const ofProvider = (trx: Kysely<Tables>, externalId: string) =>
    trx.selectFrom('subscriptions').selectAll().where('provider', '=', provider).where('external_id', '=', externalId)

  return {
    ofProvider,
    live: () => db.selectFrom('subscriptions').where('status', '!=', 'Unsubscribed'),

    /** Locks the account before it reads the row. */
    async lockRow(trx: Trx, externalId: string): Promise<Row | null> {
      const found = await ofProvider(trx, externalId).executeTakeFirst()
      if (!found) return null
      await accounts.lock(trx, found.account_id)
      return await ofProvider(trx, externalId).executeTakeFirstOrThrow()
    },

    async nowMs(trx: Trx): Promise<number> {
      return (await trx.selectNoFrom(clock.nowMs.as('now')).executeTakeFirstOrThrow()).now
    },

    async write(trx: Trx, row: Row, { settles, ...change }: Change): Promise<Subscription> {
      const columns = {
        ...toColumns(change),
        ...(change.planKey === null && { plan_key: freePlan }),
        ...(settles && { settled_at: clock.nowMs }),
      }
      const written = await trx
        .updateTable('subscriptions')
        .set(columns)
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      // A plan set by hand stays unless the subscription starts to give another one, or none.
      if (planGivenBy(written) !== planGivenBy(row)) await accounts.applyPlan(trx, row.account_id)
      return toSubscription(written)
    },

    /** Null if another process has just inserted the purchase. */
    async add(trx: Trx, accountId: string, purchase: Purchase, { status, plan }: Terms): Promise<Linked | null> {
      if (plan === null) return { outcome: 'unmapped' }
      if (isLive(status) && (await accounts.isOccupied(trx, accountId, purchase.externalId)))
        return { outcome: 'occupied' }
      const row = await trx
        .insertInto('subscriptions')
        .values({
          id: newId(),
          provider,
          external_id: purchase.externalId,
          account_id: accountId,
          offer_id: purchase.offerId,
          plan_id: plan.planId,
          plan_key: plan.planKey,
          quantity: purchase.quantity,
          status,
          free_trial: flag(purchase.freeTrial),
          auto_renew: flag(purchase.autoRenew),
          term_start: purchase.termStart,
          term_end: purchase.termEnd,
          beneficiary_email: purchase.beneficiaryEmail,
          created_at: clock.nowMs,
        })
        .onConflict((conflict) => conflict.columns(['provider', 'external_id']).doNothing())
        .returningAll()
        .executeTakeFirst()
      if (!row) return null
      // Already paid when it was first seen.
      if (status === 'Subscribed') await accounts.applyPlan(trx, accountId)
      return { outcome: 'linked', subscription: toSubscription(row) }
    },
  }
}

function createReads({ db }: Database, provider: string, best: AccountStore['best'], { ofProvider, live }: Rows) {
  return {
    async find(externalId: string): Promise<Subscription | null> {
      const row = await ofProvider(db, externalId).executeTakeFirst()
      return row ? toSubscription(row) : null
    },

    /** The paid subscription with the largest quota, else the newest suspended one, else the newest pending one. */
    async findLive(accountId: string): Promise<Subscription | null> {
      const newestFirst = live().selectAll().where('account_id', '=', accountId).orderBy('created_at', 'desc')
      const rows = await newestFirst.execute()
      const first = (status: Status) => rows.find((row) => row.status === status)
      const paid = best(rows.filter((row) => row.status === 'Subscribed'))
      const row = paid ?? first('Suspended') ?? first('PendingFulfillmentStart')
      return row ? toSubscription(row) : null
    },

    /** A page of live subscriptions in the order of their ids, up to and including `lastId` if given. */
    async pageOfLive(afterId: string, lastId: string | null, count: number): Promise<Subscription[]> {
      const rows = await live()
        .selectAll()
        .where('provider', '=', provider)
        .where('id', '>', afterId)
        .$if(lastId !== null, (query) => query.where('id', '<=', lastId ?? ''))
        .orderBy('id')
        .limit(count)
        .execute()
      return rows.map(toSubscription)
    },

    async plansOfLive(): Promise<string[]> {
      return (await live().select('plan_key').distinct().execute()).map((row) => row.plan_key)
    },
  }
}

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>

export function createSubscriptionStore(database: Database, options: AccountOptions) {
  const { db } = database
  const { provider } = options
  const accounts = createAccountStore(database, options)
  const rows = createRows(database, options, accounts)
  const { ofProvider, live, lockRow, nowMs, write, add } = rows
  const { claim, ...claims } = createClaimStore(database, provider, accounts)
  const events = createEventStore(database, provider)

  return {
    ...claims,
    ...events,
    ...createReads(database, provider, accounts.best, rows),

    async claim(...given: Parameters<typeof claim>) {
      const claimed = await claim(...given)
      return typeof claimed === 'object' && 'id' in claimed ? toSubscription(claimed) : claimed
    },

    /** Links a purchase to the first account that brings it. For that account, later calls only update it. */
    link(
      accountId: string,
      purchase: Purchase,
      fresh: Terms,
      update: (known: Subscription, nowMs: number) => Change,
    ): Promise<Linked> {
      return db.transaction().execute(async (trx): Promise<Linked> => {
        await accounts.lock(trx, accountId)
        const existing = await ofProvider(trx, purchase.externalId).executeTakeFirst()
        const added = existing ? null : await add(trx, accountId, purchase, fresh)
        if (added) return added
        const row = existing ?? (await ofProvider(trx, purchase.externalId).executeTakeFirstOrThrow())
        if (row.account_id !== accountId) return { outcome: 'taken' }
        const change = update(toSubscription(row), await nowMs(trx))
        return { outcome: 'linked', subscription: await write(trx, row, change) }
      })
    },

    /** Applies the change that `decide` derives from the locked row. Null if the subscription does not exist. */
    change(
      externalId: string,
      decide: (known: Subscription, nowMs: number) => Change | null,
    ): Promise<Subscription | null> {
      return db.transaction().execute(async (trx) => {
        const row = await lockRow(trx, externalId)
        if (row === null) return null
        const change = decide(toSubscription(row), await nowMs(trx))
        return change ? await write(trx, row, change) : toSubscription(row)
      })
    },

    /** Like `change`, but records the event with it: a repeated event has no effect. */
    async changeOnce(
      notice: Notice,
      decide: (known: Subscription | null, nowMs: number) => { outcome: Outcome; change?: Change },
    ): Promise<Outcome> {
      return await db.transaction().execute(async (trx) => {
        const row = await lockRow(trx, notice.externalId)
        const { outcome, change } = decide(row ? toSubscription(row) : null, await nowMs(trx))
        if (!(await events.record({ notice, outcome, dedupe: notice.operationId }, trx))) return 'repeated'
        if (row && change) await write(trx, row, change)
        return outcome
      })
    },

    /** Ends all subscriptions of another provider. */
    async endAllOf(other: string): Promise<number> {
      const ended = await live().selectAll().where('provider', '=', other).execute()
      for (const row of ended) {
        await db.transaction().execute(async (trx) => {
          await accounts.lock(trx, row.account_id)
          await write(trx, row, { status: 'Unsubscribed', settles: true })
        })
      }
      return ended.length
    },
  }
}
