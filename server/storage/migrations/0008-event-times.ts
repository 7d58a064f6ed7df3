/** Event times per attribute of a subscription; raw marketplace responses are dropped. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['status_event_at', 'plan_event_at', 'quantity_event_at']) {
    await db.schema.alterTable('subscriptions').addColumn(column, 'bigint').execute()
  }
  // A single time does not tell which attribute an event was about.
  for (const column of ['last_event_at', 'raw']) {
    await db.schema.alterTable('subscriptions').dropColumn(column).execute()
  }
}
