/** Passwords, sessions, reset links, dashboard keys and usage notices. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('password_hash', 'text').execute()
  await db.schema
    .alterTable('accounts')
    .addColumn('auth_provider', 'text', (c) => c.notNull().defaultTo('password'))
    .execute()
  await db.schema.alterTable('accounts').addColumn('attribution', 'text').execute()
  await db.schema
    .alterTable('api_keys')
    .addColumn('dashboard', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sessions_by_account').on('sessions').columns(['account_id', 'created_at']).execute()
  await db.schema.createIndex('sessions_by_age').on('sessions').column('seen_at').execute()

  await db.schema
    .createTable('password_resets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('password_resets_by_account').on('password_resets').column('account_id').execute()

  await db.schema
    .createTable('usage_notices')
    .addColumn('key_id', 'text', (c) => c.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('period', 'text', (c) => c.notNull())
    .addColumn('share', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('usage_notices_pk', ['key_id', 'period', 'share'])
    .execute()
}
