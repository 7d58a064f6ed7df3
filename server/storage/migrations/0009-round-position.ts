/** Where an interrupted reconciliation continues. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('marketplace_rounds').addColumn('after_id', 'text').execute()
}
