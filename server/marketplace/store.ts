/** Subscriptions in the database. Whatever changes one sets the plan of its account in the same transaction. */
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { type AccountPlanOptions, createAccountPlans, type Trx } from './account-plan-store.ts'
import { createClaimStore } from './claim-store.ts'
import { createEventStore } from './event-store.ts'
import type { Outcome } from './outcome.ts'
import type { Notice, Purchase } from './ports.ts'
import { columnsOf, flag, type Row, toSubscription } from './row-store.ts'
import { isLive, planInForce, type Status } from './state.ts'
import type { Change, PlanChoice, Subscription } from './subscription.ts'

const planGivenBy = ({ status, plan_key }: Row): string | null => planInForce(status as Status, plan_key, null)

export type Linked =
  | { outcome: 'linked'; subscription: Subscription }
  | { outcome: 'taken' }
  | { outcome: 'occupied' }
  | { outcome: 'unmapped' }

export interface Terms {
  status: Status
  /** Null: none of ours, with which nothing is linked anew. */
  plan: PlanChoice | null
}

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>

export function createSubscriptionStore(database: Database, options: AccountPlanOptions) {
  const { db, clock } = database
  const { provider, freePlan } = options
  const accounts = createAccountPlans(database, options)
  const events = createEventStore(database, provider)

  const ofProvider = (trx: Trx | typeof db, externalId: string) =>
    trx.selectFrom('subscriptions').selectAll().where('provider', '=', provider).where('external_id', '=', externalId)

  async function nowMs(trx: Trx): Promise<number> {
    const { now } = await trx.selectNoFrom(clock.nowMs.as('now')).executeTakeFirstOrThrow()
    return now
  }

  async function write(trx: Trx, row: Row, { settles, ...change }: Change): Promise<Subscription> {
    const columns = {
      ...columnsOf(change),
      ...(change.planKey === null && { plan_key: freePlan }),
      ...(settles && { settled_at: clock.nowMs }),
    }
    const written = await trx
      .updateTable('subscriptions')
      .set(columns)
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    // What gives no plan, or the same as before, must not touch one that somebody set by hand.
    if (planGivenBy(written) !== planGivenBy(row)) await accounts.apply(trx, row.account_id)
    return toSubscription(written)
  }

  /** Null: it is there already. */
  async function add(trx: Trx, accountId: string, purchase: Purchase, { status, plan }: Terms): Promise<Linked | null> {
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
        settled_at: null,
        status_event_at: null,
        plan_event_at: null,
        quantity_event_at: null,
        activating_by: null,
        activating_until: null,
      })
      .onConflict((conflict) => conflict.columns(['provider', 'external_id']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) return null
    // It was paid for before we heard of it.
    if (status === 'Subscribed') await accounts.apply(trx, accountId)
    return { outcome: 'linked', subscription: toSubscription(row) }
  }

  return {
    async find(externalId: string): Promise<Subscription | null> {
      const row = await ofProvider(db, externalId).executeTakeFirst()
      return row ? toSubscription(row) : null
    },

    /** Of several, the one that counts most: the best that is paid for, else what waits for payment, else the newest. */
    async findLive(accountId: string): Promise<Subscription | null> {
      const rows = await db
        .selectFrom('subscriptions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('status', '!=', 'Unsubscribed')
        .orderBy('created_at', 'desc')
        .execute()
      const first = (status: Status) => rows.find((row) => row.status === status)
      const paid = accounts.best(rows.filter((row) => row.status === 'Subscribed'))
      const row = paid ?? first('Suspended') ?? first('PendingFulfillmentStart')
      return row ? toSubscription(row) : null
    },

    /** Links a purchase to the account that came with it first; later it only brings what is known up to date. */
    link(
      accountId: string,
      purchase: Purchase,
      fresh: Terms,
      refresh: (known: Subscription, nowMs: number) => Change,
    ): Promise<Linked> {
      return db.transaction().execute(async (trx): Promise<Linked> => {
        await accounts.lock(trx, accountId)
        const existing = await ofProvider(trx, purchase.externalId).executeTakeFirst()
        const added = existing ? null : await add(trx, accountId, purchase, fresh)
        if (added) return added
        // There already, or somebody else was faster by a moment.
        const row = existing ?? (await ofProvider(trx, purchase.externalId).executeTakeFirstOrThrow())
        if (row.account_id !== accountId) return { outcome: 'taken' }
        const change = refresh(toSubscription(row), await nowMs(trx))
        return { outcome: 'linked', subscription: await write(trx, row, change) }
      })
    },

    ...createClaimStore(database, provider, accounts),

    /** Changes one as `decide` says, which sees it as it is at that moment. Null: there is no such subscription. */
    async change(
      externalId: string,
      decide: (known: Subscription, nowMs: number) => Change | null,
    ): Promise<Subscription | null> {
      return await db.transaction().execute(async (trx) => {
        const found = await ofProvider(trx, externalId).executeTakeFirst()
        if (!found) return null
        await accounts.lock(trx, found.account_id)
        const row = await ofProvider(trx, externalId).executeTakeFirstOrThrow()
        const change = decide(toSubscription(row), await nowMs(trx))
        return change ? await write(trx, row, change) : toSubscription(row)
      })
    },

    /** The same for an event, which is kept together with what it did: a second time it does nothing. */
    async changeOnce(
      notice: Notice,
      decide: (known: Subscription | null, nowMs: number) => { outcome: Outcome; change?: Change },
    ): Promise<Outcome> {
      return await db.transaction().execute(async (trx) => {
        const found = await ofProvider(trx, notice.externalId).executeTakeFirst()
        if (found) await accounts.lock(trx, found.account_id)
        const row = found && (await ofProvider(trx, notice.externalId).executeTakeFirstOrThrow())
        const { outcome, change } = decide(row ? toSubscription(row) : null, await nowMs(trx))
        if (!(await events.insert({ notice, outcome, dedupe: notice.operationId }, trx))) return 'repeated'
        if (row && change) await write(trx, row, change)
        return outcome
      })
    },

    /** Keeps an event that changes nothing. */
    record: events.insert,
    outcomeOf: events.outcomeOf,
    toldEarly: events.toldEarly,

    /** Live ones in the order of their ids, a page at a time, up to and with `lastId` if there is one. */
    async pageOfLive(afterId: string, lastId: string | null, count: number): Promise<Subscription[]> {
      const rows = await db
        .selectFrom('subscriptions')
        .selectAll()
        .where('provider', '=', provider)
        .where('status', '!=', 'Unsubscribed')
        .where('id', '>', afterId)
        .$if(lastId !== null, (query) => query.where('id', '<=', lastId ?? ''))
        .orderBy('id')
        .limit(count)
        .execute()
      return rows.map(toSubscription)
    },

    async plansOfLive(): Promise<string[]> {
      const rows = await db
        .selectFrom('subscriptions')
        .select('plan_key')
        .distinct()
        .where('status', '!=', 'Unsubscribed')
        .execute()
      return rows.map((row) => row.plan_key)
    },

    /** Ends everything that another provider sold. */
    async endThoseOf(other: string): Promise<number> {
      const rows = await db
        .selectFrom('subscriptions')
        .selectAll()
        .where('provider', '=', other)
        .where('status', '!=', 'Unsubscribed')
        .execute()
      for (const row of rows) {
        await db.transaction().execute(async (trx) => {
          await accounts.lock(trx, row.account_id)
          await write(trx, row, { status: 'Unsubscribed', settles: true })
        })
      }
      return rows.length
    },
  }
}
