/** A subscription as a row of the database, read and written. */
import type { Updateable } from 'kysely'
import type { Tables } from '#storage/tables.ts'
import type { Status } from './state.ts'
import type { Change, Subscription } from './subscription.ts'

export type Row = Tables['subscriptions']

export const toSubscription = (row: Row): Subscription => ({
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

export const flag = (value: boolean): number => (value ? 1 : 0)

export function columnsOf(change: Change): Updateable<Row> {
  const { freeTrial, autoRenew } = change
  const all: Updateable<Row> = {
    status: change.status,
    plan_id: change.planId,
    plan_key: change.planKey ?? undefined,
    quantity: change.quantity,
    free_trial: freeTrial === undefined ? undefined : flag(freeTrial),
    auto_renew: autoRenew === undefined ? undefined : flag(autoRenew),
    term_start: change.termStart,
    term_end: change.termEnd,
    beneficiary_email: change.beneficiaryEmail,
    status_event_at: change.eventAt?.status,
    plan_event_at: change.eventAt?.plan,
    quantity_event_at: change.eventAt?.quantity,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
