/** A round that had to stop is continued behind what it came to. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('marketplace_rounds').addColumn('after_id', 'text').execute()
}
