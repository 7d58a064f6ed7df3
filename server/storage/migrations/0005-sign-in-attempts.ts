/** Failed sign-ins by e-mail address. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('email_hash', 'text', (c) => c.primaryKey())
    .addColumn('count', 'bigint', (c) => c.notNull().check(sql`count >= 0`))
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sign_in_attempts_by_age').on('sign_in_attempts').column('last_at').execute()
}
