/** Who works on a request with an Idempotency-Key, so that nobody waits for a process that died. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency_keys').addColumn('replica_id', 'text').execute()
}
