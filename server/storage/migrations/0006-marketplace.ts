/** Marketplace subscriptions and events, and the sandbox marketplace. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscriptions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('external_id', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('offer_id', 'text', (c) => c.notNull())
    .addColumn('plan_id', 'text', (c) => c.notNull())
    .addColumn('plan_key', 'text', (c) => c.notNull())
    .addColumn('quantity', 'bigint')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('free_trial', 'integer', (c) => c.notNull())
    .addColumn('auto_renew', 'integer', (c) => c.notNull())
    .addColumn('term_start', 'bigint')
    .addColumn('term_end', 'bigint')
    .addColumn('beneficiary_email', 'text')
    .addColumn('raw', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('settled_at', 'bigint')
    .addColumn('last_event_at', 'bigint')
    .addColumn('activating_by', 'text')
    .addColumn('activating_until', 'bigint')
    // A purchase belongs to one account.
    .addUniqueConstraint('subscriptions_by_external_id', ['provider', 'external_id'])
    .execute()
  await db.schema.createIndex('subscriptions_by_account').on('subscriptions').column('account_id').execute()

  await db.schema
    .createTable('marketplace_events')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('dedupe', 'text', (c) => c.notNull())
    .addColumn('operation_id', 'text', (c) => c.notNull())
    .addColumn('external_id', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('plan_id', 'text')
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('marketplace_events_once', ['provider', 'dedupe'])
    .execute()
  await db.schema
    .createIndex('marketplace_events_by_subscription')
    .on('marketplace_events')
    .column('external_id')
    .execute()

  await db.schema
    .createTable('marketplace_rounds')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('held_by', 'text')
    .addColumn('held_until', 'bigint')
    .execute()

  await db.schema
    .createTable('sandbox_purchases')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('token_until', 'bigint', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('sandbox_operations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('purchase_id', 'text', (c) => c.notNull().references('sandbox_purchases.id').onDelete('cascade'))
    .addColumn('body', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sandbox_operations_by_purchase').on('sandbox_operations').column('purchase_id').execute()
}
