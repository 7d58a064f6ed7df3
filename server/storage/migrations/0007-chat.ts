/** Questions to the assistant by day. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('chat_days')
    .addColumn('day', 'text', (c) => c.primaryKey())
    .addColumn('requests', 'bigint', (c) => c.notNull().check(sql`requests >= 0`))
    .execute()
}
