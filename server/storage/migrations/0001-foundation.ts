/** Accounts, keys and usage. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('email_key', 'text', (c) => c.notNull().unique())
    .addColumn('plan', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('last_four', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_by_account').on('api_keys').column('account_id').execute()

  await db.schema
    .createTable('usage_counters')
    .addColumn('key_id', 'text', (c) => c.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('period', 'text', (c) => c.notNull())
    .addColumn('used', 'bigint', (c) => c.notNull().check(sql`used >= 0`))
    .addColumn('reserved', 'bigint', (c) => c.notNull().check(sql`reserved >= 0`))
    .addPrimaryKeyConstraint('usage_counters_pk', ['key_id', 'period'])
    .execute()

  await db.schema
    .createTable('usage_leases')
    .addColumn('replica_id', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text', (c) => c.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('period', 'text', (c) => c.notNull())
    .addColumn('held', 'bigint', (c) => c.notNull().check(sql`held >= 0`))
    .addPrimaryKeyConstraint('usage_leases_pk', ['replica_id', 'key_id', 'period'])
    .execute()

  await db.schema
    .createTable('usage_ledger')
    .addColumn('scan_id', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text', (c) => c.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('period', 'text', (c) => c.notNull())
    .addColumn('charged_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('usage_ledger_by_key').on('usage_ledger').columns(['key_id', 'period']).execute()

  await db.schema
    .createTable('replicas')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .execute()
}
