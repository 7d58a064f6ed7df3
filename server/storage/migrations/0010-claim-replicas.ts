/** The replica of an idempotent request, so that claims of dead ones can be taken over. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency_keys').addColumn('replica_id', 'text').execute()
}
