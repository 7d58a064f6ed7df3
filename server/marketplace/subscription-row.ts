/** A subscription as a row of the database, and back. */
import type { Tables } from '#storage/tables.ts'
import type { Status, Subscription } from './state.ts'

const flag = (value: boolean): number => (value ? 1 : 0)

export const toSubscription = (row: Tables['subscriptions']): Subscription => ({
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

export const toColumns = ({ eventAt, ...subscription }: Subscription) => ({
  id: subscription.id,
  external_id: subscription.externalId,
  account_id: subscription.accountId,
  offer_id: subscription.offerId,
  plan_id: subscription.planId,
  plan_key: subscription.planKey,
  quantity: subscription.quantity,
  status: subscription.status,
  free_trial: flag(subscription.freeTrial),
  auto_renew: flag(subscription.autoRenew),
  term_start: subscription.termStart,
  term_end: subscription.termEnd,
  beneficiary_email: subscription.beneficiaryEmail,
  settled_at: subscription.settledAt,
  status_event_at: eventAt.status,
  plan_event_at: eventAt.plan,
  quantity_event_at: eventAt.quantity,
})
