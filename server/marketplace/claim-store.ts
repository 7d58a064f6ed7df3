/** The right to confirm a purchase with the marketplace: one at a time, for an account and for all processes. */
import type { Database } from '#storage/database.ts'
import type { AccountPlans, Trx } from './account-plan-store.ts'
import { toSubscription } from './row-store.ts'
import type { Subscription } from './subscription.ts'

/** Another purchase of the account, whose claim ended without being released: nobody knows whether it was confirmed. */
export interface Doubt {
  doubtful: string
  by: string
}

export function createClaimStore({ db, clock }: Database, provider: string, accounts: AccountPlans) {
  /** To be asked when none is in its time any more. */
  async function doubtBeside(trx: Trx, accountId: string, externalId: string): Promise<Doubt | null> {
    const row = await trx
      .selectFrom('subscriptions')
      .select(['external_id', 'activating_by'])
      .where('provider', '=', provider)
      .where('account_id', '=', accountId)
      .where('external_id', '!=', externalId)
      .where('status', '=', 'PendingFulfillmentStart')
      .where('activating_by', 'is not', null)
      .executeTakeFirst()
    return row ? { doubtful: row.external_id, by: row.activating_by ?? '' } : null
  }

  return {
    /** The purchase as it is at that moment. Not beside another that is paid for, or perhaps is. */
    claim(
      externalId: string,
      accountId: string,
      by: string,
      ms: number,
    ): Promise<Subscription | Doubt | 'busy' | 'occupied'> {
      return db.transaction().execute(async (trx) => {
        await accounts.lock(trx, accountId)
        if (await accounts.isOccupied(trx, accountId, externalId)) return 'occupied'
        const doubt = await doubtBeside(trx, accountId, externalId)
        if (doubt) return doubt
        const claimed = await trx
          .updateTable('subscriptions')
          .set((eb) => ({ activating_by: by, activating_until: eb(clock.nowMs, '+', ms) }))
          .where('provider', '=', provider)
          .where('external_id', '=', externalId)
          .where('account_id', '=', accountId)
          .where('status', '=', 'PendingFulfillmentStart')
          .where((eb) => eb.or([eb('activating_until', 'is', null), eb('activating_until', '<', clock.nowMs)]))
          .returningAll()
          .executeTakeFirst()
        return claimed ? toSubscription(claimed) : 'busy'
      })
    },

    /** Ends the claim, so that it can be tried again at once. What it was for may have happened all the same. */
    async leaveInDoubt(externalId: string, by: string): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set((eb) => ({ activating_until: eb(clock.nowMs, '-', 1) }))
        .where('provider', '=', provider)
        .where('external_id', '=', externalId)
        .where('activating_by', '=', by)
        .execute()
    },

    async release(externalId: string, by: string): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set({ activating_by: null, activating_until: null })
        .where('provider', '=', provider)
        .where('external_id', '=', externalId)
        .where('activating_by', '=', by)
        .execute()
    },
  }
}
