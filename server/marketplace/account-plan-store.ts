/** What subscriptions mean for their account: which plan it has, and whether it can take another one. */
import type { Transaction } from 'kysely'
import type { Log } from '#base/log.ts'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'

export type Trx = Transaction<Tables>

export interface AccountPlanOptions {
  provider: string
  freePlan: string
  /** The table of plans. */
  plans: Readonly<Record<string, { scansPerMonth: number }>>
  log: Log
}

export type AccountPlans = ReturnType<typeof createAccountPlans>

export function createAccountPlans({ clock }: Database, { provider, freePlan, plans, log }: AccountPlanOptions) {
  /** A plan that is not in the table would stop everything that the account does, and the next start. */
  function isKnown(accountId: string, plan: string): boolean {
    if (Object.hasOwn(plans, plan)) return true
    log.error({ accountId, plan }, 'A subscription stands for a plan that is not in the table of plans: it gives none')
    return false
  }

  const quotaOf = (plan: string): number => (Object.hasOwn(plans, plan) ? (plans[plan]?.scansPerMonth ?? 0) : 0)

  /** Of several that are paid for, the one that gives most; of equals the first. */
  const best = <T extends { plan_key: string }>(paid: readonly T[]): T | undefined =>
    paid.toSorted((one, other) => quotaOf(other.plan_key) - quotaOf(one.plan_key))[0]

  return {
    best,

    /** Whoever changes something for an account takes its row first, so that they come one after the other. */
    async lock(trx: Trx, accountId: string): Promise<void> {
      await trx
        .updateTable('accounts')
        .set((eb) => ({ plan: eb.ref('plan') }))
        .where('id', '=', accountId)
        .execute()
    },

    /** Another subscription of the account is paid for, or about to be. */
    async isOccupied(trx: Trx, accountId: string, externalId: string): Promise<boolean> {
      const other = await trx
        .selectFrom('subscriptions')
        .select('id')
        .where('account_id', '=', accountId)
        .where((eb) => eb.not(eb.and([eb('provider', '=', provider), eb('external_id', '=', externalId)])))
        .where((eb) =>
          eb.or([
            eb('status', 'in', ['Subscribed', 'Suspended']),
            eb.and([eb('status', '=', 'PendingFulfillmentStart'), eb('activating_until', '>', clock.nowMs)]),
          ]),
        )
        .executeTakeFirst()
      return other !== undefined
    },

    /** Quota and rates follow it from the next request on. */
    async apply(trx: Trx, accountId: string): Promise<void> {
      const paid = await trx
        .selectFrom('subscriptions')
        .select('plan_key')
        .where('account_id', '=', accountId)
        .where('status', '=', 'Subscribed')
        .orderBy('created_at', 'desc')
        .execute()
      if (paid.length > 1)
        log.error({ accountId }, 'An account has more than one subscription that is paid for: the best plan counts')
      const plan = best(paid.filter(({ plan_key }) => isKnown(accountId, plan_key)))?.plan_key ?? freePlan
      await trx.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute()
    },
  }
}
