/** An account's subscriptions taken together: the plan they give, and which one may be activated. */
import type { ExpressionBuilder } from 'kysely'
import type { Log } from '#base/log.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'
import type { Plans } from '#usage/plan.ts'
import { RECHECK_MS } from './state.ts'
import { toSubscription } from './subscription-row.ts'

/** The process of an expired claim may still be waiting for its confirmation, if it was only delayed. */
const CONFIRM_MS_MAX = 30_000

export interface AccountOptions {
  provider: string
  freePlan: string
  plans: Plans
  log: Log
}

export type AccountStore = ReturnType<typeof createAccountStore>

export function createAccountStore({ clock, audit }: Database, { provider, freePlan, plans, log }: AccountOptions) {
  const isKnown = (plan: string): boolean => Object.hasOwn(plans, plan)
  const quotaOf = (plan: string): number => (isKnown(plan) ? (plans[plan]?.scansPerMonth ?? 0) : 0)

  /** The row with the largest quota; the first one among equals. */
  const best = <T extends { plan_key: string }>(paid: readonly T[]): T | undefined =>
    paid.toSorted((one, other) => quotaOf(other.plan_key) - quotaOf(one.plan_key))[0]

  return {
    best,

    /** Serialises all changes to one account. */
    async lock(trx: Trx, accountId: string): Promise<void> {
      await trx
        .updateTable('accounts')
        .set((eb) => ({ plan: eb.ref('plan') }))
        .where('id', '=', accountId)
        .execute()
    },

    /** Another subscription of the account is paid, or its activation is in progress. */
    async isOccupied(trx: Trx, accountId: string, externalId: string): Promise<boolean> {
      const other = await trx
        .selectFrom('subscriptions')
        .select('id')
        .where('account_id', '=', accountId)
        .where((eb) => eb.not(eb.and([eb('provider', '=', provider), eb('external_id', '=', externalId)])))
        .where((eb) =>
          eb.or([
            eb('status', 'in', ['Subscribed', 'Suspended']),
            eb.and([
              eb('status', '=', 'PendingFulfillmentStart'),
              eb('activating_until', '>', eb(clock.nowMs, '-', CONFIRM_MS_MAX)),
            ]),
          ]),
        )
        .executeTakeFirst()
      return other !== undefined
    },

    /** Quota and rates follow the plan from the next request on. */
    async applyPlan(trx: Trx, accountId: string): Promise<void> {
      const paid = await trx
        .selectFrom('subscriptions')
        .select('plan_key')
        .where('account_id', '=', accountId)
        .where('status', '=', 'Subscribed')
        .orderBy('created_at', 'desc')
        .execute()
      if (paid.length > 1)
        log.error({ accountId }, 'Account has more than one paid subscription; the plan with the largest quota applies')
      for (const { plan_key: plan } of paid)
        if (!isKnown(plan)) log.error({ accountId, plan }, 'Subscription ignored: its plan is not in the plan table')
      // An unknown plan would fail every request of the account and the next start.
      const plan = best(paid.filter(({ plan_key }) => isKnown(plan_key)))?.plan_key ?? freePlan
      const account = trx.selectFrom('accounts').select('plan as from').where('id', '=', accountId)
      const { from } = await account.executeTakeFirstOrThrow()
      if (from === plan) return
      await trx.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute()
      audit.note(trx, {
        ...{ event: 'account.plan_changed', accountId, actor: 'marketplace' },
        details: { from, to: plan },
      })
    },
  }
}

/** Claims: the right to confirm a purchase, held by one process at a time for an account. */
export function createClaims({ db, clock }: Database, provider: string, accounts: AccountStore) {
  /** Another purchase of the account whose claim was never released: it may have been confirmed. */
  const findDoubtful = (trx: Trx, accountId: string, externalId: string) =>
    trx
      .selectFrom('subscriptions')
      .select(['external_id as doubtful', 'activating_by as by'])
      .where('provider', '=', provider)
      .where('account_id', '=', accountId)
      .where('external_id', '!=', externalId)
      .where('status', '=', 'PendingFulfillmentStart')
      .where('activating_by', 'is not', null)
      .$narrowType<{ by: string }>()
      .executeTakeFirst()

  const soon = (eb: ExpressionBuilder<Tables, 'subscriptions'>) => eb(clock.nowMs, '+', RECHECK_MS)

  const heldBy = (externalId: string, by: string) =>
    db
      .updateTable('subscriptions')
      .where('provider', '=', provider)
      .where('external_id', '=', externalId)
      .where('activating_by', '=', by)

  return {
    /** Claims the purchase unless another one of the account is paid, or may be. */
    claim: (externalId: string, accountId: string, by: string, ms: number) =>
      db.transaction().execute(async (trx) => {
        await accounts.lock(trx, accountId)
        if (await accounts.isOccupied(trx, accountId, externalId)) return 'occupied'
        const doubt = await findDoubtful(trx, accountId, externalId)
        if (doubt) return doubt
        const claimed = await trx
          .updateTable('subscriptions')
          .set((eb) => ({ activating_by: by, activating_until: eb(clock.nowMs, '+', ms), recheck_at: soon(eb) }))
          .where('provider', '=', provider)
          .where('external_id', '=', externalId)
          .where('account_id', '=', accountId)
          .where('status', '=', 'PendingFulfillmentStart')
          .where((eb) => eb.or([eb('activating_until', 'is', null), eb('activating_until', '<', clock.nowMs)]))
          .returningAll()
          .executeTakeFirst()
        return claimed ? toSubscription(claimed) : 'busy'
      }),

    /** No effect if the claim expired and another process took it. */
    async renewClaim(externalId: string, by: string, ms: number): Promise<void> {
      await heldBy(externalId, by)
        .set((eb) => ({ activating_until: eb(clock.nowMs, '+', ms) }))
        .execute()
    },

    /** Ends the claim so that a retry can start at once, but records that the confirmation may have succeeded. */
    async leaveInDoubt(externalId: string, by: string): Promise<void> {
      await heldBy(externalId, by)
        .set((eb) => ({ activating_until: eb(clock.nowMs, '-', CONFIRM_MS_MAX), recheck_at: soon(eb) }))
        .execute()
    },

    async release(externalId: string, by: string): Promise<void> {
      await heldBy(externalId, by).set({ activating_by: null, activating_until: null }).execute()
    },
  }
}
