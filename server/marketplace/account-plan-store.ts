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

export function createAccountPlans({ clock }: Database, { provider, freePlan, plans, log }: AccountPlanOptions) {
  /** A plan that is not in the table would stop everything that the account does, and the next start. */
  function isKnown(accountId: string, plan: string): boolean {
    if (Object.hasOwn(plans, plan)) return true
    log.error({ accountId, plan }, 'A subscription stands for a plan that is not in the table of plans: it gives none')
    return false
  }

  return {
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
      const plan = paid.map((row) => row.plan_key).find((key) => isKnown(accountId, key)) ?? freePlan
      await trx.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute()
    },
  }
}
